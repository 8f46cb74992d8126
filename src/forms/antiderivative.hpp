#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "liaison/forms/antiderivative.hpp"

/// What the parts of the integrator share.
namespace liaison {

/// The factors of a product: those free of x as one expression, and the others.
struct SplitFactors {
  Expr free;
  std::vector<Expr> others;
};
SplitFactors split_factors(Expr product, Expr x);

/// a and b with e = a*x + b, both free of x.
std::optional<std::pair<Expr, Expr>> linear_in(Expr e, Expr x);
/// Coefficients of a polynomial in x, constant term first.
std::optional<std::vector<Expr>> polynomial_in(Expr e, Expr x);

/// log|u|, written so that its derivative u'/u is a rational function: log(u) where u is seen to be positive,
/// else log(u^2)/2.
Expr real_logarithm(Expr u);
/// Manifestly > 0 for all real values of its symbols.
bool is_manifestly_positive(Expr e);
/// s with s^2 = e, up to sign and without absolute values, if e is written as a square.
std::optional<Expr> exact_root(Expr e);

/// The parts of the integrator; each takes factors that all depend on x.
std::optional<Expr> integrate_rational(Algebra& algebra, const std::vector<Expr>& factors, Expr x);
std::optional<Expr> integrate_exponential(Algebra& algebra, const std::vector<Expr>& factors, Expr x);

}  // namespace liaison
