#ifndef LIAISON_MECHANICS_ROUNDING_HPP
#define LIAISON_MECHANICS_ROUNDING_HPP

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// As near to zero as the numbers of a state tell: 3*x - 0.9 at x = 0.3 is 1.1e-16 in doubles.
bool is_zero_to_rounding(Expr e, const DoublePoint& at);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_ROUNDING_HPP
