#ifndef LIAISON_MECHANICS_OMEGA_HPP
#define LIAISON_MECHANICS_OMEGA_HPP

#include "liaison/mechanics/state_space.hpp"

namespace liaison {

/// Omega = d(p_i theta^i - (p_i v^i - T) dt) + Q_i theta^i ^ dt, with p_i = dT/dv^i and Q_i the applied
/// generalised forces, the potential included (rows G1.I-newton, G1.II-Lagrange, G1.II-Hamilton,
/// G2.V-rheonomic). Sign convention C-Omega.
struct OmegaForm {
  std::vector<Expr> momenta;  ///< p_i on (q, u, t)
  Expr energy;                ///< p_i v^i - T: T2 - T0, equal to T where the parametrisation is free of t
  std::vector<Expr> forces;   ///< Q_i, -dV/dq^i included, on (q, u, t)
  Form kinetic;               ///< d(p_i theta^i - (p_i v^i - T) dt): closed
  Form omega;
};
/// p_i = dT/dv^i on (q, u, t). Where T is written in velocity parameters of its own: p_i dv^i/du^a = dT/du^a.
std::vector<Expr> derive_momenta(Algebra& algebra, const StateSpace& space, Expr kinetic);

OmegaForm derive_omega(Algebra& algebra, const StateSpace& space);

/// The same 2-form for another kinetic energy and forces on the same space.
OmegaForm derive_omega(Algebra& algebra, const StateSpace& space, Expr kinetic,
                       const std::vector<Expr>& forces);

/// i(E)Omega = 0, i(E)dt = 1 as a linear system for the accelerations: mass * (du/dt) = load, one row a
/// direction: row i is the coefficient of theta^i in i(E)Omega.
struct FreeSystem {
  Matrix mass;  ///< dp_i/du^a
  std::vector<Expr> load;
};
FreeSystem derive_free_system(const StateSpace& space, const Form& omega);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_OMEGA_HPP
