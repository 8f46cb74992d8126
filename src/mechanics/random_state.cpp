#include <random>

#include "least_change.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "state_relations.hpp"

namespace liaison {

std::optional<DoublePoint> random_state(const AssembledEquations& equations, unsigned seed,
                                        bool random_parameters) {
  const System& system = *equations.system;
  const StateRelations relations = relations_of(equations);
  const std::vector<Expr> velocities = velocity_symbols(equations);
  const NumericEquations on_positions(relations.levels, equations.positions);
  const NumericEquations on_velocities(relations.velocity_relations, velocities);
  std::mt19937_64 random(seed);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int attempt = 0; attempt < 20; ++attempt) {
    DoublePoint point;
    for (const Parameter& parameter : system.parameters) {
      const double value = parameter.symbol.symbol().positive ? draw(0.3, 2) : draw(0.3, 1.5);
      const bool keep = parameter.value && !random_parameters;
      point[parameter.symbol] = keep ? parameter.value->to_double() : value;
    }
    point[system.time] = draw(0.2, 1);
    for (Expr symbol : equations.positions) point[symbol] = draw(-1, 1);
    for (Expr symbol : velocities) point[symbol] = draw(-1, 1);
    if (!solve_least_change(on_positions, point).converged ||
        !solve_least_change(on_velocities, point).converged)
      continue;
    add_velocities(system, point);
    return point;
  }
  return std::nullopt;
}

std::optional<DoublePoint> random_state(const Motion& motion, unsigned seed, bool random_parameters) {
  return random_state(assembled(motion), seed, random_parameters);
}

}  // namespace liaison
