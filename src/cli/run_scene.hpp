#pragma once

#include "liaison/mechanism/moving_scene.hpp"
#include "liaison/mechanism/prepared_run.hpp"

namespace liaison::cli {

/// The moving picture of a run, thinned to what a page holds; empty where the model has no places.
MovingScene scene_of_run(MechanismParts& parts, PreparedRun& prepared, const RowTable& rows,
                         const SimulationResult& result);

}  // namespace liaison::cli
