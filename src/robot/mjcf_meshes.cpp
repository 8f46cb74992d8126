#include <fmt/format.h>

#include <cmath>

#include "liaison/robot/robot_text.hpp"
#include "mesh_solid.hpp"
#include "mjcf_reader.hpp"

/// The inertia of a geom of the type mesh, from its file.
namespace liaison::robot {

namespace {

/// Thirteen digits, of corners that have seven; what rounding leaves of a product of inertia, whose size is
/// that of the moments, is none.
Decimal decimal_of(double value, double size) {
  constexpr double rounding = 1e-14;
  return std::abs(value) <= rounding * size ? Decimal{}
                                            : read_decimal(fmt::format("{:.13g}", value)).value_or(Decimal{});
}

}  // namespace

bool MjcfReader::refuse_mesh(const MjcfGeom& geom, const std::string& why) {
  refuse(geom.span, "the inertia of a mesh is not computed" + (why.empty() ? "" : ": " + why),
         "write <inertial> into the body: mujoco.mj_saveLastXML does, with saveinertial=\"true\"");
  return false;
}

std::optional<RobotInertia> MjcfReader::inertia_of_mesh(const MjcfGeom& geom) {
  const auto found = meshes_.find(geom.mesh);
  if (geom.mesh.empty() || found == meshes_.end() || !found->second.has("file")) {
    refuse_mesh(geom, "");
    return std::nullopt;
  }
  const MjcfElement& mesh = found->second;
  const std::string kind = mesh.text("inertia", exact_meshes_ ? "exact" : "legacy");
  if (kind != "exact" && kind != "legacy") {
    refuse_mesh(geom, fmt::format("inertia=\"{}\" is not one that is read", quoted(kind)));
    return std::nullopt;
  }
  if (mesh.has("refquat")) {
    refuse_mesh(geom, "`refquat` is not read");
    return std::nullopt;
  }
  const std::string file = file_of(mesh);
  const std::optional<std::string> bytes = load_ ? load_(file) : std::nullopt;
  std::string problem = "it cannot be read";
  std::vector<Triangle> faces = bytes ? triangles_of(*bytes, file, problem) : std::vector<Triangle>{};
  if (faces.empty()) {
    refuse_mesh(geom, fmt::format("the file `{}`: {}", quoted(file), problem));
    return std::nullopt;
  }
  const Decimal one{"1", 1};
  const DecimalVector scale = vector(mesh, "scale", {one, one, one}), origin = vector(mesh, "refpos");
  double turning = 1;
  for (const Decimal& factor : scale) turning *= factor.value.to_double();
  for (Triangle& face : faces) {
    for (Corner& corner : face)
      for (std::size_t k = 0; k < 3; ++k)
        corner[k] = (corner[k] - origin[k].value.to_double()) * scale[k].value.to_double();
    if (turning < 0) std::swap(face[1], face[2]);  // a mirror turns the faces inside out
  }
  const MeshSolid solid = solid_of(faces, kind == "exact");
  if (!(solid.volume > 0)) {
    refuse_mesh(geom, fmt::format("the file `{}` holds no volume", quoted(file)));
    return std::nullopt;
  }
  const double weight =
      geom.mass ? geom.mass->value.to_double() / solid.volume : geom.density.value.to_double();
  const double size = weight * (solid.xx + solid.yy + solid.zz);
  RobotInertia out;
  out.mass = geom.mass ? *geom.mass : decimal_of(weight * solid.volume, 0);
  out.xx = decimal_of(weight * solid.xx, size);
  out.xy = decimal_of(weight * solid.xy, size);
  out.xz = decimal_of(weight * solid.xz, size);
  out.yy = decimal_of(weight * solid.yy, size);
  out.yz = decimal_of(weight * solid.yz, size);
  out.zz = decimal_of(weight * solid.zz, size);
  const double reach = std::sqrt(size / (weight * solid.volume));
  for (std::size_t k = 0; k < 3; ++k) out.origin.xyz[k] = decimal_of(solid.centre[k], reach);
  return out;
}

}  // namespace liaison::robot
