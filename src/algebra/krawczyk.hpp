#pragma once

#include <optional>
#include <span>
#include <vector>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// As many equations as unknowns, with what a certificate needs of them.
struct SquareSystem {
  std::vector<Expr> rows;
  std::vector<Expr> unknowns;
  std::vector<Expr> symbols;  ///< of the rows
  std::vector<JacobianEntry> entries;
  std::vector<Expr> kinks;     ///< must not vanish in a box: there abs, sign, min and max change
  std::vector<Expr> branches;  ///< y, x, y, x of atan2(y, x): the box must not meet the negative x axis
  /// Where the rows can be solved one after the other: the parts, in this order, with the places of their
  /// unknowns; empty where all are coupled.
  std::vector<SquareSystem> parts;
  std::vector<std::size_t> places;  ///< of a part: its unknowns among those of the whole
};
SquareSystem make_square_system(std::span<const Expr> rows, std::span<const Expr> unknowns);

/// The precision of a first certificate.
constexpr long bits_of_a_box = 192;

/// With what is lost on the way from the first part of a system to its last one.
long with_bits_for_parts(const SquareSystem& system, long bits);

/// A box around the start in which the system has exactly one solution, by Krawczyk's test (R. Krawczyk,
/// Computing 4 (1969) 187; A. Neumaier, Interval Methods for Systems of Equations, 5.1): the start is
/// improved by Newton's method with `bits`, and K(Y) lies inside Y. `given` holds all other symbols with that
/// precision. Parts are certified one after the other, each for all values that the enclosures of the earlier
/// ones hold: so the product of their boxes has one solution.
std::optional<std::vector<Ball>> certified_box(const SquareSystem& system, const BallPoint& given,
                                               std::span<const Ball> start, long bits);

/// The solution in a certified box with about `bits`.
std::optional<std::vector<Ball>> sharpen(const SquareSystem& system, const BallPoint& given,
                                         std::span<const Ball> box, long bits);

}  // namespace liaison
