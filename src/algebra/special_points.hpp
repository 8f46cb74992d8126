#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "liaison/algebra/region.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison {

/// Single points of a region that random ones never meet. What is found here is a place to look at; that it
/// lies in the region is shown afterwards.

/// The equations that bind the symbols of u: one that is linear in a symbol of its own, found in no other one
/// and not in u, gives that symbol and says nothing about u.
std::vector<Expr> binding_equations(Expr u, std::vector<Expr> equations);

/// The region without the relations of velocities, for a statement about places: there are fewer of them, and
/// more points. Nothing where it would be the same.
std::optional<Region> without_velocities(Expr statement, const Region& region);

/// Equations of the points of a region at which a function is largest, smallest or stationary: its gradient
/// is a combination of those of the equations, with multipliers as further unknowns (Lagrange).
struct StationaryPoints {
  std::vector<Expr> binding;      ///< those of the region that bind the symbols of the function
  std::vector<Expr> equations;    ///< to be added to them
  std::vector<Expr> multipliers;  ///< hidden symbols
  std::vector<Expr> symbols;      ///< that they determine, apart from the multipliers
};
/// Nothing where the function has kinks or too many symbols.
std::optional<StationaryPoints> stationary_points(Expr u, const Region& region);

/// The arguments of sines, cosines and tangents that are no symbols, where an inverse function stands beside
/// them; a few.
std::vector<Expr> angles_beside_inverses(std::span<const Expr> es);

/// The equations, each by itself, without which a sum of terms >= 0 (or <= 0) does not vanish; empty where it
/// is no such sum.
std::vector<Expr> parts_that_vanish_together(Expr sum);

/// Where u vanishes, as far as what is done to one inner expression can be undone: x = exp(1000003) for
/// log(x) - 1000003, x + y = pi/2 for sin(x + y) - 1. The inner expression is a symbol, or an operation on
/// several things that are no constants.
struct ExactZero {
  Expr inner;
  Expr value;  ///< a constant
};
std::vector<ExactZero> zeros_by_undoing(Expr u);

/// A short exact number near a double: rational, a rational multiple of pi, a root of a quadratic equation
/// with small coefficients.
std::optional<Expr> recognised(Pool& pool, double x);

/// A question with some symbols at exact constants.
struct Specialised {
  Region region;
  std::array<Expr, 2> sides;
};
/// Nothing where an equation or a requirement without other symbols is not proved to hold there, or something
/// has no value.
std::optional<Specialised> specialised(Algebra& algebra, const Region& region,
                                       const std::array<Expr, 2>& sides, const Substitution& constants);

}  // namespace liaison
