#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/region.hpp"

namespace liaison {

/// A symbol that stands inside sines, cosines and tangents alone: the same expressions have the same values
/// where it is larger by any multiple of the period, exactly.
struct PeriodicSymbol {
  Expr symbol;
  Expr period;  ///< 20*pi of cos(x/10), 2*pi/w of sin(w*t)
};

/// Nothing where the symbol stands elsewhere too, or not at all, or has no common period.
std::optional<PeriodicSymbol> turn_of(std::span<const Expr> es, Expr symbol);

/// From points of a region to those of the same region some turns further, near and far: cos(x) = 1 has
/// solutions at all of them, and a search finds what is next to its start.
class TurnLooks {
 public:
  TurnLooks(Algebra& algebra, const Region& region, const std::array<Expr, 2>& sides);
  /// Without one there is nothing to look at.
  bool has_turns() const { return !turns_.empty(); }
  /// A refutation at a point that is some turns away from a given one.
  std::optional<Verdict> from(const PointFinder& finder, const RegionPoint& point);

 private:
  std::optional<Verdict> at(const PointFinder& finder, const RegionPoint& point,
                            std::span<const Rational> multiples);

  Algebra& algebra_;
  const Region& region_;
  const std::array<Expr, 2>& sides_;
  std::vector<PeriodicSymbol> turns_;
  Domain changed_;  ///< what a turn may change
  std::size_t nodes_ = 0;
};

}  // namespace liaison
