#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "liaison/expr/rational.hpp"

namespace liaison {

/// Numbers c >= 0 with A*c = b, b >= 0: the first phase of the simplex method, with Bland's rule, so that it
/// ends.
class Feasibility {
 public:
  Feasibility(std::vector<std::vector<Rational>> rows, std::vector<Rational> sides)
      : rows_(std::move(rows)), sides_(std::move(sides)), basis_(rows_.size(), none) {}

  bool has_solution() {
    while (const auto column = entering()) {
      const auto row = leaving(*column);
      if (!row) return false;  // cannot be: the sum that is made smaller is >= 0
      pivot(*row, *column);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (basis_[i] == none && !sides_[i].is_zero()) return false;
    }
    return true;
  }

  /// The numbers c of a solution that was found.
  std::vector<Rational> solution() const {
    std::vector<Rational> result(rows_.empty() ? 0 : rows_.front().size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (basis_[i] != none) result[basis_[i]] = sides_[i];
    return result;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);  // an artificial variable

  /// A column that makes the sum of the artificial variables smaller.
  std::optional<std::size_t> entering() const {
    for (std::size_t j = 0; j < rows_.front().size(); ++j) {
      Rational gain;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (basis_[i] == none) gain += rows_[i][j];
      }
      if (gain.sign() > 0) return j;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> leaving(std::size_t column) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i][column].sign() <= 0) continue;
      if (!best) {
        best = i;
        continue;
      }
      const Rational here = sides_[i] / rows_[i][column], there = sides_[*best] / rows_[*best][column];
      // an artificial variable leaves first: its index is the largest
      if (here < there || (here == there && (basis_[*best] != none && basis_[i] < basis_[*best]))) best = i;
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t column) {
    const Rational by = rows_[row][column];
    for (Rational& entry : rows_[row]) entry = entry / by;
    sides_[row] = sides_[row] / by;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Rational times = rows_[i][column];
      if (i == row || times.is_zero()) continue;
      for (std::size_t j = 0; j < rows_[i].size(); ++j) rows_[i][j] += -times * rows_[row][j];
      sides_[i] += -times * sides_[row];
    }
    basis_[row] = column;
  }

  std::vector<std::vector<Rational>> rows_;
  std::vector<Rational> sides_;
  std::vector<std::size_t> basis_;
};

}  // namespace liaison
