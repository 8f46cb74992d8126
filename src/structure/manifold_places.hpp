#pragma once

#include <optional>

#include "liaison/structure/equilibria.hpp"

namespace liaison {

/// Places of rest of a model with relations between its coordinates, or with rotations: the coordinates in a
/// box, the factors as further unknowns without bounds. No chart of the states is chosen, so that none is
/// singular. A rotation that turns about an axis of space without a change of anything is asked modulo these
/// turns. Nothing where the model is another: relations between velocities, with the time, more equations
/// than unknowns.
std::optional<Equilibria> find_rest_on_manifold(Algebra& algebra, const StateFlow& flow,
                                                const Substitution& values);

}  // namespace liaison
