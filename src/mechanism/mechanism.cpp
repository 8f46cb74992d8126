#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "diagnostics.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/liaison.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "liaison/mechanics/open_factors.hpp"
#include "liaison/mechanism/analyzed.hpp"
#include "liaison/mechanism/checked_claims.hpp"
#include "liaison/mechanism/derived_document.hpp"
#include "liaison/mechanism/evaluated_state.hpp"
#include "liaison/mechanism/prepared_run.hpp"
#include "liaison/model/matrix_names.hpp"
#include "liaison/report/analysis_page.hpp"
#include "liaison/simulate/trajectory_file.hpp"

namespace liaison {

namespace {

/// A double for a name, as a text that is read back to exactly that double.
std::string exact_text(const System& system, const std::string& place, const std::string& name,
                       double value) {
  if (!std::isfinite(value)) {
    refuse(Status::bad_input, place, Problem::not_finite,
           fmt::format("the value of `{}` is not finite", name), "give it a finite number");
  }
  Rational exact = Rational::from_double(value);
  for (const Parameter& parameter : system.parameters) {
    if (parameter.symbol.symbol().name == name && parameter.unit) exact = exact / parameter.unit->scale;
  }
  return fmt::format("{} = {}", name, exact.to_string());
}

Assignments read(const System& system, const std::string& place, const Values& values, Assignable assignable,
                 const Assignments& known = {}) {
  std::string text = values.text();
  for (const auto& [name, value] : values.numbers()) {
    if (!text.empty()) text += ", ";
    text += exact_text(system, place, name, value);
  }
  return read_assignments(system, place, text, assignable, known);
}

Values together(const Values& a, const Values& b) {
  Values result(a.text() + (a.text().empty() || b.text().empty() ? "" : ", ") + b.text());
  for (const Values* values : {&a, &b})
    for (const auto& [name, value] : values->numbers()) result.set(name, value);
  return result;
}

/// Runs what throws Refused, under a stop token.
template <class T, class Work>
Answer<T> answer(MechanismParts& parts, std::stop_token stop, const Work& work) {
  try {
    const MechanismParts::StopScope scope(parts, std::move(stop));
    return work();
  } catch (Refused& refused) {
    return std::move(refused);
  }
}

Evaluation plain(const EvaluatedState& evaluated) {
  const Motion& motion = *evaluated.motion;
  const StateValues& values = evaluated.values;
  Evaluation result;
  for (Expr symbol : state_symbols(motion))
    result.state.add(symbol.symbol().name, evaluated.state.values.at(symbol));
  for (const Parameter& parameter : motion.space.system->parameters)
    result.parameters.add(parameter.symbol.symbol().name, evaluated.state.values.at(parameter.symbol));
  result.chosen = evaluated.state.choices;
  for (const StateMotion& one : values.motions) {
    Evaluation::PossibleMotion& added = result.motions.emplace_back();
    for (std::size_t a = 0; a < one.acceleration.size(); ++a)
      added.acceleration.add(acceleration_name(motion.space.parameters[a]), one.acceleration[a]);
    for (std::size_t h = 0; h < one.factors.size(); ++h)
      added.multiplier.add(motion.constraints[h].name, one.factors[h]);
  }
  result.kinetic = values.kinetic;
  result.potential = values.potential;
  result.r = values.r;
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    result.drive.add(motion.constraints[k].name, values.drive[k]);
    result.residual.add(motion.constraints[k].name, values.residual[k]);
  }
  result.compatible = values.compatible;
  result.kind = name_of(kind_of(values));
  return result;
}

AnalyzedSystem plain(MechanismParts& parts, const Analysis& analysis, const std::string& format) {
  AnalyzedSystem result;
  result.text = render(analysis_page(parts.motion(), analysis), format);
  if (analysis.facts) result.degrees_of_freedom = analysis.facts->degrees_of_freedom;
  if (analysis.flag && analysis.flag->flag) result.growth_vector = analysis.flag->flag->growth;
  if (analysis.symmetries) {
    for (const Symmetry& symmetry : analysis.symmetries->fields)
      result.symmetries.push_back(to_infix(symmetry.field));
  }
  if (analysis.integrals) {
    for (const FirstIntegral& integral : analysis.integrals->found)
      result.first_integrals.push_back({to_infix(with_matrix_names(parts.system(), integral.expression)),
                                        describe(integral.verdict), integral.for_values});
  }
  return result;
}

CheckedClaim plain(const Source& source, const ClaimResult& result) {
  const std::string how = describe(result.verdict);
  return {.name = result.claim->name,
          .text = result.claim->text,
          .line = source.place(result.claim->span.begin).line,
          .status = word_for(result.verdict.grade),
          .passed = result.passed,
          .how = result.detail.empty() ? how : fmt::format("{} ({})", how, result.detail)};
}

/// What unilateral constraints did, by their names.
void add_contacts(const System& system, const SimulationResult& result, Trajectory& trajectory) {
  for (const ImpactRecord& impact : result.impacts) {
    Trajectory::Impact& added = trajectory.impacts.emplace_back();
    added.t = impact.t;
    added.energy = impact.energy;
    added.work = impact.work;
    added.loss = impact.loss;
    for (std::size_t i = 0; i < impact.contacts.size(); ++i)
      added.impulses.add(system.unilaterals[impact.contacts[i]].name, impact.impulses[i]);
  }
  for (const ContactSpan& span : result.contact_spans)
    trajectory.contacts.push_back({system.unilaterals[span.contact].name, span.begin, span.end, span.mode});
  trajectory.possible = result.possible;
}

/// The equations are those of a run, with rows for contacts; `system` is the model.
Trajectory plain(const System& system, const AssembledEquations& equations, const SimulationResult& result) {
  Trajectory trajectory;
  trajectory.outcome = name_of(result.outcome);
  trajectory.message = result.message;
  trajectory.t = result.t;
  trajectory.steps = result.steps;
  std::size_t i = 0;
  for (const auto* part : {&equations.positions, &equations.parameters}) {
    for (Expr symbol : *part) trajectory.final_state.add(symbol.symbol().name, result.y[i++]);
  }
  trajectory.notes = result.notes;
  if (!result.sampled.empty()) trajectory.notes.push_back(result.sampled);
  for (const EventRecord& event : result.events)
    trajectory.events.push_back({event.t, equations.system->events[event.event].name, event.touches});
  add_contacts(system, result, trajectory);
  for (const PassedSingularity& one : result.passed) trajectory.passed.emplace_back(one.t, one.what);
  if (!result.open.empty()) {
    const OpenFactors open = describe_open(result.open);
    for (std::size_t h : open.factors) trajectory.undetermined.push_back(equations.names[h]);
    for (const auto& weights : open.determined)
      trajectory.determined.push_back(combination_of_factors(weights, equations.names));
  }
  for (const Monitor& monitor : result.monitors) {
    if (monitor.resets > 0) {
      trajectory.changed.add(monitor.name, monitor.by_resets);
    } else if (monitor.expected) {
      trajectory.kept.add(monitor.name, monitor.digits());
    }
  }
  return trajectory;
}

Status status_of(SimulationOutcome outcome) {
  switch (outcome) {
    case SimulationOutcome::finished:
    case SimulationOutcome::event: return Status::done;
    case SimulationOutcome::interrupted: return Status::interrupted;
    default: return Status::numerical_failure;
  }
}

RunMethod method_of(const SimulateRequest& request, ParameterUse parameters) {
  RunMethod method;
  method.integrator = request.integrator;
  method.tolerance = request.tolerance;
  method.step = request.step;
  method.max_step = request.max_step;
  method.parameters = parameters;
  require_method(method);
  return method;
}

Answer<Trajectory> follow(MechanismParts& parts, PreparedRun& run, const SimulateRequest& request) {
  require_times(run.begin(), request.until, request.every);
  std::vector<std::vector<double>> rows;
  const SimulationReceivers receivers{[&](const Row& row) {
                                        rows.push_back(trajectory_values(run.equations(), row));
                                        return !request.row || request.row(rows.back());
                                      },
                                      [&](const RunningSimulation&) { return !parts.is_interrupted(); }};
  const SimulationResult result = run.run(run.begin(), run.evaluator().pack(run.state().values),
                                          {.until = request.until,
                                           .every = request.every,
                                           .tolerance = run.tolerance(),
                                           .max_step = request.max_step,
                                           .max_steps = request.max_steps},
                                          receivers);
  Trajectory trajectory = plain(parts.system(), run.equations(), result);
  trajectory.chosen = run.state().choices;
  trajectory.columns = trajectory_columns(run.equations(), run.observations());
  trajectory.rows = std::move(rows);
  const Status status = status_of(result.outcome);
  std::vector<Message> messages;
  if (status == Status::numerical_failure)
    messages.push_back({parts.name(), code_of(Problem::run_stopped), result.message, ""});
  return {std::move(trajectory), status, std::move(messages)};
}

}  // namespace

