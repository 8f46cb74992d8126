#include "sundials_method.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace liaison::sundials {

Method::Method(std::size_t size, std::size_t unknowns)
    : size_(size),
      context_(make_context()),
      y_(unknowns, context_),
      next_(unknowns, context_),
      between_(unknowns, context_) {}

void Method::keep_message(int, const char*, const char*, char* message, void* self) {
  if (message != nullptr) static_cast<Method*>(self)->message_ = message;
}

void Method::throw_kept() {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

bool Method::start_afresh(double length) {
  rejected_ += failed_steps_now();
  has_last_step_ = false;
  started_ = false;
  const int flag = start(std::copysign(length, forward_ ? 1 : -1));
  throw_kept();
  if (flag < 0) {
    failure_ = fmt::format("the method cannot begin at t = {:.9g}: {}", t_, message_);
    return false;
  }
  started_ = true;
  return true;
}

bool Method::begin(double t, std::span<const double> y, double end) {
  t_ = previous_ = t;
  end_ = end;
  forward_ = end >= t;
  failure_.clear();
  std::copy(y.begin(), y.end(), y_.data());
  return complete() && start_afresh(first_step(end));
}

bool Method::restart(std::span<const double> y) {
  failure_.clear();
  std::copy(y.begin(), y.end(), y_.data());
  return complete() && start_afresh(first_step(end_));
}

StepOutcome Method::step(double end) {
  failure_.clear();
  end_ = end;
  if (end == t_) return StepOutcome::stepped;
  if ((end > t_) != forward_ || !started_) {
    forward_ = end > t_;
    if (!complete()) return StepOutcome::no_value;
    if (!start_afresh(first_step(end))) return StepOutcome::no_convergence;
  }
  for (bool is_first = true;; is_first = false) {
    const double least = shortest_step(t_);
    double t = t_;
    missed_ = false;
    tried_ = 0;
    const Cause why = cause(advance(end, t));
    throw_kept();
    const bool no_length = why == Cause::success ? std::abs(t - t_) < least && t != end : tried_ < least;
    const bool is_late = least > 1e-12 * std::abs(end - t_);  // steps that the time cannot tell may be chosen
    if (no_length && is_first && is_late && !has_last_step_ && may_shorten() && why != Cause::setup) {
      if (!complete()) return StepOutcome::no_value;
      if (!start_afresh(std::min(16 * least, std::abs(end - t_)))) return StepOutcome::no_convergence;
      continue;
    }
    if (why == Cause::success) {
      if (no_length) return report(missed_ ? Cause::no_value : Cause::error_test, std::abs(t - t_));
      previous_ = std::exchange(t_, t);
      std::copy(next_.values().begin(), next_.values().end(), y_.data());
      has_last_step_ = true;
      return StepOutcome::stepped;
    }
    const double length = tried_ / 4;
    if (why == Cause::setup || !may_shorten() || length < least)
      return report(missed_ ? Cause::no_value : why, tried_);
    if (!complete()) return StepOutcome::no_value;
    if (!start_afresh(length)) return StepOutcome::no_convergence;
  }
}

StepOutcome Method::report(Cause cause, double length) {
  started_ = false;
  switch (cause) {
    case Cause::no_value:
      if (failure_.empty()) failure_ = fmt::format("the equations have no value just after t = {:.9g}", t_);
      return StepOutcome::no_value;
    case Cause::convergence:
      failure_ = fmt::format(
          "the equations of an implicit step from t = {:.9g} were not solved, down to a length of {:.3g}", t_,
          length);
      return StepOutcome::no_convergence;
    case Cause::setup:
      failure_ = fmt::format("the method stopped at t = {:.9g}: {}", t_, message_);
      return StepOutcome::no_convergence;
    case Cause::error_test:
    case Cause::success: break;
  }
  failure_ = fmt::format(
      "the tolerance asks for steps shorter than {:.3g} at t = {:.9g}: the solution grows without bound or "
      "loses its smoothness",
      length, t_);
  return StepOutcome::too_small;
}

void Method::interpolate(double t, double* y) {
  const double at = std::clamp(t, std::min(previous_, t_), std::max(previous_, t_));
  const bool inside = has_last_step_ && at != t_ && evaluate_between(at, between_.get()) >= 0;
  throw_kept();
  std::copy_n((inside ? between_ : y_).values().begin(), size_, y);
}

bool RatesMethod::evaluate_rates(double t, const double* y, double* dy) {
  ++evaluations_;
  return rates_(t, y, dy) && std::all_of(dy, dy + size_, [](double value) { return std::isfinite(value); });
}

int RatesMethod::evaluate(double t, N_Vector y, N_Vector dy, void* self) {
  auto& method = *static_cast<RatesMethod*>(self);
  return method.guarded(
      t, [&] { return method.evaluate_rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy)); });
}

bool RatesMethod::complete() {
  if (evaluate_rates(t_, y_.data(), dy_.data())) return true;
  failure_ = fmt::format("the equations have no value at t = {:.9g}", t_);
  return false;
}

}  // namespace liaison::sundials
