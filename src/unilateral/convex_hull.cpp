#include "convex_hull.hpp"

#include <cstddef>

namespace liaison {

namespace {

/// sum_j weight_j column_j = right with weights that are not negative: one artificial weight a row, whose sum
/// is made least.
class Feasibility {
 public:
  void add_row(std::vector<Rational> row, Rational right) {
    if (right.sign() < 0) {
      for (Rational& entry : row) entry = -entry;
      right = -right;
    }
    row.push_back(std::move(right));
    rows_.push_back(std::move(row));
  }

  bool holds() {
    if (rows_.empty()) return true;
    const std::size_t columns = rows_[0].size() - 1;
    basis_.assign(rows_.size(), columns);  // artificial
    for (;;) {
      std::size_t entering = columns;
      for (std::size_t j = 0; j < columns && entering == columns; ++j)
        if (falls(j)) entering = j;
      if (entering == columns) break;
      std::size_t leaving = rows_.size();
      Rational least;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i][entering].sign() <= 0) continue;
        const Rational ratio = rows_[i][columns] / rows_[i][entering];
        if (leaving == rows_.size() || ratio < least || (ratio == least && basis_[i] < basis_[leaving])) {
          leaving = i;
          least = ratio;
        }
      }
      pivot(leaving, entering);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (basis_[i] == columns && !rows_[i][columns].is_zero()) return false;
    return true;
  }

 private:
  /// More of this weight makes the sum of the artificial ones less.
  bool falls(std::size_t column) const {
    Rational sum;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (basis_[i] == rows_[i].size() - 1) sum += rows_[i][column];
    return sum.sign() > 0;
  }

  void pivot(std::size_t row, std::size_t column) {
    const Rational by = rows_[row][column];
    for (Rational& entry : rows_[row]) entry = entry / by;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i == row || rows_[i][column].is_zero()) continue;
      const Rational times = rows_[i][column];
      for (std::size_t j = 0; j < rows_[i].size(); ++j) rows_[i][j] += -(times * rows_[row][j]);
    }
    basis_[row] = column;
  }

  std::vector<std::vector<Rational>> rows_;  ///< the columns, then the right side
  std::vector<std::size_t> basis_;           ///< of each row its weight; the number of columns: artificial
};

}  // namespace

bool is_in_hull(const std::vector<Rational>& point, const std::vector<std::vector<Rational>>& vertices,
                const std::vector<std::vector<Rational>>& rays) {
  Feasibility weights;
  std::vector<Rational> ones(vertices.size(), Rational(1));
  ones.resize(vertices.size() + rays.size());
  weights.add_row(std::move(ones), Rational(1));
  for (std::size_t k = 0; k < point.size(); ++k) {
    std::vector<Rational> row;
    for (const auto& vertex : vertices) row.push_back(vertex[k]);
    for (const auto& ray : rays) row.push_back(ray[k]);
    weights.add_row(std::move(row), point[k]);
  }
  return weights.holds();
}

}  // namespace liaison