double Numbers::operator[](const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& [known, value] : all_) {
    if (known == name) return value;
    names.push_back(known);
  }
  throw std::out_of_range(fmt::format("there is no `{}`; there are {}", name, fmt::join(names, ", ")));
}

std::vector<double> Trajectory::operator[](const std::string& column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) {
    throw std::out_of_range(
        fmt::format("there is no column `{}`; there are {}", column, fmt::join(columns, ", ")));
  }
  std::vector<double> values;
  for (const std::vector<double>& row : rows)
    values.push_back(row[static_cast<std::size_t>(found - columns.begin())]);
  return values;
}

Mechanism::Mechanism(std::unique_ptr<MechanismParts> parts) : parts_(std::move(parts)) {}
Mechanism::Mechanism(Mechanism&&) noexcept = default;
Mechanism& Mechanism::operator=(Mechanism&&) noexcept = default;
Mechanism::~Mechanism() = default;

MechanismParts& Mechanism::owned() const {
  if (!parts_) throw std::logic_error("this mechanism was moved from: ask the one that it was moved to");
  return *parts_;
}

Answer<Mechanism> Mechanism::from_file(const std::string& path) {
  try {
    return Mechanism(MechanismParts::from_file(path));
  } catch (Refused& refused) {
    return std::move(refused);
  }
}

