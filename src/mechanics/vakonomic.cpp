#include "liaison/mechanics/vakonomic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/mechanics/state_space.hpp"

namespace liaison {

namespace {

std::set<std::string> names_in(const System& system) {
  std::set<std::string> names;
  for (const Parameter& parameter : system.parameters) names.insert(parameter.symbol.symbol().name);
  for (const Direction& direction : system.directions) {
    names.insert(direction.velocity.symbol().name);
    if (!direction.coordinate.empty()) names.insert(direction.coordinate.symbol().name);
  }
  for (const Rotation& rotation : system.rotations) {
    for (Expr part : rotation.quaternion) names.insert(part.symbol().name);
  }
  for (Expr parameter : system.chart.parameters) names.insert(parameter.symbol().name);
  for (const Rheonomic& chosen : system.rheonomic) names.insert(chosen.name);
  for (const Output& output : system.outputs) names.insert(output.name);
  return names;
}

std::string fresh(std::set<std::string>& names, std::string name) {
  while (names.contains(name) || names.contains(name + "'")) name += "_";
  names.insert(name);
  return name;
}

/// Why Q_i theta^i is not known to be, at each time, the differential of a function of the positions; else
/// empty.
std::string why_no_potential(Algebra& algebra, const System& system) {
  const char* none = "the forces have no potential";
  for (Expr force : system.forces) {
    for (Expr symbol : symbols_in(force)) {
      const bool is_parameter = std::find(system.chart.parameters.begin(), system.chart.parameters.end(),
                                          symbol) != system.chart.parameters.end();
      const SymbolKind kind = symbol.symbol().kind;
      if (is_parameter || kind == SymbolKind::velocity || kind == SymbolKind::multiplier) return none;
    }
  }
  const StateSpace space = make_state_space(algebra, system);
  std::vector<Form::Term> terms;
  for (std::size_t i = 0; i < space.size(); ++i) {
    IndexSet theta;
    theta.set(space.configuration_form(i));
    terms.emplace_back(theta, system.forces[i]);
  }
  const Form change = d(Form(space.coframe, 1, std::move(terms)));
  std::string open;
  for (const auto& [indices, value] : change.terms()) {
    if (indices.test(space.time_form())) continue;
    const Verdict verdict = algebra.is_zero(value);
    if (verdict.is_refuted()) return none;
    if (!verdict.is_proved()) open = "it is not decided whether the forces have a potential";
  }
  return open;
}

/// What does not speak of the reactions, which are others here.
std::string asked_of_reactions(const System& system) {
  std::vector<Expr> asked;
  for (const Constraint& constraint : system.constraints) asked.push_back(constraint.factor);
  for (const Query& query : system.queries) {
    if (query.kind != QueryKind::kinetic && query.kind != QueryKind::potential) asked.push_back(query.symbol);
  }
  const auto speaks = [&](Expr e) {
    return std::any_of(asked.begin(), asked.end(), [&](Expr symbol) { return depends_on(e, symbol); });
  };
  for (const Output& output : system.outputs) {
    if (speaks(output.value))
      return fmt::format("the output `{}` asks for d'Alembert's reactions", output.name);
  }
  for (const Event& event : system.events) {
    if (speaks(event.when)) return fmt::format("the event `{}` asks for d'Alembert's reactions", event.name);
    if (event.action == EventAction::reset)
      return fmt::format("the event `{}` does not say how the multipliers jump", event.name);
  }
  return {};
}

}  // namespace

std::string why_not_vakonomic(Algebra& algebra, const System& system) {
  if (!system.unilaterals.empty() || !system.families.empty() || !system.contacts.empty())
    return "there are contacts: the problem has equations alone";
  if (!system.reactions.empty()) return "there are reactions without a relation";
  for (const Constraint& constraint : system.constraints) {
    if (constraint.power_kind != PowerKind::ideal)
      return fmt::format("the force of `{}` has a direction of its own", constraint.name);
  }
  if (std::all_of(system.constraints.begin(), system.constraints.end(),
                  [](const Constraint& constraint) { return constraint.holonomic; }))
    return "no relation contains velocities: the motions are d'Alembert's";
  return why_no_potential(algebra, system);
}

VakonomicSystem derive_vakonomic(Algebra& algebra, const System& system) {
  VakonomicSystem result;
  result.reason = why_not_vakonomic(algebra, system);
  if (result.reason.empty()) result.reason = asked_of_reactions(system);
  if (!result.reason.empty()) return result;
  result.system = system;
  System& problem = result.system;
  Pool& pool = *system.pool;
  std::set<std::string> names = names_in(system);
  problem.name = system.name.empty() ? "" : system.name + ", as a variational problem";
  problem.constraints.clear();
  problem.claims.clear();
  problem.intrinsic = {};
  problem.particles.clear();
  problem.bodies.clear();
  for (const Constraint& constraint : system.constraints) {
    if (constraint.holonomic) {
      problem.constraints.push_back(constraint);
      continue;
    }
    const std::string name = fresh(names, "s_" + constraint.name);
    Direction direction{.form = "d" + name,
                        .velocity = pool.symbol(name + "'", SymbolKind::velocity),
                        .coordinate = pool.symbol(name, SymbolKind::coordinate),
                        .rotation = std::nullopt,
                        .unit = std::nullopt,
                        .span = constraint.span};
    if (!problem.chart.parameters.empty()) {
      problem.chart.parameters.push_back(direction.velocity);
      problem.chart.velocities.push_back(direction.velocity);
    }
    const Expr term = direction.velocity * constraint.relation;
    problem.kinetic = problem.kinetic + term;
    problem.kinetic_extended = problem.kinetic_extended + term;
    problem.forces.push_back(pool.number(0));
    problem.outputs.push_back({fresh(names, "residual_" + constraint.name), constraint.relation});
    result.relations.push_back(constraint.name);
    result.multipliers.push_back(direction.velocity);
    problem.directions.push_back(std::move(direction));
  }
  return result;
}

}  // namespace liaison
