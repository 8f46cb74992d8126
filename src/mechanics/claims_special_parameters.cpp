#include <algorithm>

#include "liaison/algebra/switching.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"

/// Claims about motions where relations lose rank: for values of parameters at all states, as k = 0 of
/// k*x' = 0, the root of 2 of (a^2 - 2)*x' = 0.
namespace liaison {

namespace {

constexpr std::size_t short_factor = 100;  // nodes of a relation between coordinates that is looked at

/// Where something vanishes: a factor of it. One of parameters alone does so whatever the state is. However
/// large the rest of the model is, these places are not missed.
struct SpecialPart {
  Expr relation;  ///< a^2 - 2, which vanishes
  bool has_parameters_alone = true;
  std::vector<Witness> rational;  ///< values that it is linear in, with short ones of its others
};
std::vector<SpecialPart> special_parts(Algebra& algebra, Expr e) {
  std::vector<SpecialPart> result;
  for (const SignProduct::Factor& factor : sign_product(algebra, e).factors) {
    const std::vector<Expr> symbols = symbols_in(factor.base);
    const bool has_parameters_alone = std::all_of(symbols.begin(), symbols.end(), [](Expr symbol) {
      return symbol.symbol().kind == SymbolKind::parameter;
    });
    if (symbols.empty() || (!has_parameters_alone && postorder(factor.base).size() > short_factor)) continue;
    SpecialPart special{factor.base, has_parameters_alone, {}};
    for (Expr symbol : has_parameters_alone ? symbols : std::vector<Expr>{}) {
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

/// On the part of the motions with a further relation: parameters are known by one as the root of 2 by
/// a^2 - 2.
Verdict ClaimChecker::on_part(Expr relation, Expr left, Expr right, const Region& motions) {
  Region there = motions;
  const Region alone{.equations = {relation}, .domain = {}, .assumed = {}};
  const auto vanishes = [&](Expr e) { return e.is_zero() || algebra_.follows(e, alone); };
  Substitution idle;  // reactions that have no direction there
  for (const ConstraintField& constraint : motion_.constraints) {
    if (std::all_of(constraint.direction.begin(), constraint.direction.end(), vanishes))
      idle.emplace(constraint.factor, algebra_.pool().number(0));
  }
  const bool asks_for_factors =
      quantities_.mentions_factors(left - right) ||
      std::any_of(there.domain.begin(), there.domain.end(),
                  [&](const Requirement& needed) { return quantities_.mentions_factors(needed.e); });
  if (!asks_for_factors) {
    for (Expr& e : there.equations) e = substitute(e, idle);
  }
  std::erase_if(there.equations, vanishes);
  there.equations.push_back(relation);
  return algebra_.are_equal(left, right, there);
}

/// What is known where the relations depend on each other or ask nothing, for special parameters or at
/// special states: a refutation, or that it fails there, though no motion is known to start. Parts of which
/// nothing is known are added to `open`.
std::optional<Verdict> ClaimChecker::fails_where_singular(Expr regular, Expr left, Expr right,
                                                          const Region& motions, Conditions& open) {
  bool fails = false;
  for (const SpecialPart& special : special_parts(algebra_, regular)) {
    for (const Witness& values : special.rational) {
      if (auto refuted = refuted_with_parameters(left, right, motions, values)) return refuted;
    }
    Verdict verdict = on_part(special.relation, left, right, motions);
    if (verdict.grade == Grade::unknown) open.push_back(special.relation);
    if (!verdict.is_refuted()) continue;
    const bool is_kept = special.has_parameters_alone;  // no motion changes parameters
    if (is_kept && certifies_motion(verdict.witness, left - right, {}, {special.relation})) return verdict;
    fails = true;
  }
  if (!fails) return std::nullopt;
  return Verdict::of(Grade::unknown, fails_where_rank_is_lost);
}

}  // namespace liaison
