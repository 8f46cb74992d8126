#include "derive.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/mechanics/state.hpp"
#include "liaison/model/language.hpp"

namespace bench {

namespace {

using namespace liaison;

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Everything that one evaluation of accelerations and reactions computes.
std::vector<Expr> results_of(const Motion& motion) {
  std::vector<Expr> result = motion.free.mass.entries;
  const auto add = [&](const std::vector<Expr>& es) { result.insert(result.end(), es.begin(), es.end()); };
  add(motion.free.load);
  for (const ConstraintField& constraint : motion.constraints) {
    add(constraint.direction);
    add(constraint.gradient);
    result.push_back(constraint.bias);
  }
  return result;
}

DoublePoint state_of(const System& system, const Case& input) {
  const auto values = input.point();
  DoublePoint point;
  const auto set = [&](Expr symbol) { point[symbol] = values.at(symbol.symbol().name); };
  for (const Parameter& parameter : system.parameters) set(parameter.symbol);
  for (const Direction& direction : system.directions) {
    set(direction.coordinate);
    set(direction.velocity);
  }
  point[system.time] = 0;
  return point;
}

}  // namespace

Outcome derive(const std::string& method, const Case& input) {
  Outcome outcome;
  MotionOptions options;
  if (method == "work") options.max_directions = 0;
  const Stopwatch watch;
  const Source source("model.lia", text_of(input.one("model")));
  const ParsedModel model = parse_model(source);
  if (!model.ok()) throw std::runtime_error(render(model.diagnostics, source));
  Algebra algebra(*model.system.pool);
  const Motion motion = derive_motion(algebra, model.system, options);
  outcome.seconds = watch.seconds();
  outcome.nodes = model.system.pool->size();
  outcome.operations = count_operations(results_of(motion));
  outcome.closed_form = motion.closed_form;

  const StateValues values = evaluate_state(algebra, motion, state_of(model.system, input));
  if (values.motions.size() != 1) throw std::runtime_error("not one motion at the state " + values.failure);
  for (std::size_t i = 0; i < model.system.directions.size(); ++i) {
    const std::string& name = model.system.directions[i].coordinate.symbol().name;
    outcome.values[name] = values.motions[0].acceleration[i];
  }
  return outcome;
}

}  // namespace bench
