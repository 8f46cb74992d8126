#include "interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_map>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Interval everything{-infinity, infinity};

bool is_bad(Interval x) {
  return std::isnan(x.low) || std::isnan(x.high);
}

Interval hull(std::initializer_list<double> values) {
  Interval result{infinity, -infinity};
  for (const double value : values) {
    if (std::isnan(value)) return everything;
    result.low = std::min(result.low, value);
    result.high = std::max(result.high, value);
  }
  return result;
}

/// A function that grows; `from` and `to` are the ends of where it has values.
template <class Function>
Interval growing(Interval x, Function f, double from = -infinity, double to = infinity) {
  if (x.low < from || x.high > to) return everything;
  return {f(x.low), f(x.high)};
}

Interval power(Interval x, double exponent) {
  const auto pow = [&](double base) { return std::pow(base, exponent); };
  const bool whole = exponent == std::floor(exponent), even = whole && std::fmod(exponent, 2) == 0;
  const bool has_zero = x.low <= 0 && x.high >= 0;
  if (!whole && x.low < 0) return everything;
  if (exponent < 0 && has_zero && !whole) return {pow(x.high), infinity};
  if (exponent < 0 && has_zero && x.low == 0 && x.high > 0) return {pow(x.high), infinity};
  if (exponent < 0 && has_zero)
    return even ? Interval{std::min(pow(x.low), pow(x.high)), infinity} : everything;
  Interval result = hull({pow(x.low), pow(x.high)});
  if (even && has_zero) result.low = 0;
  return result;
}

Interval cosine(Interval x) {
  constexpr double turn = 2 * std::numbers::pi;
  if (!(x.width() < turn)) return {-1, 1};
  const auto contains = [&](double phase) {  // phase + k turn in x
    const double k = std::ceil((x.low - phase) / turn);
    return phase + k * turn <= x.high;
  };
  Interval result = hull({std::cos(x.low), std::cos(x.high)});
  if (contains(0)) result.high = 1;
  if (contains(std::numbers::pi)) result.low = -1;
  return result;
}

Interval tangent(Interval x) {
  const double k = std::floor((x.low + std::numbers::pi / 2) / std::numbers::pi);
  const double pole = (k + 0.5) * std::numbers::pi;
  if (!(x.width() < std::numbers::pi) || (pole >= x.low && pole <= x.high)) return everything;
  return {std::tan(x.low), std::tan(x.high)};
}

Interval even_growing(Interval x, double (*f)(double)) {  // abs, cosh
  Interval result = hull({f(x.low), f(x.high)});
  if (x.low <= 0 && x.high >= 0) result.low = f(0);
  return result;
}

Interval unary(Op op, Interval x) {
  switch (op) {
    case Op::sin: return cosine({x.low - std::numbers::pi / 2, x.high - std::numbers::pi / 2});
    case Op::cos: return cosine(x);
    case Op::tan: return tangent(x);
    case Op::asin: return growing(x, [](double v) { return std::asin(v); }, -1, 1);
    case Op::acos: {
      const Interval turned = growing(x, [](double v) { return -std::acos(v); }, -1, 1);
      return {-turned.high, -turned.low};
    }
    case Op::atan: return growing(x, [](double v) { return std::atan(v); });
    case Op::sinh: return growing(x, [](double v) { return std::sinh(v); });
    case Op::cosh: return even_growing(x, [](double v) { return std::cosh(v); });
    case Op::tanh: return growing(x, [](double v) { return std::tanh(v); });
    case Op::exp: return growing(x, [](double v) { return std::exp(v); });
    case Op::log: return growing(x, [](double v) { return std::log(v); }, 0);
    case Op::abs: return even_growing(x, [](double v) { return std::abs(v); });
    case Op::sign: return growing(x, [](double v) { return v > 0 ? 1.0 : v < 0 ? -1.0 : 0.0; });
    default: return everything;
  }
}

/// The rate of a function of one argument x, without that of x.
Interval derivative_of(Op op, Interval x, Interval value) {
  const Interval one{1, 1};
  const auto plus_one = [](Interval a) { return Interval{1 + a.low, 1 + a.high}; };
  const auto negative = [](Interval a) { return Interval{-a.high, -a.low}; };
  switch (op) {
    case Op::sin: return unary(Op::cos, x);
    case Op::cos: return negative(unary(Op::sin, x));
    case Op::tan: return plus_one(power(value, 2));
    case Op::asin: return power(plus_one(negative(power(x, 2))), -0.5);
    case Op::acos: return negative(power(plus_one(negative(power(x, 2))), -0.5));
    case Op::atan: return power(plus_one(power(x, 2)), -1);
    case Op::sinh: return unary(Op::cosh, x);
    case Op::cosh: return unary(Op::sinh, x);
    case Op::tanh: return plus_one(negative(power(value, 2)));
    case Op::exp: return value;
    case Op::log: return x.low < 0 ? everything : power(x, -1);
    case Op::abs: return x.low >= 0 ? one : x.high <= 0 ? Interval{-1, -1} : Interval{-1, 1};
    case Op::sign:
      return x.low > 0 || x.high < 0 || (x.low == 0 && x.high == 0) ? Interval{0, 0} : everything;
    default: return everything;
  }
}

}  // namespace

