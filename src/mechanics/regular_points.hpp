#pragma once

#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// Where det r has no closed form: whether accelerations and factors are determined by the equations of
/// motion, at certified states. Checked where they are at every state looked at; unknown otherwise. Needs as
/// many factors as relations.
Verdict is_regular_at_points(Algebra& algebra, const Motion& motion);

}  // namespace liaison
