#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "commands.hpp"
#include "contradiction.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "liaison/mechanics/state.hpp"
#include "liaison/model/kinematics.hpp"
#include "model_input.hpp"
#include "problems.hpp"
#include "state_problems.hpp"

namespace liaison::cli {

namespace {

/// x for the velocity x', u for a velocity parameter or rate u: the name of its acceleration in JSON.
std::string acceleration_name(Expr parameter) {
  std::string name = parameter.symbol().name;
  if (name.ends_with('\'')) name.pop_back();
  return name;
}

std::vector<Expr> state_symbols(const Motion& motion) {
  std::vector<Expr> result;
  for (const ScalarCoordinate& coordinate : motion.space.coframe->scalar_coordinates())
    result.push_back(coordinate.symbol);
  return result;
}

class Evaluation {
 public:
  Evaluation(const LoadedModel& model, const CompletedState& state, const StateValues& values)
      : model_(model), motion_(*model.motion), state_(state), values_(values) {}

  Json to_json() const {
    Json out{{"schema", 1}, {"system", model_.system->name}};
    out["state"] = Json::object();
    for (Expr symbol : state_symbols(motion_)) out["state"][symbol.symbol().name] = state_.values.at(symbol);
    out["parameters"] = Json::object();
    for (const Parameter& p : model_.system->parameters) {
      out["parameters"][p.symbol.symbol().name] = state_.values.at(p.symbol);
    }
    for (const auto& [symbol, by] : state_.moved) out["moved"][symbol.symbol().name] = by;
    if (!state_.choices.empty()) out["chosen"] = state_.choices;
    const StateMotion none;
    const StateMotion& first = values_.motions.empty() ? none : values_.motions.front();
    out["acceleration"] = accelerations(first);
    out["multiplier"] = multipliers(first);
    if (values_.motions.size() > 1) {
      out["motions"] = Json::array();
      for (const StateMotion& motion : values_.motions) {
        out["motions"].push_back(
            {{"acceleration", accelerations(motion)}, {"multiplier", multipliers(motion)}});
      }
    }
    for (const auto& direction : values_.open) {
      Json open = Json::object();
      for (std::size_t h = 0; h < direction.size(); ++h) open[motion_.constraints[h].name] = direction[h];
      out["undetermined"].push_back(open);
    }
    out["energy"] = {{"kinetic", values_.kinetic}, {"potential", values_.potential}};
    out["r"] = values_.r;
    out["constraints"] = Json::array();
    for (const ConstraintField& constraint : motion_.constraints)
      out["constraints"].push_back(constraint.name);
    out["drive"] = Json::object();
    out["residual"] = Json::object();
    for (std::size_t k = 0; k < motion_.relation_count; ++k) {
      out["drive"][motion_.constraints[k].name] = values_.drive[k];
      out["residual"][motion_.constraints[k].name] = values_.residual[k];
    }
    out["compatible"] = values_.compatible;
    out["kind"] = name_of(kind_of(values_));
    if (!values_.remark.empty()) out["remark"] = values_.remark;
    return out;
  }

  void print() const {
    if (!model_.system->name.empty()) fmt::print("{}\n\n", model_.system->name);
    print_state();
    fmt::print("  energy\n");
    print_rows({{"T", values_.kinetic, ""}, {"V", values_.potential, ""}});
    for (std::size_t i = 0; i < values_.motions.size(); ++i) print_motion(i);
    if (!values_.open.empty()) {
      fmt::print("  undetermined: any multiple may be added to the multipliers\n");
      for (const auto& direction : values_.open)
        fmt::print("    {}\n", combination(motion_, direction, "lambda"));
    }
    if (!motion_.constraints.empty()) print_constraints();
    if (!values_.remark.empty()) fmt::print("\n{}\n", values_.remark);
  }

