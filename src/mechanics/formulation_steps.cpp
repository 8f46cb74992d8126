#include <algorithm>

#include "formulations.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

FormulationResult not_applicable(Formulation formulation, std::string reason) {
  FormulationResult result;
  result.formulation = formulation;
  result.reason = std::move(reason);
  return result;
}

std::optional<std::string> obstacle_to_solving(const Motion& motion) {
  constexpr const char* not_linear = "the directions of the reactions depend on the factors";
  const bool depends = std::any_of(motion.constraints.begin(), motion.constraints.end(),
                                   [](const ConstraintField& field) { return field.depends_on_factor; });
  if (depends) return not_linear;
  switch (motion.status) {
    case FactorStatus::implicit: return not_linear;
    case FactorStatus::incompatible: return "no factors satisfy the relations";
    case FactorStatus::singular_mass: return "the mass matrix is singular";
    case FactorStatus::not_solved: return motion.open_reason;  // not always its size
    case FactorStatus::none:
    case FactorStatus::determined:
    case FactorStatus::undetermined: break;
  }
  return std::nullopt;
}

// ---- kinematics ----

std::vector<Expr> acceleration_symbols(const StateSpace& space) {
  std::vector<Expr> result;
  for (Expr parameter : space.parameters) result.push_back(acceleration_symbol(parameter));
  return result;
}

std::vector<Expr> factor_symbols(const Motion& motion) {
  std::vector<Expr> result;
  for (const ConstraintField& constraint : motion.constraints) result.push_back(constraint.factor);
  return result;
}

Expr rate_along_motion(const StateSpace& space, Expr e) {
  return space.in_parameters(time_derivative(*space.system, e));
}

std::vector<Expr> configuration_derivatives(const System& system, Expr e) {
  std::vector<Expr> coordinates;
  for (const Direction& direction : system.directions) {
    if (!direction.rotation) coordinates.push_back(direction.coordinate);
  }
  for (const Rotation& rotation : system.rotations) {
    coordinates.insert(coordinates.end(), rotation.quaternion.begin(), rotation.quaternion.end());
  }
  const std::vector<Expr> partials = gradient(e, coordinates);

  std::vector<Expr> result(system.directions.size(), system.pool->number(0));
  std::size_t next = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!system.directions[i].rotation) result[i] = partials[next++];
  }
  for (const Rotation& rotation : system.rotations) {
    // e' is linear in the rates: its coefficients are the field of each axis.
    const std::array<Expr, 4> rates = quaternion_rates(system, rotation);
    for (std::size_t k = 0; k < 4; ++k, ++next) {
      for (std::size_t i = rotation.first_direction; i < rotation.first_direction + 3; ++i) {
        result[i] += partials[next] * derivative(rates[k], system.directions[i].velocity);
      }
    }
  }
  return result;
}

// ---- dynamics ----

std::vector<Expr> turning_terms(const System& system, const std::vector<Expr>& velocities,
                                const std::vector<Expr>& momenta) {
  std::vector<Expr> result(momenta.size(), system.pool->number(0));
  for (const Rotation& rotation : system.rotations) {
    const Rational sign = rotation.axes == Axes::body ? 1 : -1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t i = rotation.first_direction + axis, j = rotation.first_direction + (axis + 1) % 3,
                        k = rotation.first_direction + (axis + 2) % 3;
      result[i] = sign * (velocities[j] * momenta[k] - velocities[k] * momenta[j]);
    }
  }
  return result;
}

std::vector<Expr> applied_forces(const StateSpace& space) {
  const System& system = *space.system;
  std::vector<Expr> result = configuration_derivatives(system, system.potential);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = space.in_parameters(system.forces[i]) - result[i];
  }
  return result;
}

std::vector<Expr> reactions(const Motion& motion) {
  Pool& pool = motion.space.pool();
  std::vector<Expr> result;
  for (std::size_t i = 0; i < motion.space.size(); ++i) {
    std::vector<Expr> terms;
    for (const ConstraintField& constraint : motion.constraints) {
      terms.push_back(constraint.factor * constraint.direction[i]);
    }
    result.push_back(pool.add(terms));
  }
  return result;
}

// ---- solving ----

namespace {

bool depends_on_any(Expr e, const std::vector<Expr>& symbols) {
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(e, symbol); });
}

}  // namespace

std::optional<std::vector<Expr>> solve_rows(Algebra& algebra, const std::vector<Expr>& rows,
                                            const std::vector<Expr>& unknowns, std::size_t may_stay_open) {
  Pool& pool = algebra.pool();
  if (unknowns.empty()) return std::vector<Expr>{};
  Substitution none;
  for (Expr unknown : unknowns) none.emplace(unknown, pool.number(0));
  Matrix coefficients(pool, rows.size(), unknowns.size());
  for (const JacobianEntry& entry : jacobian(rows, unknowns)) {
    Expr value = entry.value;
    if (depends_on_any(value, unknowns)) value = algebra.canonical(value).value;
    if (depends_on_any(value, unknowns)) return std::nullopt;
    coefficients(entry.row, entry.column) = value;
  }
  std::vector<Expr> right;
  for (Expr row : rows) right.push_back(-substitute(row, none));

  SolveResult solution = solve(algebra, coefficients, right);
  if (solution.status == SolveStatus::inconsistent) return std::nullopt;
  for (std::size_t j = 0; j < solution.free_unknowns.size(); ++j) {
    const std::size_t open = solution.free_unknowns[j];
    if (open < may_stay_open) return std::nullopt;
    const std::vector<Expr>& direction = solution.kernel[j];
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
      solution.x[k] += unknowns[open] * direction[k] / direction[open];
    }
  }
  return solution.x;
}

void add_relations(const Motion& motion, FormulationResult& result) {
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    result.equations.emplace_back(rate_along_motion(motion.space, motion.constraints[k].relation),
                                  motion.space.pool().number(0));
  }
}

void solve_bordered(Algebra& algebra, const Motion& motion, FormulationResult& result) {
  if (obstacle_to_solving(motion)) return;
  const std::size_t n = motion.space.size();
  std::vector<Expr> rows, unknowns = acceleration_symbols(motion.space);
  for (std::size_t i = 0; i < n + motion.relation_count; ++i) {
    const auto& [left, right] = result.equations[i];
    rows.push_back(left - right);
  }
  const std::vector<Expr> factors = factor_symbols(motion);
  unknowns.insert(unknowns.end(), factors.begin(), factors.end());

  const auto solution = solve_rows(algebra, rows, unknowns, n);
  if (!solution) return;
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    (k < n ? result.acceleration : result.factors).push_back(algebra.readable((*solution)[k]));
  }
}

}  // namespace liaison
