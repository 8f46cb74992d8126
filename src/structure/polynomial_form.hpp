#pragma once

#include <optional>
#include <span>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// The numerator of an expression as a polynomial in independent variables of the states, by coefficients of
/// parameters: z, tan(z/2) where sines are written and exp(z) where exponentials are.
struct PolynomialForm {
  Expr rational;                                         ///< the whole, with these symbols
  std::vector<Expr> symbols, half_angles, exponentials;  ///< all, and which of them stand for functions
  std::vector<Monomial> terms;
  std::vector<Expr> variables;  ///< what each symbol is written by: z of z, of tan(z/2) and of exp(z)

  bool is_half_angle(Expr symbol) const;
  bool is_exponential(Expr symbol) const;
};
/// Nothing where it holds other functions, or variables that relations bind.
std::optional<PolynomialForm> polynomial_form(Algebra& algebra, const System& system, Expr e);

/// Where none of these vanishes, e does not vanish at all states at once: what parameters and unknown
/// functions may make of it. k of k*t, nothing of x + k.
Conditions conditions_on_values(Algebra& algebra, const System& system, Expr e);
/// The same of what holds further independent variables, such as free velocities: those of the coefficient
/// beside them that asks for the least.
Conditions conditions_on_values(Algebra& algebra, const System& system, Expr e,
                                std::span<const Expr> independent);
void add_conditions(Conditions& conditions, const Conditions& more);

}  // namespace liaison
