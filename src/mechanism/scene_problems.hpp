#pragma once

#include "liaison/mechanism/parts.hpp"
#include "liaison/model/scenery.hpp"
#include "liaison/report/scene.hpp"
#include "scene_values.hpp"

namespace liaison {

/// Throws Refused where something has no place in the first picture: it would be missing there without a
/// word. Where it has none later, a note says when. Arrows that have no value at all are noted and taken out.
void require_scene_values(MovingScene& scene, const SceneValues& values, const MechanismParts& parts,
                          const Scenery& scenery);

}  // namespace liaison
