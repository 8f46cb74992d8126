#pragma once

#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanism/motions_at_state.hpp"
#include "liaison/mechanism/parts.hpp"

namespace liaison {

/// The state of a claim `at (...)`, or the start.
GivenState given_by(const System& system, const Claim& claim);

/// A claim about one state of a system with unilateral constraints: `motions == several at (...)`, and
/// equalities of factors and accelerations there.
bool is_about_contacts(const System& system, const Claim& claim);
ClaimResult check_with_contacts(MechanismParts& parts, const Claim& claim);

}  // namespace liaison
