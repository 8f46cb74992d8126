#include <algorithm>

#include "derivation_parts.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/open_conditions.hpp"

/// Relations that depend on each other: sum_k c_k a^k is free of the velocities (rows G3.II-compat, G3.ex6).
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

Expr combined(Pool& pool, const std::vector<Expr>& weights, const std::vector<Expr>& values) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < weights.size(); ++k) terms.push_back(weights[k] * values[k]);
  return pool.add(terms);
}

Dependence classify(const DerivationContext& context, std::vector<Expr> weights) {
  const Motion& motion = context.motion;
  std::vector<Expr> relations, levels;
  bool on_levels = true;
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    const ConstraintField& constraint = motion.constraints[k];
    relations.push_back(constraint.relation);
    levels.push_back(constraint.level.empty() ? constraint.relation : constraint.level);
    if (!weights[k].is_zero()) on_levels = on_levels && !constraint.level.empty() && weights[k].is_constant();
  }
  Pool& pool = context.algebra.pool();
  Dependence result{std::move(weights), {}, DependenceKind::redundant, on_levels};
  result.rest = context.algebra.readable(combined(pool, result.weights, on_levels ? levels : relations));
  if (context.algebra.is_zero(result.rest).holds()) return result;
  const bool certain = symbols_in(result.rest).empty() || never_zero(result.rest);
  result.kind = certain ? DependenceKind::contradictory : DependenceKind::conditional;
  return result;
}

}  // namespace

std::vector<Dependence> find_dependences(const DerivationContext& context) {
  const Motion& motion = context.motion;
  const bool singular =
      motion.status == FactorStatus::undetermined || motion.status == FactorStatus::incompatible;
  if (!singular || motion.relation_count < 2) return {};
  Matrix gradients(context.algebra.pool(), motion.space.size(), motion.relation_count);
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    for (std::size_t a = 0; a < motion.space.size(); ++a) gradients(a, k) = motion.constraints[k].gradient[a];
  }
  std::vector<Dependence> result;
  for (const std::vector<Expr>& weights : null_space(context.algebra, gradients).basis) {
    Dependence found = classify(context, with_positive_lead(weights));
    if (is_free_of(found.rest, motion.space.parameters)) result.push_back(std::move(found));
  }
  return result;
}

bool has_contradiction(const std::vector<Dependence>& dependences) {
  return std::any_of(dependences.begin(), dependences.end(),
                     [](const Dependence& d) { return d.kind == DependenceKind::contradictory; });
}

Math combination(const Motion& motion, const std::vector<Expr>& weights, const std::string& infix,
                 const std::string& unicode, const std::string& latex) {
  Math sum;
  for (std::size_t h = 0; h < weights.size(); ++h) {
    if (weights[h].is_zero()) continue;
    const Math name_of_one = indexed(infix, unicode, latex, motion.constraints[h].name);
    const Expr weight = tidy(weights[h]);
    const bool negative = !weight.is(Op::add) && split_coefficient(weight).first.sign() < 0;
    const Expr size = negative ? -weight : weight;
    Math factor = math(size);
    if (size.is(Op::add)) factor = symbol("(", "(", "(") + factor + symbol(")", ")", ")");
    const Math term = size.is_one() ? name_of_one : factor + symbol("*", " ", "\\,") + name_of_one;
    if (!sum.pieces.empty()) {
      sum = relate(sum, negative ? "-" : "+", term);
    } else {
      sum = negative ? symbol("-", "−", "-") + term : term;
    }
  }
  return sum;
}

std::string names_of(const Motion& motion, const std::vector<Expr>& weights) {
  std::vector<std::string> names;
  for (std::size_t h = 0; h < weights.size(); ++h) {
    if (!weights[h].is_zero()) names.push_back(motion.constraints[h].name);
  }
  return listed(names);
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

void add_dependences(const DerivationContext& context, Section& section,
                     const std::vector<Dependence>& dependences) {
  for (const Dependence& dependence : dependences) {
    const Motion& motion = context.motion;
    const std::string names = names_of(motion, dependence.weights);
    const std::string letter = dependence.on_levels ? "f" : "a";
    const Math sum = relate(combination(motion, dependence.weights, letter, letter, letter), "=",
                            math(tidy(dependence.rest)));
    const Inline where = dependence.on_levels
                             ? Inline(" (") + name("f", "f", "f") + " is the relation between the positions)"
                             : Inline();
    switch (dependence.kind) {
      case DependenceKind::redundant:
        section.blocks.push_back(Paragraph{Inline("The constraints ") + names + " are not independent: " +
                                           sum + where + ". One of them is redundant."});
        break;
      case DependenceKind::contradictory:
        section.blocks.push_back(Paragraph{Inline("The constraints ") + names + " contradict each other: " +
                                           sum + where + ", which is not 0. No motion keeps them all."});
        break;
      case DependenceKind::conditional:
        section.blocks.push_back(Paragraph{Inline("The constraints ") + names + " are not independent: " +
                                           sum + where + ". Together they hold only where this is 0."});
        break;
    }
  }
}

}  // namespace liaison
