#include "liaison/simulate/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison {

Tolerance tolerance_for(double relative, std::span<const double> start, bool has_relations) {
  double largest = 0;
  for (const double number : start) largest = std::max(largest, std::abs(number));
  // What relations are made of may be much larger than a start next to the origin, and so is its rounding.
  const bool measures = largest > 0 && (!has_relations || largest <= relative * 1e-3);
  return {relative, relative * 1e-3 * (measures ? std::min(largest, 1.0) : 1.0)};
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
