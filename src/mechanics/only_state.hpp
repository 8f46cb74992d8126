#pragma once

#include <string>

#include "liaison/mechanics/certified_state.hpp"

namespace liaison {

/// Empty where it is proved that the values given by a claim leave one state and no other; else a reason.
/// What relations do not determine at all is zero, and no doubt.
std::string doubt_about_state(Algebra& algebra, const Motion& motion, const Claim& claim,
                              const CertifiedState& state);

}  // namespace liaison
