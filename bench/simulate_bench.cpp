#include <cmath>
#include <memory>

#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanism/parts.hpp"
#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/reference.hpp"
#include "liaison/simulate/runge_kutta.hpp"
#include "liaison/simulate/simulation.hpp"
#include "liaison/simulate/taylor.hpp"
#include "timing.hpp"
#include "worker.hpp"

/// Liaison's side of the group "simulate": one evaluation, one trajectory, one step of a long chain.
namespace {

using namespace liaison;
using bench::Case;
using bench::Outcome;

std::unique_ptr<MechanismParts> load(const std::string& path) {
  try {
    return MechanismParts::from_file(path);
  } catch (const Refused& refused) {
    throw std::runtime_error(to_string(refused.messages));
  }
}

/// A model made ready to be run, and what that took: from the file to the first evaluation, machine code
/// included.
class Prepared {
 public:
  Prepared(const Case& input, Assembly assembly)
      : parts_(load(input.one("model"))), equations(parts_->equations()) {
    state = complete_state(equations, request(input));
    if (!state.ok()) throw std::runtime_error(state.problems.front().message);
    evaluator = std::make_unique<Evaluator>(equations, state.values, EvaluatorOptions{.assembly = assembly});
    y = evaluator->pack(state.values);
    std::vector<double> dy(y.size());
    if (!evaluator->rates(0, y.data(), dy.data())) throw std::runtime_error(evaluator->failure());
    setup_seconds = watch_.seconds();
  }
  Prepared(const Prepared&) = delete;

  const System& system() const { return parts_->system(); }
  Algebra& algebra() const { return parts_->algebra(); }
  const Motion& motion() const { return parts_->motion(); }

  /// Accelerations by the names of the coordinates, factors by those of the relations.
  std::map<std::string, double> dynamics(const std::vector<double>& dy) const {
    std::map<std::string, double> result;
    for (std::size_t i = 0; i < system().directions.size(); ++i) {
      const std::string& name = system().directions[i].coordinate.symbol().name;
      result[name] = dy[evaluator->position_count() + i];
    }
    for (std::size_t h = 0; h < equations.names.size(); ++h)
      result["lambda(" + equations.names[h] + ")"] = evaluator->factors()[h];
    return result;
  }
  std::map<std::string, double> named_state(std::span<const double> values) const {
    std::map<std::string, double> result;
    for (std::size_t i = 0; i < values.size(); ++i) result[evaluator->symbols()[i].symbol().name] = values[i];
    return result;
  }

 private:
  StateRequest request(const Case& input) {
    StateRequest result;
    result.use_start = result.project = false;
    const auto values = input.point();
    const auto give = [&](Expr symbol, auto& list) {
      const auto found = values.find(symbol.symbol().name);
      if (found != values.end()) list.emplace_back(symbol, found->second);
    };
    for (const Parameter& parameter : system().parameters) give(parameter.symbol, result.parameters);
    for (const Direction& direction : system().directions) {
      give(direction.coordinate, result.given);
      give(direction.velocity, result.given);
    }
    return result;
  }

  bench::Stopwatch watch_;
  std::unique_ptr<MechanismParts> parts_;

