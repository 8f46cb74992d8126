#include "contact_modes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

Substitution values_of(const System& system, const DoublePoint& parameters) {
  Substitution result;
  for (const Parameter& parameter : system.parameters) {
    const auto found = parameters.find(parameter.symbol);
    if (found != parameters.end())
      result[parameter.symbol] = system.pool->number(Rational::from_double(found->second));
  }
  return result;
}

/// The power of the force that keeps a contact, without its resistances.
Expr power_of(const System& system, const Constraint& held) {
  if (held.power_kind != PowerKind::ideal) return held.power;
  return held.holonomic ? time_derivative(system, held.relation) : held.relation;
}

/// l_i of that force.
std::vector<Expr> direction_of(const System& system, const Constraint& held) {
  if (held.power_kind == PowerKind::along) return held.direction;
  const Expr power = power_of(system, held);
  std::vector<Expr> velocities;
  for (const Direction& direction : system.directions) velocities.push_back(direction.velocity);
  if (held.power_kind == PowerKind::ideal) return gradient(power, velocities);
  if (auto components = power_gradient(power, velocities)) return *components;
  throw Error(ErrorCode::wrong_degree,
              fmt::format("the power of `{}` is not of degree one in the velocities", held.name));
}

/// Made of parameters alone.
bool is_constant(const System& system, Expr e) {
  const std::vector<Expr> symbols = symbols_in(std::span(&e, 1));
  return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    return std::any_of(system.parameters.begin(), system.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.symbol == symbol; });
  });
}

Expr length_of(const std::vector<Expr>& velocity) {
  return velocity.size() == 1 ? velocity[0] : sqrt(pow(velocity[0], 2) + pow(velocity[1], 2));
}

}  // namespace

ContactModes::ContactModes(const System& system, const DoublePoint& parameters) : base_(system) {
  unilaterals_ = std::move(base_.unilaterals);
  base_.unilaterals.clear();
  for (const Unilateral& unilateral : unilaterals_) {
    std::erase_if(base_.domain,
                  [&](const Requirement& requirement) { return requirement.e == unilateral.gap(); });
  }
  for (Event& event : base_.events) {
    // Its values are given by the run itself, which then asks again what the contacts do.
    if (event.action == EventAction::reset) event.action = EventAction::stop;
  }
  closed_ = base_;
  const Substitution values = values_of(system, parameters);
  for (const Unilateral& unilateral : unilaterals_) add_contact(unilateral, values);
}

void ContactModes::add_contact(const Unilateral& unilateral, const Substitution& values) {
  ContactLaw law = contact_law(base_, unilateral);
  if (!law.missing.empty()) {
    throw Error(ErrorCode::missing_value, law.missing,
                "write `friction F on U` with the velocity U along the surface, `on [U, V]` in space");
  }
  std::erase_if(law.resistances, [&](const Resistance& resistance) {
    return substitute(resistance.slipping, values).is_zero() &&
           substitute(resistance.sticking, values).is_zero();
  });
  under_factors_.push_back(false);
  for (const Resistance& resistance : law.resistances) {
    const std::string factor = factor_in(resistance);
    if (factor.empty()) continue;
    under_factors_.back() = true;
    if (resistance.velocity.size() == 2)
      throw Error(
          ErrorCode::missing_value,
          fmt::format("the friction of `{}` along a surface in space depends on a factor, lambda({}): "
                      "that is not followed in time yet",
                      unilateral.name, factor),
          "give a coefficient of the state, or one velocity: `friction F on U`");
  }
  for (const Expr component : direction_of(base_, law.held)) {
    const bool turns = std::any_of(base_.directions.begin(), base_.directions.end(),
                                   [&](const Direction& one) { return depends_on(component, one.velocity); });
    if (turns && law.held.power_kind != PowerKind::ideal)
      throw Error(
          ErrorCode::missing_value,
          fmt::format("the direction of the force of `{}` depends on velocities: at an impact and at rest "
                      "that says nothing",
                      unilateral.name),
          "write friction as `friction F on U`, `on [U, V]` in space, or as terms -F*abs(U) of the power");
  }
  Rows rows;
  rows.normal = closed_.constraints.size() - base_.constraints.size();
  closed_.constraints.push_back(law.held);
  for (std::size_t i = 0; i < law.resistances.size(); ++i) {
    std::vector<std::size_t>& places = rows.resisted.emplace_back();
    for (std::size_t k = 0; k < law.resistances[i].velocity.size(); ++k) {
      places.push_back(closed_.constraints.size() - base_.constraints.size());
      const bool one = law.resistances.size() == 1 && law.resistances[i].velocity.size() == 1;
      closed_.constraints.push_back(slip_constraint(
          base_, law.held, law.resistances[i].velocity[k],
          one ? "" : std::to_string(closed_.constraints.size() - base_.constraints.size() - rows.normal)));
    }
  }
  rows_.push_back(std::move(rows));
  laws_.push_back(std::move(law));
}