 private:
  Json accelerations(const StateMotion& motion) const {
    Json out = Json::object();
    for (std::size_t a = 0; a < motion.acceleration.size(); ++a) {
      out[acceleration_name(motion_.space.parameters[a])] = motion.acceleration[a];
    }
    return out;
  }

  Json multipliers(const StateMotion& motion) const {
    Json out = Json::object();
    for (std::size_t h = 0; h < motion.factors.size(); ++h)
      out[motion_.constraints[h].name] = motion.factors[h];
    return out;
  }

  struct Row {
    std::string name;
    double value;
    std::string unit;
  };

  static std::string number(double value) { return fmt::format("{: .12g}", value == 0 ? 0.0 : value); }

  static void print_rows(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      const std::string value = number(row.value);
      if (row.unit.empty()) {
        fmt::print("    {:<16}{}\n", row.name, value);
      } else {
        fmt::print("    {:<16}{:<20} {}\n", row.name, value, row.unit);
      }
    }
  }

  /// "m", "m/s", "m/s^2" by the coordinate that a symbol of the state is or belongs to, "s" of the time;
  /// where the model gives units.
  std::string unit_of(Expr symbol, const std::string& per) const {
    for (const Direction& direction : model_.system->directions) {
      if (direction.unit && symbol == model_.system->time) return "s";
      const bool is_coordinate = direction.coordinate == symbol && per.empty();
      if (direction.unit && (is_coordinate || (direction.velocity == symbol && !per.empty())))
        return direction.unit->text + per;
    }
    return {};
  }

  void print_state() const {
    fmt::print("  state\n");
    std::vector<Row> rows;
    for (Expr symbol : state_symbols(motion_)) {
      const std::string unit = unit_of(symbol, "");
      rows.push_back(
          {to_infix(symbol), state_.values.at(symbol), unit.empty() ? unit_of(symbol, "/s") : unit});
    }
    print_rows(rows);
    for (const auto& [symbol, by] : state_.moved)
      fmt::print("    {} was moved by {:.6g}\n", to_infix(symbol), by);
    for (const std::string& choice : state_.choices) fmt::print("    note: {}\n", choice);
  }

  void print_motion(std::size_t i) const {
    const std::string which =
        values_.motions.size() > 1 ? fmt::format(", motion {} of {}", i + 1, values_.motions.size()) : "";
    const StateMotion& motion = values_.motions[i];
    fmt::print("  acceleration{}\n", which);
    std::vector<Row> accelerations;
    for (std::size_t a = 0; a < motion_.space.size(); ++a) {
      const Expr parameter = motion_.space.parameters[a];
      accelerations.push_back(
          {to_infix(acceleration_symbol(parameter)), motion.acceleration[a], unit_of(parameter, "/s^2")});
    }
    print_rows(accelerations);
    if (motion_.constraints.empty()) return;
    fmt::print("  multiplier{}\n", which);
    std::vector<Row> factors;
    for (std::size_t h = 0; h < motion_.constraints.size(); ++h)
      factors.push_back({motion_.constraints[h].name, motion.factors[h], ""});
    print_rows(factors);
  }

  void print_constraints() const {
    if (motion_.relation_count > 0) {
      fmt::print("  r (rows: forces, columns: relations)\n");
      for (std::size_t h = 0; h < values_.r.size(); ++h) {
        std::string line = fmt::format("    {:<16}", motion_.constraints[h].name);
        for (double entry : values_.r[h]) line += fmt::format("{:<20} ", number(entry));
        while (line.ends_with(' ')) line.pop_back();
        fmt::print("{}\n", line);
      }
    }
    fmt::print("  compatible: {}, {}\n", values_.compatible ? "yes" : "no", in_words(kind_of(values_)));
    if (motion_.relation_count == 0) return;
    fmt::print("  residual\n");
    for (std::size_t k = 0; k < motion_.relation_count; ++k)
      fmt::print("    {:<16}{}\n", motion_.constraints[k].name, fmt::format("{: .3g}", values_.residual[k]));
  }

