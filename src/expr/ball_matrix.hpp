#pragma once

#include <arb_mat.h>

#include <span>
#include <vector>

#include "expr/raw.hpp"
#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// A matrix of balls: an owner of Arb's arb_mat_t.
class BallMatrix {
 public:
  BallMatrix(std::size_t rows, std::size_t columns) {
    arb_mat_init(value_, static_cast<slong>(rows), static_cast<slong>(columns));
  }
  BallMatrix(std::size_t rows, std::size_t columns, std::span<const Ball> entries)
      : BallMatrix(rows, columns) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) arb_set(at(i, j), entries[i * columns + j].raw());
    }
  }
  BallMatrix(const BallMatrix& other) : BallMatrix(other.rows(), other.columns()) {
    arb_mat_set(value_, other.value_);
  }
  BallMatrix(BallMatrix&& other) noexcept : BallMatrix(0, 0) { arb_mat_swap(value_, other.value_); }
  BallMatrix& operator=(BallMatrix other) noexcept {
    arb_mat_swap(value_, other.value_);
    return *this;
  }
  ~BallMatrix() { arb_mat_clear(value_); }

  std::size_t rows() const { return static_cast<std::size_t>(arb_mat_nrows(value_)); }
  std::size_t columns() const { return static_cast<std::size_t>(arb_mat_ncols(value_)); }
  arb_struct* at(std::size_t row, std::size_t column) {
    return arb_mat_entry(value_, static_cast<slong>(row), static_cast<slong>(column));
  }
  const arb_struct* at(std::size_t row, std::size_t column) const {
    return arb_mat_entry(value_, static_cast<slong>(row), static_cast<slong>(column));
  }
  Ball ball(std::size_t row, std::size_t column) const {
    Ball result;
    arb_set(result.raw(), at(row, column));
    return result;
  }
  std::vector<Ball> column(std::size_t index) const {
    std::vector<Ball> result;
    for (std::size_t i = 0; i < rows(); ++i) result.push_back(ball(i, index));
    return result;
  }
  arb_mat_struct* raw() { return value_; }
  const arb_mat_struct* raw() const { return value_; }

 private:
  arb_mat_t value_;
};

}  // namespace liaison
