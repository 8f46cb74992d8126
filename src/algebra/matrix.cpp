#include "liaison/algebra/matrix.hpp"

#include <fmt/format.h>

namespace liaison {

namespace {

std::string shape_of(const Matrix& a) {
  return fmt::format("{}x{}", a.rows, a.columns);
}

}  // namespace

Matrix::Matrix(std::size_t rows, std::size_t columns, std::vector<Expr> entries)
    : rows(rows), columns(columns), entries(std::move(entries)) {
  if (this->entries.size() == rows * columns) return;
  throw Error(ErrorCode::not_square,
              fmt::format("a {}x{} matrix has {} entries, not {}", rows, columns, rows * columns,
                          this->entries.size()),
              "entries are listed row by row");
}

Matrix transpose(const Matrix& a) {
  std::vector<Expr> entries;
  entries.reserve(a.entries.size());
  for (std::size_t j = 0; j < a.columns; ++j) {
    for (std::size_t i = 0; i < a.rows; ++i) entries.push_back(a(i, j));
  }
  return Matrix(a.columns, a.rows, std::move(entries));
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  if (a.columns != b.rows) {
    throw Error(ErrorCode::not_square, fmt::format("a {} matrix times a {} matrix", shape_of(a), shape_of(b)),
                "the left one needs as many columns as the right one has rows");
  }
  std::vector<Expr> entries;
  entries.reserve(a.rows * b.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.columns; ++j) {
      if (a.columns == 0)
        throw Error(ErrorCode::not_square, "a product over no column at all", "it would be zero");
      std::vector<Expr> terms;
      for (std::size_t k = 0; k < a.columns; ++k) terms.push_back(a(i, k) * b(k, j));
      entries.push_back(terms[0].pool().add(terms));
    }
  }
  return Matrix(a.rows, b.columns, std::move(entries));
}

}  // namespace liaison
