#include "row.hpp"

#include <cmath>
#include <sstream>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison::test {

Point::Point(Desk& desk, std::string_view text) : desk_(desk) {
  std::stringstream stream{std::string(text)};
  for (std::string entry; std::getline(stream, entry, ',');) {
    const auto equals = entry.find('=');
    const std::string name = words(entry.substr(0, equals)).at(0);
    values_.emplace(name, Rational::parse(words(entry.substr(equals + 1)).at(0)).value());
  }
}

double Point::operator()(Expr e) const {
  RationalPoint point;
  for (const auto& [name, value] : values_)
    if (const Expr symbol = desk_.pool.find_symbol(name); !symbol.empty()) point.emplace(symbol, value);
  const LongValue value = evaluate_digits(e, point, 20);
  if (!value.value) {
    ADD_FAILURE() << to_infix(e) << " has no value: " << value.reason();
    return std::nan("");
  }
  return value.value->mid();
}

Form Point::operator()(const Form& a) const {
  Substitution substitution;
  for (const auto& [name, value] : values_)
    if (const Expr symbol = desk_.pool.find_symbol(name); !symbol.empty())
      substitution.emplace(symbol, desk_.pool.number(value));
  std::vector<Form::Term> terms;
  for (const auto& [key, coefficient] : a.terms())
    terms.emplace_back(key, substitute(coefficient, substitution));
  return Form(a.coframe(), a.degree(), std::move(terms));
}

::testing::AssertionResult is_near(double value, double expected) {
  const double tolerance = 1e-12 * std::max(1.0, std::abs(expected));
  if (std::abs(value - expected) <= tolerance) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << value << " is not " << expected << ": they differ by " << value - expected;
}

}  // namespace liaison::test
