#include "block_order.hpp"

#include <algorithm>
#include <limits>

namespace liaison {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
using Columns = std::vector<std::vector<std::size_t>>;

/// One column for each row, each column once, along alternating paths.
class Matching {
 public:
  explicit Matching(const Columns& columns) : columns_(columns), row_of_(columns.size(), none) {}

  bool find() {
    for (std::size_t row = 0; row < columns_.size(); ++row) {
      seen_.assign(columns_.size(), 0);
      if (!place(row)) return false;
    }
    return true;
  }
  const std::vector<std::size_t>& rows_of_columns() const { return row_of_; }

 private:
  bool place(std::size_t row) {
    for (std::size_t column : columns_[row]) {
      if (row_of_[column] != none) continue;
      row_of_[column] = row;
      return true;
    }
    for (std::size_t column : columns_[row]) {
      if (seen_[column] != 0) continue;
      seen_[column] = 1;
      if (!place(row_of_[column])) continue;
      row_of_[column] = row;
      return true;
    }
    return false;
  }

  const Columns& columns_;
  std::vector<std::size_t> row_of_;
  std::vector<char> seen_;
};

/// Tarjan's strongly connected components: a row needs the rows that its other columns belong to. Each
/// component comes after those that it needs.
class Components {
 public:
  Components(const Columns& columns, const std::vector<std::size_t>& row_of)
      : columns_(columns), row_of_(row_of), number_(columns.size(), none), low_(columns.size(), none) {}

  std::vector<std::vector<std::size_t>> find() {
    for (std::size_t row = 0; row < columns_.size(); ++row) {
      if (number_[row] == none) visit(row);
    }
    return std::move(found_);
  }

 private:
  void visit(std::size_t row) {
    number_[row] = low_[row] = next_++;
    open_.push_back(row);
    for (std::size_t column : columns_[row]) {
      const std::size_t other = row_of_[column];
      if (number_[other] == none) visit(other);
      if (low_[other] != closed) low_[row] = std::min(low_[row], low_[other]);
    }
    if (low_[row] != number_[row]) return;
    std::vector<std::size_t> component;
    for (std::size_t last = none; last != row;) {
      last = open_.back();
      open_.pop_back();
      component.push_back(last);
    }
    for (std::size_t member : component) low_[member] = closed;
    std::sort(component.begin(), component.end());
    found_.push_back(std::move(component));
  }

  static constexpr std::size_t closed = none - 1;
  const Columns& columns_;
  const std::vector<std::size_t>& row_of_;
  std::vector<std::size_t> number_, low_, open_;
  std::vector<std::vector<std::size_t>> found_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<SolvedPart> solved_one_after_another(const Columns& columns_of_row) {
  Matching matching(columns_of_row);
  if (!matching.find()) return {};
  const std::vector<std::size_t>& row_of = matching.rows_of_columns();
  std::vector<std::size_t> column_of(row_of.size());
  for (std::size_t column = 0; column < row_of.size(); ++column) column_of[row_of[column]] = column;
  std::vector<SolvedPart> result;
  for (std::vector<std::size_t>& rows : Components(columns_of_row, row_of).find()) {
    SolvedPart part;
    for (std::size_t row : rows) part.columns.push_back(column_of[row]);
    part.rows = std::move(rows);
    result.push_back(std::move(part));
  }
  return result;
}

}  // namespace liaison
