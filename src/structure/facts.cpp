#include "liaison/structure/facts.hpp"

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/motion_kind.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t operations_for_a_claim = 100'000'000;

Verdict decide(Algebra& algebra, const Motion& motion, ClaimKind kind, std::vector<std::string> names) {
  Claim claim;
  claim.kind = kind;
  claim.constraints = std::move(names);
  const BudgetScope scope(algebra, operations_for_a_claim);
  try {
    return ClaimChecker(algebra, motion).check(claim).verdict;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    return Verdict::of(Grade::unknown, "not within the budget");
  }
}

ConstraintKind kind_of(Algebra& algebra, const StateSpace& space, const ConstraintField& constraint) {
  if (constraint.relation.empty()) return ConstraintKind::reaction;
  if (!constraint.level.empty()) return ConstraintKind::positions;
  const auto linear = linear_coefficients(algebra.canonical(constraint.relation).value, space.parameters);
  if (!linear) {
    const auto as_written = linear_coefficients(constraint.relation, space.parameters);
    if (!as_written) return ConstraintKind::nonlinear;
    return as_written->rest.is_zero() ? ConstraintKind::linear : ConstraintKind::affine;
  }
  return linear->rest.is_zero() ? ConstraintKind::linear : ConstraintKind::affine;
}

bool is_ideal(const System& system, const std::string& name) {
  for (const Constraint& constraint : system.constraints) {
    if (constraint.name == name) return constraint.power_kind == PowerKind::ideal;
  }
  return false;
}

}  // namespace

std::string name_of(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::positions: return "holonomic";
    case ConstraintKind::linear: return "linear";
    case ConstraintKind::affine: return "affine";
    case ConstraintKind::nonlinear: return "non-linear";
    case ConstraintKind::reaction: break;
  }
  return "reaction";
}

ModelFacts derive_facts(Algebra& algebra, const Motion& motion, const Standing& standing) {
  const System& system = *motion.space.system;
  ModelFacts facts;
  if (!standing.has_states()) {
    facts.no_state =
        standing.states.reason.empty() ? "the relations contradict each other" : standing.states.reason;
    return facts;
  }
  facts.directions = motion.space.size();
  facts.degrees_of_freedom = facts.directions - standing.rank;
  facts.freedom_grade = standing.rank_grade;
  if (standing.rank_grade != Grade::proved) facts.freedom_reason = standing.reason;
  for (const ConstraintField& constraint : motion.constraints) {
    ConstraintFact fact;
    fact.name = constraint.name;
    fact.kind = kind_of(algebra, motion.space, constraint);
    fact.is_ideal = is_ideal(system, constraint.name);
    if (fact.kind != ConstraintKind::reaction) {
      const Expr relation = constraint.level.empty() ? constraint.relation : constraint.level;
      fact.has_time = depends_on(relation, system.time);
      fact.integrable = decide(algebra, motion, ClaimKind::holonomic, {constraint.name});
    }
    facts.constraints.push_back(std::move(fact));
  }
  for (const Unilateral& contact : system.unilaterals) facts.open_contacts.push_back(contact.name);
  facts.compatible = decide(algebra, motion, ClaimKind::compatible, {});
  facts.holonomic = decide(algebra, motion, ClaimKind::holonomic, {});
  facts.determinism = describe_kind(motion);
  return facts;
}

}  // namespace liaison
