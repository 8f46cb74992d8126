#ifndef LIAISON_UNILATERAL_ONSET_IN_SPACE_HPP
#define LIAISON_UNILATERAL_ONSET_IN_SPACE_HPP

#include <string>
#include <vector>

#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

struct SpaceMotions {
  std::vector<PossibleMotion> motions;
  bool every_direction = false;  ///< it may begin to slip, and nothing tells one way from another
  std::string left_out;          ///< not empty: motions that were not looked for
};

/// One contact at rest along a surface in space (rows G5.V-system-I, G5.V-one-contact-3d): open; sticking,
/// with X^2 + Y^2 <= (mu N)^2; or beginning to slip in a direction (cos s, sin s) that is not known before.
/// That is a root of a polynomial of degree four in tan(s/2): all real ones are isolated, and the signs of N
/// and of the rate of the slip at them are certain. The resisted rows of the contact are its two components.
SpaceMotions motions_in_space(const ContactNumbers& numbers, const ContactRows& contact);

/// The same of several contacts, or of one that resists more than its slip (rows G5.V-all-slip-two-contacts,
/// G5.V-mixed-two-contacts): every assignment of open, stick and slip, exactly; the directions of those that
/// begin to slip by a search over all of them with balls, each isolated by Krawczyk's test. Forces that hold
/// each other, so that they are not determined, are left out and said.
SpaceMotions motions_in_space(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts);

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_ONSET_IN_SPACE_HPP
