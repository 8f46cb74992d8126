#include <algorithm>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

bool is_ideal(const System& system) {
  return system.reactions.empty() &&
         std::all_of(system.constraints.begin(), system.constraints.end(), [](const Constraint& constraint) {
           return constraint.power_kind == PowerKind::ideal;
         });
}

}  // namespace

/// The states at which the text of a claim has a value too.
Region ClaimChecker::states_for(const Domain& text) {
  Region region = states_of(motion_);
  for (const Requirement& requirement : text) {
    if (const auto e = quantities_.in_motion_variables(requirement.e))
      add_requirement(region.domain, *e, requirement.bound);
  }
  return region;
}

/// On all states, every component, where the motion that is spoken of exists.
Verdict ClaimChecker::equality(Expr left, Expr right, const Domain& text) {
  const Region states = states_for(text);
  const auto l = quantities_.in_motion_variables(left);
  const auto r = l ? quantities_.in_motion_variables(right) : std::nullopt;
  if (l && r) {
    if (!quantities_.mentions_motion(*l) && !quantities_.mentions_motion(*r))
      return algebra_.are_equal(*l, *r, states);
    // whatever the accelerations and factors are: the power of an ideal constraint, say
    if (algebra_.follows(*l - *r, states)) return equality_of_every_motion(*l, *l, text);
  }
  Verdict verdict = equality_of_motion(left, right, states);
  const bool is_open = verdict.divided || verdict.grade == Grade::unknown || verdict.grade == Grade::empty;
  if (!is_open || !l || !r) return verdict;
  return equality_of_every_motion(*l, *r, text);
}

/// With the closed forms of accelerations and factors, where det r and what else they divide by does not
/// vanish.
Verdict ClaimChecker::equality_of_motion(Expr left, Expr right, const Region& states) {
  const auto a = quantities_.in_state_variables(left);
  const auto b = a ? quantities_.in_state_variables(right) : std::nullopt;
  if (!a || !b) return Verdict::of(Grade::unknown, quantities_.reason());
  Region region = states;
  region.assumed = motion_.conditions;
  Verdict verdict = algebra_.are_equal(*a, *b, region);
  if (verdict.is_refuted() && quantities_.mentions_factors(*a - *b))
    return Verdict::of(Grade::unknown, "the relations do not determine it: a factor in it is open");
  return verdict;
}

/// Accelerations and factors as unknowns beside the state: for every motion of every state.
Verdict ClaimChecker::equality_of_every_motion(Expr left, Expr right, const Domain& text) {
  Region region = motions_of(motion_);
  for (const Requirement& requirement : text) {
    if (const auto e = quantities_.in_motion_variables(requirement.e))
      add_requirement(region.domain, *e, requirement.bound);
  }
  Verdict verdict = algebra_.are_equal(left, right, region);
  if (verdict.grade == Grade::empty)
    verdict.reason = "no state has a motion: the constraints contradict each other or the forces";
  // Gauss: accelerations of ideal constraints are unique wherever there are any; nothing else is known to be.
  const bool is_unique = is_ideal(*motion_.space.system) && !quantities_.mentions_factors(left - right);
  if (verdict.is_refuted() && motion_.status != FactorStatus::not_solved && !is_unique) {
    Verdict open = Verdict::of(Grade::unknown, "the relations do not determine it at every state");
    return open;
  }
  return verdict;
}

/// Energy: d(T + V)/dt = (forces + reactions) . v. Where the rate is c_a u'^a + rest with c = v . mass, the
/// accelerations leave it by the equations of motion, v . (mass u' - load - sum lambda l) = 0 (row G2.III).
bool ClaimChecker::follows_from_power_balance(Expr rate) {
  const StateSpace& space = motion_.space;
  std::vector<Expr> accelerations;
  for (Expr parameter : space.parameters) accelerations.push_back(acceleration_symbol(parameter));
  const auto linear = linear_coefficients(rate, accelerations);
  if (!linear) return false;
  std::vector<Expr> powers{linear->rest};
  for (std::size_t i = 0; i < space.size(); ++i) powers.push_back(space.velocities[i] * motion_.free.load[i]);
  for (std::size_t a = 0; a < space.size(); ++a) {
    std::vector<Expr> momentum;
    for (std::size_t i = 0; i < space.size(); ++i)
      momentum.push_back(space.velocities[i] * motion_.free.mass(i, a));
    if (!algebra_.follows(linear->coefficients[a] - space.pool().add(momentum), {})) return false;
  }
  const Region states = states_of(motion_);
  for (const ConstraintField& constraint : motion_.constraints) {
    std::vector<Expr> power;
    for (std::size_t i = 0; i < space.size(); ++i)
      power.push_back(constraint.direction[i] * space.velocities[i]);
    const Expr reaction = space.pool().add(power);
    if (!algebra_.follows(reaction - constraint.relation, {}) && !algebra_.follows(reaction, states)) return false;
  }
  const Expr left = space.pool().add(powers);
  return algebra_.follows(left, {}) || algebra_.follows(left, states);
}

/// Its derivative vanishes on every motion; where it jumps (sign, atan2) that is not enough.
Verdict ClaimChecker::conserved(const Claim& claim) {
  const System& system = *motion_.space.system;
  Substitution energies;  // T and V first: their derivatives are asked for
  for (const Query& query : system.queries) {
    if (query.kind == QueryKind::kinetic) energies.emplace(query.symbol, system.kinetic);
    if (query.kind == QueryKind::potential) energies.emplace(query.symbol, system.potential);
  }
  const Expr kept = substitute(claim.conserved, energies);
  const Expr rate = time_derivative(system, kept), zero = algebra_.pool().number(0);
  const auto in_motion = quantities_.in_motion_variables(rate);
  if (in_motion && follows_from_power_balance(*in_motion))
    return equality_of_every_motion(zero, zero, claim.domain);
  return equality(rate, zero, claim.domain);
}

}  // namespace liaison
