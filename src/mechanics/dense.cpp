#include "dense.hpp"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

namespace liaison {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct DenseLu::Factors {
  Eigen::PartialPivLU<MatrixXd> lu;
};

DenseLu::DenseLu() : factors_(std::make_unique<Factors>()) {}
DenseLu::DenseLu(const MatrixXd& matrix) : DenseLu() {
  compute(matrix);
}
DenseLu::DenseLu(DenseLu&&) noexcept = default;
DenseLu& DenseLu::operator=(DenseLu&&) noexcept = default;
DenseLu::~DenseLu() = default;

void DenseLu::compute(const MatrixXd& matrix) {
  factors_->lu.compute(matrix);
}
void DenseLu::solve(const VectorXd& right, VectorXd& solution) const {
  solution = factors_->lu.solve(right);
}
VectorXd DenseLu::solve(const VectorXd& right) const {
  return factors_->lu.solve(right);
}
MatrixXd DenseLu::inverse() const {
  return factors_->lu.inverse();
}

struct DenseRank::Factors {
  Eigen::FullPivLU<MatrixXd> lu;
};

DenseRank::DenseRank(const MatrixXd& matrix) : factors_(std::make_unique<Factors>()) {
  factors_->lu.compute(matrix);
}
DenseRank::~DenseRank() = default;

void DenseRank::set_threshold(double threshold) {
  factors_->lu.setThreshold(threshold);
}
Eigen::Index DenseRank::rank() const {
  return factors_->lu.rank();
}
bool DenseRank::is_invertible() const {
  return factors_->lu.isInvertible();
}
double DenseRank::largest_pivot() const {
  return factors_->lu.maxPivot();
}
VectorXd DenseRank::solve(const VectorXd& right) const {
  return factors_->lu.solve(right);
}
MatrixXd DenseRank::kernel() const {
  return factors_->lu.kernel();
}

VectorXd least_squares(const MatrixXd& a, const VectorXd& b) {
  return a.completeOrthogonalDecomposition().solve(b);
}
MatrixXd orthonormal(const MatrixXd& columns) {
  const Eigen::HouseholderQR<MatrixXd> factors(columns);
  return factors.householderQ() * MatrixXd::Identity(columns.rows(), columns.cols());
}
MatrixXd product(const MatrixXd& a, const MatrixXd& b) {
  return a * b;
}
double determinant(const MatrixXd& matrix) {
  return matrix.determinant();
}
double least_real_part(const MatrixXd& matrix) {
  return Eigen::EigenSolver<MatrixXd>(matrix, false).eigenvalues().real().minCoeff();
}
DenseRange range_of(const MatrixXd& a, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
  factors.setThreshold(threshold);
  factors.compute(a);
  const MatrixXd q = factors.householderQ();
  MatrixXd basis = q.leftCols(factors.rank());
  MatrixXd preimages = factors.solve(basis);
  return {std::move(basis), std::move(preimages)};
}
MatrixXd solve_symmetric(const MatrixXd& w, const MatrixXd& b) {
  return w.ldlt().solve(b);
}

bool factorise_positive(const MatrixXd& w, MatrixXd& l) {
  const Eigen::LLT<MatrixXd> cholesky(w);
  if (cholesky.info() != Eigen::Success) return false;
  l = cholesky.matrixL();
  return true;
}
MatrixXd solve_lower(const MatrixXd& l, const MatrixXd& b) {
  return l.triangularView<Eigen::Lower>().solve(b);
}
VectorXd solve_upper(const MatrixXd& l, const VectorXd& b) {
  return l.transpose().triangularView<Eigen::Upper>().solve(b);
}

bool is_regular(const Eigen::MatrixXd& matrix) {
  constexpr double far = 1e-8;
  Eigen::MatrixXd lower;
  if (matrix.isApprox(matrix.transpose(), 1e-13) && factorise_positive(matrix, lower) &&
      (lower.diagonal().array().square() > far * matrix.diagonal().array()).all())
    return true;
  return DenseRank(matrix).is_invertible();
}

}  // namespace liaison
