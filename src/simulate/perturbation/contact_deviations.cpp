#include "liaison/simulate/contact_deviations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "liaison/expr/error.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "simulate/contacts/contact_modes.hpp"
#include "simulate/perturbation/balanced_solve.hpp"
#include "simulate/perturbation/compiled_event.hpp"
#include "simulate/perturbation/index.hpp"
#include "simulate/perturbation/sided_inputs.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kinds = 4;
const char* const words[kinds] = {"is closed", "bounces", "closes", "opens"};

/// Rows of an impact in (t, y, parameters; du, impulses), which stand in the places of u' and the factors.
struct CompiledImpact {
  std::size_t inputs = 0, first_unknown = 0;  ///< inputs: without those of sides
  std::vector<Expr> written;
  SidedInputs sided;
  Runner rows;
  CompiledMatrix by_unknowns, by_state;
  Runner restitution;
  std::string failure;
};

}  // namespace

struct ContactDeviations::Implementation {
  Implementation(Algebra& algebra_in, const System& system, const DoublePoint& values_in,
                 std::vector<Expr> varied_in)
      : algebra(algebra_in),
        modes(system, values_in),
        values(values_in),
        varied(std::move(varied_in)),
        model_events(system.events) {
    for (std::size_t c = 0; c < modes.size(); ++c) {
      const ContactLaw& law = modes.laws()[c];
      const auto refuse = [&](const char* what, const char* hint) {
        throw Error(
            ErrorCode::missing_value,
            fmt::format("deviations are not followed across impacts of `{}`: {}", modes.name(c), what), hint);
      };
      if (!law.resistances.empty())
        refuse("it has friction", "without friction, or with the coefficient 0, they are");
      if (!law.held.holonomic)
        refuse("it is a relation between velocities",
               "a gap between positions has impacts that are followed");
      if (law.held.power_kind != PowerKind::ideal)
        refuse("its force has a power that is written", "the force of an ideal contact is along its normal");
    }
  }

