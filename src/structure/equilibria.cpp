#include "liaison/structure/equilibria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "admissible_directions.hpp"
#include "dry_friction.hpp"
#include "energy_minimum.hpp"
#include "expr/raw.hpp"
#include "function_table.hpp"
#include "interval_roots.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/model/kinematics.hpp"
#include "linear_part.hpp"
#include "manifold_places.hpp"
#include "manifold_rest.hpp"
#include "place_checks.hpp"
#include "rest_conditions.hpp"

namespace liaison {

namespace {

constexpr double half_width = 10;       ///< of the box of coordinates that are no angles
constexpr double angle_range = 3.1416;  ///< a little more than pi, so that pi lies inside
constexpr std::size_t max_unknowns = 4;
constexpr std::size_t max_pieces = 40'000;

Substitution given_values(const StateFlow& flow) {
  Substitution values;
  for (const Parameter& parameter : flow.motion->space.system->parameters) {
    if (parameter.value) values.emplace(parameter.symbol, parameter.exact());
  }
  return values;
}

class Search {
 public:
  Search(Algebra& algebra, const StateFlow& flow, std::span<const AskedDrive> drives)
      : algebra_(algebra),
        flow_(flow),
        drives_(drives),
        values_(given_values(flow)),
        checks_(algebra, flow, values_),
        energy_(algebra, flow, values_) {}

  Equilibria run() {
    if (drives_.empty() && (flow_.has_levels || !flow_.quaternions.empty())) {
      if (auto found = find_rest_on_manifold(algebra_, flow_, values_)) {
        admit_dry_friction(algebra_, flow_, values_, *found);
        return std::move(*found);
      }
    }
    result_.reason = why_not_searched();
    if (!result_.reason.empty()) return std::move(result_);
    derive_equations();
    if (result_.reason.empty()) isolate();
    std::stable_sort(result_.found.begin(), result_.found.end(), [](const auto& a, const auto& b) {
      return std::lexicographical_compare(
          a.positions.begin(), a.positions.end(), b.positions.begin(), b.positions.end(),
          [](const auto& x, const auto& y) { return x.value.mid() < y.value.mid(); });
    });
    except_where_velocities_are_singular();
    admit_dry_friction(algebra_, flow_, values_, result_);
    return std::move(result_);
  }

  /// The free velocities are no parameters of the others where what was divided by vanishes.
  void except_where_velocities_are_singular() {
    std::vector<Expr> conditions;
    for (Expr condition : factors_that_may_vanish(flow_.conditions)) {
      const Expr at_values = algebra_.readable(substitute(condition, values_));
      const bool has_position = std::any_of(flow_.positions.begin(), flow_.positions.end(),
                                            [&](Expr position) { return depends_on(at_values, position); });
      if (has_position && !never_zero(at_values)) conditions.push_back(at_values);
    }
    if (conditions.empty() || !result_.all) return;
    result_.all = false;
    std::string zeros;
    for (Expr condition : conditions) zeros += (zeros.empty() ? "" : " or ") + to_infix(condition) + " = 0";
    result_.reason = fmt::format("places with {} are not covered{}", zeros,
                                 flow_.velocities.empty() ? "" : " by " + velocities_in_words());
  }

  std::string velocities_in_words() const {
    std::string text;
    for (Expr velocity : flow_.velocities) text += (text.empty() ? "" : ", ") + to_infix(velocity);
    return text;
  }

 private:
  std::string why_not_searched() const {
    if (!flow_.quaternions.empty()) return "positions with rotations are not searched";
    if (!admissible_directions(algebra_, flow_))
      return "the velocities are not linear in the velocity parameters";
    for (Expr symbol : symbols_in(flow_.field.components())) {
      if (symbol.symbol().kind == SymbolKind::parameter && !values_.contains(symbol))
        return fmt::format("the parameter {} has no value", symbol.symbol().name);
    }
    for (Expr condition : flow_.conditions) {
      const Expr at_values = substitute(condition, values_);
      if (at_values.is_zero() || algebra_.readable(at_values).is_zero())
        return fmt::format(
            "the closed forms of the motion divide by {}, which is 0 for the parameters as given",
            to_infix(condition));
    }
    return {};
  }

