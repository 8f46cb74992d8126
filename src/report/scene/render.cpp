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

void scene_frames(const MovingScene& scene, std::size_t frames, double scale, const SceneView& view,
                  const std::function<bool(const ScenePixels&)>& receive) {
  const scene::Painter painter(scene, view);
  const double begin = scene.t.empty() ? 0 : scene.t.front(), end = scene.t.empty() ? 0 : scene.t.back();
  frames = std::max<std::size_t>(frames, 1);
  for (std::size_t i = 0; i < frames; ++i) {
    const double part = frames > 1 ? static_cast<double>(i) / static_cast<double>(frames - 1) : 0;
    if (!receive(scene::write_pixels(painter.at(begin + (end - begin) * part), scale))) return;
  }
}

std::string scene_gif(const MovingScene& scene, std::size_t frames, double seconds, const SceneView& view) {
  std::vector<ScenePixels> pictures;
  frames = std::max<std::size_t>(frames, 1);
  scene_frames(scene, frames, 0.8, view, [&](const ScenePixels& picture) {
    pictures.push_back(picture);
    return true;
  });
  const double each = 100 * seconds / static_cast<double>(frames);
  return scene::write_gif(pictures, static_cast<unsigned>(std::clamp(std::lround(each), 2L, 6000L)));
}

}  // namespace liaison
