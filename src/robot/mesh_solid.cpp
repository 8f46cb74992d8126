#include "mesh_solid.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace liaison::robot {

namespace {

constexpr std::size_t stl_head = 84, stl_face = 50;

Corner rounded(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

Corner difference(const Corner& a, const Corner& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Corner cross(const Corner& a, const Corner& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Corner& a, const Corner& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void add_face(const std::vector<Corner>& corners, std::vector<Triangle>& faces) {
  for (std::size_t k = 2; k < corners.size(); ++k) faces.push_back({corners[0], corners[k - 1], corners[k]});
}

bool read_binary_stl(const std::string& bytes, std::vector<Triangle>& faces) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + stl_head - 4, 4);
  if ((bytes.size() - stl_head) / stl_face < count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    Triangle face;
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<float, 3> v{};
      std::memcpy(v.data(), bytes.data() + stl_head + stl_face * i + 12 * (k + 1), sizeof v);
      face[k] = {v[0], v[1], v[2]};
    }
    faces.push_back(face);
  }
  return true;
}

bool read_text_stl(const std::string& bytes, std::vector<Triangle>& faces) {
  std::istringstream text(bytes);
  std::vector<Corner> corners;
  for (std::string word; text >> word;) {
    if (word == "vertex") {
      double x = 0, y = 0, z = 0;
      if (!(text >> x >> y >> z)) return false;
      corners.push_back(rounded(x, y, z));
    } else if (word == "endfacet") {
      add_face(corners, faces);
      corners.clear();
    }
  }
  return true;
}

bool read_obj(const std::string& bytes, std::vector<Triangle>& faces) {
  std::istringstream text(bytes);
  std::vector<Corner> known;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") {
      double x = 0, y = 0, z = 0;
      if (!(words >> x >> y >> z)) return false;
      known.push_back(rounded(x, y, z));
    } else if (word == "f") {
      std::vector<Corner> corners;
      while (words >> word) {
        const long given = std::strtol(word.c_str(), nullptr, 10), count = static_cast<long>(known.size());
        if (given == 0 || given > count || given < -count) return false;
        corners.push_back(known[static_cast<std::size_t>(given < 0 ? count + given : given - 1)]);
      }
      add_face(corners, faces);
    }
  }
  return true;
}

}  // namespace

std::vector<Triangle> triangles_of(const std::string& bytes, std::string_view name, std::string& problem) {
  std::vector<Triangle> faces;
  const auto is_a = [&](std::string_view lower, std::string_view upper) {
    return name.ends_with(lower) || name.ends_with(upper);
  };
  bool is_read = false;
  if (is_a(".obj", ".OBJ")) {
    is_read = read_obj(bytes, faces);
  } else if (is_a(".stl", ".STL")) {
    std::uint32_t count = 0;
    if (bytes.size() >= stl_head) std::memcpy(&count, bytes.data() + stl_head - 4, 4);
    const bool is_text = bytes.starts_with("solid") && bytes.size() != stl_head + stl_face * count;
    is_read =
        is_text ? read_text_stl(bytes, faces) : bytes.size() >= stl_head && read_binary_stl(bytes, faces);
  } else {
    problem = "only files .stl and .obj are read";
    return {};
  }
  for (const Triangle& face : faces)
    for (const Corner& corner : face)
      for (double x : corner) is_read = is_read && std::isfinite(x);
  if (is_read && !faces.empty()) return faces;
  problem = is_read ? "it holds no faces" : "what it holds is no mesh";
  return {};
}

MeshSolid solid_of(const std::vector<Triangle>& faces, bool exact) {
  double area = 0;
  Corner middle{};
  for (const Triangle& f : faces) {
    const Corner normal = cross(difference(f[1], f[0]), difference(f[2], f[0]));
    const double size = std::sqrt(dot(normal, normal));
    area += size;
    for (std::size_t k = 0; k < 3; ++k) middle[k] += size * (f[0][k] + f[1][k] + f[2][k]) / 3;
  }
  MeshSolid solid;
  if (!(area > 0)) return solid;
  for (double& x : middle) x /= area;
  const auto seen_from = [](const Triangle& f, const Corner& p) {
    return Triangle{difference(f[0], p), difference(f[1], p), difference(f[2], p)};
  };
  const auto volume_of = [&](const Triangle& f) {
    const double volume = dot(f[0], cross(f[1], f[2])) / 6;
    return exact ? volume : std::abs(volume);
  };
  for (const Triangle& face : faces) {
    const Triangle f = seen_from(face, middle);
    const double volume = volume_of(f);
    solid.volume += volume;
    for (std::size_t k = 0; k < 3; ++k) solid.centre[k] += volume * (f[0][k] + f[1][k] + f[2][k]) / 4;
  }
  if (!(solid.volume > 0)) return solid;
  for (std::size_t k = 0; k < 3; ++k) solid.centre[k] = middle[k] + solid.centre[k] / solid.volume;
  solid.volume = 0;
  std::array<std::array<double, 3>, 3> second{};  // of the places in it
  for (const Triangle& face : faces) {
    const Triangle f = seen_from(face, solid.centre);
    const double volume = volume_of(f);
    solid.volume += volume;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        second[i][j] += volume / 20 *
                        ((f[0][i] + f[1][i] + f[2][i]) * (f[0][j] + f[1][j] + f[2][j]) + f[0][i] * f[0][j] +
                         f[1][i] * f[1][j] + f[2][i] * f[2][j]);
  }
  solid.xx = second[1][1] + second[2][2];
  solid.yy = second[0][0] + second[2][2];
  solid.zz = second[0][0] + second[1][1];
  solid.xy = -second[0][1];
  solid.xz = -second[0][2];
  solid.yz = -second[1][2];
  return solid;
}

}  // namespace liaison::robot
