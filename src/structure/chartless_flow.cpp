#include "chartless_flow.hpp"

#include "rest_conditions.hpp"

namespace liaison {

StateFlow without_chart(const StateFlow& flow) {
  const Motion& motion = *flow.motion;
  StateFlow result = flow;
  result.coframe = motion.space.coframe;
  result.velocities = motion.space.parameters;
  result.field = motion.space.motion_field(motion.acceleration);
  result.inclusion = {};
  result.conditions = motion.conditions;
  return result;
}

std::vector<Expr> relations_of(Algebra& algebra, const Motion& motion, const Substitution& values) {
  std::vector<Expr> levels, speeds;
  const auto add = [&](std::vector<Expr>& list, Expr e) {
    const Expr cleared = without_quotients(algebra, values.empty() ? e : substitute(e, values));
    if (!cleared.is_zero()) list.push_back(cleared);
  };
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    if (!constraint.level.empty()) add(levels, constraint.level);
    add(speeds, constraint.relation);
  }
  levels.insert(levels.end(), speeds.begin(), speeds.end());
  return levels;
}

}  // namespace liaison