  void derive_equations() {
    conditions_ = rest_conditions(algebra_, flow_, values_);
    result_.moving = conditions_.moving;
    result_.equations = conditions_.equations;
    result_.is_driven = !drives_.empty();
    if (!conditions_.refusal.empty()) {
      result_.reason = conditions_.refusal;
      return;
    }
    const std::vector<Expr> symbols = symbols_in(result_.equations);
    for (Expr position : flow_.positions) {
      if (std::any_of(result_.moving.begin(), result_.moving.end(),
                      [&](const MovingCoordinate& one) { return one.coordinate == position; }))
        continue;
      const bool is_met = std::find(symbols.begin(), symbols.end(), position) != symbols.end();
      (is_met ? unknowns_ : result_.anywhere).push_back(position);
    }
    const bool is_never_at_rest =
        std::any_of(result_.equations.begin(), result_.equations.end(), [&](Expr e) {
          const std::vector<Expr> some = at_times(algebra_, e, flow_.time);
          return std::any_of(some.begin(), some.end(),
                             [](Expr at) { return at.is_constant() && constant_sign(at).value_or(0) != 0; });
        });
    if (is_never_at_rest) {
      result_.box = "all positions";
      result_.all = true;
      is_decided_ = true;
    } else if (!result_.equations.empty() && unknowns_.empty()) {
      result_.box = "all positions";
      result_.reason = "an equation without coordinates is not decided";
      is_decided_ = true;
    } else if (result_.equations.empty()) {
      result_.box = "all positions";
      result_.all = true;
      is_decided_ = true;
      if (!drives_.empty()) add_everywhere();
    } else if (!choose_equations()) {
      const auto counted = [](std::size_t n, const std::string& word) {
        return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
      };
      result_.reason =
          fmt::format("{} for {}: places of rest are not isolated", counted(chosen_.size(), "equation"),
                      counted(unknowns_.size(), "coordinate"));
    } else if (unknowns_.size() > max_unknowns) {
      result_.reason = fmt::format("{} unknown coordinates: more than are searched", unknowns_.size());
    } else if (!piece_free()) {
      result_.reason = "forces of several pieces";
    } else {
      result_.reason = unknown_function(result_.equations);
    }
  }

  /// As many equations as unknowns, at some times where they hold the time: all of them vanish where it
  /// rests. The others are asked at the roots.
  bool choose_equations() {
    std::vector<Expr> later;
    for (Expr equation : result_.equations) {
      // A root that an equation has several times is isolated where it has it once.
      const Expr cleared = algebra_.without_repeated_factors(
          conditions_.has_levels ? without_quotients(algebra_, equation) : equation);
      const std::vector<Expr> some = at_times(algebra_, cleared, flow_.time);
      if (cleared != equation && some == std::vector<Expr>{cleared}) cleared_.emplace_back(equation, cleared);
      for (std::size_t k = 0; k < some.size(); ++k) {
        const std::vector<Expr> symbols = symbols_in(std::vector<Expr>{some[k]});
        const bool has_unknown = std::any_of(unknowns_.begin(), unknowns_.end(), [&](Expr unknown) {
          return std::find(symbols.begin(), symbols.end(), unknown) != symbols.end();
        });
        if (has_unknown) (k == 0 ? chosen_ : later).push_back(some[k]);
      }
    }
    chosen_.insert(chosen_.end(), later.begin(), later.end());
    if (chosen_.size() < unknowns_.size()) return false;
    further_.assign(chosen_.begin() + static_cast<std::ptrdiff_t>(unknowns_.size()), chosen_.end());
    chosen_.resize(unknowns_.size());
    return true;
  }

  bool piece_free() const {
    const FunctionTable table(algebra_, result_.equations, flow_.positions);
    const std::string& refusal = table.refusal();
    return refusal.find("one piece") == std::string::npos;
  }

  bool is_angle(Expr position) const {
    std::vector<Expr> all(flow_.field.components());
    all.insert(all.end(), result_.equations.begin(), result_.equations.end());
    return is_angle_of(algebra_, all, flow_.state(), position);
  }

