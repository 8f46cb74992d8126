#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "determining_equations.hpp"

namespace liaison {

/// Where a matrix of polynomials in one or two parameters has less than its general rank: exact.
struct RankLoss {
  std::size_t rank = 0;                       ///< the general one
  std::vector<Poly> curves;                   ///< irreducible; with one parameter: all there is
  std::vector<std::vector<Rational>> points;  ///< off the curves, where the rank certainly falls
  /// Off the curves and these points it falls only where all polynomials of one of these lists vanish.
  std::vector<std::vector<Poly>> undecided;
  std::string refusal;  ///< not empty: why it was not found
};

/// Unknowns that a row gives by the others, with a factor that vanishes nowhere, are left out. What remains
/// falls apart into blocks; in each of them some minors of the general rank are taken. Where all of them
/// vanish, their greatest common divisor does, or what is left of them, in finitely many points, which
/// resultants tell. `positive`: which parameters are. `interrupted` is asked of the ring's budget.
RankLoss find_rank_loss(const DeterminingEquations& equations, const std::vector<bool>& positive);

/// The general rank alone, with any number of parameters. Throws LimitReached.
std::size_t general_rank(const DeterminingEquations& equations);

/// The root of a linear polynomial in one variable that holds no other.
std::optional<Rational> only_root(const Poly& p, std::size_t variable = 0);
/// Of a polynomial in one variable alone. Throws LimitReached.
bool has_real_root(const Poly& p, std::size_t variable = 0);
Expr expression_of(Pool& pool, const Poly& p, std::span<const Expr> variables);

}  // namespace liaison
