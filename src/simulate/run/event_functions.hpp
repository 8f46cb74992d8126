#pragma once

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// A function with the sign of an event's function everywhere, and its zeros, that leaves none of them slower
/// than it must: odd powers of factors are the first, even ones the second. So (t - 1)^5 crosses zero as t -
/// 1 does. The function itself where it has no repeated factor, or a border of its domain.
Expr without_flat_zeros(Algebra& algebra, Expr when);

}  // namespace liaison
