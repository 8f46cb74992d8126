#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "liaison/mechanics/certified_state.hpp"

namespace liaison {

using OpenValues = std::vector<std::pair<Expr, double>>;

/// Whether there may be other states with the values that a claim gives.
struct StateDoubt {
  std::string reason;              ///< empty: it is proved that there is no other
  std::vector<OpenValues> others;  ///< values of others that were found
  /// Every other one lies in one of these boxes (proved), which have balls of all that the rest is linear in
  /// and that is not determined; in a box there may be none. Nothing where that is not known.
  std::optional<std::vector<BallPoint>> all = std::nullopt;
};

/// What relations do not determine at all is zero, and no doubt. All others are found where what is left open
/// satisfies polynomial equations; else, where there is no proof, they are looked for in boxes around zero.
StateDoubt doubt_about_state(Algebra& algebra, const Motion& motion, const Claim& claim,
                             const CertifiedState& state);

/// The state with the values that a claim gives in one of the boxes of a doubt; uncertain where it is not
/// known to lie in that one alone.
CertifiedState certify_state_in(Algebra& algebra, const Motion& motion, const Claim& claim,
                                const std::vector<BallPoint>& boxes, std::size_t box);

}  // namespace liaison
