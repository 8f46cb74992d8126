#ifndef LIAISON_ALGEBRA_REAL_ROOTS_HPP
#define LIAISON_ALGEBRA_REAL_ROOTS_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

class Algebra;

/// The number of real values of the symbol at which e vanishes is not larger; exact (Sturm, Rolle). Nothing
/// where e is no rational function of the symbol alone, of a root of it or of it and an exponential of it,
/// with rational numbers, or vanishes identically.
std::optional<std::size_t> most_real_roots(Algebra& algebra, Expr e, Expr symbol);

/// Small boxes, one ball an unknown, of which no two hold the same point: every real common zero of the
/// equations lies in one of them, and for one unknown each holds a zero of the numerators. By resultants and
/// isolated roots. Nothing where an equation is no rational function of the unknowns alone, and of roots and
/// absolute values of such, or of one unknown and an exponential of it, with rational numbers; where there
/// are infinitely many zeros; and at the limits.
std::optional<std::vector<std::vector<Ball>>> real_solutions(Algebra& algebra,
                                                             std::span<const Expr> equations,
                                                             std::span<const Expr> unknowns, long bits);

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_REAL_ROOTS_HPP
