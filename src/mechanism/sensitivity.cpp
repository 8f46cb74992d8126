#include "liaison/mechanism/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "diagnostics.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/integrals.hpp"
#include "option_text.hpp"
#include "output_deviations.hpp"

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

std::string reset_at(const System& system, const std::vector<EventRecord>& events, double t) {
  for (const EventRecord& record : events) {
    const Event& event = system.events[record.event];
    if (event.action == EventAction::reset && !record.touches && record.t == t) return event.name;
  }
  return {};
}

std::size_t place_in_state(const Evaluator& evaluator, const std::string& name) {
  const std::vector<Expr>& symbols = evaluator.symbols();
  const auto found =
      std::find_if(symbols.begin(), symbols.end(), [&](Expr symbol) { return symbol.symbol().name == name; });
  return static_cast<std::size_t>(found - symbols.begin());
}

SensitivityRun::SensitivityRun(MechanismParts& parts, PreparedRun& run, Assignments parameters,
                               Assignments start, bool project, const std::string& of)
    : parts_(parts),
      run_(run),
      parameters_given_(std::move(parameters)),
      start_(std::move(start)),
      project_(project) {
  const System& system = parts.system();
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
  contacts_ = deviations_of_contacts(parts, run, parameters_);
  y_ = evaluator.pack(run_.state().values);
  equations_ = std::make_unique<PerturbationEquations>(equations(), this->evaluator(), run_.state().values,
                                                       parameters_);
  for (const std::string& name : names_) {
    add_deviation(name);
    labels_.push_back(parameter_named(system, name) != nullptr ? name : name + " at start");
  }
  for (const Output& output : system.outputs) {
    output_names_.push_back(output.name);
    if (holds_integral(output.value))
      refuse_option(fmt::format("the output `{}` holds an integral along the motion", output.name),
                    "the derivatives of integrals are not computed: leave this output out");
  }
  if (!output_names_.empty()) outputs(PerturbedState{run_.begin(), y_, {}});  // refused before any work
}

SensitivityRun::~SensitivityRun() = default;

SensitivityRun::Outputs SensitivityRun::outputs(const PerturbedState& state) {
  if (output_names_.empty()) return {{}, std::vector<std::vector<double>>(state.deviations.size())};
  ContactDeviations::Closed closed;
  if (contacts_) {
    // an event comes to this motion at a time of its own beside that of the plain one
    const double beside = 1e-9 * std::max(std::abs(state.t), std::abs(state.t - run_.begin()));
    for (const EventRecord& record : events_) {
      const auto change = contacts_->change_of(record.event);
      if (!change || record.t > state.t + beside) continue;
      using Kind = ContactDeviations::Kind;
      if (change->kind == Kind::opens) closed.erase(change->contact);
      if (change->kind == Kind::held || change->kind == Kind::stays) closed.insert(change->contact);
    }
  }
  std::unique_ptr<OutputDeviations>& found = outputs_[closed];
  if (!found) {
    const AssembledEquations& equations = contacts_ ? contacts_->at(closed).equations : run_.equations();
    const auto make = [&](const Motion* motion) {
      found = std::make_unique<OutputDeviations>(parts_.algebra(), equations, run_.state().values,
                                                 parameters_, motion);
    };
    try {
      make(contacts_ ? nullptr : parts_.motion_if_made());
    } catch (const Error& error) {
      if (contacts_ || error.code() != ErrorCode::limit_reached)
        throw Refused{Status::bad_input, {message_of(parts_.name(), error)}};
      make(&parts_.motion());
    }
  }
  OutputDeviations::Values values = found->at(state);
  return {std::move(values.values), std::move(values.deviations)};
}

