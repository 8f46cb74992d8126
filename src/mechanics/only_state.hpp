#pragma once

#include <string>
#include <utility>
#include <vector>

#include "liaison/mechanics/certified_state.hpp"

namespace liaison {

/// Whether there may be other states with the values that a claim gives.
struct StateDoubt {
  std::string reason;                                        ///< empty: it is proved that there is no other
  std::vector<std::vector<std::pair<Expr, double>>> others;  ///< values of others that were found
};

/// What relations do not determine at all is zero, and no doubt. All others are found where what is left open
/// satisfies polynomial equations; else, where there is no proof, they are looked for in boxes around zero.
StateDoubt doubt_about_state(Algebra& algebra, const Motion& motion, const Claim& claim,
                             const CertifiedState& state);

/// Another state with the values that a claim gives.
struct StateElsewhere {
  std::string where;  ///< "x = 2": what moved most, of what is asked about if it did
  DoublePoint values;
};
std::vector<StateElsewhere> states_elsewhere(const Motion& motion, const Claim& claim,
                                             const CertifiedState& state, const StateDoubt& doubt,
                                             Expr about);

}  // namespace liaison
