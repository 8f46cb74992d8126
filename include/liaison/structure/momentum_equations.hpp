#ifndef LIAISON_STRUCTURE_MOMENTUM_EQUATIONS_HPP
#define LIAISON_STRUCTURE_MOMENTUM_EQUATIONS_HPP

#include <string>
#include <vector>

#include "liaison/structure/symmetries.hpp"

namespace liaison {

/// A field xi = sum c_a X_a along symmetries X_a, with functions c_a of the positions and the time, that
/// every constraint allows: the reactions have no power on it, and d(xi^i p_i)/dt = sum c_a' X_a^i p_i, up to
/// what the X_a do to T - V (A. M. Bloch, P. S. Krishnaprasad, J. E. Marsden, R. M. Murray 1996).
struct MomentumEquation {
  VectorField field;           ///< xi on the positions
  bool is_horizontal = false;  ///< the c_a are constants: a symmetry that the constraints allow
  Expr momentum;               ///< xi^i p_i on the states
  Expr rate;                   ///< of the momentum, along the motion
  Verdict conserved;           ///< the momentum is: a gauge momentum
};

struct MomentumEquations {
  std::vector<MomentumEquation> equations;  ///< independent at general places; horizontal ones first
  Grade none_else = Grade::unknown;         ///< of "all allowed fields along them are combinations of these"
  std::string reason;                       ///< why nothing was asked
};

/// Of systems with relations between velocities; without these every symmetry is allowed.
MomentumEquations find_momentum_equations(Algebra& algebra, const StateFlow& flow,
                                          const Symmetries& symmetries);

/// Whether a function that is linear in the velocities is the momentum of an allowed field along symmetries.
bool is_gauge_momentum(Algebra& algebra, const StateFlow& flow, const Symmetries& symmetries, Expr function);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_MOMENTUM_EQUATIONS_HPP
