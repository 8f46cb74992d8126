#include "geometry.hpp"

#include <algorithm>
#include <limits>

namespace liaison::scene {

namespace {

/// Axes turned by a turn that is given on them.
std::array<Vector3, 3> turned(const std::array<Vector3, 3>& axes, double s, const Vector3& v) {
  // the matrix of the quaternion (s, v), its columns combined with the axes
  const double n = s * s + dot(v, v);
  if (!(n > 0)) return axes;
  const auto [x, y, z] = v;
  const double m[3][3] = {{s * s + x * x - y * y - z * z, 2 * (x * y - s * z), 2 * (x * z + s * y)},
                          {2 * (x * y + s * z), s * s - x * x + y * y - z * z, 2 * (y * z - s * x)},
                          {2 * (x * z - s * y), 2 * (y * z + s * x), s * s - x * x - y * y + z * z}};
  std::array<Vector3, 3> result;
  for (std::size_t k = 0; k < 3; ++k)
    result[k] = (m[0][k] / n) * axes[0] + (m[1][k] / n) * axes[1] + (m[2][k] / n) * axes[2];
  return result;
}

}  // namespace

Instant::Instant(const MovingScene& scene, double t) : t_(t), values_(scene.columns.size(), 0) {
  if (scene.t.empty()) return;
  const auto behind = std::upper_bound(scene.t.begin(), scene.t.end(), t);
  const auto last = scene.t.size() - 1;
  const std::size_t b = std::min<std::size_t>(static_cast<std::size_t>(behind - scene.t.begin()), last);
  const std::size_t a = b == 0 || behind == scene.t.begin() ? 0 : (behind == scene.t.end() ? last : b - 1);
  const double width = scene.t[b] - scene.t[a];
  const double part = width > 0 ? std::clamp((t - scene.t[a]) / width, 0.0, 1.0) : 0;
  for (std::size_t c = 0; c < values_.size(); ++c)
    values_[c] =
        part == 0 ? scene.columns[c][a] : (1 - part) * scene.columns[c][a] + part * scene.columns[c][b];
}

Placement Instant::placement(const ScenePose& pose) const {
  Placement result;
  result.origin = point(pose.at);
  for (const SceneTurn& turn : pose.turns) {
    if (turn.quaternion) {
      const auto& q = *turn.quaternion;
      result.axes = turned(result.axes, value(q[0]), {value(q[1]), value(q[2]), value(q[3])});
    } else {
      const double half = value(turn.angle) / 2;
      result.axes = turned(result.axes, std::cos(half), (std::sin(half) / length(turn.axis)) * turn.axis);
    }
  }
  return result;
}

Placement Instant::placement(const SceneSolid& solid) const {
  if (!solid.between) return placement(solid.pose);
  const Vector3 from = point((*solid.between)[0]), to = point((*solid.between)[1]);
  Placement result;
  result.origin = from;
  result.axes[0] = to - from;
  const double size = length(result.axes[0]);
  if (!(size > 0)) return result;
  const Vector3 along = (1 / size) * result.axes[0];
  const Vector3 reference = std::abs(along[2]) < 0.9 ? Vector3{0, 0, 1} : Vector3{1, 0, 0};
  const Vector3 side = cross(reference, along);
  result.axes[1] = (1 / length(side)) * side;
  result.axes[2] = cross(along, result.axes[1]);
  return result;
}

Bounds bounds_of(const MovingScene& scene) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Bounds bounds{{far, far, far}, {-far, -far, -far}, {}};
  const auto add = [&](const Vector3& p) {
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) return;
    bounds.points.push_back(p);
    for (std::size_t k = 0; k < 3; ++k) {
      bounds.low[k] = std::min(bounds.low[k], p[k]);
      bounds.high[k] = std::max(bounds.high[k], p[k]);
    }
  };
  const std::size_t rows = std::max<std::size_t>(scene.t.size(), 1);
  const std::size_t stride = std::max<std::size_t>(1, rows / 300);  // the picture is framed, not measured
  for (std::size_t i = 0; i < rows; i += stride) {
    const Instant now(scene, scene.t.empty() ? 0 : scene.t[i]);
    for (const SceneSolid& solid : scene.solids) {
      const Placement place = now.placement(solid);
      const std::size_t step = std::max<std::size_t>(1, solid.mesh.vertices.size() / 24);
      if (is_dot(solid)) add(place.origin);
      for (std::size_t v = 0; v < solid.mesh.vertices.size() && !is_dot(solid); v += step)
        add(place.to_space(solid.mesh.vertices[v]));
    }
    for (const SceneTrack& track : scene.tracks) add(now.point(track.at));
  }
  if (!(bounds.low[0] <= bounds.high[0])) return {{-1, -1, -1}, {1, 1, 1}, {{-1, -1, -1}, {1, 1, 1}}};
  double largest = 0, coordinate = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    largest = std::max(largest, bounds.high[k] - bounds.low[k]);
    coordinate = std::max({coordinate, std::abs(bounds.low[k]), std::abs(bounds.high[k])});
  }
  if (largest > 1e-6 * coordinate) return bounds;  // JSON has seven digits
  for (std::size_t k = 0; k < (scene.in_space ? 3 : 2); ++k) {
    bounds.low[k] -= scene.size / 2;
    bounds.high[k] += scene.size / 2;
  }
  return bounds;
}

}  // namespace liaison::scene
