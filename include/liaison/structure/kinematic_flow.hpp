#ifndef LIAISON_STRUCTURE_KINEMATIC_FLOW_HPP
#define LIAISON_STRUCTURE_KINEMATIC_FLOW_HPP

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// With symbols for the accelerations: what the relations alone decide, also where the motion has no closed
/// form.
StateFlowResult derive_kinematic_flow(Algebra& algebra, const Motion& motion, const Standing& standing);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_KINEMATIC_FLOW_HPP
