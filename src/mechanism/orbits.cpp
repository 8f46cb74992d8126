#include "liaison/mechanism/orbits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/sensitivity.hpp"
#include "liaison/simulate/relation_size.hpp"
#include "option_text.hpp"
#include "return_search.hpp"

namespace liaison {

namespace {

RunMethod method_of(double tolerance) {
  RunMethod method;
  method.tolerance = tolerance;
  method.parameters = ParameterUse::inputs;
  return method;
}

[[noreturn]] void refuse_use(const std::string& option, const std::string& text, const std::string& hint) {
  refuse(Status::bad_input, option, Problem::bad_usage, text, hint);
}

/// Nothing comes back where an event ends the motion.
MechanismParts& require_unending(MechanismParts& parts) {
  for (const Event& event : parts.system().events) {
    if (event.action != EventAction::stop) continue;
    refuse_use(parts.name(), fmt::format("the event `{}` ends the motion: nothing comes back", event.name),
               "leave the stop away, so that the event is only recorded");
  }
  return parts;
}

/// By resets of events, or by impacts.
bool has_jumps(const System& system) {
  return !system.unilaterals.empty() ||
         std::any_of(system.events.begin(), system.events.end(),
                     [](const Event& event) { return event.action == EventAction::reset; });
}

/// Where resets and impacts act, and what they put in.
std::vector<Expr> texts_of_jumps(const System& system) {
  std::vector<Expr> result;
  for (const Event& event : system.events) {
    if (event.action != EventAction::reset) continue;
    result.push_back(event.when);
    for (const InitialValue& reset : event.resets) result.push_back(reset.value);
  }
  for (const Unilateral& contact : system.unilaterals) {
    result.push_back(contact.gap());
    if (contact.restitution) result.push_back(*contact.restitution);
  }
  return result;
}

/// A contact that is not open at a state; empty: none.
std::string closed_at(const System& system, const Evaluator& evaluator, DoublePoint values, double t,
                      const std::vector<double>& y) {
  values[system.time] = t;
  const std::vector<Expr> symbols = evaluator.symbols();
  for (std::size_t i = 0; i < y.size(); ++i) values[symbols[i]] = y[i];
  for (const Unilateral& contact : system.unilaterals)
    if (evaluate(contact.gap(), values) <= 0) return contact.name;
  return {};
}

std::size_t place_of(const Evaluator& evaluator, const std::string& option, const std::string& name) {
  const std::size_t place = place_in_state(evaluator, name);
  if (place < evaluator.size()) return place;
  std::vector<std::string> known;
  for (Expr symbol : evaluator.symbols()) known.push_back(symbol.symbol().name);
  const auto near = nearest_name(name, known);
  refuse_use(option, fmt::format("`{}` is no value of the state", name),
             near ? fmt::format("did you mean `{}`?", *near) : "name coordinates or velocities");
}

}  // namespace

OrbitSearch::OrbitSearch(MechanismParts& parts, const Assignments& parameters, const Assignments& start,
                         bool project, double tolerance, std::vector<Expr> varied)
    : parts_(require_unending(parts)),
      parameters_(parameters),
      run_(parts, parameters, start, project, method_of(tolerance)),
      contacts_(deviations_of_contacts(parts, run_, varied)),
      perturbation_(equations(), evaluator(), run_.state().values, std::move(varied)) {}

const AssembledEquations& OrbitSearch::equations() const {
  return contacts_ ? contacts_->open().equations : run_.equations();
}
Evaluator& OrbitSearch::evaluator() {
  return contacts_ ? *contacts_->open().evaluator : run_.evaluator();
}

Expr OrbitSearch::energy() {
  const System& system = parts_.system();
  const Observations& observations = run_.observations();
  const bool is_kept = !observations.kept.empty() && observations.kept.front().expected && !has_jumps(system);
  if (!is_kept || !system.chart.parameters.empty()) return {};
  const AssembledEquations& equations = this->equations();
  const std::vector<Expr> momenta = gradient(system.kinetic, equations.parameters);
  Expr energy = system.potential - system.kinetic;
  for (std::size_t i = 0; i < momenta.size(); ++i) energy += momenta[i] * equations.parameters[i];
  return energy;
}

std::vector<bool> OrbitSearch::held_of(const OrbitOptions& options) {
  if (options.hold.empty()) return {};
  std::vector<bool> held(evaluator().size(), false);
  for (std::string_view part : parts_of(options.hold))
    held[place_of(evaluator(), "--hold", std::string(trimmed(part)))] = true;
  return held;
}

/// The events of the plain motion, for deviations beside it; empty where nothing jumps.
EventSource OrbitSearch::events(bool from_closed) {
  if (!has_jumps(parts_.system())) return {};
  return [this, from_closed](const DoublePoint& values, double t, const std::vector<double>& y, double until,
                             std::string& why) -> std::optional<std::vector<EventRecord>> {
    if (!take_parameters(values, why)) return std::nullopt;
    SimulationOptions options;
    options.until = until;
    options.every = 0;
    options.tolerance = run_.tolerance();
    SimulationResult motion = run_.run(t, y, options, {[](const Row&) { return true; }, {}});
    if (motion.outcome != SimulationOutcome::finished) {
      why = motion.message.empty() ? "the motion ends before" : motion.message;
      const std::string closed =
          t == run_.begin() ? closed_at(parts_.system(), evaluator(), values, t, y) : std::string();
      if (!closed.empty())
        why = fmt::format(
            "`{}` is not open at the time of the start, {:.9g}: choose another time, as with --start \"t = "
            "1\", at which contacts are open",
            closed, t);
      return std::nullopt;
    }
    if (const std::string name = reset_at(parts_.system(), motion.events, run_.begin());
        t == run_.begin() && !name.empty()) {
      why = fmt::format(
          "the event `{}` resets the state at the start, where motions beside it may have no "
          "reset: begin at another time, as with --start \"t = 1\"",
          name);
      return std::nullopt;
    }
    if (!contacts_) return std::move(motion.events);
    auto events = contacts_->events_of(motion, t, why);
    for (const EventRecord& event : events.value_or(std::vector<EventRecord>())) {
      const auto change = contacts_->change_of(event.event);
      if (from_closed || !change || change->kind != ContactDeviations::Kind::held) continue;
      why = fmt::format("`{}` is closed at the start: choose one where contacts are open",
                        contacts_->name(change->contact));
      return std::nullopt;
    }
    return events;
  };
}

bool OrbitSearch::take_parameters(const DoublePoint& values, std::string& why) {
  const std::vector<Expr>& varied = perturbation_.parameters();
  if (std::all_of(varied.begin(), varied.end(),
                  [&](Expr one) { return values.at(one) == run_.state().values.at(one); }))
    return true;
  try {
    run_.set_parameters(values);
  } catch (const Refused& refused) {
    why = refused.messages.empty() ? "the parameters have no motion" : refused.messages.front().text;
    return false;
  }
  return true;
}

/// The text of --period where the parameter that is followed has the value that it has in `values`.
double OrbitSearch::given_period(const std::string& text, const DoublePoint& values) {
  const System& system = parts_.system();
  Assignments known = parameters_;
  for (Expr varied : perturbation_.parameters()) {
    std::erase_if(known, [&](const Assignment& given) { return given.symbol == varied; });
    const double value = values.at(varied);
    known.push_back({varied, system.pool->number(Rational::from_double(value)), value});
  }
  return read_assignments(system, "--period", "t = " + text, Assignable::state, known).front().value;
}

DrivePeriod& OrbitSearch::drive_period() {
  if (!drive_period_)
    drive_period_.emplace(parts_.algebra(), equations(), run_.state().values, perturbation_.parameters(),
                          texts_of_jumps(parts_.system()));
  return *drive_period_;
}

OrbitRequest OrbitSearch::request_of(const OrbitOptions& options, std::string& period_from) {
  const System& system = parts_.system();
  OrbitRequest request;
  request.begin = run_.begin();
  request.y = evaluator().pack(run_.state().values);
  request.tolerance =
      tolerance_for(options.tolerance, request.y, size_of_relations(equations(), run_.state().values));
  request.interrupted = options.interrupted;
  request.autonomous = !holds_time(parts_.algebra(), equations(), run_.state().values,
                                   perturbation_.parameters(), texts_of_jumps(system));
  request.events = events(false);
  request.contacts = contacts_.get();
  request.fixed_period = !request.autonomous;
  if (!options.turns.empty()) {
    request.turns.assign(request.y.size(), 0);
    for (const Assignment& turn :
         read_assignments(system, "--turns", options.turns, Assignable::state, parameters_))
      request.turns[place_of(evaluator(), "--turns", turn.symbol.symbol().name)] = turn.value;
  }
  request.held = held_of(options);
  if (options.period) {
    request.period = given_period(*options.period, run_.state().values);
    request.given_period = !request.autonomous;
    if (!(request.period > 0)) refuse_use("--period", "a period is positive", "--period 2*pi");
    period_from = "given";
  } else if (!request.autonomous) {
    const auto drive = drive_period().at(run_.state().values);
    if (!drive)
      refuse_use(
          "--period", drive_period().reason(),
          "say the period, and by how much angles are larger after it: --period P --turns \"phi = 2*pi\"");
    request.period = *drive;
    period_from = "the drive";
  } else {
    const ReturnSearch::Motion motion{.equations = equations(),
                                      .evaluator = evaluator(),
                                      .perturbation = perturbation_,
                                      .values = run_.state().values,
                                      .begin = run_.begin(),
                                      .contacts = contacts_.get(),
                                      .events = request.events,
                                      .turns = request.turns};
    request.period = ReturnSearch(motion, parts_.name()).run(options.interrupted);
    period_from = "the start";
  }
  return request;
}

PeriodicOrbit OrbitSearch::search(const OrbitRequest& request) {
  return find_periodic_orbit(equations(), evaluator(), perturbation_, run_.state().values, request,
                             request.autonomous ? energy() : Expr(),
                             is_hamiltonian(equations()) && !has_jumps(parts_.system()));
}

OrbitAnswer OrbitSearch::find(const OrbitOptions& options) {
  OrbitAnswer answer;
  answer.chosen = run_.state().choices;
  for (Expr symbol : evaluator().symbols()) answer.state_names.push_back(symbol.symbol().name);
  answer.orbit = search(request_of(options, answer.period_from));
  return answer;
}

FollowedParameter read_followed(const System& system, const std::string& text,
                                const Assignments& parameters) {
  const std::size_t dots = text.find("..");
  const std::size_t equals = text.find('=');
  if (dots == std::string::npos || equals == std::string::npos || equals > dots)
    refuse_use("--follow", "a parameter is followed from one value to another", "--follow \"w = 4 .. 9\"");
  const std::string name(trimmed(std::string_view(text).substr(0, equals)));
  const auto value = [&](const std::string& part) {
    return read_assignments(system, "--follow", name + " = " + part, Assignable::parameters, parameters)
        .front();
  };
  // a unit behind one end is that of both
  std::string first = text.substr(equals + 1, dots - equals - 1), last = text.substr(dots + 2);
  const auto unit_in = [](const std::string& part) {
    const std::size_t open = part.find('[');
    return open == std::string::npos ? std::string() : " " + part.substr(open);
  };
  if (const std::string one = unit_in(first), two = unit_in(last); one.empty() != two.empty())
    (one.empty() ? first : last) += one + two;
  const Assignment from = value(first), to = value(last);
  if (from.value == to.value) refuse_use("--follow", "both ends are one", "--follow \"w = 4 .. 9\"");
  FollowedParameter result{from.symbol, from.value, to.value};
  // the unit that is written, or that of the declaration
  std::optional<Unit> unit;
  for (const Parameter& parameter : system.parameters)
    if (parameter.symbol == from.symbol) unit = parameter.unit;
  if (const std::size_t open = text.find('['), close = text.find(']', open);
      open != std::string::npos && close != std::string::npos)
    unit = parse_unit(std::string_view(text).substr(open + 1, close - open - 1));
  if (unit && unit->scale != Rational(1)) {
    result.unit = unit->text;
    result.scale = unit->scale.to_double();
  }
  return result;
}

/// A relation that asks for a velocity at every state leaves none at rest.
void OrbitSearch::require_rest_possible() {
  const AssembledEquations& equations = this->equations();
  Substitution at_rest;
  for (const Expr velocity : equations.parameters) at_rest.emplace(velocity, parts_.system().pool->number(0));
  for (std::size_t k = 0; k < equations.relation_count; ++k) {
    const Expr left = substitute(equations.relations[k], at_rest);
    const auto holds = [&](Expr position) { return depends_on(left, position); };
    if (std::any_of(equations.positions.begin(), equations.positions.end(), holds) ||
        depends_on(left, parts_.system().time) || evaluate(left, run_.state().values) == 0)
      continue;
    refuse_use(
        "--rest",
        fmt::format("`{}` asks for a motion at every state: nothing is at rest", equations.names[k]),
        "what is moved as a drive, as `rheonomic phi = w*t`, is no coordinate, and others rest beside it");
  }
}

BranchAnswer OrbitSearch::follow(const OrbitOptions& options, const FollowedParameter& over, bool rest) {
  if (rest && has_jumps(parts_.system()))
    refuse_use("--rest", "resets and contacts may end a rest: places of rest are not followed beside them",
               "without --rest periodic motions are followed across them");
  BranchAnswer answer;
  answer.chosen = run_.state().choices;
  for (Expr symbol : evaluator().symbols()) answer.state_names.push_back(symbol.symbol().name);
  BranchRequest request;
  request.rest = rest;
  request.from = over.from;
  request.to = over.to;
  std::string period_from;
  if (rest) {
    require_rest_possible();
    if (holds_time(parts_.algebra(), equations(), run_.state().values, perturbation_.parameters()))
      refuse_use("--rest", "the time enters the equations: what rests at one time moves at the next",
                 "a motion with the period of the drive is followed without --rest");
    request.orbit.begin = run_.begin();
    request.orbit.y = evaluator().pack(run_.state().values);
    request.orbit.period = 1;
    request.orbit.tolerance = tolerance_for(options.tolerance, request.orbit.y,
                                            size_of_relations(equations(), run_.state().values));
    request.orbit.held = held_of(options);
    if (!options.turns.empty())
      refuse_use("--turns", "a place of rest does not turn", "--turns is of periodic motions");
    if (options.period)
      refuse_use("--period", "a place of rest has no period", "--period is of periodic motions");
    request.orbit.interrupted = options.interrupted;
  } else {
    request.orbit = request_of(options, period_from);
    if (period_from == "the drive")
      request.period_of = [this](const DoublePoint& values) { return drive_period().at(values); };
    else if (request.orbit.given_period)
      request.period_of = [this, text = *options.period](const DoublePoint& values) {
        return std::optional(given_period(text, values));
      };
  }
  const Expr kept = request.orbit.autonomous && !rest ? energy() : Expr();
  // The search for one motion comes from farther away than the first step along a branch.
  if (const PeriodicOrbit first = rest ? PeriodicOrbit{} : search(request.orbit); first.found) {
    const std::vector<double> start = std::exchange(request.orbit.y, first.y);
    request.orbit.period = first.period;
    const bool has_no_unit = std::all_of(start.begin(), start.end(), [](double one) { return one == 0; });
    if (has_no_unit)
      request.orbit.tolerance =
          tolerance_for(options.tolerance, first.y, size_of_relations(equations(), run_.state().values));
  }
  answer.branches =
      follow_branches(equations(), evaluator(), perturbation_, run_.state().values, request, kept);
  return answer;
}

LyapunovExponents OrbitSearch::lyapunov(std::size_t count, double until, double tolerance,
                                        const std::function<bool()>& interrupted) {
  const std::vector<double> y = evaluator().pack(run_.state().values);
  const double interval = (until - run_.begin()) / 2000;
  return lyapunov_exponents(
      equations(), evaluator(), perturbation_, run_.state().values, {run_.begin(), y, {}}, count, interval,
      {.until = until,
       .every = 0,
       .tolerance = tolerance_for(tolerance, y, size_of_relations(equations(), run_.state().values)),
       .interrupted = interrupted,
       .contacts = contacts_.get()},
      events(true));
}

}  // namespace liaison
