#include "scene_solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/orientation.hpp"

namespace liaison {

namespace {

Vector3 cross_product(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Axes e1, e2, e3 with e1 along a vector: a mesh that lies along its x is turned and moved.
SceneMesh moved(SceneMesh mesh, const Vector3& origin, const std::array<Vector3, 3>& axes) {
  for (Vector3& v : mesh.vertices) {
    Vector3 to = origin;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) to[i] += v[k] * axes[k][i];
    v = to;
  }
  return mesh;
}

std::array<Vector3, 3> axes_with(const Vector3& first, bool unit) {
  const double size = std::sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
  const Vector3 e{first[0] / size, first[1] / size, first[2] / size};
  const Vector3 reference = std::abs(e[2]) < 0.9 ? Vector3{0, 0, 1} : Vector3{1, 0, 0};
  Vector3 f = cross_product(reference, e);
  const double length = std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  for (double& x : f) x /= length;
  return {unit ? e : first, f, cross_product(e, f)};
}

void append(SceneMesh& to, const SceneMesh& part) {
  const std::size_t first = to.vertices.size();
  to.vertices.insert(to.vertices.end(), part.vertices.begin(), part.vertices.end());
  const auto shift = [&](std::vector<std::size_t> places) {
    for (std::size_t& place : places) place += first;
    return places;
  };
  for (const SceneMesh::Face& face : part.faces) to.faces.push_back({shift(face.corners), face.tone});
  for (const auto& line : part.lines) to.lines.push_back(shift(line));
}

double size_of(const SceneValues& values, Expr e, const SceneShape& shape, const MechanismParts& parts) {
  const double size = values.number(e);
  if (std::isfinite(size) && size > 0) return size;
  const auto [line, column] = parts.source().place(shape.span.begin);
  refuse(Status::bad_input, fmt::format("{}:{}:{}", parts.name(), line, column), Problem::no_value,
         fmt::format("the size `{}` of this {} is {}", to_infix(e), name_of(shape.kind),
                     std::isfinite(size) ? fmt::format("{:g}, and not positive", size) : "no number"),
         "give its parameters values, or others with --set");
}

SceneMesh mesh_of_file(const SceneShape& shape, double scale, const MechanismParts& parts) {
  try {
    return scene::mesh_of_file(shape.file, scale);
  } catch (const Error& error) {
    const auto [line, column] = parts.source().place(shape.span.begin);
    refuse(Status::bad_input, fmt::format("{}:{}:{}", parts.name(), line, column), Problem::unreadable,
           error.what(), error.hint());
  }
}

}  // namespace

ScenePose pose_of(SceneValues& values, const System& system, const std::vector<Expr>& place,
                  const std::vector<Turn>& turns, Expr angle) {
  ScenePose pose;
  pose.at = values.point(place);
  if (!angle.empty()) {
    pose.turns.push_back({{0, 0, 1}, values.value(angle), {}});
    return pose;
  }
  for (const Turn& turn : turns) {
    SceneTurn out;
    if (turn.rotation) {
      std::array<SceneValue, 4> q;
      for (std::size_t k = 0; k < 4; ++k) q[k] = values.value(system.rotations[*turn.rotation].quaternion[k]);
      out.quaternion = q;
    } else {
      for (std::size_t k = 0; k < 3; ++k) out.axis[k] = values.number(turn.axis[k]);
      out.angle = values.value(turn.angle);
    }
    pose.turns.push_back(out);
  }
  return pose;
}

Vector3 on_body(SceneValues& values, const System& system, const Body& body, const Vector3& point) {
  const Vector3 centre = values.place(body.centre);
  const Vector3 d{point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]};
  if (!body.in_space()) {
    const double a = values.number(body.angle);
    return {d[0] * std::cos(a) + d[1] * std::sin(a), d[1] * std::cos(a) - d[0] * std::sin(a), 0};
  }
  const std::array<Expr, 9> matrix = orientation_matrix(system, body.turns);
  Vector3 local{0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) local[k] += values.number(matrix[3 * i + k]) * d[i];
  return local;
}

