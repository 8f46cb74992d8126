#include "formulations.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/model/contact.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/orientation.hpp"

namespace liaison {

namespace {

/// w'.J w'/2 + w'.(w x J w) on the axes of the body: dS/dw' is the rate of the angular momentum.
Expr rotation_part(const StateSpace& space, const Body& body) {
  const Triple rates = rates_on_body(*space.system, body.turns);
  Triple w, w_rate;
  for (std::size_t i = 0; i < 3; ++i) {
    w[i] = space.in_parameters(rates[i]);
    w_rate[i] = rate_along_motion(space, w[i]);
  }
  return dot(w_rate, inertia_times(body, w_rate)) / Rational(2) +
         dot(w_rate, cross(w, inertia_times(body, w)));
}

Expr second_rate(const StateSpace& space, Expr e) {
  return rate_along_motion(space, rate_along_motion(space, e));
}

void add_translation(const StateSpace& space, Expr mass, const std::vector<Expr>& position,
                     std::vector<Expr>& terms) {
  for (Expr component : position) {
    terms.push_back(mass * pow(second_rate(space, component), 2) / Rational(2));
  }
}

/// S = sum m a.a/2 over the particles, and the bodies about their centres.
Expr energy_of_acceleration(const StateSpace& space) {
  const System& system = *space.system;
  std::vector<Expr> terms;
  for (const Particle& particle : system.particles) {
    add_translation(space, particle.mass, particle.position, terms);
  }
  for (const Body& body : system.bodies) {
    add_translation(space, body.mass, body.centre, terms);
    terms.push_back(body.in_space() ? rotation_part(space, body)
                                    : body.inertia[0] * pow(second_rate(space, body.angle), 2) / Rational(2));
  }
  return space.pool().add(terms);
}

}  // namespace

std::optional<std::string> obstacle_to_points(Algebra& algebra, const StateSpace& space) {
  const System& system = *space.system;
  if (system.particles.empty() && system.bodies.empty()) return "the system has no particles or bodies";
  if (!algebra
           .are_equal(space.in_parameters(system.kinetic),
                      space.in_parameters(assembled_kinetic_energy(system)))
           .holds())
    return "part of the kinetic energy is given without the particles or bodies that have it";
  return std::nullopt;
}

std::vector<std::pair<Expr, Expr>> gibbs_appell_equations(const Motion& motion) {
  const StateSpace& space = motion.space;
  const std::vector<Expr> slopes = gradient(energy_of_acceleration(space), acceleration_symbols(space));
  const std::vector<Expr> forces = applied_forces(space), pushes = reactions(motion);
  const Matrix chart = chart_jacobian(space);
  std::vector<std::pair<Expr, Expr>> result;
  for (std::size_t a = 0; a < space.size(); ++a) {
    std::vector<Expr> right;
    for (std::size_t i = 0; i < space.size(); ++i) right.push_back((forces[i] + pushes[i]) * chart(i, a));
    result.emplace_back(slopes[a], space.pool().add(right));
  }
  return result;
}

/// dS/du'^a = (Q_i + lambda_h l^h_i) dv^i/du^a: neither T nor any derivative by a coordinate is used.
FormulationResult derive_gibbs_appell(Algebra& algebra, const Motion& motion) {
  if (const auto obstacle = obstacle_to_points(algebra, motion.space))
    return not_applicable(Formulation::gibbs_appell, *obstacle);
  FormulationResult result;
  result.formulation = Formulation::gibbs_appell;
  result.applicable = true;
  result.equations = gibbs_appell_equations(motion);
  add_relations(motion, result);
  solve_bordered(algebra, motion, result);
  return result;
}

}  // namespace liaison
