#pragma once

#include <optional>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// Whether a constant made of rational numbers, roots and sines and cosines of rational multiples of pi is
/// zero, exactly. Nothing where it holds something else, or where the bound asks for too many digits.
///
/// Each such constant is U/L with algebraic integers U and L that lie, with all their conjugates, below 2^u
/// and 2^l in a field of degree at most D. The norm of U is an integer: if U is not zero, |U| >=
/// 2^(-u*(D-1)), and |U/L| >= 2^(-u*(D-1) - l). A ball inside that bound is zero. (C. Burnikel, S. Funke, K.
/// Mehlhorn, S. Schirra, S. Schmitt, "A separation bound for real algebraic expressions", Algorithmica 55
/// (2009) 14.)
std::optional<bool> is_algebraic_zero(Expr constant);

}  // namespace liaison
