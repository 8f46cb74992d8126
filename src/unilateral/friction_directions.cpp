#include <algorithm>
#include <cmath>

#include "friction_problem.hpp"

namespace liaison {

namespace {

double value_at(const std::vector<double>& polynomial, double t) {
  double sum = 0;
  for (std::size_t i = polynomial.size(); i-- > 0;) sum = sum * t + polynomial[i];
  return sum;
}

/// Sum of the sizes of its terms: what a value is compared with.
double size_at(const std::vector<double>& polynomial, double t) {
  double sum = 0;
  for (std::size_t i = polynomial.size(); i-- > 0;) sum = sum * std::abs(t) + std::abs(polynomial[i]);
  return sum;
}

/// Real roots within `bound`: between two roots of the derivative there is at most one.
std::vector<double> real_roots(const std::vector<double>& polynomial, double bound) {
  if (polynomial.size() < 2) return {};
  std::vector<double> derivative;
  for (std::size_t i = 1; i < polynomial.size(); ++i)
    derivative.push_back(static_cast<double>(i) * polynomial[i]);
  const std::vector<double> turns = real_roots(derivative, bound);
  std::vector<double> ends = {-bound};
  ends.insert(ends.end(), turns.begin(), turns.end());
  ends.push_back(bound);
  std::vector<double> roots;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    double low = ends[i], high = ends[i + 1];
    const bool rises = value_at(polynomial, low) < 0;
    if (rises == (value_at(polynomial, high) < 0)) continue;
    while (true) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      ((value_at(polynomial, middle) < 0) == rises ? low : high) = middle;
    }
    roots.push_back(0.5 * (low + high));
  }
  for (const double turn : turns) {  // a root of even order, to rounding
    if (std::abs(value_at(polynomial, turn)) <= 1e-15 * size_at(polynomial, turn)) roots.push_back(turn);
  }
  std::sort(roots.begin(), roots.end());
  return roots;
}

}  // namespace

TrigonometricRoots trigonometric_roots(const std::array<double, 5>& given) {
  const auto value = [&](double s) {
    return given[0] + given[1] * std::cos(s) + given[2] * std::sin(s) + given[3] * std::cos(2 * s) +
           given[4] * std::sin(2 * s);
  };
  // Turned so that it is large at pi, where the tangent of the half angle has its pole.
  double turn = 0, largest = 0, size = 0;
  for (const double c : given) size += std::abs(c);
  for (int i = 0; i < 12; ++i) {
    const double angle = 2 * M_PI * i / 12 + 0.1;
    if (std::abs(value(angle)) <= largest) continue;
    largest = std::abs(value(angle));
    turn = angle - M_PI;
  }
  if (largest <= 1e-13 * size || size == 0) return {{}, true};
  const double c = std::cos(turn), s = std::sin(turn), c2 = std::cos(2 * turn), s2 = std::sin(2 * turn);
  const double a0 = given[0], a1 = given[1] * c + given[2] * s, b1 = given[2] * c - given[1] * s,
               a2 = given[3] * c2 + given[4] * s2, b2 = given[4] * c2 - given[3] * s2;
  const std::vector<double> quartic = {a0 + a1 + a2, 2 * b1 + 4 * b2, 2 * a0 - 6 * a2, 2 * b1 - 4 * b2,
                                       a0 - a1 + a2};
  double bound = 1;
  for (std::size_t i = 0; i < 4; ++i) bound = std::max(bound, 1 + std::abs(quartic[i] / quartic[4]));
  TrigonometricRoots roots;
  for (const double t : real_roots(quartic, bound)) roots.angles.push_back(2 * std::atan(t) + turn);
  return roots;
}

}  // namespace liaison
