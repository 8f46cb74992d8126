#include "modular_matrix.hpp"

#include <flint/nmod_mat.h>

namespace liaison {

namespace {

/// The reduced echelon form, with the columns of its pivots.
class Echelon {
 public:
  Echelon(const PrimeField& field, const std::vector<std::vector<Residue>>& rows, std::size_t columns) {
    nmod_mat_init(matrix_, static_cast<slong>(rows.size()), static_cast<slong>(columns), field.prime());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns; ++j) nmod_mat_entry(matrix_, i, j) = rows[i][j];
    }
    const auto rank = static_cast<std::size_t>(nmod_mat_rref(matrix_));
    for (std::size_t i = 0, j = 0; i < rank; ++i) {
      while (nmod_mat_entry(matrix_, i, j) == 0) ++j;
      pivots_.push_back(j);
    }
  }
  ~Echelon() { nmod_mat_clear(matrix_); }
  Echelon(const Echelon&) = delete;
  Echelon& operator=(const Echelon&) = delete;

  const std::vector<std::size_t>& pivots() const { return pivots_; }
  Residue operator()(std::size_t i, std::size_t j) const { return nmod_mat_entry(matrix_, i, j); }

 private:
  nmod_mat_t matrix_;
  std::vector<std::size_t> pivots_;
};

}  // namespace

ModularMatrix ModularMatrix::with_columns(const std::vector<std::size_t>& kept) const {
  ModularMatrix result(*field_, kept.size());
  for (const std::vector<Residue>& row : rows_) {
    std::vector<Residue> part;
    for (const std::size_t k : kept) part.push_back(row[k]);
    result.add_row(std::move(part));
  }
  return result;
}

std::vector<std::size_t> ModularMatrix::pivots() const {
  return Echelon(*field_, rows_, columns_).pivots();
}

std::vector<std::vector<Residue>> ModularMatrix::kernel() const {
  const Echelon echelon(*field_, rows_, columns_);
  const auto& pivots = echelon.pivots();
  std::vector<std::vector<Residue>> result;
  for (std::size_t j = 0, next = 0; j < columns_; ++j) {
    if (next < pivots.size() && pivots[next] == j) {
      ++next;
      continue;
    }
    std::vector<Residue> vector(columns_, 0);
    vector[j] = 1;
    for (std::size_t i = 0; i < next; ++i) {
      const Residue entry = echelon(i, j);
      if (entry != 0) vector[pivots[i]] = field_->prime() - entry;
    }
    result.push_back(std::move(vector));
  }
  return result;
}

}  // namespace liaison
