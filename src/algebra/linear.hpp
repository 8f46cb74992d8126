#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "field.hpp"
#include "liaison/algebra/matrix.hpp"

namespace liaison {

/// A matrix of expressions over one field, each row cleared of its denominators.
class PolyMatrix {
 public:
  /// Throws LimitReached, and division_by_zero (Error) where an entry divides by what is identically zero.
  PolyMatrix(Algebra& algebra, std::size_t rows, std::size_t columns, std::span<const Expr> entries);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  const Poly& operator()(std::size_t row, std::size_t column) const {
    return entries_[row * columns_ + column];
  }
  /// What the row was multiplied with.
  const Poly& denominator(std::size_t row) const { return denominators_[row]; }
  /// The row becomes a multiple of these fractions: cleared of denominators, common factors and hidden zeros.
  void replace_row(std::size_t row, std::vector<Fraction> fractions);

  Algebra& algebra() const { return algebra_; }
  Field& field() { return *field_; }
  const Field& field() const { return *field_; }

  /// Zero as a function. Where the generators may be dependent this goes through the zero test, and `grade`
  /// remembers the weakest answer that was used.
  bool is_zero(const Poly& a);
  Grade grade() const { return grade_; }

 private:
  void store_row(std::size_t row, std::vector<Fraction> fractions);

  Algebra& algebra_;
  std::size_t rows_;
  std::size_t columns_;
  std::shared_ptr<Field> field_;
  std::vector<Poly> entries_;
  std::vector<Poly> denominators_;
  Grade grade_ = Grade::proved;
};

/// A set of columns, one bit each.
using ColumnSet = std::uint64_t;
constexpr std::size_t max_set_columns = 64;

/// Minors of some rows by expansion along the rows, each set of columns once: free of division.
class Minors {
 public:
  Minors(const PolyMatrix& matrix, std::vector<std::size_t> rows);

  /// Few enough sets of columns are met on the way to these minors, and no relation has a denominator.
  bool is_feasible(std::span<const ColumnSet> targets) const;
  /// The determinant of the rows and the columns of the set, both in their given order.
  Poly minor(ColumnSet columns);

 private:
  const Poly& expand(ColumnSet columns);

  const PolyMatrix& matrix_;
  std::vector<std::size_t> rows_;    ///< in the order of expansion: sparse rows first
  bool odd_ = false;                 ///< the order of expansion is an odd permutation of the given one
  std::vector<ColumnSet> patterns_;  ///< where a row is not spelled zero
  std::unordered_map<ColumnSet, Poly> known_;
};

struct Pivot {
  std::size_t row;
  std::size_t column;
};

/// Row by row elimination with rows kept free of common factors; pivots are chosen for size, zero is decided
/// exactly.
class PolyElimination {
 public:
  /// Pivots are taken from the first `pivot_columns` columns; the others are carried along.
  PolyElimination(PolyMatrix matrix, std::size_t pivot_columns);

  /// The rows as they are now: combinations of the given ones.
  PolyMatrix& matrix() { return matrix_; }
  const std::vector<Pivot>& pivots() const { return pivots_; }
  /// A row without a pivot is not zero beyond the pivot columns.
  bool has_contradiction() const;
  /// Clears the pivot columns above the pivots too.
  void reduce_upwards();

 private:
  bool choose_pivot(Pivot& best) const;
  void eliminate(std::size_t row, const Pivot& pivot);
  std::size_t cost(std::size_t row, std::size_t column) const;

  PolyMatrix matrix_;
  std::size_t pivot_columns_;
  std::vector<char> is_used_;  ///< rows with a pivot
  std::vector<Pivot> pivots_;
};

/// The pivot rows solved for the pivot columns: for each column f asked for,
///   sum over pivots of numerators[i][f]/denominators[i] * column(pivot i) = column(f)  in these rows.
struct PivotForm {
  std::vector<Pivot> pivots;  ///< by column
  std::vector<Poly> denominators;
  std::vector<std::vector<Poly>> numerators;
  std::vector<Poly> nonzero;  ///< what was taken to be different from zero: one minor, or the pivots
};
/// By minors where that is feasible, else by elimination.
PivotForm derive_pivot_form(const PolyMatrix& matrix, PolyElimination& elimination,
                            std::span<const std::size_t> columns);
/// The same for given pivots by minors alone (Cramer's rule); nothing if it is not feasible or the minor is
/// zero.
std::optional<PivotForm> derive_pivot_form(PolyMatrix& matrix, std::vector<Pivot> pivots,
                                           std::span<const std::size_t> columns);

/// A basis of the null space of the first `unknowns` columns, one vector for each column without a pivot.
std::vector<std::vector<Expr>> derive_kernel(PolyMatrix& matrix, const PivotForm& form,
                                             std::span<const std::size_t> free, std::size_t unknowns);

/// num/den in lowest terms. Sines and roots leave the denominator only where that adds no new zero to it.
Expr quotient_to_expr(PolyMatrix& matrix, const Poly& num, const Poly& den);

/// A sum of terms of one sign, one of them never zero: it has no zero.
bool is_seen_positive(const Field& field, const Poly& a);
/// a is a multiple of the divisor as a polynomial.
bool divides(const Poly& divisor, const Poly& a);
/// Every zero of `a` is certain to be a zero of `b`.
bool has_no_new_zero(const Field& field, const Poly& a, const Poly& b);

/// Adds the irreducible factors of what was taken to be different from zero; not what is seen to be positive.
void add_conditions(PolyMatrix& matrix, const Poly& nonzero, Conditions& conditions);

/// Turns what ends exact work inside the layer into an Error(limit_reached).
[[noreturn]] void throw_limit(const std::string& task, const std::string& reason);

}  // namespace liaison