  Mode& at(const Closed& closed) {
    auto found = known.find(closed);
    if (found != known.end()) return *found->second;
    ContactHolds holds(modes.size());
    for (const std::size_t c : closed) holds[c].kind = ContactHold::Kind::closed;
    auto mode = std::make_unique<Mode>();
    ContactModes::Mode made = modes.mode(holds);
    mode->system = std::move(made.system);
    std::vector<Event>& events = mode->system.events;
    events.resize(model_events.size());
    for (std::size_t i = 0; i < events.size(); ++i) events[i].action = model_events[i].action;
    for (std::size_t c = 0; c < modes.size(); ++c) {
      const Constraint& held = modes.laws()[c].held;
      mode->gaps.push_back(held.relation);
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        const bool opens = static_cast<Kind>(kind) == Kind::opens;
        events.push_back({.name = fmt::format("{} {}", held.name, words[kind]),
                          .when = opens ? held.factor : held.relation,
                          .direction = EventDirection::falling,
                          .action = EventAction::reset,
                          .resets = {},
                          .span = held.span});
      }
    }
    mode->equations = assemble_equations(algebra, mode->system);
    EvaluatorOptions options;
    options.parameters = ParameterUse::inputs;
    mode->evaluator = std::make_unique<Evaluator>(mode->equations, values, options);
    mode->perturbation =
        std::make_unique<PerturbationEquations>(mode->equations, *mode->evaluator, values, varied);
    return *known.emplace(closed, std::move(mode)).first->second;
  }

  CompiledImpact compile_impact(const Closed& closed, std::size_t contact) {
    Closed all = closed;
    all.insert(contact);
    const AssembledEquations& equations = at(all).equations;
    const System& system = *equations.system;
    Pool& pool = *system.pool;
    CompiledImpact result;
    const auto is_fixed = [&](const SparseMatrix& matrix) {
      return std::none_of(matrix.entries.begin(), matrix.entries.end(), [&](const SparseEntry& entry) {
        const auto holds = [&](Expr symbol) { return depends_on(entry.value, symbol); };
        return std::any_of(equations.parameters.begin(), equations.parameters.end(), holds) ||
               std::any_of(equations.factors.begin(), equations.factors.end(), holds);
      });
    };
    if (!is_fixed(equations.mass) || !is_fixed(equations.directions) || !is_fixed(equations.gradients)) {
      result.failure = fmt::format(
          "at an impact of `{}` masses or directions of forces depend on velocities or on forces: deviations "
          "have no rule there",
          modes.name(contact));
      return result;
    }
    const std::vector<Expr> plain = inputs_of(equations);
    const std::size_t n = equations.parameters.size();
    result.inputs = plain.size();
    result.first_unknown = plain.size() - n - equations.factors.size();
    std::vector<Expr> unknowns(plain.begin() + static_cast<std::ptrdiff_t>(result.first_unknown),
                               plain.end());
    const Expr e = modes.unilateral(contact).restitution.value_or(pool.number(0));
    std::vector<std::vector<Expr>> terms(n + equations.relation_count);
    for (const SparseEntry& entry : equations.mass.entries)
      terms[entry.row].push_back(entry.value * unknowns[entry.column]);
    for (const SparseEntry& entry : equations.directions.entries)
      terms[entry.column].push_back(-(unknowns[n + entry.row] * entry.value));
    for (const SparseEntry& entry : equations.gradients.entries)
      terms[n + entry.row].push_back(entry.value * unknowns[entry.column]);
    for (std::size_t k = 0; k < equations.relation_count; ++k) {
      const bool is_hit = equations.factors[k] == modes.laws()[contact].held.factor;
      terms[n + k].push_back(is_hit ? (pool.number(1) + e) * equations.relations[k] : equations.relations[k]);
    }
    std::vector<Expr> rows;
    for (const auto& row : terms) rows.push_back(pool.add(row));
    std::vector<Expr> by = equations.positions;
    by.insert(by.end(), equations.parameters.begin(), equations.parameters.end());
    by.insert(by.end(), varied.begin(), varied.end());
    by.push_back(system.time);
    result.written = rows;
    result.written.push_back(e);
    result.sided.hold(rows);
    const Expr one[] = {result.sided.hold(e)};
    const std::vector<Expr>& inputs = result.sided.compile(plain);
    result.rows = Runner(inputs, rows, Engine::interpreted);
    result.by_unknowns = CompiledMatrix(rows, unknowns, inputs, Engine::interpreted);
    result.by_state = CompiledMatrix(rows, by, inputs, Engine::interpreted);
    result.restitution = Runner(inputs, one, Engine::interpreted);
    return result;
  }

  Algebra& algebra;
  ContactModes modes;
  DoublePoint values;
  std::vector<Expr> varied;
  std::vector<Event> model_events;
  std::map<Closed, std::unique_ptr<Mode>> known;
  std::map<std::pair<Closed, std::size_t>, CompiledImpact> impacts;

  CompiledImpact& compiled_impact(const Closed& closed, std::size_t contact) {
    auto found = impacts.find({closed, contact});
    if (found == impacts.end())
      found = impacts.emplace(std::pair(closed, contact), compile_impact(closed, contact)).first;
    return found->second;
  }
};

ContactDeviations::ContactDeviations(Algebra& algebra, const System& system, const DoublePoint& values,
                                     std::vector<Expr> varied)
    : implementation_(std::make_unique<Implementation>(algebra, system, values, std::move(varied))) {}
ContactDeviations::~ContactDeviations() = default;

ContactDeviations::Mode& ContactDeviations::at(const Closed& closed) {
  return implementation_->at(closed);
}

std::optional<ContactDeviations::Change> ContactDeviations::change_of(std::size_t event) const {
  const std::size_t first = implementation_->model_events.size();
  if (event < first) return std::nullopt;
  return Change{static_cast<Kind>((event - first) % kinds), (event - first) / kinds};
}

std::size_t ContactDeviations::event_of(const Change& change) const {
  return implementation_->model_events.size() + change.contact * kinds +
         static_cast<std::size_t>(change.kind);
}

const std::string& ContactDeviations::name(std::size_t contact) const {
  return implementation_->modes.name(contact);
}

