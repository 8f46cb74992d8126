#include "liaison/structure/equilibria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "admissible_directions.hpp"
#include "expr/raw.hpp"
#include "function_table.hpp"
#include "interval_roots.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/structure/first_integrals.hpp"
#include "linear_part.hpp"

namespace liaison {

namespace {

constexpr double half_width = 10;       ///< of the box of coordinates that are no angles
constexpr double angle_range = 3.1416;  ///< a little more than pi, so that pi lies inside
constexpr std::size_t max_unknowns = 4;
constexpr std::size_t max_pieces = 40'000;

class Search {
 public:
  Search(Algebra& algebra, const StateFlow& flow) : algebra_(algebra), flow_(flow) {
    for (Expr velocity : flow.velocities) at_rest_.emplace(velocity, algebra.pool().number(0));
    for (const Parameter& parameter : flow.motion->space.system->parameters) {
      if (parameter.value) values_.emplace(parameter.symbol, algebra.pool().number(*parameter.value));
    }
  }

  Equilibria run() {
    result_.reason = why_not_searched();
    if (!result_.reason.empty()) return std::move(result_);
    derive_equations();
    if (result_.reason.empty()) isolate();
    except_where_velocities_are_singular();
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
    result_.reason = fmt::format("places with {} = 0 are not covered by {}", to_infix(conditions.front()),
                                 velocities_in_words());
  }

  std::string velocities_in_words() const {
    std::string text;
    for (Expr velocity : flow_.velocities) text += (text.empty() ? "" : ", ") + to_infix(velocity);
    return text;
  }

 private:
  std::string why_not_searched() const {
    if (!flow_.quaternions.empty()) return "positions with rotations are not searched";
    if (flow_.has_levels) return "the coordinates satisfy relations between them";
    if (!flow_.is_autonomous(algebra_)) return "the motion depends on time";
    const auto directions = admissible_directions(algebra_, flow_);
    if (!directions) return "the velocities are not linear in the velocity parameters";
    if (directions->with_time)
      return "a constraint has terms without velocities, and places where these vanish are not looked for";
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

  /// Accelerations at rest. Where all constraints are ideal they vanish with the load (mass * u' = load) on
  /// the admissible directions, which is shorter.
  std::vector<Expr> conditions() const {
    const Motion& motion = *flow_.motion;
    const System& system = *motion.space.system;
    const std::size_t n = motion.space.size();
    std::vector<Expr> result;
    const bool is_ideal = std::all_of(system.constraints.begin(), system.constraints.end(),
                                      [](const Constraint& c) { return c.power_kind == PowerKind::ideal; });
    for (std::size_t a = 0; a < flow_.velocities.size(); ++a) {
      if (!is_ideal) {
        result.push_back(flow_.field.component(n + a));
        continue;
      }
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < n; ++i)
        terms.push_back(flow_.restricted(motion.free.load[i]) *
                        derivative(flow_.field.component(i), flow_.velocities[a]));
      result.push_back(algebra_.pool().add(terms));
    }
    return result;
  }

  void derive_equations() {
    for (Expr condition : conditions()) {
      const Expr e = algebra_.readable(substitute(substitute(condition, at_rest_), values_));
      if (e.is_zero() || algebra_.is_zero(e).is_proved()) continue;
      if (std::find(result_.equations.begin(), result_.equations.end(), e) == result_.equations.end())
        result_.equations.push_back(e);
    }
    const std::vector<Expr> symbols = symbols_in(result_.equations);
    for (Expr position : flow_.positions) {
      const bool is_met = std::find(symbols.begin(), symbols.end(), position) != symbols.end();
      (is_met ? unknowns_ : result_.anywhere).push_back(position);
    }
    if (!result_.equations.empty() && unknowns_.empty()) {
      result_.box = "all positions";
      result_.all = std::any_of(result_.equations.begin(), result_.equations.end(),
                                [](Expr e) { return e.is_constant() && constant_sign(e).value_or(0) != 0; });
      result_.reason = result_.all ? "" : "an equation without coordinates is not decided";
      is_decided_ = true;
    } else if (result_.equations.empty()) {
      result_.box = "all positions";
      result_.all = true;
      is_decided_ = true;
    } else if (result_.equations.size() != unknowns_.size()) {
      result_.reason = fmt::format("{} equations for {} coordinates: places of rest are not isolated",
                                   result_.equations.size(), unknowns_.size());
    } else if (unknowns_.size() > max_unknowns) {
      result_.reason = fmt::format("{} unknown coordinates: more than are searched", unknowns_.size());
    } else if (!piece_free()) {
      result_.reason = "forces of several pieces";
    }
  }

  bool piece_free() const {
    const FunctionTable table(algebra_, result_.equations, flow_.positions);
    const std::string& refusal = table.refusal();
    return refusal.find("one piece") == std::string::npos;
  }

  /// Only under sines and cosines of whole multiples: 2 pi further is the same place.
  bool is_angle(Expr position) const {
    std::vector<Expr> all(flow_.field.components());
    const FunctionTable table(algebra_, all, flow_.state());
    for (Expr node : table.nodes()) {
      const bool is_used = std::any_of(node.args().begin(), node.args().end(),
                                       [&](Expr arg) { return depends_on(arg, position); });
      if (!is_used) continue;
      if (node.is(Op::sin) || node.is(Op::cos) || node.is(Op::tan)) {
        const auto slope = derivative(node.arg(0), position);
        if (!slope.is_number() || !slope.number().is_integer()) return false;
      } else if (std::any_of(node.args().begin(), node.args().end(),
                             [&](Expr arg) { return arg == position; }) &&
                 !is_argument_of_angles(table, node)) {
        return false;
      }
    }
    return true;
  }

