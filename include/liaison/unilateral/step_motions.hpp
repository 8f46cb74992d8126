#ifndef LIAISON_UNILATERAL_STEP_MOTIONS_HPP
#define LIAISON_UNILATERAL_STEP_MOTIONS_HPP

#include <cstddef>
#include <vector>

#include "liaison/unilateral/many_contacts.hpp"

/// Few contacts in one step of time: the motions that are found from many starts.
namespace liaison {

struct StepMotion {
  std::vector<double> impulses;    ///< one a row; where the contacts share a load, one way of many
  std::vector<double> velocities;  ///< u+
  double residual = 0;             ///< as in ManyImpulses
  /// Impulses near these give other velocities: contacts that slip share a load, and the motion depends on
  /// how they do.
  bool is_open = false;
};

/// Motions of Moreau's law for one step (rows G5.V-all-slip-two-contacts, G5.V-mixed-two-contacts), each by
/// Newton's method on the law from a start of its own: with no impulse, with each set of contacts pressing
/// while these sets are few, and with impulses drawn at random, always the same. Different ones alone. All
/// are motions to rounding; that there are no others is not said.
std::vector<StepMotion> step_motions(const ManyContacts& problem);
/// The one near those impulses, of a problem that differs a little; empty impulses where there is none.
StepMotion step_motion_near(const ManyContacts& problem, const std::vector<double>& impulses);

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_STEP_MOTIONS_HPP
