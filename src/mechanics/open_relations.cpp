#include "open_relations.hpp"

#include <algorithm>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

bool is_among(const std::vector<Expr>& all, Expr one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::vector<Expr> unknowns_in(const OpenRelations& relations, Expr equation) {
  std::vector<Expr> result;
  std::copy_if(relations.unknowns.begin(), relations.unknowns.end(), std::back_inserter(result),
               [&](Expr unknown) { return depends_on(equation, unknown); });
  return result;
}

bool is_linear(const OpenRelations& relations) {
  return std::all_of(relations.equations.begin(), relations.equations.end(), [&](Expr equation) {
    return linear_coefficients(equation, relations.unknowns).has_value();
  });
}

std::vector<OpenRelations> parts_of(const OpenRelations& relations) {
  std::vector<OpenRelations> result;
  for (Expr equation : relations.equations) {
    OpenRelations joined{{equation}, unknowns_in(relations, equation)};
    std::erase_if(result, [&](const OpenRelations& other) {
      const bool is_apart = std::none_of(other.unknowns.begin(), other.unknowns.end(),
                                         [&](Expr unknown) { return is_among(joined.unknowns, unknown); });
      if (is_apart) return false;
      joined.equations.insert(joined.equations.end(), other.equations.begin(), other.equations.end());
      for (Expr unknown : other.unknowns) {
        if (!is_among(joined.unknowns, unknown)) joined.unknowns.push_back(unknown);
      }
      return true;
    });
    result.push_back(std::move(joined));
  }
  return result;
}

std::vector<OpenRelations> closed_parts(const OpenRelations& relations) {
  std::vector<OpenRelations> result;
  for (Expr equation : relations.equations) {
    OpenRelations closed{{}, unknowns_in(relations, equation)};
    if (linear_coefficients(equation, closed.unknowns)) continue;
    const bool is_known = std::any_of(result.begin(), result.end(), [&](const OpenRelations& other) {
      return other.unknowns == closed.unknowns;
    });
    if (is_known) continue;
    std::copy_if(relations.equations.begin(), relations.equations.end(), std::back_inserter(closed.equations),
                 [&](Expr other) {
                   const std::vector<Expr> own = unknowns_in(relations, other);
                   return std::all_of(own.begin(), own.end(),
                                      [&](Expr unknown) { return is_among(closed.unknowns, unknown); });
                 });
    result.push_back(std::move(closed));
  }
  std::stable_sort(result.begin(), result.end(), [](const OpenRelations& a, const OpenRelations& b) {
    return a.unknowns.size() < b.unknowns.size();
  });
  return result;
}

}  // namespace liaison
