#include "simulate/perturbation/compiled_event.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "liaison/model/kinematics.hpp"
#include "simulate/run/event_functions.hpp"

namespace liaison {

namespace {

/// In the state, u' and the factors; empty where it holds more.
Expr translated(const AssembledEquations& equations, Expr e) {
  const System& system = *equations.system;
  e = with_energies(system, e);
  for (const Query& query : system.queries)
    if (depends_on(e, query.symbol)) return {};
  Substitution velocities, accelerations;
  for (std::size_t i = 0; i < system.chart.velocities.size(); ++i) {
    const Expr velocity = system.directions[i].velocity;
    const auto& own = equations.parameters;
    if (std::find(own.begin(), own.end(), velocity) != own.end()) continue;
    velocities.emplace(velocity, system.chart.velocities[i]);
    accelerations.emplace(acceleration_symbol(velocity), time_derivative(system, system.chart.velocities[i]));
  }
  return substitute(substitute(e, accelerations), velocities);
}

}  // namespace

std::vector<Expr> inputs_of(const AssembledEquations& equations) {
  const System& system = *equations.system;
  std::vector<Expr> inputs{system.time};
  inputs.insert(inputs.end(), equations.positions.begin(), equations.positions.end());
  inputs.insert(inputs.end(), equations.parameters.begin(), equations.parameters.end());
  for (const Parameter& parameter : system.parameters) inputs.push_back(parameter.symbol);
  for (Expr u : equations.parameters) inputs.push_back(acceleration_symbol(u));
  inputs.insert(inputs.end(), equations.factors.begin(), equations.factors.end());
  return inputs;
}

CompiledEvent compile_event(const AssembledEquations& equations, const Event& event,
                            const std::vector<Expr>& varied, std::vector<Expr> also) {
  const System& system = *equations.system;
  CompiledEvent result;
  const std::size_t count = equations.positions.size() + equations.parameters.size();
  const std::vector<Expr> plain = inputs_of(equations);
  std::vector<Expr> state(plain.begin() + 1, plain.begin() + 1 + static_cast<std::ptrdiff_t>(count)),
      unknowns;
  for (Expr u : equations.parameters) unknowns.push_back(acceleration_symbol(u));
  unknowns.insert(unknowns.end(), equations.factors.begin(), equations.factors.end());
  std::vector<Expr> by = state;
  by.insert(by.end(), varied.begin(), varied.end());
  by.push_back(system.time);
  Algebra algebra(*system.pool);
  // A flat zero has no gradient: deviations of its time are those of the factor that is zero there.
  Expr when = translated(equations, without_flat_zeros(algebra, event.when));
  if (when.empty()) {
    result.failure = fmt::format(
        "the event `{}` asks for more than the state, accelerations and factors: "
        "deviations are not followed across its reset",
        event.name);
    return result;
  }
  std::vector<Expr> resets;
  for (const InitialValue& reset : event.resets) {
    const Expr value = translated(equations, reset.value);
    const auto place = std::find(state.begin(), state.end(), reset.symbol);
    if (value.empty() || place == state.end()) {
      result.failure = fmt::format(
          "the reset of `{}` is not one of the state: deviations are not followed "
          "across it",
          reset.symbol.symbol().name);
      return result;
    }
    resets.push_back(value);
    result.targets.push_back(static_cast<std::size_t>(place - state.begin()));
  }
  when = result.sided.hold(when);
  result.sided.hold(resets);
  result.sided.hold(also);
  const std::vector<Expr>& inputs = result.sided.compile(plain);
  const std::vector<Expr>& arguments = result.sided.switches().held_arguments();
  result.arguments_by_state = CompiledMatrix(arguments, by, inputs, Engine::interpreted);
  result.arguments_by_unknowns = CompiledMatrix(arguments, unknowns, inputs, Engine::interpreted);
  const Expr one[] = {when};
  const Expr with_size[] = {when, size_of_terms(when)};
  result.when = Runner(inputs, with_size, Engine::interpreted);
  result.when_by_state = CompiledMatrix(one, by, inputs, Engine::interpreted);
  result.when_by_unknowns = CompiledMatrix(one, unknowns, inputs, Engine::interpreted);
  std::vector<Expr> with_sizes = resets;
  for (Expr e : resets) with_sizes.push_back(size_of_terms(e));
  result.resets = Runner(inputs, with_sizes, Engine::interpreted);
  result.resets_by_state = CompiledMatrix(resets, by, inputs, Engine::interpreted);
  return result;
}

}  // namespace liaison
