#include "state_relations.hpp"

#include <algorithm>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/rounding.hpp"

namespace liaison {

namespace {

bool is_of_time_alone(const System& system, Expr e) {
  if (!depends_on(e, system.time)) return false;
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    if (symbol == system.time) return true;
    return std::any_of(system.parameters.begin(), system.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.symbol == symbol; });
  });
}

/// 1, -1: the sign of e just after the time at which it vanishes; 0: it does not vanish to rounding, or its
/// derivatives do not tell.
int sign_after(const System& system, const DoublePoint& at, Expr e) {
  constexpr int most_orders = 8;
  if (!is_zero_to_rounding(e, at)) return 0;
  for (int order = 1; order <= most_orders; ++order) {
    e = derivative(e, system.time);
    const DoubleValues found = evaluate(std::span(&e, 1), at);
    if (found.status != EvaluationStatus::ok) return 0;
    if (!is_zero_to_rounding(e, at)) return found.values[0] > 0 ? 1 : -1;
  }
  return 0;
}

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

void take_side_after(const System& system, const DoublePoint& at, std::vector<Expr>& velocity_relations) {
  const PieceArguments pieces = piece_arguments(velocity_relations);
  for (const std::vector<Expr>* arguments : {&pieces.jumps, &pieces.kinks}) {
    for (Expr argument : *arguments) {
      if (!is_of_time_alone(system, argument)) continue;
      const int side = sign_after(system, at, argument);
      if (side != 0) velocity_relations = on_side(velocity_relations, argument, side);
    }
  }
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
