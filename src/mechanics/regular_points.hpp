#pragma once

#include <optional>

#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// Where det r has no closed form: whether accelerations and factors are determined by the equations of
/// motion, at certified states. Checked where they are at every state looked at; unknown otherwise. Needs as
/// many factors as relations.
Verdict is_regular_at_points(Algebra& algebra, const Motion& motion);

/// A certified state at which everything rests and from which one motion starts: mass, directions and
/// gradients have a determinant that is certainly not zero. Half of the relations say nothing about rest, so
/// that it is found soon, whatever the number of bodies. Where relations repeat each other: one at which they
/// have the same rank all around. Nothing where it was not found.
std::optional<Witness> regular_state_at_rest(Algebra& algebra, const Motion& motion);

}  // namespace liaison
