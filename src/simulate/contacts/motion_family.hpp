#pragma once

#include "liaison/unilateral/mode_problem.hpp"

/// Motions of a complementarity problem whose forces are not determined.
namespace liaison {

/// Conditions that are this part of their terms are at their limits.
inline constexpr double limit_beside = 1e-8;

/// Forces that are open change the motion: a continuum of motions, none of which is singled out.
bool is_continuum(const PossibleMotion& motion, const ContactNumbers& numbers);

/// Of a family the way in its middle: at the limit of a condition where all ways are, and nowhere else.
MotionNumbers middle_way(const PossibleMotion& motion, const ContactNumbers& numbers);

/// Ways to carry the load that move alike are one family: where the accelerations are the same, every mean of
/// forces within their limits is within them. Separations and rates of slips that are rounding are zero.
void join_alike(std::vector<PossibleMotion>& motions, const ContactNumbers& numbers);

}  // namespace liaison
