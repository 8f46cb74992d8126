#pragma once

#include <string>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison {

/// Velocities that are not given, and what is linear in them with the values that it has.
struct VelocityEquations {
  const std::vector<Expr>& unknown;
  const std::vector<Expr>& rows;
  const std::vector<Expr>& right;
};

/// Adds the unknown velocities to the state; those that stay free are zero. `problem` says where the values
/// that are given violate a row, or that this was not decided.
void complete_velocities(Algebra& algebra, const VelocityEquations& equations, Substitution& at,
                         std::string& problem);

}  // namespace liaison
