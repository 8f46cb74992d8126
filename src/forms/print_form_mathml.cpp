#include <string>

#include "index_set.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/print_mathml.hpp"
#include "liaison/forms/form.hpp"

namespace liaison {

namespace {

constexpr std::string_view thin_space = "<mspace width=\"0.167em\"/>";

/// dx where the basis form is the differential of a coordinate by its name, else the name.
std::string basis_element(const Coframe& coframe, std::size_t i) {
  const std::string& name = coframe.name(i);
  for (const ScalarCoordinate& x : coframe.scalar_coordinates()) {
    const std::string& coordinate = x.symbol.symbol().name;
    if (name != "d" + coordinate) continue;
    const std::string latex = latex_name(coordinate);
    const std::size_t word = latex.find("\\mathrm{");
    const bool is_word = word != std::string::npos && latex.find("_{") > word;
    return "<mi mathvariant=\"normal\">d</mi>" + std::string(is_word ? thin_space : "") +
           mathml_name(coordinate);
  }
  return mathml_name(name);
}

std::string basis_product(const Coframe& coframe, const IndexSet& key) {
  std::string text;
  for_each_index(key, [&](std::size_t i) {
    if (!text.empty()) text += "<mo>∧</mo>";
    text += basis_element(coframe, i);
  });
  return text;
}

/// "a dx", "(a + b) dx", "dx" for a coefficient that is no negative product.
std::string scaled(Expr coefficient, const std::string& product) {
  if (coefficient.is_one()) return product;
  const std::string factor = to_mathml(coefficient);
  return (coefficient.is(Op::add) ? "<mrow><mo>(</mo>" + factor + "<mo>)</mo></mrow>" : factor) +
         std::string(thin_space) + product;
}

}  // namespace

std::string to_mathml(const Form& a) {
  if (a.empty()) return "<mn>0</mn>";
  if (a.degree() == 0) return to_mathml(a.terms()[0].second);
  std::string text;
  for (const auto& [key, coefficient] : a.terms()) {
    const bool negative = !coefficient.is(Op::add) && has_negative_lead(coefficient);
    if (negative) {
      text += "<mo>−</mo>";
    } else if (!text.empty()) {
      text += "<mo>+</mo>";
    }
    text += scaled(negative ? -coefficient : coefficient, basis_product(*a.coframe(), key));
  }
  return text;
}

}  // namespace liaison
