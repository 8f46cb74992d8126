#ifndef LIAISON_MECHANICS_STATES_HPP
#define LIAISON_MECHANICS_STATES_HPP

#include "liaison/algebra/region.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// The states of a system: the real points (coordinates, unit quaternions, velocity parameters, time,
/// parameters with their signs) at which everything in the model has a value and every relation, every
/// holonomic level and its derivative vanish. They may form several components, of different dimension, or
/// none.
Region states_of(const Motion& motion);

/// Those at which all that a motion needs can be differentiated, too.
Region states_with_rates(const Motion& motion);

/// The states with a motion: accelerations and factors are further unknowns, and the equations of motion
/// (mass*u' = load + sum lambda_h l^h, with the relations differentiated) further equations. Nothing is
/// divided by, so a component on which det r vanishes is not lost.
Region motions_of(Algebra& algebra, const Motion& motion);

/// The part of a region that the model's chart q' = psi(t, q, z) gives: for statements in z.
void add_intrinsic_chart(Algebra& algebra, const Motion& motion, Region& region);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_STATES_HPP
