#ifndef LIAISON_ALGEBRA_FACTORS_HPP
#define LIAISON_ALGEBRA_FACTORS_HPP

#include <vector>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// Expressions of which one at least vanishes where e does and has a value, each once: irreducible over Q
/// where that is found soon; e itself where it has no polynomial form.
std::vector<Expr> factors_of(Algebra& algebra, Expr e);

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_FACTORS_HPP
