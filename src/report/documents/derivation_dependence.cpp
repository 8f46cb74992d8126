#include "derivation_parts.hpp"

/// What is said about relations that depend on each other.
namespace liaison {

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
    const std::string key = "@" + letter;
    const Math sum = relate(combination(motion, dependence.weights, letter, context.letters.unicode(key),
                                        context.letters.latex(key)),
                            "=", math(tidy(dependence.rest)));
    const Inline where = dependence.on_levels ? Inline(" (") + context.letters.set("f", "@f", "@f") +
                                                    " is the relation between the positions)"
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
