#include "regular_part.hpp"

#include <cmath>
#include <utility>

namespace liaison {

Rational simple_rational(double value) {
  constexpr double most = 1e6;
  if (!std::isfinite(value)) return Rational(0);
  const double near = 1e-14 * std::abs(value);
  double rest = value, p0 = 1, q0 = 0, p = std::floor(value), q = 1;
  for (int step = 0; step < 30 && std::abs(p / q - value) > near; ++step) {
    rest = 1 / (rest - std::floor(rest));
    const double whole = std::floor(rest), p1 = whole * p + p0, q1 = whole * q + q0;
    if (!(q1 <= most) || !(std::abs(p1) < 1e15)) return Rational::from_double(value);
    p0 = std::exchange(p, p1);
    q0 = std::exchange(q, q1);
  }
  if (!(std::abs(p) < 1e15)) return Rational::from_double(value);
  return Rational(static_cast<long>(p), static_cast<long>(q));
}

RegularPart regular_part(Eigen::MatrixXd a, const std::vector<bool>& preferred) {
  constexpr double rounding = 1e-10;
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    const double size = a.row(i).cwiseAbs().maxCoeff();
    if (size > 0) a.row(i) /= size;
  }
  RegularPart result;
  for (const bool phase : {true, false}) {
    for (;;) {
      Eigen::Index row = -1, column = -1;
      double best = rounding;
      for (Eigen::Index j = 0; j < a.cols(); ++j) {
        if (preferred[static_cast<std::size_t>(j)] != phase) continue;
        for (Eigen::Index i = 0; i < a.rows(); ++i) {
          if (std::abs(a(i, j)) <= best) continue;
          best = std::abs(a(i, j));
          row = i;
          column = j;
        }
      }
      if (row < 0) break;
      result.rows.push_back(static_cast<std::size_t>(row));
      result.columns.push_back(static_cast<std::size_t>(column));
      const Eigen::RowVectorXd pivot = a.row(row) / a(row, column);
      for (Eigen::Index i = 0; i < a.rows(); ++i) a.row(i) -= a(i, column) * pivot;
      a.row(row).setZero();
      a.col(column).setZero();
    }
  }
  return result;
}

}  // namespace liaison
