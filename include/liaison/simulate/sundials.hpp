#ifndef LIAISON_SIMULATE_SUNDIALS_HPP
#define LIAISON_SIMULATE_SUNDIALS_HPP

#include <functional>
#include <memory>

#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/integrator.hpp"

/// The methods of SUNDIALS behind our interface: the judges of our own methods, and what we have for stiff
/// and for differential-algebraic equations. None of them writes to a stream; what went wrong is told by the
/// outcome of a step and by failure(). A step that ends where the equations have no value is tried again
/// shorter, until the time cannot tell it apart: no_value.
namespace liaison {

/// Explicit Runge-Kutta of order 8 (Fehlberg, 13 stages); between the steps too: thirteen evaluations a time.
/// `fixed_step` > 0: every step has this length, whatever its error; 0: the tolerance decides.
std::unique_ptr<Integrator> make_arkode(Rates rates, std::size_t size, Tolerance tolerance,
                                        double fixed_step = 0);

/// df/dy of y' = f(t, y), row by row; false where it has no value.
using RatesJacobian = std::function<bool(double t, const double* y, double* jacobian)>;

enum class MultistepFamily {
  bdf,    ///< backward differences, orders 1 to 5, Newton's method: for stiff equations
  adams,  ///< orders 1 to 12, fixed-point iteration: for smooth equations that are not stiff
};
struct CvodeOptions {
  RatesJacobian jacobian = {};  ///< empty: difference quotients
  MultistepFamily family = MultistepFamily::bdf;
  /// Moves a state onto what it should keep, inside of each step (bdf only): a change from outside would
  /// throw away the past that the method lives on. With it the method keeps the constraints.
  std::function<bool(double t, double* y)> project = {};
};
std::unique_ptr<Integrator> make_cvode(Rates rates, std::size_t size, Tolerance tolerance,
                                       const CvodeOptions& options = {});

/// The motion as a differential-algebraic system, by backward differences: positions on the levels and
/// velocities on the relations at every step. Directions are taken at the factors of the step, so that laws
/// of friction that speak of their own reaction are solved with everything else. Needs as many factors as
/// independent relations; otherwise `begin` refuses. The evaluator outlives it.
std::unique_ptr<Integrator> make_ida(Evaluator& evaluator, Tolerance tolerance);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_SUNDIALS_HPP
