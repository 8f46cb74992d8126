#include <algorithm>

#include "liaison/algebra/switching.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"

/// Claims about motions, for values of parameters at which the relations lose rank at all states: k = 0 of
/// k*x' = 0, the root of 2 of (a^2 - 2)*x' = 0.
namespace liaison {

namespace {

/// Parameters for which something vanishes whatever the state is: those that a factor of it is made of alone.
/// However large the rest of the model is, these are not missed.
struct SpecialParameters {
  Expr relation;                  ///< a^2 - 2, which vanishes
  std::vector<Witness> rational;  ///< values that it is linear in, with short ones of its others
};
std::vector<SpecialParameters> special_parameters(Algebra& algebra, Expr e) {
  std::vector<SpecialParameters> result;
  for (const SignProduct::Factor& factor : sign_product(algebra, e).factors) {
    const std::vector<Expr> symbols = symbols_in(factor.base);
    const bool has_parameters_alone = std::all_of(symbols.begin(), symbols.end(), [](Expr symbol) {
      return symbol.symbol().kind == SymbolKind::parameter;
    });
    if (!has_parameters_alone || symbols.empty()) continue;
    SpecialParameters special{factor.base, {}};
    for (Expr symbol : symbols) {
      Witness values;
      Substitution others;
      for (Expr other : symbols) {
        if (other == symbol) continue;
        values.point.emplace_back(other, Rational(static_cast<long>(others.size()) + 1));
        others.emplace(other, algebra.pool().number(values.point.back().second));
      }
      const auto linear = linear_coefficients(substitute(factor.base, others), std::span(&symbol, 1));
      if (!linear || !linear->rest.is_number() || !linear->coefficients[0].is_number() ||
          linear->coefficients[0].is_zero())
        continue;
      values.point.emplace_back(symbol, -linear->rest.number() / linear->coefficients[0].number());
      special.rational.push_back(std::move(values));
    }
    result.push_back(std::move(special));
  }
  return result;
}

}  // namespace

/// A refutation for the parameters of a witness alone, which are exact then: where they have special values
/// the rank of the relations may be lower, and the same at all states.
std::optional<Verdict> ClaimChecker::refuted_with_parameters(Expr left, Expr right, const Region& motions,
                                                             const Witness& near) {
  Substitution parameters;
  std::vector<std::pair<Expr, Rational>> fixed;
  for (const auto& [symbol, value] : near.point) {
    if (!symbol.is(Op::symbol) || symbol.symbol().kind != SymbolKind::parameter) continue;
    parameters.emplace(symbol, algebra_.pool().number(value));
    fixed.emplace_back(symbol, value);
  }
  if (fixed.empty()) return std::nullopt;
  Region there = motions;
  for (Expr& e : there.equations) e = substitute(e, parameters);
  for (Requirement& requirement : there.domain) requirement.e = substitute(requirement.e, parameters);
  for (const auto& [symbol, value] : fixed) {
    if (symbol.symbol().positive && value.sign() <= 0) return std::nullopt;
  }
  Verdict verdict = algebra_.are_equal(substitute(left, parameters), substitute(right, parameters), there);
  if (!verdict.is_refuted()) return std::nullopt;
  verdict.witness.point.insert(verdict.witness.point.end(), fixed.begin(), fixed.end());
  if (!certifies_motion(verdict.witness, left - right, parameters)) return std::nullopt;
  return verdict;
}

/// The same for parameters that are known by a relation between them, as the root of 2 by a^2 - 2.
Verdict ClaimChecker::where_parameters_satisfy(Expr relation, Expr left, Expr right, const Region& motions) {
  Region there = motions;
  const Region alone{.equations = {relation}, .domain = {}, .assumed = {}};
  const auto vanishes = [&](Expr e) { return e.is_zero() || algebra_.follows(e, alone); };
  Substitution idle;  // reactions that have no direction there
  for (const ConstraintField& constraint : motion_.constraints) {
    if (std::all_of(constraint.direction.begin(), constraint.direction.end(), vanishes))
      idle.emplace(constraint.factor, algebra_.pool().number(0));
  }
  if (!quantities_.mentions_factors(left - right)) {
    for (Expr& e : there.equations) e = substitute(e, idle);
  }
  std::erase_if(there.equations, vanishes);
  there.equations.push_back(relation);
  Verdict verdict = algebra_.are_equal(left, right, there);
  if (verdict.is_refuted() && !certifies_motion(verdict.witness, left - right, {}, {relation}))
    return Verdict::of(Grade::unknown, "no motion is known to start");
  return verdict;
}

/// A refutation for special parameters, for which the relations depend on each other or ask nothing at all
/// states; those for which nothing is known are added to `open`.
std::optional<Verdict> ClaimChecker::refuted_at_special_parameters(Expr regular, Expr left, Expr right,
                                                                   const Region& motions, Conditions& open) {
  for (const SpecialParameters& special : special_parameters(algebra_, regular)) {
    for (const Witness& values : special.rational) {
      if (auto refuted = refuted_with_parameters(left, right, motions, values)) return refuted;
    }
    Verdict verdict = where_parameters_satisfy(special.relation, left, right, motions);
    if (verdict.is_refuted()) return verdict;
    if (verdict.grade == Grade::unknown) open.push_back(special.relation);
  }
  return std::nullopt;
}

}  // namespace liaison
