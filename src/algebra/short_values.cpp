#include "short_values.hpp"
#include "expr/raw.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace liaison {

namespace {

constexpr double as_small_as_rounding = 1e-9;

struct Length {
  long most;  ///< the largest numerator over the largest denominator is about 4
  std::array<long, 5> denominators;
};
constexpr std::array<Length, 4> lengths{{{12, {1, 2, 3, 4, 5}},
                                         {30, {3, 5, 7, 8, 10}},
                                         {100, {11, 13, 17, 20, 23}},
                                         {1009, {331, 211, 97, 101, 307}}}};

double clamp_to_doubles(double x) {
  return std::clamp(x, -1e300, 1e300);
}

}  // namespace

double random_unit(Random& random) {
  return static_cast<double>(random() >> 32) / 4294967296.0;
}

Rational short_value(Random& random, int level, const Rational& scale) {
  const Length& length = lengths[static_cast<std::size_t>(std::clamp(level, 0, 3))];
  const long denominator = length.denominators[random() % length.denominators.size()];
  const long most = std::min(length.most, 4 * denominator + 3);
  const Rational size(1 + static_cast<long>(random() % static_cast<unsigned long>(most)), denominator);
  return (random() % 2 == 0 ? -size : size) * scale;
}

Rational simplest_between(double low, double high) {
  const Rational l = Rational::from_double(clamp_to_doubles(low));
  const Rational h = Rational::from_double(clamp_to_doubles(high));
  if (l == h) return l;
  Rational result;
  fmpq_simplest_between(result.raw(), l.raw(), h.raw());
  return result;
}

Rational short_near(double x, double width) {
  if (std::abs(x) < as_small_as_rounding) return 0;
  const double slack = width * std::abs(x);
  return simplest_between(x - slack, x + slack);
}

Rational snapped(double x, double width) {
  const double slack = width * (1 + std::abs(x));
  return simplest_between(x - slack, x + slack);
}

/// Between the ends, but not 0.
Rational simplest_beside_zero(double low, double high) {
  if (low > 0 || high < 0) return simplest_between(low, high);
  return high > -low ? simplest_between(high / 3, high) : simplest_between(low, low / 3);
}

Rational short_inside(Random& random, double low, double high, double reach) {
  const double u = random_unit(random);
  if (std::isinf(low) && std::isinf(high)) return short_value(random, 1, 1);
  const bool from_low = std::isinf(high) || (!std::isinf(low) && std::abs(low) < std::abs(high));
  reach = std::max(reach, 1e-6 * std::abs(from_low ? low : high));
  const double width = high - low;
  const double away = width > 8 * reach ? (0.3 + 4 * u * u) * reach : (0.25 + 0.5 * u) * width;
  const double slack = width > 8 * reach ? 0.1 * away : 0.1 * width;
  const double middle = from_low ? low + away : high - away;
  return simplest_beside_zero(middle - slack, middle + slack);
}

}  // namespace liaison
