#ifndef LIAISON_FORMS_ANTIDERIVATIVE_HPP
#define LIAISON_FORMS_ANTIDERIVATIVE_HPP

#include <optional>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// F with dF/dx = f, everything else constant, or nothing. A small integrator for the coefficients of closed
/// forms and for the laws of springs: rational functions whose denominator is written as a product of linear
/// and quadratic factors; polynomials times exp, sin and cos of linear arguments and products of these;
/// g(u)*u' for elementary g; powers of ramps max(a*x + b, 0); simple square roots of quadratics; polynomials
/// times log, atan, asin; derivatives of unknown functions. What it finds is for the caller to verify.
std::optional<Expr> antiderivative(Algebra& algebra, Expr f, Expr x);

}  // namespace liaison

#endif  // LIAISON_FORMS_ANTIDERIVATIVE_HPP
