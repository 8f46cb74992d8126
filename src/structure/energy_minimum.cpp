#include "energy_minimum.hpp"

#include <algorithm>

#include "liaison/expr/differentiate.hpp"
#include "liaison/structure/first_integrals.hpp"
#include "linear_part.hpp"
#include "manifold_rest.hpp"

namespace liaison {

bool EnergyMinimum::is_kept() {
  if (is_kept_) return *is_kept_;
  const Motion& motion = *flow_.motion;
  kinetic_ = algebra_.readable(flow_.restricted(motion.omega.energy));
  Substitution rest;
  for (Expr velocity : flow_.velocities) rest.emplace(velocity, algebra_.pool().number(0));
  is_kept_ =
      std::all_of(flow_.velocities.begin(), flow_.velocities.end(),
                  [&](Expr velocity) {
                    return algebra_.is_zero(substitute(derivative(kinetic_, velocity), rest)).is_proved();
                  }) &&
      is_conserved(algebra_, motion, kinetic_ + motion.space.system->potential).is_proved();
  return *is_kept_;
}

bool EnergyMinimum::is_at(const std::vector<Expr>& positions, const BallPoint& at) {
  if (positions.empty() || flow_.motion->relation_count > 0 || !flow_.quaternions.empty() || !is_kept())
    return false;
  Substitution rest;
  BallPoint state = at;
  for (Expr velocity : flow_.velocities) {
    rest.emplace(velocity, algebra_.pool().number(0));
    state.insert_or_assign(velocity, Ball(Rational(0)));
  }
  const auto hessian = [&](Expr e, const std::vector<Expr>& symbols) {
    std::vector<std::vector<Expr>> matrix;
    for (Expr x : symbols) {
      matrix.emplace_back();
      for (Expr y : symbols) matrix.back().push_back(substitute(derivative(derivative(e, x), y), values_));
    }
    return matrix;
  };
  const Expr still = substitute(kinetic_, rest) + flow_.motion->space.system->potential;
  return is_positive_definite(hessian(still, positions), state) &&
         is_positive_definite(hessian(kinetic_, flow_.velocities), state);
}

bool has_energy_minimum(Algebra& algebra, const StateFlow& flow, const Substitution& values,
                        const BallPoint& place) {
  if (EnergyMinimum(algebra, flow, values).is_at(flow.positions, place)) return true;
  const ManifoldEquations equations = manifold_equations(*flow.motion, values);
  if (!equations.reason.empty() || !equations.is_holonomic) return false;
  const ManifoldRest rest(equations, place);
  if (!rest.reason().empty()) return false;
  const auto energy = rest_energy(algebra, *flow.motion, equations, values);
  return energy && rest.has_strict_minimum(*energy, {});
}

}  // namespace liaison
