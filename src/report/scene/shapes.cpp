#include <algorithm>
#include <cmath>
#include <numbers>

#include "liaison/report/scene.hpp"

/// Solids as faces. Sides are counted so that a picture of a thousand faces moves smoothly.
namespace liaison::scene {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double dark = 0.72;  ///< tone of every other sector

/// A circle across z; the places of its vertices.
std::vector<std::size_t> add_circle(SceneMesh& mesh, double radius, double z, std::size_t sides) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < sides; ++i) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(sides);
    places.push_back(mesh.vertices.size());
    mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
  }
  return places;
}

/// Four sectors of two tones.
void add_cap(SceneMesh& mesh, const std::vector<std::size_t>& circle, double z) {
  const std::size_t middle = mesh.vertices.size(), quarter = circle.size() / 4;
  mesh.vertices.push_back({0, 0, z});
  for (std::size_t q = 0; q < 4; ++q) {
    SceneMesh::Face face{{middle}, q % 2 == 0 ? 1 : dark};
    for (std::size_t i = 0; i <= quarter; ++i)
      face.corners.push_back(circle[(q * quarter + i) % circle.size()]);
    mesh.faces.push_back(std::move(face));
  }
}

void add_wall(SceneMesh& mesh, const std::vector<std::size_t>& low, const std::vector<std::size_t>& high) {
  for (std::size_t i = 0; i < low.size(); ++i) {
    const std::size_t k = (i + 1) % low.size();
    mesh.faces.push_back({{low[i], low[k], high[k], high[i]}, 1});
  }
}

void close_line(SceneMesh& mesh, std::vector<std::size_t> line) {
  line.push_back(line.front());
  mesh.lines.push_back(std::move(line));
}

/// Of what lies in the plane: one face, and its edge.
void add_area(SceneMesh& mesh, const std::vector<Vector3>& corners, double tone = 1) {
  std::vector<std::size_t> places;
  for (const Vector3& corner : corners) {
    places.push_back(mesh.vertices.size());
    mesh.vertices.push_back(corner);
  }
  mesh.faces.push_back({places, tone});
  close_line(mesh, places);
}

void add_line(SceneMesh& mesh, const std::vector<Vector3>& points) {
  std::vector<std::size_t> places;
  for (const Vector3& point : points) {
    places.push_back(mesh.vertices.size());
    mesh.vertices.push_back(point);
  }
  mesh.lines.push_back(std::move(places));
}

}  // namespace

SceneMesh disc(double radius, bool in_space) {
  if (in_space) return cylinder(radius, radius / 12);
  SceneMesh mesh;
  const std::vector<std::size_t> circle = add_circle(mesh, radius, 0, 48);
  add_cap(mesh, circle, 0);
  close_line(mesh, circle);
  return mesh;
}

SceneMesh ring(double radius, double width, bool in_space) {
  SceneMesh mesh;
  const double inner = radius - width;
  const std::size_t sides = 48;
  if (!in_space) {
    const auto in = add_circle(mesh, inner, 0, sides), out = add_circle(mesh, radius, 0, sides);
    for (std::size_t i = 0; i < sides; ++i) {
      const std::size_t k = (i + 1) % sides;
      mesh.faces.push_back({{in[i], in[k], out[k], out[i]}, (i / 12) % 2 == 0 ? 1 : dark});
    }
    close_line(mesh, in);
    close_line(mesh, out);
    return mesh;
  }
  const auto a = add_circle(mesh, inner, -width / 2, sides), b = add_circle(mesh, radius, -width / 2, sides);
  const auto c = add_circle(mesh, radius, width / 2, sides), d = add_circle(mesh, inner, width / 2, sides);
  for (const auto& [from, to] : {std::pair(&a, &b), {&b, &c}, {&c, &d}, {&d, &a}}) add_wall(mesh, *from, *to);
  return mesh;
}

SceneMesh ball(double radius) {
  SceneMesh mesh;
  const std::size_t around = 28, bands = 16;
  std::vector<std::vector<std::size_t>> circles;
  for (std::size_t b = 0; b <= bands; ++b) {
    const double angle = pi * static_cast<double>(b) / static_cast<double>(bands);
    circles.push_back(add_circle(mesh, radius * std::sin(angle), -radius * std::cos(angle), around));
  }
  for (std::size_t b = 0; b < bands; ++b) {
    for (std::size_t i = 0; i < around; ++i) {
      const std::size_t k = (i + 1) % around;
      const bool light = (i / 7 + (b < bands / 2 ? 0 : 1)) % 2 == 0;
      mesh.faces.push_back(
          {{circles[b][i], circles[b][k], circles[b + 1][k], circles[b + 1][i]}, light ? 1 : dark});
    }
  }
  return mesh;
}

SceneMesh cylinder(double radius, double length) {
  SceneMesh mesh;
  const auto low = add_circle(mesh, radius, -length / 2, 32), high = add_circle(mesh, radius, length / 2, 32);
  add_wall(mesh, low, high);
  add_cap(mesh, low, -length / 2);
  add_cap(mesh, high, length / 2);
  return mesh;
}

/// Its tip at the origin, its base at `length` along z.
SceneMesh cone(double radius, double length) {
  SceneMesh mesh;
  const auto base = add_circle(mesh, radius, length, 32);
  const std::size_t tip = mesh.vertices.size();
  mesh.vertices.push_back({0, 0, 0});
  for (std::size_t i = 0; i < base.size(); ++i)
    mesh.faces.push_back({{tip, base[i], base[(i + 1) % base.size()]}, (i / 8) % 2 == 0 ? 1 : dark});
  add_cap(mesh, base, length);
  return mesh;
}

