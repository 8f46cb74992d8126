#include "liaison/unilateral/contact_law.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/signs.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

bool moves(const System& system, Expr e) {
  return std::any_of(system.directions.begin(), system.directions.end(),
                     [&](const Direction& direction) { return depends_on(e, direction.velocity); });
}

/// U of abs(U), U and V of sqrt(U^2 + V^2); else nothing.
std::vector<Expr> velocity_in(Expr e) {
  if (e.is(Op::abs)) return {e.arg(0)};
  if (!e.is(Op::pow) || !e.arg(1).is_number() || e.arg(1).number() != Rational(1, 2)) return {};
  const Expr sum = e.arg(0);
  if (!sum.is(Op::add) || sum.args().size() != 2) return {};
  std::vector<Expr> components;
  for (const Expr square : sum.args()) {
    if (!square.is(Op::pow) || !square.arg(1).is_number() || square.arg(1).number() != Rational(2)) return {};
    components.push_back(square.arg(0));
  }
  return components;
}

/// Each -F*abs(U) and -F*sqrt(U^2 + V^2) of a power, with U moving, becomes a resistance.
void take_resistances(const System& system, ContactLaw& law) {
  if (law.held.power_kind != PowerKind::given) return;
  for (bool again = true; again;) {
    again = false;
    for (const Expr e : postorder(law.held.power)) {
      const std::vector<Expr> velocity = velocity_in(e);
      if (velocity.empty() || !moves(system, e)) continue;
      const Expr without = substitute(law.held.power, {{e, system.pool->number(0)}});
      const Expr coefficient = without - substitute(law.held.power, {{e, system.pool->number(1)}});
      law.resistances.push_back({velocity, coefficient, coefficient, false});
      law.held.power = without;
      again = true;
      break;
    }
  }
}

/// In space: along the surface on two axes at right angles that turn smoothly with the place. Those of the
/// coordinates where the normal is one of them; where it keeps to a plane of two, the third and that across;
/// where one component k keeps its sign, the mirror that takes its axis to the normal takes the others along
/// the surface. A normal that may have any direction has no such axes (the hairy ball).
std::vector<Expr> slip_in_space(const System& system, const std::vector<Expr>& normal) {
  const auto v = [&](std::size_t i) { return system.directions[i].velocity; };
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    if (normal[j].is_zero() && normal[k].is_zero()) return {v(j), v(k)};
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    if (!normal[i].is_zero()) continue;
    const Expr length = sqrt(pow(normal[j], 2) + pow(normal[k], 2));
    return {v(i), (normal[k] * v(j) - normal[j] * v(k)) / length};
  }
  const Expr length = sqrt(pow(normal[0], 2) + pow(normal[1], 2) + pow(normal[2], 2));
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t k = 2 - i;  // the last is up, as a rule
    const bool above = is_seen_positive(normal[k]);
    if (!above && !is_seen_positive(-normal[k])) continue;
    const Expr side = system.pool->number(above ? 1 : -1);
    const Expr across = (normal[0] * v(0) + normal[1] * v(1) + normal[2] * v(2)) / length;
    const auto mirrored = [&](std::size_t j) {
      return v(j) - normal[j] * (across + side * v(k)) / (length + side * normal[k]);
    };
    return {mirrored((k + 1) % 3), mirrored((k + 2) % 3)};
  }
  return {};
}

/// The velocity of a particle along the surface, where the gap is a function of its place alone: the system
/// is one particle, in coordinates that its kinetic energy measures all alike.
std::vector<Expr> slip_of_particle(const System& system, Expr gap) {
  const std::size_t n = system.directions.size();
  if (n < 2 || n > 3 || !system.rotations.empty() || !system.chart.parameters.empty()) return {};
  if (!system.bodies.empty() || system.particles.size() > 1) return {};
  std::vector<Expr> normal;
  const Expr mass =
      derivative(derivative(system.kinetic, system.directions[0].velocity), system.directions[0].velocity);
  for (const Direction& a : system.directions) {
    for (const Direction& b : system.directions) {
      const Expr entry = derivative(derivative(system.kinetic, a.velocity), b.velocity);
      if (entry != (a.velocity == b.velocity ? mass : system.pool->number(0))) return {};
    }
    normal.push_back(derivative(gap, a.coordinate));
  }
  if (!symbols_in(mass).empty() && moves(system, mass)) return {};
  if (n == 2) {
    const auto v = [&](std::size_t i) { return system.directions[i].velocity; };
    const Expr length = sqrt(pow(normal[0], 2) + pow(normal[1], 2));
    return {(normal[1] * v(0) - normal[0] * v(1)) / length};
  }
  return slip_in_space(system, normal);
}

}  // namespace

ContactLaw contact_law(const System& system, const Unilateral& unilateral) {
  ContactLaw law{.held = unilateral, .resistances = {}, .missing = {}};
  take_resistances(system, law);
  for (const ResistedTurning& turning : unilateral.turning)
    law.resistances.push_back(
        {turning.velocity, turning.slipping, turning.sticking.value_or(turning.slipping), true});
  if (!unilateral.friction) return law;
  if (unilateral.friction->is_zero() && unilateral.sticking.value_or(*unilateral.friction).is_zero())
    return law;
  std::vector<Expr> slip = unilateral.slip;
  Expr scale = system.pool->number(1);
  // A surface that moves may carry along: the model has to say it.
  const bool at_rest = unilateral.holonomic && !depends_on(unilateral.gap(), system.time);
  if (slip.empty() && at_rest) {
    slip = slip_of_particle(system, unilateral.gap());
    // The pressure is the factor times the gradient of the gap, whose length is 1 for a distance only.
    std::vector<Expr> squares;
    for (const Direction& direction : system.directions) {
      if (!direction.coordinate.empty())
        squares.push_back(pow(derivative(unilateral.gap(), direction.coordinate), 2));
    }
    if (!slip.empty()) scale = sqrt(system.pool->add(squares));
  }
  if (slip.empty()) {
    law.missing =
        fmt::format("the friction of `{}` resists a velocity along the surface that the model does not name",
                    unilateral.name);
  } else {
    law.resistances.push_back({slip, *unilateral.friction * scale,
                               unilateral.sticking.value_or(*unilateral.friction) * scale, false});
  }
  return law;
}

Constraint slip_constraint(const System& system, const Constraint& held, Expr velocity,
                           const std::string& number) {
  Constraint constraint;
  constraint.name = fmt::format("{}.slip{}", held.name, number);
  constraint.relation = velocity;
  // A name with a prime is no name of a constraint: nothing of the model is meant.
  constraint.factor =
      system.pool->symbol(fmt::format("lambda_{}_slip{}'", held.name, number), SymbolKind::multiplier);
  constraint.span = held.span;
  constraint.relation_span = held.relation_span;
  return constraint;
}

}  // namespace liaison
