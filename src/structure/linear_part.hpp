#pragma once

#include <optional>
#include <span>
#include <vector>

#include "expr/ball_matrix.hpp"
#include "liaison/structure/equilibria.hpp"

namespace liaison {

/// The change of small deviations from a place of rest: its matrix, eigenvalues and what they decide.
/// `variables` are the coordinates and velocities that matter; `values` all symbols at the place. False: an
/// entry of the matrix is not known to many digits, and a sharper place with more bits may tell more.
bool linearise(std::span<const Expr> rates, const std::vector<Expr>& variables, const BallPoint& values,
               Equilibrium& equilibrium, long bits = 192);

/// The same of a matrix in balls.
void judge_linear_part(const BallMatrix& matrix, const std::vector<Expr>& variables, Equilibrium& equilibrium,
                       long bits = 192);

/// A place that holds a zero of as many equations as unknowns, as sharp as so many bits make it: Newton's
/// interval steps from the balls that it has. Nothing where the equations have no value over these.
std::optional<BallPoint> sharpened(std::span<const Expr> equations, const std::vector<Expr>& unknowns,
                                   BallPoint place, long bits);

/// A symmetric matrix of expressions is positive definite at a point, certainly.
bool is_positive_definite(const std::vector<std::vector<Expr>>& matrix, const BallPoint& values);

}  // namespace liaison
