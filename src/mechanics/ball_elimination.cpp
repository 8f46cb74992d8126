#include "ball_elimination.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "expr/raw.hpp"

namespace liaison {

namespace {

/// Rows by their entries, columns by the rows in which they stand.
class Elimination {
 public:
  Elimination(std::size_t size, const std::vector<BallEntry>& entries, long bits)
      : rows_(size), columns_(size), bits_(bits) {
    for (const BallEntry& entry : entries) {
      if (arb_is_zero(entry.value.raw())) continue;
      rows_[entry.row].insert_or_assign(entry.column, entry.value);
      columns_[entry.column].insert(entry.row);
    }
    for (std::size_t i = 0; i < size; ++i) left_.insert(i);
  }

  bool run() {
    while (!left_.empty()) {
      const auto pivot = choose();
      if (!pivot) return false;
      eliminate(pivot->row, pivot->column);
    }
    return true;
  }

 private:
  struct Place {
    std::size_t row, column;
  };

  /// Markowitz: the least product of the other entries in its row and in its column; no pivot much smaller
  /// than another entry of its row.
  std::optional<Place> choose() const {
    constexpr double least_share = 0.01;
    std::optional<Place> best;
    std::size_t least = 0;
    for (std::size_t row : left_) {
      double largest = 0;
      for (const auto& [column, value] : rows_[row]) largest = std::max(largest, std::abs(value.mid()));
      for (const auto& [column, value] : rows_[row]) {
        if (value.contains_zero() || std::abs(value.mid()) < least_share * largest) continue;
        const std::size_t cost = (rows_[row].size() - 1) * (columns_[column].size() - 1);
        if (best && cost >= least) continue;
        best = Place{row, column};
        least = cost;
        if (cost == 0) return best;
      }
    }
    return best;
  }

  void eliminate(std::size_t pivot_row, std::size_t pivot_column) {
    const std::map<std::size_t, Ball> pivots = std::move(rows_[pivot_row]);
    left_.erase(pivot_row);
    for (const auto& [column, value] : pivots) columns_[column].erase(pivot_row);
    const Ball& pivot = pivots.at(pivot_column);
    for (std::size_t row : columns_[pivot_column]) {
      Ball factor;
      arb_div(factor.raw(), rows_[row].at(pivot_column).raw(), pivot.raw(), bits_);
      rows_[row].erase(pivot_column);
      for (const auto& [column, value] : pivots) {
        if (column == pivot_column) continue;
        arb_submul(rows_[row][column].raw(), factor.raw(), value.raw(), bits_);
        columns_[column].insert(row);
      }
    }
    columns_[pivot_column].clear();
  }

  std::vector<std::map<std::size_t, Ball>> rows_;
  std::vector<std::set<std::size_t>> columns_;
  std::set<std::size_t> left_;  ///< rows without a pivot
  long bits_;
};

}  // namespace

bool is_certainly_regular(std::size_t size, const std::vector<BallEntry>& entries, long bits) {
  return Elimination(size, entries, bits).run();
}

}  // namespace liaison
