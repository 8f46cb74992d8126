#pragma once

#include <span>

#include "liaison/model/system.hpp"

namespace liaison {

/// A coefficient, with its sign by the direction, and the velocity that is resisted.
struct ResistedSlip {
  Expr coefficient, velocity;
};

/// The constraint of a closed contact whose slips are resisted in proportion to its factor. Its force has the
/// components of the relation and of the slips by the velocities: how surfaces move by the time alone is no
/// part of them.
Constraint with_resistance(const System& system, const Constraint& held, std::span<const ResistedSlip> slips);

}  // namespace liaison
