#include "liaison/report/derivation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "derivation_parts.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/report/shared_parts.hpp"

namespace liaison {

Math equation(Expr left, Expr right) {
  return relate(math(left), "=", math(right));
}

Math name(const std::string& infix, const std::string& unicode, const std::string& latex) {
  return symbol(infix, unicode, latex);
}

Math indexed(const std::string& infix, const std::string& unicode, const std::string& latex,
             const std::string& index) {
  std::string escaped;
  for (char c : index) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
  return symbol(fmt::format("{}({})", infix, index), fmt::format("{}_{}", unicode, index),
                fmt::format("{}_{{\\mathrm{{{}}}}}", latex, escaped));
}

Math dotted(Expr state_symbol) {
  const std::string prime = state_symbol.symbol().name + "'";
  return symbol(prime, unicode_name(prime), latex_name(prime));
}

void add_equations(const DerivationContext& context, Section& section, const std::string& key,
                   const std::vector<Math>& left, const std::vector<Expr>& right,
                   const std::vector<std::string>& keys) {
  std::size_t size = 0;
  for (Expr e : right) size += count_written_operations(e);
  std::vector<Expr> shown = right;
  if (size > context.options.naming_threshold) {
    const SharedParts shared = name_shared_parts(context.algebra.pool(), right, "s");
    if (!shared.definitions.empty()) {
      section.blocks.push_back(Paragraph{"With the abbreviations"});
      for (const auto& [symbol_of_part, meaning] : shared.definitions) {
        section.blocks.push_back(
            Display{key + "." + symbol_of_part.symbol().name, equation(symbol_of_part, meaning), {}});
      }
      section.blocks.push_back(Paragraph{"this is"});
      shown = shared.rewritten;
    }
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    section.blocks.push_back(Display{key + "." + keys[i], relate(left[i], "=", math(shown[i])), {}});
  }
}

void add_components(const DerivationContext& context, Section& section, const std::string& key,
                    const std::vector<Inline>& header, const std::vector<Math>& left,
                    const std::vector<Expr>& right, const std::vector<std::string>& keys) {
  constexpr std::size_t short_enough = 14;
  if (std::any_of(right.begin(), right.end(),
                  [](Expr e) { return count_written_operations(e) > short_enough; })) {
    add_equations(context, section, key, left, right, keys);
    return;
  }
  Table table{key, header, {}};
  for (std::size_t i = 0; i < left.size(); ++i) table.rows.push_back({left[i], math(right[i])});
  section.blocks.push_back(std::move(table));
}

bool is_readable(const DerivationContext& context, std::span<const Expr> es) {
  std::size_t size = 0;
  for (Expr e : es) {
    size += count_written_operations(e);
    if (size > context.options.readable_limit) return false;
  }
  return true;
}

void add_conditions(const DerivationContext& context, Section& section, const Conditions& conditions) {
  constexpr std::size_t short_enough = 40;
  std::vector<Math> shown;
  bool determinant = false;
  for (Expr condition : conditions) {
    if (count_written_operations(condition) > short_enough) {
      determinant = true;
    } else {
      shown.push_back(relate(math(condition), "!=", math(condition.pool().number(0))));
    }
  }
  if (determinant) {
    const bool constrained = !context.motion.constraints.empty();
    shown.push_back(constrained ? symbol("det M != 0, det r != 0", "det M ≠ 0, det r ≠ 0",
                                         "\\det M \\neq 0,\\ \\det r \\neq 0")
                                : symbol("det M != 0", "det M ≠ 0", "\\det M \\neq 0"));
  }
  if (shown.empty()) return;
  Inline text("This holds where ");
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) text = text + (i + 1 == shown.size() ? " and " : ", ");
    text = text + shown[i];
  }
  section.blocks.push_back(Paragraph{text + "."});
}

Document derivation_of(Algebra& algebra, const Motion& motion, const DerivationOptions& options) {
  const System& system = *motion.space.system;
  const Manifold manifold = solve_manifold(algebra, motion);
  const DerivationContext context{algebra, motion, manifold, options};
  Document document;
  document.title = system.name.empty() ? "A mechanical system" : system.name;
  document.summary = Inline(fmt::format("{} direction{} of motion, {} constraint{}.", motion.space.size(),
                                        motion.space.size() == 1 ? "" : "s", motion.relation_count,
                                        motion.relation_count == 1 ? "" : "s"));
  document.sections.push_back(system_section(context));
  document.sections.push_back(omega_section(context));
  if (motion.closed_form) document.sections.push_back(free_motion_section(context));
  if (!motion.constraints.empty()) {
    document.sections.push_back(constraints_section(context));
    if (motion.closed_form) {
      document.sections.push_back(reactions_section(context));
      document.sections.push_back(reduced_section(context));
    }
  }
  document.sections.push_back(equations_section(context));
  if (!options.formulations.empty()) document.sections.push_back(agreement_section(context));
  return document;
}

}  // namespace liaison
