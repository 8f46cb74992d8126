#include "liaison/simulate/methods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/simulate/runge_kutta.hpp"
#include "liaison/simulate/sundials.hpp"
#include "liaison/simulate/taylor.hpp"
#include "liaison/simulate/variational.hpp"

namespace liaison {

const std::vector<Method>& methods() {
  static const std::vector<Method> list{
      {"dop853", "explicit Runge-Kutta of order 8 after Dormand and Prince; the default", true, true},
      {"taylor", "Taylor's series of the motion, order by the tolerance; for small tolerances", true, true},
      {"arkode", "explicit Runge-Kutta of order 8 of SUNDIALS; the judge of the first", true, true},
      {"adams", "multistep, orders 1 to 12, of SUNDIALS (CVODE)", true, false},
      {"bdf", "backward differences, orders 1 to 5, of SUNDIALS (CVODE); for stiff systems", true, false},
      {"ida",
       "the differential-algebraic system itself, of SUNDIALS (IDA); stiff, and laws of friction in "
       "their own reaction",
       true, false},
      {"variational", "structure-preserving, order 2, constant step; for long times", false, true},
      {"variational4", "the same by composition, order 4", false, true},
      {"variational6", "the same by composition, order 6", false, true},
  };
  return list;
}

const Method& method_for_contacts() {
  static const Method moreau{
      "moreau", "time stepping after Moreau and Jean, constant step; for many contacts", false, true};
  return moreau;
}

const Method* method_named(const std::string& name) {
  if (name == method_for_contacts().name) return &method_for_contacts();
  const auto& list = methods();
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Method& method) { return method.name == name; });
  return found == list.end() ? nullptr : &*found;
}

namespace {

/// By how much of `step` the slips change but little beside themselves, from what they change by a whole one:
/// a direction is no linear function of what turns it.
double part_within(const std::vector<double>& slips, const std::vector<double>& moved) {
  constexpr double little = 1e-3;
  double part = 1;
  for (std::size_t i = 0; i + 1 < slips.size(); i += 2) {
    const double speed = std::hypot(slips[i], slips[i + 1]);
    const double change = std::hypot(moved[i] - slips[i], moved[i + 1] - slips[i + 1]);
    if (speed > 0 && change > little * speed) part = std::min(part, little * speed / change);
  }
  return part;
}

/// Difference quotients: usual ones span far more than a slip that has just begun.
RatesJacobian differences_beside(const Rates& rates, const Slips& slips, std::size_t size) {
  return [rates, slips, size, state = std::vector<double>(), here = std::vector<double>(size),
          there = std::vector<double>(size), pairs = std::vector<double>(),
          moved = std::vector<double>()](double t, const double* y, double* jacobian) mutable {
    constexpr double epsilon = std::numeric_limits<double>::epsilon(), least = 1e-3;
    state.assign(y, y + size);
    if (!slips(t, y, pairs) || !rates(t, y, here.data())) return false;
    double largest = 0;
    for (const double number : state) largest = std::max(largest, std::abs(number));
    for (std::size_t j = 0; j < size; ++j) {
      const double from = state[j];
      double step = std::sqrt(epsilon) * std::max({std::abs(from), least * largest, epsilon});
      state[j] = from + step;
      if (!slips(t, state.data(), moved)) return false;
      step = std::max(step * part_within(pairs, moved), 64 * epsilon * std::abs(from));
      state[j] = from + step;
      step = state[j] - from;
      if (!rates(t, state.data(), there.data())) return false;
      for (std::size_t i = 0; i < size; ++i) jacobian[i * size + j] = (there[i] - here[i]) / step;
      state[j] = from;
    }
    return true;
  };
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(const MethodRequest& request, Algebra& algebra,
                                            const System& system, Evaluator& evaluator,
                                            const DoublePoint& parameters) {
  const Rates rates = [&evaluator](double t, const double* y, double* dy) {
    return evaluator.rates(t, y, dy);
  };
  const std::size_t size = evaluator.size();
  if (request.name == "taylor") return make_taylor(evaluator, request.tolerance, request.step);
  if (request.name == "arkode") return make_arkode(rates, size, request.tolerance, request.step);
  if (request.name == "adams" || request.name == "bdf") {
    CvodeOptions options;
    options.family = request.name == "bdf" ? MultistepFamily::bdf : MultistepFamily::adams;
    if (request.name == "bdf" && request.project && (evaluator.has_relations() || !system.rotations.empty()))
      options.project = [&evaluator](double t, double* y) { return evaluator.project(t, y); };
    if (request.name == "bdf" && request.slips)
      options.jacobian = differences_beside(rates, request.slips, size);
    return make_cvode(rates, size, request.tolerance, options);
  }
  if (request.name == "ida") return make_ida(evaluator, request.tolerance);
  if (request.name.starts_with("variational")) {
    const int order = request.name == "variational" ? 2 : request.name.back() - '0';
    return make_variational(algebra, system, parameters, {request.step, order, request.engine});
  }
  if (request.name == method_for_contacts().name) {
    throw Error(not_for_method, "`moreau` is for unilateral constraints, and the model has none",
                "`variational` has a constant step too; dop853 follows the tolerance");
  }
  return std::make_unique<DormandPrince>(rates, size, request.tolerance, request.step);
}

}  // namespace liaison
