#include "manifold_equations.hpp"

#include <algorithm>
#include <cmath>

#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

std::vector<Expr> joined(std::vector<Expr> a, const std::vector<Expr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void add_places(const Motion& motion, ManifoldEquations& equations) {
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (system.directions[i].coordinate.empty()) continue;
    equations.places.push_back(system.directions[i].coordinate);
    equations.place_rates.push_back(space.velocities[i]);
  }
  for (const Rotation& rotation : system.rotations) {
    const std::array<Expr, 4> rates = quaternion_rates(system, rotation);
    for (std::size_t k = 0; k < 4; ++k) {
      equations.places.push_back(rotation.quaternion[k]);
      equations.place_rates.push_back(space.in_parameters(rates[k]));
    }
  }
  equations.velocities = space.parameters;
  for (Expr parameter : space.parameters) equations.rates.push_back(acceleration_symbol(parameter));
}

Expr with_rates(Pool& pool, const std::vector<Expr>& row, const std::vector<Expr>& rates, Expr rest) {
  std::vector<Expr> terms{rest};
  for (std::size_t a = 0; a < rates.size(); ++a) terms.push_back(row[a] * rates[a]);
  return pool.add(terms);
}

void add_relations(const Motion& motion, ManifoldEquations& equations) {
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    if (!constraint.level.empty()) {
      equations.levels.push_back(constraint.level);
      equations.level_names.push_back(constraint.name);
    } else {
      equations.is_holonomic = false;
    }
    equations.speeds.push_back(constraint.relation);
  }
  for (const Rotation& rotation : motion.space.system->rotations) {
    const auto& e = rotation.quaternion;
    equations.levels.push_back(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + Rational(-1));
    equations.level_names.emplace_back("the length of a quaternion");
  }
}

void add_residuals(const Motion& motion, ManifoldEquations& equations) {
  Pool& pool = motion.space.pool();
  const std::size_t n = motion.space.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> row, forces{motion.free.load[i]};
    for (std::size_t a = 0; a < n; ++a) row.push_back(motion.free.mass(i, a));
    for (const ConstraintField& constraint : motion.constraints)
      forces.push_back(constraint.factor * constraint.direction[i]);
    equations.residuals.push_back(with_rates(pool, row, equations.rates, -pool.add(forces)));
  }
  for (const ConstraintField& constraint : motion.constraints) {
    equations.factors.push_back(constraint.factor);
    equations.residuals.push_back(with_rates(pool, constraint.gradient, equations.rates, constraint.bias));
  }
}

}  // namespace

std::vector<Expr> ManifoldEquations::state() const {
  return joined(places, velocities);
}
std::vector<Expr> ManifoldEquations::unknowns() const {
  return joined(rates, factors);
}
std::vector<Expr> ManifoldEquations::relations() const {
  return joined(levels, speeds);
}

void ManifoldEquations::leave_out(Expr place) {
  const auto at = std::find(places.begin(), places.end(), place);
  if (at == places.end()) return;
  place_rates.erase(place_rates.begin() + (at - places.begin()));
  places.erase(at);
}

ManifoldEquations manifold_equations(const Motion& motion, const Substitution& values) {
  ManifoldEquations equations;
  if (motion.relation_count != motion.constraints.size()) {
    equations.reason = "a reaction is determined by no relation of its own";
    return equations;
  }
  for (const ConstraintField& constraint : motion.constraints) {
    if (constraint.depends_on_factor) {
      equations.reason = "the reactions enter the forces that they cause (friction)";
      return equations;
    }
  }
  add_places(motion, equations);
  add_relations(motion, equations);
  add_residuals(motion, equations);
  const Expr time = motion.space.system->time;
  for (auto* list : {&equations.place_rates, &equations.residuals, &equations.levels, &equations.speeds}) {
    for (Expr& e : *list) {
      e = substitute(e, values);
      if (depends_on(e, time)) equations.reason = "the motion depends on time";
    }
  }
  return equations;
}

std::optional<TangentSpace> split_columns(std::vector<std::vector<double>> rows, std::size_t columns) {
  TangentSpace space;
  double largest = 0;
  for (const auto& row : rows) {
    for (const double x : row) largest = std::max(largest, std::abs(x));
  }
  std::vector<bool> is_taken(columns, false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t at = i, column = columns;
    double best = largest * 1e-10;
    for (std::size_t r = i; r < rows.size(); ++r) {
      for (std::size_t k = 0; k < columns; ++k) {
        if (is_taken[k] || !(std::abs(rows[r][k]) > best * (1 + 1e-12))) continue;
        best = std::abs(rows[r][k]);
        at = r;
        column = k;
      }
    }
    if (column == columns) return std::nullopt;
    std::swap(rows[i], rows[at]);
    is_taken[column] = true;
    for (std::size_t r = i + 1; r < rows.size(); ++r) {
      const double factor = rows[r][column] / rows[i][column];
      for (std::size_t k = 0; k < columns; ++k) rows[r][k] -= factor * rows[i][k];
    }
  }
  for (std::size_t k = 0; k < columns; ++k) (is_taken[k] ? space.dependent : space.free).push_back(k);
  return space;
}

}  // namespace liaison
