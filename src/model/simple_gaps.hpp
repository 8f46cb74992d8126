#pragma once

#include <string>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// `gap >= 0` as contacts that have a gradient where they close: all of `gaps` are >= 0.
struct SimpleGaps {
  std::vector<Expr> gaps;
  /// A factor that vanishes without a change of the sign: there the gap holds beside states at which it does
  /// not. Empty if there is none.
  Expr even_factor;
  Expr without_even_factors;  ///< where there is one: the rest, 1 if nothing is left
};

/// Corners that are the meeting of smooth sides, y - abs(x) = min(y - x, y + x), give one gap a side; other
/// corners stay. Repeated factors are left out: y of y^3.
SimpleGaps simple_gaps(Expr gap);

}  // namespace liaison
