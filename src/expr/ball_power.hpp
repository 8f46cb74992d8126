#pragma once

#include "raw.hpp"

namespace liaison {

inline EvaluationStatus finite_or_undecided(const Ball& ball) {
  return ball.is_finite() ? EvaluationStatus::ok : EvaluationStatus::precision_limit;
}

inline EvaluationStatus integer_power(Ball& y, const Ball& base, const Rational& exponent, long bits) {
  if (exponent.sign() < 0 && arb_is_zero(base.raw())) return EvaluationStatus::outside_domain;
  arb_pow_fmpz(y.raw(), base.raw(), fmpq_numref(exponent.raw()), bits);
  if (exponent.is_even_integer() && y.contains_zero()) arb_nonnegative_part(y.raw(), y.raw());
  return finite_or_undecided(y);
}

/// Real values need a base >= 0, and > 0 under a negative exponent.
inline EvaluationStatus fractional_power(Ball& y, const Ball& base, const Rational& exponent, long bits) {
  if (base.is_negative()) return EvaluationStatus::outside_domain;
  if (arb_is_zero(base.raw())) {
    if (exponent.sign() < 0) return EvaluationStatus::outside_domain;
    arb_zero(y.raw());
    return EvaluationStatus::ok;
  }
  if (!(exponent.sign() < 0 ? arb_is_positive(base.raw()) : arb_is_nonnegative(base.raw())))
    return EvaluationStatus::precision_limit;
  arb_pow_fmpq(y.raw(), base.raw(), exponent.raw(), bits);
  return finite_or_undecided(y);
}

inline EvaluationStatus ball_power(Ball& y, const Ball& base, const Rational& exponent, long bits) {
  return exponent.is_integer() ? integer_power(y, base, exponent, bits)
                               : fractional_power(y, base, exponent, bits);
}

}  // namespace liaison
