#ifndef LIAISON_MECHANISM_PREPARED_RUN_HPP
#define LIAISON_MECHANISM_PREPARED_RUN_HPP

#include <functional>
#include <memory>
#include <string>

#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanism/assignments.hpp"
#include "liaison/mechanism/parts.hpp"
#include "liaison/simulate/contact_run.hpp"
#include "liaison/simulate/methods.hpp"
#include "liaison/simulate/observations.hpp"
#include "liaison/simulate/simulation.hpp"

namespace liaison {

/// How a motion is to be followed.
struct RunMethod {
  std::string integrator = "dop853";
  Engine engine = Engine::compiled;
  Assembly assembly = Assembly::automatic;
  double tolerance = 1e-9;
  double step = 0;          ///< 0: the tolerance decides
  double max_step = 0;      ///< no step is longer; 0: no bound
  bool free_drift = false;  ///< the state is not kept on the constraints
  ParameterUse parameters = ParameterUse::folded;
  ContactOptions contacts = {};
};
/// Throws Refused where the method is none, or its numbers are out of range: before any work.
void require_method(const RunMethod& method);
/// The same of the times of a run.
void require_times(double begin, double until, double every);
/// "finished", "event", "singular", "step_limit", "interrupted", "several", "impossible".
std::string name_of(SimulationOutcome outcome);

/// Everything that a run needs, made from a model and a start. The parts outlive it. Throws Refused.
class PreparedRun {
 public:
  PreparedRun(MechanismParts& parts, Assignments parameters, Assignments start, bool project,
              const RunMethod& method);

  /// From another start with other parameters. The equations are not compiled again; RunMethod::parameters
  /// are inputs. Throws Refused.
  void begin_again(Assignments parameters, Assignments start, bool project);

  /// Other parameters for the next runs; the start that was found stays. RunMethod::parameters are inputs.
  /// Throws Refused.
  void set_parameters(const DoublePoint& values);

  /// With the unilateral constraints and their friction, where there are any: what the rows have.
  const AssembledEquations& equations() const { return contacts_ ? contacts_->equations() : *equations_; }
  const CompletedState& state() const { return state_; }
  /// Of the motion with all unilateral constraints open.
  Evaluator& evaluator() { return contacts_ ? contacts_->evaluator() : *evaluator_; }
  Observations& observations() { return contacts_ ? contacts_->observations() : observations_; }
  bool has_contacts() const { return contacts_ != nullptr; }
  /// Whether a run can be gone on with from a checkpoint.
  bool goes_on() const { return contacts_ == nullptr || contacts_->goes_on(); }
  SimulationResult run(double t, std::vector<double> y, const SimulationOptions& options,
                       const SimulationReceivers& receivers, const Checkpoint* resume = nullptr);
  Tolerance tolerance() const { return tolerance_; }
  double begin() const;  ///< the time of the start
  /// Throws Refused where a state from which a run would go on violates what is one-sided.
  void require_honoured_at(double t, std::span<const double> y);
  /// The same run has the same key, but for its end: what it computes depends on nothing else. `rows`: the
  /// distance of its rows.
  std::string key(double rows) const;

 private:
  void find_state(bool project);
  void require_energy() const;
  void prepare();
  void prepare_method();
  void attempt(const std::function<void()>& work);
  void prepare_again();
  void require_push(const DoublePoint& state);
  bool wants_short_equations() const;
  void observe_with_what_is_needed();

  MechanismParts& parts_;
  RunMethod method_;
  Assignments parameters_, start_;
  const AssembledEquations* equations_ = nullptr;
  CompletedState state_;
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Integrator> integrator_;
  Observations observations_;
  std::unique_ptr<MotionWithContacts>
      contacts_;  ///< in place of the three above, where there are unilateral ones
  Tolerance tolerance_;
};

}  // namespace liaison

#endif  // LIAISON_MECHANISM_PREPARED_RUN_HPP