  const LoadedModel& model_;
  const Motion& motion_;
  const CompletedState& state_;
  const StateValues& values_;
};

}  // namespace

namespace {

bool has_value(std::span<const Expr> es, const DoublePoint& point) {
  return evaluate(es, point).status == EvaluationStatus::ok;
}

std::vector<Expr> relations_of(const Motion& motion) {
  std::vector<Expr> relations;
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    relations.push_back(motion.constraints[k].relation);
    if (!motion.constraints[k].level.empty()) relations.push_back(motion.constraints[k].level);
  }
  return relations;
}

/// Nothing could be computed: what the state or the model lacks.
int explain_failure(const LoadedModel& model, const DoublePoint& state, const StateValues& values) {
  const Motion& motion = *model.motion;
  const Expr energies[] = {model.system->kinetic, model.system->potential};
  const bool massless = values.free_acceleration.empty() && has_value(energies, state) &&
                        has_value(motion.free.mass.entries, state) && has_value(motion.free.load, state);
  const bool implicit = std::any_of(motion.constraints.begin(), motion.constraints.end(),
                                    [](const ConstraintField& c) { return c.depends_on_factor; });
  if (massless) {
    report(model.path, Problem::singular_mass, values.failure, "choose another state with --at");
  } else if (implicit && motion.constraints.size() != motion.relation_count) {
    report(model.path, Problem::too_few_relations, values.failure,
           "give each reaction a relation, or keep lambda() out of the powers");
  } else {
    report(model.path, Problem::no_value, values.failure,
           model.system->unknown_functions.empty()
               ? "choose another state with --at, or other parameters with --set"
               : "an unknown function has no value: write its formula in its place");
  }
  return numerical_failure;
}

int explain_no_motion(const LoadedModel& model, const StateValues& values) {
  const Contradiction contradiction = find_contradiction(values);
  const bool named = contradiction.rate != 0 && model.motion->status != FactorStatus::implicit;
  report(model.path, Problem::no_motion,
         "no motion at this state: " + (named ? describe(*model.motion, contradiction) : values.remark),
         named ? "remove one of the constraints, or let its force act on what it keeps"
               : "choose another state with --at");
  return numerical_failure;
}

}  // namespace

int run_eval(const EvalOptions& options) {
  const auto model = load_model(options.model);
  if (!model) return bad_input;
  auto parameters = read_assignments(*model->system, "--set", options.set, Assignable::parameters);
  if (!parameters) return bad_input;
  auto given = read_assignments(*model->system, "--at", options.at, Assignable::everything, *parameters);
  if (!given) return bad_input;
  const Assignments also_set = take_parameters(*model->system, *given);
  parameters->insert(parameters->end(), also_set.begin(), also_set.end());
  const StateRequest request{.given = *given,
                             .parameters = *parameters,
                             .use_start = true,
                             .project = options.project,
                             .name_choices = true};
  CompletedState state;
  try {
    state = complete_state(*model->motion, request);
  } catch (const Error& error) {
    report(model->path, Problem::no_value, fmt::format("the start has no value: {}", error.what()),
           "choose other parameters with --set");
    return numerical_failure;
  }
  if (!state.ok()) return explain_state(*model, relations_of(*model->motion), state, "--at", options.project);
  const StateValues values = evaluate_state(*model->algebra, *model->motion, state.values);
  if (!values.failure.empty()) return explain_failure(*model, state.values, values);
  const Evaluation evaluation(*model, state, values);
  const Json results = evaluation.to_json();
  if (const auto place = first_not_finite(results)) {
    report(model->path, Problem::not_finite, fmt::format("`{}` is too large for a double", *place),
           "choose units in which it is smaller, or another state with --at");
    return numerical_failure;
  }
  if (options.json) {
    print_json(results);
  } else {
    evaluation.print();
  }
  return values.motions.empty() ? explain_no_motion(*model, values) : done;
}

}  // namespace liaison::cli
