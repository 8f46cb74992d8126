#include <algorithm>
#include <set>

#include "liaison/mechanism/moving_scene.hpp"
#include "liaison/model/scenery.hpp"
#include "scene_rods.hpp"

namespace liaison {

ShownPlaces shown_places(const MechanismParts& parts) {
  const System& system = parts.system();
  const Scenery scenery = scenery_of(parts.source(), system);
  std::set<std::string> hidden;
  for (const SceneShape& shape : scenery.shapes)
    if (shape.kind == ShapeKind::none) hidden.insert(shape.object);
  const auto is_shown = [&](const auto& object) { return !hidden.contains(object.name); };
  const bool shows_shapes =
      !scenery.joints.empty() ||
      std::any_of(scenery.shapes.begin(), scenery.shapes.end(),
                  [](const SceneShape& shape) { return shape.kind != ShapeKind::none; });
  if (shows_shapes || std::any_of(system.particles.begin(), system.particles.end(), is_shown) ||
      std::any_of(system.bodies.begin(), system.bodies.end(), is_shown))
    return ShownPlaces::some;
  if (!hidden.empty()) return ShownPlaces::hidden;
  return scenery.frames.empty() && !points_of_coordinates(system).empty() ? ShownPlaces::some
                                                                          : ShownPlaces::none;
}

}  // namespace liaison
