#pragma once

#include <string>
#include <vector>

#include "exact_numbers.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/unilateral/possible_motions.hpp"

namespace liaison {

/// Why the accelerations at one state do not tell how many motions begin there: a text jumps with a sign that
/// is zero, so that the value there need not be that of any side, or has a root of what is zero, so that
/// there is no Lipschitz condition (Peano's x'' = sqrt(|x|)). Kinks without a jump (abs, min, max) keep
/// uniqueness; so does a root whose base leaves zero at a rate, or for roots of positions with an
/// acceleration: the Lipschitz constant is integrable along the motion there. `equations`: of the constraints
/// of the system, then of the rows of the contacts.
std::vector<std::string> open_at_kinks(Algebra& algebra, const System& system,
                                       const AssembledEquations& equations, const ContactStateValues& state,
                                       const PossibleMotions& motions);

}  // namespace liaison
