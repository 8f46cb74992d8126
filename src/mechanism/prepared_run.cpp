#include "liaison/mechanism/prepared_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnostics.hpp"
#include "drive_potential.hpp"
#include "liaison/expr/text_hash.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/asked_drives.hpp"
#include "liaison/simulate/drive_monitors.hpp"
#include "liaison/simulate/relation_size.hpp"
#include "liaison/simulate/time_stepping.hpp"
#include "state_problems.hpp"

namespace liaison {

namespace {

void require(bool holds, const char* option, const char* text, const char* hint) {
  if (!holds) refuse(Status::bad_input, option, Problem::bad_usage, text, hint);
}

/// What steps over impacts cannot do: nothing that was asked for is left away in silence.
void require_for_steps(const RunMethod& request) {
  const ContactOptions& contacts = request.contacts;
  const char* from_event_to_event = "an adaptive integrator, as dop853, goes from event to event";
  require(!contacts.law || *contacts.law == ImpactLaw::newton, "--impact",
          "`moreau` has Newton's law of impact alone", from_event_to_event);
  require(!contacts.in_sequence, "--in-sequence", "`moreau` has one impulse a step for all contacts",
          from_event_to_event);
  require(!contacts.allows_gain, "--allow-gain", "`moreau` does not judge the energy of an impact",
          "leave the option away: the balance of the energy tells what a run gained");
  require(contacts.on_indeterminate == OnIndeterminate::stop, "--on-indeterminate",
          "`moreau` finds one motion and does not look for others", from_event_to_event);
  require(contacts.on_impossible == OnImpossible::stop, "--on-impossible",
          "`moreau` jams by an impulse where no motion is possible, without being told",
          "leave the option away");
  require(!request.free_drift, "--free-drift", "`moreau` keeps its constraints in each step",
          "leave the option away");
}

/// Whether times at this distance are more than a double counts: the time could not tell them apart.
bool is_too_close(double distance, double begin, double end) {
  constexpr double most = 9007199254740992;  // 2^53
  const double length = std::isfinite(begin) ? end - begin : std::abs(end);
  return distance > 0 && length / distance > most;
}

/// A canonical form keeps the angle: a sum of a few times symbols and products.
bool has_simple_angle(Expr node) {
  const Expr angle = node.arg(0);
  const auto terms = angle.is(Op::add) ? angle.args() : std::span<const Expr>(&angle, 1);
  return std::all_of(terms.begin(), terms.end(), [](Expr term) {
    if (term.is_constant()) return false;
    if (!term.is(Op::mul) || !term.arg(0).is_number()) return true;
    const Rational& times = term.arg(0).number();
    return times.is_integer() && times >= Rational(-3) && times <= Rational(3);
  });
}

/// Whether a closed form would be written in other functions than the equations: it is no candidate then, and
/// may take long.
bool would_be_expanded(const AssembledEquations& equations) {
  std::vector<Expr> entries = equations.load;
  entries.insert(entries.end(), equations.bias.begin(), equations.bias.end());
  for (const SparseMatrix* matrix : {&equations.mass, &equations.directions, &equations.gradients})
    for (const SparseEntry& entry : matrix->entries) entries.push_back(entry.value);
  const std::vector<Expr> nodes = postorder(entries);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr node) {
    if (node.is(Op::min) || node.is(Op::max)) return true;
    const bool is_circular = node.is(Op::sin) || node.is(Op::cos) || node.is(Op::tan);
    return is_circular && !has_simple_angle(node);
  });
}

}  // namespace

void require_method(const RunMethod& request) {
  require(request.tolerance >= 1e-15 && request.tolerance < 1, "--tol",
          "a tolerance lies between 1e-15 and 1", "--tol 1e-9");
  require(request.step >= 0 && std::isfinite(request.step), "--step", "a step is not negative",
          "--step 0.001");
  require(request.max_step >= 0 && std::isfinite(request.max_step), "--max-step",
          "the longest step is not negative", "--max-step 0.1");
  require(request.max_step == 0 || request.step == 0, "--max-step", "with --step every step has that length",
          "leave one of them away");
  const Method* method = method_named(request.integrator);
  if (method == nullptr) {
    std::vector<std::string> names;
    for (const Method& known : methods()) names.push_back(known.name);
    names.push_back(method_for_contacts().name);
    const auto near = nearest_name(request.integrator, names);
    refuse(Status::bad_input, "--integrator", Problem::bad_usage,
           fmt::format("there is no integrator `{}`", request.integrator),
           near ? fmt::format("did you mean `{}`?", *near)
                : fmt::format("there are {}", fmt::join(names, ", ")));
  }
  require(method->adaptive || request.step > 0, "--step", "this integrator needs a step", "--step 0.001");
  if (method == &method_for_contacts()) require_for_steps(request);
  require(method->takes_step || request.step == 0, "--step", "this integrator chooses its steps itself",
          "leave --step away, and say how exact with --tol");
}

