#include "liaison/structure/state_flow.hpp"

#include <algorithm>

#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/constraint_space.hpp"

namespace liaison {

namespace {

StateFlowResult refused(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

/// Accelerations of a list of velocity parameters, on the admissible states.
std::vector<Expr> rates_of(Algebra& algebra, const Motion& motion, const std::vector<Expr>& parameters,
                           const Substitution& inclusion) {
  std::vector<Expr> rates;
  for (Expr parameter : parameters) {
    const auto& all = motion.space.parameters;
    const std::size_t a =
        static_cast<std::size_t>(std::find(all.begin(), all.end(), parameter) - all.begin());
    rates.push_back(algebra.readable(substitute(motion.acceleration[a], inclusion)));
  }
  return rates;
}

}  // namespace

std::vector<Expr> StateFlow::state() const {
  std::vector<Expr> result = positions;
  for (const auto& quaternion : quaternions)
    result.insert(result.end(), quaternion.begin(), quaternion.end());
  result.insert(result.end(), velocities.begin(), velocities.end());
  result.push_back(time);
  return result;
}

Region StateFlow::unit_quaternions() const {
  Region region;
  for (const auto& e : quaternions)
    region.equations.push_back(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + Rational(-1));
  return region;
}

bool StateFlow::is_autonomous(Algebra& algebra) const {
  return std::none_of(field.components().begin(), field.components().end(), [&](Expr component) {
    return depends_on(component, time) && depends_on(algebra.canonical(component).value, time);
  });
}

StateFlowResult derive_open_flow(const Motion& motion, const Standing& standing) {
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  if (motion.relation_count > 0 || !system.constraints.empty() || !system.reactions.empty())
    return refused("there are constraints");
  std::vector<Expr> accelerations;
  for (std::size_t k = 0; k < space.parameters.size(); ++k)
    accelerations.push_back(space.pool().symbol("#rate" + std::to_string(k), SymbolKind::auxiliary));
  StateFlow flow{.motion = &motion,
                 .coframe = space.coframe,
                 .field = space.motion_field(accelerations),
                 .positions = {},
                 .velocities = space.parameters,
                 .quaternions = {},
                 .time = system.time,
                 .inclusion = {},
                 .conditions = motion.conditions,
                 .standing = standing,
                 .has_levels = standing.has_levels,
                 .has_accelerations = false};
  for (const Direction& direction : system.directions) {
    if (!direction.coordinate.empty()) flow.positions.push_back(direction.coordinate);
  }
  for (const Rotation& rotation : system.rotations) flow.quaternions.push_back(rotation.quaternion);
  return {std::move(flow), {}};
}

StateFlowResult derive_state_flow(Algebra& algebra, const Motion& motion) {
  return derive_state_flow(algebra, motion, standing_of(algebra, motion));
}

StateFlowResult derive_state_flow(Algebra& algebra, const Motion& motion, const Standing& standing) {
  const System& system = *motion.space.system;
  if (!standing.has_states()) return refused("there is no state");
  if (motion.status == FactorStatus::implicit)
    return refused("the reactions enter the forces that they cause (friction): there is no closed form");
  if (motion.status == FactorStatus::incompatible) return refused("no factors keep the relations");
  if (motion.acceleration.empty())
    return refused(motion.open_reason.empty() ? "the accelerations have no closed form" : motion.open_reason);
  for (Expr acceleration : motion.acceleration) {
    for (Expr symbol : symbols_in(acceleration)) {
      if (symbol.symbol().kind == SymbolKind::multiplier)
        return refused("the accelerations depend on factors that no relation determines");
    }
  }
  StateFlow flow{.motion = &motion,
                 .coframe = motion.space.coframe,
                 .field = VectorField(motion.space.coframe),
                 .positions = {},
                 .velocities = motion.space.parameters,
                 .quaternions = {},
                 .time = system.time,
                 .inclusion = {},
                 .conditions = motion.conditions,
                 .standing = standing,
                 .has_levels = standing.has_levels};
  for (const Direction& direction : system.directions) {
    if (!direction.coordinate.empty()) flow.positions.push_back(direction.coordinate);
  }
  for (const Rotation& rotation : system.rotations) flow.quaternions.push_back(rotation.quaternion);
  if (motion.relation_count == 0) {
    flow.field = motion.space.motion_field(motion.acceleration);
    return {std::move(flow), {}};
  }
  ConstraintSpaceResult solved = solve_constraint_space(algebra, motion);
  if (!solved.space) return refused(solved.reason);
  if (solved.space->chart == ConstraintChart::implicit)
    return refused("a relation is not linear in the velocities: its roots are not taken");
  ConstraintSpace& space = *solved.space;
  flow.coframe = space.coframe;
  flow.velocities = space.fibre;
  flow.inclusion = space.inclusion;
  flow.conditions.insert(flow.conditions.end(), space.conditions.begin(), space.conditions.end());
  flow.field = space.flow(rates_of(algebra, motion, space.fibre, space.inclusion));
  return {std::move(flow), {}};
}

}  // namespace liaison
