#ifndef LIAISON_SIMULATE_TAYLOR_HPP
#define LIAISON_SIMULATE_TAYLOR_HPP

#include <memory>

#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/integrator.hpp"

namespace liaison {

/// Taylor's series of the motion, to an order that the tolerance asks for (15 at 1e-12), with coefficients by
/// compiled recurrences. The step is chosen from the last two coefficients before it is taken, after Jorba
/// and Zou: none is rejected. Dense output is the series itself. For smooth motions at small tolerances.
///
/// Throws Error(limit_reached) where the rates are not one straight-line program of moderate size: laws of
/// friction in their own factor, factorised or sparse assembly.
std::unique_ptr<Integrator> make_taylor(Evaluator& evaluator, Tolerance tolerance, double step_length = 0);

/// The order for a tolerance.
std::size_t taylor_order(double tolerance);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_TAYLOR_HPP
