#pragma once

#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/model/system.hpp"
#include "liaison/unilateral/possible_motions.hpp"

namespace liaison {

/// Whether levels whose gradients depend on each other at a state do so all around it: each follows from
/// independent ones of them, by exact algebra. Walls that touch and then part, or come through each other, do
/// not. True where none depends on others.
bool are_kept_together(Algebra& algebra, const System& system, const std::vector<Constraint>& kept,
                       const ContactStateValues& state);

}  // namespace liaison
