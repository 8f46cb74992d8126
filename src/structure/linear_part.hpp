#pragma once

#include <span>
#include <vector>

#include "expr/ball_matrix.hpp"
#include "liaison/structure/equilibria.hpp"

namespace liaison {

/// The change of small deviations from a place of rest: its matrix, eigenvalues and what they decide.
/// `variables` are the coordinates and velocities that matter; `values` all symbols at the place.
void linearise(std::span<const Expr> rates, const std::vector<Expr>& variables, const BallPoint& values,
               Equilibrium& equilibrium);

/// The same of a matrix in balls.
void judge_linear_part(const BallMatrix& matrix, const std::vector<Expr>& variables,
                       Equilibrium& equilibrium);

/// A symmetric matrix of expressions is positive definite at a point, certainly.
bool is_positive_definite(const std::vector<std::vector<Expr>>& matrix, const BallPoint& values);

}  // namespace liaison
