#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "field.hpp"

namespace liaison {

struct PolyBound {
  Poly p;               ///< >= 0
  bool strict = false;  ///< > 0
};

/// A statement about the common zeros of polynomials over the generators of a field: at every real point
/// where all equations vanish and nothing of `nonzero` and `assumed` does, the goal vanishes. The generators'
/// own relations (circle, roots) are to be among the equations.
struct ZeroSetQuestion {
  std::vector<Poly> equations;
  std::vector<Poly> nonzero;  ///< does not vanish where everything has a value
  std::vector<Poly> assumed;  ///< taken not to vanish; a component on which one vanishes is counted
  std::vector<Poly> divided;  ///< divided by on the way, and no property of the region: must vanish nowhere
  std::vector<PolyBound> bounds;  ///< hold on the region: a part on which one cannot has no points
  Poly goal;
  bool forgives_parameters = false;  ///< not counted where it takes special values of parameters
  std::size_t most_open = 1;         ///< the search ends after that many open parts
};

struct ZeroSetAnswer {
  bool vanishes = false;  ///< proved: on every component that may have a real point
  bool empty = false;     ///< proved: there is no real point, whatever is assumed
  /// An assumption vanishes on a set of this dimension that may be a component of its own. A set that is
  /// smaller than every component can be (symbols minus equations) lies in another one and is not counted;
  /// nor is one that needs special values of parameters, which the printed condition excludes.
  std::optional<std::size_t> lost_dimension;
  /// Parts on which the goal is not known to vanish: each with the equations that select it among the zeros
  /// (a factor, a leading coefficient that vanishes, the terms of a sum of squares).
  std::vector<std::vector<Poly>> open;
  bool open_is_all = false;  ///< the goal vanishes at every zero that lies on none of `open`
};

/// Ritt and Wu's method: equations are factored, leading coefficients split into "zero" and "not zero" with
/// both sides followed, the goal is reduced by pseudo-division along each chain. Over the reals, a sum of
/// terms of one sign vanishes only where each term does. Exact; what the limits end is an open question, not
/// an answer: throws LimitReached.
ZeroSetAnswer decide_on_zero_set(const Field& field, const ZeroSetQuestion& question);

}  // namespace liaison
