#ifndef LIAISON_SIMULATE_TIME_STEPPING_HPP
#define LIAISON_SIMULATE_TIME_STEPPING_HPP

#include <memory>

#include "liaison/simulate/contact_run.hpp"

namespace liaison {

/// A motion with unilateral constraints by steps of one length, after Moreau and Jean: the forces of all
/// contacts in a step are one impulse each, which obeys the laws of contact, friction and impact (Newton's)
/// at its end. Impacts are not located but stepped over, so that their number does not matter; times of
/// changes are known to the length of a step.
class TimeSteppingRun final : public MotionWithContacts {
 public:
  /// The algebra outlives it. Throws Error where the model does not say what contacts need, and
  /// Error(not_for_method) for a step that is not positive, for events that reset and for
  /// forces of contacts that are asked for beside contacts of a `for` that is not written out.
  TimeSteppingRun(Algebra& algebra, const System& system, const DoublePoint& parameters, double step,
                  const EvaluatorOptions& evaluator);
  ~TimeSteppingRun() override;

  const AssembledEquations& equations() const override;
  Observations& observations() override;
  Evaluator& evaluator() override;

  /// Factors of a row are the impulses of the step that ends there, over its length; at the begin those of
  /// the first step. Rows and events between two steps lie on straight lines.
  SimulationResult run(double t, std::vector<double> y, const SimulationOptions& options,
                       const SimulationReceivers& receivers, const Checkpoint* resume = nullptr) override;
  bool goes_on() const override { return true; }

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace liaison

#endif  // LIAISON_SIMULATE_TIME_STEPPING_HPP
