#pragma once

#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include "liaison/simulate/integrator.hpp"
#include "sundials_memory.hpp"

namespace liaison::sundials {

/// What the three methods have in common: a state at a time, one internal step after the other, and what is
/// done when a step fails. A failed step begins afresh from the last state, shorter, until its length means
/// nothing any more; the last cause is the outcome.
///
/// The solver counts the time from where the method began, and no late time rounds its steps. What it hands
/// on is the state at the last time that a double can tell within them; where none passes, the solver goes
/// on.
class Method : public Integrator {
 public:
  bool begin(double t, std::span<const double> y, double end) final;
  StepOutcome step(double end) final;
  bool restart(std::span<const double> y) final;
  double time() const final { return t_; }
  std::span<const double> state() const final { return y_.values().first(size_); }
  /// After a restart there is no last step: the state.
  void interpolate(double t, double* y) final;
  std::size_t evaluations() const final { return evaluations_; }
  std::size_t rejected() const final { return rejected_ + failed_steps_now(); }
  std::string failure() const final { return failure_; }

 protected:
  /// The first `size` of the unknowns are the state.
  Method(std::size_t size, std::size_t unknowns);

  enum class Cause { success, error_test, convergence, no_value, setup };

  /// Completes the unknowns at a state that came from outside; false with failure_ where there are none.
  virtual bool complete() = 0;
  /// Solver memory at (clock_, y_), made anew or cleared; the first step has this length, 0: the method's
  /// choice.
  virtual int start(double first_step) = 0;
  /// Length of the first step after a change of the state; 0: the method's choice.
  virtual double first_step(double end) = 0;
  /// One step of the solver, by its clock, not beyond `end`: `clock` and next_.
  virtual int advance(double end, double& clock) = 0;
  virtual int evaluate_between(double clock, N_Vector y) = 0;
  virtual Cause cause(int flag) const = 0;
  virtual std::size_t failed_steps() const = 0;  ///< since the last start
  virtual bool may_shorten() const { return true; }

  double time_at(double clock) const { return clock == end_clock_ ? end_ : origin_ + clock; }
  /// Runs what the solver calls back at a time. No exception passes through C: it is kept and thrown again
  /// outside.
  template <class Function>
  int guarded(double clock, Function&& function) noexcept {
    try {
      if (clock != clock_) tried_ = std::abs(clock - clock_);
      if (function(time_at(clock))) return 0;
      missed_ = true;
      return 1;
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }
  static void keep_message(int code, const char* module, const char* function, char* message, void* self);

  std::size_t size_;
  Context context_;
  double t_ = 0, end_ = 0;
  double clock_ = 0;  ///< of the solver: at t_ or, by less than doubles can tell there, behind it
  bool forward_ = true;
  Vector y_, next_;
  std::size_t evaluations_ = 0;
  std::string failure_;

 private:
  bool start_afresh(double length);
  double time_within(double clock) const;
  bool hand_on(double clock, double end);
  std::size_t failed_steps_now() const { return started_ ? failed_steps() : 0; }
  StepOutcome report(Cause cause, double length);
  void throw_kept();

  Vector between_;
  double origin_ = 0, end_clock_ = 0;
  double previous_ = 0, previous_clock_ = 0;  ///< where the last step of the solver began
  bool started_ = false, has_last_step_ = false;
  bool missed_ = false;  ///< an evaluation had no value
  double tried_ = 0;     ///< length of the last step that was tried
  std::size_t rejected_ = 0;
  std::exception_ptr thrown_;
  std::string message_;  ///< the solver's own, for what has no words here
};

/// y' = f(t, y) for ARKODE and CVODE.
class RatesMethod : public Method {
 protected:
  RatesMethod(Rates rates, std::size_t size) : Method(size, size), rates_(std::move(rates)), dy_(size) {}
  static int evaluate(double clock, N_Vector y, N_Vector dy, void* self);
  bool evaluate_rates(double t, const double* y, double* dy);
  bool complete() override;

 private:
  Rates rates_;
  std::vector<double> dy_;
};

}  // namespace liaison::sundials
