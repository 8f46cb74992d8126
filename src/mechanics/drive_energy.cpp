#include "liaison/mechanics/drive_energy.hpp"

#include <algorithm>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/domain.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

std::vector<Expr> state_of(const System& system) {
  std::vector<Expr> result;
  for (const Direction& direction : system.directions) {
    result.push_back(direction.velocity);
    if (!direction.coordinate.empty()) result.push_back(direction.coordinate);
  }
  for (const Rotation& rotation : system.rotations)
    result.insert(result.end(), rotation.quaternion.begin(), rotation.quaternion.end());
  return result;
}

/// On a coordinate or velocity that no relation ties to the time.
bool depends_certainly(Algebra& algebra, const Motion& motion, const Manifold& manifold, Expr e) {
  if (!manifold.solved() || manifold.branches.size() != 1 || motion.grade != Grade::proved) return false;
  const std::vector<Expr> state = state_of(*motion.space.system);
  return std::any_of(state.begin(), state.end(), [&](Expr symbol) {
    return !manifold.branches[0].contains(symbol) && depends_on(e, symbol) &&
           algebra.is_zero(derivative(e, symbol)).is_refuted();
  });
}

/// P with dP/dt = rate, where it has a value at all times: parameters alone may take it away.
Expr potential_of(Algebra& algebra, const Motion& motion, Expr rate) {
  if (rate.is_zero()) return rate;
  IndexSet time;
  time.set(motion.space.time_form());
  const Form power(motion.space.coframe, 1, {{time, rate}});
  const Exactness found = find_primitive(algebra, power);
  if (!found.primitive || found.multivalued || found.primitive->terms().size() != 1) return {};
  const Expr value = algebra.readable(found.primitive->terms().front().second);
  const Expr one[] = {value};
  for (const auto& [e, bound] : natural_domain(one))
    if (depends_on(e, motion.space.system->time)) return {};
  return algebra.is_zero(derivative(value, motion.space.system->time) - rate).is_proved() ? value : Expr();
}

}  // namespace

bool jumps_in_time(Expr potential, Expr time) {
  if (potential.empty()) return false;
  const std::vector<Expr> nodes = postorder(potential);
  return std::any_of(nodes.begin(), nodes.end(), [&](Expr node) {
    return node.is(Op::sign) && !node.is_constant() && depends_on(node, time);
  });
}

Expr along_motion(Algebra& algebra, const Motion& motion, const Manifold& manifold, Expr e) {
  const System& system = *motion.space.system;
  if (!motion.closed_form || motion.acceleration.empty() || !system.chart.parameters.empty()) return {};
  Substitution factors, accelerations;
  for (std::size_t h = 0; h < motion.factors.size() && h < motion.constraints.size(); ++h)
    factors.emplace(motion.constraints[h].factor, motion.factors[h]);
  for (std::size_t i = 0; i < system.directions.size(); ++i)
    accelerations.emplace(acceleration_symbol(system.directions[i].velocity), motion.acceleration[i]);
  e = substitute(substitute(e, factors), accelerations);
  if (manifold.branches.size() == 1) e = substitute(e, manifold.branches[0]);
  for (Expr symbol : symbols_in(std::vector<Expr>{e}))
    if (symbol.symbol().kind == SymbolKind::multiplier) return {};
  return algebra.readable(e);
}

DriveEnergy drive_energy(Algebra& algebra, const Motion& motion, const Manifold& manifold,
                         const AskedDrives& asked) {
  DriveEnergy result;
  const System& system = *motion.space.system;
  const Expr change =
      along_motion(algebra, motion, manifold, time_derivative(system, system.kinetic + system.potential));
  std::vector<Expr> counted;
  bool known = !change.empty();
  result.of_time = true;
  const std::vector<Expr> state = state_of(system);
  for (const AskedDrive& drive : asked.drives) {
    const Expr power = along_motion(algebra, motion, manifold, drive.power);
    if (power.empty()) {
      known = result.of_time = false;
      continue;
    }
    const bool of_time =
        std::none_of(state.begin(), state.end(), [&](Expr symbol) { return depends_on(power, symbol); });
    result.of_time = result.of_time && of_time;
    if (!of_time && depends_certainly(algebra, motion, manifold, power))
      result.of_state.push_back(drive.name);
    if (drive.is_counted) counted.push_back(power);
  }
  result.of_time = result.of_time && motion.grade == Grade::proved;
  if (!known || !asked.has_law) {
    result.law.reason = "the powers are not known in closed form";
    return result;
  }
  if (jumps_in_time(system.potential, system.time)) {
    result.law.reason = "V may jump where a sign of the time changes, and no power has the work of that";
    return result;
  }
  const Expr sum = system.pool->add(counted);
  result.law = algebra.is_zero(change - sum).is_proved() ? Verdict::of(Grade::proved)
                                                         : are_equal_on(algebra, motion, change, sum);
  if (motion.grade != Grade::proved && result.law.is_proved()) result.law.grade = Grade::checked;
  if (!result.law.is_proved() || !result.of_time) return result;
  result.rate = algebra.readable(-sum);
  result.potential = potential_of(algebra, motion, result.rate);
  return result;
}

}  // namespace liaison