std::optional<std::vector<EventRecord>> ContactDeviations::events_of(const SimulationResult& run,
                                                                     double begin, std::string& why) const {
  std::vector<EventRecord> events = run.events;
  const auto refuse = [&](double t, const std::string& what) {
    why = fmt::format("at t = {:.15g}: {}: deviations have no rule there", t, what);
    return std::nullopt;
  };
  const auto add = [&](double t, Kind kind, std::size_t contact) {
    EventRecord record;
    record.t = t;
    record.event = event_of({kind, contact});
    events.push_back(record);
  };
  for (const Accumulation& one : run.accumulations)
    return refuse(one.t, fmt::format("infinitely many impacts of `{}` come to an end", name(one.contact)));
  std::set<std::pair<double, std::size_t>> hits, used;
  for (const ImpactRecord& impact : run.impacts) {
    std::vector<std::size_t> pressed;
    for (std::size_t i = 0; i < impact.contacts.size(); ++i)
      if (impact.impulses[i] != 0) pressed.push_back(impact.contacts[i]);
    if (pressed.size() > 1)
      return refuse(impact.t, fmt::format("the impact is one of several contacts at once, {}",
                                          implementation_->modes.names_of(pressed)));
    if (pressed.empty()) continue;
    if (impact.t <= begin)
      return refuse(impact.t, fmt::format("`{}` collides at the start", name(pressed[0])));
    if (!hits.emplace(impact.t, pressed[0]).second)
      return refuse(impact.t, fmt::format("`{}` collides several times at once", name(pressed[0])));
  }
  std::map<std::size_t, const ContactSpan*> last;
  for (const ContactSpan& span : run.contact_spans) {
    if (span.mode != "open" && span.mode != "closed")
      return refuse(span.begin, fmt::format("`{}` {}", name(span.contact), span.mode));
    const ContactSpan* before = std::exchange(last[span.contact], &span);
    if (before == nullptr) {
      if (span.mode == "closed") add(begin, Kind::held, span.contact);
      continue;
    }
    if (span.mode == before->mode) continue;
    const bool is_hit = hits.contains({span.begin, span.contact});
    if (span.mode == "open") {
      if (is_hit) return refuse(span.begin, fmt::format("`{}` is hit and opens", name(span.contact)));
      add(span.begin, Kind::opens, span.contact);
      continue;
    }
    if (!is_hit) return refuse(span.begin, fmt::format("`{}` closes without an impact", name(span.contact)));
    used.emplace(span.begin, span.contact);
    add(span.begin, Kind::stays, span.contact);
  }
  for (const auto& [t, contact] : hits)
    if (!used.contains({t, contact})) add(t, Kind::bounces, contact);
  std::stable_sort(events.begin(), events.end(),
                   [](const EventRecord& a, const EventRecord& b) { return a.t < b.t; });
  return events;
}

const std::vector<Expr>& ContactDeviations::impact_expressions(const Closed& closed, std::size_t contact) {
  return implementation_->compiled_impact(closed, contact).written;
}

ContactDeviations::Impact ContactDeviations::impact(const Closed& closed, std::size_t contact,
                                                    const DoublePoint& values, double t,
                                                    const std::vector<double>& y,
                                                    const std::unordered_map<Expr, int>& sides) {
  CompiledImpact& compiled = implementation_->compiled_impact(closed, contact);
  Impact result;
  result.failure = compiled.failure;
  if (!result.failure.empty()) return result;
  const Mode& mode = implementation_->at(closed);
  std::vector<double> in{t};
  in.insert(in.end(), y.begin(), y.end());
  for (const Parameter& parameter : mode.system.parameters) in.push_back(values.at(parameter.symbol));
  in.resize(compiled.inputs);  // nothing has jumped
  in = compiled.sided.with_sides(std::move(in), sides);
  const double* rows = compiled.rows(in.data());
  const VectorXd left = Eigen::Map<const VectorXd>(rows, compiled.by_unknowns.values.rows());
  result.restitution = *compiled.restitution(in.data());
  if (!left.allFinite() || !compiled.by_unknowns.evaluate(in.data())) {
    result.failure = fmt::format("the impact of `{}` has no value there", name(contact));
    return result;
  }
  const MatrixXd a = compiled.by_unknowns.values;
  BalancedSolve solver;
  MatrixXd z, slopes;
  bool is_solved = solver.solve(a, -left, z);
  if (is_solved)
    std::copy_n(z.data(), z.size(), in.begin() + static_cast<std::ptrdiff_t>(compiled.first_unknown));
  is_solved = is_solved && compiled.by_state.evaluate(in.data()) &&
              solver.solve(a, -compiled.by_state.values, slopes);
  if (!is_solved) {
    result.failure = fmt::format("the impact of `{}` has no derivative there", name(contact));
    return result;
  }
  const Index n = index(mode.equations.parameters.size());
  for (Index i = 0; i < n; ++i) {
    result.change.push_back(z(i, 0));
    for (Index j = 0; j < slopes.cols(); ++j) result.derivatives.push_back(slopes(i, j));
  }
  return result;
}

}  // namespace liaison
