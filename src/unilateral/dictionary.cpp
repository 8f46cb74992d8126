#include "dictionary.hpp"

#include <algorithm>

namespace liaison {

Dictionary::Dictionary(const Complementarity& problem) : count_(problem.drive.size()), noise_(problem.noise) {
  for (std::size_t k = 0; k < count_; ++k) {
    columns_.push_back(k);
    basis_.push_back(count_ + k);
    std::vector<Rational>& row = entries_.emplace_back();
    for (std::size_t h = 0; h < count_; ++h) row.push_back(problem.r[h][k]);
    row.push_back(problem.drive[k]);
  }
  find_feasible();
}

/// A further variable x >= 0 on every right side makes a point at once; there is one without it where x can
/// be held at zero.
void Dictionary::find_feasible() {
  std::size_t worst = none;
  for (std::size_t i = 0; i < basis_.size(); ++i) {
    if (entries_[i].back().sign() < 0 && (worst == none || entries_[i].back() < entries_[worst].back()))
      worst = i;
  }
  if (worst == none) return;
  const std::size_t extra = 2 * count_;
  columns_.push_back(extra);
  for (auto& row : entries_) row.insert(row.end() - 1, Rational(1));
  pivot(worst, columns_.size() - 1);
  feasible_ = fix(extra);
}

std::size_t Dictionary::row_of(std::size_t variable) const {
  const auto found = std::find(basis_.begin(), basis_.end(), variable);
  return found == basis_.end() ? none : static_cast<std::size_t>(found - basis_.begin());
}

std::size_t Dictionary::column_of(std::size_t variable) const {
  const auto found = std::find(columns_.begin(), columns_.end(), variable);
  return found == columns_.end() ? none : static_cast<std::size_t>(found - columns_.begin());
}

/// The row that bounds the growth of a column first; of several the preferred one, else (Bland) that of the
/// smallest variable. None: nothing bounds it.
std::size_t Dictionary::leaving(std::size_t column, std::size_t preferred) const {
  std::size_t best = none;
  Rational least;
  for (std::size_t i = 0; i < basis_.size(); ++i) {
    if (entries_[i][column].sign() >= 0) continue;
    Rational ratio = entries_[i].back() / -entries_[i][column];
    const bool tie = best != none && ratio == least;
    if (best == none || ratio < least ||
        (tie && (i == preferred || (best != preferred && basis_[i] < basis_[best])))) {
      best = i;
      least = std::move(ratio);
    }
  }
  return best;
}

void Dictionary::pivot(std::size_t row, std::size_t column) {
  std::vector<Rational>& source = entries_[row];
  const Rational inverse = Rational(1) / source[column];
  for (std::size_t j = 0; j < source.size(); ++j) {
    if (j != column && !source[j].is_zero()) source[j] = -(source[j] * inverse);
  }
  source[column] = inverse;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i == row || entries_[i][column].is_zero()) continue;
    const Rational factor = entries_[i][column];
    for (std::size_t j = 0; j < source.size(); ++j) {
      if (j == column) {
        entries_[i][j] = factor * inverse;
      } else if (!source[j].is_zero()) {
        entries_[i][j] = sum_beside_noise(entries_[i][j], factor * source[j], noise_);
      }
    }
  }
  std::swap(basis_[row], columns_[column]);
}

void Dictionary::drop_column(std::size_t column) {
  const auto place = static_cast<std::ptrdiff_t>(column);
  columns_.erase(columns_.begin() + place);
  for (auto& row : entries_) row.erase(row.begin() + place);
}

void Dictionary::drop_row(std::size_t row) {
  const auto place = static_cast<std::ptrdiff_t>(row);
  basis_.erase(basis_.begin() + place);
  entries_.erase(entries_.begin() + place);
}

bool Dictionary::fix(std::size_t variable) {
  for (;;) {
    if (const std::size_t column = column_of(variable); column != none) {
      drop_column(column);
      return true;
    }
    const std::size_t row = row_of(variable);
    if (row == none) return true;  // held already
    std::size_t entering = none;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      if (entries_[row][j].sign() < 0 && (entering == none || columns_[j] < columns_[entering])) entering = j;
    }
    if (entering != none) {
      pivot(leaving(entering, row), entering);
      continue;
    }
    if (entries_[row].back().sign() > 0) return false;
    // Zero at its least: it leaves by any column, at the same point.
    const auto positive = std::find_if(entries_[row].begin(), entries_[row].end() - 1,
                                       [](const Rational& entry) { return entry.sign() > 0; });
    if (positive == entries_[row].end() - 1) {
      drop_row(row);  // zero wherever we are
      return true;
    }
    pivot(row, static_cast<std::size_t>(positive - entries_[row].begin()));
  }
}

bool Dictionary::can_be_positive(std::size_t variable) {
  if (const std::size_t column = column_of(variable); column != none) {
    const std::size_t row = leaving(column, none);
    if (row == none) return true;
    pivot(row, column);
  }
  for (;;) {
    const std::size_t row = row_of(variable);
    if (row == none) return false;
    if (entries_[row].back().sign() > 0) return true;
    std::size_t entering = none;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      if (entries_[row][j].sign() > 0 && (entering == none || columns_[j] < columns_[entering])) entering = j;
    }
    if (entering == none) return false;
    const std::size_t out = leaving(entering, none);
    if (out == none) return true;
    pivot(out, entering);
  }
}

bool Dictionary::is_certainly_positive(std::size_t variable) const {
  const std::size_t row = row_of(variable);
  return row != none && entries_[row].back().sign() > 0 &&
         std::all_of(entries_[row].begin(), entries_[row].end(),
                     [](const Rational& entry) { return entry.sign() >= 0; });
}

bool Dictionary::is_certainly_zero(std::size_t variable) const {
  const std::size_t row = row_of(variable);
  if (row == none) return column_of(variable) == none;
  return entries_[row].back().is_zero() &&
         std::all_of(entries_[row].begin(), entries_[row].end(),
                     [](const Rational& entry) { return entry.sign() <= 0; });
}

bool Dictionary::is_positive(std::size_t variable) const {
  const std::size_t row = row_of(variable);
  return row != none && entries_[row].back().sign() > 0;
}

Dictionary::Row Dictionary::row(std::size_t variable) const {
  Row result;
  result.coefficients.resize(columns_.size());
  if (const std::size_t column = column_of(variable); column != none) {
    result.coefficients[column] = Rational(1);
  } else if (const std::size_t row = row_of(variable); row != none) {
    result.constant = entries_[row].back();
    std::copy(entries_[row].begin(), entries_[row].end() - 1, result.coefficients.begin());
  }
  return result;
}

}  // namespace liaison
