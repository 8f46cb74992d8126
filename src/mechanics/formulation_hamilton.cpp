#include <algorithm>

#include "formulations.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// p_x of x, p_r of a rate r; with an underscore more where the system has another use for the name.
Expr momentum_symbol(const System& system, const Direction& direction) {
  const Expr named = direction.rotation ? direction.velocity : direction.coordinate;
  std::string name = "p_" + named.symbol().name;
  const auto is_taken = [&] {
    const Expr known = system.pool->find_symbol(name);
    if (known.empty()) return false;
    return known.symbol().kind != SymbolKind::auxiliary ||
           std::any_of(system.rheonomic.begin(), system.rheonomic.end(),
                       [&](const Rheonomic& chosen) { return chosen.symbol == known; });
  };
  while (is_taken()) name += "_";
  return system.pool->symbol(name, SymbolKind::auxiliary);
}

/// The system in coordinates and momenta.
struct MomentumChart {
  std::vector<Expr> p;               ///< symbols
  std::vector<Expr> p_of_u;          ///< p_i(q, u, t)
  std::vector<Expr> u_of_p;          ///< u^a(q, p, t)
  Expr hamiltonian;                  ///< p_i v^i - T: T2 - T0, without the potential
  std::vector<Expr> velocities;      ///< dH/dp_i
  std::vector<Expr> momentum_rates;  ///< p_i', with the factors
  Substitution into_momenta, out_of_momenta;
};

/// Nothing if the velocities are not linear in their parameters.
std::optional<MomentumChart> derive_momentum_chart(Algebra& algebra, const Motion& motion) {
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  const std::size_t n = space.size();
  MomentumChart c;
  c.p_of_u = derive_momenta(algebra, space, space.system->kinetic);
  std::vector<Expr> rows;
  for (std::size_t i = 0; i < n; ++i) {
    c.p.push_back(momentum_symbol(system, system.directions[i]));
    c.out_of_momenta.emplace(c.p[i], c.p_of_u[i]);
    rows.push_back(c.p_of_u[i] - c.p[i]);
  }
  const auto inverse = solve_rows(algebra, rows, space.parameters, n);
  if (!inverse) return std::nullopt;
  c.u_of_p = *inverse;
  for (std::size_t a = 0; a < n; ++a) c.into_momenta.emplace(space.parameters[a], c.u_of_p[a]);

  std::vector<Expr> energy{-space.in_parameters(system.kinetic)};
  for (std::size_t i = 0; i < n; ++i) energy.push_back(c.p[i] * space.velocities[i]);
  c.hamiltonian = algebra.readable(substitute(space.pool().add(energy), c.into_momenta));
  c.velocities = gradient(c.hamiltonian, c.p);

  const std::vector<Expr> slopes = configuration_derivatives(system, c.hamiltonian);
  const std::vector<Expr> turning = turning_terms(system, c.velocities, c.p);
  const std::vector<Expr> forces = applied_forces(space), pushes = reactions(motion);
  for (std::size_t i = 0; i < n; ++i) {
    c.momentum_rates.push_back(substitute(forces[i] + pushes[i], c.into_momenta) - slopes[i] - turning[i]);
  }
  return c;
}

/// de/dt of e(q, p, t) by Hamilton's equations.
Expr rate_in_momenta(const System& system, const MomentumChart& c, Expr e) {
  const std::vector<Expr> by_q = configuration_derivatives(system, e), by_p = gradient(e, c.p);
  std::vector<Expr> terms{derivative(e, system.time)};
  for (std::size_t i = 0; i < c.p.size(); ++i) {
    terms.push_back(by_q[i] * c.velocities[i]);
    terms.push_back(by_p[i] * c.momentum_rates[i]);
  }
  return system.pool->add(terms);
}

}  // namespace

/// theta^i = dH/dp_i dt, p_i' = -dH/dq^i + Q_i + lambda_h l^h_i with H = T2 - T0 and the potential among the
/// forces (row G1.II-Hamilton), the relations on (q, p, t) (row G2.II-relation), for a rotation p' -+ w x p.
FormulationResult derive_hamilton(Algebra& algebra, const Motion& motion) {
  if (const auto obstacle = obstacle_to_solving(motion))
    return not_applicable(Formulation::hamilton, *obstacle);
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  const auto c = derive_momentum_chart(algebra, motion);
  if (!c)
    return not_applicable(Formulation::hamilton, "the momenta are not linear in the velocity parameters");

  FormulationResult result;
  result.formulation = Formulation::hamilton;
  for (std::size_t i = 0; i < space.size(); ++i) {
    result.equations.emplace_back(system.directions[i].velocity, c->velocities[i]);
  }
  for (std::size_t i = 0; i < space.size(); ++i) {
    result.equations.emplace_back(acceleration_symbol(c->p[i]), c->momentum_rates[i]);
  }
  // The inverse of the mass matrix stands in the relations; in the parameters much of it cancels.
  std::vector<Expr> rows;
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    const Expr relation = substitute(motion.constraints[k].relation, c->into_momenta);
    result.equations.emplace_back(rate_in_momenta(system, *c, relation), space.pool().number(0));
    rows.push_back(algebra.canonical(substitute(result.equations.back().first, c->out_of_momenta)).value);
  }
  const std::vector<Expr> factors = factor_symbols(motion);
  const auto solution = solve_rows(algebra, rows, factors, 0);
  if (!solution) return not_applicable(Formulation::hamilton, "no factors satisfy the relations");

  Substitution known;
  for (std::size_t h = 0; h < factors.size(); ++h) {
    known.emplace(factors[h], (*solution)[h]);
    result.factors.push_back(algebra.readable((*solution)[h]));
  }
  for (Expr u : c->u_of_p) {
    const Expr rate = algebra.canonical(substitute(rate_in_momenta(system, *c, u), c->out_of_momenta)).value;
    result.acceleration.push_back(algebra.readable(substitute(rate, known)));
  }
  result.applicable = true;
  return result;
}

}  // namespace liaison
