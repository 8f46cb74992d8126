#ifndef LIAISON_ALGEBRA_CONTENT_HPP
#define LIAISON_ALGEBRA_CONTENT_HPP

#include <utility>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// e = number * rest with a positive number, the terms of the rest have no common one: 1000*x' - 1000 is 1000
/// times x' - 1. Both have the same zeros and signs.
std::pair<Rational, Expr> split_content(Expr e);

/// Without exponentials and sums of squares and a positive number that stand in front of a product or of all
/// terms of a sum: exp(z)*x - exp(z)*y has the zeros of x - y wherever it has a value.
Expr without_positive_functions(Expr e);

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_CONTENT_HPP
