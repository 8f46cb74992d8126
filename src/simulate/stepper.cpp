#include "stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison {

std::size_t count_of(double number) {
  return number >= 0 && number < 9e15 ? static_cast<std::size_t>(number) : 0;
}

Stepper::Stepper(Evaluator& evaluator, Integrator& integrator, const SimulationOptions& options)
    : evaluator_(evaluator),
      integrator_(integrator),
      options_(options),
      projects_(options.project && !integrator.keeps_constraints()) {}

MaybeEnd Stepper::begin(double t, std::vector<double>& y) {
  start_ = window_begin_ = before_ = t;
  if (projects_ && !evaluator_.project(t, y.data()))
    return no_way_on(t, y, "the start cannot be moved onto the constraints");
  return begin_again(t, y);
}

MaybeEnd Stepper::begin_again(double t, const std::vector<double>& y) {
  std::vector<double> rates(y.size());
  if (!evaluator_.rates(t, y.data(), rates.data()) || !integrator_.begin(t, y, options_.until))
    return no_way_on(t, y, reason());
  return {};
}

MaybeEnd Stepper::step() {
  before_ = integrator_.time();
  const StepOutcome outcome = integrator_.step(options_.until);
  if (outcome != StepOutcome::stepped) return failed(outcome);
  ++steps_;
  if (is_stuck()) {
    return no_way_on(
        time(), state(),
        "the motion does not come on: its equations jump here, as where a slip ends or a contact opens");
  }
  return {};
}

/// Many steps that advance next to nothing, or many that are tried in vain and advance little: the solution
/// slides along a jump of its equations.
bool Stepper::is_stuck() {
  constexpr std::size_t window = 2000;
  if (steps_ % window != 0) return false;
  const double advance = (time() - window_begin_) / (options_.until - start_);
  const bool in_vain = rejected() - window_rejected_ > (3 * window) / 10;
  window_begin_ = time();
  window_rejected_ = rejected();
  return advance < (in_vain ? 1e-5 : 1e-8);
}

void Stepper::state_at(double t, double* y) {
  if (t == integrator_.time()) {
    std::copy(integrator_.state().begin(), integrator_.state().end(), y);
  } else {
    integrator_.interpolate(t, y);
  }
  if (options_.project) evaluator_.project(t, y);
}

MaybeEnd Stepper::settle() {
  if (!projects_) return {};
  if (integrator_.lives_on_its_past()) {  // a restart costs more than what is left of a residual
    const Evaluator::Residuals left = evaluator_.residuals(time(), integrator_.state().data());
    if (std::max(left.level, left.relation) <= options_.tolerance.relative) return {};
  }
  std::vector<double> y = state();
  if (evaluator_.project(time(), y.data()) && integrator_.restart(y)) return {};
  return no_way_on(time(), state(), "the state left the constraints and could not be moved back");
}

/// Why there is no step: the equations know, or the method.
std::string Stepper::reason() const {
  const std::string why = evaluator_.failure().empty() ? integrator_.failure() : evaluator_.failure();
  return why.empty() ? "the solution grows without bound or loses its smoothness" : why;
}

RunEnd Stepper::failed(StepOutcome outcome) const {
  const char* what = outcome == StepOutcome::too_small        ? "the step fell to nothing"
                     : outcome == StepOutcome::no_convergence ? "a step was not solved"
                                                              : "a step has no value";
  return no_way_on(time(), state(), fmt::format("{}: {}", what, reason()));
}

std::vector<double> Stepper::memory() const {
  return {start_,
          window_begin_,
          static_cast<double>(window_rejected_),
          static_cast<double>(steps_),
          static_cast<double>(evaluations()),
          static_cast<double>(rejected())};
}

bool Stepper::recall(double t, std::span<const double> y, std::span<const double> method,
                     std::span<const double> own) {
  if (y.size() != evaluator_.size() || own.size() != 6 || !integrator_.begin(t, y, options_.until))
    return false;
  start_ = own[0];
  window_begin_ = own[1];
  window_rejected_ = count_of(own[2]);
  steps_ = count_of(own[3]);
  earlier_evaluations_ = count_of(own[4]) - integrator_.evaluations();
  earlier_rejected_ = count_of(own[5]);
  integrator_.recall(method);
  return true;
}

}  // namespace liaison
