#ifndef LIAISON_MECHANICS_ROUNDING_HPP
#define LIAISON_MECHANICS_ROUNDING_HPP

#include <span>
#include <vector>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// As near to zero as the numbers of a state tell: 3*x - 0.9 at x = 0.3 is 1.1e-16 in doubles.
bool is_zero_to_rounding(Expr e, const DoublePoint& at);

/// Zero for each of the values of these expressions, a direction, that is zero to rounding, or has a factor
/// that is; but where the others are smaller still.
void clear_rounding(std::span<const Expr> es, const DoublePoint& at, std::vector<double>& values);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_ROUNDING_HPP
