#include "poisson.hpp"

#include <algorithm>

#include "chartless_flow.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"

namespace liaison {

namespace {

PoissonStructure::Result refused(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

/// What the forces have across the velocity, B_ij v^j with B antisymmetric and free of velocities. Adding
/// B_ij (theta^i - v^i dt)^(theta^j - v^j dt)/2 to Omega keeps the motion, and takes these forces over to
/// theta^i^theta^j: those of a magnetic field.
std::vector<std::vector<Expr>> gyroscopic_part(Algebra& algebra, const StateSpace& space,
                                               const std::vector<Expr>& forces) {
  const std::size_t n = space.size();
  std::vector<std::vector<Expr>> matrix(n, std::vector<Expr>(n, algebra.pool().number(0)));
  if (space.parameters != space.velocities) return matrix;
  auto result = matrix;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) result[i][j] = derivative(forces[i], space.parameters[j]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const bool has_velocity = std::any_of(space.parameters.begin(), space.parameters.end(),
                                            [&](Expr v) { return depends_on(result[i][j], v); });
      if (has_velocity || !algebra.is_zero(result[i][j] + result[j][i]).is_proved()) return matrix;
    }
  }
  return result;
}

/// All constraints are ideal relations between coordinates, and written in all of these.
bool has_ideal_levels(const StateFlow& flow) {
  const Motion& motion = *flow.motion;
  const System& system = *motion.space.system;
  if (!flow.has_levels || !flow.inclusion.empty() || !system.reactions.empty()) return false;
  if (motion.relation_count != system.constraints.size()) return false;
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    if (motion.constraints[h].level.empty()) return false;
  }
  return std::all_of(system.constraints.begin(), system.constraints.end(),
                     [](const Constraint& constraint) { return constraint.power_kind == PowerKind::ideal; });
}

}  // namespace

PoissonStructure::Result PoissonStructure::of(Algebra& algebra, const StateFlow& flow,
                                              const Substitution& values) {
  const Motion& motion = *flow.motion;
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  const std::size_t n = space.size();
  const bool is_bound = motion.relation_count > 0 || !system.constraints.empty();
  if (is_bound && !has_ideal_levels(flow))
    return refused(
        "Poisson brackets are taken of systems without constraints, or with ideal ones between "
        "coordinates alone");
  if (!flow.standing.pieces.empty()) return refused(flow.standing.pieces);
  PoissonStructure result(algebra, flow);
  const auto valued = [&](Expr e) { return algebra.readable(substitute(e, values)); };

  std::vector<Expr> forces;
  for (Expr force : motion.omega.forces) forces.push_back(valued(force));
  result.gyration_ = gyroscopic_part(algebra, space, forces);
  // What is left of the forces: closed as a form on the positions, and most often that of the potential.
  const Form potential = d(space.coframe, valued(system.potential));
  std::vector<Form::Term> left;
  bool is_potential = true;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> terms{forces[i]};
    for (std::size_t j = 0; j < n; ++j) terms.push_back(-(result.gyration_[i][j] * space.velocities[j]));
    const Expr force = algebra.readable(algebra.pool().add(terms));
    const std::size_t index[] = {space.configuration_form(i)};
    const Verdict verdict = algebra.is_zero(force + potential.coefficient(index));
    if (verdict.holds()) result.grade_ = weaker(result.grade_, verdict.grade);
    is_potential = is_potential && verdict.holds();
    IndexSet theta;
    theta.set(space.configuration_form(i));
    left.emplace_back(theta, force);
  }
  if (!is_potential) {
    for (const auto& [theta, force] : left) {
      if (depends_on(force, flow.time)) return refused("a force depends on time");
    }
    const Verdict closed = is_zero(algebra, d(Form(space.coframe, 1, std::move(left))));
    if (!closed.holds())
      return refused(closed.is_refuted() ? "a force has no potential: Omega is not closed"
                                         : "it was not decided whether the forces have a potential");
    result.grade_ = weaker(result.grade_, closed.grade);
  }

  for (Expr momentum : motion.omega.momenta) result.momenta_.push_back(valued(momentum));
  const Expr energy = valued(motion.omega.energy) + valued(system.potential);
  if (is_potential) result.energy_ = energy;
  std::vector<Expr> all = result.momenta_;
  all.push_back(energy);
  for (Expr e : all) {
    if (depends_on(e, flow.time)) return refused("the energies depend on time");
  }

  // Omega at a fixed time: dp_i ^ theta^i + p_i dtheta^i, and what the forces add.
  std::vector<Form::Term> action, across;
  for (std::size_t i = 0; i < n; ++i) {
    IndexSet theta;
    theta.set(space.configuration_form(i));
    action.emplace_back(theta, result.momenta_[i]);
    for (std::size_t j = i + 1; j < n; ++j) {
      if (result.gyration_[i][j].is_zero()) continue;
      result.is_canonical_ = false;
      IndexSet both = theta;
      both.set(space.configuration_form(j));
      across.emplace_back(both, result.gyration_[i][j]);
    }
  }
  const Form field = Form(space.coframe, 2, std::move(across));
  const Verdict closed = is_zero(algebra, d(field));
  if (!closed.holds()) return refused("a force across the velocity has no vector potential");
  result.grade_ = weaker(result.grade_, closed.grade);
  const Form omega = d(Form(space.coframe, 1, std::move(action))) + field;
  Matrix mass(algebra.pool(), n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t configuration[] = {space.configuration_form(i), space.configuration_form(j)};
      const std::size_t mixed[] = {space.velocity_form(j), space.configuration_form(i)};
      if (i != j) result.gyration_[i][j] = omega.coefficient(configuration);
      mass(i, j) = omega.coefficient(mixed);
    }
  }
  result.inverse_.assign(n, {});
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Expr> unit(n, algebra.pool().number(0));
    unit[j] = algebra.pool().number(1);
    const SolveResult column = solve(algebra, mass, unit);
    if (column.status != SolveStatus::unique) return refused("the mass matrix is singular");
    result.grade_ = weaker(result.grade_, column.grade);
    for (std::size_t i = 0; i < n; ++i) result.inverse_[i].push_back(column.x[i]);
  }
  if (is_bound) {
    const std::string reason = result.bind(relations_of(algebra, motion, values));
    if (!reason.empty()) return refused(reason);
  }
  return {std::move(result), {}};
}

