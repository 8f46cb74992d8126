#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/drives.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

bool Builder::refuse_drive(const Deferred& asked, std::string_view why, std::string_view hint) {
  const bool force = asked.kind == Deferred::Kind::drive_force;
  reports_.add(
      "L0429", asked.span,
      fmt::format("`{}({})` is not known: {}", force ? "drive_force" : "drive_power", asked.name, why),
      std::string(hint));
  return false;
}

/// The component on a driven coordinate s of the force with the factor 1: along ds where the coordinate is in
/// the relation, by the power where it is given. Nothing where the power is not written so.
std::optional<Expr> Builder::push_along(const Constraint& constraint, Expr velocity, Expr position) const {
  switch (constraint.power_kind) {
    case PowerKind::ideal: return derivative(constraint.relation, constraint.holonomic ? position : velocity);
    case PowerKind::along: return system_.pool->number(0);
    case PowerKind::given:
    case PowerKind::actuated: break;
  }
  if (!depends_on(constraint.power, velocity)) return system_.pool->number(0);
  std::vector<Expr> velocities;
  for (const Direction& direction : system_.directions) velocities.push_back(direction.velocity);
  velocities.push_back(velocity);
  const auto components = power_gradient(constraint.power, velocities);
  return components ? std::optional(components->back()) : std::nullopt;
}

/// R_0 = d/dt dT/dq0' - dT/dq0 + dV/dq0 - Q_0 - sum of lambda l_0 (rows V6.extended-equations,
/// V6.gallissot-map): what moves q0 as it is said.
Expr Builder::force_of_rheonomic(const Rheonomic& chosen, Span span) {
  const Deferred asked{Deferred::Kind::drive_force, chosen.name, {}, span};
  const Expr T = system_.kinetic, V = system_.potential;
  for (Expr parameter : system_.chart.parameters) {
    const bool is_velocity =
        std::any_of(system_.directions.begin(), system_.directions.end(),
                    [&](const Direction& direction) { return direction.velocity == parameter; });
    if (is_velocity || !depends_on(T, parameter)) continue;
    refuse_drive(asked, "the kinetic energy is written in velocity parameters",
                 "write it in the velocities `x'` of the coordinates");
    return system_.pool->number(0);
  }
  std::vector<Expr> terms{time_derivative(system_, derivative(T, chosen.velocity)),
                          -derivative(T, chosen.symbol), derivative(V, chosen.symbol)};
  if (const auto carried = carried_forces_.find(chosen.velocity); carried != carried_forces_.end())
    for (Expr force : carried->second) terms.push_back(-force);
  for (const Constraint& constraint : system_.constraints) {
    const auto push = push_along(constraint, chosen.velocity, chosen.symbol);
    if (!push) {
      refuse_drive(asked, fmt::format("the power of `{}` says not how it pushes there", constraint.name),
                   "write the driven coordinate as `coord`, with a constraint that says how it moves");
      return system_.pool->number(0);
    }
    terms.push_back(-(constraint.factor * *push));
  }
  for (const Reaction& reaction : system_.reactions)
    terms.push_back(-(reaction.factor * derivative(reaction.power, chosen.velocity)));
  for (const Unilateral& unilateral : system_.unilaterals) {
    const auto push = push_along(unilateral, chosen.velocity, chosen.symbol);
    const bool drags = holds_slips(unilateral, [&](Expr slip) { return depends_on(slip, chosen.velocity); });
    const bool is_unsaid =
        unilateral.power_kind == PowerKind::along &&
        (depends_on(unilateral.relation, chosen.symbol) || depends_on(unilateral.relation, chosen.velocity));
    if (!push || drags || is_unsaid) {
      refuse_drive(asked,
                   fmt::format("it moves `{}`, whose force is not along its gap alone", unilateral.name),
                   "give the wall a coordinate of its own, and drive that");
      return system_.pool->number(0);
    }
    terms.push_back(-(unilateral.factor * *push));
  }
  for (const ContactFamily& family : system_.families) {
    const Expr relation = family.contact.relation;
    if (!depends_on(relation, chosen.symbol) && !depends_on(relation, chosen.velocity)) continue;
    refuse_drive(
        asked,
        fmt::format("it moves `{}`, which is many contacts that are not written out", family.contact.name),
        "give the wall a coordinate of its own, and drive that");
    return system_.pool->number(0);
  }
  return system_.pool->add(terms);
}

