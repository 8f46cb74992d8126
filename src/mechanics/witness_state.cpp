#include "witness_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "liaison/mechanics/initial_state.hpp"

namespace liaison {

namespace {

/// 30 where 17 digits of pi/6 are meant; else the same.
Rational without_rounding(const Rational& value) {
  const auto few_digits = Rational::parse(fmt::format("{:.12g}", value.to_double()));
  if (!few_digits) return value;
  const Rational moved = abs(*few_digits - value);
  return moved <= *Rational::parse("1e-15") * abs(value) ? *few_digits : value;
}

using Values = std::unordered_map<Expr, Rational>;

/// Coordinates, quaternions, velocity parameters, the time; then velocities and the parameters of the model's
/// chart, which a state may have besides; then parameters.
struct Names {
  std::vector<Expr> needed, other, parameters;
};

Names names_of(const Motion& motion) {
  const System& system = *motion.space.system;
  Names names;
  for (const ScalarCoordinate& coordinate : motion.space.coframe->scalar_coordinates()) {
    if (coordinate.symbol != system.time) names.needed.push_back(coordinate.symbol);
  }
  names.other.push_back(system.time);
  for (const Direction& direction : system.directions) names.other.push_back(direction.velocity);
  for (Expr z : system.intrinsic.parameters) names.other.push_back(z);
  std::erase_if(names.other, [&](Expr symbol) {
    return std::find(names.needed.begin(), names.needed.end(), symbol) != names.needed.end();
  });
  for (const Parameter& parameter : system.parameters) names.parameters.push_back(parameter.symbol);
  return names;
}

bool is_quaternion(const System& system, Expr symbol) {
  return std::any_of(system.rotations.begin(), system.rotations.end(), [&](const Rotation& rotation) {
    return std::find(rotation.quaternion.begin(), rotation.quaternion.end(), symbol) !=
           rotation.quaternion.end();
  });
}

/// Where nothing speaks of them parameters have the model's values.
void add_parameters(const System& system, Values& values) {
  for (const Parameter& parameter : system.parameters)
    values.emplace(parameter.symbol, parameter.value.value_or(Rational(1)));
}

/// Not zero: there a mass or the direction of a friction may be lost.
Values with_any_values(const System& system, const Names& names, Values values) {
  const std::array some{Rational(1, 2), Rational(1), Rational(2, 3), Rational(3, 2), Rational(2)};
  std::size_t next = 0;
  for (Expr symbol : names.needed) {
    if (!is_quaternion(system, symbol) && values.emplace(symbol, some[next % some.size()]).second) ++next;
  }
  return values;
}

/// The same state with a value for every symbol; nothing where it is none to the rounding of doubles.
std::optional<Values> completed(const Motion& motion, const Names& names, Values values) {
  StateRequest request;
  request.use_start = false;
  for (const auto* list : {&names.needed, &names.other}) {
    for (Expr symbol : *list) {
      if (const auto found = values.find(symbol); found != values.end())
        request.given.emplace_back(symbol, found->second.to_double());
    }
  }
  for (Expr symbol : names.parameters) request.parameters.emplace_back(symbol, values.at(symbol).to_double());
  try {
    const CompletedState state = complete_state(motion, request);
    if (!state.ok()) return std::nullopt;
    for (Expr symbol : names.needed) values.emplace(symbol, Rational::from_double(state.values.at(symbol)));
  } catch (const Error&) {
    return std::nullopt;
  }
  return values;
}

}  // namespace

void complete_witness(const Motion& motion, Witness& witness) {
  if (witness.point.empty()) return;
  const System& system = *motion.space.system;
  const Names names = names_of(motion);
  Values values;
  std::vector<std::pair<Expr, Rational>> functions;
  for (const auto& [symbol, value] : witness.point) {
    if (symbol.is(Op::apply)) {
      functions.emplace_back(symbol, value);
    } else {
      values.emplace(symbol, value);
    }
  }
  add_parameters(system, values);
  auto whole = completed(motion, names, with_any_values(system, names, values));
  if (!whole) whole = completed(motion, names, values);
  if (whole) values = std::move(*whole);
  witness.point.clear();
  for (const auto* list : {&names.needed, &names.other, &names.parameters}) {
    for (Expr symbol : *list) {
      if (const auto found = values.find(symbol); found != values.end())
        witness.point.emplace_back(symbol, found->second);
    }
  }
  witness.point.insert(witness.point.end(), functions.begin(), functions.end());
}

void in_declared_units(const System& system, Witness& witness) {
  for (auto& [symbol, value] : witness.point) {
    for (const Parameter& parameter : system.parameters) {
      if (parameter.symbol != symbol || !parameter.unit) continue;
      value = value / parameter.unit->scale;
      if (parameter.unit->pi != 0) value = without_rounding(value);
    }
  }
}

}  // namespace liaison
