#pragma once

#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// Appends the factors of the partial derivative of a node in one argument, the others held fast.
void append_partial(Expr e, unsigned slot, std::vector<Expr>& factors);

/// Throws not_a_symbol.
void require_symbols(std::span<const Expr> symbols);

}  // namespace liaison
