#pragma once

#include "liaison/structure/steady_motion.hpp"

namespace liaison {

/// The linear equations of small deviations from a rest or a steady motion, on the states, where coordinates
/// satisfy relations between them or there are rotations. The motion is steady where a symmetry of the system
/// goes along with it: then deviations are those seen from there. Exact; `known` are values of parameters
/// that are put in, `values` those of the inputs.
SteadyMotion linearise_on_manifold(Algebra& algebra, const StateFlow& flow, const Substitution& given,
                                   const std::vector<Expr>& inputs, const Substitution& known,
                                   const Substitution& values);

}  // namespace liaison
