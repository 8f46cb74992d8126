#include "liaison/mechanics/dependence.hpp"

#include <algorithm>
#include <numeric>

#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/open_conditions.hpp"

namespace liaison {

namespace {

bool is_free_of(Expr e, const std::vector<Expr>& symbols) {
  return std::none_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(e, symbol); });
}

/// The same combination, its first weight positive.
std::vector<Expr> with_positive_lead(std::vector<Expr> weights) {
  for (Expr weight : weights) {
    if (weight.is_zero()) continue;
    if (!has_negative_lead(weight)) break;
    for (Expr& each : weights) each = -each;
    break;
  }
  return weights;
}

Dependence classify(Algebra& algebra, const AssembledEquations& equations, std::vector<Expr> weights) {
  bool on_levels = true;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (!weights[k].is_zero())
      on_levels = on_levels && !equations.levels[k].empty() && weights[k].is_constant();
  }
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (!weights[k].is_zero())
      terms.push_back(weights[k] * (on_levels ? equations.levels[k] : equations.relations[k]));
  }
  Dependence result{std::move(weights), algebra.readable(algebra.pool().add(terms)),
                    DependenceKind::redundant, on_levels};
  if (algebra.is_zero(result.rest).holds()) return result;
  const bool certain = symbols_in(result.rest).empty() || never_zero(result.rest);
  result.kind = certain ? DependenceKind::contradictory : DependenceKind::conditional;
  return result;
}

}  // namespace

std::vector<Dependence> find_dependences(Algebra& algebra, const AssembledEquations& equations,
                                         std::vector<std::size_t> relations) {
  if (relations.empty()) {
    relations.resize(equations.relation_count);
    std::iota(relations.begin(), relations.end(), std::size_t{0});
  }
  if (relations.size() < 2) return {};
  Matrix gradients(algebra.pool(), equations.parameters.size(), relations.size());
  for (const SparseEntry& entry : equations.gradients.entries) {
    const auto place = std::find(relations.begin(), relations.end(), entry.row);
    if (place != relations.end())
      gradients(entry.column, static_cast<std::size_t>(place - relations.begin())) = entry.value;
  }
  std::vector<Dependence> result;
  for (const std::vector<Expr>& basis : null_space(algebra, gradients).basis) {
    std::vector<Expr> weights(equations.relation_count, algebra.pool().number(0));
    for (std::size_t i = 0; i < relations.size(); ++i) weights[relations[i]] = basis[i];
    Dependence found = classify(algebra, equations, with_positive_lead(std::move(weights)));
    if (is_free_of(found.rest, equations.parameters)) result.push_back(std::move(found));
  }
  return result;
}

bool has_contradiction(const std::vector<Dependence>& dependences) {
  return std::any_of(dependences.begin(), dependences.end(),
                     [](const Dependence& d) { return d.kind == DependenceKind::contradictory; });
}

}  // namespace liaison
