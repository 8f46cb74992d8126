#ifndef LIAISON_MECHANICS_TERM_SIZES_HPP
#define LIAISON_MECHANICS_TERM_SIZES_HPP

#include <span>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// The sum of the sizes of the terms of a sum, also where it is a factor: what its rounding is measured by.
Expr size_of_terms(Expr e);
/// The same with what the rounding of their arguments does to functions and powers: of a fast sine of the
/// time more than its own size, of (x - 1)^3 next to its zero more than that.
Expr size_with_phases(Expr e);

/// Whether expressions vanish together on an open set, but for rounding, as cos(x) - sqrt(1 - sin(x)^2) does
/// where the cosine is positive: at samples, with the given values of some symbols. Only what holds functions
/// is asked.
bool vanish_on_a_piece(std::span<const Expr> es, const DoublePoint& given);
/// Of what vanishes on a piece, beside its terms: it is on that piece. Next to it, it is not small.
inline constexpr double vanished_beside = 1e-9;

}  // namespace liaison

#endif  // LIAISON_MECHANICS_TERM_SIZES_HPP