Answer<Mechanism> Mechanism::from_text(std::string text, std::string name) {
  try {
    return Mechanism(std::make_unique<MechanismParts>(std::move(name), std::move(text)));
  } catch (Refused& refused) {
    return std::move(refused);
  }
}

const std::string& Mechanism::name() const {
  return owned().system().name;
}

Answer<ParameterValues> Mechanism::parameters(const Values& values) const {
  return answer<ParameterValues>(owned(), {}, [&]() -> Answer<ParameterValues> {
    const System& system = owned().system();
    const Assignments given = read(system, "parameters", values, Assignable::parameters);
    ParameterValues result;
    for (const Parameter& parameter : system.parameters) {
      ParameterValue& added = result.emplace_back();
      added.name = parameter.symbol.symbol().name;
      if (parameter.unit) added.unit = parameter.unit->text;
      if (parameter.value) {
        added.exact = to_infix(parameter.exact());
        added.value = parameter.value->to_double();
      }
      const auto other = std::find_if(given.begin(), given.end(), [&](const Assignment& assignment) {
        return assignment.symbol == parameter.symbol;
      });
      if (other == given.end()) continue;
      added.exact = to_infix(other->exact);
      added.value = other->value;
    }
    return result;
  });
}

Answer<Derivation> Mechanism::derive(const DeriveRequest& request, std::stop_token stop) {
  return answer<Derivation>(owned(), std::move(stop), [&]() -> Answer<Derivation> {
    require_format(request.format);
    const DerivedDocument derived = derive_document(owned(), formulations_named(request.formulation));
    Derivation result{.text = render(derived.document, request.format), .roads = {}};
    for (const auto& [road, agreement] : derived.roads) {
      result.roads.push_back({.name = name_of(road.formulation),
                              .applicable = road.applicable,
                              .agrees = road.applicable && agreement.holds(),
                              .how = road.applicable ? describe(agreement) : road.reason});
    }
    const Status status = derived.interrupted ? Status::interrupted
                          : derived.agree     ? Status::done
                                              : Status::does_not_hold;
    return {std::move(result), status};
  });
}

