#include "liaison/simulate/relation_size.hpp"
#include "liaison/mechanics/term_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "switches.hpp"

namespace liaison {

double size_of_relations(const AssembledEquations& equations, const DoublePoint& state) {
  const std::unordered_set<Expr> positions(equations.positions.begin(), equations.positions.end());
  const std::unordered_set<Expr> parameters(equations.parameters.begin(), equations.parameters.end());
  double largest = 0;
  for (std::size_t k = 0; k < equations.relation_count; ++k) {
    const bool is_level = !equations.levels[k].empty();
    const Expr relation = is_level ? equations.levels[k] : equations.relations[k];
    std::vector<Expr> moved = symbols_in(relation);
    std::erase_if(moved, [&](Expr symbol) { return !(is_level ? positions : parameters).contains(symbol); });
    std::vector<Expr> asked = gradient(relation, moved);
    asked.push_back(size_of_terms(relation));
    const DoubleValues found = evaluate(asked, state);
    if (found.status != EvaluationStatus::ok) return std::numeric_limits<double>::infinity();
    double slopes = 0;
    for (std::size_t i = 0; i + 1 < found.values.size(); ++i) slopes += std::abs(found.values[i]);
    const double size = std::abs(found.values.back()) / slopes;
    if (found.values.back() == 0 || vanish_on_a_piece(std::span(asked).first(moved.size()), {})) continue;
    if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, size);
  }
  return largest;
}

}  // namespace liaison
