#pragma once

#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// Equations, and the unknowns in them that are asked for.
struct OpenRelations {
  std::vector<Expr> equations;
  std::vector<Expr> unknowns;
};

bool is_among(const std::vector<Expr>& all, Expr one);
std::vector<Expr> unknowns_in(const OpenRelations& relations, Expr equation);
/// All of them, in all unknowns together.
bool is_linear(const OpenRelations& relations);
/// Unknowns that stand in common equations, with these.
std::vector<OpenRelations> parts_of(const OpenRelations& relations);
/// The unknowns of each equation that is not linear in them, with all equations in these alone; few of them
/// first, each once.
std::vector<OpenRelations> closed_parts(const OpenRelations& relations);

}  // namespace liaison
