#ifndef LIAISON_EXPR_SIGNS_HPP
#define LIAISON_EXPR_SIGNS_HPP

#include "liaison/expr/expr.hpp"

namespace liaison {

/// Certain to be >= 0 wherever it has a value, by a shallow look: squares, exp, abs, positive symbols, their
/// sums. False means "not seen", never "negative".
bool is_seen_nonnegative(Expr e);
/// The same with > 0.
bool is_seen_positive(Expr e);

}  // namespace liaison

#endif  // LIAISON_EXPR_SIGNS_HPP
