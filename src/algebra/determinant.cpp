#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "linear.hpp"
#include "memory.hpp"

namespace liaison {

namespace {

/// The product of the pivots, by elimination in the field: for matrices that are too dense and large for
/// minors.
Fraction derive_by_elimination(PolyMatrix& matrix) {
  const Field& field = matrix.field();
  const std::size_t n = matrix.rows();
  std::vector<Fraction> a;
  for (std::size_t i = 0; i < n * n; ++i) a.push_back({matrix(i / n, i % n), Poly(field.ring(), 1)});
  Fraction result = field.integer(1);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = n;
    for (std::size_t i = k; i < n; ++i) {
      if (matrix.is_zero(a[i * n + k].num)) continue;
      if (best == n || a[i * n + k].num.terms() < a[best * n + k].num.terms()) best = i;
    }
    if (best == n) return field.integer(0);
    if (best != k) {
      std::swap_ranges(a.begin() + static_cast<long>(k * n), a.begin() + static_cast<long>(k * n + n),
                       a.begin() + static_cast<long>(best * n));
      result.num = -result.num;
    }
    result = field.multiply(result, a[k * n + k]);
    const Fraction inverse = field.inverse(a[k * n + k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i * n + k].is_zero()) continue;
      const Fraction factor = field.multiply(a[i * n + k], inverse);
      for (std::size_t j = k + 1; j < n; ++j) {
        if (a[k * n + j].is_zero()) continue;
        a[i * n + j] = field.subtract(a[i * n + j], field.multiply(factor, a[k * n + j]));
      }
    }
  }
  return result;
}

Fraction derive_determinant(PolyMatrix& matrix) {
  std::vector<std::size_t> rows(matrix.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Minors minors(matrix, rows);
  const ColumnSet all = ~ColumnSet{0} >> (max_set_columns - std::min(matrix.rows(), max_set_columns));
  const std::array targets{all};
  const Field& field = matrix.field();
  Fraction result = minors.is_feasible(targets) ? Fraction{minors.minor(all), Poly(field.ring(), 1)}
                                                : derive_by_elimination(matrix);
  for (std::size_t i : rows) {
    if (!matrix.denominator(i).is_one()) {
      result = field.multiply(result, {Poly(field.ring(), 1), matrix.denominator(i)});
    }
  }
  return result;
}

}  // namespace

DeterminantResult determinant(Algebra& algebra, const Matrix& a) {
  if (a.rows != a.columns) {
    throw Error(ErrorCode::not_square, fmt::format("the determinant of a {}x{} matrix", a.rows, a.columns),
                "a determinant needs as many rows as columns");
  }
  if (a.rows == 0) return {algebra.pool().number(1), Grade::proved};
  const CallScope scope(algebra);
  try {
    PolyMatrix matrix(algebra, a.rows, a.columns, a.entries);
    const Fraction value = derive_determinant(matrix);
    if (matrix.field().is_independent() && matrix.field().is_rational(value.den)) {
      return {matrix.field().to_expr(value), matrix.grade()};
    }
    return {algebra.canonical(quotient_to_expr(matrix, value.num, value.den)).value, matrix.grade()};
  } catch (const LimitReached& limit) {
    throw_limit("the determinant", limit.reason);
  }
}

}  // namespace liaison
