#ifndef LIAISON_SIMULATE_METHODS_HPP
#define LIAISON_SIMULATE_METHODS_HPP

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/integrator.hpp"

namespace liaison {

/// A method as a person asks for it.
struct Method {
  std::string name;   ///< "dop853"
  std::string about;  ///< one line
  bool adaptive = true;
  bool takes_step = false;  ///< a constant step may be given, or must be where it is not adaptive
};
const std::vector<Method>& methods();
/// For models with unilateral constraints alone: TimeSteppingRun, no Integrator.
const Method& method_for_contacts();
const Method* method_named(const std::string& name);

/// Pairs of velocities by whose directions forces are given, one after the other: slips along surfaces in
/// space. False where they have no value.
using Slips = std::function<bool(double t, const double* y, std::vector<double>& pairs)>;

struct MethodRequest {
  std::string name = "dop853";
  Tolerance tolerance;
  double step = 0;  ///< 0: the tolerance decides
  Engine engine = Engine::compiled;
  bool project = true;  ///< the run is kept on its constraints
  Slips slips = {};     ///< beside which differences are to be small
};
/// The method on a system. The evaluator, the algebra and the system outlive it. Throws
/// Error(not_for_method) where the method is not for the system.
std::unique_ptr<Integrator> make_integrator(const MethodRequest& request, Algebra& algebra,
                                            const System& system, Evaluator& evaluator,
                                            const DoublePoint& parameters);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_METHODS_HPP
