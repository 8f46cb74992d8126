#include <algorithm>

#include "formulations.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/contact.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/orientation.hpp"

namespace liaison {

namespace {

/// The virtual work of m*a over all points, one a direction, and by a displacement of the time.
struct Inertia {
  std::vector<Expr> along;
  Expr with_time;
};

class VirtualWork {
 public:
  explicit VirtualWork(const StateSpace& space)
      : space_(space), system_(*space.system), terms_(space.size()) {}

  Inertia run() {
    for (const Particle& particle : system_.particles) add_point(particle.mass, particle.position);
    for (const Body& body : system_.bodies) {
      add_point(body.mass, body.centre);
      if (body.in_space())
        add_rotation(body);
      else
        add_point(body.inertia[0], {body.angle});
    }
    Inertia result;
    for (const auto& terms : terms_) result.along.push_back(space_.pool().add(terms));
    result.with_time = space_.pool().add(with_time_);
    return result;
  }

 private:
  void add_point(Expr mass, const std::vector<Expr>& position) {
    for (Expr component : position) {
      const Expr push = mass * rate_along_motion(space_, rate_along_motion(space_, component));
      const std::vector<Expr> slopes = configuration_derivatives(system_, component);
      for (std::size_t i = 0; i < slopes.size(); ++i) terms_[i].push_back(push * slopes[i]);
      with_time_.push_back(push * derivative(component, system_.time));
    }
  }

  /// J w' + w x J w about the axes of the body, on the virtual turns about them: dw/dv, and w at rest with
  /// the time.
  void add_rotation(const Body& body) {
    const Triple rates = rates_on_body(system_, body.turns);
    Triple w, w_rate;
    for (std::size_t a = 0; a < 3; ++a) {
      w[a] = space_.in_parameters(rates[a]);
      w_rate[a] = rate_along_motion(space_, w[a]);
    }
    const Triple change = inertia_times(body, w_rate), gyration = cross(w, inertia_times(body, w));
    std::vector<Expr> velocities;
    Substitution at_rest;
    for (const Direction& direction : system_.directions) {
      velocities.push_back(direction.velocity);
      at_rest.emplace(direction.velocity, space_.pool().number(0));
    }
    for (std::size_t a = 0; a < 3; ++a) {
      const Expr torque = change[a] + gyration[a];
      const std::vector<Expr> slopes = gradient(rates[a], velocities);
      for (std::size_t i = 0; i < slopes.size(); ++i) terms_[i].push_back(torque * slopes[i]);
      with_time_.push_back(torque * substitute(rates[a], at_rest));
    }
  }

  const StateSpace& space_;
  const System& system_;
  std::vector<std::vector<Expr>> terms_;
  std::vector<Expr> with_time_;
};

/// Nothing but ideal holonomic constraints and a potential acts.
bool is_plain(const System& system) {
  return system.reactions.empty() &&
         std::all_of(system.forces.begin(), system.forces.end(),
                     [](Expr force) { return force.is_zero(); }) &&
         std::all_of(system.constraints.begin(), system.constraints.end(), [](const Constraint& constraint) {
           return constraint.holonomic && constraint.power_kind == PowerKind::ideal;
         });
}

}  // namespace

/// sum (F - m a).dr = 0 with dr = dr/dq dq + dr/dt dt: lost forces on virtual displacements, those of the
/// time too, where the drives supply R_t (rows V5.virtual-work, V8.dalembert-lagrange, V8.lost-forces).
FormulationResult derive_dalembert(Algebra& algebra, const Motion& motion) {
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  if (system.particles.empty() && system.bodies.empty())
    return not_applicable(Formulation::dalembert, "the system has no particles or bodies");
  if (!algebra
           .are_equal(space.in_parameters(system.kinetic),
                      space.in_parameters(assembled_kinetic_energy(system)))
           .holds())
    return not_applicable(Formulation::dalembert,
                          "part of the kinetic energy is given without the particles or bodies that have it");
  FormulationResult result;
  result.formulation = Formulation::dalembert;
  result.applicable = true;
  const Inertia inertia = VirtualWork(space).run();
  const std::vector<Expr> forces = applied_forces(space), pushes = reactions(motion);
  for (std::size_t i = 0; i < space.size(); ++i)
    result.equations.emplace_back(inertia.along[i], forces[i] + pushes[i]);
  add_relations(motion, result);
  const bool moves = depends_on(system.kinetic, system.time) || depends_on(system.potential, system.time) ||
                     std::any_of(system.constraints.begin(), system.constraints.end(),
                                 [&](const Constraint& c) { return depends_on(c.relation, system.time); });
  if (moves && is_plain(system)) {
    std::vector<Expr> left{inertia.with_time, derivative(system.potential, system.time)};
    for (const Constraint& constraint : system.constraints)
      left.push_back(-(constraint.factor * derivative(constraint.relation, system.time)));
    result.equations.emplace_back(space.pool().add(left), space.pool().symbol("R_t", SymbolKind::auxiliary));
  }
  solve_bordered(algebra, motion, result);
  return result;
}

}  // namespace liaison
