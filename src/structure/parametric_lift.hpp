#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "modular_points.hpp"

namespace liaison {

/// above/below with short whole numbers whose residue it is; nothing where there are none.
std::optional<Rational> short_fraction(Residue value, Residue prime);

/// Equations sum c_k A_k = 0 at the points of some relations, of which there is one solution up to a factor
/// over the field of the parameters.
struct ParametricEquations {
  std::vector<Expr> asked;  ///< what a point is asked for
  std::vector<Expr> state;  ///< what changes from point to point
  PointChoices choices;
  std::size_t columns = 0;
  std::uint64_t seed = 0;
  /// The rows at a point, from the values of what is asked.
  std::function<std::vector<std::vector<Residue>>(const PrimeField&, const std::vector<Residue>&)> rows;
};
/// The coefficients as polynomials in the parameters of the lowest degree, with short numbers: rational
/// points of relations are rare, so the parameters change with the points modulo a prime. It is not proved
/// that they are a solution.
std::optional<std::vector<Expr>> solve_over_parameters(Algebra& algebra,
                                                       const ParametricEquations& equations);

}  // namespace liaison