/// The same for q0 = t, of what holds the time without a name: with T homogeneous of degree two on velocities
/// and t' the momentum is p_0 = 2*T - v^i p_i. A power.
Expr Builder::force_of_time(Span span) {
  const Deferred asked{Deferred::Kind::drive_force, "t", {}, span};
  if (!system_.chart.parameters.empty()) {
    refuse_drive(asked, "the model has velocity parameters",
                 "declare a rheonomic coordinate, and ask for it");
    return system_.pool->number(0);
  }
  const auto carried = carried_forces_.find(system_.time);
  const bool is_hidden =
      carried != carried_forces_.end() &&
      std::any_of(carried->second.begin(), carried->second.end(), [](Expr force) { return force.empty(); });
  if (is_hidden) {
    refuse_drive(asked, "a dissipation holds the time and is not of degree two in the velocities",
                 "declare what moves as a rheonomic coordinate, write the dissipation with its velocity, and "
                 "ask for it");
    return system_.pool->number(0);
  }
  const auto refuse_moved = [&](const Unilateral& unilateral, std::string_view why) {
    refuse_drive(asked, fmt::format("it moves `{}`, {}", unilateral.name, why),
                 "give the wall a coordinate of its own, and drive that");
    return system_.pool->number(0);
  };
  for (const ContactFamily& family : system_.families)
    if (depends_on(family.contact.relation, system_.time))
      return refuse_moved(family.contact, "which is many contacts that are not written out");
  const Expr T = system_.kinetic;
  std::vector<Expr> velocities;
  for (const Direction& direction : system_.directions) velocities.push_back(direction.velocity);
  for (const Rheonomic& chosen : system_.rheonomic) velocities.push_back(chosen.velocity);
  const auto radial = [&](Expr e) {
    const std::vector<Expr> slopes = gradient(e, velocities);
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < slopes.size(); ++i) terms.push_back(velocities[i] * slopes[i]);
    return system_.pool->add(terms);
  };
  std::vector<Expr> terms{time_derivative(system_, Rational(2) * T - radial(T)), -derivative(T, system_.time),
                          derivative(system_.potential, system_.time)};
  if (carried != carried_forces_.end())
    for (Expr force : carried->second) terms.push_back(-force);
  const auto add_push = [&](const Constraint& constraint) {
    const Expr push = constraint.holonomic ? derivative(constraint.relation, system_.time)
                                           : constraint.relation - radial(constraint.relation);
    terms.push_back(-(constraint.factor * push));
  };
  for (const Constraint& constraint : system_.constraints)
    if (constraint.power_kind == PowerKind::ideal) add_push(constraint);
  for (const Unilateral& unilateral : system_.unilaterals) {
    const bool drags = holds_slips(unilateral, [&](Expr slip) { return !(slip - radial(slip)).is_zero(); });
    const bool moves = depends_on(unilateral.relation, system_.time);
    if (drags || (moves && unilateral.power_kind != PowerKind::ideal))
      return refuse_moved(unilateral, "whose force is not along its gap alone");
    if (unilateral.power_kind == PowerKind::ideal) add_push(unilateral);
  }
  return system_.pool->add(terms);
}

/// Friction and resistances of a contact work on what moves where their velocities hold it; that of friction
/// may be unsaid.
bool Builder::holds_slips(const Unilateral& unilateral, const std::function<bool(Expr)>& holds) {
  if (unilateral.friction && unilateral.slip.empty()) return true;
  if (std::any_of(unilateral.slip.begin(), unilateral.slip.end(), holds)) return true;
  return std::any_of(unilateral.turning.begin(), unilateral.turning.end(), [&](const ResistedTurning& one) {
    return std::any_of(one.velocity.begin(), one.velocity.end(), holds);
  });
}

/// A contact without friction on what moves is a constraint that the time moves, with the factor zero where
/// it is open.
Expr Builder::drive_of_unilateral(const Unilateral& unilateral, const Deferred& asked) {
  Substitution at_rest;
  for (const Direction& direction : system_.directions)
    at_rest.emplace(direction.velocity, system_.pool->number(0));
  if (holds_slips(unilateral, [&](Expr slip) { return !substitute(slip, at_rest).is_zero(); })) {
    refuse_drive(asked, fmt::format("friction of `{}` works on what moves too", unilateral.name),
                 "give the wall a coordinate of its own, and drive that");
    return system_.pool->number(0);
  }
  return drive_of_constraint(unilateral, asked);
}

