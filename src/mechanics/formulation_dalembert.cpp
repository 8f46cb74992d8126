#include <algorithm>

#include "extended_motion.hpp"
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

/// The time is in a position, in the potential or in a relation.
bool moves(const System& system) {
  const auto holds = [&](Expr e) { return !e.empty() && depends_on(e, system.time); };
  return holds(system.potential) ||
         std::any_of(system.particles.begin(), system.particles.end(),
                     [&](const Particle& one) {
                       return std::any_of(one.position.begin(), one.position.end(), holds);
                     }) ||
         std::any_of(system.bodies.begin(), system.bodies.end(),
                     [&](const Body& one) {
                       return holds(one.angle) || std::any_of(one.centre.begin(), one.centre.end(), holds);
                     }) ||
         std::any_of(system.constraints.begin(), system.constraints.end(),
                     [&](const Constraint& one) { return holds(one.relation); });
}

/// m a on the virtual displacement of each direction = Q_i + lambda_h l^h_i.
std::vector<std::pair<Expr, Expr>> lost_forces(const Motion& motion, const Inertia& inertia) {
  const std::vector<Expr> forces = applied_forces(motion.space), pushes = reactions(motion);
  std::vector<std::pair<Expr, Expr>> result;
  for (std::size_t i = 0; i < motion.space.size(); ++i)
    result.emplace_back(inertia.along[i], forces[i] + pushes[i]);
  return result;
}

}  // namespace

/// sum (F - m a).dr = 0 with dr = dr/dq dq + dr/dq0 dq0: lost forces on virtual displacements, those of each
/// drive too, where it supplies R_0 (rows V5.virtual-work, V8.dalembert-lagrange, V8.lost-forces). Where no
/// drive has a name q0 is the time.
FormulationResult derive_dalembert(Algebra& algebra, const Motion& motion, const System* whole) {
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  if (const auto obstacle = obstacle_to_points(algebra, space))
    return not_applicable(Formulation::dalembert, *obstacle);
  FormulationResult result;
  result.formulation = Formulation::dalembert;
  result.applicable = true;
  if (whole != nullptr) {
    const ExtendedMotion extended = extend_motion(algebra, motion, *whole);
    const Inertia inertia = VirtualWork(extended.motion.space).run();
    finish_extended(algebra, motion, extended, lost_forces(extended.motion, inertia), result);
    return result;
  }
  const Inertia inertia = VirtualWork(space).run();
  result.equations = lost_forces(motion, inertia);
  add_relations(motion, result);
  if (moves(system) && is_plain(system)) {
    std::vector<Expr> left{inertia.with_time, derivative(system.potential, system.time)};
    for (const Constraint& constraint : system.constraints)
      left.push_back(-(constraint.factor * derivative(constraint.relation, system.time)));
    result.equations.emplace_back(space.pool().add(left), symbol_for_reading(system, "R_t"));
  }
  solve_bordered(algebra, motion, result);
  return result;
}

}  // namespace liaison
