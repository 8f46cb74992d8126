#ifndef LIAISON_ALGEBRA_PIECES_HPP
#define LIAISON_ALGEBRA_PIECES_HPP

#include <span>
#include <vector>

#include "liaison/algebra/region.hpp"

namespace liaison {

/// Functions of several pieces: sign, abs, min and max change where an argument u (or the difference of two)
/// vanishes.
struct PieceArguments {
  std::vector<Expr> jumps;  ///< of sign: the value at u = 0 is a piece of its own
  std::vector<Expr> kinks;  ///< of abs, min, max: continuous at u = 0
};
/// Each argument once, innermost first.
PieceArguments piece_arguments(std::span<const Expr> es);

/// What must vanish for e to vanish, one of them at least: the factors of a product, the base of a power,
/// what stands under abs. Smooth where e is not.
std::vector<Expr> zero_factors(Expr e);

/// Where atan2(y, x) jumps: y = 0 and x < 0.
struct Cut {
  Expr y, x;
};
std::vector<Cut> cuts(std::span<const Expr> es);

/// The expressions where u > 0, u < 0 or u = 0 (side 1, -1, 0): sign(v), abs(v), min and max of a, b with
/// a - b = v replaced by what they are there, for v = u and for every v = c*u + d of numbers c and d whose
/// sign follows.
std::vector<Expr> on_side(std::span<const Expr> es, Expr u, int side);
/// The same in a neighbourhood of u = 0, for every v = c*u + d with d != 0; pieces of u itself stay.
std::vector<Expr> near_zero_of(std::span<const Expr> es, Expr u);

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_PIECES_HPP
