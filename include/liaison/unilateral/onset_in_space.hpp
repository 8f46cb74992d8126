#pragma once

#include <string>
#include <vector>

#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

struct SpaceMotions {
  std::vector<PossibleMotion> motions;
  bool every_direction = false;  ///< it may begin to slip, and nothing tells one way from another
};

/// One contact at rest along a surface in space (rows G5.V-system-I, G5.V-one-contact-3d): open; sticking,
/// with X^2 + Y^2 <= (mu N)^2; or beginning to slip in a direction (cos s, sin s) that is not known before.
/// That is a root of a polynomial of degree four in tan(s/2): all real ones are isolated, and the signs of N
/// and of the rate of the slip at them are certain. The resisted rows of the contact are its two components.
SpaceMotions motions_in_space(const ContactNumbers& numbers, const ContactRows& contact);

}  // namespace liaison
