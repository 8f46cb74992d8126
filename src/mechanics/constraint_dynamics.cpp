#include "liaison/mechanics/constraint_dynamics.hpp"

#include "contract.hpp"

#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

Expr coefficient_of(const Form& a, std::size_t index) {
  const std::size_t indices[] = {index};
  return a.coefficient(indices);
}

/// S_kr = Gamma_{kr,l} psi^l + (db_k/dq^r + db_r/dq^k - dg_kr/dt)/2: Gamma of the first kind, b_k what
/// dT/dv^k is at rest.
Matrix second_terms(Algebra& algebra, const Motion& motion, const ConstraintGeometry& geometry) {
  const System& system = *motion.space.system;
  const std::size_t n = geometry.space.size();
  std::vector<Expr> q, v;
  Substitution at_rest;
  for (const Direction& direction : system.directions) {
    q.push_back(direction.coordinate);
    v.push_back(direction.velocity);
    at_rest.emplace(direction.velocity, algebra.pool().number(0));
  }
  std::vector<Expr> b = gradient(system.kinetic, v);
  for (Expr& entry : b) entry = substitute(entry, at_rest);
  const Matrix& g = geometry.metric;
  const Rational half(1, 2);
  Matrix result(algebra.pool(), n, n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t r = 0; r < n; ++r) {
      std::vector<Expr> terms{half * derivative(b[k], q[r]), half * derivative(b[r], q[k]),
                              -(half * derivative(g(k, r), system.time))};
      for (std::size_t l = 0; l < n; ++l) {
        const Expr gamma = derivative(g(k, l), q[r]) + derivative(g(r, l), q[k]) - derivative(g(k, r), q[l]);
        terms.push_back(half * gamma * geometry.space.psi[l]);
      }
      result(k, r) = algebra.readable(algebra.pool().add(terms));
    }
  }
  return result;
}

bool directions_depend_on_factors(const Motion& motion) {
  for (const ConstraintField& constraint : motion.constraints) {
    if (constraint.depends_on_factor) return true;
  }
  return false;
}

bool all_vanish(Algebra& algebra, const std::vector<Expr>& es) {
  for (Expr e : es) {
    if (!algebra.is_zero(e).holds()) return false;
  }
  return true;
}

/// l^h on A, one row a reaction.
std::vector<std::vector<Expr>> directions_on(const Motion& motion, const ConstraintSpace& space) {
  std::vector<std::vector<Expr>> result;
  for (const ConstraintField& constraint : motion.constraints) {
    result.push_back(substitute(constraint.direction, space.inclusion));
  }
  return result;
}

std::vector<Expr> combination(Pool& pool, const std::vector<std::vector<Expr>>& rows,
                              const std::vector<Expr>& factors, std::size_t n) {
  std::vector<Expr> result;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Expr> terms;
    for (std::size_t h = 0; h < rows.size(); ++h) terms.push_back(factors[h] * rows[h][k]);
    result.push_back(pool.add(terms));
  }
  return result;
}

Determinism judge(Algebra& algebra, const ConstraintSpace& space,
                  const std::vector<std::vector<Expr>>& directions, const SolveResult& solution) {
  if (solution.status == SolveStatus::inconsistent) return Determinism::impossible;
  if (solution.status == SolveStatus::unique) return Determinism::deterministic;
  for (const std::vector<Expr>& open : solution.kernel) {
    const std::vector<Expr> phi = combination(space.pool(), directions, open, space.size());
    if (!all_vanish(algebra, on_variations(space, phi))) return Determinism::indeterminate;
  }
  return Determinism::motion_only;
}

/// Each kernel vector belongs to one free unknown: an open factor keeps its symbol.
std::vector<Expr> with_open_factors(Algebra& algebra, const Motion& motion, const SolveResult& solution) {
  std::vector<Expr> factors = solution.x;
  for (std::size_t j = 0; j < solution.free_unknowns.size(); ++j) {
    const std::size_t open = solution.free_unknowns[j];
    const std::vector<Expr>& direction = solution.kernel[j];
    for (std::size_t h = 0; h < factors.size(); ++h) {
      factors[h] += motion.constraints[open].factor * direction[h] / direction[open];
    }
  }
  for (Expr& factor : factors) factor = algebra.readable(factor);
  return factors;
}

/// g^ij nu^s_j on A, one row a relation.
std::vector<std::vector<Expr>> raised_chetaev(Algebra& algebra, const Motion& motion,
                                              const ConstraintSpace& space) {
  const Matrix metric = derive_metric_on(algebra, motion, space);
  const Matrix gradients = derive_relation_gradient(algebra, motion, space);
  std::vector<std::vector<Expr>> result;
  for (std::size_t s = 0; s < gradients.rows; ++s) {
    std::vector<Expr> nu;
    for (std::size_t k = 0; k < space.size(); ++k) nu.push_back(gradients(s, k));
    result.push_back(solve(algebra, metric, nu).x);
  }
  return result;
}

}  // namespace

ConstraintDynamics derive_constraint_dynamics(const Motion& motion, const ConstraintSpace& space) {
  const Expr kinetic = space.restricted(motion.space.in_parameters(motion.space.system->kinetic));
  ConstraintDynamics result{kinetic,
                            substitute(motion.omega.momenta, space.inclusion),
                            substitute(motion.omega.forces, space.inclusion),
                            Form(space.coframe, 2),
                            {}};
  Form action = kinetic * Form::basis(space.coframe, space.time_form());
  for (std::size_t k = 0; k < space.size(); ++k) action = action + result.momenta[k] * space.contact[k];
  result.omega = d(action);
  result.inertia = balance(space, result, std::vector<Expr>(space.freedom(), space.pool().number(0)));
  return result;
}