std::unique_ptr<ContactDeviations> deviations_of_contacts(MechanismParts& parts, const PreparedRun& run,
                                                          const std::vector<Expr>& varied) {
  const System& system = parts.system();
  if (!system.families.empty())
    refuse(Status::bad_input, parts.name(), Problem::bad_usage,
           "deviations are not followed across the impacts of a family of contacts",
           "write contacts one by one");
  if (system.unilaterals.empty()) return nullptr;
  if (run.goes_on())
    refuse(Status::bad_input, "--integrator", Problem::bad_usage,
           "deviations are followed from impact to impact, and steps of one length go over them",
           "an adaptive integrator, as dop853, goes from event to event");
  try {
    return std::make_unique<ContactDeviations>(parts.algebra(), system, run.state().values, varied);
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
}

const AssembledEquations& SensitivityRun::equations() const {
  return contacts_ ? contacts_->open().equations : run_.equations();
}
Evaluator& SensitivityRun::evaluator() const {
  return contacts_ ? *contacts_->open().evaluator : run_.evaluator();
}

void SensitivityRun::require_closed_kept(const std::vector<EventRecord>& events) {
  ContactDeviations::Closed closed;
  for (const EventRecord& event : events) {
    const auto change = contacts_->change_of(event.event);
    if (change && change->kind == ContactDeviations::Kind::held) closed.insert(change->contact);
  }
  if (closed.empty()) return;
  PerturbationEquations& kept = *contacts_->at(closed).perturbation;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    std::vector<double> moved = deviations_[k];
    double largest = 0, apart = 0;
    const bool holds = kept.make_admissible(run_.begin(), y_.data(), moved.data());
    for (std::size_t i = 0; i < moved.size(); ++i) {
      largest = std::max(largest, std::abs(moved[i]));
      apart = std::max(apart, std::abs(moved[i] - deviations_[k][i]));
    }
    if (holds && apart <= 1e-9 * largest) continue;
    refuse_option(
        fmt::format("`{}` cannot change: `{}` is closed at the start, and would open or be violated",
                    names_[k], contacts_->name(*closed.begin())),
        "a start with open contacts can change to both sides");
  }
}

void SensitivityRun::refuse_change(const std::string& name) const {
  refuse(
      Status::bad_input, "--sensitivity", Problem::not_on_constraint,
      fmt::format(
          "`{}` cannot change alone: the constraints fix it, or tie it to other values that are given", name),
      "give fewer values at the start, so that the others can follow, or let --project move them");
}

/// The state at the start where one value is another one, completed as for any run.
std::optional<std::vector<double>> SensitivityRun::start_with(Expr symbol, double value) const {
  StateRequest request{.given = in_doubles(start_),
                       .parameters = in_doubles(parameters_given_),
                       .use_start = true,
                       .project = project_,
                       .begins = true};
  auto& list = symbol.symbol().kind == SymbolKind::parameter ? request.parameters : request.given;
  std::erase_if(list, [&](const auto& given) { return given.first == symbol; });
  list.emplace_back(symbol, value);
  const CompletedState state = complete_state(equations(), request);
  if (!state.ok()) return {};
  return run_.evaluator().pack(state.values);
}

