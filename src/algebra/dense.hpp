#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace liaison {

/// A small matrix of doubles. What is computed with it guides a search and decides nothing.
class DenseMatrix {
 public:
  DenseMatrix() = default;
  DenseMatrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), entries_(rows * columns) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double& operator()(std::size_t i, std::size_t j) { return entries_[i * columns_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries_[i * columns_ + j]; }
  std::span<const double> row(std::size_t i) const { return {entries_.data() + i * columns_, columns_}; }

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> entries_;
};

/// The least s with |A s - b|^2 + damping*|s|^2 minimal, by (A A^T + damping) y = b, s = A^T y; nothing where
/// that breaks down.
std::optional<std::vector<double>> damped_least_norm(const DenseMatrix& a, std::span<const double> b,
                                                     double damping);

/// Rows and columns of pivots of Gaussian elimination with complete pivoting, rows scaled to largest entry 1,
/// columns by the weights; it ends where no pivot is above `threshold`.
std::vector<std::pair<std::size_t, std::size_t>> pivots(DenseMatrix a, std::span<const double> weights,
                                                        double threshold);

}  // namespace liaison
