#include "liaison/mechanics/states.hpp"

#include <algorithm>

#include "liaison/algebra/content.hpp"
#include "liaison/model/kinematics.hpp"
#include "state_relations.hpp"

namespace liaison {

namespace {

/// The relation that is kept at states, without a factor that never vanishes: that of a level and what it is
/// multiplied by has a multiple of the level in it, too.
Expr plain_relation(const Motion& motion, const ConstraintField& constraint) {
  if (constraint.level.empty()) return without_positive_functions(constraint.relation);
  const Expr plain = without_positive_functions(constraint.level);
  return plain == constraint.level ? constraint.relation
                                   : motion.space.in_parameters(time_derivative(*motion.space.system, plain));
}

}  // namespace

Region states_of(const Motion& motion) {
  const System& system = *motion.space.system;
  Region region;
  region.domain = system.domain;
  add_requirements(region.domain, motion.lost_to_states);
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    if (!constraint.level.empty()) region.equations.push_back(without_positive_functions(constraint.level));
    region.equations.push_back(plain_relation(motion, constraint));
  }
  for (const Rotation& rotation : system.rotations) region.equations.push_back(length_relation(rotation));
  return region;
}

Region states_with_rates(const Motion& motion) {
  Region region = states_of(motion);
  add_requirements(region.domain, motion.lost_to_motions);
  return region;
}

void add_intrinsic_chart(Algebra& algebra, const Motion& motion, Region& region) {
  const System& system = *motion.space.system;
  Region chart;
  for (std::size_t i = 0; i < system.directions.size(); ++i)
    chart.equations.push_back(system.directions[i].velocity - system.intrinsic.velocities[i]);
  std::erase_if(region.equations, [&](Expr equation) {
    const auto is_its_own = [&](const ConstraintField& field) {
      return !field.relation.empty() && plain_relation(motion, field) == equation;
    };
    return std::any_of(motion.constraints.begin(), motion.constraints.end(), is_its_own) &&
           algebra.follows(equation, chart);
  });
  region.equations.insert(region.equations.end(), chart.equations.begin(), chart.equations.end());
}

Region motions_of(Algebra& algebra, const Motion& motion) {
  Region region = states_with_rates(motion);
  const StateSpace& space = motion.space;
  std::vector<Expr> accelerations;
  for (Expr parameter : space.parameters) accelerations.push_back(acceleration_symbol(parameter));
  const auto with_accelerations = [&](const std::vector<Expr>& row, Expr rest) {
    std::vector<Expr> terms{rest};
    for (std::size_t a = 0; a < accelerations.size(); ++a) terms.push_back(row[a] * accelerations[a]);
    return space.pool().add(terms);
  };
  for (std::size_t i = 0; i < space.size(); ++i) {
    std::vector<Expr> row, forces{motion.free.load[i]};
    for (std::size_t a = 0; a < space.size(); ++a) row.push_back(motion.free.mass(i, a));
    for (const ConstraintField& constraint : motion.constraints)
      forces.push_back(constraint.factor * constraint.direction[i]);
    region.equations.push_back(with_accelerations(row, -space.pool().add(forces)));
  }
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    // a motion stays where the relation holds: a squared relation has no rate of its own there
    const Expr relation = motion.constraints[h].relation;
    const Expr simple = algebra.without_repeated_factors(plain_relation(motion, motion.constraints[h]));
    const RelationRate rate = simple == relation
                                  ? RelationRate{motion.constraints[h].gradient, motion.constraints[h].bias}
                                  : derive_relation_rate(space, simple);
    region.equations.push_back(with_accelerations(rate.gradient, rate.bias));
  }
  return region;
}

}  // namespace liaison
