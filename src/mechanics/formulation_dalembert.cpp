#include <algorithm>

#include "formulations.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/contact.hpp"
#include "liaison/model/kinematics.hpp"

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
      if (body.rotation)
        add_rotation(body);
      else if (!body.angle.empty())
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

  /// The rate of the angular momentum about each axis: J w' + w x J w; on space axes J turns too.
  void add_rotation(const Body& body) {
    const Rotation& rotation = system_.rotations[*body.rotation];
    const auto& j = body.inertia;
    Triple w, rate;
    for (std::size_t a = 0; a < 3; ++a) {
      w[a] = space_.velocities[rotation.first_direction + a];
      rate[a] = rate_along_motion(space_, w[a]);
    }
    const std::array<Expr, 9> r = rotation_matrix(rotation.quaternion);
    const auto turned = [&](const Triple& x, bool to_space) {
      Triple result;
      for (std::size_t a = 0; a < 3; ++a) {
        std::vector<Expr> sum;
        for (std::size_t b = 0; b < 3; ++b) sum.push_back(r[to_space ? 3 * a + b : 3 * b + a] * x[b]);
        result[a] = space_.pool().add(sum);
      }
      return result;
    };
    const auto inertia = [&](const Triple& x) {
      return Triple{j[0] * x[0] - j[5] * x[1] - j[4] * x[2], -j[5] * x[0] + j[1] * x[1] - j[3] * x[2],
                    -j[4] * x[0] - j[3] * x[1] + j[2] * x[2]};
    };
    const bool on_body = rotation.axes != Axes::space;
    const Triple spin = on_body ? w : turned(w, false), spin_rate = on_body ? rate : turned(rate, false);
    const Triple momentum = inertia(spin), gyration = cross(spin, momentum), change = inertia(spin_rate);
    Triple torque;
    for (std::size_t a = 0; a < 3; ++a) torque[a] = change[a] + gyration[a];
    if (!on_body) torque = turned(torque, true);
    for (std::size_t a = 0; a < 3; ++a) terms_[rotation.first_direction + a].push_back(torque[a]);
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
