#ifndef LIAISON_EXPR_TRAVERSE_HPP
#define LIAISON_EXPR_TRAVERSE_HPP

#include <span>
#include <unordered_map>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// Every node reachable from the roots, once each, arguments before their users.
/// The order is that of a depth-first walk from the first root on: structural, not by creation.
std::vector<Expr> postorder(std::span<const Expr> roots);
std::vector<Expr> postorder(Expr root);

/// The symbols in the expressions, in structural order.
std::vector<Expr> symbols_in(std::span<const Expr> roots);
std::vector<Expr> symbols_in(Expr root);
bool depends_on(Expr e, Expr symbol);

/// Number of distinct operation nodes (not leaves): the cost of one evaluation with sharing.
std::size_t count_operations(std::span<const Expr> roots);
/// Number of operations as written out on paper, without sharing; saturates.
std::size_t count_written_operations(Expr root);

}  // namespace liaison

#endif  // LIAISON_EXPR_TRAVERSE_HPP
