#include "liaison/mechanics/initial_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "least_change.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "state_relations.hpp"

namespace liaison {

namespace {

/// The velocities v^i from the velocity parameters.
void add_velocities(const System& system, DoublePoint& point) {
  if (system.chart.parameters.empty()) return;
  const DoubleValues values = evaluate(system.chart.velocities, point);
  if (values.status != EvaluationStatus::ok) return;
  for (std::size_t i = 0; i < system.directions.size(); ++i)
    point[system.directions[i].velocity] = values.values[i];
}

class Completion {
 public:
  Completion(const AssembledEquations& equations, const StateRequest& request)
      : equations_(equations),
        system_(*equations.system),
        request_(request),
        relations_(relations_of(equations)) {}

  CompletedState run() {
    if (!take_parameters()) return result_;
    take_given();
    complete(relations_.levels, relations_.level_names, equations_.positions, false);
    complete(relations_.velocity_relations, relations_.velocity_names, velocity_symbols(equations_), true);
    add_velocities(system_, result_.values);
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
    if (system_.chart.parameters.empty()) return equations;
    const std::unordered_set<Expr> parameters(equations_.parameters.begin(), equations_.parameters.end());
    for (std::size_t i = 0; i < system_.directions.size(); ++i) {
      const Expr velocity = system_.directions[i].velocity;
      if (!parameters.contains(velocity) && given_.contains(velocity))
        equations.push_back(system_.chart.velocities[i] - velocity);
    }
    return equations;
  }

  void complete(std::vector<Expr> equations, std::vector<std::string> names, const std::vector<Expr>& symbols,
                bool velocities) {
    if (velocities) {
      for (Expr equation : given_velocities()) {
        equations.push_back(equation);
        names.emplace_back("the given velocities");
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

  /// The symmetric part of the mass matrix on the coordinates; a quaternion has the unit matrix.
  Eigen::SparseMatrix<double> metric(const DoublePoint& at, const std::vector<Expr>& symbols,
                                     bool velocities) const {
    const auto size = static_cast<Eigen::Index>(symbols.size());
    Eigen::SparseMatrix<double> result(size, size);
    result.setIdentity();
    std::vector<Expr> entries;
    for (const SparseEntry& entry : equations_.mass.entries) entries.push_back(entry.value);
    const DoubleValues mass = evaluate(entries, at);
    if (mass.status != EvaluationStatus::ok) return result;
    std::unordered_map<Expr, int> place;
    for (Expr symbol : symbols) place.emplace(symbol, static_cast<int>(place.size()));
    const auto place_of = [&](std::size_t i) {
      const Expr symbol = velocities ? equations_.parameters[i] : system_.directions[i].coordinate;
      const auto found = symbol.empty() ? place.end() : place.find(symbol);
      return found == place.end() ? -1 : found->second;
    };
    std::vector<Eigen::Triplet<double>> halves;
    std::vector<bool> has_mass(symbols.size());
    for (std::size_t i = 0; i < equations_.parameters.size(); ++i) {
      if (place_of(i) >= 0) has_mass[static_cast<std::size_t>(place_of(i))] = true;
    }
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const int i = place_of(equations_.mass.entries[k].row), j = place_of(equations_.mass.entries[k].column);
      if (i < 0 || j < 0) continue;
      halves.emplace_back(i, j, mass.values[k] / 2);
      halves.emplace_back(j, i, mass.values[k] / 2);
    }
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (!has_mass[i]) halves.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
    }
    result.setFromTriplets(halves.begin(), halves.end());
    return result;
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

  const AssembledEquations& equations_;
  const System& system_;
  const StateRequest& request_;
  StateRelations relations_;
  CompletedState result_;
  std::unordered_set<Expr> given_;
  DoublePoint nearest_;  ///< the best that the values that are free can do
};

}  // namespace

CompletedState complete_state(const AssembledEquations& equations, const StateRequest& request) {
  return Completion(equations, request).run();
}

CompletedState complete_state(const Motion& motion, const StateRequest& request) {
  return complete_state(assembled(motion), request);
}

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
