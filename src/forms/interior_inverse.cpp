#include "liaison/forms/interior_inverse.hpp"

#include "require.hpp"

namespace liaison {

InteriorInverse invert_interior(Algebra& algebra, const Form& omega, const Form& pi, const Form& time) {
  require_same_coframe(omega.coframe(), pi.coframe());
  require_same_coframe(omega.coframe(), time.coframe());
  const std::size_t n = omega.coframe()->dimension();
  const Matrix k = coefficient_matrix(omega);
  Matrix matrix(algebra.pool(), n + 1, n);
  std::vector<Expr> right;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t j = 0; j < n; ++j) matrix(row, j) = k(j, row);  // i(x)Omega = sum x^j k_jr theta^r
    const std::size_t index[] = {row};
    right.push_back(pi.coefficient(index));
    matrix(n, row) = time.coefficient(index);
  }
  right.push_back(algebra.pool().number(0));
  SolveResult solved = solve(algebra, matrix, right);
  InteriorInverse result{.field = std::nullopt,
                         .is_unique = solved.status == SolveStatus::unique,
                         .conditions = std::move(solved.conditions),
                         .reason = {},
                         .grade = solved.grade};
  if (solved.status == SolveStatus::inconsistent) {
    result.reason = "the form does not vanish on the characteristic field";
  } else {
    result.field = VectorField(omega.coframe(), std::move(solved.x));
  }
  return result;
}

}  // namespace liaison