/// Of one on which a coefficient depends the name; of none an empty one.
std::string ContactModes::factor_in(const Resistance& resistance) const {
  const auto enters = [&](const Constraint& one) {
    return depends_on(resistance.slipping, one.factor) || depends_on(resistance.sticking, one.factor);
  };
  for (const Unilateral& one : unilaterals_)
    if (enters(one)) return one.name;
  for (const Constraint& one : base_.constraints)
    if (enters(one)) return one.name;
  return {};
}

/// The constraint of a closed contact: what slips is resisted against its way, so that the force is
///   N (l - sum mu s dv/dv_i),   s the direction of the slip.
Constraint ContactModes::held(std::size_t contact, const ContactHold& hold) const {
  const ContactLaw& law = laws_[contact];
  Constraint result = law.held;
  if (std::all_of(hold.slips.begin(), hold.slips.end(), [](int slip) { return slip == 0; })) return result;
  if (!base_.chart.parameters.empty()) {
    Substitution at_rest;
    for (const Direction& direction : base_.directions)
      at_rest.emplace(direction.velocity, base_.pool->number(0));
    // how surfaces move by the time alone is no part of a direction
    const auto by_velocities = [&](Expr e) { return e - substitute(e, at_rest); };
    result.power = by_velocities(power_of(base_, law.held));
    for (std::size_t i = 0; i < hold.slips.size(); ++i) {
      if (hold.slips[i] == 0) continue;
      const Resistance& resistance = law.resistances[i];
      const bool is_line = resistance.velocity.size() == 1;
      const Expr resisted = is_line ? by_velocities(resistance.velocity[0]) : length_of(resistance.velocity);
      result.power -= base_.pool->number(hold.slips[i]) * resistance.slipping * resisted;
    }
    result.power_kind = PowerKind::given;
    return result;
  }
  std::vector<Expr> direction = direction_of(base_, law.held);
  for (std::size_t i = 0; i < hold.slips.size(); ++i) {
    if (hold.slips[i] == 0) continue;
    const Resistance& resistance = law.resistances[i];
    const Expr length = length_of(resistance.velocity);
    for (std::size_t a = 0; a < direction.size(); ++a) {
      for (const Expr component : resistance.velocity) {
        const Expr by = derivative(component, base_.directions[a].velocity);
        if (by.is_zero()) continue;
        const Expr along =
            resistance.velocity.size() == 1 ? base_.pool->number(hold.slips[i]) : component / length;
        direction[a] = direction[a] - resistance.slipping * along * by;
      }
    }
  }
  std::vector<Expr> powers;
  for (std::size_t a = 0; a < direction.size(); ++a)
    powers.push_back(direction[a] * base_.directions[a].velocity);
  result.power_kind = PowerKind::along;
  result.power = base_.pool->add(powers);
  result.direction = std::move(direction);
  return result;
}

