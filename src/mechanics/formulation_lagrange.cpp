#include "formulations.hpp"

namespace liaison {

std::vector<Expr> lagrange_rows(Algebra& algebra, const StateSpace& space) {
  const System& system = *space.system;
  const std::size_t n = space.size();
  const std::vector<Expr> p = derive_momenta(algebra, space, system.kinetic);
  const std::vector<Expr> turning = turning_terms(system, space.velocities, p);
  const std::vector<Expr> forces = applied_forces(space);

  // dT/dq^i with the velocities held fixed: the parameters held fixed, less what the chart adds.
  std::vector<Expr> slopes = configuration_derivatives(system, space.in_parameters(system.kinetic));
  for (std::size_t j = 0; j < n; ++j) {
    const std::vector<Expr> chart = configuration_derivatives(system, space.velocities[j]);
    for (std::size_t i = 0; i < n; ++i) slopes[i] -= p[j] * chart[i];
  }

  std::vector<Expr> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const Expr terms[] = {rate_along_motion(space, p[i]), turning[i], -slopes[i], -forces[i]};
    rows.push_back(space.pool().add(terms));
  }
  return rows;
}

/// d/dt dT/dv^i - dT/dq^i = Q_i + lambda_h l^h_i with the relations differentiated once (rows G1.II-Lagrange,
/// MP3.3-extrinsic); for a rotation the equations of Euler and Poincare, p' +- w x p = Q.
FormulationResult derive_lagrange(Algebra& algebra, const Motion& motion) {
  FormulationResult result;
  result.formulation = Formulation::lagrange;
  result.applicable = true;
  const std::vector<Expr> rows = lagrange_rows(algebra, motion.space);
  const std::vector<Expr> forces = applied_forces(motion.space), pushes = reactions(motion);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.equations.emplace_back(rows[i] + forces[i], forces[i] + pushes[i]);
  }
  add_relations(motion, result);
  solve_bordered(algebra, motion, result);
  return result;
}

}  // namespace liaison
