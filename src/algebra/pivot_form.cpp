#include <algorithm>
#include <bit>

#include "linear.hpp"

namespace liaison {

namespace {

ColumnSet bit(std::size_t column) {
  return ColumnSet{1} << column;
}

/// The set of pivot columns with `out` replaced by `in`.
struct Exchange {
  ColumnSet set;
  bool negative;  ///< bringing `in` to the place of `out` is an odd permutation
};

Exchange exchange(ColumnSet pivots, std::size_t out, std::size_t in) {
  const ColumnSet rest = pivots ^ bit(out);
  const auto [low, high] = std::minmax(out, in);
  const ColumnSet between = rest & (bit(high) - 1) & ~((bit(low) << 1) - 1);
  return {rest | bit(in), std::popcount(between) % 2 == 1};
}

bool by_column(const Pivot& a, const Pivot& b) {
  return a.column < b.column;
}

std::vector<ColumnSet> targets_of(ColumnSet pivot_set, std::span<const Pivot> pivots,
                                  std::span<const std::size_t> columns) {
  std::vector<ColumnSet> targets{pivot_set};
  for (const Pivot& pivot : pivots) {
    for (std::size_t column : columns) targets.push_back(exchange(pivot_set, pivot.column, column).set);
  }
  return targets;
}

/// Cramer's rule: every unknown is a minor over one common minor.
std::optional<PivotForm> derive_by_minors(const PolyMatrix& matrix, std::vector<Pivot> pivots,
                                          std::span<const std::size_t> columns) {
  if (matrix.columns() > max_set_columns) return std::nullopt;
  std::sort(pivots.begin(), pivots.end(), by_column);
  std::vector<std::size_t> rows;
  ColumnSet pivot_set = 0;
  for (const Pivot& pivot : pivots) {
    rows.push_back(pivot.row);
    pivot_set |= bit(pivot.column);
  }
  Minors minors(matrix, rows);
  if (!minors.is_feasible(targets_of(pivot_set, pivots, columns))) return std::nullopt;
  const Poly common = minors.minor(pivot_set);
  PivotForm form{std::move(pivots), {}, {}, {common}};
  if (common.is_zero()) return form;
  for (const Pivot& pivot : form.pivots) {
    form.denominators.push_back(common);
    auto& numerators = form.numerators.emplace_back();
    for (std::size_t column : columns) {
      const Exchange target = exchange(pivot_set, pivot.column, column);
      const Poly value = minors.minor(target.set);
      numerators.push_back(target.negative ? -value : value);
    }
  }
  return form;
}

PivotForm derive_by_elimination(PolyElimination& elimination, std::span<const std::size_t> columns) {
  PivotForm form;
  for (const Pivot& pivot : elimination.pivots())
    form.nonzero.push_back(elimination.matrix()(pivot.row, pivot.column));
  elimination.reduce_upwards();
  form.pivots = elimination.pivots();
  std::sort(form.pivots.begin(), form.pivots.end(), by_column);
  for (const Pivot& pivot : form.pivots) {
    form.denominators.push_back(elimination.matrix()(pivot.row, pivot.column));
    auto& numerators = form.numerators.emplace_back();
    for (std::size_t column : columns) numerators.push_back(elimination.matrix()(pivot.row, column));
  }
  return form;
}

}  // namespace

PivotForm derive_pivot_form(const PolyMatrix& matrix, PolyElimination& elimination,
                            std::span<const std::size_t> columns) {
  if (auto form = derive_by_minors(matrix, elimination.pivots(), columns)) {
    if (!form->nonzero[0].is_zero()) return std::move(*form);
  }
  return derive_by_elimination(elimination, columns);
}

std::optional<PivotForm> derive_pivot_form(PolyMatrix& matrix, std::vector<Pivot> pivots,
                                           std::span<const std::size_t> columns) {
  auto form = derive_by_minors(matrix, std::move(pivots), columns);
  if (!form || matrix.is_zero(form->nonzero[0])) return std::nullopt;
  return form;
}

}  // namespace liaison
