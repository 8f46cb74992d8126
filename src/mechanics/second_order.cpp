#include "second_order.hpp"

#include <algorithm>
#include <cmath>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// The value, or zero where it is rounding: of what is added up, and of the state that it is computed from.
/// Coefficients have their own units, and are not compared with each other.
std::optional<double> value_beside_rounding(Expr e, const DoublePoint& state) {
  constexpr double rounding = 1e-13;
  const std::vector<Expr> symbols = symbols_in(e);
  std::vector<Expr> es{e};
  if (e.is(Op::add)) es.insert(es.end(), e.args().begin(), e.args().end());
  const std::size_t summands = es.size();
  const std::vector<Expr> slopes = gradient(e, symbols);
  es.insert(es.end(), slopes.begin(), slopes.end());
  const DoubleValues found = evaluate(es, state);
  if (found.status != EvaluationStatus::ok) return std::nullopt;
  double size = 0;
  for (std::size_t i = 1; i < summands; ++i) size += std::abs(found.values[i]);
  for (std::size_t j = 0; j < symbols.size(); ++j)
    size += std::abs(found.values[summands + j] * state.at(symbols[j]));
  return std::abs(found.values[0]) <= rounding * size ? 0 : found.values[0];
}

}  // namespace

std::vector<double> SecondOrderEquation::roots() const {
  if (c2 == 0 && c1 == 0) return {};
  if (c2 == 0) return {-c0 / c1};
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
  std::array<double, 3> values{};
  const std::array<Expr, 3> coefficients = second_order_coefficients(motion);
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const auto value = value_beside_rounding(coefficients[i], state);
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  return SecondOrderEquation{values[0], values[1], values[2]};
}

std::optional<HigherDerivative> higher_derivative(const Motion& motion, const DoublePoint& state) {
  constexpr std::size_t longest = 2000;  // nodes
  if (motion.constraints.size() != 1 || motion.relation_count != 1 || !motion.closed_form)
    return std::nullopt;
  const VectorField free = motion.space.motion_field(motion.free_acceleration);
  const VectorField along = motion.space.velocity_field(motion.fields[0]);
  const Expr time = motion.space.system->time;
  DoublePoint point = state;
  const Rational begin = Rational::from_double(point.try_emplace(time, 0.0).first->second);
  // A factor as a function of the time whose rates are like nothing else.
  std::vector<Expr> factors, derivatives;
  for (const long seed : {0L, 7L, -11L}) {
    Expr factor = motion.space.pool().number(0);
    long rate = 3;
    for (int k = 0; k <= highest_derivative; ++k, rate = rate * 5 % 23 - 11)
      factor = factor + motion.space.pool().number(Rational(seed * rate, 13)) * pow(time - begin, k);
    factors.push_back(factor);
    derivatives.push_back(motion.constraints[0].relation);
  }
  for (int order = 1; order <= highest_derivative; ++order) {
    std::vector<double> values;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      derivatives[i] = apply(free, derivatives[i]) + factors[i] * apply(along, derivatives[i]);
      if (postorder(derivatives[i]).size() > longest) return std::nullopt;
      const auto value = value_beside_rounding(derivatives[i], point);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; })) continue;
    const bool depends = std::any_of(values.begin(), values.end(), [&](double value) {
      return std::abs(value - values[0]) > 1e-9 * std::max(std::abs(value), std::abs(values[0]));
    });
    return HigherDerivative{.order = order, .depends = depends, .value = values[0]};
  }
  return HigherDerivative{};
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
