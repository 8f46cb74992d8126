#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanics/state.hpp"
#include "liaison/model/kinematics.hpp"
#include "model_input.hpp"

namespace liaison::cli {

namespace {

using Json = nlohmann::ordered_json;

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
    if (!values_.remark.empty()) out["remark"] = values_.remark;
    return out;
  }

  void print() const {
    fmt::print("{}\n\n", model_.system->name);
    section("state");
    for (Expr symbol : state_symbols(motion_)) row(symbol, state_.values.at(symbol));
    for (const auto& [symbol, by] : state_.moved)
      fmt::print("    {} was moved by {:.6g}\n", to_unicode(symbol), by);
    section("energy");
    fmt::print("    {:<14} {:>22.15g}\n    {:<14} {:>22.15g}\n", "T", values_.kinetic, "V",
               values_.potential);
    for (std::size_t i = 0; i < values_.motions.size(); ++i) {
      const std::string which =
          values_.motions.size() > 1 ? fmt::format(", motion {} of {}", i + 1, values_.motions.size()) : "";
      section("acceleration" + which);
      for (std::size_t a = 0; a < motion_.space.size(); ++a) {
        row(acceleration_symbol(motion_.space.parameters[a]), values_.motions[i].acceleration[a]);
      }
      if (motion_.constraints.empty()) continue;
      section("multiplier" + which);
      for (std::size_t h = 0; h < motion_.constraints.size(); ++h) {
        fmt::print("    {:<14} {:>22.15g}\n", motion_.constraints[h].name, values_.motions[i].factors[h]);
      }
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

  static void section(const std::string& title) { fmt::print("  {}\n", title); }
  static void row(Expr symbol, double value) {
    const std::string name = to_infix(symbol);
    fmt::print("    {:<14} {:>22.15g}\n", name, value == 0 ? 0.0 : value);
  }

  void print_constraints() const {
    section("r (rows: forces, columns: relations)");
    for (std::size_t h = 0; h < values_.r.size(); ++h) {
      fmt::print("    {:<14}", motion_.constraints[h].name);
      for (double entry : values_.r[h]) fmt::print(" {:>22.15g}", entry == 0 ? 0.0 : entry);
      fmt::print("\n");
    }
    section(fmt::format("compatible: {}", values_.compatible ? "yes" : "no"));
    section("residual");
    for (std::size_t k = 0; k < motion_.relation_count; ++k) {
      fmt::print("    {:<14} {:>22.3g}\n", motion_.constraints[k].name, values_.residual[k]);
    }
  }

  const LoadedModel& model_;
  const Motion& motion_;
  const CompletedState& state_;
  const StateValues& values_;
};

}  // namespace

int run_eval(const EvalOptions& options) {
  const auto model = load_model(options.model);
  if (!model) return bad_input;
  StateRequest request;
  request.project = options.project;
  const auto parameters = read_assignments(*model->system, "--set", options.set, true);
  const auto given = read_assignments(*model->system, "--at", options.at, false);
  if (!parameters || !given) return bad_input;
  request.parameters = *parameters;
  request.given = *given;
  const CompletedState state = complete_state(*model->motion, request);
  if (!state.ok()) {
    for (const StateProblem& problem : state.problems) {
      const bool parameter = problem.constraint.empty();
      fmt::print(
          stderr, "{}: error: {}\n   hint: {}\n", model->path, problem.message,
          parameter
              ? "--set \"NAME = VALUE\" gives one"
              : "change the state, or let --project move it onto the constraints, least in the mass metric");
    }
    return bad_input;
  }
  const StateValues values = evaluate_state(*model->algebra, *model->motion, state.values);
  if (!values.failure.empty()) {
    fmt::print(stderr, "{}: error: {}\n   hint: choose another state with --at\n", model->path,
               values.failure);
    return numerical_failure;
  }
  const Evaluation evaluation(*model, state, values);
  if (options.json) {
    fmt::print("{}\n", evaluation.to_json().dump(2));
  } else {
    evaluation.print();
  }
  if (!values.motions.empty()) return done;
  fmt::print(stderr, "{}: error: no motion at this state: {}\n", model->path, values.remark);
  return numerical_failure;
}

}  // namespace liaison::cli
