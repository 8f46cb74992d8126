#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "liaison/expr/error.hpp"
#include "liaison/report/scene.hpp"

/// Meshes of files: STL, text or binary (3D Systems, 1988), and the v and f lines of Wavefront OBJ.
namespace liaison::scene {

namespace {

constexpr std::size_t most_faces = 20'000;  ///< more do not move smoothly

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::missing_value, fmt::format("the mesh {}: {}", path, why),
              "a mesh is a file .stl or .obj with at most 20000 faces");
}

/// Equal corners of triangles become one vertex.
class Builder {
 public:
  Builder(const std::string& path, double scale) : path_(path), scale_(scale) {}
  std::size_t vertex(Vector3 v) {
    for (double& x : v) {
      x *= scale_;
      if (!std::isfinite(x)) refuse(path_, "a corner is no number");
    }
    const auto [known, is_new] = places_.emplace(v, mesh.vertices.size());
    if (is_new) mesh.vertices.push_back(v);
    return known->second;
  }
  void face(std::vector<std::size_t> corners) {
    if (corners.size() < 3) refuse(path_, "a face has less than three corners");
    if (mesh.faces.size() == most_faces) refuse(path_, fmt::format("it has more than {} faces", most_faces));
    mesh.faces.push_back({std::move(corners), 1});
  }
  SceneMesh mesh;

 private:
  const std::string& path_;
  double scale_;
  std::map<Vector3, std::size_t> places_;
};

void read_binary(const std::string& bytes, const std::string& path, Builder& builder) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, 4);
  if (bytes.size() < 84 + std::size_t{50} * count) refuse(path, "it ends before its last triangle");
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<std::size_t> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<float, 3> v{};
      std::memcpy(v.data(), bytes.data() + 84 + std::size_t{50} * i + 12 + 12 * k, 12);
      corners.push_back(builder.vertex({v[0], v[1], v[2]}));
    }
    builder.face(std::move(corners));
  }
}

void read_text(const std::string& bytes, const std::string& path, Builder& builder) {
  std::istringstream text(bytes);
  std::vector<std::size_t> corners;
  for (std::string word; text >> word;) {
    if (word == "vertex") {
      Vector3 v{};
      if (!(text >> v[0] >> v[1] >> v[2])) refuse(path, "a vertex has not three numbers");
      corners.push_back(builder.vertex(v));
    } else if (word == "endfacet") {
      builder.face(std::exchange(corners, {}));
    }
  }
}

void read_obj(const std::string& bytes, const std::string& path, Builder& builder) {
  std::istringstream text(bytes);
  std::vector<std::size_t> known;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") {
      Vector3 v{};
      if (!(words >> v[0] >> v[1] >> v[2])) refuse(path, "a vertex has not three numbers");
      known.push_back(builder.vertex(v));
    } else if (word == "f") {
      std::vector<std::size_t> corners;
      while (words >> word) {
        const long given = std::strtol(word.c_str(), nullptr, 10);
        const long place = given < 0 ? static_cast<long>(known.size()) + given : given - 1;
        if (given == 0 || place < 0 || place >= static_cast<long>(known.size()))
          refuse(path, "a face names a corner that is not there");
        corners.push_back(known[static_cast<std::size_t>(place)]);
      }
      builder.face(std::move(corners));
    }
  }
}

}  // namespace

SceneMesh mesh_of_file(const std::string& path, double scale) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) refuse(path, "it cannot be read");
  Builder builder(path, scale);
  std::uint32_t count = 0;
  if (bytes.size() >= 84) std::memcpy(&count, bytes.data() + 80, 4);
  if (path.ends_with(".obj") || path.ends_with(".OBJ")) {
    read_obj(bytes, path, builder);
  } else if (bytes.starts_with("solid") && bytes.size() != 84 + std::size_t{50} * count) {
    read_text(bytes, path, builder);
  } else if (bytes.size() >= 84) {
    read_binary(bytes, path, builder);
  }
  if (builder.mesh.faces.empty()) refuse(path, "it holds no faces");
  return std::move(builder.mesh);
}

}  // namespace liaison::scene
