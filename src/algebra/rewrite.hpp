#pragma once

#include "budget.hpp"
#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// The same function with every function argument in canonical form, radicands and arguments of abs factored,
/// and sign, min and max expressed by abs. Memoised; innermost functions first, without recursion.
Expr rewrite(Algebra& algebra, Expr e);

Budget budget_of(const Algebra& algebra);

}  // namespace liaison
