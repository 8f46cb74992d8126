#include "massa_pagani_support.hpp"

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "liaison/expr/evaluate.hpp"
#include "liaison/model/language.hpp"

namespace liaison::test {

std::string model_text(const std::string& name) {
  const std::string path = std::string(LIAISON_SOURCE_DIR) + "/models/massa_pagani/" + name + ".lia";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no model " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

System read_system(const std::string& text) {
  const Source source("test.lia", text);
  ParsedModel parsed = parse_model(source);
  if (!parsed.ok()) throw std::runtime_error(render(parsed.diagnostics, source));
  return std::move(parsed.system);
}

Mechanism::Mechanism(const std::string& text)
    : system(std::make_unique<System>(read_system(text))), algebra(std::make_unique<Algebra>(*system->pool)) {
  motion = std::make_unique<Motion>(derive_motion(*algebra, *system));
  ConstraintSpaceResult made = make_constraint_space(*algebra, *motion);
  if (!made.space) throw std::runtime_error(made.reason);
  geometry = std::make_unique<ConstraintGeometry>(
      derive_constraint_geometry(*algebra, *motion, std::move(*made.space)));
  dynamics = std::make_unique<ConstraintDynamics>(derive_constraint_dynamics(*motion, geometry->space));
}

Mechanism Mechanism::file(const std::string& name) {
  return Mechanism(model_text(name));
}

std::vector<Expr> Mechanism::list(std::initializer_list<std::string_view> texts) const {
  std::vector<Expr> result;
  for (std::string_view text : texts) result.push_back((*this)(text));
  return result;
}

State Mechanism::state(std::string_view text) const {
  State result;
  for (const Parameter& parameter : system->parameters) {
    if (parameter.value) result.emplace(parameter.symbol, system->pool->number(*parameter.value));
  }
  std::stringstream stream{std::string(text)};
  for (std::string entry; std::getline(stream, entry, ',');) {
    const auto equals = entry.find('=');
    const Expr symbol = system->pool->find_symbol(words(entry.substr(0, equals)).at(0));
    if (symbol.empty()) throw std::runtime_error("no symbol in " + entry);
    result.insert_or_assign(symbol, (*this)(entry.substr(equals + 1)));
  }
  return result;
}

double Mechanism::number(Expr e, const State& at) const {
  const LongValue value = evaluate_digits(substitute(e, at), {}, 20);
  if (value.value) return value.value->mid();
  ADD_FAILURE() << to_infix(e) << " has no value: " << value.reason();
  return std::nan("");
}

std::vector<double> Mechanism::numbers(const std::vector<Expr>& es, const State& at) const {
  std::vector<double> result;
  for (Expr e : es) result.push_back(number(e, at));
  return result;
}

std::vector<double> Mechanism::numbers(const Form& contact_form, const State& at) const {
  return numbers(configuration_components(contact_form, space().size()), at);
}

double Mechanism::largest(const Form& a, const State& at) const {
  double result = 0;
  for (const auto& [key, coefficient] : a.terms()) {
    result = std::max(result, std::abs(number(coefficient, at)));
  }
  return result;
}

Form Mechanism::form(std::string_view text) const {
  std::stringstream stream{std::string(text)};
  std::optional<Form> sum;
  for (std::string part; std::getline(stream, part, ';');) {
    const auto colon = part.find(':');
    Form term = Form::function(space().coframe, (*this)(part.substr(0, colon)));
    for (const std::string& name : words(part.substr(colon + 1))) {
      term = wedge(term, Form::basis(space().coframe, name));
    }
    sum = sum ? *sum + term : term;
  }
  return *sum;
}

Form Mechanism::contact(std::initializer_list<std::string_view> coefficients) const {
  Form sum(space().coframe, 1);
  std::size_t i = 0;
  for (std::string_view coefficient : coefficients) sum = sum + (*this)(coefficient)*space().contact[i++];
  return sum;
}

std::vector<Expr> Mechanism::ideal_flow() const {
  return solve_flow(*algebra, geometry->fibre_metric, space(), *dynamics, dynamics->forces);
}

::testing::AssertionResult are_near(const std::vector<double>& values, const std::vector<double>& expected) {
  if (values.size() != expected.size()) {
    return ::testing::AssertionFailure() << values.size() << " numbers instead of " << expected.size();
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ::testing::AssertionResult near = is_near(values[i], expected[i]);
    if (!near) return ::testing::AssertionFailure() << "number " << i << ": " << near.message();
  }
  return ::testing::AssertionSuccess();
}

}  // namespace liaison::test
