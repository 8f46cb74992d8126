#include "kept_beside.hpp"

#include <algorithm>
#include <cmath>

#include "mechanics/least_change.hpp"

namespace liaison {

bool can_be_kept_on(const System& system, const std::vector<Constraint>& kept,
                    const ContactStateValues& state, const std::vector<Rational>& accelerations) {
  if (!system.rotations.empty() || !system.chart.parameters.empty()) return true;
  std::vector<Expr> levels, unknowns;
  for (const auto* list : {&system.constraints, &kept})
    for (const Constraint& constraint : *list)
      if (constraint.holonomic) levels.push_back(constraint.relation);
  DoublePoint now;
  for (const auto& [symbol, value] : state.values) now.emplace(symbol, evaluate(value, {}));
  for (const Direction& direction : system.directions) unknowns.push_back(direction.coordinate);
  const NumericEquations equations(levels, unknowns);
  double speed = 0, size = 0, moved[2] = {0, 0};
  for (const Direction& direction : system.directions) {
    speed = std::max(speed, std::abs(now.at(direction.velocity)));
    size = std::max(size, std::abs(now.at(direction.coordinate)));
  }
  constexpr double moments[] = {1e-2, 1e-3};
  for (std::size_t k = 0; k < 2; ++k) {
    DoublePoint then = now;
    then[system.time] += moments[k];
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      then[unknowns[i]] += moments[k] * now.at(system.directions[i].velocity) +
                           moments[k] * moments[k] * accelerations[i].to_double() / 2;
    const DoublePoint led = then;
    if (!solve_least_change(equations, then).converged) return false;
    for (Expr unknown : unknowns) moved[k] = std::max(moved[k], std::abs(then.at(unknown) - led.at(unknown)));
  }
  // what is left out falls with the third power of the time; a velocity that cannot go on does not
  const bool falls = moved[1] < moved[0] / 30;
  return falls || moved[1] <= 0.1 * moments[1] * speed || moved[1] <= 1e-12 * size;
}

}  // namespace liaison
