#pragma once

#include <utility>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// e = number * rest with a positive number, the terms of the rest have no common one: 1000*x' - 1000 is 1000
/// times x' - 1. Both have the same zeros and signs.
std::pair<Rational, Expr> split_content(Expr e);

}  // namespace liaison
