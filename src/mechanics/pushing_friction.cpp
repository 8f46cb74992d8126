#include "liaison/mechanics/pushing_friction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// abs(x'), sqrt(x'^2 + y'^2): the size of a velocity.
bool has_norm(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr node) {
    return node.is(Op::abs) || (node.is(Op::pow) && !node.arg(1).number().is_integer());
  });
}

}  // namespace

std::vector<ConstraintFriction> frictions_of_constraints(const System& system) {
  Substitution turned;
  for (const Direction& direction : system.directions)
    turned.emplace(direction.velocity, -direction.velocity);
  for (const VelocityChart* chart : {&system.chart, &system.intrinsic})
    for (Expr parameter : chart->parameters) turned.insert_or_assign(parameter, -parameter);
  std::vector<ConstraintFriction> result;
  for (std::size_t k = 0; k < system.constraints.size(); ++k) {
    const Constraint& constraint = system.constraints[k];
    const bool is_contact = std::any_of(system.contacts.begin(), system.contacts.end(),
                                        [&](const Contact& contact) { return contact.constraint == k; });
    if (is_contact || constraint.power_kind != PowerKind::given || !has_norm(constraint.power)) continue;
    const Expr part =
        (constraint.power + substitute(constraint.power, turned)) * system.pool->number(Rational(1, 2));
    if (!part.is_zero()) result.push_back({constraint.name, constraint.factor, constraint.factor * part});
  }
  return result;
}

bool pushes(double power, double size) {
  constexpr double rounding = 1e-9;
  return power > rounding * size;
}

std::string text_of_pushing(const ConstraintFriction& friction, double factor) {
  return fmt::format(
      "the factor of `{0}` is {1}, and its friction pushes along the slip; `F*sign(lambda({0}))` in the "
      "place "
      "of the coefficient F resists with either sign of the factor",
      friction.name, factor < 0 ? "negative" : "positive");
}

}  // namespace liaison
