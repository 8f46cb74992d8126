#include "dry_friction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/open_conditions.hpp"

namespace liaison {

namespace {

class Friction {
 public:
  Friction(Algebra& algebra, const StateFlow& flow, const Substitution& values)
      : algebra_(algebra), flow_(flow), values_(values) {
    for (Expr velocity : flow.velocities) rest_.emplace(velocity, algebra.pool().number(0));
    rates_ = flow.field.components();
    for (Expr load : flow.motion->free.load) rates_.push_back(flow.restricted(load));
    for (const auto& constraint : flow.motion->constraints)
      for (Expr part : constraint.direction) rates_.push_back(flow.restricted(part));
    for (Expr& rate : rates_) rate = substitute(rate, values);
  }

  std::optional<Expr> jump() const {
    for (Expr u : piece_arguments(rates_).jumps)
      if (turns(u) && may_vanish(u)) return sign(u);
    for (const Cut& cut : cuts(rates_))
      if ((turns(cut.y) || turns(cut.x)) && may_vanish(cut.y) && !is_positive(cut.x))
        return atan2(cut.y, cut.x);
    return std::nullopt;
  }

  /// The rates of the one free velocity at rest, as it begins to move in either direction. Where zero lies
  /// between them a force of friction within its limit holds it. Nothing: not one velocity, or more jumps.
  std::optional<std::pair<Expr, Expr>> both_sides() const {
    if (flow_.velocities.size() != 1 || flow_.has_levels || !flow_.quaternions.empty()) return std::nullopt;
    const Expr u = flow_.velocities[0];
    const Expr rate[] = {substitute(flow_.field.component(flow_.motion->space.size()), values_)};
    std::vector<Expr> sides;
    for (const int side : {1, -1, 0}) {
      const std::vector<Expr> there = on_side(rate, u, side);
      const PieceArguments left = piece_arguments(there);
      if (!left.jumps.empty() || !left.kinks.empty() || !cuts(there).empty()) return std::nullopt;
      sides.push_back(algebra_.readable(substitute(there[0], rest_)));
      if (depends_on(sides.back(), flow_.time)) return std::nullopt;
    }
    // Where the force of a contact depends on its friction, a limit by the two sides is not that of Coulomb.
    const Expr bent = sides[0] + sides[1] - Rational(2) * sides[2];
    if (!bent.is_zero() && !algebra_.is_zero(bent).is_proved()) return std::nullopt;
    // What pushes on in either direction holds nothing.
    const Expr limit = algebra_.readable(sides[0] - sides[1]);
    if (limit.is_constant() && constant_sign(limit).value_or(0) > 0) return std::nullopt;
    return std::pair{sides[0], sides[1]};
  }

 private:
  bool turns(Expr u) const {
    return std::any_of(flow_.velocities.begin(), flow_.velocities.end(),
                       [&](Expr velocity) { return depends_on(u, velocity); });
  }
  Expr at_rest(Expr u) const { return algebra_.readable(substitute(u, rest_)); }
  bool may_vanish(Expr u) const {
    try {
      const Expr value = at_rest(u);
      return value.is_zero() || !never_zero(value);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::limit_reached) throw;
      return true;  // no value at rest
    }
  }
  bool is_positive(Expr x) const {
    try {
      const Expr value = at_rest(x);
      return value.is_constant() && constant_sign(value).value_or(0) > 0;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::limit_reached) throw;
      return false;
    }
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const Substitution& values_;
  Substitution rest_;
  std::vector<Expr> rates_;
};

/// Where zero lies between the two: everywhere, nowhere, or in words where.
struct Held {
  enum class Where { everywhere, nowhere, some } where = Where::some;
  std::string text;
};
Held held_between(Algebra& algebra, Expr one, Expr other) {
  const Expr pull = algebra.readable((one + other) / Rational(2));
  const Expr limit = algebra.readable((one - other) / Rational(2));
  if (one.is_constant() && other.is_constant()) {
    const auto a = constant_sign(one), b = constant_sign(other);
    if (a && b) return {*a * *b <= 0 ? Held::Where::everywhere : Held::Where::nowhere, {}};
  }
  const auto size = [](Expr e) {
    if (has_negative_lead(e)) e = -e;
    return e.is_number() ? to_infix(e) : fmt::format("abs({})", to_infix(e));
  };
  return {Held::Where::some, fmt::format("{} <= {}", size(pull), size(limit))};
}

}  // namespace

std::optional<Expr> jump_at_rest(Algebra& algebra, const StateFlow& flow, const Substitution& values) {
  return Friction(algebra, flow, values).jump();
}

void admit_dry_friction(Algebra& algebra, const StateFlow& flow, const Substitution& values,
                        Equilibria& found) {
  if (found.box.empty() || found.equations.empty()) return;  // not searched; at rest without friction
  const Friction friction(algebra, flow, values);
  const std::optional<Expr> jump = friction.jump();
  if (!jump) return;
  const std::string why =
      fmt::format("`{}` jumps at rest, where such a force has any value up to its limit", to_infix(*jump));
  const auto sides = found.is_driven || !found.moving.empty() ? std::nullopt : friction.both_sides();
  if (sides) {
    const Held held = held_between(algebra, sides->first, sides->second);
    if (held.where == Held::Where::nowhere) return;
    found.held = held.where == Held::Where::everywhere ? "everywhere" : "where " + held.text;
  }
  const std::string more = sides ? fmt::format("{}: dry friction holds it {}", why, found.held)
                                 : fmt::format("{}: dry friction may hold it at other places", why);
  found.all = false;
  found.reason += (found.reason.empty() ? "" : "; ") + more;
}

}  // namespace liaison
