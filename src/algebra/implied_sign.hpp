#pragma once

#include "liaison/expr/domain.hpp"

namespace liaison {

/// u >= 0 wherever the domain holds, because u is a sum of multiples >= 0 of what the domain calls >= 0, of
/// squares and of other terms that are seen to be >= 0, and of 1 - s and 1 + s for sines s: x - z of x - y >=
/// 0 and y - z >= 0. Exact (a linear program over the rational numbers); false means "not seen".
bool is_implied_nonnegative(Expr u, const Domain& domain);

/// u > 0, because such a sum and something positive make it.
bool is_implied_positive(Expr u, const Domain& domain);

}  // namespace liaison
