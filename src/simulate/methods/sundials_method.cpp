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
  clock_ = previous_clock_ = t_ - origin_;
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
  t_ = previous_ = origin_ = t;
  clock_ = previous_clock_ = 0;
  end_ = end;
  end_clock_ = end - origin_;
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

/// The last time that a double can tell and that is not behind a clock.
double Method::time_within(double clock) const {
  const double t = time_at(clock);
  if (clock == end_clock_) return t;
  const double part = t - origin_, rounded = (origin_ - (t - part)) + (clock - part);  // what was left out
  const bool is_behind = forward_ ? rounded < 0 : rounded > 0;
  return is_behind ? std::nextafter(t, forward_ ? -INFINITY : INFINITY) : t;
}

/// The state at the time that a step of the solver comes to; false where doubles cannot tell it from the
/// last.
bool Method::hand_on(double clock, double end) {
  constexpr double nothing = 1e-13;  // of a step: its change of the state is known to less
  const double t = clock == end_clock_ ? end : time_within(clock);
  previous_clock_ = std::exchange(clock_, clock);
  if (forward_ ? t <= t_ : t >= t_) return false;
  const double at = t == end ? clock : t - origin_;
  if (std::abs(clock - at) > nothing * std::abs(clock - previous_clock_) &&
      evaluate_between(std::clamp(at, std::min(previous_clock_, clock), std::max(previous_clock_, clock)),
                       between_.get()) >= 0)
    std::copy(between_.values().begin(), between_.values().end(), next_.data());
  previous_ = std::exchange(t_, t);
  std::copy(next_.values().begin(), next_.values().end(), y_.data());
  has_last_step_ = true;
  return true;
}

StepOutcome Method::step(double end) {
  constexpr double far_below = 1e-16;   // of what the time can tell
  constexpr int most_untold = 100'000;  // steps between two times
  failure_.clear();
  end_ = end;
  end_clock_ = end - origin_;
  if (end == t_) return StepOutcome::stepped;
  if (fixed_length() > 0 && fixed_length() < shortest_step(t_)) return StepOutcome::too_small;
  if ((end > t_) != forward_ || !started_) {
    forward_ = end > t_;
    if (!complete()) return StepOutcome::no_value;
    if (!start_afresh(first_step(end))) return StepOutcome::no_convergence;
  }
  for (int untold = 0;;) {
    const double least = std::max(shortest_step(clock_), far_below * shortest_step(t_));
    double clock = clock_;
    missed_ = false;
    tried_ = 0;
    const Cause why = cause(advance(end_clock_, clock));
    throw_kept();
    if (why == Cause::success) {
      const double length = std::abs(clock - clock_);
      if ((length < least && clock != end_clock_) || ++untold > most_untold)
        return report(missed_ ? Cause::no_value : Cause::error_test, length);
      if (hand_on(clock, end)) return StepOutcome::stepped;
      continue;
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
  const bool is_late = length < shortest_step(t_) && shortest_step(t_) > shortest_step(clock_);
  failure_ = fmt::format(
      "the tolerance asks for steps shorter than {:.3g} at t = {:.9g}: the solution grows without bound or "
      "loses its smoothness{}",
      length, t_,
      is_late ? fmt::format(", or depends on a time that is told there to {:.3g}",
                            std::abs(t_) * std::numeric_limits<double>::epsilon())
              : "");
  return StepOutcome::too_small;
}

void Method::interpolate(double t, double* y) {
  const double at = std::clamp(t, std::min(previous_, t_), std::max(previous_, t_));
  const double clock =
      std::clamp(at - origin_, std::min(previous_clock_, clock_), std::max(previous_clock_, clock_));
  const bool inside = has_last_step_ && at != t_ && evaluate_between(clock, between_.get()) >= 0;
  throw_kept();
  std::copy_n((inside ? between_ : y_).values().begin(), size_, y);
}

bool RatesMethod::evaluate_rates(double t, const double* y, double* dy) {
  ++evaluations_;
  return rates_(t, y, dy) && std::all_of(dy, dy + size_, [](double value) { return std::isfinite(value); });
}

int RatesMethod::evaluate(double clock, N_Vector y, N_Vector dy, void* self) {
  auto& method = *static_cast<RatesMethod*>(self);
  return method.guarded(clock, [&](double t) {
    return method.evaluate_rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  });
}

bool RatesMethod::complete() {
  if (evaluate_rates(t_, y_.data(), dy_.data())) return true;
  failure_ = fmt::format("the equations have no value at t = {:.9g}", t_);
  return false;
}

}  // namespace liaison::sundials
