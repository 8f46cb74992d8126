#include "lost_places.hpp"

#include <algorithm>

#include "liaison/algebra/pieces.hpp"
#include "liaison/mechanics/states.hpp"
#include "state_relations.hpp"

namespace liaison {

namespace {

/// The relations as they are written: levels without their derivatives.
Region written_states(const Motion& motion) {
  const System& system = *motion.space.system;
  Region region;
  region.domain = system.domain;
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    region.equations.push_back(constraint.level.empty() ? constraint.relation : constraint.level);
  }
  for (const Rotation& rotation : system.rotations) region.equations.push_back(length_relation(rotation));
  return region;
}

bool is_empty_on(Algebra& algebra, Region region, std::initializer_list<Expr> zeros) {
  region.equations.insert(region.equations.end(), zeros.begin(), zeros.end());
  return algebra.follows(algebra.pool().number(1), region);
}

}  // namespace

Domain lost_to_derivatives(const Motion& motion, bool of_motions) {
  Domain lost;
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    const bool is_level = !constraint.level.empty();
    if (!is_level && !of_motions) continue;
    const Expr written = is_level ? constraint.level : constraint.relation;
    std::vector<Expr> derived;
    if (is_level) derived.push_back(constraint.relation);
    if (of_motions) {
      derived.insert(derived.end(), constraint.gradient.begin(), constraint.gradient.end());
      derived.push_back(constraint.bias);
    }
    const Domain known = natural_domain(std::span(&written, 1));
    for (const Requirement& requirement : natural_domain(derived)) {
      const bool is_known = std::any_of(known.begin(), known.end(), [&](const Requirement& one) {
        return one.e == requirement.e && one.bound != Bound::nonnegative;
      });
      if (!is_known) add_requirement(lost, requirement.e, Bound::nonzero);
    }
    for (const Expr corner : piece_arguments(std::span(&written, 1)).kinks)
      add_requirement(lost, corner, Bound::nonzero);
  }
  return lost;
}

std::vector<Expr> lost_states(Algebra& algebra, const Motion& motion, bool of_motions) {
  std::vector<Expr> result;
  for (const Requirement& requirement : lost_to_derivatives(motion, of_motions)) {
    if (!is_empty_on(algebra, written_states(motion), {requirement.e})) result.push_back(requirement.e);
  }
  return result;
}

bool may_have_states_on(Algebra& algebra, const Motion& motion, Expr e) {
  if (!is_empty_on(algebra, states_of(motion), {e})) return true;
  const Domain lost = lost_to_derivatives(motion, true);
  return std::any_of(lost.begin(), lost.end(), [&](const Requirement& requirement) {
    return !is_empty_on(algebra, written_states(motion), {e, requirement.e});
  });
}

}  // namespace liaison
