#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/mechanics/open_factors.hpp"
#include "liaison/mechanism/moving_scene.hpp"
#include "liaison/mechanism/prepared_run.hpp"
#include "state_problems.hpp"

/// One state: the reactions there are those with which a motion begins.
namespace liaison {

namespace {

struct FirstRow {
  RowTable rows;  ///< one, or none
  SimulationResult result;
  std::vector<std::vector<double>> open;  ///< directions in which the factors could be others
  std::string why_not;
};

/// An impact that is due at a state gives the motion other velocities at once: these are not asked for.
bool is_of_state(const Row& row, const std::vector<double>& state) {
  for (std::size_t i = 0; i < state.size(); ++i)
    if (std::abs(row.y[i] - state[i]) > 1e-9 * std::max(1.0, std::abs(state[i]))) return false;
  return true;
}

FirstRow first_row(PreparedRun& prepared) {
  FirstRow first;
  const std::vector<double> state = prepared.evaluator().pack(prepared.state().values);
  first.rows.columns = trajectory_columns(prepared.equations(), prepared.observations());
  const auto take = [&](const Row& row) {
    if (!is_of_state(row, state)) {
      first.why_not = "an impact is due at this state";
      return false;
    }
    first.rows.rows.push_back(trajectory_values(prepared.equations(), row));
    if (!prepared.has_contacts()) first.open = prepared.evaluator().open_factors();  // else the run tells
    return false;
  };
  const SimulationReceivers receivers{take, [](const RunningSimulation&) { return true; }};
  const double begin = prepared.begin();
  first.result =
      prepared.run(begin, state, {.until = begin + 1, .tolerance = prepared.tolerance()}, receivers);
  if (first.rows.rows.empty() && first.why_not.empty()) first.why_not = first.result.message;
  return first;
}

/// Which reactions the state leaves open; empty where it determines all.
std::string note_of_open(const System& system, const PreparedRun& prepared, const FirstRow& first) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) { names.push_back(fmt::format("`{}`", name)); };
  for (const std::size_t factor : describe_open(first.open).factors) add(prepared.equations().names[factor]);
  for (const std::size_t contact : first.result.open_contacts) add(system.unilaterals[contact].name);
  if (names.empty()) return {};
  return fmt::format("how {} is not determined at this state: one way of many is drawn",
                     names.size() == 1 ? fmt::format("much {} carries", names[0])
                                       : fmt::format("{} share what they carry", fmt::join(names, ", ")));
}

}  // namespace

MovingScene scene_at(MechanismParts& parts, const GivenState& given) {
  SceneRequest request;
  request.equations = &parts.equations();
  CompletedState state;
  try {
    state = complete_state(*request.equations, {.given = in_doubles(given.state),
                                                .parameters = in_doubles(given.parameters),
                                                .use_start = given.use_start,
                                                .project = given.project});
  } catch (const Error& error) {
    refuse(Status::numerical_failure, parts.name(), Problem::no_value,
           std::string("the start has no value: ") + error.what(), "choose other parameters with --set");
  }
  require_state(parts, state, given.option, given.project);
  request.state = std::move(state.values);
  const System& system = parts.system();
  const bool has_reactions = !system.constraints.empty() || !system.unilaterals.empty();
  if (!has_reactions || !system.families.empty()) return moving_scene(parts, request);
  std::string why_not;
  try {
    PreparedRun prepared(parts, given.parameters, given.state, given.project,
                         {.engine = Engine::interpreted});
    const FirstRow first = first_row(prepared);
    why_not = first.why_not;
    if (!first.rows.rows.empty()) {
      request.equations = &prepared.equations();
      request.state = prepared.state().values;
      request.rows = &first.rows;
      request.result = &first.result;
      MovingScene scene = moving_scene(parts, request);
      if (std::string open = note_of_open(system, prepared, first); !open.empty())
        scene.notes.push_back(std::move(open));
      return scene;
    }
  } catch (const Refused& refused) {  // a picture of places needs no motion
    why_not = refused.messages.empty() ? "" : refused.messages.front().text;
  }
  parts.require_not_interrupted();
  MovingScene scene = moving_scene(parts, request);
  scene.notes.push_back(why_not.empty() ? "the reactions are not drawn: there is no motion from this state"
                                        : "the reactions are not drawn: " + why_not);
  return scene;
}

}  // namespace liaison
