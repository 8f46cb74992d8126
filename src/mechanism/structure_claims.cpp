#include "structure_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/algebra/content.hpp"
#include "liaison/algebra/own_budget.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/derived_quantities.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/structure_question.hpp"
#include "liaison/structure/constraint_flag.hpp"
#include "liaison/structure/invariant_measure.hpp"
#include "liaison/structure/kinematic_flow.hpp"

namespace liaison {

namespace {

constexpr const char* kept_beside_relations =
    " of coordinates and velocities, divided by the differentials of the relations,";
constexpr const char* volume_beside_relations =
    "against the volume of coordinates and velocities, divided by the differentials of the relations as "
    "written";

Verdict unknown(std::string reason) {
  return Verdict::of(Grade::unknown, std::move(reason));
}

/// Nothing where a state is known, inside of the domain, at which none of the conditions fails: else what
/// holds at a general place is said of nothing.
std::optional<Verdict> unless_places_exist(Algebra& algebra, const Motion& motion,
                                           const Conditions& conditions) {
  Region states = states_of(motion);
  bool has_edges = false;
  for (Requirement& needed : states.domain) {
    has_edges = has_edges || needed.bound == Bound::nonnegative;
    if (needed.bound == Bound::nonnegative) needed.bound = Bound::positive;
  }
  if (conditions.empty() && !has_edges) return std::nullopt;
  Expr product = algebra.pool().number(1);
  for (const Expr condition : conditions) product = product * condition;
  const Verdict vanish = algebra.are_equal(product, algebra.pool().number(0), states);
  if (vanish.is_refuted()) return std::nullopt;
  return unknown(conditions.empty()
                     ? std::string("no state is known inside of the domain of the model")
                     : fmt::format("no state is known at which {} does not vanish", to_infix(product)));
}

/// The closed forms divide by what vanishes at every state: they say nothing of any.
std::optional<Verdict> unless_divided_by_zero(Algebra& algebra, const Motion& motion,
                                              std::span<const Expr> divisors) {
  const Region states = states_of(motion);
  for (const Expr divisor : divisors) {
    if (algebra.follows(divisor, states))
      return unknown(
          fmt::format("the relations are solved by {}, which vanishes at every state", to_infix(divisor)));
  }
  return std::nullopt;
}

/// A condition that every state satisfies is none: x^2 + y^2 != 0 on a circle around the origin. Only what is
/// shown soon is dropped.
void drop_what_never_vanishes(Algebra& algebra, const Motion& motion, Conditions& conditions) {
  constexpr std::uint64_t operations = 300'000;
  constexpr std::size_t longest = 40, most_relations = 12;
  if (motion.relation_count > most_relations) return;
  std::erase_if(conditions, [&](Expr condition) {
    if (count_written_operations(condition) > longest) return false;
    const OwnBudget budget(algebra, operations);
    Region zeros{.equations = states_of(motion).equations, .domain = {}, .assumed = {}};
    zeros.equations.push_back(condition);
    return algebra.follows(algebra.pool().number(1), zeros);
  });
}

/// Dimensions are those of a general place: exact ranks, where they are proved.
Verdict decide_dimensions(MechanismParts& parts, const Claim& claim, std::string& detail) {
  Algebra& algebra = parts.algebra();
  const Standing standing = standing_of(algebra, parts.motion());
  if (!standing.has_states()) return standing.states;
  const StateFlowResult flow = derive_kinematic_flow(algebra, parts.motion(), standing);
  if (!flow.flow) return unknown(flow.reason);
  const std::span<const Expr> conditions = flow.flow->conditions;
  if (auto other = unless_divided_by_zero(algebra, parts.motion(),
                                          conditions.subspan(parts.motion().conditions.size())))
    return *other;
  const ConstraintFlagResult result = derive_constraint_flag(algebra, *flow.flow, FlagQuestion::dimensions);
  if (!result.flag) return unknown(result.reason);
  const ConstraintFlag& flag = *result.flag;
  if (auto other = unless_places_exist(algebra, parts.motion(), flag.for_values)) return *other;
  const bool is_growth = structure_question(claim) == StructureQuestion::growth;
  const std::string found = to_string(is_growth ? flag.growth : flag.derived);
  const bool holds = claim.motions == fmt::format("{} == {}", is_growth ? "growth" : "flag", found);
  detail = fmt::format("{} at a general place{}", found, flag.with_time ? ", the time among them" : "");
  if (flag.ranks == Grade::proved && !holds) return Verdict::of(Grade::refuted);
  Verdict verdict = Verdict::of(holds ? flag.ranks : Grade::unknown, flag.ranks_reason);
  if (verdict.holds()) verdict.conditions = flag.for_values;
  return verdict;
}

/// e without factors that never vanish: 1 + x^2 of (1 + x^2)*(y - x), 2 + sin(x) of (2 + sin(x))*(y - x).
Expr without_factors_that_never_vanish(Expr e) {
  const Expr plain = without_positive_functions(e);
  if (!plain.is(Op::mul)) return plain;
  std::vector<Expr> rest;
  for (const Expr factor : plain.args()) {
    if (factor.is_constant() || !never_zero(factor)) rest.push_back(factor);
  }
  return rest.empty() ? plain : e.pool().mul(rest);
}

/// Beside relations between coordinates the volume is that of coordinates and velocities, divided by the
/// differentials of all relations. A level h*f in the place of f divides it by h^2 (its derivative has the
/// factor, too), h*g in the place of a relation g between velocities by h: factors that never vanish and are
/// only written into a relation do not count.
Expr factor_of_volume(Algebra& algebra, const Motion& motion) {
  Expr product = algebra.pool().number(1);
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    const bool is_level = !constraint.level.empty();
    const Expr written = is_level ? constraint.level : constraint.relation;
    const Expr plain = without_factors_that_never_vanish(written);
    if (plain == written || plain.is_zero()) continue;
    const Expr factor = algebra.readable(written / plain);
    product = product * (is_level ? factor * factor : factor);
  }
  return product;
}

/// X(rho) + rho div X = 0 at every state.
Verdict decide_density(MechanismParts& parts, const StateFlow& flow, const Claim& claim,
                       std::string& detail) {
  Algebra& algebra = parts.algebra();
  DerivedQuantities quantities(algebra, parts.motion());
  const auto density = quantities.in_state_variables(claim.conserved);
  if (!density) return unknown(quantities.reason());
  Claim kept;
  const Expr whole = flow.has_levels ? *density * factor_of_volume(algebra, parts.motion()) : *density;
  kept.left = density_rate(algebra, flow, whole);
  kept.right = algebra.pool().number(0);
  kept.domain = claim.domain;
  kept.written = claim.written;
  kept.corners = claim.corners;
  kept.text = claim.text;
  ClaimChecker checker(algebra, parts.motion());
  Verdict verdict = checker.check(kept).verdict;
  if (!verdict.holds()) return verdict;
  Claim none = kept;
  none.left = *density;
  if (checker.check(none).verdict.is_proved()) {
    detail = "it is zero at every state";
    return Verdict::of(Grade::refuted);
  }
  Claim crossing = claim;
  crossing.kind = ClaimKind::conserved;
  crossing.expected = true;
  crossing.misprint = false;
  crossing.left = kept.left;
  ClaimResult crossed = checker.check(crossing);
  detail = std::move(crossed.detail);
  verdict = conjunction(std::move(verdict), std::move(crossed.verdict));
  if (!verdict.holds()) return verdict;
  std::string free;
  for (const Expr velocity : flow.velocities)
    free += fmt::format("{}{}", free.empty() ? "" : ", ", to_infix(velocity));
  detail = flow.has_levels ? std::string(volume_beside_relations)
                           : fmt::format("against the volume of positions and the free velocities {}", free);
  Conditions conditions = flow.conditions;
  conditions.push_back(*density);
  for (Expr condition : factors_that_may_vanish(conditions)) {
    if (std::find(verdict.conditions.begin(), verdict.conditions.end(), condition) ==
        verdict.conditions.end())
      verdict.conditions.push_back(condition);
  }
  if (verdict.is_proved() && !flow.standing.reason.empty()) {
    verdict.grade = Grade::checked;
    verdict.reason = flow.standing.reason;
  }
  if (auto other = unless_places_exist(algebra, parts.motion(), verdict.conditions)) return *other;
  return verdict;
}

/// Whether there is a density of positions, and of the time where the motion depends on it.
Verdict decide_existence(Algebra& algebra, const StateFlow& flow, std::string& detail) {
  const Motion& motion = *flow.motion;
  const InvariantMeasure found = find_invariant_measure(algebra, flow);
  if (found.density) {
    constexpr std::size_t longest = 60;
    const std::string density = to_infix(*found.density);
    if (auto other = unless_places_exist(algebra, motion, found.verdict.conditions)) return *other;
    detail = found.origin == "volume"
                 ? fmt::format("the volume{} is kept", flow.has_levels ? kept_beside_relations : "")
             : density.size() <= longest
                 ? "the density " + density
                 : "a density of " + std::to_string(density.size()) + " characters: `analyze` shows it";
    Verdict verdict = found.verdict;
    if (verdict.grade == Grade::checked && flow.standing.reason.empty()) {
      verdict.grade = Grade::proved;  // where the conditions hold, which the claim tells
      verdict.reason.clear();
    }
    return verdict;
  }
  if (found.obstruction && found.none == Grade::proved) {
    const std::string text = to_infix(*found.obstruction);
    detail = fmt::format(
        "there is none{}{}",
        never_zero(*found.obstruction) ? "" : fmt::format(" around places where {} does not vanish", text),
        found.none_at_rest ? ", nor one that is positive at rest" : "");
    return found.obstructed;
  }
  if (found.near_general_places)
    return unknown("around general places there is a density; none was written out");
  return unknown(!found.reason.empty() ? found.reason
                                       : "none was found; others than those searched may exist");
}

Verdict decide_measure(MechanismParts& parts, const Claim& claim, std::string& detail) {
  Algebra& algebra = parts.algebra();
  const StateFlowResult flow = derive_state_flow(algebra, parts.motion());
  if (!flow.flow) return unknown(flow.reason);
  if (!flow.flow->standing.pieces.empty()) return unknown(flow.flow->standing.pieces);
  return claim.conserved.empty() ? decide_existence(algebra, *flow.flow, detail)
                                 : decide_density(parts, *flow.flow, claim, detail);
}

}  // namespace

bool is_about_structure(const Claim& claim) {
  return structure_question(claim).has_value();
}

ClaimResult check_structure(MechanismParts& parts, const Claim& claim) {
  ClaimResult result;
  result.claim = &claim;
  try {
    result.verdict = !claim.at.empty() ? unknown("it is said of the whole system, not of one state")
                     : structure_question(claim) == StructureQuestion::measure
                         ? decide_measure(parts, claim, result.detail)
                         : decide_dimensions(parts, claim, result.detail);
  } catch (const Error& error) {
    result.verdict = unknown(error.what());
  }
  if (result.verdict.holds() && !result.verdict.conditions.empty())
    drop_what_never_vanishes(parts.algebra(), parts.motion(), result.verdict.conditions);
  for (const Unilateral& contact : parts.system().unilaterals) {
    if (result.verdict.holds()) result.verdict.conditions.push_back(contact.gap());
  }
  const bool claimed_false = claim.expected == claim.misprint;
  if (claimed_false) result.verdict = negation(std::move(result.verdict));
  result.passed = claim.misprint ? result.verdict.is_refuted() : result.verdict.holds();
  return result;
}

}  // namespace liaison
