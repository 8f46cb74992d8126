#pragma once

#include <string>
#include <vector>

#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

/// Conditions of motions that differ from their limits by less than rounding of the data may be, and are not
/// exactly at them: what they are, what holds as the data were given, and what holds a little beyond. Empty
/// where there is none. `is_exact`: the state was not completed in doubles, so that what is exactly at a
/// limit is there. One velocity at rest in space alone, or any in the plane.
std::string near_limits(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts,
                        const std::vector<std::string>& names, const std::vector<PossibleMotion>& motions,
                        bool is_exact);

}  // namespace liaison
