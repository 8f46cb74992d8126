#include "quaternion_chart.hpp"

namespace liaison {

QuaternionChart chart_of_quaternions(const StateFlow& flow) {
  QuaternionChart result;
  for (const auto& e : flow.quaternions) {
    const Expr length = pow(e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + Rational(1), Rational(-1, 2));
    result.chart.emplace(e[0], length);
    for (std::size_t k = 1; k < 4; ++k) {
      result.chart.emplace(e[k], e[k] * length);
      result.back.emplace(e[k], e[k] / e[0]);
    }
  }
  return result;
}

std::vector<Substitution> rational_quaternions(const StateFlow& flow) {
  if (flow.quaternions.empty()) return {Substitution{}};
  constexpr std::array<std::array<long, 4>, 4> places{
      {{11, 0, 0, 0}, {1, 2, 4, 10}, {7, 6, 6, 0}, {-4, 8, 5, 4}}};
  std::vector<Substitution> result;
  for (std::size_t first = 0; first < places.size(); ++first) {
    Substitution place;
    for (std::size_t i = 0; i < flow.quaternions.size(); ++i) {
      const auto& numbers = places[(first + i) % places.size()];
      for (std::size_t k = 0; k < 4; ++k)
        place.emplace(flow.quaternions[i][k], flow.time.pool().number(Rational(numbers[k], 11)));
    }
    result.push_back(std::move(place));
  }
  return result;
}

Matrix in_quaternion_chart(Algebra& algebra, const StateFlow& flow, Matrix matrix) {
  if (flow.quaternions.empty()) return matrix;
  const Substitution chart = chart_of_quaternions(flow).chart;
  for (Expr& entry : matrix.entries) {
    if (!entry.is_constant()) entry = algebra.canonical(substitute(entry, chart)).value;
  }
  return matrix;
}

}  // namespace liaison
