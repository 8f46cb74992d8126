#include "liaison/model/motion_texts.hpp"

namespace liaison {

std::vector<Expr> motion_texts(const System& system) {
  std::vector<Expr> all{system.kinetic, system.potential};
  const auto add = [&](const std::vector<Expr>& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(system.forces);
  add(system.chart.velocities);
  add(system.intrinsic.velocities);
  for (const Constraint& constraint : system.constraints) {
    all.push_back(constraint.relation);
    if (!constraint.power.empty()) all.push_back(constraint.power);
    add(constraint.direction);
  }
  for (const Reaction& reaction : system.reactions) all.push_back(reaction.power);
  return all;
}

}  // namespace liaison
