#include "contract.hpp"
#include "formulations.hpp"

namespace liaison {

namespace {

/// What a variation of the accelerations must annul, one row a constraint: the gradient of the relation where
/// the constraint is ideal; else the direction of its force.
Matrix forbidden_variations(const Motion& motion, const Matrix& chart) {
  const StateSpace& space = motion.space;
  Matrix result(space.pool(), motion.constraints.size(), space.size());
  for (std::size_t h = 0; h < motion.constraints.size(); ++h) {
    const ConstraintField& field = motion.constraints[h];
    const bool ideal =
        h < motion.relation_count && space.system->constraints[h].power_kind == PowerKind::ideal;
    for (std::size_t a = 0; a < space.size(); ++a) {
      if (ideal) result(h, a) = field.gradient[a];
      for (std::size_t i = 0; i < space.size() && !ideal; ++i) {
        result(h, a) += field.direction[i] * chart(i, a);
      }
    }
  }
  return result;
}

std::vector<std::vector<Expr>> admissible_variations(Algebra& algebra, const Motion& motion,
                                                     const Matrix& chart) {
  const std::size_t n = motion.space.size();
  if (!motion.constraints.empty()) return null_space(algebra, forbidden_variations(motion, chart)).basis;
  std::vector<std::vector<Expr>> basis(n, std::vector<Expr>(n, algebra.pool().number(0)));
  for (std::size_t a = 0; a < n; ++a) basis[a][a] = algebra.pool().number(1);
  return basis;
}

}  // namespace

/// Least constraint (rows G1.I-GaussAppell, MP3.3-Gauss): C(u') = (u' - u'_free).M.(u' - u'_free)/2 is least
/// among the accelerations that the relations allow, so its derivative vanishes along every variation N of
/// them: N.(M u' - load) = 0. For a constraint that is not ideal there is no minimum, but the same equations
/// hold with the variations that do no work on its force, l.N = 0 (Maggi).
FormulationResult derive_gauss(Algebra& algebra, const Motion& motion) {
  if (const auto obstacle = obstacle_to_solving(motion)) return not_applicable(Formulation::gauss, *obstacle);
  const StateSpace& space = motion.space;
  Pool& pool = space.pool();
  const std::size_t n = space.size();
  const Matrix chart = chart_jacobian(space);
  const std::vector<Expr> rows = lagrange_rows(algebra, space);
  std::vector<Expr> slopes;  // dC/du'^a
  for (std::size_t a = 0; a < n; ++a) {
    std::vector<Expr> column;
    for (std::size_t i = 0; i < n; ++i) column.push_back(chart(i, a));
    slopes.push_back(contract(pool, column, rows));
  }

  FormulationResult result;
  result.formulation = Formulation::gauss;
  for (const std::vector<Expr>& variation : admissible_variations(algebra, motion, chart)) {
    result.equations.emplace_back(contract(pool, variation, slopes), pool.number(0));
  }
  add_relations(motion, result);
  std::vector<Expr> lefts;
  for (const auto& [left, right] : result.equations) lefts.push_back(left);
  const auto solution = solve_rows(algebra, lefts, acceleration_symbols(space), n);
  if (!solution) return not_applicable(Formulation::gauss, "the reactions leave the accelerations open");
  for (Expr acceleration : *solution) result.acceleration.push_back(algebra.readable(acceleration));
  result.applicable = true;
  return result;
}

}  // namespace liaison
