#include "liaison/mechanism/vakonomic_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "diagnostics.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "option_text.hpp"
#include "state_problems.hpp"

namespace liaison {

namespace {

constexpr const char* option = "--multipliers";

/// "name = value" with the multiplier in place of the name of its constraint.
Assignment read_multiplier(const VakonomicParts& problem, const Assignments& parameters,
                           const std::string& part) {
  const std::size_t equals = part.find('=');
  const std::string name(trimmed(std::string_view(part).substr(0, equals)));
  const auto at = std::find(problem.relations.begin(), problem.relations.end(), name);
  if (equals == std::string::npos || at == problem.relations.end()) {
    const auto nearest = nearest_name(name, problem.relations);
    refuse(Status::bad_input, option, Problem::bad_usage,
           equals == std::string::npos ? fmt::format("`{}` gives no value", part)
                                       : fmt::format("`{}` is no relation between velocities", name),
           nearest ? fmt::format("did you mean `{}`?", *nearest)
                   : fmt::format("there are {}", fmt::join(problem.relations, ", ")));
  }
  const Expr symbol = problem.multipliers[static_cast<std::size_t>(at - problem.relations.begin())];
  const std::string text = symbol.symbol().name + " " + part.substr(equals);
  return read_assignments(problem.parts->system(), option, text, Assignable::state, parameters).at(0);
}

}  // namespace

VakonomicParts vakonomic_parts(MechanismParts& model) {
  try {
    VakonomicSystem derived = derive_vakonomic(model.algebra(), model.system());
    if (!derived.reason.empty()) {
      refuse(Status::bad_input, "--vakonomic", Problem::bad_usage,
             "the variational problem is not posed: " + derived.reason,
             "without the option the motions are those of d'Alembert's principle");
    }
    return {std::make_unique<MechanismParts>(model, std::move(derived.system)), std::move(derived.relations),
            std::move(derived.multipliers)};
  } catch (const Error& error) {
    model.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(model.name(), error)}};
  }
}

VakonomicStart vakonomic_start(MechanismParts& model, const VakonomicParts& problem,
                               const Assignments& parameters, const Assignments& start, bool project,
                               const std::string& multipliers) {
  CompletedState state = complete_state(model.equations(), {.given = in_doubles(start),
                                                            .parameters = in_doubles(parameters),
                                                            .use_start = true,
                                                            .project = project,
                                                            .name_choices = true,
                                                            .begins = true});
  require_state(model, state, "--start", project);
  const System& system = model.system();
  Assignments result;
  std::unordered_set<Expr> taken;
  const auto take = [&](Expr symbol) {
    const auto value = state.values.find(symbol);
    if (symbol.empty() || value == state.values.end() || !taken.insert(symbol).second) return;
    result.push_back({symbol, system.pool->number(Rational::from_double(value->second)), value->second});
  };
  take(system.time);
  for (const Direction& direction : system.directions) take(direction.coordinate);
  for (const Rotation& rotation : system.rotations) {
    for (Expr part : rotation.quaternion) take(part);
  }
  if (system.chart.parameters.empty()) {
    for (const Direction& direction : system.directions) take(direction.velocity);
  } else {
    for (Expr parameter : system.chart.parameters) take(parameter);
  }
  for (const std::string_view part : parts_of(multipliers)) {
    if (trimmed(part).empty()) continue;
    Assignment given = read_multiplier(problem, parameters, std::string(trimmed(part)));
    if (!taken.insert(given.symbol).second)
      refuse(Status::bad_input, option, Problem::bad_usage,
             fmt::format("`{}` gives a value twice", trimmed(part)), "give each once");
    result.push_back(std::move(given));
  }
  for (std::size_t h = 0; h < problem.relations.size(); ++h) {
    if (taken.contains(problem.multipliers[h])) continue;
    refuse(Status::bad_input, option, Problem::bad_usage,
           fmt::format("the multiplier of `{}` at the start is not given, and no equation determines it",
                       problem.relations[h]),
           fmt::format("--multipliers \"{} = 0\"", problem.relations[h]));
  }
  return {std::move(result), std::move(state.choices)};
}

}  // namespace liaison
