#pragma once

#include <vector>

#include "liaison/model/scenery.hpp"
#include "liaison/report/scene.hpp"
#include "scene_values.hpp"

namespace liaison {

/// Between axes of a body and space.
ScenePose pose_of(SceneValues& values, const System& system, const std::vector<Expr>& place,
                  const std::vector<Turn>& turns, Expr angle);
/// A point of space on the axes of a body, at the start.
Vector3 on_body(SceneValues& values, const System& system, const Body& body, const Vector3& point);

/// The places of a body at which it touches, on its axes: corners of its own, which stay there however it
/// moves.
std::vector<Vector3> corners_of(const System& system, const SceneRequest& request, const Body& body);
/// A body without joints in the plane: of two corners that are not in line with the centre it has those
/// opposite to them too.
std::vector<Vector3> with_opposite_corners(std::vector<Vector3> corners);

/// Of a shape statement on the axes of an object. Throws Refused where a size is none.
SceneMesh mesh_of(const SceneValues& values, const SceneShape& shape, const MechanismParts& parts,
                  bool in_space);
/// The uniform disc, ball, cylinder or box with the mass and the inertia of a body; where there is none, a
/// cube of the given size.
SceneMesh mesh_of_inertia(const SceneValues& values, const Body& body, double size, bool in_space);
/// Whether the orientation of a body changes: else its inertia tells nothing of it.
bool turns(const System& system, const Body& body);
/// A block of about that size.
SceneMesh mesh_of_slider(double size, bool in_space);
/// From the centre and a joint of a body with the inertia of a uniform rod to its other end (m l^2/12): both
/// ends of the rod. Else the places as they are.
std::vector<Vector3> with_other_end(const SceneValues& values, const Body& body, std::vector<Vector3> places);
/// Bars between joints: the hull of the places in the plane, bars from the first one in space.
SceneMesh mesh_of_link(const std::vector<Vector3>& places, double radius, bool in_space);

}  // namespace liaison
