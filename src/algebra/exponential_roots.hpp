#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "field.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/rational.hpp"

namespace liaison {

/// A sum of terms c*z^i*exp(j*rate*z), rate > 0, with rational numbers.
struct ExponentialPolynomial {
  std::map<std::pair<unsigned long, unsigned long>, Rational> terms;  ///< c by (i, j), none of them zero
  Rational rate{1};
};

/// Where it holds the symbol and an exponential of it, and nothing else.
std::optional<ExponentialPolynomial> as_exponential_polynomial(const Field& field, const Poly& p,
                                                               Expr symbol);

/// Its different real zeros, all of them, in balls of which no two overlap. Rolle: between two zeros of the
/// derivative it is monotonic; without its exponentials of the lowest order it has fewer derivatives that do
/// not vanish, so that zeros are found from the last of these upwards, each between two points at which balls
/// tell the sign; behind the outermost the sign is that of the leading term. Nothing where a zero is too near
/// to one of the derivative (a double one), and for zero itself.
std::optional<std::vector<Ball>> real_zeros(const ExponentialPolynomial& p, long bits, const Budget& budget);
std::optional<std::size_t> count_real_zeros(const ExponentialPolynomial& p, const Budget& budget);

}  // namespace liaison
