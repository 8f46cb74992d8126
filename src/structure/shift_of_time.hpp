#pragma once

#include <optional>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// The shift of time that keeps positions and their velocities q', where it takes the field to itself: the
/// motion does not depend on time, only its velocity parameters do (x' = u + t). Nothing otherwise.
std::optional<VectorField> shift_of_time(Algebra& algebra, const StateFlow& flow);

}  // namespace liaison
