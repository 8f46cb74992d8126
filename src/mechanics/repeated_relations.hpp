#pragma once

#include <optional>

#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// A state of rest in exact numbers from which a motion starts, though relations repeat each other there: a
/// linkage with more joints than its freedom counts (Bricard), a car on four wheels. Tried at zero and at the
/// start of the model; nothing where it is not proved. Needs ideal constraints and a definite mass matrix, so
/// that accelerations are unique where the relations have them (Gauss). One of two proofs does:
///
/// Straight on. Hold what no velocity moves that the gradients allow at the place. If the gradients are then
/// numbers, their rank is the same there, the velocities that they allow lead nowhere else, and straight
/// lines have them for ever: the motion stays on these.
///
/// By a symmetry, for relations between coordinates. The gradients have the rank r. Linear relations that a
/// motion seems to keep (coordinates that stand, that are equal or opposite), with so many of the given ones
/// that r are independent, make a manifold of n - r dimensions. If all relations hold on it (exact algebra),
/// it is what r independent ones of them leave near the point, and so the set of the places: the rank is r
/// all around.
std::optional<Witness> rest_on_repeated_relations(Algebra& algebra, const Motion& motion);

}  // namespace liaison
