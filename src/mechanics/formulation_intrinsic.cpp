#include "formulations.hpp"
#include "liaison/mechanics/constraint_dynamics.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

struct IntrinsicMotion {
  ReactivePart reactive;
  std::vector<Expr> rates;  ///< z'; empty where the reactions leave them open
};

/// First the reactive part, which holds no unknown flow, then Z|Omega-hat = Lambda(F + Phi).
IntrinsicMotion solve_intrinsic(Algebra& algebra, const Motion& motion, const ConstraintSpace& space) {
  const ConstraintDynamics dynamics = derive_constraint_dynamics(motion, space);
  IntrinsicMotion result{solve_reactive_part(algebra, motion, space, dynamics), {}};
  const Determinism determinism = result.reactive.determinism;
  if (determinism != Determinism::deterministic && determinism != Determinism::motion_only) return result;
  const Matrix metric = derive_metric_on(algebra, motion, space);
  std::vector<Expr> forces = dynamics.forces;
  for (std::size_t k = 0; k < forces.size(); ++k) forces[k] += result.reactive.reaction[k];
  result.rates = solve_flow(algebra, derive_fibre_metric(algebra, metric, space), space, dynamics, forces);
  return result;
}

/// q' = psi, z' = ...: n + r equations of the first order.
void write_equations(const ConstraintSpace& space, const IntrinsicMotion& solved, FormulationResult& result) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    const Expr velocity = space.system->directions[i].velocity;
    if (!(velocity == space.psi[i])) result.equations.emplace_back(velocity, space.psi[i]);
  }
  for (std::size_t a = 0; a < space.freedom(); ++a) {
    result.equations.emplace_back(acceleration_symbol(space.fibre[a]), solved.rates[a]);
  }
}

std::string why_open(Determinism determinism) {
  switch (determinism) {
    case Determinism::indeterminate: return "the reactions that stay open have virtual work";
    case Determinism::impossible: return "no factors satisfy the relations";
    case Determinism::implicit: return "the directions of the reactions depend on the factors";
    case Determinism::deterministic:
    case Determinism::motion_only: break;
  }
  return {};
}

}  // namespace

/// On the constraint manifold q' = psi(t, q, z) (row MP3.3-intrinsic): written in the parameters of the
/// model's `intrinsic` statement where there is one, and solved in velocity parameters of the system. For
/// constraints that are not ideal Lambda(Phi) comes from the reactive part (row MP3.3-Cor3.2).
FormulationResult derive_intrinsic(Algebra& algebra, const Motion& motion) {
  if (const auto obstacle = obstacle_to_solving(motion)) {
    return not_applicable(Formulation::intrinsic, *obstacle);
  }
  const ConstraintSpaceResult own = solve_constraint_space(algebra, motion);
  if (!own.space) return not_applicable(Formulation::intrinsic, own.reason);
  const IntrinsicMotion solved = solve_intrinsic(algebra, motion, *own.space);
  const std::string reason = why_open(solved.reactive.determinism);
  if (!reason.empty()) return not_applicable(Formulation::intrinsic, reason);

  FormulationResult result;
  result.formulation = Formulation::intrinsic;
  result.applicable = true;
  const VectorField flow = own.space->flow(solved.rates);
  for (Expr parameter : motion.space.parameters) {
    result.acceleration.push_back(algebra.readable(apply(flow, own.space->restricted(parameter))));
  }
  result.factors = solved.reactive.factors;
  if (motion.space.system->intrinsic.velocities.empty()) {
    write_equations(*own.space, solved, result);
    return result;
  }
  const ConstraintSpaceResult stated = make_constraint_space(algebra, motion);
  if (!stated.space) return not_applicable(Formulation::intrinsic, stated.reason);
  write_equations(*stated.space, solve_intrinsic(algebra, motion, *stated.space), result);
  return result;
}

}  // namespace liaison
