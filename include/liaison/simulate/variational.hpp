#ifndef LIAISON_SIMULATE_VARIATIONAL_HPP
#define LIAISON_SIMULATE_VARIATIONAL_HPP

#include <memory>

#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/integrator.hpp"

namespace liaison {

/// A method was asked for a system that its scheme is not for, or with options that it does not have.
inline constexpr ErrorCode not_for_method{601};

struct VariationalOptions {
  double step = 1e-3;  ///< every step has this length, but for one that would pass the end
  int order = 2;       ///< 2, 4 or 6: one midpoint step, or a symmetric composition of 5 or 9
  Engine engine = Engine::compiled;
};

/// A method of constant step from a discrete principle of d'Alembert, on the state of an Evaluator:
/// (coordinates, quaternions, velocity parameters). Levels, velocity relations and lengths of quaternions
/// hold to rounding at every step. Without velocity relations and applied forces it is symplectic and keeps
/// the momenta of linear symmetries; with velocity relations it is symmetric in time.
/// docs/explanation/structure-preserving.md says what follows.
///
/// `interpolate` takes positions from the cubic through both ends (error h^4) and velocities from its
/// derivative (error h^3), whatever the order of the method.
///
/// Throws not_for_method for constraints that are not ideal or not linear in the velocities, reactions
/// without a relation, unilateral constraints, velocity parameters that are not linear, and for an order or
/// step that is not offered; missing_value for a parameter without a value and for an unknown function.
std::unique_ptr<Integrator> make_variational(Algebra& algebra, const System& system,
                                             const DoublePoint& parameters,
                                             const VariationalOptions& options = {});

}  // namespace liaison

#endif  // LIAISON_SIMULATE_VARIATIONAL_HPP
