#pragma once

#include <vector>

#include "modular_points.hpp"

namespace liaison {

/// Rows of residues; exact linear algebra modulo a prime.
class ModularMatrix {
 public:
  ModularMatrix(const PrimeField& field, std::size_t columns) : field_(&field), columns_(columns) {}
  void add_row(std::vector<Residue> row) { rows_.push_back(std::move(row)); }
  std::size_t rows() const { return rows_.size(); }
  std::size_t columns() const { return columns_; }
  const std::vector<Residue>& row(std::size_t i) const { return rows_[i]; }

  ModularMatrix with_columns(const std::vector<std::size_t>& kept) const;

  /// Columns that are not combinations of earlier ones.
  std::vector<std::size_t> pivots() const;
  std::size_t rank() const { return pivots().size(); }
  /// A basis of {c : A c = 0}, one vector a column that is no pivot: that column, and pivots before it.
  std::vector<std::vector<Residue>> kernel() const;

 private:
  const PrimeField* field_;
  std::size_t columns_;
  std::vector<std::vector<Residue>> rows_;
};

}  // namespace liaison
