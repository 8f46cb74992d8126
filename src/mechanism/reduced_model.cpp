#include "liaison/mechanism/reduced_model.hpp"

#include <fmt/format.h>

#include "diagnostics.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

std::vector<Expr> coordinates_named(const System& system, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Direction& direction : system.directions) {
    if (!direction.coordinate.empty()) known.push_back(direction.coordinate.symbol().name);
  }
  std::vector<Expr> result;
  for (const std::string& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) {
      const auto nearest = nearest_name(name, known);
      refuse(Status::bad_input, "--by", Problem::bad_usage, fmt::format("there is no coordinate `{}`", name),
             nearest ? fmt::format("did you mean `{}`?", *nearest)
                     : fmt::format("there are {}", fmt::join(known, ", ")));
    }
    for (const Direction& direction : system.directions) {
      if (!direction.coordinate.empty() && direction.coordinate.symbol().name == name)
        result.push_back(direction.coordinate);
    }
  }
  return result;
}

/// Whether another time makes the reduced system a Lagrangian one.
std::string text_of(const ReducingMultiplier& multiplier, bool has_parameters) {
  const std::string time = "a time tau, dtau = N dt, in which motions are those of T(q, N dq/dtau) - V";
  if (multiplier.exists.is_refuted())
    return fmt::format("# There is no N(q) for {}{}: proved ({}).\n", time,
                       has_parameters ? ", for all values of the parameters together" : "",
                       multiplier.reason);
  if (!multiplier.exists.holds())
    return fmt::format("# Whether there is an N(q) for {} was not decided: {}.\n", time, multiplier.reason);
  if (multiplier.value && multiplier.value->is_one())
    return fmt::format("# No forces of the reduction are left, and motions are those of T - V: {}.\n",
                       describe(multiplier.exists));
  std::string text = fmt::format("# There is {}: {}.\n", time, describe(multiplier.exists));
  if (multiplier.value) return text + fmt::format("# N = {}\n", to_infix(*multiplier.value));
  for (std::size_t i = 0; i < multiplier.coordinates.size(); ++i)
    text += fmt::format("# d(log N)/d{} = {}\n", multiplier.coordinates[i].symbol().name,
                        to_infix(multiplier.logarithmic[i]));
  return text;
}

std::string text_of(const ReducedSystem& reduced, const std::optional<ReducingMultiplier>& multiplier) {
  const bool is_routh = reduced.kind == ReducedSystem::Kind::routh;
  std::string text = fmt::format(
      "# {}\n",
      is_routh ? "Routh's reduction: the momenta of the coordinates that are left out are parameters."
               : "Chaplygin's reduction: the relations are solved for the coordinates that are left out.");
  for (std::size_t k = 0; k < reduced.ignored.size(); ++k) {
    const std::string name = reduced.ignored[k].symbol().name;
    if (is_routh)
      text += fmt::format("# {} = {}\n", reduced.momenta[k].symbol().name, to_infix(reduced.momentum[k]));
    text += fmt::format("# {}' = {}\n", name, to_infix(reduced.rates[k]));
  }
  if (!is_routh && !reduced.left_out.empty())
    text += fmt::format("# The start gave {} too: give the velocities that are left by it.\n",
                        fmt::join(reduced.left_out, ", "));
  if (!reduced.events_left_out.empty())
    text += fmt::format("# Events that speak of what is left out are not carried over: {}.\n",
                        fmt::join(reduced.events_left_out, ", "));
  text += fmt::format("# The accelerations are those of the whole model: {}.\n", describe(reduced.agrees));
  if (multiplier) text += text_of(*multiplier, !reduced.system.parameters.empty());
  return text + to_lia(reduced.system);
}

}  // namespace

ReducedModel reduce_model(MechanismParts& parts, const std::vector<std::string>& by) {
  const std::vector<Expr> coordinates = coordinates_named(parts.system(), by);
  const Motion& motion = parts.motion();
  try {
    ReducedModel result{reduce_system(parts.algebra(), motion, coordinates), std::nullopt, {}};
    parts.require_not_interrupted();
    if (!result.reduced.reason.empty()) {
      refuse(Status::bad_input, parts.name(), Problem::bad_usage,
             "this is not reduced: " + result.reduced.reason,
             "ignored are coordinates on which energies, forces and relations do not depend");
    }
    if (result.reduced.kind == ReducedSystem::Kind::chaplygin) {
      const Motion reduced = derive_motion(parts.algebra(), result.reduced.system);
      result.multiplier = find_reducing_multiplier(parts.algebra(), reduced);
      parts.require_not_interrupted();
    }
    result.text = text_of(result.reduced, result.multiplier);
    return result;
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
}

}  // namespace liaison
