#ifndef LIAISON_MECHANISM_MOTIONS_AT_STATE_HPP
#define LIAISON_MECHANISM_MOTIONS_AT_STATE_HPP

#include "liaison/mechanism/evaluated_state.hpp"
#include "liaison/unilateral/possible_motions.hpp"

namespace liaison {

struct MotionsAtState {
  CompletedState state;
  Substitution values;  ///< the same, exactly as given
  PossibleMotions motions;
};
/// Every motion that the unilateral constraints allow at a state. Given values are taken exactly. Throws
/// Refused where the state is none, a contact is violated (with the depth), an impact is due, or something
/// has no value.
/// `touching`: unilateral constraints that are closed there and stay so; what is not given is found from them
/// too.
MotionsAtState motions_at(MechanismParts& parts, const GivenState& given,
                          const std::vector<std::string>& touching = {});

/// What the symbols of factors, accelerations, r and drives are in one motion at the state.
Substitution values_in_motion(const System& system, const PossibleMotions& motions,
                              const MotionNumbers& numbers);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_MOTIONS_AT_STATE_HPP
