#pragma once

#include <optional>
#include <vector>

#include "liaison/expr/coefficients.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// e = c_a u'^a + rest; nothing where it is not linear in the accelerations, or holds none.
std::optional<LinearForm> by_accelerations(const Motion& motion, Expr e);

/// What is left of e when w . (mass u' - load - sum lambda l) = 0, with c = w . mass, has taken the
/// accelerations out of it. For an energy w are the velocities (row G2.III): d(T + V)/dt = (forces +
/// reactions) . v. A reaction that has no power is not written.
Expr left_by_equations_of_motion(Algebra& algebra, const Motion& motion, Expr rest,
                                 const std::vector<Expr>& w);

}  // namespace liaison
