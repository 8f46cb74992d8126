#include "given_velocities.hpp"

#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/differentiate.hpp"

namespace liaison {

void complete_velocities(Algebra& algebra, const VelocityEquations& equations, Substitution& at,
                         std::string& problem) {
  const auto& [unknown, rows, right] = equations;
  Pool& pool = algebra.pool();
  Substitution none;
  for (Expr velocity : unknown) none.emplace(velocity, pool.number(0));
  std::vector<Expr> values(unknown.size(), pool.number(0));
  if (!rows.empty() && !unknown.empty()) {
    Matrix matrix(pool, rows.size(), unknown.size());
    std::vector<Expr> b;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k < unknown.size(); ++k)
        matrix(i, k) = algebra.canonical(derivative(rows[i], unknown[k])).value;
      b.push_back(algebra.canonical(right[i] - substitute(rows[i], none)).value);
    }
    SolveResult solved = solve(algebra, matrix, b);
    if (solved.status != SolveStatus::inconsistent) values = std::move(solved.x);
  }
  for (std::size_t k = 0; k < unknown.size(); ++k) at.emplace(unknown[k], values[k]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Verdict kept = algebra.is_zero(substitute(rows[i], at) - right[i]);
    if (!kept.holds())
      problem = kept.is_refuted() ? "the velocities that are given violate a constraint"
                                  : "it was not decided whether the velocities keep a constraint";
  }
}

}  // namespace liaison
