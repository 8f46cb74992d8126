#include "liaison/simulate/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison {

Tolerance tolerance_for(double relative, std::span<const double> start, double relations) {
  double largest = relations;
  for (const double number : start) largest = std::max(largest, std::abs(number));
  return {relative, relative * 1e-3 * (largest > 0 ? std::min(largest, 1.0) : 1.0)};
}

double shortest_step(double t) {
  // At t = 0 every length can be told apart: what is left are numbers that keep all their digits.
  constexpr double least = 1e6 * std::numeric_limits<double>::min();
  return std::max(8 * std::numeric_limits<double>::epsilon() * std::abs(t), least);
}

double StepClock::next(double t, double length, double end) const {
  const double left = end - t;
  if (std::abs(left) <= length * (1 + 1e-9)) return end;
  return origin_ + (count_ + std::copysign(1.0, left)) * length;
}

void StepClock::advance(double t, double length, double end) {
  const double count = count_ + std::copysign(1.0, end - t), node = origin_ + count * length;
  const double reached = next(t, length, end);
  if (std::abs(reached - node) > 1e-9 * length) return begin(reached);
  count_ = count;
}

}  // namespace liaison
