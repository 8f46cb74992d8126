#ifndef LIAISON_SIMULATE_CONTACT_RUN_HPP
#define LIAISON_SIMULATE_CONTACT_RUN_HPP

#include <memory>
#include <optional>

#include "liaison/simulate/methods.hpp"
#include "liaison/simulate/observations.hpp"
#include "liaison/simulate/simulation.hpp"
#include "liaison/unilateral/impact.hpp"

namespace liaison {

/// What a run does where the contacts allow several motions.
enum class OnIndeterminate {
  stop,       ///< with all of them
  separate,   ///< takes the one with the fewest contacts, where there is exactly one such
  contact,    ///< with the most
  compliant,  ///< what contacts that give way a little do, in the limit of stiffness
  branch,     ///< follows every one; rows are those of the first way
};
/// And where they allow none.
enum class OnImpossible {
  stop,
  shock,  ///< a tangential impact of a contact that jams
  compliant,
};

struct ContactOptions {
  std::optional<ImpactLaw> law = {};  ///< energetic where none is asked for
  bool in_sequence = false;           ///< several impacts at once: one after the other
  OnIndeterminate on_indeterminate = OnIndeterminate::stop;
  OnImpossible on_impossible = OnImpossible::stop;
  bool allows_gain = false;  ///< goes on where an impact creates energy though no restitution is above 1
  /// Times the usual velocity that gives a slip in space its direction where it begins at its limit: what
  /// changes with it is not known.
  double slip_start = 1;
};

/// A motion with unilateral constraints, by whatever method.
class MotionWithContacts {
 public:
  virtual ~MotionWithContacts() = default;

  /// All that may press, as the rows have it: constraints, then each contact with its friction.
  virtual const AssembledEquations& equations() const = 0;
  /// Of the motion with all contacts open: names of outputs, events of the model.
  virtual Observations& observations() = 0;
  virtual Evaluator& evaluator() = 0;

  /// From a state, or on from a checkpoint of the same run where `goes_on`.
  virtual SimulationResult run(double t, std::vector<double> y, const SimulationOptions& options,
                               const SimulationReceivers& receivers, const Checkpoint* resume = nullptr) = 0;
  virtual bool goes_on() const { return false; }
};

/// A motion with unilateral constraints, from event to event: between two of them each contact is open,
/// sticks or slips, and the motion is that of a system with constraints, by any method; at an event the
/// contacts are asked for all motions that are possible.
class ContactRun final : public MotionWithContacts {
 public:
  /// The algebra outlives it. Throws Error where the model does not say what contacts need.
  ContactRun(Algebra& algebra, const System& system, const DoublePoint& parameters,
             const MethodRequest& method, const EvaluatorOptions& evaluator, const ContactOptions& options);
  ~ContactRun() override;

  const AssembledEquations& equations() const override;
  Observations& observations() override;
  Evaluator& evaluator() override;

  SimulationResult run(double t, std::vector<double> y, const SimulationOptions& options,
                       const SimulationReceivers& receivers, const Checkpoint* resume = nullptr) override;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace liaison

#endif  // LIAISON_SIMULATE_CONTACT_RUN_HPP
