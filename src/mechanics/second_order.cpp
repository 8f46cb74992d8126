#include "second_order.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

std::vector<double> SecondOrderEquation::roots() const {
  const double size = std::max({std::abs(c2), std::abs(c1), std::abs(c0)});
  if (std::abs(c2) < 1e-14 * size) {
    if (std::abs(c1) < 1e-14 * size) return {};
    return {-c0 / c1};
  }
  const double discriminant = c1 * c1 - 4 * c2 * c0;
  const double rounding = 1e-12 * std::max(c1 * c1, std::abs(4 * c2 * c0));
  if (discriminant < -rounding) return {};
  if (discriminant <= rounding) return {-c1 / (2 * c2)};
  const double q = -(c1 + std::copysign(std::sqrt(discriminant), c1)) / 2;
  std::vector<double> result{q / c2, c0 / q};
  std::sort(result.begin(), result.end());
  return result;
}

std::array<Expr, 3> second_order_coefficients(const Motion& motion) {
  const VectorField free = motion.space.motion_field(motion.free_acceleration);
  const VectorField along = motion.space.velocity_field(motion.fields[0]);
  const Expr ea = motion.r(0, 0), free_a = motion.drive[0];
  return {apply(along, ea), apply(along, free_a) + apply(free, ea), apply(free, free_a)};
}

std::optional<SecondOrderEquation> second_order_equation(Algebra&, const Motion& motion,
                                                         const DoublePoint& state) {
  if (motion.constraints.size() != 1 || motion.relation_count != 1 || !motion.closed_form)
    return std::nullopt;
  const std::array<Expr, 3> coefficients = second_order_coefficients(motion);
  const DoubleValues values = evaluate(coefficients, state);
  if (values.status != EvaluationStatus::ok) return std::nullopt;
  SecondOrderEquation result{values.values[0], values.values[1], values.values[2]};
  if (std::max({std::abs(result.c2), std::abs(result.c1), std::abs(result.c0)}) < 1e-13) return std::nullopt;
  return result;
}

bool asks_nothing(Algebra& algebra, const Motion& motion, const Substitution& parameters) {
  if (motion.constraints.size() != 1 || motion.relation_count != 1) return false;
  const auto vanishes = [&](Expr e) {
    if (e.empty()) return true;
    const Expr there = substitute(e, parameters);
    return there.is_zero() || algebra.is_zero(there).is_proved();
  };
  return vanishes(motion.constraints[0].level) && vanishes(motion.constraints[0].relation);
}

}  // namespace liaison
