#pragma once

#include "contact_frame.hpp"
#include "liaison/unilateral/onset_in_space.hpp"

/// Motions of a complementarity problem whose forces are not determined.
namespace liaison {

/// Conditions that are this part of their terms are at their limits.
inline constexpr double limit_beside = 1e-8;
/// An acceleration that is this part of the largest without contacts is none.
inline constexpr double rounding_of_rates = 1e-13;

/// All motions of contacts, in the plane and in space; of several at rest in space `left_out` says what was
/// not looked for. Throws Error where their forces cannot be asked for.
SpaceMotions motions_of(const ContactFrame::Problem& problem);

/// Forces that are open change the motion: a continuum of motions, none of which is singled out.
bool is_continuum(const PossibleMotion& motion, const ContactNumbers& numbers);

/// Of a family the way in its middle: at the limit of a condition where all ways are, and nowhere else.
MotionNumbers middle_way(const PossibleMotion& motion, const ContactNumbers& numbers);

/// Ways to carry the load that move alike are one family: where the accelerations are the same, every mean of
/// forces within their limits is within them. Separations and rates of slips that are rounding are zero.
void join_alike(std::vector<PossibleMotion>& motions, const ContactNumbers& numbers);

}  // namespace liaison
