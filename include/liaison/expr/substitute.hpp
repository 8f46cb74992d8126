#ifndef LIAISON_EXPR_SUBSTITUTE_HPP
#define LIAISON_EXPR_SUBSTITUTE_HPP

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

using Substitution = std::unordered_map<Expr, Expr>;

/// Replaces all keys at once, outermost first: keys may be any expressions; what is put in is not searched
/// again.
Expr substitute(Expr e, const Substitution& replacements);
std::vector<Expr> substitute(std::span<const Expr> es, const Substitution& replacements);

/// Replaces an unknown function f(x1..xn) and all its partial derivatives by `body`, an expression in
/// `parameters`.
Expr substitute_function(Expr e, const FunctionInfo* function, std::span<const Expr> parameters, Expr body);

/// The same expression in another pool, symbols and functions by name and kind.
Expr copy_to(Pool& target, Expr e);

}  // namespace liaison

#endif  // LIAISON_EXPR_SUBSTITUTE_HPP
