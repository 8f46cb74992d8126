#pragma once

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/domain.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

/// The expression with functions written by others of which the field knows more. It has the same value
/// wherever the given one has a value and the domain holds:
///   - cos, sin and tan of n*atan(u), n*asin(u), n*acos(u), n*atan2(y, x) by roots;
///   - acos(u) as pi/2 - asin(u), atan(1/u) of u > 0 as pi/2 - atan(u);
///   - the logarithm of a number by those of its primes, that of a product of positive factors as a sum;
///   - exp(c*log(u)) as u^c;
///   - a root of a product of factors >= 0 as a product of roots, one of a + b*sqrt(c) without nesting;
///   - atan of a rational number by those of b/a with a^2 + b^2 prime (Gauss).
/// `domain` says which signs are known.
Expr with_known_functions(Algebra& algebra, Expr e, const Domain& domain);

/// The same with atan(u) as asin(u/sqrt(1 + u^2)), which has a value for every u.
Expr with_arcs_of_sines(Algebra& algebra, Expr e, const Domain& domain);

}  // namespace liaison
