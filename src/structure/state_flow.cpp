#include "liaison/structure/state_flow.hpp"

#include <algorithm>

#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/constraint_space.hpp"
#include "liaison/structure/kinematic_flow.hpp"

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

std::vector<Expr> symbols_for_rates(Pool& pool, std::size_t count) {
  std::vector<Expr> rates;
  for (std::size_t k = 0; k < count; ++k)
    rates.push_back(pool.symbol("#rate" + std::to_string(k), SymbolKind::auxiliary));
  return rates;
}

/// On V, where there are no relations; the field is another's.
StateFlow flow_on_velocities(const Motion& motion, const Standing& standing) {
  const System& system = *motion.space.system;
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
  return flow;
}

/// On the admissible states; `rates` gives those of the free velocities.
template <class Rates>
StateFlowResult flow_by(Algebra& algebra, const Motion& motion, const Standing& standing,
                        const Rates& rates) {
  StateFlow flow = flow_on_velocities(motion, standing);
  if (motion.relation_count == 0) {
    flow.field = motion.space.motion_field(rates(flow.velocities, flow.inclusion));
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
  flow.field = space.flow(rates(space.fibre, space.inclusion));
  return {std::move(flow), {}};
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
  const System& system = *motion.space.system;
  if (motion.relation_count > 0 || !system.constraints.empty() || !system.reactions.empty())
    return refused("there are constraints");
  StateFlow flow = flow_on_velocities(motion, standing);
  flow.field = motion.space.motion_field(symbols_for_rates(motion.space.pool(), flow.velocities.size()));
  flow.has_accelerations = false;
  return {std::move(flow), {}};
}

StateFlowResult derive_kinematic_flow(Algebra& algebra, const Motion& motion, const Standing& standing) {
  if (!standing.has_states()) return refused("there is no state");
  StateFlowResult result =
      flow_by(algebra, motion, standing, [&](const std::vector<Expr>& free, const Substitution&) {
        return symbols_for_rates(motion.space.pool(), free.size());
      });
  if (result.flow) result.flow->has_accelerations = false;
  return result;
}

StateFlowResult derive_state_flow(Algebra& algebra, const Motion& motion) {
  return derive_state_flow(algebra, motion, standing_of(algebra, motion));
}

StateFlowResult derive_state_flow(Algebra& algebra, const Motion& motion, const Standing& standing) {
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
  return flow_by(
      algebra, motion, standing, [&](const std::vector<Expr>& free, const Substitution& inclusion) {
        return motion.relation_count == 0 ? motion.acceleration : rates_of(algebra, motion, free, inclusion);
      });
}

}  // namespace liaison
