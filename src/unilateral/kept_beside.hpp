#pragma once

#include <vector>

#include "liaison/model/system.hpp"
#include "liaison/unilateral/possible_motions.hpp"

namespace liaison {

/// Whether relations that depend on each other at a state can all be kept a little later too: the state that
/// velocities and accelerations lead to is near one on all levels. Walls that touch and then part, or come
/// through each other, keep no such one. In doubles, at two moments: `false` is a doubt, not a proof.
bool can_be_kept_on(const System& system, const std::vector<Constraint>& kept,
                    const ContactStateValues& state, const std::vector<Rational>& accelerations);

}  // namespace liaison
