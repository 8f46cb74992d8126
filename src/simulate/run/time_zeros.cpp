#include "time_zeros.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

constexpr long digits = 40;
constexpr long most_bits = 4096;

}  // namespace

TimeZeros::TimeZeros(Expr function, Expr time, std::span<const std::pair<Expr, double>> parameters,
                     std::span<const Parameter> declared)
    : function_(with_declared_values(function, parameters, declared)),
      time_(time),
      slope_(derivative(function_, time)),
      curvature_(derivative(slope_, time)),
      point_(shortest_decimals(parameters)),
      roots_(function_, time, point_) {
  if (!curvature_.is_zero()) to_extremum_ = slope_ / curvature_;
  if (!slope_.is_zero()) to_zero_ = function_ / slope_;
}

std::optional<Rational> TimeZeros::value(Expr e, const Rational& t) const {
  if (e.empty()) return {};
  RationalPoint point = point_;
  point.insert_or_assign(time_, t);
  const LongValue result = evaluate_digits(e, point, digits, most_bits);
  if (result.status != EvaluationStatus::ok || !result.value) return {};
  return Rational::parse(result.value->to_string(digits));
}

/// Until its steps are far below what a double tells.
std::optional<Rational> TimeZeros::newton(Expr quotient, Rational t, const Rational& low,
                                          const Rational& high) const {
  constexpr int most_steps = 12;
  constexpr double there = 1e-34;  // of the way
  const double length = (high - low).to_double();
  for (int i = 0; i < most_steps; ++i) {
    const std::optional<Rational> step = value(quotient, t);
    if (!step) return {};
    t = t - *step;
    if (t < low || high < t) return {};
    if (std::abs(step->to_double()) <= there * length) return t;
  }
  return {};
}

std::optional<std::vector<double>> TimeZeros::next_to(double t, double low, double high, int side) const {
  const Rational from = Rational::from_double(low), to = Rational::from_double(high);
  const std::optional<Rational> extremum = newton(to_extremum_, Rational::from_double(t), from, to);
  if (!extremum) return {};
  const std::optional<Rational> there = value(function_, *extremum), bends = value(curvature_, *extremum);
  if (!there || !bends) return {};
  const double height = there->to_double(), curvature = bends->to_double();
  // Zero to forty digits of its terms is given as a number that small.
  constexpr double told = 1e-32;
  const double length = high - low;
  if (!(curvature * side > 0) || std::abs(height) <= told * std::abs(curvature) * length * length) return {};
  if (height * side > 0) return std::vector<double>{};
  const double away = std::sqrt(-2 * height / curvature);
  const double resolution = 64 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), length);
  if (2 * away <= resolution) return {};
  const std::optional<Rational> first =
      newton(to_zero_, *extremum - Rational::from_double(away), from, *extremum);
  const std::optional<Rational> second =
      newton(to_zero_, *extremum + Rational::from_double(away), *extremum, to);
  if (!first || !second) return {};
  return std::vector<double>{first->to_double(), second->to_double()};
}

double TimeZeros::refined(double t, double size) const {
  constexpr double told = 1e-13;
  DoublePoint point;
  for (const auto& [symbol, value] : point_) point.emplace(symbol, value.to_double());
  point.insert_or_assign(time_, t);
  const DoubleValues slope = evaluate(std::span(&slope_, 1), point);
  if (slope.status != EvaluationStatus::ok || slope.values[0] == 0) return t;
  const double error = 8 * std::numeric_limits<double>::epsilon() * size / std::abs(slope.values[0]);
  if (error <= told * std::abs(t)) return t;
  const std::optional<Rational> zero =
      newton(to_zero_, Rational::from_double(t), Rational::from_double(t - 8 * error),
             Rational::from_double(t + 8 * error));
  return zero ? zero->to_double() : t;
}

}  // namespace liaison
