#pragma once

#include <array>
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
  std::size_t owner = 0;             ///< the place whose coordinates the gap holds
  Expr height;                ///< of a ground that the time moves, in place of ground.height; else empty
  std::vector<Expr> slopes;   ///< of the gap along the coordinates of the owner
  std::vector<Expr> carried;  ///< terms of the gap that the time and parameters make alone
};

/// Of a gap that is linear in the coordinates of one place with constant factors. What else is in it (the
/// angle of a ladder) belongs to the body, and the constants to the ground, with what the time alone moves.
/// None where the gap is between two places, or where it is no length along a line.
std::optional<GroundOfGap> ground_of_gap(const System& system, const SceneValues& values, Expr gap,
                                         const std::vector<DrawnPlace>& places);

/// How far a place is above a ground that the time moves, in units of the gap; a constant may be missing.
Expr above_moving_ground(const GroundOfGap& found, const std::vector<Expr>& place);

/// The two ends of a line on it through what is below the place at the start, so far to both sides; in space
/// of two that cross.
std::vector<std::array<std::vector<Expr>, 2>> lines_of_moving_ground(const SceneValues& values,
                                                                     const GroundOfGap& found,
                                                                     const DrawnPlace& place, double reach);

}  // namespace liaison
