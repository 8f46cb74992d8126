#pragma once

#include <optional>

#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// A state of rest in exact numbers from which a motion starts, though relations between coordinates repeat
/// each other there: a linkage with more joints than its freedom counts (Bricard). Tried at zero and at the
/// start of the model; nothing where it is not proved.
///
/// The gradients have the rank r there. Linear relations that a motion seems to keep (coordinates that stand,
/// that are equal or opposite), with so many of the given ones that r are independent, make a manifold of
/// n - r dimensions. If all relations hold on it (exact algebra), it is what r independent ones of them leave
/// near the point, and so the set of the places: the rank is r all around. With ideal constraints and a
/// definite mass matrix the accelerations are unique there (Gauss).
std::optional<Witness> rest_on_repeated_relations(Algebra& algebra, const Motion& motion);

}  // namespace liaison
