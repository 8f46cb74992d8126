#ifndef LIAISON_MECHANISM_SENSITIVITY_HPP
#define LIAISON_MECHANISM_SENSITIVITY_HPP

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "liaison/mechanism/prepared_run.hpp"
#include "liaison/simulate/contact_deviations.hpp"
#include "liaison/simulate/perturbation.hpp"

namespace liaison {

class OutputDeviations;

/// What a motion does by small changes of its start and of parameters. The run outlives it. Throws Refused
/// for names that are neither, for what the constraints do not let change alone, and for contacts
/// with friction.
class SensitivityRun {
 public:
  /// `of`: "m, x, x'"; `parameters`, `start` and `project` are those of the run.
  SensitivityRun(MechanismParts& parts, PreparedRun& run, Assignments parameters, Assignments start,
                 bool project, const std::string& of);
  ~SensitivityRun();

  /// What changes: a parameter, or a value of the state at the start.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& state_names() const { return state_names_; }
  /// Of the model. Their derivatives stand behind those of the state.
  const std::vector<std::string>& output_names() const { return output_names_; }
  /// "t", the state, the outputs, and the derivatives "d(x)/d(m)" or "d(x)/d(x at start)", name after name.
  std::vector<std::string> columns() const;
  std::vector<double> row(const PerturbedState& state);
  /// The outputs at a state of the run, and their derivatives, name after name: those before it where a side
  /// changes there; not a number where there are none.
  struct Outputs {
    std::vector<double> values;
    std::vector<std::vector<double>> deviations;
  };
  Outputs outputs(const PerturbedState& state);

  /// The motion from event to event as a plain run finds it, then the deviations along it; derivatives are
  /// those of the state at one time.
  PerturbedRunResult run(const SimulationOptions& options, const std::function<bool()>& interrupted,
                         const std::function<bool(const PerturbedState&)>& receive);

 private:
  void add_deviation(const std::string& name);
  std::vector<double> scales_of_deviations(double absolute);
  std::vector<double> slope_of_start(Expr symbol);
  std::optional<std::vector<double>> start_with(Expr symbol, double value) const;
  bool snap_to_start(Expr symbol, std::vector<double>& deviation, std::vector<bool>& fixed) const;
  /// Of the motion with all contacts open.
  const AssembledEquations& equations() const;
  Evaluator& evaluator() const;
  /// What a closed contact lets change at the start.
  void require_closed_kept(const std::vector<EventRecord>& events);
  [[noreturn]] void refuse_change(const std::string& name) const;

  MechanismParts& parts_;
  PreparedRun& run_;
  std::vector<std::string> names_, labels_, state_names_;
  std::vector<Expr> parameters_;  ///< that change
  std::vector<double> y_;
  std::vector<std::vector<double>> deviations_;
  std::unique_ptr<ContactDeviations> contacts_;  ///< null where there are none
  std::unique_ptr<PerturbationEquations> equations_;
  std::vector<std::string> output_names_;
  std::vector<EventRecord> events_;  ///< of the motion
  std::map<ContactDeviations::Closed, std::unique_ptr<OutputDeviations>> outputs_;
  Assignments parameters_given_, start_;
  bool project_;
};

/// What deviations need of unilateral constraints; null where there are none. Throws Refused.
std::unique_ptr<ContactDeviations> deviations_of_contacts(MechanismParts& parts, const PreparedRun& run,
                                                          const std::vector<Expr>& varied);

/// The first event that resets the state at a time, by name; empty: none.
std::string reset_at(const System& system, const std::vector<EventRecord>& events, double t);

/// The place of a name of the state in y, where it is one of its own; else its size.
std::size_t place_in_state(const Evaluator& evaluator, const std::string& name);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_SENSITIVITY_HPP
