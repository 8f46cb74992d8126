#pragma once

#include <vector>

#include "liaison/unilateral/mode_problem.hpp"
#include "motions_in_time.hpp"

/// What of a motion lies at the limits of its conditions, where accelerations do not decide how it goes on.
namespace liaison {

/// What acts depends on the state alone, and the state stays as it is. `texts`: all of which that is made.
bool is_rest_that_goes_on(const System& system, const std::vector<Expr>& texts,
                          const ContactStateValues& state, const PossibleMotion& motion);

/// A function with a kink is among the texts of a motion.
bool has_kinks(const std::vector<Expr>& texts);

/// An equilibrium that no higher derivative leaves: whatever carries it, it is the one motion that is rest.
bool stays_at_rest(const PossibleMotion& motion);

/// All forces of the family give the same accelerations.
bool has_one_acceleration(const PossibleMotion& motion);

/// A family of forces for one motion, of which some are within all limits: it goes on, whatever the others
/// do.
bool is_held_within_limits(const PossibleMotion& motion, const std::vector<ContactRows>& contacts);

/// Something that stays at rest has a friction at its limit, that of slipping or that of sticking.
bool is_at_limit_of_friction(const PossibleMotion& motion, const std::vector<ContactRows>& contacts);

/// The same along a surface in space.
bool is_at_limit_in_space(const PossibleMotion& motion, const std::vector<ContactRows>& contacts);

/// What each contact may do from the state on, as far as the accelerations of the motion let it. Nothing
/// where velocities along surfaces in space are at rest: they have more ways than can be listed.
std::vector<std::vector<WayInTime>> ways_in_time(const PossibleMotion& motion,
                                                 const std::vector<ContactRows>& contacts);

/// A part of a family is not a motion of its own. Of two that are one the first stays.
void drop_parts(std::vector<PossibleMotion>& motions);

/// Accelerations that differ by no more than that.
bool move_alike(const PossibleMotion& one, const PossibleMotion& other, double within);
/// Those that are the same motion as one whose forces are one way of many, with some of them zero.
void drop_shared_otherwise(std::vector<PossibleMotion>& motions, const PossibleMotion& one, double within);

}  // namespace liaison
