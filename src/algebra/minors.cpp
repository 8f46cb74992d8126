#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <unordered_set>

#include "linear.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_states = std::size_t{1} << 14;

bool is_odd_permutation(const std::vector<std::size_t>& order) {
  bool odd = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) odd ^= order[i] > order[j];
  }
  return odd;
}

std::vector<std::size_t> bits_of(ColumnSet set) {
  std::vector<std::size_t> result;
  for (; set != 0; set &= set - 1) result.push_back(static_cast<std::size_t>(std::countr_zero(set)));
  return result;
}

}  // namespace

Minors::Minors(const PolyMatrix& matrix, std::vector<std::size_t> rows) : matrix_(matrix) {
  std::vector<ColumnSet> patterns(rows.size(), 0);
  std::vector<std::size_t> sizes(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < std::min(matrix.columns(), max_set_columns); ++j) {
      const Poly& entry = matrix(rows[i], j);
      if (entry.is_zero()) continue;
      patterns[i] |= ColumnSet{1} << j;
      sizes[i] += entry.terms();
    }
  }
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(std::popcount(patterns[a]), sizes[a], a) <
           std::tuple(std::popcount(patterns[b]), sizes[b], b);
  });
  odd_ = is_odd_permutation(order);
  for (std::size_t i : order) {
    rows_.push_back(rows[i]);
    patterns_.push_back(patterns[i]);
  }
}

bool Minors::is_feasible(std::span<const ColumnSet> targets) const {
  if (matrix_.columns() > max_set_columns || !matrix_.field().has_integral_relations()) return false;
  std::unordered_set<ColumnSet> level(targets.begin(), targets.end());
  std::size_t states = level.size();
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    std::unordered_set<ColumnSet> next;
    for (ColumnSet set : level) {
      for (ColumnSet rest = set & patterns_[row]; rest != 0; rest &= rest - 1)
        next.insert(set ^ (rest & -rest));
      if (states + next.size() > max_states) return false;
    }
    states += next.size();
    level = std::move(next);
  }
  return true;
}

Poly Minors::minor(ColumnSet columns) {
  const Poly& value = expand(columns);
  return odd_ ? -value : value;
}

/// Along the first row that is left; recursion is as deep as the rows, at most 64.
const Poly& Minors::expand(ColumnSet columns) {
  if (const auto known = known_.find(columns); known != known_.end()) return known->second;
  const PolyRing& ring = matrix_.field().ring();
  const auto left = static_cast<std::size_t>(std::popcount(columns));
  if (left == 0) return known_.emplace(columns, Poly(ring, 1)).first->second;
  const std::size_t level = rows_.size() - left;
  Poly sum(ring);
  bool negative = false;
  for (std::size_t column : bits_of(columns)) {
    const Poly& entry = matrix_(rows_[level], column);
    if (!entry.is_zero()) {
      const Poly& rest = expand(columns ^ (ColumnSet{1} << column));
      if (!rest.is_zero()) sum = negative ? sum - entry * rest : sum + entry * rest;
    }
    negative = !negative;
  }
  return known_.emplace(columns, matrix_.field().reduce_integral(sum)).first->second;
}

}  // namespace liaison
