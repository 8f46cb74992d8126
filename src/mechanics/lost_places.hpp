#pragma once

#include "liaison/algebra/algebra.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// Places where the relations have a value as they are written and what is derived from them has none: a root
/// that vanishes, a corner of abs, min or max. Each e of a requirement e != 0 once. Of states (levels are
/// differentiated), or of motions (all relations are).
Domain lost_to_derivatives(const Motion& motion, bool of_motions);

/// Those that some state, of the relations as they are written, may lie on.
std::vector<Expr> lost_states(Algebra& algebra, const Motion& motion, bool of_motions);

/// Whether states, lost ones included, may lie on e = 0.
bool may_have_states_on(Algebra& algebra, const Motion& motion, Expr e);

}  // namespace liaison
