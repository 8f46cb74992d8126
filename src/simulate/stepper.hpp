#pragma once

#include <span>
#include <vector>

#include "moment.hpp"

namespace liaison {

/// The method along its run: steps, the state on the constraints, and whether the motion comes on.
class Stepper {
 public:
  Stepper(Evaluator& evaluator, Integrator& integrator, const SimulationOptions& options);

  /// Begins a run; moves the state onto the constraints.
  MaybeEnd begin(double t, std::vector<double>& y);
  /// Begins again after a jump of the state.
  MaybeEnd begin_again(double t, const std::vector<double>& y);
  /// One step.
  MaybeEnd step();
  /// Back onto the constraints after a step.
  MaybeEnd settle();

  double before() const { return before_; }  ///< where the last step began
  double time() const { return integrator_.time(); }
  std::vector<double> state() const { return {integrator_.state().begin(), integrator_.state().end()}; }
  /// The state at a time of the last step, on the constraints.
  void state_at(double t, double* y);

  std::size_t steps() const { return steps_; }
  std::size_t evaluations() const { return earlier_evaluations_ + integrator_.evaluations(); }
  std::size_t rejected() const { return earlier_rejected_ + integrator_.rejected(); }

  std::vector<double> memory() const;
  /// The method at the state of a checkpoint, with what it and the run remember.
  bool recall(double t, std::span<const double> y, std::span<const double> method,
              std::span<const double> own);

 private:
  bool is_stuck();
  std::string reason() const;
  RunEnd failed(StepOutcome outcome) const;

  Evaluator& evaluator_;
  Integrator& integrator_;
  const SimulationOptions& options_;
  bool projects_;
  double start_ = 0, before_ = 0, window_begin_ = 0;
  std::size_t steps_ = 0, window_rejected_ = 0, earlier_evaluations_ = 0, earlier_rejected_ = 0;
};

/// A count that was kept among doubles; what is none is 0.
std::size_t count_of(double number);

}  // namespace liaison
