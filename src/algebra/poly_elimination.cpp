#include <algorithm>

#include "linear.hpp"

namespace liaison {

PolyElimination::PolyElimination(PolyMatrix matrix, std::size_t pivot_columns)
    : matrix_(std::move(matrix)), pivot_columns_(pivot_columns), is_used_(matrix_.rows(), 0) {
  for (std::size_t i = 0; i < matrix_.rows(); ++i) {
    std::vector<Fraction> row;
    for (std::size_t j = 0; j < matrix_.columns(); ++j)
      row.push_back({matrix_(i, j), Poly(matrix_.field().ring(), 1)});
    matrix_.replace_row(i, std::move(row));
  }
  Pivot pivot{};
  while (choose_pivot(pivot)) {
    is_used_[pivot.row] = 1;
    pivots_.push_back(pivot);
    for (std::size_t i = 0; i < matrix_.rows(); ++i) {
      if (!is_used_[i]) eliminate(i, pivot);
    }
  }
}

/// Terms count most: constants first, then what stands in sparse rows and columns.
std::size_t PolyElimination::cost(std::size_t row, std::size_t column) const {
  const Poly& entry = matrix_(row, column);
  std::size_t in_row = 0, in_column = 0;
  for (std::size_t j = 0; j < matrix_.columns(); ++j) in_row += !matrix_(row, j).is_zero();
  for (std::size_t i = 0; i < matrix_.rows(); ++i) in_column += !is_used_[i] && !matrix_(i, column).is_zero();
  return (entry.is_constant() ? 0 : 8 * entry.terms()) + (in_row - 1) * (in_column - 1);
}

bool PolyElimination::choose_pivot(Pivot& best) const {
  bool found = false;
  std::size_t lowest = 0;
  for (std::size_t i = 0; i < matrix_.rows(); ++i) {
    if (is_used_[i]) continue;
    for (std::size_t j = 0; j < pivot_columns_; ++j) {
      if (matrix_(i, j).is_zero()) continue;
      const std::size_t size = cost(i, j);
      if (found && size >= lowest) continue;
      found = true;
      lowest = size;
      best = {i, j};
    }
  }
  return found;
}

/// row := pivot*row - entry*pivot_row, over their common factor.
void PolyElimination::eliminate(std::size_t row, const Pivot& pivot) {
  if (matrix_(row, pivot.column).is_zero()) return;
  const Poly common = gcd(matrix_(row, pivot.column), matrix_(pivot.row, pivot.column));
  const Poly left = exact_quotient(matrix_(pivot.row, pivot.column), common);
  const Poly right = exact_quotient(matrix_(row, pivot.column), common);
  std::vector<Fraction> fractions;
  fractions.reserve(matrix_.columns());
  for (std::size_t j = 0; j < matrix_.columns(); ++j) {
    const bool is_cleared = j == pivot.column;
    fractions.push_back(is_cleared
                            ? matrix_.field().integer(0)
                            : matrix_.field().reduce(matrix_(row, j) * left - matrix_(pivot.row, j) * right));
  }
  matrix_.replace_row(row, std::move(fractions));
}

bool PolyElimination::has_contradiction() const {
  for (std::size_t i = 0; i < matrix_.rows(); ++i) {
    if (is_used_[i]) continue;
    for (std::size_t j = pivot_columns_; j < matrix_.columns(); ++j) {
      if (!matrix_(i, j).is_zero()) return true;
    }
  }
  return false;
}

void PolyElimination::reduce_upwards() {
  for (std::size_t k = pivots_.size(); k-- > 1;) {
    for (std::size_t i = 0; i < k; ++i) eliminate(pivots_[i].row, pivots_[k]);
  }
}

}  // namespace liaison
