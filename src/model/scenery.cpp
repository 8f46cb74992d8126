#include "liaison/model/scenery.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace liaison {

namespace {

constexpr std::array<std::pair<ShapeKind, const char*>, 14> names{{
    {ShapeKind::disc, "disc"},
    {ShapeKind::ring, "ring"},
    {ShapeKind::ball, "ball"},
    {ShapeKind::cylinder, "cylinder"},
    {ShapeKind::cone, "cone"},
    {ShapeKind::box, "box"},
    {ShapeKind::polygon, "polygon"},
    {ShapeKind::mesh, "mesh"},
    {ShapeKind::none, "none"},
    {ShapeKind::rod, "rod"},
    {ShapeKind::line, "line"},
    {ShapeKind::spring, "spring"},
    {ShapeKind::damper, "damper"},
    {ShapeKind::point, "point"},
}};

}  // namespace

std::string name_of(ShapeKind kind) {
  for (const auto& [known, name] : names)
    if (known == kind) return name;
  return {};
}

std::optional<ShapeKind> shape_kind_named(const std::string& name) {
  for (const auto& [kind, known] : names)
    if (name == known) return kind;
  return std::nullopt;
}

bool is_solid(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::rod:
    case ShapeKind::line:
    case ShapeKind::spring:
    case ShapeKind::damper:
    case ShapeKind::point: return false;
    default: return true;
  }
}

}  // namespace liaison
