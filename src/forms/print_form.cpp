#include <string>
#include <utility>

#include "index_set.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/forms/form.hpp"
#include "liaison/forms/vector_field.hpp"

namespace liaison {

namespace {

/// How one of the printers writes the parts of a sum of coefficient times product.
struct Notation {
  std::string (*coefficient)(Expr);
  std::string (*name)(const std::string&);
  std::string differential;  ///< stands before the coordinate: "d", "\\mathrm{d}"
  std::string times;
  std::string wedge;
  std::string plus;
  std::string minus;
  std::string lead_minus;
  std::string open;
  std::string close;
};

std::string same_name(const std::string& name) {
  return name;
}

const Notation infix{to_infix, same_name, "d", "*", "^", " + ", " - ", "-", "(", ")"};
const Notation unicode{to_unicode, unicode_name, "d", " ", " ∧ ", " + ", " − ", "−", "(", ")"};
const Notation latex{to_latex, latex_name, "\\mathrm{d}", "\\, ",    " \\wedge ",
                     " + ",    " - ",      "-",           "\\left(", "\\right)"};

/// The coordinate of which basis form i is the differential, if its name says so.
const SymbolInfo* coordinate_behind(const Coframe& coframe, std::size_t i) {
  const std::string& name = coframe.name(i);
  for (const ScalarCoordinate& x : coframe.scalar_coordinates())
    if (name.size() == x.symbol.symbol().name.size() + 1 && name[0] == 'd' &&
        name.substr(1) == x.symbol.symbol().name)
      return &x.symbol.symbol();
  return nullptr;
}

std::string basis_name(const Coframe& coframe, std::size_t i, const Notation& notation) {
  const SymbolInfo* coordinate = coordinate_behind(coframe, i);
  if (coordinate == nullptr) return notation.name(coframe.name(i));
  const std::string name = notation.name(coordinate->name);
  // d stands apart from a word, and no line ends between them
  const std::size_t word = name.find("\\mathrm{");
  const bool is_word = word != std::string::npos && name.find("_{") > word;
  return notation.differential + (is_word ? "{\\, " + name + "}" : name);
}

std::string basis_product(const Coframe& coframe, const IndexSet& key, const Notation& notation) {
  std::string text;
  for_each_index(key, [&](std::size_t i) {
    if (!text.empty()) text += notation.wedge;
    text += basis_name(coframe, i, notation);
  });
  return text;
}

bool is_negative(Expr e) {
  return !e.is(Op::add) && has_negative_lead(e);
}

/// Appends one signed term; `product` is empty for a function.
void append_term(std::string& text, Expr coefficient, const std::string& product, const Notation& notation) {
  const bool negative = is_negative(coefficient);
  if (negative) coefficient = -coefficient;
  if (text.empty()) {
    if (negative) text += notation.lead_minus;
  } else {
    text += negative ? notation.minus : notation.plus;
  }
  if (product.empty()) {
    text += notation.coefficient(coefficient);
    return;
  }
  if (!coefficient.is_one()) {
    const bool sum = coefficient.is(Op::add);
    text += sum ? notation.open + notation.coefficient(coefficient) + notation.close
                : notation.coefficient(coefficient);
    text += notation.times;
  }
  text += product;
}

std::string print(const Form& a, const Notation& notation) {
  std::string text;
  if (a.degree() == 0 && !a.empty()) return notation.coefficient(a.terms()[0].second);
  for (const auto& [key, coefficient] : a.terms())
    append_term(text, coefficient, basis_product(*a.coframe(), key, notation), notation);
  return text.empty() ? "0" : text;
}

/// Whether the dual vector of basis form i moves one coordinate only, that of which i is the differential.
bool is_partial_derivative(const Coframe& coframe, std::size_t i) {
  const SymbolInfo* own = coordinate_behind(coframe, i);
  if (own == nullptr) return false;
  for (const ScalarCoordinate& x : coframe.scalar_coordinates())
    for (const auto& [index, coefficient] : x.differential)
      if (index == i && (&x.symbol.symbol() != own || !coefficient.is_one())) return false;
  return true;
}

std::string print(const VectorField& a, const Notation& notation, const std::string& partial) {
  const Coframe& coframe = *a.coframe();
  std::string text;
  for (std::size_t i = 0; i < coframe.dimension(); ++i) {
    if (a.component(i).is_zero()) continue;
    const std::string dual =
        is_partial_derivative(coframe, i)
            ? partial + "/" + partial + notation.name(coordinate_behind(coframe, i)->name)
            : "e(" + basis_name(coframe, i, notation) + ")";
    append_term(text, a.component(i), dual, notation);
  }
  return text.empty() ? "0" : text;
}

}  // namespace

std::string to_infix(const Form& a) {
  return print(a, infix);
}

std::string to_unicode(const Form& a) {
  return print(a, unicode);
}

std::string to_latex(const Form& a) {
  return print(a, latex);
}

std::string to_infix(const VectorField& a) {
  return print(a, infix, "d");
}

std::string to_unicode(const VectorField& a) {
  return print(a, unicode, "∂");
}

}  // namespace liaison
