#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algebra/polynomial.hpp"
#include "integral_ansatz.hpp"

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

/// Exact: all rates are brought to one denominator, sin^2 = 1 - cos^2 and e.e = 1 are put in, and the
/// coefficients of what is left are compared. `ansatz` is solved; relations between coordinates, roots and
/// parameters without a value are refused.
DeterminingEquations write_determining_equations(Algebra& algebra, const IntegralAnsatz& ansatz,
                                                 const std::vector<Expr>& parameters);

/// Limits of polynomials that are those of the algebra.
Budget budget_of(Algebra& algebra, std::uint64_t operations);

}  // namespace liaison
