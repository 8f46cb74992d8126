#include <algorithm>
#include <array>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"
#include "liaison/expr/primes.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/signs.hpp"
#include "require.hpp"

namespace liaison {

namespace {

Expr make_power(Pool& pool, Expr base, const Rational& exponent) {
  const std::array args{base, pool.number(exponent)};
  return pool.intern(Op::pow, args);
}

[[noreturn]] void throw_root_of_negative(Expr base, const Rational& exponent) {
  const std::string what =
      exponent == Rational(1, 2) ? "the square root" : "the power " + exponent.to_string();
  throw Error(ErrorCode::undefined_constant,
              what + " of the negative constant " + to_infix(base) + " is not real",
              "a power that is not an integer needs a base >= 0");
}

[[noreturn]] void throw_division_by_zero() {
  throw Error(ErrorCode::division_by_zero, "division by zero", "the denominator is exactly 0");
}

Rational exact_integer_power(const Pool& pool, const Rational& base, const Rational& exponent) {
  if (base.is_zero() && exponent.sign() < 0) throw_division_by_zero();
  if (base.is_zero() || base.is_one()) return base;
  if (base == Rational(-1)) return exponent.is_even_integer() ? Rational(1) : base;
  if (exponent == Rational(-1)) return Rational(1) / base;  // no larger than what is there already
  const auto n = exponent.to_long();
  const auto limit = pool.options().max_number_bits;
  const std::uint64_t size = !n       ? 0
                             : *n < 0 ? 0 - static_cast<std::uint64_t>(*n)
                                      : static_cast<std::uint64_t>(*n);
  if (!n || size > limit || base.bits() * size > limit) {
    throw Error(ErrorCode::number_too_large,
                "the exact power " + base.to_string().substr(0, 20) + "^" +
                    exponent.to_string().substr(0, 20) + " has more than " + std::to_string(limit) + " bits",
                "a number of this size is rarely meant; raise PoolOptions::max_number_bits if it is");
  }
  return power(base, *n);
}

/// p^(a*exponent) over the primes p of the base, each split into an exact part and a root with exponent in
/// (0, 1): 1/sqrt(8) is sqrt(2)/4, sqrt(6) is sqrt(2)*sqrt(3).
Expr root_of_number(Pool& pool, const Rational& base, const Rational& exponent) {
  if (base.is_zero()) {
    if (exponent.sign() < 0) throw_division_by_zero();
    return pool.number(0);
  }
  if (base.sign() < 0) throw_root_of_negative(pool.number(base), exponent);
  std::vector<Expr> factors;
  Rational coefficient(1);
  const auto take = [&](const Rational& part, int direction) {
    for (const auto& [prime, multiplicity] : factors_of(part)) {
      const Rational total = exponent * Rational(multiplicity * direction);
      const Rational whole = floor(total);
      coefficient *= exact_integer_power(pool, prime, whole);
      if (whole != total) factors.push_back(make_power(pool, pool.number(prime), total - whole));
    }
  };
  take(base.numerator(), 1);
  take(base.denominator(), -1);
  factors.push_back(pool.number(coefficient));
  return pool.mul(factors);
}

Expr power_of_number(Pool& pool, const Rational& base, const Rational& exponent) {
  if (exponent.is_integer()) return pool.number(exact_integer_power(pool, base, exponent));
  return root_of_number(pool, base, exponent);
}

/// (b^inner)^outer. Real values only: an inner fraction or odd power forces b >= 0 where the whole has a
/// value.
Expr power_of_power(Pool& pool, Expr power, const Rational& outer) {
  const Rational& inner = power.arg(1).number();
  const Expr base = power.arg(0);
  if (!outer.is_integer() && inner.is_even_integer()) return pool.pow(abs(base), inner * outer);
  return pool.pow(base, inner * outer);
}

/// (a*b)^n = a^n*b^n for integers; for roots only what is certain to be > 0 is taken out, or >= 0 where that
/// is true of all: sqrt(x^2*y) has a value at x = 0, y = -1, and abs(x)*sqrt(y) has none.
Expr power_of_product(Pool& pool, Expr product, const Rational& exponent) {
  std::vector<Expr> outside, inside;
  const bool all_nonnegative = std::all_of(product.args().begin(), product.args().end(), is_seen_nonnegative);
  for (Expr factor : product.args()) {
    if (exponent.is_integer() || is_seen_positive(factor) ||
        (all_nonnegative && is_seen_nonnegative(factor))) {
      outside.push_back(pool.pow(factor, exponent));
    } else if (factor.is_number() && factor.number() != Rational(-1)) {  // its size comes out, its sign stays
      outside.push_back(pool.pow(pool.number(-factor.number()), exponent));
      inside.push_back(pool.number(-1));
    } else {
      inside.push_back(factor);
    }
  }
  if (outside.empty()) return make_power(pool, product, exponent);
  if (!inside.empty()) {
    const Expr rest = pool.mul(inside);
    outside.push_back(rest.is(Op::mul) && rest != product ? power_of_product(pool, rest, exponent)
                                                          : pool.pow(rest, exponent));
  }
  return pool.mul(outside);
}

}  // namespace

Expr Pool::pow(Expr base, const Rational& exponent) {
  const std::array operands{base};
  require_pool(*this, operands);
  if (exponent.is_zero()) {
    if (base.is_zero()) {
      throw Error(ErrorCode::undefined_constant, "0^0 has no value", "write the limit that is meant");
    }
    return number(1);
  }
  if (exponent.is_one()) return base;
  if (base.is_number()) return power_of_number(*this, base.number(), exponent);
  if (base.is_constant() && !exponent.is_integer()) {
    const auto sign = constant_sign(base);
    if (sign && *sign < 0) throw_root_of_negative(base, exponent);
  }
  switch (base.op()) {
    case Op::pow: return power_of_power(*this, base, exponent);
    case Op::exp: return exp(exponent * base.arg(0));
    case Op::abs:
      if (exponent.is_even_integer()) return pow(base.arg(0), exponent);
      break;
    case Op::mul:
      if (base.args().size() == 2 && base.arg(0) == number(-1) && !exponent.is_integer()) break;
      return power_of_product(*this, base, exponent);
    default: break;
  }
  return make_power(*this, base, exponent);
}

Expr pow(Expr base, const Rational& exponent) {
  require_not_empty(base);
  return base.pool().pow(base, exponent);
}

Expr pow(Expr base, Expr exponent) {
  require_same_pool(base, exponent);
  if (exponent.is_number()) return pow(base, exponent.number());
  return exp(exponent * log(base));
}

Expr sqrt(Expr x) {
  return pow(x, Rational(1, 2));
}

}  // namespace liaison
