#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "linear.hpp"
#include "memory.hpp"

namespace liaison {

namespace {

std::vector<std::size_t> columns_without_pivot(std::span<const Pivot> pivots, std::size_t columns) {
  std::vector<char> has_pivot(columns, 0);
  for (const Pivot& pivot : pivots) has_pivot[pivot.column] = 1;
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < columns; ++j) {
    if (!has_pivot[j]) result.push_back(j);
  }
  return result;
}

PolyMatrix augmented(Algebra& algebra, const Matrix& a, const std::vector<Expr>& b) {
  std::vector<Expr> entries;
  entries.reserve(a.entries.size() + b.size());
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) entries.push_back(a(i, j));
    entries.push_back(b[i]);
  }
  return PolyMatrix(algebra, a.rows, a.columns + 1, entries);
}

/// The unknowns of the pivots over the right side, which is the last column asked for; the others are 0.
std::vector<Expr> particular_solution(PolyMatrix& matrix, const PivotForm& form, std::size_t unknowns) {
  std::vector<Expr> x(unknowns, matrix.field().pool().number(0));
  for (std::size_t i = 0; i < form.pivots.size(); ++i) {
    x[form.pivots[i].column] = quotient_to_expr(matrix, form.numerators[i].back(), form.denominators[i]);
  }
  return x;
}

/// y.A = 0 and y.b != 0: a row of the left null space; the system contradicts itself where y.b does not
/// vanish.
SolveResult derive_contradiction(Algebra& algebra, const Matrix& a, const std::vector<Expr>& b) {
  SolveResult result;
  result.status = SolveStatus::inconsistent;
  const NullSpaceResult left = null_space(algebra, transpose(a));
  for (const std::vector<Expr>& y : left.basis) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < b.size(); ++i) terms.push_back(y[i] * b[i]);
    const Expr product = algebra.pool().add(terms);
    const Verdict verdict = algebra.is_zero(product);
    if (verdict.holds()) continue;
    result.certificate = y;
    result.grade = weaker(left.grade, verdict.is_refuted() ? Grade::proved : Grade::unknown);
    const std::array entries{product};
    PolyMatrix one(algebra, 1, 1, entries);
    add_conditions(one, one(0, 0), result.conditions);
    break;
  }
  return result;
}

SolveResult derive_solution(Algebra& algebra, const Matrix& a, const std::vector<Expr>& b) {
  PolyMatrix matrix = augmented(algebra, a, b);
  SolveResult result;
  std::optional<PivotForm> form;
  if (a.rows == a.columns) {
    std::vector<Pivot> diagonal;
    for (std::size_t i = 0; i < a.rows; ++i) diagonal.push_back({i, i});
    const std::array right_side{a.columns};
    form = derive_pivot_form(matrix, std::move(diagonal), right_side);
  }
  if (!form) {
    PolyElimination elimination(matrix, a.columns);
    if (elimination.has_contradiction()) return derive_contradiction(algebra, a, b);
    result.free_unknowns = columns_without_pivot(elimination.pivots(), a.columns);
    std::vector<std::size_t> columns = result.free_unknowns;
    columns.push_back(a.columns);
    form = derive_pivot_form(matrix, elimination, columns);
    result.grade = weaker(result.grade, elimination.matrix().grade());
    result.kernel = derive_kernel(matrix, *form, result.free_unknowns, a.columns);
  }
  result.status = result.free_unknowns.empty() ? SolveStatus::unique : SolveStatus::underdetermined;
  result.x = particular_solution(matrix, *form, a.columns);
  for (const Poly& nonzero : form->nonzero) add_conditions(matrix, nonzero, result.conditions);
  result.grade = weaker(result.grade, matrix.grade());
  return result;
}

}  // namespace

SolveResult solve(Algebra& algebra, const Matrix& a, const std::vector<Expr>& b) {
  if (a.rows != b.size()) {
    throw Error(ErrorCode::not_square,
                fmt::format("a system of {} equations with {} right sides", a.rows, b.size()),
                "the right side needs one entry for each row of the matrix");
  }
  const CallScope scope(algebra);
  try {
    return derive_solution(algebra, a, b);
  } catch (const LimitReached& limit) {
    throw_limit("the solution of a linear system", limit.reason);
  }
}

NullSpaceResult null_space(Algebra& algebra, const Matrix& a) {
  const CallScope scope(algebra);
  try {
    PolyMatrix matrix(algebra, a.rows, a.columns, a.entries);
    PolyElimination elimination(matrix, a.columns);
    const auto free = columns_without_pivot(elimination.pivots(), a.columns);
    const PivotForm form = derive_pivot_form(matrix, elimination, free);
    NullSpaceResult result;
    result.basis = derive_kernel(matrix, form, free, a.columns);
    for (const Poly& nonzero : form.nonzero) add_conditions(matrix, nonzero, result.conditions);
    result.grade = weaker(matrix.grade(), elimination.matrix().grade());
    return result;
  } catch (const LimitReached& limit) {
    throw_limit("the null space", limit.reason);
  }
}

RankResult rank(Algebra& algebra, const Matrix& a) {
  const CallScope scope(algebra);
  try {
    PolyMatrix matrix(algebra, a.rows, a.columns, a.entries);
    PolyElimination elimination(matrix, a.columns);
    const PivotForm form = derive_pivot_form(matrix, elimination, {});
    RankResult result;
    result.rank = form.pivots.size();
    for (const Pivot& pivot : form.pivots) {
      result.rows.push_back(pivot.row);
      result.columns.push_back(pivot.column);
    }
    std::sort(result.rows.begin(), result.rows.end());
    for (const Poly& nonzero : form.nonzero) add_conditions(matrix, nonzero, result.conditions);
    result.grade = weaker(matrix.grade(), elimination.matrix().grade());
    return result;
  } catch (const LimitReached& limit) {
    throw_limit("the rank", limit.reason);
  }
}

}  // namespace liaison
