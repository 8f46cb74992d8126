#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "liaison/mechanics/open_factors.hpp"
#include "liaison/mechanism/contradiction.hpp"
#include "liaison/mechanism/evaluated_state.hpp"
#include "liaison/model/dimension_of.hpp"
#include "liaison/model/kinematics.hpp"
#include "model_file.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

class Evaluation {
 public:
  Evaluation(const MechanismParts& parts, const EvaluatedState& evaluated)
      : system_(parts.system()),
        motion_(*evaluated.motion),
        state_(evaluated.state),
        values_(evaluated.values) {}

  Json to_json() const {
    Json out{{"schema", 1}, {"system", system_.name}};
    out["state"] = Json::object();
    for (Expr symbol : state_symbols(motion_)) out["state"][symbol.symbol().name] = state_.values.at(symbol);
    out["parameters"] = Json::object();
    for (const Parameter& p : system_.parameters) {
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
    for (const auto& [text, value] : determined_combinations())
      out["determined"].push_back({{"combination", text}, {"value", value}});
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
    if (!system_.name.empty()) fmt::print("{}\n\n", system_.name);
    print_state();
    fmt::print("  energy\n");
    const std::string unit = has_units(system_) ? "J" : "";
    print_rows({{"T", values_.kinetic, unit}, {"V", values_.potential, unit}});
    for (std::size_t i = 0; i < values_.motions.size(); ++i) print_motion(i);
    if (!values_.open.empty()) {
      fmt::print("  undetermined: any multiple may be added to the multipliers\n");
      for (const auto& direction : values_.open)
        fmt::print("    {}\n", combination(motion_, direction, "lambda"));
      const auto determined = determined_combinations();
      if (!determined.empty()) fmt::print("  determined\n");
      for (const auto& [text, value] : determined) fmt::print("    {} = {:.12g}\n", text, value);
    }
    if (!motion_.constraints.empty()) print_constraints();
    if (!values_.remark.empty()) fmt::print("\n{}\n", values_.remark);
  }

 private:
  /// Combinations of the factors that are open which are determined all the same, with their values.
  std::vector<std::pair<std::string, double>> determined_combinations() const {
    std::vector<std::pair<std::string, double>> result;
    if (values_.open.empty() || values_.motions.empty()) return result;
    std::vector<std::string> names;
    for (const ConstraintField& constraint : motion_.constraints) names.push_back(constraint.name);
    for (const std::vector<double>& weights : describe_open(values_.open).determined) {
      double value = 0;
      for (std::size_t h = 0; h < weights.size(); ++h)
        value += weights[h] * values_.motions.front().factors[h];
      result.emplace_back(combination_of_factors(weights, names), value);
    }
    return result;
  }

  /// "not determined" behind a factor that is open.
  std::string mark(std::size_t factor) const {
    const std::vector<std::size_t> open = describe_open(values_.open).factors;
    return std::find(open.begin(), open.end(), factor) != open.end() ? "not determined" : "";
  }

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
    for (const Direction& direction : system_.directions) {
      if (direction.unit && symbol == system_.time) return "s";
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
      factors.push_back({motion_.constraints[h].name, motion.factors[h], mark(h)});
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

  const System& system_;
  const Motion& motion_;
  const CompletedState& state_;
  const StateValues& values_;
};

int evaluate(MechanismParts& parts, const EvalOptions& options) {
  const EvaluatedState evaluated =
      evaluate_at(parts, read_given_state(parts, options.at, options.set, options.project));
  const Evaluation evaluation(parts, evaluated);
  const Json results = evaluation.to_json();
  if (const auto place = first_not_finite(results)) {
    refuse(Status::numerical_failure, parts.name(), Problem::not_finite,
           fmt::format("`{}` is too large for a double", *place),
           "choose units in which it is smaller, or another state with --at");
  }
  if (options.json) {
    print_json(results);
  } else {
    evaluation.print();
  }
  return evaluated.no_motion.empty() ? done : report({Status::numerical_failure, evaluated.no_motion});
}

}  // namespace

int run_eval(const EvalOptions& options) {
  const InterruptScope interrupt;
  try {
    const auto parts = read_model(options.model);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    return evaluate(*parts, options);
  } catch (const Refused& refused) {
    return report(refused);
  }
}

}  // namespace liaison::cli
