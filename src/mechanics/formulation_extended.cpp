#include "extended_motion.hpp"

namespace liaison {

namespace {

FormulationResult begin(Formulation formulation) {
  FormulationResult result;
  result.formulation = formulation;
  result.applicable = true;
  return result;
}

FormulationResult no_drive(Formulation formulation) {
  return not_applicable(formulation, "the system has no rheonomic coordinate");
}

/// R = r of a drive is written r = R; its factor in the rows of a road is called R_0 for reading.
Expr with_forces_named(const ExtendedMotion& extended, Expr e) {
  Substitution names;
  for (std::size_t k = 0; k < extended.m; ++k) names.emplace(extended.drive_factor(k), extended.forces[k]);
  return substitute(extended.inserted(e), names);
}

}  // namespace

/// int (dL + Q dq + R_0 dq0) dt = 0: Euler's equations on the extended manifold, q0 free while T and V are
/// differentiated (rows V6.extended-equations, V10.stationary-action). Applied forces and constraints that
/// hold q0 have their own parts there, also those of the first degree in the velocities (V4.homogenise).
FormulationResult derive_extended(Algebra& algebra, const Motion& motion, const System* whole) {
  if (whole == nullptr) return no_drive(Formulation::extended);
  FormulationResult result = begin(Formulation::extended);
  const ExtendedMotion extended = extend_motion(algebra, motion, *whole);
  const std::vector<Expr> rows = lagrange_rows(algebra, extended.motion.space);
  const std::vector<Expr> forces = applied_forces(extended.motion.space), pushes = reactions(extended.motion);
  std::vector<std::pair<Expr, Expr>> equations;
  for (std::size_t i = 0; i < rows.size(); ++i)
    equations.emplace_back(rows[i] + forces[i], forces[i] + pushes[i]);
  finish_extended(algebra, motion, extended, equations, result);
  return result;
}

/// dS/dq0'' = Q_0 + R_0 beside those of the coordinates, S from particles and bodies (row V3.gibbs-appell).
FormulationResult derive_extended_gibbs_appell(Algebra& algebra, const Motion& motion, const System* whole) {
  constexpr Formulation road = Formulation::extended_gibbs_appell;
  if (whole == nullptr) return no_drive(road);
  const ExtendedMotion extended = extend_motion(algebra, motion, *whole);
  if (const auto obstacle = obstacle_to_points(algebra, extended.motion.space))
    return not_applicable(road, *obstacle);
  FormulationResult result = begin(road);
  finish_extended(algebra, motion, extended, gibbs_appell_equations(extended.motion), result);
  return result;
}

/// E + sum lambda e + R_0 e^0 with the form Omega of the extended manifold: R_0 is the factor of q0 = tau(t),
/// and where nothing else holds q0 it is -i(E)da/a^00 (row V6.gallissot-map).
FormulationResult derive_extended_form(Algebra& algebra, const Motion& motion, const System* whole) {
  constexpr Formulation road = Formulation::extended_form;
  if (whole == nullptr) return no_drive(road);
  const ExtendedMotion extended = extend_motion(algebra, motion, *whole, true);
  const Motion& on = extended.motion;
  if (on.status == FactorStatus::singular_mass)
    return not_applicable(road,
                          "the tensor of inertia on the drives and the coordinates is singular: `extended` "
                          "needs no inverse of it");
  if (const auto obstacle = obstacle_to_solving(on)) return not_applicable(road, *obstacle);
  if (on.acceleration.empty()) return not_applicable(road, on.open_reason);
  FormulationResult result = begin(road);
  Pool& pool = on.space.pool();
  const std::vector<Expr> accelerations = acceleration_symbols(on.space);
  for (std::size_t a = 0; a < extended.n; ++a) {
    std::vector<Expr> terms{on.free_acceleration[a]};
    for (std::size_t h = 0; h < on.constraints.size(); ++h)
      terms.push_back(on.constraints[h].factor * on.fields[h][a]);
    result.equations.emplace_back(accelerations[a],
                                  algebra.readable(with_forces_named(extended, pool.add(terms))));
    result.acceleration.push_back(algebra.readable(extended.inserted(on.acceleration[a])));
  }
  for (std::size_t k = 0; k < on.relation_count; ++k) {
    std::vector<Expr> terms{on.drive[k]};
    for (std::size_t h = 0; h < on.constraints.size(); ++h)
      terms.push_back(on.constraints[h].factor * on.r(h, k));
    result.equations.emplace_back(algebra.readable(with_forces_named(extended, pool.add(terms))),
                                  pool.number(0));
  }
  for (std::size_t h = 0; h < on.constraints.size(); ++h) {
    const bool is_drive = h >= extended.relation_count && h < extended.relation_count + extended.m;
    (is_drive ? result.drive_forces : result.factors)
        .push_back(algebra.readable(extended.inserted(on.factors[h])));
  }
  return result;
}

}  // namespace liaison
