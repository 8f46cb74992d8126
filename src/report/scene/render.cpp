#include <algorithm>
#include <cmath>

#include "picture.hpp"

namespace liaison {

std::string scene_svg(const MovingScene& scene, double t, const SceneView& view) {
  return scene::write_svg(scene::picture_at(scene, t, view));
}

std::string scene_png(const MovingScene& scene, double t, const SceneView& view, double scale) {
  return scene::write_png(scene::picture_at(scene, t, view), scale);
}

void scene_frames(const MovingScene& scene, const std::vector<double>& times, double scale,
                  const SceneView& view, const std::function<bool(const ScenePixels&)>& receive) {
  const scene::Painter painter(scene, view);
  for (const double t : times)
    if (!receive(scene::write_pixels(painter.at(t), scale))) return;
}

std::string scene_gif(const MovingScene& scene, const std::vector<double>& times, double rate,
                      const SceneView& view) {
  std::vector<ScenePixels> pictures;
  scene_frames(scene, times, 0.8, view, [&](const ScenePixels& picture) {
    pictures.push_back(picture);
    return true;
  });
  return scene::write_gif(pictures, rate);
}

}  // namespace liaison
