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
MatrixXd DenseLu::solve_all(const MatrixXd& right) const {
  return factors_->lu.solve(right);
}
MatrixXd DenseLu::inverse() const {
  return factors_->lu.inverse();
}
VectorXd DenseLu::diagonal() const {
  return factors_->lu.matrixLU().diagonal();
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
MatrixXd DenseRank::solve_all(const MatrixXd& right) const {
  return factors_->lu.solve(right);
}
MatrixXd DenseRank::inverse() const {
  return factors_->lu.inverse();
}
MatrixXd DenseRank::kernel() const {
  return factors_->lu.kernel();
}
Eigen::Index DenseRank::dimension_of_kernel() const {
  return factors_->lu.dimensionOfKernel();
}

struct DenseLeast::Factors {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> qr;
};

DenseLeast::DenseLeast(const MatrixXd& a) : factors_(std::make_unique<Factors>()) {
  factors_->qr.compute(a);
}
DenseLeast::DenseLeast(const MatrixXd& a, double threshold) : factors_(std::make_unique<Factors>()) {
  factors_->qr.setThreshold(threshold);
  factors_->qr.compute(a);
}
DenseLeast::~DenseLeast() = default;

Eigen::Index DenseLeast::rank() const {
  return factors_->qr.rank();
}
VectorXd DenseLeast::solve(const VectorXd& right) const {
  return factors_->qr.solve(right);
}
MatrixXd DenseLeast::solve_all(const MatrixXd& right) const {
  return factors_->qr.solve(right);
}
MatrixXd DenseLeast::kernel() const {
  const auto& qr = factors_->qr;
  return qr.colsPermutation() * qr.matrixZ().adjoint().rightCols(qr.cols() - qr.rank());
}

struct DensePivoted::Factors {
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
};

DensePivoted::DensePivoted(const MatrixXd& a) : factors_(std::make_unique<Factors>()) {
  factors_->qr.compute(a);
}
DensePivoted::DensePivoted(const MatrixXd& a, double threshold) : DensePivoted(a) {
  factors_->qr.setThreshold(threshold);
}
DensePivoted::~DensePivoted() = default;

Eigen::Index DensePivoted::rank() const {
  return factors_->qr.rank();
}
VectorXd DensePivoted::solve(const VectorXd& right) const {
  return factors_->qr.solve(right);
}
MatrixXd DensePivoted::solve_all(const MatrixXd& right) const {
  return factors_->qr.solve(right);
}
MatrixXd DensePivoted::basis() const {
  return factors_->qr.householderQ() * MatrixXd::Identity(factors_->qr.rows(), rank());
}
MatrixXd DensePivoted::triangle() const {
  return factors_->qr.matrixR();
}
std::vector<Eigen::Index> DensePivoted::order() const {
  const auto& indices = factors_->qr.colsPermutation().indices();
  return {indices.begin(), indices.end()};
}

struct DenseSingular::Factors {
  Eigen::JacobiSVD<MatrixXd> svd;
};

DenseSingular::DenseSingular(const MatrixXd& a, Vectors vectors) : factors_(std::make_unique<Factors>()) {
  const auto asked = [&]() -> unsigned {
    switch (vectors) {
      case Vectors::none: return 0;
      case Vectors::left: return Eigen::ComputeThinU;
      case Vectors::both: return Eigen::ComputeThinU | Eigen::ComputeThinV;
      case Vectors::all_right: return Eigen::ComputeFullV;
      case Vectors::left_and_all_right: return Eigen::ComputeThinU | Eigen::ComputeFullV;
    }
    return 0;
  };
  factors_->svd.compute(a, asked());
}
DenseSingular::~DenseSingular() = default;

const VectorXd& DenseSingular::values() const {
  return factors_->svd.singularValues();
}
const MatrixXd& DenseSingular::left() const {
  return factors_->svd.matrixU();
}
const MatrixXd& DenseSingular::right() const {
  return factors_->svd.matrixV();
}
VectorXd DenseSingular::solve(const VectorXd& right, double threshold) {
  factors_->svd.setThreshold(threshold);
  return factors_->svd.solve(right);
}

VectorXd least_squares(const MatrixXd& a, const VectorXd& b) {
  return a.completeOrthogonalDecomposition().solve(b);
}
MatrixXd completed(const VectorXd& direction) {
  const Eigen::HouseholderQR<MatrixXd> factors{MatrixXd(direction)};
  return factors.householderQ();
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
DenseEigen eigen_of(const MatrixXd& matrix) {
  const Eigen::EigenSolver<MatrixXd> eigen(matrix);
  Eigen::MatrixXcd right = eigen.eigenvectors(), left = right.inverse();
  return {eigen.eigenvalues(), std::move(right), std::move(left)};
}
double least_pivot(const MatrixXd& symmetric) {
  return symmetric.ldlt().vectorD().cwiseAbs().minCoeff();
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
