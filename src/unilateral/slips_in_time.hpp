#pragma once

#include "liaison/unilateral/mode_problem.hpp"
#include "motions_in_time.hpp"

namespace liaison {

/// What a motion becomes whose frictions, some of them along surfaces in space, are at their limits: each of
/// those sticks on or begins to slip, and the others do what they do. A slip begins against the friction that
/// held it, and its direction turns from there on as a power series: of each order of the slip the part
/// across the direction vanishes, which gives the next coefficient, and the first part along it that is not
/// zero is positive (rows G5.V-system-I, G5.III-degenerate-general). What sticks on has the first derivative
/// of what its friction lacks to the limit that is not zero positive.
struct SlipsInTime {
  struct Way {
    std::vector<ContactMode> modes;
    std::vector<std::string> how;  ///< one a contact; empty: by its acceleration
  };
  std::vector<Way> ways;
  std::vector<std::string> left_open;  ///< what was not decided, and why
};
SlipsInTime slips_in_time(Algebra& algebra, const System& system, const std::vector<ContactInTime>& contacts,
                          const std::vector<ContactRows>& rows, const PossibleMotion& motion,
                          const ContactStateValues& state);

}  // namespace liaison
