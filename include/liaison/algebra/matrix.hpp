#ifndef LIAISON_ALGEBRA_MATRIX_HPP
#define LIAISON_ALGEBRA_MATRIX_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "liaison/algebra/algebra.hpp"

/// Exact linear algebra over the field of `Algebra`. Nothing divides in silence: what was assumed not to
/// vanish is listed.
/// All of it throws limit_reached where the limits of the algebra end the work.
namespace liaison {

/// Dense, row by row.
struct Matrix {
  Matrix(Pool& pool, std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), entries(row_count * column_count, pool.number(0)) {}
  Matrix(std::size_t row_count, std::size_t column_count,
         std::vector<Expr> values);  ///< throws not_square on a wrong count

  Expr& operator()(std::size_t row, std::size_t column) { return entries[row * columns + column]; }
  Expr operator()(std::size_t row, std::size_t column) const { return entries[row * columns + column]; }

  std::size_t rows;
  std::size_t columns;
  std::vector<Expr> entries;
};

Matrix transpose(const Matrix& a);
Matrix operator*(const Matrix& a, const Matrix& b);

/// "assuming sin(theta) != 0": expressions that a result takes to be different from zero, irreducible
/// factors, each once.
using Conditions = std::vector<Expr>;
std::string describe(const Conditions& conditions);

struct RankResult {
  std::size_t rank = 0;              ///< for generic values of the symbols
  std::vector<std::size_t> rows;     ///< independent rows
  std::vector<std::size_t> columns;  ///< independent columns
  Conditions conditions;             ///< factors of one minor: where it vanishes the rank may be lower
  Grade grade = Grade::proved;
};
RankResult rank(Algebra& algebra, const Matrix& a);

struct DeterminantResult {
  Expr value;  ///< canonical
  Grade grade = Grade::proved;
};
/// By minors with shared subdeterminants, free of division. Throws not_square.
DeterminantResult determinant(Algebra& algebra, const Matrix& a);

enum class SolveStatus { unique, underdetermined, inconsistent };
struct SolveResult {
  SolveStatus status = SolveStatus::unique;
  std::vector<Expr> x;                    ///< a solution, free unknowns 0; empty if inconsistent
  std::vector<std::vector<Expr>> kernel;  ///< underdetermined: a basis of the null space
  std::vector<std::size_t> free_unknowns;
  std::vector<Expr> certificate;  ///< inconsistent: y with y.A = 0 and y.b != 0
  Conditions conditions;
  Grade grade = Grade::proved;
};
/// A x = b. Conditions collect what must not vanish (for a unique solution: the determinant's factors).
/// Sines and roots leave the denominators of x only where that adds no new zero: x is defined where the
/// conditions hold.
SolveResult solve(Algebra& algebra, const Matrix& a, const std::vector<Expr>& b);

struct NullSpaceResult {
  std::vector<std::vector<Expr>> basis;  ///< free of denominators where that is cheap
  Conditions conditions;
  Grade grade = Grade::proved;
};
NullSpaceResult null_space(Algebra& algebra, const Matrix& a);

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_MATRIX_HPP
