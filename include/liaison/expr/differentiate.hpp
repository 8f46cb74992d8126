#ifndef LIAISON_EXPR_DIFFERENTIATE_HPP
#define LIAISON_EXPR_DIFFERENTIATE_HPP

#include <cstddef>
#include <span>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// The partial derivative; memoised in the pool for each (node, symbol).
/// abs' is sign, sign' is 0, min and max follow the branch; all where they are differentiable.
Expr derivative(Expr e, Expr symbol);

/// All partial derivatives by one reverse sweep: the results share subexpressions.
std::vector<Expr> gradient(Expr e, std::span<const Expr> symbols);

struct JacobianEntry {
  std::size_t row;
  std::size_t column;
  Expr value;
};
/// The entries that are not spelled zero, by row, then column.
std::vector<JacobianEntry> jacobian(std::span<const Expr> rows, std::span<const Expr> symbols);

}  // namespace liaison

#endif  // LIAISON_EXPR_DIFFERENTIATE_HPP
