#include "state_relations.hpp"

namespace liaison {

namespace {

/// v^i in (q, u, t): the velocities themselves unless the system chose other parameters.
Expr velocity_of(const System& system, std::size_t i) {
  return system.chart.parameters.empty() ? system.directions[i].velocity : system.chart.velocities[i];
}

}  // namespace

Expr length_relation(const Rotation& rotation) {
  Expr length = rotation.quaternion[0].pool().number(-1);
  for (Expr e : rotation.quaternion) length += e * e;
  return length;
}

std::string length_name(const Rotation& rotation) {
  return "length of the quaternion " + rotation.quaternion[0].symbol().name;
}

StateRelations relations_of(const AssembledEquations& equations) {
  StateRelations result;
  const System& system = *equations.system;
  for (std::size_t k = 0; k < equations.relation_count; ++k) {
    if (!equations.levels[k].empty()) {
      result.levels.push_back(equations.levels[k]);
      result.level_names.push_back(equations.names[k]);
    }
    result.velocity_relations.push_back(equations.relations[k]);
    result.velocity_names.push_back(equations.names[k]);
  }
  if (!system.intrinsic.parameters.empty()) {
    for (std::size_t i = 0; i < system.directions.size(); ++i) {
      result.velocity_relations.push_back(velocity_of(system, i) - system.intrinsic.velocities[i]);
      result.velocity_names.push_back("the intrinsic chart of " +
                                      system.directions[i].velocity.symbol().name);
    }
  }
  for (const Rotation& rotation : system.rotations) {
    result.levels.push_back(length_relation(rotation));
    result.level_names.push_back(length_name(rotation));
  }
  return result;
}

std::vector<Expr> velocity_symbols(const AssembledEquations& equations) {
  std::vector<Expr> result = equations.parameters;
  const auto& intrinsic = equations.system->intrinsic.parameters;
  result.insert(result.end(), intrinsic.begin(), intrinsic.end());
  return result;
}

void add_velocities(const System& system, DoublePoint& point) {
  if (system.chart.parameters.empty()) return;
  const DoubleValues values = evaluate(system.chart.velocities, point);
  if (values.status != EvaluationStatus::ok) return;
  for (std::size_t i = 0; i < system.directions.size(); ++i)
    point[system.directions[i].velocity] = values.values[i];
}

}  // namespace liaison