void require_times(double begin, double until, double every) {
  require(std::isfinite(until), "--until", "the end of a run is a finite time", "--until 10");
  require(every >= 0 && std::isfinite(every), "--every", "the distance of two rows is not negative",
          "--every 0.01");
  require(!is_too_close(every, begin, until), "--every",
          "so many rows cannot be told apart in time: their distance is less than the run divided by 2^53",
          "--every 0.01");
  if (until > begin) return;
  refuse(Status::bad_input, "--until", Problem::bad_usage,
         fmt::format("the run would end at {:g} and begins at {:g}", until, begin), "choose a later end");
}

std::string name_of(SimulationOutcome outcome) {
  switch (outcome) {
    case SimulationOutcome::finished: return "finished";
    case SimulationOutcome::event: return "event";
    case SimulationOutcome::singular: return "singular";
    case SimulationOutcome::step_limit: return "step_limit";
    case SimulationOutcome::interrupted: return "interrupted";
    case SimulationOutcome::several: return "several";
    case SimulationOutcome::impossible: return "impossible";
  }
  return {};
}

PreparedRun::PreparedRun(MechanismParts& parts, Assignments parameters, Assignments start, bool project,
                         const RunMethod& method)
    : parts_(parts), method_(method), parameters_(std::move(parameters)), start_(std::move(start)) {
  for (const FunctionInfo* function : parts.system().unknown_functions) {
    refuse(Status::bad_input, parts.name(), Problem::no_value,
           fmt::format("the function `{}` has no formula", function->name),
           fmt::format("write its formula behind it: `function {0}(s) = ...`{1}", function->name,
                       function->arity == 1 ? fmt::format(", of an input `input {} = ...`", function->name)
                                            : std::string()));
  }
  equations_ = &parts.equations();
  find_state(project);
  attempt([&] { prepare(); });
  require_push(state_.values);
}

void PreparedRun::begin_again(Assignments parameters, Assignments start, bool project) {
  parameters_ = std::move(parameters);
  start_ = std::move(start);
  find_state(project);
  attempt([&] { prepare_again(); });
  require_push(state_.values);
}

void PreparedRun::set_parameters(const DoublePoint& values) {
  for (const Parameter& parameter : parts_.system().parameters)
    if (const auto given = values.find(parameter.symbol); given != values.end())
      state_.values[parameter.symbol] = given->second;
  attempt([&] { prepare_again(); });
}

/// Nothing but what holds values of parameters.
void PreparedRun::prepare_again() {
  if (contacts_) return prepare();
  evaluator_->set_parameters(state_.values);
  observe_with_what_is_needed();
  prepare_method();
}

void PreparedRun::attempt(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    parts_.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts_.name(), error)}};
  }
  parts_.require_not_interrupted();
}

void PreparedRun::require_honoured_at(double t, std::span<const double> y) {
  DoublePoint state = state_.values;
  state[parts_.system().time] = t;
  const auto symbols = evaluator().symbols();
  for (std::size_t i = 0; i < symbols.size() && i < y.size(); ++i) state[symbols[i]] = y[i];
  require_no_violation(parts_, state, "--start");
  require_directions(parts_, state, "--start");
  require_push(state);
}

/// Where there are no rates, the run says why.
void PreparedRun::require_push(const DoublePoint& state) {
  if (parts_.system().contacts.empty()) return;
  const std::vector<double> y = evaluator().pack(state);
  std::vector<double> rates(y.size());
  if (!evaluator().rates(state.at(parts_.system().time), y.data(), rates.data())) return;
  std::vector<Message> pulls = pulling_contacts(parts_, equations_->names, evaluator().factors(), state);
  if (!pulls.empty()) throw Refused{Status::numerical_failure, std::move(pulls)};
}

double PreparedRun::begin() const {
  return state_.values.at(parts_.system().time);
}

void PreparedRun::find_state(bool project) {
  try {
    state_ = complete_state(*equations_, {.given = in_doubles(start_),
                                          .parameters = in_doubles(parameters_),
                                          .use_start = true,
                                          .project = project,
                                          .name_choices = true,
                                          .begins = true});
  } catch (const Error& error) {
    refuse(Status::numerical_failure, parts_.name(), Problem::no_value,
           fmt::format("the start has no value: {}", error.what()), "choose other parameters with --set");
  }
  require_state(parts_, state_, "--start", project);
  require_no_violation(parts_, state_.values, "--start");
  require_directions(parts_, state_.values, "--start");
  require_energy();
  std::vector<double> start;
  for (const auto* symbols : {&equations_->positions, &equations_->parameters})
    for (Expr symbol : *symbols) start.push_back(state_.values.at(symbol));
  tolerance_ = tolerance_for(method_.tolerance, start, size_of_relations(*equations_, state_.values));
}

/// Where T or V has no value the forces that are made of it have none, though their formulas may.
void PreparedRun::require_energy() const {
  const Expr energies[] = {parts_.system().kinetic, parts_.system().potential};
  const DoubleValues found = evaluate(energies, state_.values);
  if (found.status != EvaluationStatus::outside_domain && found.status != EvaluationStatus::not_finite)
    return;
  refuse(Status::numerical_failure, parts_.name(), Problem::no_value,
         fmt::format("the energy has no value at the start: {}", found.reason()),
         "choose another state with --start, or other parameters with --set");
}

