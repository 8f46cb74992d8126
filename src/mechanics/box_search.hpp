#pragma once

#include <span>
#include <vector>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// What a search in boxes has seen of the zeros of some equations.
struct BoxSearch {
  std::vector<std::vector<double>> places;  ///< of the unknowns, around which a zero is not excluded
  double reach = 0;                         ///< every box between -reach and reach was looked at
  bool is_complete = false;                 ///< and around no other place is a zero (certain)
};

/// What the values that are meant may be as large as.
struct SizeRange {
  double smallest = 1, largest = 1;
};

/// Boxes of the unknowns are split, the largest first, until an equation certainly has no zero in them, or
/// they are small. `given` holds all other symbols. For a few unknowns.
BoxSearch places_of_zeros(std::span<const Expr> equations, std::span<const Expr> unknowns,
                          const BallPoint& given, SizeRange sizes);

}  // namespace liaison