namespace {

/// Another place of everything, far from special ones.
SceneRequest elsewhere(const System& system, const SceneRequest& request) {
  SceneRequest other = request;
  double shift = 0.37;
  other.state[system.time] += 0.71;
  for (const Direction& direction : system.directions) {
    if (direction.coordinate.empty()) continue;
    other.state[direction.coordinate] += shift;
    shift = 1.61 * shift - std::floor(1.61 * shift) + 0.11;
  }
  constexpr std::array turned{0.5, -0.1, 0.7, 0.5};  // of length one
  for (const Rotation& rotation : system.rotations)
    for (std::size_t k = 0; k < turned.size(); ++k) other.state[rotation.quaternion[k]] = turned[k];
  return other;
}

}  // namespace

std::vector<Vector3> corners_of(const System& system, const SceneRequest& request, const Body& body) {
  std::vector<Vector3> corners;
  const SceneRequest other = elsewhere(system, request);
  SceneValues here(system, request), there(system, other);
  const auto apart = [](const Vector3& a, const Vector3& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  const auto add = [&](const std::vector<Expr>& point) {
    const Vector3 at = on_body(here, system, body, here.place(point));
    const double size = std::max(1e-12, apart(at, {}));
    // false too where one of both has no value
    if (!(apart(at, on_body(there, system, body, there.place(point))) <= 1e-9 * size)) return;
    const bool known = std::any_of(corners.begin(), corners.end(),
                                   [&](const Vector3& corner) { return apart(corner, at) <= 1e-6 * size; });
    if (!known) corners.push_back(at);
  };
  for (const Contact& contact : system.contacts)
    if (contact.first == body.name || contact.second == body.name) add(contact.point);
  for (const Unilateral& unilateral : system.unilaterals)
    if (unilateral.contact &&
        (unilateral.contact->first == body.name || unilateral.contact->second == body.name))
      add(unilateral.contact->point);
  return corners;
}

std::vector<Vector3> with_opposite_corners(std::vector<Vector3> corners) {
  if (corners.size() != 2) return corners;
  const Vector3 a = corners[0], b = corners[1], across = cross_product(a, b);
  const double area = std::abs(across[2]), sizes = std::hypot(a[0], a[1]) * std::hypot(b[0], b[1]);
  if (area <= 1e-6 * sizes) return corners;
  for (const Vector3& corner : {a, b}) corners.push_back({-corner[0], -corner[1], -corner[2]});
  return corners;
}

SceneMesh mesh_of(const SceneValues& values, const SceneShape& shape, const MechanismParts& parts,
                  bool in_space) {
  std::vector<double> sizes;
  for (Expr e : shape.sizes) sizes.push_back(size_of(values, e, shape, parts));
  SceneMesh mesh;
  switch (shape.kind) {
    case ShapeKind::disc: mesh = scene::disc(sizes[0], in_space); break;
    case ShapeKind::ring: mesh = scene::ring(sizes[0], 0.1 * sizes[0], in_space); break;
    case ShapeKind::ball: mesh = in_space ? scene::ball(sizes[0]) : scene::disc(sizes[0], false); break;
    case ShapeKind::cylinder: mesh = scene::cylinder(sizes[0], sizes[1]); break;
    case ShapeKind::cone: mesh = scene::cone(sizes[0], sizes[1]); break;
    case ShapeKind::box:
      mesh = in_space ? scene::box({sizes[0], sizes[1], sizes[2]}) : scene::rectangle(sizes[0], sizes[1]);
      break;
    case ShapeKind::polygon: {
      std::vector<Vector3> corners;
      for (const std::vector<Expr>& point : shape.points) corners.push_back(values.place(point));
      mesh = scene::polygon(corners);
      break;
    }
    case ShapeKind::mesh: mesh = mesh_of_file(shape, sizes[0], parts); break;
    default: break;
  }
  if (!shape.axis) return mesh;
  Vector3 axis{};
  for (std::size_t k = 0; k < 3; ++k) axis[k] = values.number((*shape.axis)[k]);
  const std::array<Vector3, 3> along = axes_with(axis, true);
  return moved(std::move(mesh), {0, 0, 0}, {along[1], along[2], along[0]});
}

bool turns(const System& system, const Body& body) {
  const auto moves = [&](Expr e) {
    return !e.empty() &&
           (depends_on(e, system.time) ||
            std::any_of(system.directions.begin(), system.directions.end(), [&](const Direction& one) {
              return !one.coordinate.empty() && depends_on(e, one.coordinate);
            }));
  };
  return moves(body.angle) || std::any_of(body.turns.begin(), body.turns.end(), [&](const Turn& turn) {
           return turn.rotation.has_value() || moves(turn.angle);
         });
}

std::vector<Vector3> with_other_end(const SceneValues& values, const Body& body,
                                    std::vector<Vector3> places) {
  constexpr double alike = 0.01;
  if (places.size() != 2) return places;
  const Vector3 end = places[1];
  double largest = 0;
  for (std::size_t k = 0; k < std::min<std::size_t>(body.inertia.size(), 3); ++k)
    largest = std::max(largest, values.number(body.inertia[k]));
  const double half = end[0] * end[0] + end[1] * end[1] + end[2] * end[2];
  const double of_rod = 3 * largest / values.number(body.mass);
  if (std::abs(of_rod - half) <= alike * half) places[0] = {-end[0], -end[1], -end[2]};
  return places;
}

SceneMesh mesh_of_slider(double size, bool in_space) {
  return in_space ? scene::box({2 * size, size, size}) : scene::rectangle(2 * size, 1.2 * size);
}

/// The moments of a solid with its mass m: of a cylinder A = m (3 r^2 + h^2)/12 and C = m r^2/2, of a ball
/// 2/5 m r^2, of a box m (b^2 + c^2)/12.
SceneMesh mesh_of_inertia(const SceneValues& values, const Body& body, double size, bool in_space) {
  const double m = values.number(body.mass);
  std::vector<double> j;
  for (Expr e : body.inertia) j.push_back(values.number(e));
  const bool usable = m > 0 && std::all_of(j.begin(), j.end(), [](double x) { return std::isfinite(x); });
  if (!body.in_space())
    return usable && j[0] > 0 ? scene::disc(std::sqrt(2 * j[0] / m), in_space) : scene::disc(size, in_space);
  const SceneMesh cube = scene::box({size, size, size});
  if (!usable || j[3] != 0 || j[4] != 0 || j[5] != 0) return cube;
  const double A = j[0], B = j[1], C = j[2], least = 1e-9 * std::max({A, B, C});
  if (!(std::max({A, B, C}) > 0)) return cube;
  const auto near = [&](double a, double b) { return std::abs(a - b) <= least; };
  if (near(A, B) && near(B, C)) return scene::ball(std::sqrt(2.5 * A / m));
  if (near(A, B) && C > least && A - C / 2 >= -least) {
    const double radius = std::sqrt(2 * C / m), height = std::sqrt(std::max(0.0, 12 * (A - C / 2) / m));
    return scene::cylinder(radius, std::max(height, radius / 20));
  }
  // About x or y a disc alone: where one moment is small it is as well a rod, and bodies are rather long
  // boxes.
  for (std::size_t k = 0; k < 2; ++k) {
    const double along = j[k], across = j[1 - k];
    if (!near(across, C) || !near(2 * C, along)) continue;
    const double radius = std::sqrt(2 * along / m);
    const std::array<Vector3, 3> axes = axes_with(k == 0 ? Vector3{1, 0, 0} : Vector3{0, 1, 0}, true);
    return moved(scene::cylinder(radius, radius / 20), {0, 0, 0}, {axes[1], axes[2], axes[0]});
  }
  Vector3 sides{};
  const std::array<double, 3> squares{6 * (B + C - A) / m, 6 * (C + A - B) / m, 6 * (A + B - C) / m};
  double longest = 0;
  for (const double square : squares) longest = std::max(longest, square);
  for (std::size_t k = 0; k < 3; ++k) {
    if (squares[k] < -least * 12 / m) return cube;  // no solid has such an inertia
    sides[k] = std::sqrt(std::max(squares[k], 1e-3 * longest));
  }
  return scene::box(sides);
}

SceneMesh mesh_of_link(const std::vector<Vector3>& places, double radius, bool in_space) {
  if (!in_space) return scene::link(places, radius);
  SceneMesh mesh;
  for (std::size_t i = 1; i < places.size(); ++i) {
    Vector3 along{};
    for (std::size_t k = 0; k < 3; ++k) along[k] = places[i][k] - places[0][k];
    append(mesh, moved(scene::rod(radius, true), places[0], axes_with(along, false)));
  }
  return mesh;
}

}  // namespace liaison