/// A constraint that the time moves. Where it is written f(q) = tau(t), q0 is tau and the force is the
/// factor; where it is written tau(t) = f(q), minus the factor: force times tau' is the power of either. Else
/// q0 is the time, and the force is the power.
Expr Builder::drive_of_constraint(const Constraint& constraint, const Deferred& asked) {
  const Expr zero = system_.pool->number(0);
  std::vector<Expr> velocities, movable{system_.time};
  for (const Direction& direction : system_.directions) velocities.push_back(direction.velocity);
  for (const Rheonomic& chosen : system_.rheonomic)
    movable.insert(movable.end(), {chosen.symbol, chosen.velocity});
  const auto holds_any = [](Expr e, const std::vector<Expr>& symbols) {
    return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(e, symbol); });
  };
  const bool by_actuator = constraint.power_kind == PowerKind::actuated;
  if (constraint.power_kind != PowerKind::ideal && !by_actuator) {
    refuse_drive(asked, fmt::format("the force of `{}` is not only that of a drive", constraint.name),
                 fmt::format("`power({})` is what it works", constraint.name));
    return zero;
  }
  const bool force = asked.kind == Deferred::Kind::drive_force;
  if (by_actuator) return force ? constraint.factor : constraint.factor * constraint.power;
  const bool prescribes = prescribes_velocity(system_, constraint);
  if (!prescribes && !holds_any(constraint.relation, movable)) {
    refuse_drive(
        asked, fmt::format("`{}` does not hold the time", constraint.name),
        fmt::format("`lambda({0})` is its factor, and `power({0})` what its force does", constraint.name));
    return zero;
  }
  Expr rate = zero;  // what the time does to the relation
  if (constraint.holonomic) {
    for (const Rheonomic& chosen : system_.rheonomic)
      rate += derivative(constraint.relation, chosen.symbol) * chosen.velocity;
    rate += derivative(constraint.relation, system_.time);
  } else {
    const std::vector<Expr> slopes = gradient(constraint.relation, velocities);
    for (std::size_t i = 0; i < slopes.size(); ++i) rate -= velocities[i] * slopes[i];
  }
  const Expr power = -(constraint.factor * rate);
  if (!force) return power;
  // f(q) - tau(t): nothing that holds the time holds a coordinate or a velocity
  std::vector<Expr> positions;
  for (const Direction& direction : system_.directions)
    positions.push_back(direction.coordinate.empty() ? direction.velocity : direction.coordinate);
  for (const Rotation& rotation : system_.rotations)
    positions.insert(positions.end(), rotation.quaternion.begin(), rotation.quaternion.end());
  positions.insert(positions.end(), velocities.begin(), velocities.end());
  const std::vector<Expr> by_state = gradient(constraint.relation, positions);
  const bool is_apart = constraint.holonomic
                            ? std::none_of(by_state.begin(), by_state.end(),
                                           [&](Expr slope) { return holds_any(slope, movable); })
                            : prescribes;
  const auto sides = written_sides_.find(constraint.name);
  if (!is_apart || sides == written_sides_.end()) return power;
  const auto& [left, right] = sides->second;
  if (left - right != constraint.relation) return power;
  const bool is_tau_first = !holds_any(left, positions) && !holds_any(right, movable) &&
                            (holds_any(left, movable) || !constraint.holonomic);
  return is_tau_first ? -constraint.factor : constraint.factor;
}

Expr Builder::deferred_value(const Deferred& asked) {
  switch (asked.kind) {
    case Deferred::Kind::kinetic_rate: return time_derivative(system_, system_.kinetic);
    case Deferred::Kind::potential_rate: return time_derivative(system_, system_.potential);
    case Deferred::Kind::drive_force:
    case Deferred::Kind::drive_power: break;
  }
  const bool force = asked.kind == Deferred::Kind::drive_force;
  if (asked.name == "t") return force_of_time(asked.span);
  for (const Rheonomic& chosen : system_.rheonomic) {
    if (chosen.name != asked.name) continue;
    const Expr push = force_of_rheonomic(chosen, asked.span);
    return force ? push : push * chosen.velocity;
  }
  for (const Constraint& constraint : system_.constraints)
    if (constraint.name == asked.name) return drive_of_constraint(constraint, asked);
  for (const Unilateral& unilateral : system_.unilaterals)
    if (unilateral.name == asked.name) return drive_of_unilateral(unilateral, asked);
  refuse_drive(asked, "a reaction is no equation that the time could move",
               "ask for a constraint, for a rheonomic coordinate, or for `t`");
  return system_.pool->number(0);
}