/// How the start moves with a value: what is not given is completed by the constraints, and by a choice where
/// these leave one. Central differences, extrapolated to the sixth order, of what is exact to rounding: a
/// step is taken where that leaves six digits, of the value, or of the state where the value is small beside
/// it.
std::vector<double> SensitivityRun::slope_of_start(Expr symbol) {
  const double value = run_.state().values.at(symbol);
  const std::size_t positions = equations().positions.size();
  double size = 0, of_positions = 0, of_velocities = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    size = std::hypot(size, y_[i]);
    double& block = i < positions ? of_positions : of_velocities;
    block = std::hypot(block, y_[i]);
  }
  const SymbolKind kind = symbol.symbol().kind;
  const double alike = kind == SymbolKind::coordinate ? of_positions
                       : kind == SymbolKind::velocity ? of_velocities
                                                      : size;
  // beside itself, beside numbers of its kind where it is small, and beside 1 where it has no size
  std::vector<double> steps;
  for (const double beside : {std::abs(value), alike, size, value == 0 ? 1.0 : 0.0})
    for (const double part : {1e-3, 1e-5, 1e-7})
      if (beside > 0 && beside >= std::abs(value)) steps.push_back(part * beside);
  bool has_neighbours = false;
  double longest = 0;
  std::optional<std::vector<double>> unmoved;  // by more than rounding, at the longest step
  for (const double first : steps) {
    std::vector<std::vector<double>> rows;
    std::vector<double> bends;  // half of what the slopes to both sides differ by
    for (const double h : {first, first / 2, first / 4}) {
      const auto above = start_with(symbol, value + h), below = start_with(symbol, value - h);
      if (!above || !below) break;
      std::vector<double> row(y_.size());
      for (std::size_t i = 0; i < y_.size(); ++i) row[i] = ((*above)[i] - (*below)[i]) / (2 * h);
      rows.push_back(std::move(row));
      bends.push_back(0);
      for (std::size_t i = 0; i < y_.size(); ++i)
        bends.back() = std::max(bends.back(), std::abs((*above)[i] + (*below)[i] - 2 * y_[i]) / (2 * h));
    }
    if (rows.size() < 3) continue;
    has_neighbours = true;
    std::vector<double> result(y_.size());
    double largest = 0, apart = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double once = (4 * rows[1][i] - rows[0][i]) / 3, again = (4 * rows[2][i] - rows[1][i]) / 3;
      result[i] = (16 * again - once) / 15;
      largest = std::max(largest, std::abs(result[i]));
      apart = std::max(apart, std::abs(result[i] - again));
    }
    const double rounding = 1e-14 * size / first;
    // of what is smooth it falls with the step
    if (bends[2] > 0.6 * bends[0] && bends[2] > 1e-4 * largest && rounding <= 1e-6 * largest)
      refuse_option(fmt::format("the start has no one derivative by `{}`: to both sides it is another one",
                                symbol.symbol().name),
                    "begin beside this state, with --start");
    if (apart <= 1e-6 * largest && rounding <= 1e-6 * largest) return result;
    if (first < longest) continue;
    longest = first;
    unmoved.reset();
    if (largest <= rounding) unmoved.emplace(y_.size(), 0.0);
  }
  if (unmoved && longest >= 1e-7 * size) return *unmoved;
  if (!has_neighbours) refuse_change(symbol.symbol().name);
  refuse(Status::numerical_failure, "--sensitivity", Problem::no_value,
         fmt::format("the start has no derivative by `{}` to six digits: another one is chosen next to it, "
                     "or the value is too small beside the state",
                     symbol.symbol().name),
         "give the values of the start that are chosen");
}

/// Where a value of the start stands as it is written, its derivative is that of the text. True if any does.
bool SensitivityRun::snap_to_start(Expr symbol, std::vector<double>& deviation,
                                   std::vector<bool>& fixed) const {
  double largest = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) largest = std::max(largest, std::abs(deviation[i]));
  const auto snap = [&](Expr of, double slope) {
    const std::size_t place = place_in_state(run_.evaluator(), of.symbol().name);
    if (place == y_.size()) return;
    if (std::abs(deviation[place] - slope) > 1e-5 * std::max(std::abs(slope), largest)) return;
    deviation[place] = slope;
    fixed[place] = true;
  };
  for (const InitialValue& value : parts_.system().start)
    snap(value.symbol, evaluate(derivative(value.value, symbol), run_.state().values));
  for (const Assignment& given : start_) snap(given.symbol, 0);
  snap(symbol, 1);
  return std::find(fixed.begin(), fixed.end(), true) != fixed.end();
}

void SensitivityRun::add_deviation(const std::string& name) {
  const std::size_t place = place_in_state(run_.evaluator(), name);
  const Expr symbol =
      place < y_.size() ? run_.evaluator().symbols()[place] : parameter_named(parts_.system(), name)->symbol;
  std::vector<double> deviation = slope_of_start(symbol);
  deviation.resize(y_.size() + parameters_.size());
  const auto parameter = std::find(parameters_.begin(), parameters_.end(), symbol);
  if (parameter != parameters_.end())
    deviation[y_.size() + static_cast<std::size_t>(parameter - parameters_.begin())] = 1;
  std::vector<bool> fixed(y_.size(), false);
  const std::vector<double> found = deviation;
  const bool snapped = snap_to_start(symbol, deviation, fixed);
  if (snapped && equations_->make_admissible(run_.begin(), y_.data(), deviation.data(), fixed)) {
    deviations_.push_back(std::move(deviation));
    return;
  }
  deviation = found;
  if (!equations_->make_admissible(run_.begin(), y_.data(), deviation.data())) refuse_change(name);
  deviations_.push_back(std::move(deviation));
}