void ContactModes::add_guards(std::size_t contact, const ContactHold& hold, Mode& mode) const {
  const ContactLaw& law = laws_[contact];
  const auto add = [&](Guard guard, Expr falling, const char* what) {
    mode.guards.push_back(guard);
    mode.system.events.push_back({.name = fmt::format("{} {}", law.held.name, what),
                                  .when = falling,
                                  .direction = EventDirection::falling,
                                  .action = EventAction::stop,
                                  .resets = {},
                                  .span = law.held.span});
  };
  if (hold.kind == ContactHold::Kind::open) {
    add({Guard::Kind::closes, contact}, law.held.relation, "closes");
    return;
  }
  if (hold.kind == ContactHold::Kind::touching) return;
  add({Guard::Kind::opens, contact}, law.held.factor, "opens");
  for (std::size_t i = 0; i < hold.slips.size(); ++i) {
    const Resistance& resistance = law.resistances[i];
    const std::vector<std::size_t>& rows = rows_[contact].resisted[i];
    if (hold.slips[i] != 0) {
      if (!is_constant(base_, resistance.slipping))
        add({Guard::Kind::turns, contact, i}, resistance.slipping, "turns negative");
      if (resistance.velocity.size() == 1)
        add({Guard::Kind::stops, contact, i}, base_.pool->number(hold.slips[i]) * resistance.velocity[0],
            "stops");
      continue;  // along a surface in space the run itself looks at the speed
    }
    const Expr limit = resistance.sticking * law.held.factor;
    const auto force = [&](std::size_t k) {
      return closed_.constraints[base_.constraints.size() + rows[k]].factor;
    };
    if (rows.size() == 2) {
      add({Guard::Kind::slips, contact, i}, pow(limit, 2) - pow(force(0), 2) - pow(force(1), 2), "slips");
    } else {
      add({Guard::Kind::slips, contact, i, -1}, limit - force(0), "slips");
      add({Guard::Kind::slips, contact, i, 1}, limit + force(0), "slips");
    }
  }
}

ContactModes::Mode ContactModes::mode(const ContactHolds& holds) const {
  Mode mode{.system = base_, .guards = {}, .places = {}, .cones = {}};
  const std::size_t bilateral = base_.constraints.size();
  for (std::size_t b = 0; b < bilateral; ++b) mode.places.push_back(b);
  Substitution no_force;
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    if (holds[c].kind != ContactHold::Kind::closed) {
      no_force[laws_[c].held.factor] = base_.pool->number(0);
      continue;
    }
    const std::size_t normal = mode.places.size();
    mode.system.constraints.push_back(held(c, holds[c]));
    // Of several sets of factors that the equations allow those that pull are none.
    if (under_factors_[c]) mode.system.domain.push_back({laws_[c].held.factor, Bound::nonnegative});
    mode.places.push_back(bilateral + rows_[c].normal);
    mode.cones.push_back({.contact = c, .normal = normal});
    for (std::size_t i = 0; i < holds[c].slips.size(); ++i) {
      if (holds[c].slips[i] != 0) continue;
      Cone& cone = mode.cones.emplace_back(Cone{.contact = c, .resistance = i, .normal = normal});
      for (const std::size_t row : rows_[c].resisted[i]) {
        cone.resisted.push_back(mode.places.size());
        mode.system.constraints.push_back(closed_.constraints[bilateral + row]);
        mode.places.push_back(bilateral + row);
      }
    }
  }
  for (std::size_t c = 0; c < laws_.size(); ++c) add_guards(c, holds[c], mode);
  for (Output& output : mode.system.outputs) output.value = substitute(output.value, no_force);
  for (Event& event : mode.system.events) event.when = substitute(event.when, no_force);
  if (std::find(under_factors_.begin(), under_factors_.end(), true) == under_factors_.end()) return mode;
  for (Constraint& constraint : mode.system.constraints) {
    if (!constraint.power.empty()) constraint.power = substitute(constraint.power, no_force);
    for (Expr& component : constraint.direction) component = substitute(component, no_force);
  }
  return mode;
}

bool ContactModes::depends_on_speed(std::size_t contact) const {
  const auto& resistances = laws_[contact].resistances;
  return std::any_of(resistances.begin(), resistances.end(), [&](const Resistance& resistance) {
    return std::any_of(base_.directions.begin(), base_.directions.end(), [&](const Direction& one) {
      return depends_on(resistance.slipping, one.velocity) || depends_on(resistance.sticking, one.velocity);
    });
  });
}

std::string ContactModes::names_of(const std::vector<std::size_t>& contacts) const {
  std::string text;
  for (const std::size_t c : contacts) text += (text.empty() ? "`" : ", `") + name(c) + "`";
  return text;
}

std::string ContactModes::word_for(std::size_t contact, const ContactHold& hold) const {
  if (hold.kind == ContactHold::Kind::open) return "open";
  if (hold.kind == ContactHold::Kind::touching) return "touches";
  if (hold.slips.empty()) return "closed";
  bool slips = false, turns = false;
  for (std::size_t i = 0; i < hold.slips.size(); ++i) {
    if (hold.slips[i] != 0) (laws_[contact].resistances[i].turns ? turns : slips) = true;
  }
  return slips ? "slips" : turns ? "rolls" : "sticks";
}

}  // namespace liaison
