#pragma once

#include <optional>
#include <string>
#include <vector>

#include "liaison/model/system.hpp"
#include "liaison/report/scene.hpp"
#include "scene_values.hpp"

namespace liaison {

/// Something that is drawn: where it is, and how far it reaches from there if it is round, else 0.
struct DrawnPlace {
  std::string name;
  std::vector<Expr> place;
  double reach = 0;
};

/// What a gap says about the ground: `y - a >= 0` of a disc of radius a is the line y = 0.
struct GroundOfGap {
  SceneGround ground;
  std::vector<Expr> normal;          ///< of length one
  std::optional<std::size_t> place;  ///< whose gap is that of its place alone: the one that touches
};

/// Of a gap that is linear in the coordinates of one place with constant factors. What else is in it (the
/// angle of a ladder) belongs to the body, and the constants to the ground. None where the gap is between
/// two places, where the ground moves, or where the gap is no length along a line.
std::optional<GroundOfGap> ground_of_gap(const System& system, const SceneValues& values, Expr gap,
                                         const std::vector<DrawnPlace>& places);

}  // namespace liaison
