#include "liaison/mechanics/open_conditions.hpp"

#include <algorithm>
#include <optional>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

enum class Range { positive, nonnegative, unit, both_units, unknown };

bool is_positive(Expr e);

/// What is known of a factor without its sign: > 0, >= 0, in [0, 1], in [-1, 1].
Range range_of(Expr factor) {
  const auto [base, exponent] = split_power(factor);
  if (base.is(Op::symbol) && base.symbol().positive) return Range::positive;
  if (base.is(Op::exp) || base.is(Op::cosh) || base.is(Op::pi)) return Range::positive;
  if (base.is(Op::add) && is_positive(base)) return Range::positive;  // (m + M)^3
  const bool circular = base.is(Op::sin) || base.is(Op::cos);
  if (circular && exponent.sign() > 0 && exponent.is_even_integer()) return Range::unit;
  if (circular && exponent == Rational(1)) return Range::both_units;
  if (exponent.sign() < 0) return Range::unknown;
  return !exponent.is_integer() || exponent.is_even_integer() || base.is(Op::abs) ? Range::nonnegative
                                                                                  : Range::unknown;
}

/// The greatest lower bound of a term by those of its factors, in positive symbols; nothing if there is none.
std::optional<Expr> lower_bound(Expr term) {
  const auto [coefficient, rest] = split_coefficient(term);
  Expr positive = term.pool().number(1);
  bool may_vanish = false, unbounded = false, both_signs = false;
  const Expr alone[] = {rest};
  for (Expr factor : rest.is(Op::mul) ? rest.args() : std::span<const Expr>(alone)) {
    if (factor.is_number()) continue;
    switch (range_of(factor)) {
      case Range::positive: positive = positive * factor; break;
      case Range::nonnegative: unbounded = true; break;
      case Range::unit: may_vanish = true; break;
      case Range::both_units: both_signs = true; break;
      case Range::unknown: return std::nullopt;
    }
  }
  if (unbounded && (both_signs || coefficient.sign() < 0)) return std::nullopt;
  if (both_signs) return -(coefficient.sign() < 0 ? -coefficient : coefficient) * positive;
  if (coefficient.sign() > 0 && (unbounded || may_vanish)) return term.pool().number(0);
  return coefficient * positive;
}

bool is_positive(Expr e) {
  std::vector<Expr> bounds;
  const Expr alone[] = {e};
  for (Expr term : e.is(Op::add) ? e.args() : std::span<const Expr>(alone)) {
    const auto bound = lower_bound(term);
    if (!bound) return false;
    bounds.push_back(*bound);
  }
  const Expr sum = e.pool().add(bounds);
  if (sum.is_zero()) return false;
  const Expr whole[] = {sum};
  const auto terms = sum.is(Op::add) ? sum.args() : std::span<const Expr>(whole);
  return std::all_of(terms.begin(), terms.end(),
                     [](Expr term) { return split_coefficient(term).first.sign() > 0; });
}

void add_factors(Expr condition, std::vector<Expr>& to) {
  const Expr alone[] = {condition};
  for (Expr factor : condition.is(Op::mul) ? condition.args() : std::span<const Expr>(alone)) {
    if (factor.is_number()) continue;
    const auto [base, exponent] = split_power(factor);
    if (exponent.sign() < 0 || never_zero(base)) continue;
    const bool known = std::any_of(to.begin(), to.end(), [&](Expr e) { return e == base || e == -base; });
    if (!known) to.push_back(base);
  }
}

}  // namespace

bool never_zero(Expr e) {
  return is_positive(e) || is_positive(-e);
}

std::vector<Expr> factors_that_may_vanish(std::span<const Expr> conditions) {
  std::vector<Expr> result;
  for (Expr condition : conditions) add_factors(condition, result);
  return result;
}

bool may_vanish_for_all_states(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr node) {
    return node.is(Op::apply) || (node.is(Op::symbol) && node.symbol().kind == SymbolKind::parameter);
  });
}

}  // namespace liaison
