#pragma once

#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanism/parts.hpp"

namespace liaison {

/// `motions == stable at (...)`, `unstable` or `asymptotically stable`: of a rest or a steady motion, as
/// `stability` judges it, for the values of the parameters.
bool is_about_stability(const Claim& claim);
ClaimResult check_stability(MechanismParts& parts, const Claim& claim);

}  // namespace liaison
