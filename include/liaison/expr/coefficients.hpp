#ifndef LIAISON_EXPR_COEFFICIENTS_HPP
#define LIAISON_EXPR_COEFFICIENTS_HPP

#include <optional>
#include <span>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

struct LinearForm {
  std::vector<Expr> coefficients;  ///< one a symbol, in the order asked for
  Expr rest;                       ///< what is free of the symbols
};
/// e = sum coefficients[i]*symbols[i] + rest, or nothing if e is not linear in them as it is written.
std::optional<LinearForm> linear_coefficients(Expr e, std::span<const Expr> symbols);

struct Monomial {
  std::vector<unsigned> exponents;  ///< one a symbol, in the order asked for
  Expr coefficient;                 ///< free of the symbols
};
/// e as a polynomial in the symbols, by graded lexicographic order, highest first; nothing if it is not one
/// or has more than `max_terms` terms.
std::optional<std::vector<Monomial>> polynomial_coefficients(Expr e, std::span<const Expr> symbols,
                                                             std::size_t max_terms = 100'000);

}  // namespace liaison

#endif  // LIAISON_EXPR_COEFFICIENTS_HPP
