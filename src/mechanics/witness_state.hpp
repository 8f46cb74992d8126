#pragma once

#include "liaison/algebra/certainty.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// Makes the point of a refutation a whole state: every coordinate, velocity parameter and parameter has a
/// value, in the order of the model, so that numbers can be computed there. What the question does not depend
/// on gets values that the constraints allow. Accelerations and factors are derived and left out; values of
/// unknown functions stand last.
void complete_witness(const Motion& motion, Witness& witness);

/// As `eval --at` and `--set` read it: a parameter in the unit of its declaration.
void in_declared_units(const System& system, Witness& witness);

}  // namespace liaison