std::vector<Expr> balance(const ConstraintSpace& space, const ConstraintDynamics& dynamics,
                          const std::vector<Expr>& rates) {
  return configuration_components(interior(space.flow(rates), dynamics.omega), space.size());
}

std::vector<Expr> solve_flow(Algebra& algebra, const Matrix& fibre_metric, const ConstraintSpace& space,
                             const ConstraintDynamics& dynamics, const std::vector<Expr>& forces) {
  if (space.freedom() == 0) return {};
  std::vector<Expr> load;
  for (std::size_t k = 0; k < space.size(); ++k) load.push_back(forces[k] - dynamics.inertia[k]);
  std::vector<Expr> right = on_variations(space, load);
  for (Expr& entry : right) entry = algebra.canonical(entry).value;
  const SolveResult solution = solve(algebra, fibre_metric, right);
  if (solution.status != SolveStatus::unique) {
    throw Error(ErrorCode::not_a_basis, "the kinetic energy of the admissible velocities is singular",
                "every admissible velocity needs an inertia");
  }
  std::vector<Expr> rates;
  for (Expr rate : solution.x) rates.push_back(algebra.readable(rate));
  return rates;
}

std::vector<Expr> inertial_flow(Algebra& algebra, const ConstraintGeometry& geometry,
                                const ConstraintDynamics& dynamics) {
  const std::vector<Expr> none(geometry.space.size(), algebra.pool().number(0));
  return solve_flow(algebra, geometry.fibre_metric, geometry.space, dynamics, none);
}

std::optional<OmegaSplit> split_omega(Algebra& algebra, const Motion& motion,
                                      const ConstraintGeometry& geometry,
                                      const ConstraintDynamics& dynamics) {
  const ConstraintSpace& space = geometry.space;
  const bool written_in_velocities = motion.space.system->chart.parameters.empty();
  if (!space.system->rotations.empty() || !written_in_velocities) return std::nullopt;
  const std::size_t n = space.size();
  const Form dt = Form::basis(space.coframe, space.time_form());
  const Form d_kinetic = d(space.coframe, dynamics.kinetic);
  std::vector<Form> d_psi;
  for (Expr psi : space.psi) d_psi.push_back(d(space.coframe, psi));

  OmegaSplit result{Form(space.coframe, 2), Form(space.coframe, 2), Form(space.coframe, 2),
                    second_terms(algebra, motion, geometry)};
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Expr> slope{-coefficient_of(d_kinetic, k)};
    for (std::size_t r = 0; r < n; ++r) slope.push_back(dynamics.momenta[r] * coefficient_of(d_psi[r], k));
    Form momentum_balance = d(space.coframe, dynamics.momenta[k]) + algebra.pool().add(slope) * dt;
    result.naive = result.naive + wedge(momentum_balance, geometry.virtual_contact[k]);
    for (std::size_t r = 0; r < n; ++r) {
      momentum_balance = momentum_balance - result.second(k, r) * space.contact[r];
    }
    result.virtual_part = result.virtual_part + wedge(momentum_balance, geometry.virtual_contact[k]);
    result.chetaev_part = result.chetaev_part + wedge(momentum_balance, geometry.chi[k]);
  }
  return result;
}

Form virtual_work(const ConstraintGeometry& geometry, const std::vector<Expr>& forces) {
  return split(geometry, forces).virtual_part;
}

ReactivePart solve_reactive_part(Algebra& algebra, const Motion& motion, const ConstraintSpace& space,
                                 const ConstraintDynamics& dynamics) {
  Pool& pool = algebra.pool();
  const std::size_t n = space.size(), p = motion.relation_count;
  const auto directions = directions_on(motion, space);
  const auto raised = raised_chetaev(algebra, motion, space);
  ReactivePart result{Determinism::deterministic, Matrix(pool, p, directions.size()), {}, {}, {}};
  std::vector<Expr> load;
  for (std::size_t k = 0; k < n; ++k) load.push_back(dynamics.inertia[k] - dynamics.forces[k]);
  for (std::size_t s = 0; s < p; ++s) {
    for (std::size_t h = 0; h < directions.size(); ++h) {
      result.matrix(s, h) = algebra.readable(contract(pool, raised[s], directions[h]));
    }
    result.right.push_back(algebra.readable(contract(pool, raised[s], load)));
  }
  if (directions_depend_on_factors(motion)) {
    result.determinism = Determinism::implicit;
    return result;
  }
  if (directions.empty()) {
    result.reaction.assign(n, pool.number(0));
    return result;
  }
  const SolveResult solution = solve(algebra, result.matrix, result.right);
  result.determinism = judge(algebra, space, directions, solution);
  if (result.determinism == Determinism::impossible) return result;
  result.factors = with_open_factors(algebra, motion, solution);
  result.reaction = combination(pool, directions, result.factors, n);
  return result;
}

Expr gauss_function(const ConstraintGeometry& geometry, const ConstraintDynamics& dynamics,
                    const std::vector<Expr>& rates) {
  const ConstraintSpace& space = geometry.space;
  const VectorField flow = space.flow(rates);
  std::vector<Expr> acceleration;
  for (Expr psi : space.psi) acceleration.push_back(apply(flow, psi));
  const std::vector<Expr> b = balance(space, dynamics, rates);
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < space.size(); ++k) {
    terms.push_back(acceleration[k] * (b[k] - dynamics.forces[k]));
    for (std::size_t l = 0; l < space.size(); ++l) {
      terms.push_back(Rational(-1, 2) * (geometry.metric(k, l) * acceleration[k] * acceleration[l]));
    }
  }
  return space.pool().add(terms);
}

}  // namespace liaison
