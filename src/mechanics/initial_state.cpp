#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanics/term_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "least_change.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "state_choices.hpp"
#include "state_relations.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_lone_starts = 30;  ///< unknowns for which each is tried alone
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double small_value = 1e-6;  ///< what Newton's method leaves of a zero at a double root

/// A solution that was found, where there may be others.
struct Choice {
  NumericEquations system;
  std::vector<std::string> names;
  DoublePoint solution;
  bool velocities;
};

/// Relations at one level, and the symbols that they determine.
struct Stage {
  std::vector<Expr> equations;
  std::vector<std::string> names;
  std::vector<Expr> symbols;
  bool velocities;
};

double largest_of(const std::vector<double>& values) {
  double result = 0;
  for (double value : values) result = std::max(result, std::abs(value));
  return result;
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
    if (request_.begins) take_side_after(system_, result_.values, relations_.velocity_relations);
    complete(place_stage());
    complete(velocity_stage());
    name_choices();
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
    for (const auto& [symbol, value] : request_.given) {
      result_.values[symbol] = value;
      given_.insert(symbol);
      reached_.insert(symbol);
    }
    if (request_.use_start) {
      for (const InitialValue& initial : system_.start) {
        if (given_.contains(initial.symbol)) continue;
        result_.values[initial.symbol] = evaluate(initial.value, result_.values);
        started_.insert(initial.symbol);
      }
    }
    result_.values.emplace(system_.time, 0.0);
    for (const Rotation& rotation : system_.rotations) complete_quaternion(rotation);
  }

  /// Its scalar part makes up for the length, or its first part that is not given; the rest is zero.
  void complete_quaternion(const Rotation& rotation) {
    Expr filled;
    double rest = 1;
    bool any = false;
    for (Expr e : rotation.quaternion) {
      if (given_.contains(e) || started_.contains(e)) {
        rest -= result_.values.at(e) * result_.values.at(e);
        any = true;
        continue;
      }
      preset_.insert(e);
      result_.values[e] = 0;
      if (filled.empty()) filled = e;
    }
    if (filled.empty()) return;
    constexpr double rounding =
        16 * std::numeric_limits<double>::epsilon();  // of a sum of squares that is one
    result_.values[filled] = rest > rounding ? std::sqrt(rest) : 0;
    if (any) filled_.emplace_back(&rotation, filled);
  }

  /// Velocities that are given where the velocity parameters are others: v^i(q, u, t) = value.
  std::vector<Expr> given_velocities() const {
    std::vector<Expr> equations;
    if (system_.chart.parameters.empty()) return equations;
    const std::unordered_set<Expr> parameters(equations_.parameters.begin(), equations_.parameters.end());
    for (std::size_t i = 0; i < system_.directions.size(); ++i) {
      const Expr velocity = system_.directions[i].velocity;
      if (!parameters.contains(velocity) && (given_.contains(velocity) || started_.contains(velocity)))
        equations.push_back(system_.chart.velocities[i] - velocity);
    }
    return equations;
  }

  Stage place_stage() const {
    return {relations_.levels, relations_.level_names, equations_.positions, false};
  }

  Stage velocity_stage() const {
    const std::string given = "the given velocities";
    Stage stage{relations_.velocity_relations, relations_.velocity_names, velocity_symbols(equations_), true};
    for (Expr equation : given_velocities()) stage.equations.push_back(equation);
    stage.names.resize(stage.equations.size(), given);
    return stage;
  }

  void complete(Stage stage) {
    for (Expr symbol : stage.symbols) result_.values.emplace(symbol, 0.0);
    if (stage.equations.empty() || solve(stage)) return;
    if (request_.project && project(stage)) return;
    while (release_start(stage)) {
      if (stage.velocities) stage = velocity_stage();
      if (solve(stage)) return;
    }
    if (stage.velocities && solve_at_other_places(stage)) return;
    report(stage);
  }

  /// Neither given nor of the start, and parts of the stage.
  std::vector<Expr> unknowns_of(const Stage& stage) const {
    std::vector<Expr> unknowns;
    for (Expr symbol : stage.symbols) {
      if (!given_.contains(symbol) && !started_.contains(symbol)) unknowns.push_back(symbol);
    }
    return unknowns;
  }

  /// Where given velocities have no place among the values found: other solutions of the levels, on another
  /// component, then places that the relations between velocities determine, as `x' = y` does with x' given.
  bool solve_at_other_places(const Stage& velocities) {
    const Stage places = place_stage();
    std::vector<Expr> unknowns = unknowns_of(places);
    const auto mentions_place = [&](Expr equation) {
      return std::any_of(unknowns.begin(), unknowns.end(),
                         [&](Expr unknown) { return depends_on(equation, unknown); });
    };
    if (!result_.ok() ||
        std::none_of(velocities.equations.begin(), velocities.equations.end(), mentions_place))
      return false;
    const DoublePoint before = result_.values, nearest = nearest_;
    const std::vector<Choice> choices = choices_;
    const IsAllowed is_allowed = [&](const DoublePoint& place) {
      result_.values = place;
      return solve(velocities);
    };
    const NumericEquations levels(places.equations, unknowns);
    for (const DoublePoint& place : other_solutions(levels, before, is_allowed)) {
      choices_ = choices;
      for (Choice& choice : choices_) choice.solution = place;
      if (is_allowed(place)) return true;
    }
    result_.values = before;
    choices_.clear();
    std::vector<Expr> equations = places.equations;
    equations.insert(equations.end(), velocities.equations.begin(), velocities.equations.end());
    std::vector<std::string> names = places.names;
    names.insert(names.end(), velocities.names.begin(), velocities.names.end());
    for (Expr symbol : unknowns_of(velocities)) unknowns.push_back(symbol);
    if (unknowns.size() <= most_lone_starts && solve_for({equations, names, {}, false}, unknowns)) {
      result_.together = true;
      return true;
    }
    result_.values = before;
    nearest_ = nearest;
    return false;
  }

  /// With quaternions as they were completed, then with these free as well.
  bool solve(const Stage& stage) {
    std::vector<Expr> unknowns, all;
    for (Expr symbol : stage.symbols) {
      if (given_.contains(symbol) || started_.contains(symbol)) continue;
      all.push_back(symbol);
      if (!preset_.contains(symbol)) unknowns.push_back(symbol);
    }
    if (solve_for(stage, unknowns)) {
      is_filled_ = is_filled_ || !stage.velocities;
      return true;
    }
    return all.size() > unknowns.size() && solve_for(stage, all);
  }

  bool solve_for(const Stage& stage, const std::vector<Expr>& unknowns) {
    const DoubleValues values = evaluate(stage.equations, result_.values);
    if (values.status == EvaluationStatus::ok && largest_of(values.values) == 0) {
      if (request_.name_choices && !unknowns.empty())  // zeros may be one solution of several
        choices_.push_back(
            {NumericEquations(stage.equations, unknowns), stage.names, result_.values, stage.velocities});
      return true;
    }
    if (unknowns.empty() && values.status == EvaluationStatus::ok && hold_to_rounding(stage, values.values))
      return true;
    const NumericEquations system(stage.equations, unknowns);
    if (!solve_from_several_starts(system)) return false;
    if (request_.name_choices) choices_.push_back({system, stage.names, result_.values, stage.velocities});
    return true;
  }

  /// Places on another component are possible where the given velocities are so there.
  void name_choices() {
    if (!request_.name_choices || !result_.ok()) return;
    const Stage stage = velocity_stage();
    const NumericEquations velocities(stage.equations, unknowns_of(stage));
    const IsAllowed is_allowed = [&](DoublePoint place) {
      place.insert(result_.values.begin(), result_.values.end());  // velocities
      return stage.equations.empty() || solve_least_change(velocities, place).converged;
    };
    for (const Choice& choice : choices_) {
      const bool decides_velocities = choice.velocities || result_.together;
      add_choices(choices_among(choice.system, choice.names, choice.solution,
                                decides_velocities ? IsAllowed() : is_allowed, &result_.others));
    }
    name_filled_quaternions();
  }

  /// As near to zero as the terms that cancel allow in doubles, however large a relation is written.
  bool hold_to_rounding(const Stage& stage, const std::vector<double>& residuals) const {
    constexpr double rounding = 1e-14;
    for (std::size_t k = 0; k < residuals.size(); ++k) {
      const Expr size = size_of_terms(stage.equations[k]);
      const DoubleValues found = evaluate(std::span(&size, 1), result_.values);
      if (found.status != EvaluationStatus::ok || !(std::abs(residuals[k]) <= rounding * found.values[0]))
        return false;
    }
    return true;
  }

  void name_filled_quaternions() {
    if (!is_filled_) return;
    for (const auto& [rotation, filled] : filled_) {
      const NumericEquations length({length_relation(*rotation)}, {filled});
      add_choices(
          choices_among(length, {length_name(*rotation)}, result_.values, IsAllowed(), &result_.others));
    }
  }

  void add_choices(const std::vector<std::string>& lines) {
    result_.choices.insert(result_.choices.end(), lines.begin(), lines.end());
  }

  /// From the start of the model and zero: what the constraints do not determine stays so. Where the
  /// relations are singular there, with one of the unknowns moved, then with all of them.
  bool solve_from_several_starts(const NumericEquations& system) {
    const std::vector<Expr>& unknowns = system.unknowns();
    const DoublePoint start = result_.values;
    if (try_from(system, start, true)) return true;
    if (unknowns.size() <= most_lone_starts) {
      for (Expr unknown : unknowns) {
        DoublePoint point = start;
        point[unknown] += 1;
        if (try_from(system, std::move(point), false)) return true;
      }
    }
    for (double shift : {0.5, -0.5, 1.0, 0.1, 2.0}) {
      DoublePoint point = start;
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        point[unknowns[i]] += shift * (1 + 0.1 * static_cast<double>(i));
      }
      if (try_from(system, std::move(point), false)) return true;
    }
    return false;
  }

  bool try_from(const NumericEquations& system, DoublePoint point, bool first) {
    const DoublePoint begun = point;
    const LeastChange change = solve_least_change(system, point);
    if (!change.converged) {
      if (first && change.failure.empty()) nearest_ = std::move(point);
      return false;
    }
    unwind(system, begun, point);
    round_zeros(system, point);
    result_.values = std::move(point);
    return true;
  }

  /// Newton's method may turn an angle many times: whole turns are taken back where the equations are met
  /// without them.
  static void unwind(const NumericEquations& system, const DoublePoint& begun, DoublePoint& point) {
    constexpr double turn = 6.283185307179586, rounding = 1e-11;
    for (Expr unknown : system.unknowns()) {
      const double from = begun.at(unknown), turned = std::remainder(point.at(unknown) - from, turn);
      if (!(std::abs(point.at(unknown) - from) > turn)) continue;
      DoublePoint back = point;
      back[unknown] = from + turned;
      const NumericEquations::Values there = system.at(back);
      bool holds = there.failure.empty();
      for (Eigen::Index k = 0; holds && k < there.residual.size(); ++k)
        holds = std::abs(there.residual(k)) <= rounding * there.size(k);
      if (holds && solve_least_change(system, back).converged && std::abs(back.at(unknown) - from) < turn)
        point = std::move(back);
    }
  }

  /// Newton's method comes to a double root in halves: a zero is left as 1e-9. Zero stands where no equation
  /// is met less well by it.
  static void round_zeros(const NumericEquations& system, DoublePoint& point) {
    if (system.unknowns().size() > most_lone_starts) return;
    for (Expr unknown : system.unknowns()) {
      const double value = point.at(unknown);
      if (value == 0 || std::abs(value) > small_value) continue;
      const NumericEquations::Values here = system.at(point);
      point[unknown] = 0;
      const NumericEquations::Values there = system.at(point);
      bool worse = !there.failure.empty();
      for (Eigen::Index k = 0; !worse && k < there.residual.size(); ++k)
        worse = std::abs(there.residual(k)) > std::max(std::abs(here.residual(k)), epsilon * here.size(k));
      if (worse) point[unknown] = value;
    }
  }

  /// Start values of the model give way where a relation that given values reach is violated: they become
  /// unknowns that begin at their start. False if there is none left.
  bool release_start(const Stage& stage) {
    if (request_.given.empty()) return false;
    const NumericEquations::Values values = nearest_residuals(stage);
    const bool known = values.failure.empty();
    reach(stage);
    std::vector<Expr> released;
    for (std::size_t k = 0; k < stage.equations.size(); ++k) {
      if (known && is_met(values, k)) continue;
      for (Expr symbol : reached_symbols(stage.equations[k])) {
        if (started_.contains(symbol) && is_of(stage, symbol)) released.push_back(symbol);
      }
    }
    for (Expr symbol : released) {
      started_.erase(symbol);
      reached_.insert(symbol);
    }
    return !released.empty();
  }

  /// At the best that the values that are free can do.
  NumericEquations::Values nearest_residuals(const Stage& stage) const {
    return NumericEquations(stage.equations, stage.symbols).at(nearest_.empty() ? result_.values : nearest_);
  }

  /// Beside the terms of the equation, as Newton's method judges.
  static bool is_met(const NumericEquations::Values& values, std::size_t equation) {
    const auto k = static_cast<Eigen::Index>(equation);
    return std::abs(values.residual(k)) <= 1e-10 * values.size(k);
  }

  /// What is found from a given value is reached by it.
  void reach(const Stage& stage) {
    for (bool grown = true; grown;) {
      grown = false;
      for (Expr equation : stage.equations) {
        for (Expr symbol : reached_symbols(equation)) {
          if (is_of(stage, symbol) && !started_.contains(symbol)) grown |= reached_.insert(symbol).second;
        }
      }
    }
  }

  /// The symbols of an equation that holds something reached; else none.
  std::vector<Expr> reached_symbols(Expr equation) const {
    std::vector<Expr> symbols = symbols_in(equation);
    const auto is_reached = [&](Expr symbol) { return reached_.contains(symbol); };
    if (std::none_of(symbols.begin(), symbols.end(), is_reached)) symbols.clear();
    return symbols;
  }

  static bool is_of(const Stage& stage, Expr symbol) {
    return symbol.symbol().kind == (stage.velocities ? SymbolKind::velocity : SymbolKind::coordinate);
  }

  bool project(const Stage& stage) {
    const std::vector<Expr>& symbols = stage.symbols;
    const NumericEquations system(stage.equations, symbols);
    DoublePoint point = result_.values;
    const auto mass = [&](const DoublePoint& at) { return metric(at, symbols, stage.velocities); };
    const LeastChange change = solve_least_change(system, point, mass);
    if (!change.converged) return false;
    double largest = 0;
    for (Expr symbol : symbols) largest = std::max(largest, std::abs(point.at(symbol)));
    for (Expr symbol : symbols) {
      const double moved = point.at(symbol) - result_.values.at(symbol);
      if (std::abs(moved) > 1e-14 * largest) result_.moved.emplace_back(symbol, moved);
    }
    result_.values = std::move(point);
    return true;
  }

  /// The symmetric part of the mass matrix on the unknowns: coordinates and quaternions, or velocities. A
  /// small change of a quaternion turns by w = 4 E^T de, where e' = E w; a change of its length costs one.
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
    const auto along = velocities ? velocity_places(place) : position_places(place, at);
    std::vector<Eigen::Triplet<double>> halves;
    std::vector<bool> has_mass(symbols.size());
    for (const auto& row : along)
      for (const auto& [i, factor] : row) has_mass[static_cast<std::size_t>(i)] = true;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      for (const auto& [i, left] : along[equations_.mass.entries[k].row]) {
        for (const auto& [j, right] : along[equations_.mass.entries[k].column]) {
          const double half = left * mass.values[k] * right / 2;
          halves.emplace_back(i, j, half);
          halves.emplace_back(j, i, half);
        }
      }
    }
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (!has_mass[i]) halves.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
    }
    for (const Rotation& rotation : system_.rotations) {
      if (velocities || !holds_all(place, rotation)) continue;
      for (Expr a : rotation.quaternion)
        for (Expr b : rotation.quaternion) halves.emplace_back(place.at(a), place.at(b), at.at(a) * at.at(b));
    }
    result.setFromTriplets(halves.begin(), halves.end());
    return result;
  }

  /// By direction of the system: unknowns, and how far the direction goes with each.
  using Places = std::vector<std::vector<std::pair<int, double>>>;

  Places velocity_places(const std::unordered_map<Expr, int>& place) const {
    Places result(equations_.parameters.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto found = place.find(equations_.parameters[i]);
      if (found != place.end()) result[i].emplace_back(found->second, 1.0);
    }
    return result;
  }

  Places position_places(const std::unordered_map<Expr, int>& place, const DoublePoint& at) const {
    Places result(equations_.parameters.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const Expr coordinate = system_.directions[i].coordinate;
      const auto found = coordinate.empty() ? place.end() : place.find(coordinate);
      if (found != place.end()) result[i].emplace_back(found->second, 1.0);
    }
    for (const Rotation& rotation : system_.rotations) {
      if (!holds_all(place, rotation)) continue;
      const std::array<Expr, 4> rates = quaternion_rates(system_, rotation);
      for (std::size_t i = rotation.first_direction; i < rotation.first_direction + 3; ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
          const double slope = evaluate(derivative(rates[k], system_.directions[i].velocity), at);
          result[i].emplace_back(place.at(rotation.quaternion[k]), 4 * slope);
        }
      }
    }
    return result;
  }

  static bool holds_all(const std::unordered_map<Expr, int>& place, const Rotation& rotation) {
    return std::all_of(rotation.quaternion.begin(), rotation.quaternion.end(),
                       [&](Expr e) { return place.contains(e); });
  }

  void report(const Stage& stage) {
    const std::vector<Expr>& equations = stage.equations;
    const std::vector<std::string>& names = stage.names;
    const NumericEquations::Values values = nearest_residuals(stage);
    if (!values.failure.empty()) {
      result_.problems.push_back({"", 0, "the constraints have no value at this state: " + values.failure});
      return;
    }
    for (std::size_t k = 0; k < equations.size(); ++k) {
      const double residual = values.residual(static_cast<Eigen::Index>(k));
      if (is_met(values, k)) continue;
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
  std::unordered_set<Expr> started_;  ///< with the value of the model's start
  std::unordered_set<Expr> preset_;   ///< parts of quaternions that nobody gave
  std::unordered_set<Expr> reached_;  ///< given, or found from what is given
  std::vector<std::pair<const Rotation*, Expr>>
      filled_;  ///< quaternions given in part, and what made them up
  std::vector<Choice> choices_;
  bool is_filled_ = false;  ///< these stand as they were made up
  DoublePoint nearest_;     ///< the best that the values that are free can do
};

}  // namespace

CompletedState complete_state(const AssembledEquations& equations, const StateRequest& request) {
  return Completion(equations, request).run();
}

CompletedState complete_state(const Motion& motion, const StateRequest& request) {
  return complete_state(assembled(motion), request);
}

}  // namespace liaison
