#pragma once

#include <memory>

#include "liaison/simulate/methods.hpp"
#include "liaison/simulate/observations.hpp"
#include "liaison/simulate/simulation.hpp"
#include "liaison/unilateral/impact.hpp"

namespace liaison {

/// What a run does where the contacts allow several motions.
enum class OnIndeterminate {
  stop,      ///< with all of them
  separate,  ///< takes the one with the fewest contacts, where there is exactly one such
  contact,   ///< with the most
  branch,    ///< follows every one; rows are those of the first way
};
/// And where they allow none.
enum class OnImpossible {
  stop,
  shock,  ///< a tangential impact of a contact that jams
};

struct ContactOptions {
  ImpactLaw law = ImpactLaw::energetic;
  bool in_sequence = false;  ///< several impacts at once: one after the other
  OnIndeterminate on_indeterminate = OnIndeterminate::stop;
  OnImpossible on_impossible = OnImpossible::stop;
};

/// A motion with unilateral constraints, from event to event: between two of them each contact is open,
/// sticks or slips, and the motion is that of a system with constraints, by any method; at an event the
/// contacts are asked for all motions that are possible.
class ContactRun {
 public:
  /// The algebra outlives it. Throws Error where the model does not say what contacts need.
  ContactRun(Algebra& algebra, const System& system, const DoublePoint& parameters,
             const MethodRequest& method, const EvaluatorOptions& evaluator, const ContactOptions& options);
  ~ContactRun();

  /// All that may press, as the rows have it: constraints, then each contact with its friction.
  const AssembledEquations& equations() const;
  /// Of the motion with all contacts open: names of outputs, events of the model.
  Observations& observations();
  Evaluator& evaluator();

  SimulationResult run(double t, std::vector<double> y, const SimulationOptions& options,
                       const SimulationReceivers& receivers);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace liaison
