#include "run_scene.hpp"

#include <fmt/format.h>

namespace liaison::cli {

MovingScene scene_of_run(MechanismParts& parts, PreparedRun& prepared, const RowTable& rows,
                         const SimulationResult& result) {
  SceneRequest request;
  request.equations = &prepared.equations();
  request.state = prepared.state().values;
  if (!rows.rows.empty()) request.rows = &rows;  // a run that cannot begin: its start
  request.result = &result;
  ThinnedScene thin = thinned(moving_scene(parts, request));
  if (thin.error > 2e-3)
    thin.scene.notes.push_back(
        fmt::format("between its {} times the picture may be off by {:.2g} of its size", thin.scene.t.size(),
                    thin.error));
  return std::move(thin.scene);
}

}  // namespace liaison::cli
