#include "exact_numbers.hpp"

#include <fmt/format.h>

#include "expr/raw.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

Rational middle_of(const Ball& ball) {
  Rational result;
  arf_get_fmpq(result.raw(), arb_midref(ball.raw()));
  return result;
}

/// The simplest fraction within 10^-40 of a number that is not zero.
Rational simplest_near(const Rational& value) {
  const Rational slack = abs(value) * power(Rational(10), -40);
  const Rational low = value - slack, high = value + slack;
  Rational result;
  fmpq_simplest_between(result.raw(), low.raw(), high.raw());
  return result;
}

}  // namespace

Rational ExactNumbers::exactly(Expr e) {
  if (e.is_number()) return e.number();
  const Expr constant = substitute(e, state_.values);
  if (constant.is_number()) return constant.number();
  if (constant.is_constant() && algebra_.is_zero(constant).is_proved()) return Rational(0);
  const LongValue value = evaluate_digits(constant, {}, 60);
  if (!value.value)
    throw Error(ErrorCode::missing_value, fmt::format("{} has no value: {}", to_infix(e), value.reason()));
  const Rational middle = middle_of(*value.value);
  // sin(acos(-4/5)) is a short fraction, and provably so.
  if (const Rational guess = simplest_near(middle);
      guess.bits() <= 60 && algebra_.is_zero(constant - guess).is_proved())
    return guess;
  exact_ = false;
  return middle;
}

Rational ExactNumbers::size_of_terms(Expr e) {
  Rational size;
  if (e.is(Op::add)) {
    for (const Expr term : e.args()) size += size_of_terms(term);
    return size;
  }
  if (!e.is(Op::mul)) return abs(exactly(e));
  // What is lost of a factor counts times the others.
  std::vector<Rational> values, sizes;
  for (const Expr factor : e.args()) {
    values.push_back(abs(exactly(factor)));
    sizes.push_back(size_of_terms(factor));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (sizes[i] == values[i]) continue;
    Rational product = sizes[i];
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (j != i) product *= values[j];
    }
    size += product;
  }
  return size.is_zero() ? abs(exactly(e)) : size;
}

Rational ExactNumbers::operator()(Expr e) {
  const Rational value = exactly(e);
  if (state_.exact || value.is_zero()) return value;
  return abs(value) <= size_of_terms(e) * noise() ? Rational(0) : value;
}

}  // namespace liaison
