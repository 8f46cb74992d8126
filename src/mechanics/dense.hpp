#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

/// Dense linear algebra in doubles, compiled once: what factorises and multiplies matrices takes seconds to
/// compile in every source that names it. For what is not asked for in an inner loop, and for whoever does
/// not mind a call.
namespace liaison {

/// Factors with row pivoting of a regular square matrix.
class DenseLu {
 public:
  DenseLu();
  explicit DenseLu(const Eigen::MatrixXd& matrix);
  DenseLu(DenseLu&&) noexcept;
  DenseLu& operator=(DenseLu&&) noexcept;
  ~DenseLu();

  /// Takes no memory where the last matrix had the same size.
  void compute(const Eigen::MatrixXd& matrix);
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::MatrixXd solve_all(const Eigen::MatrixXd& right) const;
  Eigen::MatrixXd inverse() const;
  /// The pivots.
  Eigen::VectorXd diagonal() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// Factors with full pivoting, which show the rank of a matrix.
class DenseRank {
 public:
  explicit DenseRank(const Eigen::MatrixXd& matrix);
  ~DenseRank();

  /// Pivots below this part of the largest are taken for zero.
  void set_threshold(double threshold);
  Eigen::Index rank() const;
  bool is_invertible() const;
  double largest_pivot() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::MatrixXd solve_all(const Eigen::MatrixXd& right) const;
  Eigen::MatrixXd inverse() const;
  Eigen::MatrixXd kernel() const;  ///< one column of zeros where there is nothing
  Eigen::Index dimension_of_kernel() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// The shortest solutions with the least |a x - b|.
class DenseLeast {
 public:
  explicit DenseLeast(const Eigen::MatrixXd& a);
  /// Columns that add less than this part of the largest to the span are taken for dependent.
  DenseLeast(const Eigen::MatrixXd& a, double threshold);
  ~DenseLeast();

  Eigen::Index rank() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::MatrixXd solve_all(const Eigen::MatrixXd& right) const;
  Eigen::MatrixXd kernel() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// Solutions by columns that are chosen in turn, each the one that adds the most.
class DensePivoted {
 public:
  explicit DensePivoted(const Eigen::MatrixXd& a);
  DensePivoted(const Eigen::MatrixXd& a, double threshold);
  ~DensePivoted();

  Eigen::Index rank() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::MatrixXd solve_all(const Eigen::MatrixXd& right) const;
  /// An orthonormal basis of the span.
  Eigen::MatrixXd basis() const;
  /// The upper triangle, and which column stands in each of its places.
  Eigen::MatrixXd triangle() const;
  std::vector<Eigen::Index> order() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// Singular values, the largest first, and what vectors are asked for: as many of the left ones as there are
/// values, as many of the right ones, or all of the right ones.
class DenseSingular {
 public:
  enum class Vectors { none, left, both, all_right, left_and_all_right };
  DenseSingular(const Eigen::MatrixXd& a, Vectors vectors);
  ~DenseSingular();

  const Eigen::VectorXd& values() const;
  const Eigen::MatrixXd& left() const;
  const Eigen::MatrixXd& right() const;
  /// The shortest solution; values below this part of the largest are taken for zero.
  Eigen::VectorXd solve(const Eigen::VectorXd& right, double threshold);

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// Whether a matrix is far enough from singular. Cholesky's pivots tell it quickly where it is symmetric and
/// far from it; others are looked at with care.
bool is_regular(const Eigen::MatrixXd& matrix);

/// The shortest x with the least |a x - b|.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
/// An orthonormal basis of the whole space whose first column is along a direction.
Eigen::MatrixXd completed(const Eigen::VectorXd& direction);
/// With the same span as the columns, which are independent.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& columns);
Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
double determinant(const Eigen::MatrixXd& matrix);
/// Eigenvalues and right eigenvectors, and the left ones as rows: the inverse of these.
struct DenseEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd right, left;
};
DenseEigen eigen_of(const Eigen::MatrixXd& matrix);
/// The least size of the pivots of a symmetric matrix.
double least_pivot(const Eigen::MatrixXd& symmetric);
/// The least real part of the eigenvalues.
double least_real_part(const Eigen::MatrixXd& matrix);
/// An orthonormal basis of the columns' span, and the shortest x with a x = basis. Columns that add less than
/// this part of the largest to the span are taken for dependent.
struct DenseRange {
  Eigen::MatrixXd basis, preimages;
};
DenseRange range_of(const Eigen::MatrixXd& a, double threshold);
/// w^-1 b for a symmetric w.
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& w, const Eigen::MatrixXd& b);

/// The lower factor l of w = l l^T; false where w is not positive definite.
bool factorise_positive(const Eigen::MatrixXd& w, Eigen::MatrixXd& l);
/// l^-1 b, and l^-T b of a vector.
Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& l, const Eigen::MatrixXd& b);
Eigen::VectorXd solve_upper(const Eigen::MatrixXd& l, const Eigen::VectorXd& b);

}  // namespace liaison
