#ifndef LIAISON_MODEL_KINEMATICS_HPP
#define LIAISON_MODEL_KINEMATICS_HPP

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "liaison/model/system.hpp"

namespace liaison {

/// The three rates of a rotation, on the axes that it names.
Triple rates_of(const System& system, const Rotation& rotation);
/// The rotation matrix of a quaternion (e0, e1, e2, e3) of length one, row by row: body axes to space axes.
std::array<Expr, 9> rotation_matrix(const std::array<Expr, 4>& quaternion);
/// e' by the rates w: e*(0, w)/2 in body axes, (0, w)*e/2 in space axes.
std::array<Expr, 4> quaternion_rates(const System& system, const Rotation& rotation);

/// The symbol of the time derivative of a velocity, a rate or a velocity parameter: x'' of x', p' of p, u' of
/// u.
Expr acceleration_symbol(Expr velocity);

/// de/dt along any motion: coordinates, quaternions, rheonomic coordinates and the time; where e has
/// velocities, with their accelerations as symbols.
Expr time_derivative(const System& system, Expr e);

/// With the energies in place of the names T and V.
Expr with_energies(const System& system, Expr e);

/// The kinetic energy of the particles and bodies: translation of the centre, and rotation about it.
Expr assembled_kinetic_energy(const System& system);

/// dX/dv for each velocity, with the coefficients held fixed: each term of X is a coefficient times one
/// factor that is homogeneous of degree one in the velocities, a velocity or a norm of them (row G2.VI-ThI:
/// by Euler's theorem on each norm, so that a coefficient of friction may depend on the slip speed). Nothing
/// if X is not written so.
std::optional<std::vector<Expr>> power_gradient(Expr power, std::span<const Expr> velocities);

}  // namespace liaison

#endif  // LIAISON_MODEL_KINEMATICS_HPP
