#include "simulate/perturbation/balanced_solve.hpp"

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
  MatrixXd logs = MatrixXd::Zero(a.rows(), a.cols()), has = logs;
  double least = INFINITY, largest = -INFINITY;
  for (Index j = 0; j < a.cols(); ++j) {
    for (Index i = 0; i < a.rows(); ++i) {
      if (a(i, j) == 0 || !std::isfinite(a(i, j))) continue;
      has(i, j) = 1;
      logs(i, j) = std::log2(std::abs(a(i, j)));
      least = std::min(least, logs(i, j));
      largest = std::max(largest, logs(i, j));
    }
  }
  if (!(largest - least > wide)) return;
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
    return size > 0 ? std::exp2(-std::round(std::log2(size) / 2)) : 1.0;
  };
  for (int round = 0; round < 6; ++round) {
    const MatrixXd now = (rows.asDiagonal() * a * columns.asDiagonal()).cwiseAbs();
    for (Index i = 0; i < a.rows(); ++i) rows(i) *= to_one(now.row(i).maxCoeff());
    for (Index j = 0; j < a.cols(); ++j) columns(j) *= to_one(now.col(j).maxCoeff());
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
    const double least = lu_.matrixLU().diagonal().cwiseAbs().minCoeff(),
                 most = lu_.matrixLU().diagonal().cwiseAbs().maxCoeff();
    if (least > 1e-11 * most) {
      solution = columns.asDiagonal() * lu_.solve(b);
      return true;
    }
  }
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
  factors.setThreshold(1e-11);
  factors.compute(a);
  solution = factors.solve(b);
  const MatrixXd left = (a * solution - b).cwiseAbs(),
                 sizes = a.cwiseAbs() * solution.cwiseAbs() + b.cwiseAbs();
  const double whole = sizes.maxCoeff();  // rounding of one column shows in others
  const bool holds = ((1e-7 * sizes - left).array() + 1e-13 * whole >= 0).all();
  solution = columns.asDiagonal() * solution;
  if (const Index open = a.cols() - factors.rank(); holds && open > 0) {  // the least in its own units
    const MatrixXd kernel = factors.colsPermutation() * factors.matrixZ().adjoint().rightCols(open);
    const MatrixXd free = columns.asDiagonal() * kernel;
    solution -= free * free.colPivHouseholderQr().solve(solution);
  }
  return holds;
}

}  // namespace liaison