  void isolate() {
    if (is_decided_) return;
    std::vector<SearchInterval> box;
    std::vector<bool> angles;
    for (Expr unknown : unknowns_) {
      angles.push_back(is_angle(unknown));
      const double width = angles.back() ? angle_range : half_width;
      box.push_back({unknown, -width, width});
      result_.box += fmt::format("{}{}", result_.box.empty() ? "" : ", ",
                                 angles.back() ? fmt::format("{} all around", unknown.symbol().name)
                                               : fmt::format("-10 <= {} <= 10", unknown.symbol().name));
    }
    const IsolatedRoots roots =
        isolate_roots(chosen_, box, max_pieces, [&] { return algebra_.options().is_interrupted(); });
    result_.all = roots.all;
    result_.reason = roots.reason;
    std::vector<const IsolatedRoot*> kept;
    for (const IsolatedRoot& root : roots.roots) {
      if (!is_in_box(root, angles) || is_turned(root, kept, angles) || is_excluded(root) ||
          checks_.is_outside(point_of(root)))
        continue;
      kept.push_back(&root);
      if (!is_not_covered(root)) add(root);
    }
    tell_not_covered();
  }

  /// An equation that was not chosen has another value there, certainly.
  bool is_excluded(const IsolatedRoot& root) const {
    BallPoint at;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) at.emplace(unknowns_[i], root.value[i]);
    for (Expr equation : further_) {
      const Expr one[] = {equation};
      const BallValues found = evaluate_balls(one, at, 128);
      if (found.status == EvaluationStatus::ok && !found.values[0].contains_zero()) return true;
    }
    return false;
  }

  BallPoint point_of(const IsolatedRoot& root) const {
    BallPoint at;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) at.emplace(unknowns_[i], root.value[i]);
    return at;
  }

