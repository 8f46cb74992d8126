#include "derivation_parts.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/open_conditions.hpp"

/// Under which conditions a derivation holds: only what may fail.
namespace liaison {

void add_conditions(const DerivationContext& context, Section& section, const Conditions& conditions) {
  constexpr std::size_t short_enough = 40;
  std::vector<Math> shown;
  bool determinant = false;
  for (Expr factor : factors_that_may_vanish(conditions)) {
    if (count_written_operations(factor) > short_enough) {
      determinant = true;
    } else {
      shown.push_back(relate(math(tidy(factor)), "!=", math(factor.pool().number(0))));
    }
  }
  if (determinant) {
    shown.push_back(symbol("det M != 0", "det M ≠ 0", "\\det M \\neq 0"));
    if (!context.motion.constraints.empty())
      shown.push_back(context.letters.set("det r != 0", "det @r ≠ 0", "\\det @r \\neq 0"));
  }
  if (shown.empty()) return;
  Inline text("This holds where ");
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) text = text + (i + 1 == shown.size() ? " and " : ", ");
    text = text + shown[i];
  }
  section.blocks.push_back(Paragraph{text + "."});
}

}  // namespace liaison