Answer<AnalyzedSystem> Mechanism::analyze(const AnalyzeRequest& request, std::stop_token stop) {
  return answer<AnalyzedSystem>(owned(), std::move(stop), [&]() -> Answer<AnalyzedSystem> {
    require_format(request.format);
    AnalysisOptions options;
    options.parts = analysis_parts_named(request.only);
    options.degree = request.degree;
    options.budget = request.budget;
    const Analysis analysis = analyze_parts(owned(), options);
    return {plain(owned(), analysis, request.format),
            analysis.interrupted ? Status::interrupted : Status::done};
  });
}

Answer<Evaluation> Mechanism::evaluate(const EvaluateRequest& request, std::stop_token stop) {
  return answer<Evaluation>(owned(), std::move(stop), [&]() -> Answer<Evaluation> {
    const System& system = owned().system();
    GivenState given;
    given.parameters = read(system, "parameters", request.parameters, Assignable::parameters);
    given.project = request.project;
    given.state = read(system, "at", request.at, Assignable::state, given.parameters);
    EvaluatedState evaluated = evaluate_at(owned(), given);
    const Status status = evaluated.no_motion.empty() ? Status::done : Status::numerical_failure;
    return {plain(evaluated), status, std::move(evaluated.no_motion)};
  });
}

Answer<std::vector<CheckedClaim>> Mechanism::check(const CheckRequest& request, std::stop_token stop) {
  using Claims = std::vector<CheckedClaim>;
  return answer<Claims>(owned(), std::move(stop), [&]() -> Answer<Claims> {
    Claims claims;
    Status status = Status::done;
    try {
      check_claims(owned(), request.budget, [&](const ClaimResult& result) {
        claims.push_back(plain(owned().source(), result));
        if (!result.passed) status = Status::does_not_hold;
        if (request.claim) request.claim(claims.back());
      });
    } catch (const Refused& refused) {
      if (refused.status != Status::interrupted) throw;
      status = Status::interrupted;
    }
    return {std::move(claims), status};
  });
}

Answer<Trajectory> Mechanism::simulate(const SimulateRequest& request, std::stop_token stop) {
  return answer<Trajectory>(owned(), std::move(stop), [&] {
    const RunMethod method = method_of(request, ParameterUse::folded);
    const System& system = owned().system();
    Assignments parameters = read(system, "parameters", request.parameters, Assignable::parameters);
    Assignments start = read(system, "start", request.start, Assignable::state, parameters);
    PreparedRun run(owned(), std::move(parameters), std::move(start), request.project, method);
    return follow(owned(), run, request);
  });
}

Answer<std::vector<Trajectory>> Mechanism::sweep(const SimulateRequest& request,
                                                 const std::vector<Values>& parameters,
                                                 std::stop_token stop) {
  using All = std::vector<Trajectory>;
  return answer<All>(owned(), std::move(stop), [&]() -> Answer<All> {
    const RunMethod method = method_of(request, ParameterUse::inputs);
    const System& system = owned().system();
    std::optional<PreparedRun> run;
    All all;
    Status status = Status::done;
    std::vector<Message> messages;
    std::size_t refusals = 0;
    for (std::size_t i = 0; i < parameters.size() && status != Status::interrupted; ++i) {
      const std::string place = fmt::format("parameters[{}]", i);
      try {
        Assignments values =
            read(system, place, together(request.parameters, parameters[i]), Assignable::parameters);
        Assignments start = read(system, "start", request.start, Assignable::state, values);
        if (run) {
          run->begin_again(std::move(values), std::move(start), request.project);
        } else {
          run.emplace(owned(), std::move(values), std::move(start), request.project, method);
        }
        Answer<Trajectory> one = follow(owned(), *run, request);
        if (one.status() != Status::done) status = one.status();
        for (const Message& message : one.messages()) messages.push_back(message);
        all.push_back(std::move(*one));
      } catch (Refused& refused) {
        status = refused.status;
        if (status == Status::interrupted) break;
        ++refusals;
        Trajectory& none = all.emplace_back();
        none.outcome = "refused";
        none.message = to_string(refused.messages);
        for (Message& message : refused.messages) {
          if (!message.place.starts_with(place)) message.place = place + ": " + message.place;
          messages.push_back(std::move(message));
        }
      }
    }
    if (refusals > 0 && refusals == all.size()) throw Refused{status, std::move(messages)};
    return {std::move(all), status, std::move(messages)};
  });
}

}  // namespace liaison
