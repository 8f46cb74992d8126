#ifndef LIAISON_MECHANISM_MOVING_SCENE_HPP
#define LIAISON_MECHANISM_MOVING_SCENE_HPP

#include <string>
#include <vector>

#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanism/evaluated_state.hpp"
#include "liaison/mechanism/parts.hpp"
#include "liaison/report/scene.hpp"
#include "liaison/simulate/simulation.hpp"
#include "liaison/simulate/trajectory_file.hpp"

namespace liaison {

/// A run, or one state where there are no rows.
struct SceneRequest {
  const AssembledEquations* equations = nullptr;  ///< whose names the rows have
  DoublePoint state;                              ///< the start, with the parameters
  const RowTable* rows = nullptr;
  const SimulationResult* result = nullptr;  ///< events, contacts and impacts
};

/// What the model says about places, as solids that move with the rows: shapes as they are given, springs,
/// dampers, joints, contacts and their grounds, and where a body has no shape, one from its joints or its
/// inertia. Rods are drawn where the distance of two particles is proved to stay. Between rows positions go
/// by the cubic through both places and velocities. Empty where there are no places: `notes` says so. Throws
/// Refused where a size, or a place in the first picture, has no value; a place without one later is noted.
MovingScene moving_scene(MechanismParts& parts, const SceneRequest& request);

/// Whether the model says where anything is, and whether a picture has any of it: asked before a run whose
/// picture alone is wanted.
enum class ShownPlaces { some, none, hidden };
ShownPlaces shown_places(const MechanismParts& parts);

/// Throws Refused where a shape has no size, or a mesh no faces: before a run whose picture is wanted.
void require_shapes(MechanismParts& parts, const AssembledEquations& equations, const DoublePoint& state);

/// One state, with the reactions with which a motion begins there; a note says where these are not known.
/// Throws Refused where it is none.
MovingScene scene_at(MechanismParts& parts, const GivenState& given);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_MOVING_SCENE_HPP
