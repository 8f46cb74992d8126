#pragma once

#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanism/parts.hpp"

namespace liaison {

/// `growth == (2, 3, 4)`, `flag == (2, 3, 4)`, `measure`, `measure(DENSITY)`: of a system as a whole, as
/// `analyze` finds them; values of parameters for which they may be others are conditions.
bool is_about_structure(const Claim& claim);
ClaimResult check_structure(MechanismParts& parts, const Claim& claim);

}  // namespace liaison
