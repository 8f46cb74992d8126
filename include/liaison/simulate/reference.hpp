#ifndef LIAISON_SIMULATE_REFERENCE_HPP
#define LIAISON_SIMULATE_REFERENCE_HPP

#include <string>
#include <vector>

#include "liaison/compile/multiprecision.hpp"
#include "liaison/mechanics/assembled_equations.hpp"

/// Trajectories to 30 digits: a slow judge that shares with the simulation only the equations of motion.
namespace liaison {

struct ReferenceOptions {
  /// 10 to 250; computed with 15 more. The local error is below 10^-(digits + 2) of the largest value that a
  /// component had, or of 1e-5 where it stayed below that.
  int digits = 30;
  bool settle = true;             ///< move a start that is off the constraints by rounding onto them
  bool second_run = true;         ///< with a tolerance 100 times as large, for the estimate of the error
  std::size_t columns = 0;        ///< of the extrapolation, order 2*columns; 0: chosen step by step
  double step = 0;                ///< > 0: every step has this length, whatever its error
  std::size_t max_steps = 20000;  ///< beyond them: limit_reached
};

struct ReferenceValue {
  double value = 0;
  std::string digits;  ///< decimal, as many digits as asked for
};

struct ReferenceTrajectory {
  double t = 0;
  std::vector<Expr> symbols;  ///< of y: positions (coordinates, quaternions), then velocity parameters
  std::vector<ReferenceValue> y;
  std::vector<ReferenceValue> factors;  ///< one a force of the equations; least norm where only combinations
                                        ///< are determined
  ReferenceValue kinetic, potential;
  double energy_change = 0;      ///< of T + V since the start
  double level_residual = 0;     ///< the largest |a(q, t)| at the end; quaternions: | |e|^2 - 1 |
  double relation_residual = 0;  ///< the largest |a(q, u, t)| at the end
  std::size_t steps = 0, rejected = 0, evaluations = 0;
  double error = 0;  ///< largest difference between the two runs, relative to the size of a component; 0
                     ///< without second run
  const ReferenceValue& operator[](Expr symbol) const;  ///< of y; throws missing_value
};

/// From a state at t0 to t1, either way in time, by extrapolation of the midpoint rule (Gragg, Bulirsch and
/// Stoer). `start` has a value for each parameter and each component of y; values of factors are where
/// Newton's method begins if directions depend on factors, else they are not needed.
///
/// Throws missing_value for a value that is not given, undefined_constant where the equations have no value,
/// the mass matrix is singular, the start is off the constraints, no factors keep the relations or the motion
/// is not determined; limit_reached where factors are not found or steps fall to nothing. Each says where.
ReferenceTrajectory reference_trajectory(const AssembledEquations& equations, const ExactPoint& start,
                                         const Rational& t0, const Rational& t1,
                                         const ReferenceOptions& options = {});
/// Times as the doubles that they are: 0.1 is not 1/10.
ReferenceTrajectory reference_trajectory(const AssembledEquations& equations, const ExactPoint& start,
                                         double t0, double t1, const ReferenceOptions& options = {});

/// A completed state with the model's own exact numbers, parameters and `start`, in place of each double that
/// agrees with them within rounding; the other doubles as they are.
ExactPoint exact_start(const System& system, const DoublePoint& completed);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_REFERENCE_HPP
