#include "power_balance.hpp"

#include <algorithm>

#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

std::optional<LinearForm> by_accelerations(const Motion& motion, Expr e) {
  std::vector<Expr> accelerations;
  for (Expr parameter : motion.space.parameters) accelerations.push_back(acceleration_symbol(parameter));
  auto linear = linear_coefficients(e, accelerations);
  if (!linear) return std::nullopt;
  const bool has_accelerations = std::any_of(linear->coefficients.begin(), linear->coefficients.end(),
                                             [](Expr c) { return !c.is_zero(); });
  return has_accelerations ? std::move(linear) : std::nullopt;
}

Expr left_by_equations_of_motion(Algebra& algebra, const Motion& motion, Expr rest,
                                 const std::vector<Expr>& w) {
  const StateSpace& space = motion.space;
  const Region states = states_of(motion);
  std::vector<Expr> powers{rest};
  for (std::size_t i = 0; i < space.size(); ++i) powers.push_back(w[i] * motion.free.load[i]);
  for (const ConstraintField& constraint : motion.constraints) {
    std::vector<Expr> power;
    for (std::size_t i = 0; i < space.size(); ++i) power.push_back(constraint.direction[i] * w[i]);
    const Expr reaction = space.pool().add(power);
    // an ideal reaction has no power; another one may stand in what is claimed
    const bool is_own_relation =
        !constraint.relation.empty() && algebra.follows(reaction - constraint.relation, {});
    const bool is_idle = is_own_relation || algebra.follows(reaction, states);
    if (!is_idle) powers.push_back(constraint.factor * reaction);
  }
  return space.pool().add(powers);
}

}  // namespace liaison
