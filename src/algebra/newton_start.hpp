#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dense.hpp"
#include "prepared.hpp"

namespace liaison {

/// Functions and their derivatives, in doubles.
class NumericRows {
 public:
  NumericRows() = default;
  NumericRows(std::span<const Expr> rows, std::span<const Expr> symbols);

  struct Values {
    std::vector<double> f;
    DenseMatrix jacobian;  ///< by all symbols
  };
  void evaluate(std::span<const double> x, Values& values) const;

 private:
  struct Entry {
    std::size_t row, column;
  };
  std::size_t rows_ = 0, symbols_ = 0;
  std::vector<Entry> entries_;
  Prepared program_;
  mutable std::vector<double> scratch_;
};

/// What is to vanish: selected rows, each minus a number.
class NumericSystem {
 public:
  void add(const NumericRows& rows, std::size_t row, double value = 0) {
    parts_.push_back({&rows, row, value});
  }
  void drop_last() { parts_.pop_back(); }
  std::size_t size() const { return parts_.size(); }
  /// False where a row has no value, or at the limit of work.
  bool evaluate(std::span<const double> x, NumericRows::Values& values) const;

 private:
  struct Part {
    const NumericRows* rows;
    std::size_t row;
    double value;
  };
  std::vector<Part> parts_;
};

/// Moves x, in the given columns alone, to a place where the system vanishes as far as doubles tell: Newton's
/// method with damped least-norm steps (Levenberg and Marquardt). Columns marked positive stay so.
bool solve_numerically(const NumericSystem& system, std::vector<double>& x,
                       std::span<const std::size_t> columns, std::span<const char> positive);

}  // namespace liaison
