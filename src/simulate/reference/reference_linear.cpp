#include "reference_linear.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace liaison {

namespace {

double size_of(const LongReal& x) {
  return std::abs(x.to_double());
}

/// row += factor*other.
void add_row(LongMatrix& a, std::size_t row, const LongReal& factor, std::size_t other, long bits) {
  for (std::size_t j = 0; j < a.columns(); ++j) add_product(a(row, j), factor, a(other, j), bits);
}

}  // namespace

void LongMatrix::set_zero() {
  for (LongReal& entry : entries_) arf_zero(entry.raw());
}

bool LongFactorisation::factor(LongMatrix& matrix, double threshold, long bits) {
  matrix_ = &matrix;
  bits_ = bits;
  const std::size_t n = matrix.rows();
  row_.resize(n);
  reciprocal_.resize(n);
  work_.resize(n);
  std::iota(row_.begin(), row_.end(), std::size_t{0});
  std::vector<double> size(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) size[i] = std::max(size[i], size_of(matrix(i, j)));
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    double largest = -1;
    for (std::size_t i = k; i < n; ++i) {
      const std::size_t row = row_[i];
      const double relative = size[row] > 0 ? size_of(matrix(row, k)) / size[row] : 0;
      if (relative > largest) {
        largest = relative;
        best = i;
      }
    }
    if (!(largest > threshold)) return false;
    std::swap(row_[k], row_[best]);
    const std::size_t pivot = row_[k];
    arf_ui_div(reciprocal_[k].raw(), 1, matrix(pivot, k).raw(), bits, ARF_RND_DOWN);
    for (std::size_t i = k + 1; i < n; ++i) {
      const std::size_t row = row_[i];
      LongReal& entry = matrix(row, k);
      if (entry.is_zero()) continue;
      arf_mul(entry.raw(), entry.raw(), reciprocal_[k].raw(), bits, ARF_RND_DOWN);
      for (std::size_t j = k + 1; j < n; ++j) subtract_product(matrix(row, j), entry, matrix(pivot, j), bits);
    }
  }
  return true;
}

void LongFactorisation::solve(LongMatrix& b, std::size_t column) const {
  const std::size_t n = row_.size();
  for (std::size_t i = 0; i < n; ++i) {
    work_[i] = b(row_[i], column);
    for (std::size_t j = 0; j < i; ++j) subtract_product(work_[i], (*matrix_)(row_[i], j), work_[j], bits_);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) {
      subtract_product(work_[i], (*matrix_)(row_[i], j), work_[j], bits_);
    }
    arf_mul(work_[i].raw(), work_[i].raw(), reciprocal_[i].raw(), bits_, ARF_RND_DOWN);
  }
  for (std::size_t i = 0; i < n; ++i) b(i, column) = work_[i];
}

namespace {

/// Gauss-Jordan elimination with full pivoting; the right-hand side is the last column.
class RankElimination {
 public:
  RankElimination(LongMatrix a, const std::vector<LongReal>& b, const std::vector<double>& row_size,
                  double threshold, long bits)
      : table_(a.rows(), a.columns() + 1), row_size_(row_size), threshold_(threshold), bits_(bits) {
    for (std::size_t i = 0; i < a.rows(); ++i) {
      for (std::size_t j = 0; j < a.columns(); ++j) table_(i, j) = std::move(a(i, j));
      table_(i, a.columns()) = b[i];
    }
    unknowns_ = a.columns();
    row_used_.assign(a.rows(), false);
    row_of_.assign(unknowns_, none);
    column_size_.assign(unknowns_, 0);
    for (std::size_t i = 0; i < table_.rows(); ++i) {
      for (std::size_t j = 0; j < unknowns_; ++j) {
        if (row_size_[i] > 0) column_size_[j] = std::max(column_size_[j], relative(i, j));
      }
    }
    while (eliminate()) {
    }
  }

