#include "extended_motion.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

Expr symbol_for_reading(const System& system, std::string name) {
  const auto is_taken = [&] {
    const Expr known = system.pool->find_symbol(name);
    if (known.empty()) return false;
    if (known.symbol().kind != SymbolKind::auxiliary) return true;
    for (const Rheonomic& chosen : system.rheonomic)
      if (known == chosen.symbol || known == chosen.velocity) return true;
    return false;
  };
  while (is_taken()) name += "_";
  return system.pool->symbol(name, SymbolKind::auxiliary);
}

ExtendedMotion extend_motion(Algebra& algebra, const Motion& motion, const System& whole, bool closed_form) {
  const System& system = *motion.space.system;
  MotionOptions options;
  if (!closed_form) options.max_directions = 0;
  ExtendedMotion result{.motion = derive_motion(algebra, whole, options),
                        .n = motion.space.size(),
                        .m = system.rheonomic.size(),
                        .relation_count = motion.relation_count,
                        .law = {},
                        .forces = {}};
  for (std::size_t k = 0; k < result.m; ++k) {
    const Rheonomic& chosen = system.rheonomic[k];
    const Direction& direction = whole.directions[result.n + k];
    const Expr rate = derivative(chosen.value, system.time);
    result.law.emplace(direction.coordinate, chosen.value);
    result.law.emplace(direction.velocity, rate);
    result.law.emplace(acceleration_symbol(direction.velocity), derivative(rate, system.time));
    result.forces.push_back(symbol_for_reading(system, "R_" + chosen.name));
  }
  return result;
}

void finish_extended(Algebra& algebra, const Motion& motion, const ExtendedMotion& extended,
                     const std::vector<std::pair<Expr, Expr>>& equations, FormulationResult& result) {
  const std::size_t n = extended.n, m = extended.m;
  for (std::size_t i = 0; i < n; ++i)
    result.equations.emplace_back(algebra.readable(extended.inserted(equations[i].first)),
                                  extended.inserted(equations[i].second));
  add_relations(motion, result);
  std::vector<Expr> rows, unknowns = acceleration_symbols(motion.space);
  for (const auto& [left, right] : result.equations) rows.push_back(left - right);
  for (std::size_t k = 0; k < m; ++k) {
    const auto& [left, right] = equations[n + k];
    const Expr factor = extended.drive_factor(k);
    rows.push_back(extended.inserted(left - right));
    result.equations.emplace_back(algebra.readable(rows.back() + factor), extended.forces[k]);
    unknowns.push_back(factor);
  }
  if (obstacle_to_solving(motion)) return;
  const std::vector<Expr> factors = factor_symbols(motion);
  unknowns.insert(unknowns.end(), factors.begin(), factors.end());
  const auto solution = solve_rows(algebra, rows, unknowns, n);
  if (!solution) return;
  for (std::size_t k = 0; k < unknowns.size(); ++k)
    (k < n       ? result.acceleration
     : k < n + m ? result.drive_forces
                 : result.factors)
        .push_back(algebra.readable((*solution)[k]));
}

std::vector<Expr> drive_rows(const ExtendedMotion& extended) {
  const Motion& motion = extended.motion;
  const std::vector<Expr> accelerations = acceleration_symbols(motion.space);
  std::vector<Expr> result;
  for (std::size_t i = extended.n; i < extended.n + extended.m; ++i) {
    std::vector<Expr> terms{-motion.free.load[i]};
    for (std::size_t a = 0; a < accelerations.size(); ++a)
      terms.push_back(motion.free.mass(i, a) * accelerations[a]);
    for (std::size_t h = 0; h < motion.constraints.size(); ++h) {
      const bool is_drive = h >= extended.relation_count && h < extended.relation_count + extended.m;
      if (!is_drive) terms.push_back(-(motion.constraints[h].factor * motion.constraints[h].direction[i]));
    }
    result.push_back(extended.inserted(motion.space.pool().add(terms)));
  }
  return result;
}

}  // namespace liaison