Interval times(Interval a, Interval b) {
  const double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  if (std::isfinite(p[0] + p[1] + p[2] + p[3]))
    return {std::min(std::min(p[0], p[1]), std::min(p[2], p[3])),
            std::max(std::max(p[0], p[1]), std::max(p[2], p[3]))};
  const auto product = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; };
  return hull(
      {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
}

IntervalProgram::IntervalProgram(std::span<const Expr> outputs, std::span<const Expr> variables,
                                 std::span<const std::pair<Expr, double>> values) {
  const std::unordered_map<Expr, double> known(values.begin(), values.end());
  std::unordered_map<Expr, std::size_t> places, variable_places;
  for (std::size_t k = 0; k < variables.size(); ++k) variable_places.emplace(variables[k], k);
  for (Expr node : postorder(outputs)) {
    Step step{.op = node.op(), .args = {}, .value = 0, .variable = {}};
    if (const auto variable = variable_places.find(node); variable != variable_places.end()) {
      step.variable = variable->second;
    } else if (node.is(Op::symbol)) {
      const auto value = known.find(node);
      step.value = value == known.end() ? std::numeric_limits<double>::quiet_NaN() : value->second;
    } else if (node.is(Op::number) || node.is(Op::pi)) {
      step.value = evaluate(node, {});
    } else if (node.is(Op::pow)) {
      step.value = evaluate(node.arg(1), {});
      step.args = {places.at(node.arg(0))};
    } else {
      for (Expr arg : node.args()) step.args.push_back(places.at(arg));
    }
    places.emplace(node, steps_.size());
    steps_.push_back(std::move(step));
  }
  for (Expr output : outputs) outputs_.push_back(places.at(output));
  values_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const bool is_leaf = step.op == Op::number || step.op == Op::pi || step.op == Op::symbol;
    const bool is_constant = is_leaf && !step.variable;
    if (!is_constant) {
      moving_.push_back(i);
    } else if (!std::isnan(step.value)) {
      values_[i] = {step.value, step.value};
    } else {
      values_[i] = everything;
    }
  }
}

void IntervalProgram::run(std::span<const Interval> variables) {
  for (const std::size_t i : moving_) {
    const Step& step = steps_[i];
    const auto arg = [&](std::size_t k) { return values_[step.args[k]]; };
    Interval result;
    switch (step.op) {
      case Op::number:
      case Op::pi:
      case Op::symbol: result = variables[*step.variable]; break;
      case Op::add:
        for (std::size_t k = 0; k < step.args.size(); ++k) {
          result.low += arg(k).low;
          result.high += arg(k).high;
        }
        break;
      case Op::mul:
        result = {1, 1};
        for (std::size_t k = 0; k < step.args.size(); ++k) result = times(result, arg(k));
        break;
      case Op::pow: result = power(arg(0), step.value); break;
      case Op::min: result = {std::min(arg(0).low, arg(1).low), std::min(arg(0).high, arg(1).high)}; break;
      case Op::max: result = {std::max(arg(0).low, arg(1).low), std::max(arg(0).high, arg(1).high)}; break;
      case Op::atan2: result = {-std::numbers::pi, std::numbers::pi}; break;
      case Op::apply: result = everything; break;
      default: result = unary(step.op, arg(0));
    }
    values_[i] = is_bad(result) ? everything : result;
  }
}

Interval IntervalProgram::slope_of(const Step& step, std::span<const Interval> slopes) const {
  const auto arg = [&](std::size_t k) { return values_[step.args[k]]; };
  const auto slope = [&](std::size_t k) { return slopes_[step.args[k]]; };
  const auto plus = [](Interval a, Interval b) { return Interval{a.low + b.low, a.high + b.high}; };
  switch (step.op) {
    case Op::number:
    case Op::pi:
    case Op::symbol: return step.variable ? slopes[*step.variable] : Interval{};
    case Op::add: {
      Interval result;
      for (std::size_t k = 0; k < step.args.size(); ++k) result = plus(result, slope(k));
      return result;
    }
    case Op::mul: {
      Interval product{1, 1}, result;
      for (std::size_t k = 0; k < step.args.size(); ++k) {
        result = plus(times(result, arg(k)), times(product, slope(k)));
        product = times(product, arg(k));
      }
      return result;
    }
    case Op::pow: return times(times({step.value, step.value}, power(arg(0), step.value - 1)), slope(0));
    case Op::min:
    case Op::max: {
      const std::size_t least = step.op == Op::min ? 0 : 1;  // which of two that are in order it is
      if (arg(0).high < arg(1).low) return slope(least);
      if (arg(1).high < arg(0).low) return slope(1 - least);
      return hull_of(slope(0), slope(1));
    }
    case Op::atan2: {
      const Interval y = arg(0), x = arg(1);
      if (y.low <= 0 && y.high >= 0 && x.low <= 0) return everything;  // where it jumps
      const Interval turn = times(y, slope(1)), area = times(x, slope(0));
      const Interval squares = plus(power(x, 2), power(y, 2));
      return times({area.low - turn.high, area.high - turn.low}, power(squares, -1));
    }
    case Op::apply: return everything;
    default:
      return times(derivative_of(step.op, arg(0), values_[static_cast<std::size_t>(&step - steps_.data())]),
                   slope(0));
  }
}

void IntervalProgram::run_slopes(std::span<const Interval> slopes) {
  slopes_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Interval result = slope_of(steps_[i], slopes);
    slopes_[i] = is_bad(result) ? everything : result;
  }
}

}  // namespace liaison
