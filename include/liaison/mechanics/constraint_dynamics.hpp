#ifndef LIAISON_MECHANICS_CONSTRAINT_DYNAMICS_HPP
#define LIAISON_MECHANICS_CONSTRAINT_DYNAMICS_HPP

#include <optional>
#include <vector>

#include "liaison/mechanics/constraint_geometry.hpp"

/// Motion on the constraint manifold A (rows MP3.1-momenta ... MP3.3-extrinsic). The motion is the one flow Z
/// with Z|Omega-hat = Lambda(F + Phi), not a characteristic of the Omega pulled back to A, which may have
/// none (row MP3.1-kernel-caution).
namespace liaison {

/// Kinetic energy, momenta and Omega on A. Sign convention C-Omega: Z|Omega = Q_k omt^k is the same as
/// i(Z)(Omega + Q_k theta^k^dt) = 0.
struct ConstraintDynamics {
  Expr kinetic;               ///< T on A
  std::vector<Expr> momenta;  ///< p_k = dT/dv^k on A, T the energy of the system without the relations
  std::vector<Expr> forces;   ///< Q_k on A, the potential included
  Form omega;                 ///< d(p_k omt^k + T dt)
  std::vector<Expr> inertia;  ///< B_k of the flow without dz: see balance()
};
ConstraintDynamics derive_constraint_dynamics(const Motion& motion, const ConstraintSpace& space);

/// B_k with Z|Omega = B_k omt^k: Z(p_k) - dT/dq^k + p_r dpsi^r/dq^k in coordinates (row MP3.1-Cor3.1).
std::vector<Expr> balance(const ConstraintSpace& space, const ConstraintDynamics& dynamics,
                          const std::vector<Expr>& rates);

/// z' of the flow with B_k dpsi^k/dz^A = Q_k dpsi^k/dz^A: G_AB z'^B = (Q_k - B_k) dpsi^k/dz^A (row
/// MP3.3-intrinsic). Without forces it is Z_I, the flow that the frame of reference singles out (row
/// MP3.1-ZI).
std::vector<Expr> solve_flow(Algebra& algebra, const Matrix& fibre_metric, const ConstraintSpace& space,
                             const ConstraintDynamics& dynamics, const std::vector<Expr>& forces);
std::vector<Expr> inertial_flow(Algebra& algebra, const ConstraintGeometry& geometry,
                                const ConstraintDynamics& dynamics);

/// Omega = Omega-hat + Omega_chi: the virtual and the Chetaev part of the displacement (row
/// MP3.1-split-Omega).
struct OmegaSplit {
  Form virtual_part;  ///< Omega-hat = sum m dv^d_v-hat v
  Form chetaev_part;  ///< Omega_chi = sum m dv^d_chi x
  Form naive;         ///< Omega-hat with the terms S_kr left out: right on vertical vectors and flows only
  Matrix second;      ///< S_kr = sum m v.(d2x/dq^k dq^r), from T alone
};
/// From the kinetic energy. Nothing for a system with rotations.
std::optional<OmegaSplit> split_omega(Algebra& algebra, const Motion& motion,
                                      const ConstraintGeometry& geometry, const ConstraintDynamics& dynamics);

/// Lambda(F) = Q_k d_v-hat psi^k: the virtual work (row MP3.2-forces).
Form virtual_work(const ConstraintGeometry& geometry, const std::vector<Expr>& forces);

enum class Determinism {
  deterministic,  ///< the constitutive law fixes the reactions
  motion_only,    ///< some factors stay open, and have no virtual work: the motion is fixed
  indeterminate,  ///< reactions that stay open have virtual work
  impossible,     ///< no factors satisfy the reactive part
  implicit,       ///< the directions depend on the factors: a non-linear system
};
/// The purely reactive part Z|Omega_chi = (Q_k + Phi_k) chi^k (rows MP3.3-Cor3.2, MP3.3-determinism). It
/// holds no unknown flow: (nu^s, l^h) lambda_h = (nu^s, B - Q), whatever Z. What it leaves of Lambda(Phi)
/// open, the motion leaves open.
struct ReactivePart {
  Determinism determinism = Determinism::deterministic;
  Matrix matrix;               ///< (nu^s, l^h), one row a relation, one column a reaction: r of the backbone
  std::vector<Expr> right;     ///< (nu^s, B - Q)
  std::vector<Expr> factors;   ///< lambda_h; an open one keeps its symbol
  std::vector<Expr> reaction;  ///< Phi_k = lambda_h l^h_k
};
ReactivePart solve_reactive_part(Algebra& algebra, const Motion& motion, const ConstraintSpace& space,
                                 const ConstraintDynamics& dynamics);

/// C(Z) = g_kl q''^k q''^l/2 + h_k q''^k - Q_k q''^k with B_k = g_kl q''^l + h_k (row MP3.3-Gauss).
Expr gauss_function(const ConstraintGeometry& geometry, const ConstraintDynamics& dynamics,
                    const std::vector<Expr>& rates);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_CONSTRAINT_DYNAMICS_HPP
