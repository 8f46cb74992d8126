#include "place_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "expr/raw.hpp"
#include "function_table.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/structure/steady_motion.hpp"

namespace liaison {

namespace {

constexpr long bits = 128;

/// A sum or product such as 2*theta - phi that is itself used under sines and cosines alone.
bool is_argument_of_angles(const FunctionTable& table, Expr part) {
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

/// The time stands under sines and cosines alone.
bool swings(Expr e, Expr time) {
  if (e == time) return false;
  if (e.is(Op::sin) || e.is(Op::cos) || !depends_on(e, time)) return true;
  return std::all_of(e.args().begin(), e.args().end(), [&](Expr arg) { return swings(arg, time); });
}

}  // namespace

bool is_angle_of(Algebra& algebra, const std::vector<Expr>& functions, const std::vector<Expr>& state,
                 Expr position) {
  const FunctionTable table(algebra, functions, state);
  for (Expr node : table.nodes()) {
    const bool is_used = std::any_of(node.args().begin(), node.args().end(),
                                     [&](Expr arg) { return depends_on(arg, position); });
    if (!is_used) continue;
    if (node.is(Op::sin) || node.is(Op::cos) || node.is(Op::tan)) {
      const auto slope = derivative(node.arg(0), position);
      if (!slope.is_number() || !slope.number().is_integer()) return false;
    } else if (std::find(node.args().begin(), node.args().end(), position) != node.args().end() &&
               !is_argument_of_angles(table, node)) {
      return false;
    }
  }
  return true;
}

std::optional<Expr> short_number(Pool& pool, double value) {
  const auto is_whole = [](double x, double within) { return std::abs(x - std::round(x)) < within; };
  const double turns = value / std::numbers::pi * 12;
  if (is_whole(value * 12, 1e-12)) return pool.number(Rational(std::lround(value * 12), 12));
  if (is_whole(value * 10000, 1e-10)) return pool.number(Rational(std::lround(value * 10000), 10000));
  if (is_whole(turns, 1e-12)) return pool.number(Rational(std::lround(turns), 12)) * pool.pi();
  if (std::abs(value) < 1e3 && is_whole(value * value * 144, 1e-9)) {
    const Expr root = pow(pool.number(Rational(std::lround(value * value * 144), 144)), Rational(1, 2));
    return value < 0 ? -root : root;
  }
  return std::nullopt;
}

PlaceChecks::PlaceChecks(Algebra& algebra, const StateFlow& flow, const Substitution& values)
    : algebra_(algebra), flow_(flow), values_(values) {
  for (Expr velocity : flow.velocities) rest_.emplace(velocity, algebra.pool().number(0));
  const auto& walls = flow.motion->space.system->unilaterals;
  for (Requirement requirement : domain_of(flow)) {
    // a place where a contact touches is told as one where it may be closed
    if (std::any_of(walls.begin(), walls.end(),
                    [&](const Unilateral& wall) { return wall.gap() == requirement.e; }))
      continue;
    requirement.e = at_rest(requirement.e);
    domain_.push_back(requirement);
  }
}

Expr PlaceChecks::at_rest(Expr e) const {
  return substitute(substitute(flow_.restricted(e), rest_), values_);
}

bool PlaceChecks::has_all(Expr e, const BallPoint& at) const {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return at.contains(symbol); });
}

int PlaceChecks::sign_of_gap(const Unilateral& wall, const BallPoint& at) const {
  const Expr gap[] = {at_rest(wall.gap())};
  BallPoint always = at;
  if (!at.contains(flow_.time) && swings(gap[0], flow_.time)) {  // a sine of any time: all that it can be
    Ball any_time{Rational(0)};
    arb_add_error_2exp_si(any_time.raw(), 1000);
    always.emplace(flow_.time, std::move(any_time));
  }
  if (!has_all(gap[0], always)) return 0;
  const BallValues found = evaluate_balls(gap, always, bits);
  if (found.status != EvaluationStatus::ok) return 0;
  return found.values[0].is_positive() ? 1 : found.values[0].is_negative() ? -1 : 0;
}

bool PlaceChecks::is_outside(const BallPoint& at) const {
  const auto& walls = flow_.motion->space.system->unilaterals;
  return place_in(domain_, at) == StatePlace::outside ||
         std::any_of(walls.begin(), walls.end(),
                     [&](const Unilateral& wall) { return sign_of_gap(wall, at) < 0; });
}

std::string PlaceChecks::not_covered(const BallPoint& at) const {
  // Where the matrix of T alone is singular the accelerations may have a value: a bead at the axis of a
  // driven hoop.
  const auto& masses = flow_.motion->mass_conditions;
  bool have_values = true;
  for (Expr rate : flow_.field.components()) {
    const Expr there[] = {at_rest(rate)};
    have_values = have_values &&
                  (!has_all(there[0], at) || evaluate_balls(there, at, bits).status == EvaluationStatus::ok);
  }
  for (Expr condition : flow_.conditions) {
    const Expr there[] = {at_rest(condition)};
    if (!has_all(there[0], at)) continue;
    if (have_values && std::find(masses.begin(), masses.end(), condition) != masses.end()) continue;
    const BallValues found = evaluate_balls(there, at, bits);
    if (found.status != EvaluationStatus::ok || found.values[0].contains_zero())
      return to_infix(algebra_.readable(substitute(condition, values_)));
  }
  return {};
}

std::string PlaceChecks::what_acts(const BallPoint& at) const {
  const System& system = *flow_.motion->space.system;
  for (const Event& event : system.events) {
    if (event.action != EventAction::record)
      return fmt::format("the event `{}` acts on the motion", event.name);
  }
  for (const Unilateral& wall : system.unilaterals) {
    if (sign_of_gap(wall, at) <= 0) return fmt::format("`{}` may be closed there", wall.name);
  }
  if (!system.families.empty()) return "contacts may be closed there";
  if (place_in(domain_, at) != StatePlace::inside)
    return "it may lie at the edge of where the model has a value";
  return flow_.standing.pieces;  // a kink in the velocities has no linear part
}

}  // namespace liaison
