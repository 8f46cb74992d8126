#pragma once

#include <optional>
#include <string>
#include <vector>

#include "integral_ansatz.hpp"

namespace liaison {

/// The values of one parameter for which the equations X(f) = 0 of an ansatz lose rank.
struct SpecialValues {
  std::vector<Rational> values;
  /// How many more there may be: the degree of the rest of the polynomial whose roots they are, modulo a
  /// prime, without the short numbers above.
  std::size_t others = 0;
  std::string refusal;  ///< not empty: why they were not searched
};

/// The rates of the columns at the points are rational in the parameter; cleared of denominators they are a
/// matrix of polynomials. Where its rank is smaller than in general all its minors of that size vanish: the
/// values are among the roots of any two of them, and the greatest common divisor of two random ones is exact
/// but for bad luck in one of 10^15 cases. No value is lost: a rank that falls over the rationals falls
/// modulo the prime. `ansatz` is solved, its functions do not contain the parameter.
SpecialValues find_special_values(const IntegralAnsatz& ansatz, Expr parameter);

}  // namespace liaison
