#include "place_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/structure/steady_motion.hpp"

namespace liaison {

namespace {

constexpr long bits = 128;

}  // namespace

PlaceChecks::PlaceChecks(Algebra& algebra, const StateFlow& flow, const Substitution& values)
    : algebra_(algebra), flow_(flow), values_(values) {
  for (Expr velocity : flow.velocities) rest_.emplace(velocity, algebra.pool().number(0));
  for (Requirement requirement : domain_of(flow)) {
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
  if (!has_all(gap[0], at)) return 0;
  const BallValues found = evaluate_balls(gap, at, bits);
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
