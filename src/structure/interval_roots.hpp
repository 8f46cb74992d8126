#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// Where a root of as many equations as unknowns is looked for.
struct SearchInterval {
  Expr unknown;
  double low = 0, high = 0;
};

/// The only root in a box that holds the piece of the search from which it came.
struct IsolatedRoot {
  std::vector<Ball> value;  ///< sharp
  std::vector<Ball> box;    ///< in which there is no other
};

struct IsolatedRoots {
  std::vector<IsolatedRoot> roots;
  bool all = false;  ///< the search came to its end: there are no others
  std::string reason;
};

/// All roots in a box, by subdivision: a piece is left where an equation excludes zero, or where Krawczyk's
/// test (R. Krawczyk, Computing 4 (1969) 187) on a box twice as large says that it holds one root, or none.
/// `is_stopped` ends it. `linear`: further unknowns, as multipliers, in which the equations are linear; they
/// have no box, for a piece of the others determines them where their columns are independent. Their values
/// stand behind those of the others.
IsolatedRoots isolate_roots(std::span<const Expr> equations, std::span<const SearchInterval> box,
                            std::size_t max_pieces, const std::function<bool()>& is_stopped,
                            std::span<const Expr> linear = {});

}  // namespace liaison
