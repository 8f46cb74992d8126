#pragma once

#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

/// Motions of contacts along surfaces in space that Newton's method finds from many starts (`step_motions`),
/// of accelerations as of a step of time: also where forces hold each other, of which one way is shown. Each
/// is a motion to rounding; there may be others.
struct SearchedMotions {
  std::vector<PossibleMotion> motions;
  bool depends_on_load = false;  ///< on how contacts share what they carry: two of many are given
};
SearchedMotions search_in_space(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts);

}  // namespace liaison