void PreparedRun::prepare() {
  const bool by_steps = method_.integrator == method_for_contacts().name;
  if (!by_steps) parts_.require_written_out("--integrator", "only steps over impacts follow so many");
  if ((!parts_.system().unilaterals.empty() || !parts_.system().families.empty()) && by_steps) {
    contacts_ = std::make_unique<TimeSteppingRun>(
        parts_.algebra(), parts_.system(), state_.values, method_.step,
        EvaluatorOptions{.engine = method_.engine, .assembly = method_.assembly});
    contacts_->observations();
    return;
  }
  if (!parts_.system().unilaterals.empty()) {
    contacts_ = std::make_unique<ContactRun>(
        parts_.algebra(), parts_.system(), state_.values,
        MethodRequest{method_.integrator, tolerance_, method_.step, method_.engine, !method_.free_drift},
        EvaluatorOptions{.engine = method_.engine, .assembly = method_.assembly}, method_.contacts);
    contacts_->observations();  // an output that cannot be computed is refused before any work
    return;
  }
  if (method_.assembly == Assembly::closed_form || wants_short_equations()) parts_.motion();
  observe_with_what_is_needed();
  evaluator_ = std::make_unique<Evaluator>(
      *equations_, state_.values, EvaluatorOptions{method_.engine, method_.assembly, method_.parameters},
      parts_.motion_if_made());
  prepare_method();
}

void PreparedRun::prepare_method() {
  integrator_ =
      make_integrator({method_.integrator, tolerance_, method_.step, method_.engine, !method_.free_drift},
                      parts_.algebra(), parts_.system(), *evaluator_, state_.values);
}

SimulationResult PreparedRun::run(double t, std::vector<double> y, const SimulationOptions& options,
                                  const SimulationReceivers& receivers, const Checkpoint* resume) {
  require(!is_too_close(method_.step, t, options.until), "--step",
          "so many steps cannot be told apart in time: their length is less than the run divided by 2^53",
          "--step 0.001");
  require(!is_too_close(options.max_step, t, options.until), "--max-step",
          "so many steps cannot be told apart in time: their length is less than the run divided by 2^53",
          "--max-step 0.1");
  if (contacts_) return contacts_->run(t, std::move(y), options, receivers, resume);
  return simulate(*evaluator_, *integrator_, observations_, t, std::move(y), options, receivers, resume);
}

/// A Taylor series is as long as the square of its order times the equations: where closed forms come
/// quickly they are worth it.
bool PreparedRun::wants_short_equations() const {
  constexpr std::size_t most_directions = 6, most_relations = 3;
  return method_.integrator == "taylor" && method_.assembly == Assembly::automatic &&
         equations_->parameters.size() <= most_directions && equations_->relation_count <= most_relations &&
         !would_be_expanded(*equations_);
}

/// Outputs that speak of r, drive and the like need the closed form; others do not.
void PreparedRun::observe_with_what_is_needed() {
  const auto with = [&](const Motion* motion) {
    return observe(parts_.algebra(), *equations_, state_.values, method_.engine, motion);
  };
  try {
    observations_ = with(parts_.motion_if_made());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached || parts_.motion_if_made() != nullptr) throw;
    observations_ = with(&parts_.motion());
  }
  observe_work(parts_.algebra(), *equations_, state_.values, method_.engine, observations_);
  if (!parts_.system().unilaterals.empty() || !parts_.system().families.empty()) return;
  const AskedDrives asked = asked_drives(parts_);
  observe_drives(parts_.algebra(), *equations_, state_.values, method_.engine, parts_.motion_if_made(),
                 asked.drives, observations_);
  const Expr potential = potential_of_drives(parts_, *equations_, asked, state_.values);
  if (!potential.empty())
    observe_potential(parts_.algebra(), *equations_, state_.values, method_.engine, parts_.motion_if_made(),
                      potential, observations_);
}

std::string PreparedRun::key(double rows) const {
  std::string all =
      fmt::format("{}\n{} {} {}\n{:a} {:a} {:a} {:a} {}\n{} {} {} {} {}\n", parts_.source().text(),
                  method_.integrator, static_cast<int>(method_.engine), static_cast<int>(method_.assembly),
                  rows, method_.tolerance, method_.step, method_.max_step, method_.free_drift,
                  static_cast<int>(method_.contacts.law.value_or(ImpactLaw::energetic)),
                  method_.contacts.in_sequence, static_cast<int>(method_.contacts.on_indeterminate),
                  static_cast<int>(method_.contacts.on_impossible), method_.contacts.allows_gain);
  std::vector<std::string> values;
  for (const auto& [symbol, value] : state_.values)
    values.push_back(fmt::format("{} = {:a}\n", symbol.symbol().name, value));
  std::sort(values.begin(), values.end());
  for (const std::string& value : values) all += value;
  return fmt::format("{:016x}", hash_of_text(all));
}

}  // namespace liaison