  RankSolution solution(const std::vector<double>& right_size) const {
    RankSolution result;
    result.x.resize(unknowns_);
    double worst = threshold_, unknown_size = 0;
    for (std::size_t i = 0; i < table_.rows(); ++i) {
      if (row_size_[i] > 0) unknown_size = std::max(unknown_size, right_size[i] / row_size_[i]);
    }
    for (std::size_t i = 0; i < table_.rows(); ++i) {
      if (row_used_[i]) continue;
      const double rest = size_of(table_(i, unknowns_));
      const double scale = std::max(right_size[i], unknown_size * row_size_[i]);
      if (rest <= threshold_ * scale) continue;
      const double share = scale > 0 ? rest / scale : 1;
      if (share > worst) {
        worst = share;
        result.worst_row = i;
      }
      result.consistent = false;
    }
    for (std::size_t j = 0; j < unknowns_; ++j) {
      if (row_of_[j] != none) {
        result.x[j] = table_(row_of_[j], unknowns_);
        continue;
      }
      std::vector<LongReal> direction(unknowns_);
      direction[j] = LongReal(1.0);
      for (std::size_t i = 0; i < unknowns_; ++i) {
        if (row_of_[i] != none) arf_neg(direction[i].raw(), table_(row_of_[i], j).raw());
      }
      result.open.push_back(std::move(direction));
    }
    return result;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  double relative(std::size_t i, std::size_t j) const { return size_of(table_(i, j)) / row_size_[i]; }

  bool eliminate() {
    std::size_t row = none, column = none;
    double largest = threshold_;
    for (std::size_t i = 0; i < table_.rows(); ++i) {
      if (row_used_[i] || !(row_size_[i] > 0)) continue;
      for (std::size_t j = 0; j < unknowns_; ++j) {
        if (row_of_[j] != none || !(column_size_[j] > threshold_)) continue;
        const double share = relative(i, j) / column_size_[j];
        if (share > largest) {
          largest = share;
          row = i;
          column = j;
        }
      }
    }
    if (row == none) return false;
    row_used_[row] = true;
    row_of_[column] = row;
    LongReal factor;
    arf_ui_div(factor.raw(), 1, table_(row, column).raw(), bits_, ARF_RND_DOWN);
    for (std::size_t j = 0; j <= unknowns_; ++j) {
      arf_mul(table_(row, j).raw(), table_(row, j).raw(), factor.raw(), bits_, ARF_RND_DOWN);
    }
    for (std::size_t i = 0; i < table_.rows(); ++i) {
      if (i == row || table_(i, column).is_zero()) continue;
      arf_neg(factor.raw(), table_(i, column).raw());
      add_row(table_, i, factor, row, bits_);
    }
    return true;
  }

  LongMatrix table_;
  const std::vector<double>& row_size_;
  double threshold_;
  long bits_;
  std::size_t unknowns_ = 0;
  std::vector<bool> row_used_;
  std::vector<std::size_t> row_of_;  ///< the pivot row of an unknown
  std::vector<double> column_size_;
};

/// x less its part along the open directions, which are independent.
void take_least_norm(RankSolution& solution, double threshold, long bits) {
  const std::size_t m = solution.open.size();
  const auto product = [bits](const std::vector<LongReal>& a, const std::vector<LongReal>& b) {
    LongReal sum;
    for (std::size_t i = 0; i < a.size(); ++i) add_product(sum, a[i], b[i], bits);
    return sum;
  };
  LongMatrix gram(m, m), share(m, 1);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) gram(i, j) = product(solution.open[i], solution.open[j]);
    share(i, 0) = product(solution.open[i], solution.x);
  }
  LongFactorisation factorisation;
  if (!factorisation.factor(gram, threshold, bits)) return;
  factorisation.solve(share, 0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < solution.x.size(); ++j) {
      subtract_product(solution.x[j], share(i, 0), solution.open[i][j], bits);
    }
  }
}

}  // namespace

RankSolution solve_with_rank(LongMatrix a, std::vector<LongReal> b, const std::vector<double>& row_size,
                             const std::vector<double>& right_size, double threshold, long bits) {
  const RankElimination elimination(std::move(a), b, row_size, threshold, bits);
  RankSolution result = elimination.solution(right_size);
  if (!result.open.empty()) take_least_norm(result, threshold, bits);
  return result;
}

}  // namespace liaison
