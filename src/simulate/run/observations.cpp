#include "liaison/simulate/observations.hpp"
#include "liaison/mechanics/term_sizes.hpp"

#include <algorithm>

#include "event_functions.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/drive_energy.hpp"
#include "liaison/simulate/drive_monitors.hpp"
#include "simulate/equations/switches.hpp"

namespace liaison {

namespace {

/// l_i v^i of one force, term by term.
std::vector<Expr> power_terms(const AssembledEquations& equations, std::size_t force) {
  const System& system = *equations.system;
  Substitution chart;
  for (std::size_t i = 0; i < system.chart.velocities.size(); ++i)
    chart.emplace(system.directions[i].velocity, system.chart.velocities[i]);
  std::vector<Expr> terms;
  for (const SparseEntry& entry : equations.directions.entries) {
    if (entry.row != force) continue;
    const Expr velocity = system.directions[entry.column].velocity;
    terms.push_back(entry.value * (chart.empty() ? velocity : substitute(velocity, chart)));
  }
  return terms;
}

/// The power of each force, then the sum of the sizes of its terms.
std::vector<Expr> powers_of_constraints(const AssembledEquations& equations) {
  Pool& pool = *equations.system->pool;
  std::vector<Expr> powers;
  for (std::size_t h = 0; h < equations.names.size(); ++h) {
    std::vector<Expr> terms = power_terms(equations, h);
    powers.push_back(equations.factors[h] * pool.add(terms));
    for (Expr& term : terms) term = abs(term);
    powers.push_back(abs(equations.factors[h]) * pool.add(terms));
  }
  return powers;
}

/// Whether the force works on no motion that the relations allow: l_i v^i is the relation itself, as for an
/// ideal constraint that is homogeneous in the velocities.
bool never_works(Algebra& algebra, const AssembledEquations& equations, std::size_t force) {
  if (force >= equations.relation_count) return false;
  const Expr power = equations.system->pool->add(power_terms(equations, force));
  const Expr relation = equations.relations[force];
  return power == relation || algebra.is_zero(power - relation).holds();
}

bool is_autonomous(const AssembledEquations& equations) {
  const Expr t = equations.system->time;
  return !depends_on(equations.kinetic, t) && !depends_on(equations.potential, t) &&
         std::none_of(equations.position_rates.begin(), equations.position_rates.end(),
                      [&](Expr rate) { return depends_on(rate, t); });
}

/// v^i dT/dv^i - T + V, which is T + V where T is homogeneous of degree two.
struct Energy {
  std::string name;
  Expr value;
};
Energy energy_of(Algebra& algebra, const AssembledEquations& equations) {
  const System& system = *equations.system;
  const Energy plain{"T + V", equations.kinetic + equations.potential};
  if (!system.chart.parameters.empty()) return plain;
  const std::vector<Expr> momenta = gradient(system.kinetic, equations.parameters);
  std::vector<Expr> terms{-system.kinetic};
  for (std::size_t i = 0; i < momenta.size(); ++i) terms.push_back(momenta[i] * equations.parameters[i]);
  const Expr energy = system.pool->add(terms);
  // T has no terms of another degree than two where it and its slopes vanish at rest: no algebra of many
  // terms
  Substitution at_rest;
  for (Expr velocity : equations.parameters) at_rest.emplace(velocity, system.pool->number(0));
  const auto vanishes = [&](Expr e) { return substitute(e, at_rest).is_zero(); };
  const bool large = equations.parameters.size() > most_watched_powers;
  const bool has_degree_two =
      energy == system.kinetic ||
      (vanishes(system.kinetic) && std::all_of(momenta.begin(), momenta.end(), vanishes)) ||
      (!large && algebra.is_zero(energy - system.kinetic).holds());
  return has_degree_two ? plain : Energy{"T2 - T0 + V", energy + system.potential};
}

std::size_t place_in_state(const AssembledEquations& equations, Expr symbol) {
  const auto position = std::find(equations.positions.begin(), equations.positions.end(), symbol);
  if (position != equations.positions.end())
    return static_cast<std::size_t>(position - equations.positions.begin());
  const auto velocity = std::find(equations.parameters.begin(), equations.parameters.end(), symbol);
  return equations.positions.size() + static_cast<std::size_t>(velocity - equations.parameters.begin());
}

bool is_watched(const Claim& claim) {
  return claim.kind == ClaimKind::conserved && claim.expected && !claim.misprint && claim.at.empty();
}

/// The energy, T + V where that is another: they differ by what drives do; and what the model claims.
std::vector<Expr> kept_values(Algebra& algebra, const AssembledEquations& equations) {
  const Energy energy = energy_of(algebra, equations);
  std::vector<Expr> result{energy.value};
  if (energy.name != "T + V") result.push_back(equations.kinetic + equations.potential);
  for (const Claim& claim : equations.system->claims)
    if (is_watched(claim)) result.push_back(claim.conserved);
  return result;
}

}  // namespace

Observations observe(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
                     Engine engine, const Motion* motion) {
  const System& system = *equations.system;
  const auto compile = [&](const std::vector<Expr>& es) {
    return Quantities(algebra, equations, parameters, es, engine, motion);
  };
  const Energy energy = energy_of(algebra, equations);
  std::vector<Expr> outputs, when, kept, powers;
  std::vector<std::string> output_names;
  for (const Output& output : system.outputs) {
    output_names.push_back(output.name);
    outputs.push_back(output.value);
  }
  std::vector<Quantities> reset_values;
  std::vector<std::vector<std::size_t>> reset_targets;
  for (const Event& event : system.events) when.push_back(without_flat_zeros(algebra, event.when));
  for (std::size_t i = 0; i < system.events.size(); ++i) {
    const Event& event = system.events[i];
    when.push_back(size_with_phases(when[i]));
    std::vector<Expr> values;
    reset_targets.emplace_back();
    for (const InitialValue& reset : event.resets) {
      values.push_back(reset.value);
      reset_targets.back().push_back(place_in_state(equations, reset.symbol));
    }
    reset_values.push_back(compile(values));
  }

  bool works = std::any_of(system.forces.begin(), system.forces.end(), [](Expr f) { return !f.is_zero(); });
  std::vector<Observations::Power> watched;
  const bool few = equations.names.size() <= most_watched_powers;
  for (std::size_t h = 0; h < equations.names.size(); ++h) {
    const bool idle = few ? never_works(algebra, equations, h)
                          : equations.ideal && !equations.levels[h].empty() &&
                                !depends_on(equations.levels[h], system.time);
    works = works || !idle;
    if (few) watched.push_back({"power(" + equations.names[h] + ")", idle});
  }
  if (few) powers = powers_of_constraints(equations);
  std::vector<ConstraintFriction> frictions;
  if (few) frictions = frictions_of_constraints(system);
  std::vector<Expr> of_frictions;
  for (const ConstraintFriction& friction : frictions)
    of_frictions.insert(of_frictions.end(), {friction.power, size_of_terms(friction.power), friction.factor});
  std::vector<Observations::Kept> names{{energy.name, !works && is_autonomous(equations)}};
  kept = kept_values(algebra, equations);
  if (energy.name != "T + V") names.push_back({"T + V", false});
  for (const Claim& claim : system.claims)
    if (is_watched(claim)) names.push_back({claim.text, true});
  for (std::size_t i = 0, count = kept.size(); i < count; ++i) kept.push_back(size_of_terms(kept[i]));
  return {.output_names = std::move(output_names),
          .outputs = compile(outputs),
          .events = system.events,
          .event_values = compile(when),
          .reset_values = std::move(reset_values),
          .reset_targets = std::move(reset_targets),
          .kept = std::move(names),
          .kept_values = compile(kept),
          .powers = std::move(watched),
          .power_values = compile(powers),
          .work_values = {},
          .frictions = std::move(frictions),
          .friction_values = compile(of_frictions)};
}

void observe_drives(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
                    Engine engine, const Motion* motion, std::span<const AskedDrive> drives,
                    Observations& observations) {
  if (drives.empty() || observations.powers.size() != equations.names.size()) return;
  std::vector<Expr> powers = powers_of_constraints(equations);
  for (const AskedDrive& drive : drives) {
    const auto is_known = [&](const Observations::Power& power) {
      return power.name == "power(" + drive.name + ")";
    };
    if (std::any_of(observations.powers.begin(), observations.powers.end(), is_known)) continue;
    if (drive.power.is_zero() && jumps_in_time(equations.potential, equations.system->time))
      continue;  // its work is done at once
    observations.powers.push_back({"drive_power(" + drive.name + ")", false});
    powers.push_back(drive.power);
    powers.push_back(size_of_terms(drive.power));
  }
  observations.power_values = Quantities(algebra, equations, parameters, powers, engine, motion);
}

void observe_potential(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
                       Engine engine, const Motion* motion, Expr potential, Observations& observations) {
  std::vector<Expr> kept = kept_values(algebra, equations);
  if (kept.size() != observations.kept.size()) return;
  kept.push_back(equations.kinetic + equations.potential + potential);
  for (std::size_t i = 0, count = kept.size(); i < count; ++i) kept.push_back(size_of_terms(kept[i]));
  observations.kept.push_back({"T + V + P", true});
  observations.kept_values = Quantities(algebra, equations, parameters, kept, engine, motion);
}

}  // namespace liaison
