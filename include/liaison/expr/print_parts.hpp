#ifndef LIAISON_EXPR_PRINT_PARTS_HPP
#define LIAISON_EXPR_PRINT_PARTS_HPP

#include <cstddef>
#include <string_view>
#include <vector>

#include "liaison/expr/expr.hpp"

/// What the printers know and a page layout needs.
namespace liaison {

/// The summands in the order in which every printer writes them; an expression that is no sum is its only
/// one. A summand with a negative coefficient is written after a minus sign.
std::vector<Expr> printed_terms(Expr e);

/// Columns of a terminal that a UTF-8 text fills: dots above a letter take none, wide characters two.
std::size_t displayed_columns(std::string_view text);

}  // namespace liaison

#endif  // LIAISON_EXPR_PRINT_PARTS_HPP
