#include "liaison/expr/signs.hpp"

#include <algorithm>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

namespace {

constexpr int max_look = 4;  // levels of nesting worth looking at; deeper is rare and would cost

enum class Sign { unknown, nonnegative, positive };

Sign look(Expr e, int levels);

Sign weakest(std::span<const Expr> es, int levels) {
  Sign result = Sign::positive;
  for (Expr e : es) result = std::min(result, look(e, levels));
  return result;
}

/// A sum of nonnegative terms is positive if one of them is.
Sign look_at_sum(Expr e, int levels) {
  Sign strongest = Sign::unknown;
  for (Expr term : e.args()) {
    const Sign sign = look(term, levels);
    if (sign == Sign::unknown) return Sign::unknown;
    strongest = std::max(strongest, sign);
  }
  return strongest;
}

Sign look_at_power(Expr e, int levels) {
  const Sign base = look(e.arg(0), levels);
  if (base == Sign::positive) return Sign::positive;
  const Rational& exponent = e.arg(1).number();
  return exponent.is_even_integer() || !exponent.is_integer() ? Sign::nonnegative : base;
}

Sign look(Expr e, int levels) {
  if (levels == 0) return Sign::unknown;
  switch (e.op()) {
    case Op::number:
      return e.number().sign() > 0 ? Sign::positive : e.is_zero() ? Sign::nonnegative : Sign::unknown;
    case Op::pi:
    case Op::exp:
    case Op::cosh: return Sign::positive;
    case Op::symbol: return e.symbol().positive ? Sign::positive : Sign::unknown;
    case Op::abs: return Sign::nonnegative;
    case Op::pow: return look_at_power(e, levels - 1);
    case Op::mul: return weakest(e.args(), levels - 1);
    case Op::add: return look_at_sum(e, levels - 1);
    default: return Sign::unknown;
  }
}

Sign look(Expr e) {
  const Sign seen = look(e, max_look);
  if (seen == Sign::positive || !e.is_constant() || e.is_number()) return seen;
  const auto sign = constant_sign(e);
  return sign && *sign > 0 ? Sign::positive : seen;
}

}  // namespace

bool is_seen_nonnegative(Expr e) {
  return look(e) != Sign::unknown;
}

bool is_seen_positive(Expr e) {
  return look(e) == Sign::positive;
}

}  // namespace liaison
