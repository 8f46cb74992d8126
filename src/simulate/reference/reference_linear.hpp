#pragma once

#include <string>
#include <vector>

#include "compile/raw.hpp"
#include "expr/raw.hpp"
#include "liaison/compile/multiprecision.hpp"

namespace liaison {

class LongMatrix {
 public:
  LongMatrix() = default;
  LongMatrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), entries_(rows * columns) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  LongReal& operator()(std::size_t i, std::size_t j) { return entries_[i * columns_ + j]; }
  const LongReal& operator()(std::size_t i, std::size_t j) const { return entries_[i * columns_ + j]; }
  void set_zero();

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<LongReal> entries_;
};

/// y += a*x, y -= a*x.
inline void add_product(LongReal& y, const LongReal& a, const LongReal& x, long bits) {
  arf_addmul(y.raw(), a.raw(), x.raw(), bits, ARF_RND_DOWN);
}
inline void subtract_product(LongReal& y, const LongReal& a, const LongReal& x, long bits) {
  arf_submul(y.raw(), a.raw(), x.raw(), bits, ARF_RND_DOWN);
}

/// Gaussian elimination with row pivots relative to the size of each row.
class LongFactorisation {
 public:
  /// Takes the matrix apart in place; false if a pivot is below `threshold` times the size of its row.
  bool factor(LongMatrix& matrix, double threshold, long bits);
  /// Replaces column `column` of b by the solution.
  void solve(LongMatrix& b, std::size_t column) const;

 private:
  LongMatrix* matrix_ = nullptr;
  long bits_ = 0;
  std::vector<std::size_t> row_;  ///< of the matrix, in the order of elimination
  std::vector<LongReal> reciprocal_;
  mutable std::vector<LongReal> work_;
};

/// Any system, with a decision on its rank: the solution of least norm, and the directions that stay open.
struct RankSolution {
  std::vector<LongReal> x;
  std::vector<std::vector<LongReal>> open;
  bool consistent = true;
  std::size_t worst_row = 0;  ///< where it is not consistent
};
/// `row_size` and `right_size` bound the terms of which the entries of a row and its right-hand side were
/// summed: what is smaller by `threshold` is zero.
RankSolution solve_with_rank(LongMatrix a, std::vector<LongReal> b, const std::vector<double>& row_size,
                             const std::vector<double>& right_size, double threshold, long bits);

}  // namespace liaison
