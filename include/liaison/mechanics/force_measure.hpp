#ifndef LIAISON_MECHANICS_FORCE_MEASURE_HPP
#define LIAISON_MECHANICS_FORCE_MEASURE_HPP

#include <vector>

#include "liaison/mechanics/constraint_dynamics.hpp"

/// Forces on each particle, not only their Lagrangian components (rows MP3.2-forces, MP3.2-Thm3.2,
/// MP3.3-Cor3.2, MP3.3-Gauss). The system's kinetic energy must come from its particles.
namespace liaison {

/// One vector a particle, on A: forces, or momentum rates.
using ForceMeasure = std::vector<std::vector<Expr>>;

/// v = dx/dt along any flow, one vector a particle.
ForceMeasure particle_velocities(const ConstraintSpace& space);
/// m Z(v).
ForceMeasure momentum_rates(const ConstraintSpace& space, const std::vector<Expr>& rates);
/// m V(v) of a vertical field V.
ForceMeasure vertical_rates(const ConstraintSpace& space, const std::vector<Expr>& vertical);
ForceMeasure operator+(const ForceMeasure& a, const ForceMeasure& b);
ForceMeasure operator-(const ForceMeasure& a, const ForceMeasure& b);

/// Q_k = sum F.dx/dq^k.
std::vector<Expr> lagrangian_components(const ConstraintSpace& space, const ForceMeasure& forces);

/// U = U_perp + V(v) m: U_perp without virtual work, V = g-hat^-1 Lambda(U) (row MP3.2-Thm3.2).
struct MeasureSplit {
  ForceMeasure reactive;       ///< U_perp
  std::vector<Expr> vertical;  ///< V^A
};
MeasureSplit split(const ConstraintGeometry& geometry, const ForceMeasure& forces);

/// Omega-hat = sum m dv^d_v-hat v and Omega_chi = sum m dv^d_chi x, with d_c x = d_v-hat v + d_chi x.
struct ParticleOmega {
  Form omega;
  Form virtual_part;
  Form chetaev_part;
};
ParticleOmega particle_omega(const ConstraintGeometry& geometry);

/// sum |m a - F|^2/(2 m).
Expr constraint_measure(const ConstraintSpace& space, const ForceMeasure& forces,
                        const std::vector<Expr>& rates);
/// C = sum a.(m a - 2 F)/2: what is left of it where forces are concentrated.
Expr gauss_function(const ConstraintSpace& space, const ForceMeasure& forces, const std::vector<Expr>& rates);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_FORCE_MEASURE_HPP
