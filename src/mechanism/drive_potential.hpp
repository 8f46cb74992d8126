#pragma once

#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/mechanism/asked_drives.hpp"
#include "liaison/mechanism/parts.hpp"

namespace liaison {

/// P with T + V + P kept, where the drives have one that has a value at this state; asked of systems whose
/// motion is derived at once. Empty: none.
Expr potential_of_drives(MechanismParts& parts, const AssembledEquations& equations, const AskedDrives& asked,
                         const DoublePoint& values);

}  // namespace liaison