/// An energy that a `let` holds and that nothing asks for is no question.
void Builder::forget_unused_energies() {
  std::vector<Expr> asked;
  for (const Output& output : system_.outputs) asked.push_back(output.value);
  for (const Event& event : system_.events) asked.push_back(event.when);
  for (const Claim& claim : system_.claims) {
    asked.insert(asked.end(), {claim.left, claim.right, claim.conserved});
    for (const auto& [left, right] : claim.equations) asked.insert(asked.end(), {left, right});
  }
  std::erase_if(asked, [](Expr e) { return e.empty(); });
  const std::vector<Expr> symbols = symbols_in(asked);
  std::erase_if(system_.queries, [&](const Query& query) {
    const bool is_energy = query.kind == QueryKind::kinetic || query.kind == QueryKind::potential;
    return is_energy && std::find(symbols.begin(), symbols.end(), query.symbol) == symbols.end();
  });
}

/// Puts in what claims, outputs and events asked for before all was read.
void Builder::finish_drives() {
  put_in_deferred();
  if (reports_.empty()) forget_unused_energies();
}

void Builder::put_in_deferred() {
  if (scope_.deferred().empty()) return;
  Substitution values;
  for (const Deferred& asked : scope_.deferred()) values.emplace(asked.symbol, deferred_value(asked));
  if (!reports_.empty()) return;
  const auto replace = [&](Expr& e) {
    if (!e.empty()) e = substitute(e, values);
  };
  for (Obligation& obligation : obligations_.list()) {
    replace(obligation.value);
    replace(obligation.like);
  }
  for (Output& output : system_.outputs) replace(output.value);
  for (Event& event : system_.events) replace(event.when);
  for (Claim& claim : system_.claims) {
    replace(claim.left);
    replace(claim.right);
    for (auto& [left, right] : claim.equations) {
      replace(left);
      replace(right);
    }
    const Domain written = std::exchange(claim.domain, {});
    for (const auto& [e, bound] : written) claim.domain.push_back({substitute(e, values), bound});
    for (Corner& corner : claim.corners) {
      replace(corner.of);
      replace(corner.at);
    }
    const std::vector<Expr> symbols = std::exchange(claim.written, {});
    for (Expr symbol : symbols) {
      const auto value = values.find(symbol);
      const std::vector<Expr> parts =
          value == values.end() ? std::vector<Expr>{symbol} : symbols_in(value->second);
      for (Expr part : parts)
        if (std::find(claim.written.begin(), claim.written.end(), part) == claim.written.end())
          claim.written.push_back(part);
    }
  }
}

bool prescribes_velocity(const System& system, const Constraint& constraint) {
  if (constraint.holonomic || constraint.power_kind != PowerKind::ideal) return false;
  Substitution at_rest;
  std::vector<Expr> velocities, state = system.chart.parameters;
  for (const Direction& direction : system.directions) {
    velocities.push_back(direction.velocity);
    if (!direction.coordinate.empty()) state.push_back(direction.coordinate);
  }
  for (const Rotation& rotation : system.rotations)
    state.insert(state.end(), rotation.quaternion.begin(), rotation.quaternion.end());
  state.insert(state.end(), velocities.begin(), velocities.end());
  const auto holds_any = [](Expr e, const std::vector<Expr>& symbols) {
    return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(e, symbol); });
  };
  for (Expr slope : gradient(constraint.relation, velocities))
    if (holds_any(slope, velocities)) return false;
  for (Expr parameter : system.chart.parameters)
    if (depends_on(constraint.relation, parameter) &&
        std::find(velocities.begin(), velocities.end(), parameter) == velocities.end())
      return false;
  for (Expr velocity : velocities) at_rest.emplace(velocity, system.pool->number(0));
  const Expr said = substitute(constraint.relation, at_rest);
  return !said.is_zero() && !holds_any(said, state);
}

std::vector<FoundDrive> drives_of(const System& system) {
  std::vector<FoundDrive> result;
  for (const Rheonomic& chosen : system.rheonomic)
    result.push_back({FoundDrive::Kind::rheonomic, chosen.name});
  for (const Constraint& constraint : system.constraints) {
    const bool is_asked =
        constraint.power_kind == PowerKind::ideal || constraint.power_kind == PowerKind::actuated;
    if (is_asked && (depends_on(constraint.relation, system.time) || prescribes_velocity(system, constraint)))
      result.push_back({FoundDrive::Kind::constraint, constraint.name});
  }
  if (depends_on(system.kinetic_extended, system.time) || depends_on(system.potential_extended, system.time))
    result.push_back({FoundDrive::Kind::time, system.time.symbol().name});
  return result;
}

}  // namespace liaison
