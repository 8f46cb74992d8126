#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/algebra/region.hpp"
#include "special_points.hpp"

namespace liaison {

/// Longer expressions are not taken apart to find more places to look at.
bool is_short(Expr e);

/// Looks for a point at which two sides differ in parts of a region that are selected by further equations.
/// Each look gives a refutation or nothing.
class PlaceLooks {
 public:
  PlaceLooks(Algebra& algebra, const Region& region, const std::array<Expr, 2>& sides)
      : algebra_(algebra), region_(region), sides_(sides) {}

  /// At a few points of a part of the region; the witness is without the symbols that the part has added.
  std::optional<Verdict> in(Region part, int wanted = 1, std::span<const Expr> added = {});
  /// The same with the sides as they are on the part.
  std::optional<Verdict> in(Region part, int wanted, std::span<const Expr> added,
                            std::span<const Expr> sides);
  /// Where an inner expression has a value that is known exactly: it is put into both sides.
  std::optional<Verdict> where(const ExactZero& zero);
  /// Where u is stationary, and where a sum of squares vanishes: single points, which may be all that u = 0
  /// or u > 0 consists of.
  std::optional<Verdict> at_single_points(Expr u);
  /// At exact numbers that solutions of the equations are near to.
  std::optional<Verdict> at_constants(std::vector<Expr> equations, const std::vector<Expr>& symbols);
  std::optional<Verdict> at_constant(const Substitution& constants);
  /// asin(sin(w)) is w on the first turn alone, however far w = exp(x - 16) has to go for the next.
  std::optional<Verdict> at_further_turns();
  /// Where the proof ended: on a component, or where a leading coefficient vanishes.
  std::optional<Verdict> on_open_parts(const std::vector<Region>& parts);
  /// Where a factor of each equation that has several vanishes: every choice of factors, while they are few.
  std::optional<Verdict> on_components();
  /// At y = 0 with x < 0, where atan2(y, x) jumps.
  std::optional<Verdict> at_cut(const Cut& cut);
  /// A row of the region follows from others of its rows.
  PointFinder::Follows follows_in(const Region& region);
  /// That were compared so far.
  int points() const { return points_; }

 private:
  Algebra& algebra_;
  const Region& region_;
  const std::array<Expr, 2>& sides_;
  int points_ = 0;
};

}  // namespace liaison
