#pragma once

#include <optional>

#include "liaison/structure/equilibria.hpp"

namespace liaison {

/// What jumps at rest, as `sign(x')`: a force that has any value up to its limit there. Nothing: none does
/// (proved). What else is said of places of rest takes sign(0) = 0: no force of friction is needed there.
std::optional<Expr> jump_at_rest(Algebra& algebra, const StateFlow& flow, const Substitution& values);

/// Tells of a search that friction may hold other places; of one free velocity, exactly which.
void admit_dry_friction(Algebra& algebra, const StateFlow& flow, const Substitution& values,
                        Equilibria& found);

}  // namespace liaison
