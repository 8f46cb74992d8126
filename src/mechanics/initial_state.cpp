#include "liaison/mechanics/initial_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <unordered_set>

#include "least_change.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// The relations of a system on positions and on velocities, quaternions of length one included.
struct Relations {
  std::vector<Expr> levels, velocity_relations;
  std::vector<std::string> level_names, velocity_names;
};

Relations relations_of(const Motion& motion) {
  Relations result;
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    if (!constraint.level.empty()) {
      result.levels.push_back(constraint.level);
      result.level_names.push_back(constraint.name);
    }
    result.velocity_relations.push_back(constraint.relation);
    result.velocity_names.push_back(constraint.name);
  }
  const System& system = *motion.space.system;
  if (!system.intrinsic.parameters.empty()) {
    for (std::size_t i = 0; i < system.directions.size(); ++i) {
      result.velocity_relations.push_back(motion.space.velocities[i] - system.intrinsic.velocities[i]);
      result.velocity_names.push_back("the intrinsic chart of " +
                                      system.directions[i].velocity.symbol().name);
    }
  }
  for (const Rotation& rotation : motion.space.system->rotations) {
    Expr length = motion.space.pool().number(-1);
    for (Expr e : rotation.quaternion) length += e * e;
    result.levels.push_back(length);
    result.level_names.push_back("length of the quaternion " + rotation.quaternion[0].symbol().name);
  }
  return result;
}

std::vector<Expr> position_symbols(const Motion& motion) {
  std::vector<Expr> result;
  for (const ScalarCoordinate& coordinate : motion.space.coframe->scalar_coordinates()) {
    const bool is_velocity = std::find(motion.space.parameters.begin(), motion.space.parameters.end(),
                                       coordinate.symbol) != motion.space.parameters.end();
    if (!is_velocity && coordinate.symbol != motion.space.system->time) result.push_back(coordinate.symbol);
  }
  return result;
}

/// The velocity parameters u, and the parameters z of q' = psi(t, q, z) where the model gives that chart.
std::vector<Expr> velocity_symbols(const Motion& motion) {
  std::vector<Expr> result = motion.space.parameters;
  const auto& intrinsic = motion.space.system->intrinsic.parameters;
  result.insert(result.end(), intrinsic.begin(), intrinsic.end());
  return result;
}

/// The velocities v^i from the velocity parameters.
void add_velocities(const Motion& motion, DoublePoint& point) {
  const System& system = *motion.space.system;
  const DoubleValues values = evaluate(motion.space.velocities, point);
  if (values.status != EvaluationStatus::ok) return;
  for (std::size_t i = 0; i < system.directions.size(); ++i)
    point[system.directions[i].velocity] = values.values[i];
}

class Completion {
 public:
  Completion(const Motion& motion, const StateRequest& request)
      : motion_(motion), system_(*motion.space.system), request_(request), relations_(relations_of(motion)) {}

  CompletedState run() {
    if (!take_parameters()) return result_;
    take_given();
    complete(relations_.levels, relations_.level_names, position_symbols(motion_), false);
    complete(relations_.velocity_relations, relations_.velocity_names, velocity_symbols(motion_), true);
    add_velocities(motion_, result_.values);
    return result_;
  }

 private:
  bool take_parameters() {
    for (const auto& [symbol, value] : request_.parameters) result_.values[symbol] = value;
    for (const Parameter& parameter : system_.parameters) {
      if (parameter.value) result_.values.emplace(parameter.symbol, parameter.value->to_double());
      if (!result_.values.contains(parameter.symbol)) {
        result_.problems.push_back(
            {"", 0, fmt::format("the parameter `{}` has no value", parameter.symbol.symbol().name)});
      }
    }
    return result_.ok();
  }

  void take_given() {
    for (const auto& [symbol, value] : request_.given) set(symbol, value);
    if (request_.use_start) {
      for (const InitialValue& initial : system_.start) {
        if (!given_.contains(initial.symbol)) set(initial.symbol, evaluate(initial.value, result_.values));
      }
    }
    result_.values.emplace(system_.time, 0.0);
    for (const Rotation& rotation : system_.rotations) {  // a quaternion is given as a whole
      bool any = false;
      for (Expr e : rotation.quaternion) any = any || given_.contains(e);
      if (any) continue;
      for (std::size_t k = 0; k < 4; ++k) result_.values[rotation.quaternion[k]] = k == 0 ? 1 : 0;
      for (Expr e : rotation.quaternion) given_.insert(e);
    }
  }

  void set(Expr symbol, double value) {
    result_.values[symbol] = value;
    given_.insert(symbol);
  }

  /// Velocities that are given where the velocity parameters are others: v^i(q, u, t) = value.
  std::vector<Expr> given_velocities() const {
    std::vector<Expr> equations;
    for (std::size_t i = 0; i < system_.directions.size(); ++i) {
      const Expr velocity = system_.directions[i].velocity;
      const auto& parameters = motion_.space.parameters;
      const bool is_parameter = std::find(parameters.begin(), parameters.end(), velocity) != parameters.end();
      if (!is_parameter && given_.contains(velocity))
        equations.push_back(motion_.space.velocities[i] - velocity);
    }
    return equations;
  }

