#pragma once

#include <cmath>

#include "liaison/report/scene.hpp"

/// Places of a scene at one instant.
namespace liaison::scene {

inline Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vector3 operator*(double s, const Vector3& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
inline double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Vector3& a) {
  return std::sqrt(dot(a, a));
}

/// Columns: where the axes of a solid point in space.
struct Placement {
  Vector3 origin{0, 0, 0};
  std::array<Vector3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vector3 to_space(const Vector3& local) const {
    return origin + local[0] * axes[0] + local[1] * axes[1] + local[2] * axes[2];
  }
};

/// The values of a scene at a time: straight between rows.
class Instant {
 public:
  Instant(const MovingScene& scene, double t);
  double value(const SceneValue& value) const {
    return value.column ? values_[*value.column] : value.constant;
  }
  Vector3 point(const ScenePoint& p) const { return {value(p[0]), value(p[1]), value(p[2])}; }
  Placement placement(const SceneSolid& solid) const;
  Placement placement(const ScenePose& pose) const;
  double time() const { return t_; }

 private:
  double t_;
  std::vector<double> values_;
};

/// A particle is a dot of some pixels: it takes no room.
inline bool is_dot(const SceneSolid& solid) {
  return solid.kind == "particle";
}

/// The corners of what is seen in a run: all solids at all rows; around what rests in one place as much room
/// as the size of the scene.
struct Bounds {
  Vector3 low{0, 0, 0}, high{0, 0, 0};
  std::vector<Vector3> points = {};  ///< that were looked at
  double size() const { return length(high - low); }
};
Bounds bounds_of(const MovingScene& scene);

}  // namespace liaison::scene
