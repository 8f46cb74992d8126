#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algebra/polynomial.hpp"
#include "integral_ansatz.hpp"
#include "rational_chart.hpp"

namespace liaison {

/// X(f) = 0 for all states, as equations for the unknown coefficients of an ansatz: polynomials in
/// parameters.
struct DeterminingEquations {
  using Row = std::map<std::size_t, Poly>;  ///< by column
  std::unique_ptr<PolyRing> ring;           ///< of the parameters, in their order
  std::vector<Row> rows;
  std::size_t columns = 0;
  /// Where one of these vanishes the field has no value.
  std::vector<Poly> divisors;
  std::string refusal;  ///< not empty: why they were not written out
};

/// Exact: all rates are brought to one denominator, sin^2 = 1 - cos^2, e.e = 1 and the squares of roots are
/// put in, and the coefficients of what is left are compared. `ansatz` is solved; roots that depend on each
/// other, other constants and rates that are not rational in the parameters are refused, and relations
/// between coordinates without a chart of them.
DeterminingEquations write_determining_equations(Algebra& algebra, const IntegralAnsatz& ansatz,
                                                 const std::vector<Expr>& parameters,
                                                 const std::optional<RationalChart>& chart = std::nullopt);

/// How many of the functions are independent, for all values of the constants together. Nothing: not written
/// out.
std::optional<std::size_t> exact_rank(Algebra& algebra, const std::vector<Expr>& functions,
                                      const std::vector<Expr>& state,
                                      const std::vector<std::array<Expr, 4>>& quaternions);
/// The functions of a table are known not to depend on each other but by the relations that are put in: then
/// points modulo a prime are images of them.
bool is_a_field(Algebra& algebra, const FunctionTable& table,
                const std::vector<std::array<Expr, 4>>& quaternions);

/// Limits of polynomials that are those of the algebra.
Budget budget_of(Algebra& algebra, std::uint64_t operations);

}  // namespace liaison
