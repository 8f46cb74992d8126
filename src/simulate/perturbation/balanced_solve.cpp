#include "simulate/perturbation/balanced_solve.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Powers of two that bring the entries of a matrix near to one size: the least squares of their logarithms,
/// by rows and columns in turn. Masses of an atom beside gradients of one are as large as these then,
/// whatever stands in their rows.
void bring_entries_together(const MatrixXd& a, VectorXd& rows, VectorXd& columns) {
  constexpr double wide = 20;  // in powers of two
  constexpr int most = 40;
  const auto counts = [&](Index i, Index j) { return a(i, j) != 0 && std::isfinite(a(i, j)); };
  double least = INFINITY, largest = 0;
  for (Index j = 0; j < a.cols(); ++j) {
    for (Index i = 0; i < a.rows(); ++i) {
      if (!counts(i, j)) continue;
      least = std::min(least, std::abs(a(i, j)));
      largest = std::max(largest, std::abs(a(i, j)));
    }
  }
  if (!(largest > least) || !(std::log2(largest) - std::log2(least) > wide)) return;
  MatrixXd logs = MatrixXd::Zero(a.rows(), a.cols()), has = logs;
  for (Index j = 0; j < a.cols(); ++j) {
    for (Index i = 0; i < a.rows(); ++i) {
      if (!counts(i, j)) continue;
      has(i, j) = 1;
      logs(i, j) = std::log2(std::abs(a(i, j)));
    }
  }
  const VectorXd in_rows = has.rowwise().sum().cwiseMax(1.0);
  const VectorXd in_columns = has.colwise().sum().transpose().cwiseMax(1.0);
  VectorXd of_rows = VectorXd::Zero(a.rows()), of_columns = VectorXd::Zero(a.cols());
  for (int round = 0; round < most; ++round) {
    const VectorXd before = of_rows;
    of_rows = -(logs.rowwise().sum() + has * of_columns).cwiseQuotient(in_rows);
    of_columns = -(logs.colwise().sum().transpose() + has.transpose() * of_rows).cwiseQuotient(in_columns);
    if ((of_rows - before).cwiseAbs().maxCoeff() < 1) break;
  }
  for (Index i = 0; i < a.rows(); ++i) rows(i) = std::exp2(std::round(of_rows(i)));
  for (Index j = 0; j < a.cols(); ++j) columns(j) = std::exp2(std::round(of_columns(j)));
}

/// Powers of two that bring the rows and the columns of a matrix to one size.
void equilibrate(const MatrixXd& a, VectorXd& rows, VectorXd& columns) {
  rows = VectorXd::Ones(a.rows());
  columns = VectorXd::Ones(a.cols());
  bring_entries_together(a, rows, columns);
  const auto to_one = [](double size) {
    if (size >= 1 && size < 2) return 1.0;
    return size > 0 ? std::exp2(-std::round(std::log2(size) / 2)) : 1.0;
  };
  VectorXd in_rows(a.rows()), in_columns(a.cols());
  for (int round = 0; round < 6; ++round) {
    in_rows.setZero();
    in_columns.setZero();
    for (Index j = 0; j < a.cols(); ++j) {
      for (Index i = 0; i < a.rows(); ++i) {
        const double size = std::abs(rows(i) * a(i, j) * columns(j));
        in_rows(i) = std::max(in_rows(i), size);
        in_columns(j) = std::max(in_columns(j), size);
      }
    }
    bool is_changed = false;
    const auto change = [&](double& scale, double by) {
      is_changed = is_changed || by != 1;
      scale *= by;
    };
    for (Index i = 0; i < a.rows(); ++i) change(rows(i), to_one(in_rows(i)));
    for (Index j = 0; j < a.cols(); ++j) change(columns(j), to_one(in_columns(j)));
    if (!is_changed) return;
  }
}

}  // namespace

bool BalancedSolve::solve(const MatrixXd& matrix, const MatrixXd& right, MatrixXd& solution) {
  if (matrix.size() == 0) {
    solution = MatrixXd::Zero(matrix.cols(), right.cols());
    return true;
  }
  VectorXd rows, columns;
  equilibrate(matrix, rows, columns);
  const MatrixXd a = rows.asDiagonal() * matrix * columns.asDiagonal();
  const MatrixXd b = rows.asDiagonal() * right;
  if (a.rows() == a.cols()) {
    lu_.compute(a);
    const VectorXd pivots = lu_.diagonal().cwiseAbs();
    if (pivots.minCoeff() > 1e-11 * pivots.maxCoeff()) {
      solution = columns.asDiagonal() * lu_.solve_all(b);
      return true;
    }
  }
  const DenseLeast factors(a, 1e-11);
  solution = factors.solve_all(b);
  const MatrixXd left = (a * solution - b).cwiseAbs(),
                 sizes = a.cwiseAbs() * solution.cwiseAbs() + b.cwiseAbs();
  const double whole = sizes.maxCoeff();  // rounding of one column shows in others
  const bool holds = ((1e-7 * sizes - left).array() + 1e-13 * whole >= 0).all();
  solution = columns.asDiagonal() * solution;
  if (const Index open = a.cols() - factors.rank(); holds && open > 0) {  // the least in its own units
    const MatrixXd free = columns.asDiagonal() * factors.kernel();
    solution -= free * DensePivoted(free).solve_all(solution);
  }
  return holds;
}

}  // namespace liaison