  /// A sum or product such as 2*theta - phi that is itself used under sines and cosines alone.
  static bool is_argument_of_angles(const FunctionTable& table, Expr part) {
    for (Expr e : table.asked()) {
      if (e == part) return false;
    }
    for (Expr node : table.nodes()) {
      const bool uses = std::find(node.args().begin(), node.args().end(), part) != node.args().end();
      if (!uses) continue;
      if (node.is(Op::sin) || node.is(Op::cos) || node.is(Op::tan)) continue;
      if ((node.is(Op::add) || node.is(Op::mul)) && is_argument_of_angles(table, node)) continue;
      return false;
    }
    return true;
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
    const IsolatedRoots roots = isolate_roots(result_.equations, box, max_pieces,
                                              [&] { return algebra_.options().is_interrupted(); });
    result_.all = roots.all;
    result_.reason = roots.reason;
    std::vector<const IsolatedRoot*> kept;
    for (const IsolatedRoot& root : roots.roots) {
      if (!is_in_box(root, angles) || is_turned(root, kept, angles)) continue;
      kept.push_back(&root);
      add(root);
    }
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
      const double x = root.value[i].mid(), turns = x / std::numbers::pi * 12;
      std::optional<Expr> exact;
      if (std::abs(x * 12 - std::round(x * 12)) < 1e-12) {
        exact = pool.number(Rational(std::lround(x * 12), 12));
      } else if (std::abs(turns - std::round(turns)) < 1e-12) {
        exact = pool.number(Rational(std::lround(turns), 12)) * pool.pi();
      }
      if (!exact) return;
      guess.emplace(unknowns_[i], *exact);
      values.push_back(*exact);
    }
    for (Expr equation : result_.equations) {
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
    std::vector<Expr> variables;
    std::vector<Expr> rates;
    BallPoint at;
    for (const Equilibrium::Position& position : equilibrium.positions)
      at.emplace(position.coordinate, position.value);
    for (Expr velocity : flow_.velocities) at.emplace(velocity, Ball(Rational(0)));
    if (relevant(variables, rates)) {
      linearise(rates, variables, at, equilibrium);
      if (equilibrium.stability == Stability::undecided && has_strict_minimum(at))
        equilibrium.stability = Stability::stable;
    }
    result_.found.push_back(std::move(equilibrium));
  }

  /// The unknowns and the velocities, with their rates; false where these depend on other coordinates.
  bool relevant(std::vector<Expr>& variables, std::vector<Expr>& rates) const {
    const std::size_t n = flow_.coframe->dimension() - 1 - flow_.velocities.size();
    const System& system = *flow_.motion->space.system;
    const auto add = [&](Expr variable, std::size_t component) {
      variables.push_back(variable);
      rates.push_back(substitute(flow_.field.component(component), values_));
    };
    for (Expr unknown : unknowns_) {
      for (std::size_t i = 0; i < n; ++i) {
        if (system.directions[i].coordinate == unknown) add(unknown, i);
      }
    }
    for (std::size_t a = 0; a < flow_.velocities.size(); ++a) add(flow_.velocities[a], n + a);
    return std::all_of(result_.anywhere.begin(), result_.anywhere.end(), [&](Expr other) {
      return std::none_of(rates.begin(), rates.end(), [&](Expr rate) { return depends_on(rate, other); });
    });
  }

  /// Jacobi's function h = v dT/dv - T + V is conserved (T + V where T has the second degree alone), and its
  /// second derivatives are positive definite. There are no constraints, so that the first ones vanish at a
  /// place of rest.
  bool has_strict_minimum(const BallPoint& at) {
    const Motion& motion = *flow_.motion;
    if (!result_.anywhere.empty() || unknowns_.empty() || motion.relation_count > 0) return false;
    const Expr kinetic = algebra_.readable(flow_.restricted(motion.omega.energy));
    const Expr potential = motion.space.system->potential;
    if (!std::all_of(flow_.velocities.begin(), flow_.velocities.end(), [&](Expr velocity) {
          return algebra_.is_zero(substitute(derivative(kinetic, velocity), at_rest_)).is_proved();
        }))
      return false;
    if (!is_energy_kept_) is_energy_kept_ = is_conserved(algebra_, motion, kinetic + potential).is_proved();
    if (!*is_energy_kept_) return false;
    const auto hessian = [&](Expr e, const std::vector<Expr>& symbols) {
      std::vector<std::vector<Expr>> matrix;
      for (Expr x : symbols) {
        matrix.emplace_back();
        for (Expr y : symbols) matrix.back().push_back(substitute(derivative(derivative(e, x), y), values_));
      }
      return matrix;
    };
    return is_positive_definite(hessian(substitute(kinetic, at_rest_) + potential, unknowns_), at) &&
           is_positive_definite(hessian(kinetic, flow_.velocities), at);
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  Substitution at_rest_, values_;
  std::vector<Expr> unknowns_;
  std::optional<bool> is_energy_kept_;
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

Equilibria find_equilibria(Algebra& algebra, const StateFlow& flow) {
  try {
    return Search(algebra, flow).run();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::division_by_zero && error.code() != ErrorCode::undefined_constant) throw;
    Equilibria result;  // friction along the velocity: nothing follows from it where that is zero
    result.reason = fmt::format("the equations of motion have no value at rest: {}", error.what());
    return result;
  }
}

}  // namespace liaison
