#include "scene_forces.hpp"

#include <algorithm>

#include "liaison/model/slip_axes.hpp"

namespace liaison {

namespace {

std::vector<Expr> times(Expr factor, const std::vector<Expr>& vector) {
  std::vector<Expr> result;
  for (Expr component : vector) result.push_back(factor * component);
  return result;
}

/// "floor.slip2" is a row of `floor`.
bool is_slip_of(const std::string& row, const std::string& contact) {
  const std::string before = contact + ".slip";
  return row.starts_with(before) && row.find_first_not_of("0123456789", before.size()) == std::string::npos;
}

}  // namespace

std::vector<Expr> force_of_contact(const System& system, const Contact& contact) {
  const Expr pressure = system.constraints[contact.constraint].factor;
  std::vector<Expr> force = times(pressure, contact.normal);
  const Expr friction = contact.coefficients.friction;
  if (friction.is_zero()) return force;
  const std::size_t n = force.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Expr along = contact.motion.velocity[k] - contact.speeds.normal * contact.normal[k];
    force[k] -= pressure * friction * along / contact.speeds.slip;
  }
  return force;
}

std::vector<Expr> force_of_contact(const AssembledEquations& equations, const Unilateral& unilateral) {
  const std::vector<Expr>& normal = unilateral.contact->normal;
  std::vector<Expr> force = times(unilateral.factor, normal);
  if (unilateral.slip.empty()) return force;
  const std::vector<Constraint>& rows = equations.system->constraints;
  const std::vector<Triple> axes = slip_axes(normal, *equations.system->pool);
  for (std::size_t k = 0; k < axes.size() && k < unilateral.slip.size(); ++k) {
    // the last: a moment that resists the same velocity stands before it
    const auto row = std::find_if(rows.rbegin(), rows.rend(), [&](const Constraint& one) {
      return is_slip_of(one.name, unilateral.name) && one.relation == unilateral.slip[k];
    });
    if (row == rows.rend()) continue;
    for (std::size_t i = 0; i < force.size(); ++i) force[i] += row->factor * axes[k][i];
  }
  return force;
}

std::vector<NamedForce> forces_on_point(const AssembledEquations& equations, const System& system,
                                        const std::vector<Expr>& place) {
  std::vector<NamedForce> forces;
  std::vector<std::size_t> columns;
  for (Expr x : place)
    for (std::size_t i = 0; i < system.directions.size(); ++i)
      if (system.directions[i].coordinate == x) columns.push_back(i);
  if (columns.size() != place.size()) return forces;
  for (const SparseEntry& entry : equations.directions.entries) {
    const auto column = std::find(columns.begin(), columns.end(), entry.column);
    if (column == columns.end()) continue;
    const std::string& row = equations.names[entry.row];
    const auto owner =
        std::find_if(system.unilaterals.begin(), system.unilaterals.end(),
                     [&](const Unilateral& unilateral) { return is_slip_of(row, unilateral.name); });
    const std::string& name = owner == system.unilaterals.end() ? row : owner->name;
    auto known = std::find_if(forces.begin(), forces.end(),
                              [&](const NamedForce& force) { return force.name == name; });
    if (known == forces.end())
      known =
          forces.insert(known, {name, std::vector<Expr>(columns.size(), equations.system->pool->number(0))});
    known->force[static_cast<std::size_t>(column - columns.begin())] +=
        equations.factors[entry.row] * entry.value;
  }
  return forces;
}

}  // namespace liaison