std::string PoissonStructure::bind(const std::vector<Expr>& relations) {
  for (Expr relation : relations) {
    if (depends_on(relation, flow_.time)) return "the relations depend on time";
  }
  const std::size_t m = relations.size();
  Matrix brackets(algebra_.pool(), m, m);
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      brackets(a, b) = ambient_bracket(relations[a], relations[b]);
      brackets(b, a) = -brackets(a, b);
    }
  }
  between_.assign(m, {});
  for (std::size_t b = 0; b < m; ++b) {
    std::vector<Expr> unit(m, algebra_.pool().number(0));
    unit[b] = algebra_.pool().number(1);
    const SolveResult column = solve(algebra_, brackets, unit);
    if (column.status != SolveStatus::unique) return "the relations depend on each other";
    grade_ = weaker(grade_, column.grade);
    for (std::size_t a = 0; a < m; ++a) between_[a].push_back(column.x[a]);
  }
  relations_ = relations;
  return {};
}

std::vector<Expr> PoissonStructure::differential(Expr f) const {
  const Form df = d(flow_.coframe, f);
  std::vector<Expr> result;
  for (std::size_t k = 0; k + 1 < flow_.coframe->dimension(); ++k) {
    const std::size_t index[] = {k};
    result.push_back(df.coefficient(index));
  }
  return result;
}

/// (f, g) - (f, a^h) C_hk (a^k, g), C the inverse of the brackets of the relations a^h.
Expr PoissonStructure::bracket(Expr f, Expr g) const {
  if (relations_.empty()) return ambient_bracket(f, g);
  std::vector<Expr> terms{ambient_bracket(f, g)}, left, right;
  for (Expr relation : relations_) {
    left.push_back(ambient_bracket(f, relation));
    right.push_back(ambient_bracket(relation, g));
  }
  for (std::size_t a = 0; a < left.size(); ++a) {
    for (std::size_t b = 0; b < right.size(); ++b) terms.push_back(-(left[a] * between_[a][b] * right[b]));
  }
  return algebra_.readable(algebra_.pool().add(terms));
}

/// -X_g(f) with i(X_g)omega = dg: M^T xi = -dg/du, M eta = dg/dq + A xi.
Expr PoissonStructure::ambient_bracket(Expr f, Expr g) const {
  const std::size_t n = inverse_.size();
  Pool& pool = algebra_.pool();
  const std::vector<Expr> df = differential(f), dg = differential(g);
  std::vector<Expr> xi, right, terms;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> sum;
    for (std::size_t a = 0; a < n; ++a) sum.push_back(-(inverse_[a][i] * dg[n + a]));
    xi.push_back(pool.add(sum));
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> sum{dg[i]};
    for (std::size_t j = 0; j < n; ++j) sum.push_back(gyration_[i][j] * xi[j]);
    right.push_back(pool.add(sum));
  }
  for (std::size_t i = 0; i < n; ++i) {
    terms.push_back(-(df[i] * xi[i]));
    for (std::size_t a = 0; a < n; ++a) terms.push_back(-(df[n + i] * inverse_[i][a] * right[a]));
  }
  return algebra_.readable(pool.add(terms));
}

}  // namespace liaison