  void complete(std::vector<Expr> equations, std::vector<std::string> names, const std::vector<Expr>& symbols,
                bool velocities) {
    if (velocities) {
      for (Expr equation : given_velocities()) {
        equations.push_back(equation);
        names.push_back("the given velocities");
      }
    }
    std::vector<Expr> unknowns;
    for (Expr symbol : symbols) {
      if (given_.contains(symbol)) continue;
      unknowns.push_back(symbol);
      result_.values.emplace(symbol, 0.0);
    }
    if (equations.empty()) return;
    if (solve_from_several_starts(equations, unknowns)) return;
    if (request_.project && project(equations, symbols, velocities)) return;
    report(equations, names);
  }

  /// From zero first: what the constraints do not determine stays zero. Where the relations are singular
  /// there, from other starts.
  bool solve_from_several_starts(const std::vector<Expr>& equations, const std::vector<Expr>& unknowns) {
    const NumericEquations system(equations, unknowns);
    const DoublePoint start = result_.values;
    for (double shift : {0.0, 0.5, -0.5, 1.0, 0.1, 2.0}) {
      DoublePoint point = start;
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        point[unknowns[i]] = shift * (1 + 0.1 * static_cast<double>(i));
      }
      const LeastChange change = solve_least_change(system, point);
      if (!change.converged) {
        if (shift == 0 && change.failure.empty()) nearest_ = std::move(point);
        continue;
      }
      result_.values = std::move(point);
      return true;
    }
    return false;
  }

  bool project(const std::vector<Expr>& equations, const std::vector<Expr>& symbols, bool velocities) {
    const NumericEquations system(equations, symbols);
    DoublePoint point = result_.values;
    const auto mass = [&](const DoublePoint& at) { return metric(at, symbols, velocities); };
    const LeastChange change = solve_least_change(system, point, mass);
    if (!change.converged) return false;
    for (Expr symbol : symbols) {
      const double moved = point.at(symbol) - result_.values.at(symbol);
      if (std::abs(moved) > 1e-14) result_.moved.emplace_back(symbol, moved);
    }
    result_.values = std::move(point);
    return true;
  }

  /// The mass matrix on the coordinates; a quaternion has the unit matrix.
  Eigen::MatrixXd metric(const DoublePoint& at, const std::vector<Expr>& symbols, bool velocities) const {
    const auto size = static_cast<Eigen::Index>(symbols.size());
    Eigen::MatrixXd result = Eigen::MatrixXd::Identity(size, size);
    const DoubleValues mass = evaluate(motion_.free.mass.entries, at);
    if (mass.status != EvaluationStatus::ok) return result;
    const std::size_t n = motion_.space.size();
    const auto place = [&](std::size_t i) -> std::ptrdiff_t {
      const Expr symbol = velocities ? motion_.space.parameters[i] : system_.directions[i].coordinate;
      const auto found = std::find(symbols.begin(), symbols.end(), symbol);
      return found == symbols.end() ? -1 : found - symbols.begin();
    };
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (place(i) >= 0 && place(j) >= 0) result(place(i), place(j)) = mass.values[i * n + j];
      }
    }
    return (result + result.transpose()) / 2;
  }

  void report(const std::vector<Expr>& equations, const std::vector<std::string>& names) {
    const DoubleValues values = evaluate(equations, nearest_.empty() ? result_.values : nearest_);
    if (values.status != EvaluationStatus::ok) {
      result_.problems.push_back({"", 0, "the constraints have no value at this state: " + values.reason()});
      return;
    }
    for (std::size_t k = 0; k < equations.size(); ++k) {
      const double residual = values.values[k];
      if (std::abs(residual) < 1e-9) continue;
      result_.problems.push_back({names[k], residual,
                                  fmt::format("the state is not on `{}`: {} = {:.6g}, not 0", names[k],
                                              to_infix(equations[k]), residual)});
    }
    if (result_.ok())
      result_.problems.push_back({"", 0, "no values of the rest satisfy all constraints at once"});
  }

  const Motion& motion_;
  const System& system_;
  const StateRequest& request_;
  Relations relations_;
  CompletedState result_;
  std::unordered_set<Expr> given_;
  DoublePoint nearest_;  ///< the best that the values that are free can do
};

}  // namespace

CompletedState complete_state(const Motion& motion, const StateRequest& request) {
  return Completion(motion, request).run();
}

std::optional<DoublePoint> random_state(const Motion& motion, unsigned seed, bool random_parameters) {
  const System& system = *motion.space.system;
  const Relations relations = relations_of(motion);
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
    for (Expr symbol : position_symbols(motion)) point[symbol] = draw(-1, 1);
    for (Expr symbol : velocity_symbols(motion)) point[symbol] = draw(-1, 1);
    const NumericEquations levels(relations.levels, position_symbols(motion));
    const NumericEquations velocities(relations.velocity_relations, velocity_symbols(motion));
    if (!solve_least_change(levels, point).converged || !solve_least_change(velocities, point).converged)
      continue;
    add_velocities(motion, point);
    return point;
  }
  return std::nullopt;
}

}  // namespace liaison
