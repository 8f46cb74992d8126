#include "formulations.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// q^0 = value(t) with its velocity and acceleration, put in after differentiation; then the velocities in
/// their parameters.
class Insertion {
 public:
  explicit Insertion(const StateSpace& space) : space_(space) {
    const System& system = *space.system;
    for (const Rheonomic& chosen : system.rheonomic) {
      const Expr velocity = derivative(chosen.value, system.time);
      values_.emplace(chosen.symbol, chosen.value);
      values_.emplace(chosen.velocity, velocity);
      values_.emplace(acceleration_symbol(chosen.velocity), derivative(velocity, system.time));
    }
    if (system.chart.parameters.empty()) return;
    for (std::size_t i = 0; i < space.size(); ++i) {
      values_.emplace(acceleration_symbol(system.directions[i].velocity),
                      rate_along_motion(space, space.velocities[i]));
    }
  }
  Expr operator()(Expr e) const { return space_.in_parameters(substitute(e, values_)); }

 private:
  const StateSpace& space_;
  Substitution values_;
};

bool is_written_in_velocities(const StateSpace& space, Expr kinetic) {
  for (Expr parameter : space.system->chart.parameters) {
    bool is_velocity = false;
    for (const Direction& direction : space.system->directions) {
      is_velocity = is_velocity || direction.velocity == parameter;
    }
    if (!is_velocity && depends_on(kinetic, parameter)) return false;
  }
  return true;
}

/// The n equations of the coordinates (row V6.extended-equations): q^0 is free while T and V are
/// differentiated.
void add_motion(const Motion& motion, const Insertion& inserted, FormulationResult& result) {
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  std::vector<Expr> velocities;
  for (const Direction& direction : system.directions) velocities.push_back(direction.velocity);
  const std::vector<Expr> p = gradient(system.kinetic_extended, velocities);
  const std::vector<Expr> turning = turning_terms(system, velocities, p);
  const std::vector<Expr> slopes = configuration_derivatives(system, system.kinetic_extended);
  const std::vector<Expr> hills = configuration_derivatives(system, system.potential_extended);
  const std::vector<Expr> pushes = reactions(motion);
  for (std::size_t i = 0; i < space.size(); ++i) {
    const Expr left = time_derivative(system, p[i]) + turning[i] - slopes[i];
    const Expr right = space.in_parameters(system.forces[i]) - inserted(hills[i]) + pushes[i];
    result.equations.emplace_back(inserted(left), right);
  }
}

/// d/dt dT/dq0' - dT/dq0 + dV/dq0 = R_0: the force that moves q^0; R_0 q0' is its power. Applied forces that
/// have no potential are counted in R_0.
void add_rheonomic_reactions(const StateSpace& space, const Insertion& inserted, FormulationResult& result) {
  const System& system = *space.system;
  const Expr T = system.kinetic_extended, V = system.potential_extended;
  for (const Rheonomic& chosen : system.rheonomic) {
    const Expr momentum = derivative(T, chosen.velocity);
    const Expr left =
        time_derivative(system, momentum) - derivative(T, chosen.symbol) + derivative(V, chosen.symbol);
    result.equations.emplace_back(inserted(left),
                                  system.pool->symbol("R_" + chosen.name, SymbolKind::auxiliary));
  }
}

}  // namespace

FormulationResult derive_extended(Algebra& algebra, const Motion& motion) {
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  if (system.rheonomic.empty()) {
    return not_applicable(Formulation::extended, "the system has no rheonomic coordinate");
  }
  if (!is_written_in_velocities(space, system.kinetic_extended)) {
    return not_applicable(Formulation::extended, "the kinetic energy is written in velocity parameters");
  }
  FormulationResult result;
  result.formulation = Formulation::extended;
  result.applicable = true;
  const Insertion inserted(space);
  add_motion(motion, inserted, result);
  add_relations(motion, result);
  add_rheonomic_reactions(space, inserted, result);
  solve_bordered(algebra, motion, result);
  return result;
}

}  // namespace liaison
