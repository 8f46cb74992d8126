#include <array>

#include "formulations.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/model/contact.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

using Vector = Triple;
using Tensor = std::array<Vector, 3>;

Vector operator*(const Tensor& J, const Vector& w) {
  return {dot(J[0], w), dot(J[1], w), dot(J[2], w)};
}

Tensor body_inertia(const Body& body) {
  const auto& J = body.inertia;
  return {Vector{J[0], -J[5], -J[4]}, Vector{-J[5], J[1], -J[3]}, Vector{-J[4], -J[3], J[2]}};
}

/// R J R^T: the inertia on space axes.
Tensor space_inertia(const Tensor& J, const Rotation& rotation) {
  const std::array<Expr, 9> R = rotation_matrix(rotation.quaternion);
  const Tensor rows = {Vector{R[0], R[1], R[2]}, Vector{R[3], R[4], R[5]}, Vector{R[6], R[7], R[8]}};
  Tensor result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = dot(rows[i], J * rows[j]);
  }
  return result;
}

bool is_isotropic(const Tensor& J) {
  const bool products = !J[0][1].is_zero() || !J[0][2].is_zero() || !J[1][2].is_zero();
  return !products && J[0][0] == J[1][1] && J[1][1] == J[2][2];
}

/// w'.J w'/2 + w'.(w x J w): on body axes J is constant, on space axes it turns with w; dS/dw' is the rate of
/// the angular momentum on both.
Expr rotation_part(const StateSpace& space, const Body& body) {
  const System& system = *space.system;
  const Rotation& rotation = system.rotations[*body.rotation];
  Tensor J = body_inertia(body);
  if (rotation.axes == Axes::space && !is_isotropic(J)) J = space_inertia(J, rotation);
  Vector w, w_rate;
  for (std::size_t i = 0; i < 3; ++i) {
    w[i] = space.velocities[rotation.first_direction + i];
    w_rate[i] = rate_along_motion(space, w[i]);
  }
  return dot(w_rate, J * w_rate) / Rational(2) + dot(w_rate, cross(w, J * w));
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
    terms.push_back(body.rotation ? rotation_part(space, body)
                                  : body.inertia[0] * pow(second_rate(space, body.angle), 2) / Rational(2));
  }
  return space.pool().add(terms);
}

}  // namespace

/// dS/du'^a = (Q_i + lambda_h l^h_i) dv^i/du^a: neither T nor any derivative by a coordinate is used.
FormulationResult derive_gibbs_appell(Algebra& algebra, const Motion& motion) {
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  if (system.particles.empty() && system.bodies.empty()) {
    return not_applicable(Formulation::gibbs_appell, "the system has no particles or bodies");
  }
  if (!algebra
           .are_equal(space.in_parameters(system.kinetic),
                      space.in_parameters(assembled_kinetic_energy(system)))
           .holds()) {
    return not_applicable(Formulation::gibbs_appell,
                          "part of the kinetic energy is given without the particles or bodies that have it");
  }
  FormulationResult result;
  result.formulation = Formulation::gibbs_appell;
  result.applicable = true;
  const std::vector<Expr> slopes = gradient(energy_of_acceleration(space), acceleration_symbols(space));
  const std::vector<Expr> forces = applied_forces(space), pushes = reactions(motion);
  const Matrix chart = chart_jacobian(space);
  for (std::size_t a = 0; a < space.size(); ++a) {
    std::vector<Expr> right;
    for (std::size_t i = 0; i < space.size(); ++i) right.push_back((forces[i] + pushes[i]) * chart(i, a));
    result.equations.emplace_back(slopes[a], space.pool().add(right));
  }
  add_relations(motion, result);
  solve_bordered(algebra, motion, result);
  return result;
}

}  // namespace liaison