SceneMesh box(const Vector3& sides) {
  SceneMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        {(i & 1 ? 0.5 : -0.5) * sides[0], (i & 2 ? 0.5 : -0.5) * sides[1], (i & 4 ? 0.5 : -0.5) * sides[2]});
  for (const auto& face : std::vector<std::vector<std::size_t>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    mesh.faces.push_back({face, 1});
  for (const SceneMesh::Face& face : std::vector(mesh.faces)) close_line(mesh, face.corners);
  return mesh;
}

SceneMesh rectangle(double a, double b) {
  SceneMesh mesh;
  add_area(mesh, {{-a / 2, -b / 2, 0}, {a / 2, -b / 2, 0}, {a / 2, b / 2, 0}, {-a / 2, b / 2, 0}});
  return mesh;
}

SceneMesh polygon(const std::vector<Vector3>& corners) {
  SceneMesh mesh;
  add_area(mesh, corners);
  return mesh;
}

SceneMesh link(const std::vector<Vector3>& points, double radius) {
  std::vector<Vector3> around;
  for (const Vector3& point : points)
    for (int i = 0; i < 32; ++i)
      around.push_back(
          {point[0] + radius * std::cos(pi * i / 16), point[1] + radius * std::sin(pi * i / 16), 0});
  std::sort(around.begin(), around.end());
  std::vector<Vector3> hull;
  const auto turns_left = [](const Vector3& a, const Vector3& b, const Vector3& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
  };
  for (int side = 0; side < 2; ++side) {  // Andrew's monotone chain
    const std::size_t begin = hull.size();
    for (const Vector3& point : around) {
      while (hull.size() >= begin + 2 && !turns_left(hull[hull.size() - 2], hull.back(), point))
        hull.pop_back();
      hull.push_back(point);
    }
    hull.pop_back();
    std::reverse(around.begin(), around.end());
  }
  return polygon(hull);
}

SceneMesh rod(double radius, bool in_space) {
  SceneMesh mesh;
  if (!in_space) {
    add_area(mesh, {{0, -radius, 0}, {1, -radius, 0}, {1, radius, 0}, {0, radius, 0}});
    return mesh;
  }
  std::vector<std::size_t> begin, end;
  for (int i = 0; i < 10; ++i) {
    const double y = radius * std::cos(pi * i / 5), z = radius * std::sin(pi * i / 5);
    begin.push_back(mesh.vertices.size());
    mesh.vertices.push_back({0, y, z});
    end.push_back(mesh.vertices.size());
    mesh.vertices.push_back({1, y, z});
  }
  add_wall(mesh, begin, end);
  mesh.faces.push_back({begin, 1});
  mesh.faces.push_back({end, 1});
  return mesh;
}

SceneMesh line() {
  SceneMesh mesh;
  add_line(mesh, {{0, 0, 0}, {1, 0, 0}});
  return mesh;
}

SceneMesh spring(double radius, bool in_space) {
  std::vector<Vector3> points{{0, 0, 0}};
  if (in_space) {
    const int turns = 8, parts = 12;
    for (int i = 0; i <= turns * parts; ++i) {
      const double angle = 2 * pi * i / parts;
      points.push_back({0.1 + 0.8 * i / (turns * parts), radius * std::cos(angle), radius * std::sin(angle)});
    }
  } else {
    points.push_back({0.12, 0, 0});
    for (int i = 0; i < 12; ++i)
      points.push_back({0.12 + 0.76 * (i + 0.5) / 12, i % 2 == 0 ? radius : -radius, 0});
    points.push_back({0.88, 0, 0});
  }
  points.push_back({1, 0, 0});
  SceneMesh mesh;
  add_line(mesh, points);
  return mesh;
}

/// A pot and a piston: the pot from 0.3 to 0.7 of the length, the piston in it.
SceneMesh damper(double radius, bool in_space) {
  SceneMesh mesh;
  add_line(mesh, {{0, 0, 0}, {0.3, 0, 0}});
  add_line(mesh, {{0.55, 0, 0}, {1, 0, 0}});
  if (!in_space) {
    add_line(mesh, {{0.7, -radius, 0}, {0.3, -radius, 0}, {0.3, radius, 0}, {0.7, radius, 0}});
    add_line(mesh, {{0.55, -0.8 * radius, 0}, {0.55, 0.8 * radius, 0}});
    return mesh;
  }
  std::vector<std::size_t> begin, end;
  for (int i = 0; i < 12; ++i) {
    const double y = radius * std::cos(pi * i / 6), z = radius * std::sin(pi * i / 6);
    begin.push_back(mesh.vertices.size());
    mesh.vertices.push_back({0.3, y, z});
    end.push_back(mesh.vertices.size());
    mesh.vertices.push_back({0.65, y, z});
  }
  add_wall(mesh, begin, end);
  mesh.faces.push_back({begin, 1});
  return mesh;
}

SceneMesh support(double size) {
  SceneMesh mesh;
  add_area(mesh, {{0, 0, 0}, {-0.9 * size, -1.5 * size, 0}, {0.9 * size, -1.5 * size, 0}});
  add_line(mesh, {{-1.5 * size, -1.5 * size, 0}, {1.5 * size, -1.5 * size, 0}});
  for (int i = -2; i <= 3; ++i) {
    const double x = 0.5 * size * i - 0.2 * size;
    add_line(mesh, {{x, -1.5 * size, 0}, {x - 0.5 * size, -2 * size, 0}});
  }
  return mesh;
}

}  // namespace liaison::scene
