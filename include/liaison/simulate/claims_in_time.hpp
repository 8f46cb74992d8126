#ifndef LIAISON_SIMULATE_CLAIMS_IN_TIME_HPP
#define LIAISON_SIMULATE_CLAIMS_IN_TIME_HPP

#include "liaison/mechanics/claims.hpp"

namespace liaison {

/// Decides "claim LEFT == RIGHT [at (STATE)] after T": both sides on the motion that begins at the state, or
/// at the start of the model, T later. The motion is followed by two methods; where they do not agree to what
/// the claim needs, nothing is said.
ClaimResult check_after(Algebra& algebra, const System& system, const Claim& claim);

/// Of a claim that is checked: a change of what contacts do was looked for at samples alone, as the reason of
/// the verdict says. It is told beside the claim.
bool leaves_doubt(const ClaimResult& result);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_CLAIMS_IN_TIME_HPP
