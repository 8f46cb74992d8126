#pragma once

#include "liaison/algebra/algebra.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// Places where the relations and energies have a value as they are written and what is derived from them has
/// none: a root that vanishes, a corner of abs, min or max. Each e of a requirement e != 0 once. Of states
/// (levels are differentiated), or of motions (all relations are, and the energies).
Domain lost_to_derivatives(Algebra& algebra, const Motion& motion, bool of_motions);

/// The part that one relation has in them.
Domain lost_to_constraint(Algebra& algebra, const ConstraintField& constraint, bool of_motions);

/// Where derivatives in a text have no value.
std::vector<Expr> corners_of_text(Algebra& algebra, const std::vector<Corner>& written);

/// The relations as they are written: levels without their derivatives.
Region written_states(const Motion& motion);

/// Some state, of the relations as they are written, may lie on e = 0.
bool is_on_written_states(Algebra& algebra, const Motion& motion, Expr e);

/// e = 0 is no component of the states (proved).
bool is_thin_place(Algebra& algebra, const Motion& motion, Expr e);

/// A relation jumps at e = 0, and the states there are fewer than a component has (proved), as the one point
/// of x = sign(y) with y = 0. They may stand alone.
bool is_small_jump(Algebra& algebra, const Motion& motion, Expr e);

/// Whether states, lost ones included, may lie on e = 0.
bool may_have_states_on(Algebra& algebra, const Motion& motion, Expr e);

}  // namespace liaison
