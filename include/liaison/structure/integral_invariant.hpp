#ifndef LIAISON_STRUCTURE_INTEGRAL_INVARIANT_HPP
#define LIAISON_STRUCTURE_INTEGRAL_INVARIANT_HPP

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/mechanics/state_space.hpp"

namespace liaison {

/// What is integrated over a tube of motions (rows TA4-knife, TA-general): the 1-form p_i theta^i - H dt
/// along a circuit, and over the tube the 2-form B_i theta^i ^ dt of the reactions and of forces without a
/// potential. d(p theta - H dt) + B theta ^ dt vanishes on the motion, so the two together have one value on
/// all circuits of a tube (Taylor); where B = 0 that is Cartan's invariant, at fixed times Poincare's.
struct InvariantForms {
  std::vector<Expr> momenta;  ///< A_i, on (q, u, t)
  Expr energy;                ///< H; the coefficient of dt is -H
  std::vector<Expr> forces;   ///< B_i, with the symbols of the factors
  bool has_forces = false;    ///< some B_i is not zero
};
InvariantForms derive_invariant_forms(Algebra& algebra, const StateSpace& space,
                                      const AssembledEquations& equations);

/// One motion of a tube at one circuit.
struct TubePlace {
  double t = 0;
  double duration = 0;             ///< dt/du of this motion
  std::vector<double> positions;   ///< coordinates, then quaternions
  std::vector<double> velocities;  ///< v^i, one a direction
  std::vector<double> momenta;     ///< A_i
  double energy = 0;               ///< H
  std::vector<double> forces;      ///< B_i
};
using TubeCircuit = std::vector<TubePlace>;  ///< at equal steps of the parameter of the curve, from 0 to 2 pi

/// What one circuit gives.
struct CircuitIntegrals {
  double form = 0;    ///< of A_i theta^i - H dt around it
  double forces = 0;  ///< rate by u of the integral of the 2-form, with its sign in Taylor's sum
  double power = 0;   ///< the part of that from B_i v^i dt
};
/// By the trapezoidal rule, with derivatives along the circuit that are exact for trigonometric polynomials:
/// for analytic circuits both converge faster than any power of the number of points, which is even.
CircuitIntegrals integrate_circuit(const System& system, const TubeCircuit& circuit);
/// Every second place.
TubeCircuit thinned(const TubeCircuit& circuit);

/// Nodes in [0, 1] and weights of Kronrod's rule with 15 points, and those of Gauss's with 7 of them.
struct QuadratureNode {
  double at, weight, coarse;
};
const std::array<QuadratureNode, 15>& kronrod_nodes();

/// A circuit of a tube between its first one, u = 0, and its last one, u = 1.
struct TubeSection {
  double u = 0;
  double circuit = 0;  ///< the integral of p theta - H dt around it
  double forces = 0;   ///< of the 2-form over the tube up to here, with its sign
  double power = 0;    ///< the part of it from the power of the forces
  double sum() const { return circuit + forces; }
  double error = 0;  ///< of the sum: by half as many points, by a coarser rule, by other tolerances
};
struct TubeIntegrals {
  std::vector<TubeSection> sections;
  std::size_t points = 0;
  double tolerance = 0;
  bool has_forces = false;
  bool fixed_times = true;     ///< each circuit is at one time: Poincare's case
  bool is_given_form = false;  ///< the 1-form is the user's
  /// The largest difference of a sum from the first, and what the errors allow.
  double change() const, allowed() const;
  double change_of_circuit() const;
  bool is_kept() const { return change() <= allowed(); }
  bool circuit_is_kept() const { return change_of_circuit() <= allowed(); }
  /// Errors are estimated: a change is one only far beyond them. What is neither kept nor changed is not
  /// decided.
  bool is_changed() const { return change() > certainly * allowed(); }
  bool circuit_is_changed() const { return change_of_circuit() > certainly * allowed(); }
  static constexpr double certainly = 10;
};

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_INTEGRAL_INVARIANT_HPP
