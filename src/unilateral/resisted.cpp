#include "resisted.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

Constraint with_resistance(const System& system, const Constraint& held,
                           std::span<const ResistedSlip> slips) {
  if (slips.empty()) return held;
  Constraint result = held;
  Expr power = held.power;
  if (held.power_kind == PowerKind::ideal)
    power = held.holonomic ? time_derivative(system, held.relation) : held.relation;
  if (!system.chart.parameters.empty()) {
    Substitution at_rest;
    for (const Direction& direction : system.directions)
      at_rest.emplace(direction.velocity, system.pool->number(0));
    // one by one: coefficients may depend on velocities too
    result.power = power - substitute(power, at_rest);
    for (const ResistedSlip& slip : slips)
      result.power -= slip.coefficient * (slip.velocity - substitute(slip.velocity, at_rest));
    result.power_kind = PowerKind::given;
    return result;
  }
  std::vector<Expr> velocities;
  for (const Direction& direction : system.directions) velocities.push_back(direction.velocity);
  std::vector<Expr> direction = held.direction;
  if (held.power_kind == PowerKind::ideal) {
    direction = gradient(power, velocities);
  } else if (held.power_kind != PowerKind::along) {
    const auto components = power_gradient(power, velocities);
    if (!components)
      throw Error(ErrorCode::wrong_degree,
                  "the power of `" + held.name + "` is not of degree one in the velocities");
    direction = *components;
  }
  for (const ResistedSlip& slip : slips) {
    const std::vector<Expr> along = gradient(slip.velocity, velocities);
    for (std::size_t a = 0; a < velocities.size(); ++a)
      direction[a] = direction[a] - slip.coefficient * along[a];
  }
  std::vector<Expr> powers;
  for (std::size_t a = 0; a < velocities.size(); ++a) powers.push_back(direction[a] * velocities[a]);
  result.power_kind = PowerKind::along;
  result.power = system.pool->add(powers);
  result.direction = std::move(direction);
  return result;
}

}  // namespace liaison
