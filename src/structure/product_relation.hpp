#pragma once

#include <optional>
#include <vector>

#include "integral_ansatz.hpp"

namespace liaison {

/// Products of integrals, and their values at the points of a search.
struct ProductsAtPoints {
  std::vector<Expr> expressions;
  std::vector<std::vector<Residue>> values;
};

/// Combinations of products with the values of these vectors at the points, modulo a prime, brought to short
/// rational coefficients: one a vector, independent of each other. Nothing where some vector is none, or has
/// others.
std::optional<std::vector<Expr>> sums_of_products(const ProductsAtPoints& products,
                                                  const std::vector<std::vector<Residue>>& vectors,
                                                  const PrimeField& field);

/// Whether f is a polynomial in the velocities whose coefficients are combinations of the functions of the
/// search, with factors that are free of the state: exactly. False: not known.
bool has_form_of(Algebra& algebra, const StateFlow& flow, const IntegralAnsatz& ansatz,
                 const std::vector<Expr>& fs);

}  // namespace liaison