std::vector<std::string> SensitivityRun::columns() const {
  std::vector<std::string> result{parts_.system().time.symbol().name};
  result.insert(result.end(), state_names_.begin(), state_names_.end());
  result.insert(result.end(), output_names_.begin(), output_names_.end());
  for (const std::string& label : labels_)
    for (const auto* names : {&state_names_, &output_names_})
      for (const std::string& name : *names) result.push_back(fmt::format("d({})/d({})", name, label));
  return result;
}

std::vector<double> SensitivityRun::row(const PerturbedState& state) {
  std::vector<double> result{state.t};
  result.insert(result.end(), state.y.begin(), state.y.end());
  const Outputs observed = outputs(state);
  result.insert(result.end(), observed.values.begin(), observed.values.end());
  for (std::size_t c = 0; c < state.deviations.size(); ++c) {
    const std::vector<double>& deviation = state.deviations[c];
    result.insert(result.end(), deviation.begin(),
                  deviation.begin() + static_cast<std::ptrdiff_t>(state.y.size()));
    result.insert(result.end(), observed.deviations[c].begin(), observed.deviations[c].end());
  }
  return result;
}

PerturbedRunResult SensitivityRun::run(const SimulationOptions& options,
                                       const std::function<bool()>& interrupted,
                                       const std::function<bool(const PerturbedState&)>& receive) {
  PerturbedRunOptions how{.until = options.until,
                          .every = options.every,
                          .tolerance = options.tolerance,
                          .max_steps = options.max_steps,
                          .interrupted = interrupted,
                          .contacts = contacts_.get()};
  std::vector<EventRecord> events;
  const std::vector<Event>& written = parts_.system().events;
  const bool acts = contacts_ || std::any_of(written.begin(), written.end(), [](const Event& event) {
                      return event.action != EventAction::record;
                    });
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
    if (const std::string name = reset_at(parts_.system(), motion.events, run_.begin()); !name.empty())
      refuse_option(fmt::format("the event `{}` resets the state at the start: motions beside it may have no "
                                "reset, and derivatives have no one meaning",
                                name),
                    "begin at another time, before or behind the event, with --start");
    if (contacts_) {
      std::string why;
      auto found = contacts_->events_of(motion, run_.begin(), why);
      if (!found) {
        PerturbedRunResult result;
        result.outcome = SimulationOutcome::singular;
        result.message = why;
        result.end = {run_.begin(), y_, {}};
        return result;
      }
      require_closed_kept(*found);
      motion.events = std::move(*found);
    }
    events = std::move(motion.events);
  }
  events_ = events;
  const std::vector<double> scales = scales_of_deviations(how.tolerance.absolute);
  const auto scale = [&](PerturbedState& state, bool to_run) {
    for (std::size_t c = 0; c < state.deviations.size(); ++c)
      for (double& one : state.deviations[c]) one = to_run ? one * scales[c] : one / scales[c];
  };
  PerturbedState begin{run_.begin(), y_, deviations_};
  scale(begin, true);
  PerturbedRunResult result =
      follow_deviations(equations(), evaluator(), *equations_, run_.state().values, events, std::move(begin),
                        how, [&](const PerturbedState& state) {
                          PerturbedState row = state;
                          scale(row, false);
                          return !receive || receive(row);
                        });
  scale(result.end, false);
  return result;
}

/// Derivatives by a parameter that is small have the rounding of the rates, divided by it: they are followed
/// in a unit in which that is below the absolute tolerance. Powers of two change no digit.
std::vector<double> SensitivityRun::scales_of_deviations(double absolute) {
  constexpr double usual = 1e-3, rounding = 20 * std::numeric_limits<double>::epsilon();
  std::vector<double> result(names_.size(), 1.0);
  if (!equations_->take(run_.begin(), y_.data())) return result;
  double largest = 0;
  for (double value : y_) largest = std::max(largest, std::abs(value));
  for (double rate : equations_->rates()) largest = std::max(largest, std::abs(rate));
  for (std::size_t c = 0; c < names_.size(); ++c) {
    const Parameter* parameter = parameter_named(parts_.system(), names_[c]);
    if (parameter == nullptr || !(largest > 0)) continue;
    const double value = std::abs(run_.state().values.at(parameter->symbol));
    const double scale = absolute / rounding * value / largest;
    if (value > 0 && scale < usual) result[c] = std::exp2(std::round(std::log2(scale)));
  }
  return result;
}

}  // namespace liaison
