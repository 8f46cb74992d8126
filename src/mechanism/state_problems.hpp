#pragma once

#include <span>

#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanism/parts.hpp"

namespace liaison {

/// Throws Refused with why a state cannot be used, if it cannot. `option`: where the state was given, "--at".
void require_state(MechanismParts& parts, const CompletedState& state, const std::string& option,
                   bool projected);

/// Throws Refused where the state is one at which the motion is not the one that would be computed: a
/// unilateral constraint is closed or violated, or a speed that a friction law resists is exactly zero.
void require_honoured(MechanismParts& parts, const DoublePoint& state, const std::string& option);

/// Throws Refused where a gap is negative, by more than a state is known to.
void require_no_violation(MechanismParts& parts, const DoublePoint& state, const std::string& option);

/// Throws Refused where a speed that a friction law resists is exactly zero.
void require_directions(MechanismParts& parts, const DoublePoint& state, const std::string& option);

/// What is wrong with factors at a state, by the names of their constraints: the contacts that pull. None:
/// all push.
std::vector<Message> pulling_contacts(MechanismParts& parts, std::span<const std::string> names,
                                      std::span<const double> factors, const DoublePoint& state);

}  // namespace liaison
