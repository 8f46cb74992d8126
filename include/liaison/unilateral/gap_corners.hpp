#ifndef LIAISON_UNILATERAL_GAP_CORNERS_HPP
#define LIAISON_UNILATERAL_GAP_CORNERS_HPP

#include <string>
#include <vector>

#include "liaison/model/system.hpp"

namespace liaison {

/// Where a gap bends: an argument of abs, min or max in it vanishes. Its two sides have gradients of their
/// own there, and the contact no normal.
struct GapCorner {
  Expr argument;                ///< zero at the corner
  Expr rate;                    ///< its time derivative; empty where that is an acceleration
  bool of_time;                 ///< the argument depends on the time alone: a wall that starts or stops
  Expr above, below;            ///< the gap where the argument is positive, and where it is negative
  Expr rate_above, rate_below;  ///< of these; zero where the gap is a speed
  std::vector<Expr> bend;       ///< by how much the gradients differ; what is zero everywhere is left out
};

/// Those at which the gradients may differ.
std::vector<GapCorner> gap_corners(const System& system, const Constraint& contact);

/// By the velocities, of the rate of a gap and of a speed itself: the direction in which it is felt.
std::vector<Expr> gap_gradient(const System& system, const Constraint& contact, Expr gap);

/// Why a contact has no one motion on an edge: it rests there, or closes, or presses in a step of time.
enum class OnEdge { rests, closes, presses };
std::string text_of_edge(const std::string& contact, Expr argument, OnEdge how);
/// And why it has none where the gradient of its gap vanishes.
std::string text_without_normal(const std::string& contact);

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_GAP_CORNERS_HPP
