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

std::string text_of(const ReducedSystem& reduced) {
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
  text += fmt::format("# The accelerations are those of the whole model: {}.\n", describe(reduced.agrees));
  return text + to_lia(reduced.system);
}

}  // namespace

ReducedModel reduce_model(MechanismParts& parts, const std::vector<std::string>& by) {
  const std::vector<Expr> coordinates = coordinates_named(parts.system(), by);
  const Motion& motion = parts.motion();
  try {
    ReducedModel result{reduce_system(parts.algebra(), motion, coordinates), {}};
    parts.require_not_interrupted();
    if (!result.reduced.reason.empty()) {
      refuse(Status::bad_input, parts.name(), Problem::bad_usage,
             "this is not reduced: " + result.reduced.reason,
             "ignored are coordinates on which energies, forces and relations do not depend");
    }
    result.text = text_of(result.reduced);
    return result;
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
}

}  // namespace liaison
