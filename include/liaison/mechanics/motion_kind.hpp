#ifndef LIAISON_MECHANICS_MOTION_KIND_HPP
#define LIAISON_MECHANICS_MOTION_KIND_HPP

#include <optional>
#include <string>

#include "liaison/mechanics/motion.hpp"
#include "liaison/mechanics/state.hpp"

namespace liaison {

/// What engineers separate: the same words in a derivation, at a state, in a verdict and where a run stops.
enum class MotionKind {
  regular,        ///< det r != 0: one motion, one set of factors
  redundant,      ///< one motion; some factors are open
  contradictory,  ///< no factors keep the relations: no motion
  undetermined,   ///< several motions: they depend on what is open
};

/// "regular", "redundant", "contradictory", "undetermined".
std::string name_of(MotionKind kind);
/// "regular", "redundant but consistent", "contradictory", "undetermined motion".
std::string in_words(MotionKind kind);

/// Of a general state, by the closed forms; nothing where there are none.
std::optional<MotionKind> kind_of(const Motion& motion);
/// At one state, to rounding.
MotionKind kind_of(const StateValues& values);

/// The kind of a general state with what is open or which combination says so, as "redundant but consistent:
/// the motion is unique, lambda(left) and lambda(right) are open"; empty where it is not known.
std::string describe_kind(const Motion& motion);

/// Proved: there is no state, or none at which factors keep the relations. Nothing said about its motion is
/// about something.
bool has_no_motion(Algebra& algebra, const Motion& motion);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_MOTION_KIND_HPP
