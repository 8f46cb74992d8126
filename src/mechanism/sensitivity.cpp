#include "liaison/mechanism/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "option_text.hpp"

namespace liaison {

namespace {

[[noreturn]] void refuse_option(const std::string& text, const std::string& hint) {
  refuse(Status::bad_input, "--sensitivity", Problem::bad_usage, text, hint);
}

const Parameter* parameter_named(const System& system, std::string_view name) {
  for (const Parameter& parameter : system.parameters)
    if (parameter.symbol.symbol().name == name) return &parameter;
  return nullptr;
}

}  // namespace

std::size_t place_in_state(const Evaluator& evaluator, const std::string& name) {
  const std::vector<Expr>& symbols = evaluator.symbols();
  const auto found =
      std::find_if(symbols.begin(), symbols.end(), [&](Expr symbol) { return symbol.symbol().name == name; });
  return static_cast<std::size_t>(found - symbols.begin());
}

SensitivityRun::SensitivityRun(MechanismParts& parts, PreparedRun& run, const Assignments& start,
                               const std::string& of)
    : parts_(parts), run_(run), start_(start) {
  const System& system = parts.system();
  if (run.has_contacts())
    refuse_option("deviations across the impacts of unilateral constraints are not followed yet",
                  "an event with `then reset` in the place of a contact is");
  const Evaluator& evaluator = run.evaluator();
  for (Expr symbol : evaluator.symbols()) state_names_.push_back(symbol.symbol().name);
  std::vector<std::string> known = state_names_;
  for (const Parameter& parameter : system.parameters) known.push_back(parameter.symbol.symbol().name);
  for (std::string_view part : parts_of(of)) {
    const std::string name(trimmed(part));
    if (name.empty()) refuse_option("a name is missing", "--sensitivity \"m, x\"");
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
      refuse_option(fmt::format("`{}` is named twice", name), "name each once");
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const auto near = nearest_name(name, known);
      refuse_option(fmt::format("`{}` is neither a parameter nor a value of the state", name),
                    near ? fmt::format("did you mean `{}`?", *near) : "--sensitivity \"m, x\"");
    }
    names_.push_back(name);
    if (const Parameter* parameter = parameter_named(system, name)) parameters_.push_back(parameter->symbol);
  }
  y_ = run_.evaluator().pack(run_.state().values);
  equations_ = std::make_unique<PerturbationEquations>(run_.equations(), run_.evaluator(),
                                                       run_.state().values, parameters_);
  given_.assign(y_.size(), false);
  const auto give = [&](Expr symbol, std::optional<double> value) {
    const std::size_t place = place_in_state(evaluator, symbol.symbol().name);
    if (place == y_.size()) return;
    // a start that a relation moved was no more than a guess
    if (!value || std::abs(y_[place] - *value) <= 1e-9 * (1 + std::abs(*value))) given_[place] = true;
  };
  for (const InitialValue& value : system.start)
    give(value.symbol, evaluate(value.value, run_.state().values));
  for (const Assignment& assignment : start) give(assignment.symbol, {});
  for (const std::string& name : names_) {
    if (const Parameter* parameter = parameter_named(system, name)) {
      add_parameter(parameter->symbol);
      labels_.push_back(name);
    } else {
      add_state(place_in_state(evaluator, name));
      labels_.push_back(name + " at start");
    }
  }
}

/// The model's start may be written with the parameter; what is not given follows the constraints.
void SensitivityRun::add_parameter(Expr symbol) {
  std::vector<double> deviation(y_.size() + parameters_.size());
  const auto place = std::find(parameters_.begin(), parameters_.end(), symbol) - parameters_.begin();
  deviation[y_.size() + static_cast<std::size_t>(place)] = 1;
  for (const InitialValue& value : parts_.system().start) {
    const std::size_t at = place_in_state(run_.evaluator(), value.symbol.symbol().name);
    const bool is_given = std::any_of(start_.begin(), start_.end(),
                                      [&](const Assignment& given) { return given.symbol == value.symbol; });
    if (at < y_.size() && given_[at] && !is_given)
      deviation[at] = evaluate(derivative(value.value, symbol), run_.state().values);
  }
  require_admissible(deviation, given_);
  deviations_.push_back(std::move(deviation));
}

void SensitivityRun::add_state(std::size_t component) {
  std::vector<double> deviation(y_.size() + parameters_.size());
  deviation[component] = 1;
  std::vector<bool> fixed = given_;
  fixed[component] = true;
  require_admissible(deviation, fixed);
  deviations_.push_back(std::move(deviation));
}

void SensitivityRun::require_admissible(std::vector<double>& deviation, const std::vector<bool>& fixed) {
  if (equations_->make_admissible(run_.begin(), y_.data(), deviation.data(), fixed)) return;
  refuse(Status::bad_input, "--sensitivity", Problem::not_on_constraint,
         fmt::format("`{}` cannot change alone: the constraints tie it to other values that the start gives",
                     names_[deviations_.size()]),
         "give fewer values at the start, so that the others can follow");
}

std::vector<std::string> SensitivityRun::columns() const {
  std::vector<std::string> result{parts_.system().time.symbol().name};
  result.insert(result.end(), state_names_.begin(), state_names_.end());
  for (const std::string& label : labels_)
    for (const std::string& state : state_names_) result.push_back(fmt::format("d({})/d({})", state, label));
  return result;
}

std::vector<double> SensitivityRun::row(const PerturbedState& state) {
  std::vector<double> result{state.t};
  result.insert(result.end(), state.y.begin(), state.y.end());
  for (const auto& deviation : state.deviations)
    result.insert(result.end(), deviation.begin(),
                  deviation.begin() + static_cast<std::ptrdiff_t>(state.y.size()));
  return result;
}

PerturbedRunResult SensitivityRun::run(const SimulationOptions& options,
                                       const std::function<bool()>& interrupted,
                                       const std::function<bool(const PerturbedState&)>& receive) {
  PerturbedRunOptions how{.until = options.until,
                          .every = options.every,
                          .tolerance = options.tolerance,
                          .max_steps = options.max_steps,
                          .interrupted = interrupted};
  std::vector<EventRecord> events;
  const std::vector<Event>& written = parts_.system().events;
  const bool acts = std::any_of(written.begin(), written.end(),
                                [](const Event& event) { return event.action != EventAction::record; });
  if (acts) {
    SimulationOptions plain = options;
    plain.every = 0;
    SimulationResult motion =
        run_.run(run_.begin(), y_, plain, {[&](const Row&) { return !interrupted || !interrupted(); }, {}});
    if (motion.outcome != SimulationOutcome::finished && motion.outcome != SimulationOutcome::event) {
      PerturbedRunResult result;
      result.outcome = motion.outcome;
      result.message = motion.message;
      result.end = {motion.t, motion.y, {}};
      return result;
    }
    how.until = motion.t;
    events = std::move(motion.events);
  }
  return follow_deviations(run_.equations(), run_.evaluator(), *equations_, run_.state().values, events,
                           {run_.begin(), y_, deviations_}, how, receive);
}

}  // namespace liaison