  /// The motion has no closed form there: it is told, and no place of rest.
  bool is_not_covered(const IsolatedRoot& root) {
    const std::string condition = checks_.not_covered(point_of(root));
    if (condition.empty()) return false;
    std::string place;
    for (std::size_t i = 0; i < unknowns_.size(); ++i)
      place += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", unknowns_[i].symbol().name,
                           root.value[i].contains_zero() ? 0 : root.value[i].mid());
    std::string& places = not_covered_[condition];
    places += (places.empty() ? "" : " and ") + place;
    return true;
  }

  void tell_not_covered() {
    for (const auto& [condition, places] : not_covered_) {
      result_.all = false;
      result_.reason += fmt::format("{}at {} the closed forms of the motion divide by {}, which may be zero",
                                    result_.reason.empty() ? "" : "; ", places, condition);
    }
  }

  /// The equation without its quotients was chosen, and these have a value there.
  bool is_chosen_cleared(Expr equation, const Equilibrium& place) const {
    BallPoint at;
    for (const Equilibrium::Position& position : place.positions)
      at.emplace(position.coordinate, position.value);
    return std::any_of(cleared_.begin(), cleared_.end(), [&](const auto& pair) {
      const Expr one[] = {equation};
      return pair.first == equation &&
             std::find(chosen_.begin(), chosen_.end(), pair.second) != chosen_.end() &&
             evaluate_balls(one, at, 128).status == EvaluationStatus::ok;
    });
  }

  /// All equations hold there at all times: proved at an exact place; else each is one of those that were
  /// chosen, or differs from one by a factor of the time alone.
  bool holds_at_all_times(const Equilibrium& place) const {
    Substitution exact;
    for (const Equilibrium::Position& position : place.positions)
      if (position.exact) exact.emplace(position.coordinate, *position.exact);
    return std::all_of(result_.equations.begin(), result_.equations.end(), [&](Expr equation) {
      if (std::find(chosen_.begin(), chosen_.end(), equation) != chosen_.end()) return true;
      if (is_chosen_cleared(equation, place)) return true;
      try {
        if (exact.size() == unknowns_.size() && algebra_.is_zero(substitute(equation, exact)).is_proved())
          return true;
        return std::any_of(chosen_.begin(), chosen_.end(), [&](Expr chosen) {
          // e = h(t) c(q): the derivatives of the logarithms agree
          return std::all_of(unknowns_.begin(), unknowns_.end(), [&](Expr unknown) {
            const Expr wronskian =
                derivative(equation, unknown) * chosen - equation * derivative(chosen, unknown);
            return algebra_.is_zero(wronskian).is_proved();
          });
        });
      } catch (const Error&) {
        return false;  // no value there
      }
    });
  }

  /// A root of the margin belongs to no piece of the box.
  static bool is_in_box(const IsolatedRoot& root, const std::vector<bool>& angles) {
    for (std::size_t i = 0; i < angles.size(); ++i) {
      if (!angles[i] && std::abs(root.value[i].mid()) > half_width + root.value[i].rad()) return false;
    }
    return true;
  }

  /// The same place as another, whole turns away.
  static bool is_turned(const IsolatedRoot& root, const std::vector<const IsolatedRoot*>& others,
                        const std::vector<bool>& angles) {
    return std::any_of(others.begin(), others.end(), [&](const IsolatedRoot* other) {
      for (std::size_t i = 0; i < angles.size(); ++i) {
        const double distance = root.value[i].mid() - other->value[i].mid();
        const long turns = angles[i] ? std::lround(distance / (2 * std::numbers::pi)) : 0;
        Ball moved = root.value[i], turn;
        arb_const_pi(turn.raw(), 128);
        arb_mul_si(turn.raw(), turn.raw(), 2 * turns, 128);
        arb_sub(moved.raw(), moved.raw(), turn.raw(), 128);
        if (arb_contains(other->box[i].raw(), moved.raw()) == 0) return false;
      }
      return true;
    });
  }

  /// A short number, or a part of pi, that is the root: it satisfies the equations, and lies in the box with
  /// one root.
  void recognise(const IsolatedRoot& root, Equilibrium& equilibrium) const {
    Pool& pool = algebra_.pool();
    Substitution guess;
    std::vector<Expr> values;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      const std::optional<Expr> exact = short_number(pool, root.value[i].mid());
      if (!exact) return;
      guess.emplace(unknowns_[i], *exact);
      values.push_back(*exact);
    }
    for (Expr equation : chosen_) {
      try {
        if (!algebra_.is_zero(substitute(equation, guess)).is_proved()) return;
      } catch (const Error&) {
        return;  // no value there
      }
    }
    const BallValues at = evaluate_balls(values, {}, 128);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (arb_contains(root.box[i].raw(), at.values[i].raw()) == 0) return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      equilibrium.positions[i].exact = values[i];
      equilibrium.positions[i].value = at.values[i];
    }
  }

  void add(const IsolatedRoot& root) {
    Equilibrium equilibrium;
    for (std::size_t i = 0; i < unknowns_.size(); ++i)
      equilibrium.positions.push_back({unknowns_[i], root.value[i], std::nullopt});
    recognise(root, equilibrium);
    if (!holds_at_all_times(equilibrium)) {
      result_.all = false;
      result_.reason = fmt::format("whether it rests near {} = {} at all times is not decided",
                                   unknowns_[0].symbol().name, root.value[0].to_string(6));
      return;
    }
    ask_drives(equilibrium);
    std::vector<Expr> variables;
    std::vector<Expr> rates;
    BallPoint at;
    for (const Equilibrium::Position& position : equilibrium.positions)
      at.emplace(position.coordinate, position.value);
    for (Expr velocity : flow_.velocities) at.emplace(velocity, Ball(Rational(0)));
    if (const std::string acts = checks_.what_acts(at); !acts.empty()) {
      equilibrium.no_linearisation = "not computed: " + acts;
    } else if (conditions_.has_levels) {
      linearise_on_manifold(at, equilibrium);
    } else if (relevant(variables, rates, equilibrium.no_linearisation)) {
      linearise_at(equilibrium, rates, variables, at);
      if (!equilibrium.has_linearisation) equilibrium.no_linearisation = "have no value there";
      if (equilibrium.stability == Stability::undecided && result_.anywhere.empty() &&
          energy_.is_at(unknowns_, at))
        equilibrium.stability = Stability::stable;
    }
    result_.found.push_back(std::move(equilibrium));
  }

  /// Rates of many terms that cancel need a sharper place: more bits until they are known.
  void linearise_at(Equilibrium& equilibrium, const std::vector<Expr>& rates,
                    const std::vector<Expr>& variables, const BallPoint& at) const {
    constexpr long most_bits = 3072;
    bool is_sharp = linearise(rates, variables, at, equilibrium);
    for (long bits = 384; !is_sharp && bits <= most_bits; bits *= 2) {
      std::optional<BallPoint> place = at;
      std::vector<Expr> exact;
      for (const Equilibrium::Position& position : equilibrium.positions)
        if (position.exact) exact.push_back(*position.exact);
      if (exact.size() == equilibrium.positions.size()) {
        const BallValues values = evaluate_balls(exact, {}, bits);
        if (values.status != EvaluationStatus::ok) return;
        for (std::size_t i = 0; i < exact.size(); ++i)
          place->insert_or_assign(equilibrium.positions[i].coordinate, values.values[i]);
      } else {
        place = sharpened(chosen_, unknowns_, at, bits);
      }
      if (!place) return;
      is_sharp = linearise(rates, variables, *place, equilibrium, bits);
    }
  }

  /// Without a chart of the states: what the free velocities divide by does not matter.
  void linearise_on_manifold(const BallPoint& at, Equilibrium& equilibrium) const {
    ManifoldEquations equations = manifold_equations(*flow_.motion, values_);
    equilibrium.no_linearisation = equations.reason.empty() ? "" : "not computed: " + equations.reason;
    if (!equations.reason.empty()) return;
    BallPoint state = at;
    for (const MovingCoordinate& one : result_.moving) {
      const Expr rate[] = {substitute(one.rate, values_)};
      const BallValues found = evaluate_balls(rate, at, 128);
      if (found.status != EvaluationStatus::ok) {
        equilibrium.no_linearisation =
            fmt::format("not computed: the rate of `{}` is not constant", one.coordinate.symbol().name);
        return;
      }
      for (const Direction& direction : flow_.motion->space.system->directions)
        if (direction.coordinate == one.coordinate)
          state.insert_or_assign(direction.velocity, found.values[0]);
      equations.leave_out(one.coordinate);
    }
    const ManifoldRest rest(equations, state);
    equilibrium.no_linearisation = rest.reason();
    if (!rest.reason().empty()) return;
    rest.linearise(equilibrium);
    if (!equilibrium.has_linearisation) equilibrium.no_linearisation = "depend on the other coordinates";
  }

  /// The unknowns and the velocities, with their rates; false where these depend on other coordinates.
  bool relevant(std::vector<Expr>& variables, std::vector<Expr>& rates, std::string& why_not) const {
    const std::size_t n = flow_.coframe->dimension() - 1 - flow_.velocities.size();
    const System& system = *flow_.motion->space.system;
    const auto add = [&](Expr variable, std::size_t component) {
      variables.push_back(variable);
      rates.push_back(substitute(substitute(flow_.field.component(component), conditions_.given), values_));
    };
    for (Expr unknown : unknowns_) {
      for (std::size_t i = 0; i < n; ++i) {
        if (system.directions[i].coordinate == unknown) add(unknown, i);
      }
    }
    for (std::size_t a = 0; a < flow_.velocities.size(); ++a) add(flow_.velocities[a], n + a);
    std::vector<Expr> others = result_.anywhere;
    for (const MovingCoordinate& one : result_.moving) others.push_back(one.coordinate);
    for (Expr& rate : rates)
      if (depends_on(rate, flow_.time)) rate = algebra_.readable(rate);
    const auto enters = [&](Expr other) {
      return std::any_of(rates.begin(), rates.end(), [&](Expr rate) { return depends_on(rate, other); });
    };
    if (std::any_of(others.begin(), others.end(), enters)) why_not = "depend on the other coordinates";
    if (enters(flow_.time)) why_not = "depend on the time";
    return why_not.empty();
  }

  /// The values of all that moves at a place of rest, in the time; what is exact of the place.
  Expr while_resting(Expr e, const Equilibrium& place) const {
    const Motion& motion = *flow_.motion;
    Pool& pool = algebra_.pool();
    Substitution factors, accelerations, velocities, positions = conditions_.given;
    for (std::size_t h = 0; h < motion.factors.size() && h < motion.constraints.size(); ++h)
      factors.emplace(motion.constraints[h].factor, motion.factors[h]);
    for (const Direction& direction : motion.space.system->directions) {
      Expr rate = pool.number(0);
      for (const MovingCoordinate& one : result_.moving)
        if (one.coordinate == direction.coordinate) rate = one.rate;
      velocities.emplace(direction.velocity, rate);
      Expr acceleration = derivative(rate, flow_.time);
      for (const MovingCoordinate& one : result_.moving)
        acceleration = acceleration + derivative(rate, one.coordinate) * one.rate;
      accelerations.emplace(acceleration_symbol(direction.velocity), acceleration);
    }
    for (const Equilibrium::Position& position : place.positions)
      if (position.exact) positions.emplace(position.coordinate, *position.exact);
    e = substitute(substitute(e, factors), accelerations);
    e = flow_.restricted(e);
    e = substitute(substitute(substitute(e, velocities), positions), values_);
    return algebra_.readable(e);
  }

  /// What each drive must do to hold the place, and whether every point is at rest there.
  void ask_drives(Equilibrium& place) const {
    if (drives_.empty()) return;
    BallPoint at;
    for (const Equilibrium::Position& position : place.positions)
      at.emplace(position.coordinate, position.value);
    for (const AskedDrive& drive : drives_) {
      DriveAtRest told{drive.name, {}, {}};
      try {
        told.force = while_resting(drive.force, place);
        told.power = while_resting(drive.power, place);
      } catch (const Error&) {  // no value there
      }
      place.drives.push_back(std::move(told));
    }
    try {
      const Expr kinetic = while_resting(flow_.motion->space.system->kinetic, place);
      if (kinetic.is_zero() || algebra_.is_zero(kinetic).is_proved()) {
        place.is_absolute = true;
        return;
      }
      for (Expr then : at_times(algebra_, kinetic, flow_.time)) {
        const Expr one[] = {then};
        const BallValues found = evaluate_balls(one, at, 128);
        if (found.status == EvaluationStatus::ok && !found.values[0].contains_zero())
          place.is_absolute = false;
      }
    } catch (const Error&) {  // not said
    }
  }

  /// All positions are places of rest: what the drives do there.
  void add_everywhere() {
    Equilibrium place;
    ask_drives(place);
    result_.found.push_back(std::move(place));
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  std::span<const AskedDrive> drives_;
  Substitution values_;
  PlaceChecks checks_;
  EnergyMinimum energy_;
  RestConditions conditions_;
  std::vector<Expr> unknowns_;
  std::vector<Expr> chosen_, further_;  ///< as many as unknowns; those that are asked at the roots
  std::vector<std::pair<Expr, Expr>>
      cleared_;  ///< equations, and what was chosen: without quotients, roots once
  std::map<std::string, std::string> not_covered_;  ///< places, by what may be zero there
  bool is_decided_ = false;
  Equilibria result_;
};

}  // namespace

std::string name_of(Stability stability) {
  switch (stability) {
    case Stability::asymptotic: return "asymptotically stable";
    case Stability::stable: return "stable";
    case Stability::unstable: return "unstable";
    case Stability::undecided: break;
  }
  return "undecided";
}

Equilibria find_equilibria(Algebra& algebra, const StateFlow& flow, std::span<const AskedDrive> drives) {
  try {
    return Search(algebra, flow, drives).run();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::division_by_zero && error.code() != ErrorCode::undefined_constant) throw;
    Equilibria result;  // friction along the velocity: nothing follows from it where that is zero
    result.reason = fmt::format("the equations of motion have no value at rest: {}", error.what());
    return result;
  }
}

}  // namespace liaison
