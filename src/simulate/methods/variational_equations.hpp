#pragma once

#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// A system on redundant positions q: its coordinates and the quaternions of its rotations, each quaternion
/// with the level |e|^2 = 1. Velocities are functions of q and q'; a rotation in body axes has w = 2 e^-1 e',
/// in space axes w = 2 e' e^-1. What is asked for between the levels is taken at the quaternion of length one
/// on the same ray, so that a mean of two quaternions is a rotation too.
struct VariationalEquations {
  std::vector<Expr> positions;            ///< q: coordinates, then quaternions
  std::vector<Expr> rates;                ///< q', symbols
  std::size_t rotation_count = 0;         ///< quaternions, four positions each, at the end
  std::vector<Expr> momenta;              ///< dL/dq', L = T - V
  std::vector<Expr> forces;               ///< dL/dq and the applied forces, on q
  std::vector<Expr> levels;               ///< g(q, t), then (|e|^2 - 1)/2 of each quaternion
  std::vector<Expr> level_rates;          ///< dg/dt in (q, q', t)
  std::vector<Expr> relations;            ///< a(q, q', t), linear in q'
  std::vector<Expr> velocity_parameters;  ///< u, symbols
  std::vector<Expr> parameter_values;     ///< u in (q, q', t)
  std::vector<Expr> position_rates;       ///< q' in (q, u, t)
};

/// Throws not_for_method where the system is none for a discrete principle of d'Alembert.
VariationalEquations variational_equations(Algebra& algebra, const System& system);

}  // namespace liaison
