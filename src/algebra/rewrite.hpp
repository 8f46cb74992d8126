#pragma once

#include <span>

#include "budget.hpp"
#include "field.hpp"
#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// The same function with every function argument in canonical form, radicands and arguments of abs factored,
/// and min and max expressed by abs. Memoised; innermost functions first, without recursion.
Expr rewrite(Algebra& algebra, Expr e);

/// A sum as the product of its irreducible factors, where it is a polynomial that has several; else the sum
/// itself.
Expr factored_sum(Algebra& algebra, Expr sum);

/// The limits of the call that is under way.
Budget budget_of(Algebra& algebra);

/// The field of rewritten expressions. It is not called independent where an unknown function stands at an
/// argument whose canonical form is not complete: f(a) and f(b) may then be equal.
Field make_field(Algebra& algebra, std::span<const Expr> rewritten);

}  // namespace liaison