 public:
  const AssembledEquations& equations;
  CompletedState state;
  std::unique_ptr<Evaluator> evaluator;
  std::vector<double> y;
  double setup_seconds = 0;
};

const char* name_of(Assembly assembly) {
  switch (assembly) {
    case Assembly::closed_form: return "closed form";
    case Assembly::unrolled: return "unrolled";
    case Assembly::factorised: return "factorised";
    case Assembly::sparse: return "sparse";
    default: return "automatic";
  }
}

/// Methods "unrolled", "factorised" and "sparse" force what is otherwise chosen by itself.
Assembly assembly_of(const std::string& method) {
  for (Assembly assembly : {Assembly::unrolled, Assembly::factorised, Assembly::sparse})
    if (method == name_of(assembly)) return assembly;
  return Assembly::automatic;
}

Outcome evaluate(Prepared& system) {
  Outcome outcome;
  std::vector<double> dy(system.y.size());
  // Two states in turn: the rates of the last one are known.
  std::vector<double> other = system.y;
  for (double& value : other) value = std::nextafter(value, 2 * value + 1);
  bool known = true, turn = false;
  outcome.seconds = bench::seconds_per_call([&] {
    known &= system.evaluator->rates(0, (turn ? other : system.y).data(), dy.data());
    turn = !turn;
  });
  known &= system.evaluator->rates(0, system.y.data(), dy.data());
  if (!known) throw std::runtime_error(system.evaluator->failure());
  outcome.values = system.dynamics(dy);
  outcome.operations = system.evaluator->operation_count();
  outcome.figures["setup"] = system.setup_seconds;
  outcome.words = name_of(system.evaluator->assembly());
  return outcome;
}

/// One step of Dormand and Prince as `simulate` makes it: stages, projection, rates.
Outcome growth(Prepared& system) {
  Outcome outcome = evaluate(system);
  outcome.values.clear();
  Evaluator& evaluator = *system.evaluator;
  DormandPrince integrator([&](double t, const double* y, double* dy) { return evaluator.rates(t, y, dy); },
                           evaluator.size(), {1e-6, 1e-9});
  const double end = 1;
  if (!integrator.begin(0, system.y, end)) throw std::runtime_error(evaluator.failure());
  std::vector<double> y;
  double least = 1e300;
  for (int i = 0; i < 4; ++i) {
    const bench::Stopwatch watch;
    const std::size_t before = integrator.evaluations();
    if (integrator.step(end) != StepOutcome::stepped)
      throw std::runtime_error("no step: " + evaluator.failure());
    y.assign(integrator.state().begin(), integrator.state().end());
    const bench::Stopwatch projecting;
    const bool projected = evaluator.project(integrator.time(), y.data());
    const double projection = projecting.seconds();
    if (!projected || !integrator.restart(y))
      throw std::runtime_error("no projection: " + evaluator.failure());
    if (i == 0 || watch.seconds() > least) continue;  // the first has the machine code of the projection
    least = watch.seconds();
    outcome.figures["projection"] = projection;
    outcome.figures["evaluations"] = static_cast<double>(integrator.evaluations() - before);
  }
  const Evaluator::Residuals left = evaluator.residuals(integrator.time(), y.data());
  outcome.figures["step"] = least;
  outcome.figures["residual"] = std::max(left.level, left.relation);
  return outcome;
}

Outcome trajectory(const std::string& method, Prepared& system, const Case& input) {
  const double end = std::stod(input.one("until")), relative = std::stod(input.one("tolerance"));
  const Tolerance tolerance{relative, relative * 1e-3};
  Evaluator& evaluator = *system.evaluator;
  Outcome outcome;
  std::vector<double> y;
  outcome.figures["setup"] = system.setup_seconds;
  if (method == "bare") {
    std::unique_ptr<DormandPrince> integrator;
    const auto rates = [&](double t, const double* at, double* dy) { return evaluator.rates(t, at, dy); };
    std::size_t steps = 0;
    outcome.seconds = bench::least_seconds(
        [&] {
          integrator = std::make_unique<DormandPrince>(rates, evaluator.size(), tolerance);
          steps = 0;
        },
        [&] {
          integrator->begin(0, system.y, end);
          while (integrator->time() < end && integrator->step(end) == StepOutcome::stepped) ++steps;
        });
    if (integrator->time() < end) throw std::runtime_error("did not arrive");
    y.assign(integrator->state().begin(), integrator->state().end());
    outcome.figures["steps"] = static_cast<double>(steps);
    outcome.figures["evaluations"] = static_cast<double>(integrator->evaluations());
  } else {
    SimulationOptions options{.until = end, .every = end, .tolerance = tolerance};
    SimulationResult result;
    outcome.seconds = bench::least_seconds(
        [] {}, [&] { result = simulate(evaluator, 0, system.y, options, [](const Row&) { return true; }); });
    if (result.outcome != SimulationOutcome::finished) throw std::runtime_error(result.message);
    y = result.y;
    outcome.figures["steps"] = static_cast<double>(result.steps);
    outcome.figures["evaluations"] = static_cast<double>(result.evaluations);
  }
  outcome.values = system.named_state(y);
  return outcome;
}

/// Taylor series as `simulate --integrator taylor` makes them: short equations where closed forms come
/// quickly.
Outcome taylor_trajectory(Prepared& system, const Case& input) {
  const double end = std::stod(input.one("until")), relative = std::stod(input.one("tolerance"));
  const Tolerance tolerance{relative, relative * 1e-3};
  const bench::Stopwatch watch;
  const bool small = system.equations.parameters.size() <= 6 && system.equations.relation_count <= 3;
  Evaluator evaluator(system.equations, system.state.values, {}, small ? &system.motion() : nullptr);
  const auto integrator = make_taylor(evaluator, tolerance);
  Outcome outcome;
  outcome.figures["setup"] = system.setup_seconds + watch.seconds();
  Observations nothing;
  const SimulationOptions options{.until = end, .every = end, .tolerance = tolerance};
  SimulationResult result;
  outcome.seconds = bench::least_seconds([] {},
                                         [&] {
                                           result = simulate(evaluator, *integrator, nothing, 0, system.y,
                                                             options, {[](const Row&) { return true; }, {}});
                                         });
  if (result.outcome != SimulationOutcome::finished) throw std::runtime_error(result.message);
  outcome.figures["steps"] = static_cast<double>(result.steps);
  outcome.figures["evaluations"] = static_cast<double>(result.evaluations);
  outcome.values = system.named_state(result.y);
  return outcome;
}

/// The state at the end to 20 digits, and how far two such runs differ.
Outcome reference(Prepared& system, const Case& input) {
  const bench::Stopwatch watch;
  ReferenceOptions options;
  options.digits = 20;
  const ReferenceTrajectory found =
      reference_trajectory(system.equations, exact_start(system.system(), system.state.values), 0.0,
                           std::stod(input.one("until")), options);
  Outcome outcome;
  for (std::size_t i = 0; i < found.y.size(); ++i)
    outcome.values[found.symbols[i].symbol().name] = found.y[i].value;
  outcome.figures["error"] = found.error;
  outcome.seconds = 1 + watch.seconds();  // not a time that counts: once is enough
  return outcome;
}

}  // namespace

int main() {
  std::map<std::string, std::unique_ptr<Prepared>> systems;
  return bench::serve([&](const std::string& method, const Case& input) {
    const Assembly assembly = assembly_of(method);
    auto& system = systems[input.one("model") + name_of(assembly)];
    if (!system) system = std::make_unique<Prepared>(input, assembly);
    if (method == "reference") return reference(*system, input);
    if (input.one("task") == "evaluate") return evaluate(*system);
    if (input.one("task") == "growth") return growth(*system);
    return method == "taylor" ? taylor_trajectory(*system, input) : trajectory(method, *system, input);
  });
}
