#pragma once

#include "liaison/structure/steady_motion.hpp"

namespace liaison {

/// The characteristic polynomial of the matrix A of a steady motion, how often it has the root zero, and
/// Hurwitz's determinants of the rest.
void add_characteristic(Algebra& algebra, SteadyMotion& motion);

}  // namespace liaison
