#include "liaison/report/derivation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "derivation_parts.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/report/shared_parts.hpp"

namespace liaison {

Math equation(Expr left, Expr right) {
  return relate(math(left), "=", math(tidy(right)));
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

namespace {

/// Shared parts without those that are read faster than looked up; the names that are left count on.
SharedParts name_large_parts(Pool& pool, const std::vector<Expr>& es) {
  constexpr std::size_t large = 4;
  const SharedParts all = name_shared_parts(pool, es, "s");
  SharedParts result;
  Substitution meaning_of;  // small parts by what they mean, large ones by their new name
  for (const auto& [part, meaning] : all.definitions) {
    const Expr written_out = substitute(meaning, meaning_of);
    if (count_written_operations(meaning) < large) {
      meaning_of.emplace(part, written_out);
      continue;
    }
    const Expr new_name = all.definitions[result.definitions.size()].first;
    meaning_of.emplace(part, new_name);
    result.definitions.emplace_back(new_name, written_out);
  }
  result.rewritten = substitute(all.rewritten, meaning_of);
  return result;
}

/// The velocities that the relations leave free, where it is known how many relations are independent.
std::string freedom(const DerivationContext& context) {
  const Motion& motion = context.motion;
  if (motion.status != FactorStatus::determined && motion.relation_count > 0) return {};
  if (motion.status == FactorStatus::singular_mass) return {};
  const std::size_t free = motion.space.size() - motion.relation_count;
  return fmt::format("{} degree{} of freedom: ", free, free == 1 ? "" : "s");
}

/// "The factors are" of "the factors are".
Inline capitalised(Inline sentence) {
  if (auto* text = std::get_if<std::string>(&sentence.parts.front()))
    text->front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text->front())));
  return sentence;
}

constexpr std::size_t pages_of_readable =
    10;  // a list of equations may be so many times one that is readable

/// Operations of a list of equations with its abbreviations.
std::size_t written_size(const SharedParts& shared, const std::vector<Expr>& shown) {
  std::size_t size = 0;
  for (const auto& [name, meaning] : shared.definitions) size += count_written_operations(meaning);
  for (Expr e : shared.definitions.empty() ? shown : shared.rewritten) size += count_written_operations(e);
  return size;
}

}  // namespace

void add_equations(const DerivationContext& context, Section& section, const std::string& key,
                   const std::vector<Math>& left, const std::vector<Expr>& right,
                   const std::vector<std::string>& keys, const Inline& lead) {
  std::vector<Expr> shown = tidy(right);
  std::size_t size = 0;
  for (Expr e : shown) size += count_written_operations(e);
  SharedParts shared;
  if (size > context.options.naming_threshold) shared = name_large_parts(context.algebra.pool(), shown);
  const std::size_t written = written_size(shared, shown);
  if (written / pages_of_readable > context.options.readable_limit) {
    section.blocks.push_back(Paragraph{
        fmt::format("Solved and written out, {} {} {} operations, with abbreviations {}: too long to be "
                    "read. `derive --full` shows {}.",
                    left.size() == 1 ? "the equation" : fmt::format("the {} equations", left.size()),
                    left.size() == 1 ? "has" : "have", size, written, left.size() == 1 ? "it" : "them")});
    return;
  }
  if (!shared.definitions.empty()) {
    const bool one = shared.definitions.size() == 1;
    section.blocks.push_back(Paragraph{one ? "With the abbreviation" : "With the abbreviations"});
    for (const auto& [part, meaning] : shared.definitions)
      section.blocks.push_back(Display{.key = key + "." + part.symbol().name,
                                       .formula = equation(part, meaning),
                                       .code = assignment(part.symbol().name, meaning)});
    section.blocks.push_back(Paragraph{lead.parts.empty() ? "they are" : lead});
    shown = shared.rewritten;
  } else if (!lead.parts.empty()) {
    section.blocks.push_back(Paragraph{capitalised(lead)});
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    section.blocks.push_back(Display{.key = key + "." + keys[i],
                                     .formula = relate(left[i], "=", math(shown[i])),
                                     .code = assignment(infix_of(left[i]), shown[i])});
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
  for (std::size_t i = 0; i < left.size(); ++i) table.rows.push_back({left[i], math(tidy(right[i]))});
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

namespace {

/// As the model says them; `check` decides them.
Section claims_section(const System& system) {
  Section section{"claims", "What the model claims", {}};
  section.blocks.push_back(Paragraph{"`liaison check` proves these, or refutes them at a state:"});
  Listing claims;
  for (const Claim& claim : system.claims)
    claims.items.emplace_back((claim.misprint ? "a misprint: " : "") + claim.text);
  section.blocks.push_back(std::move(claims));
  return section;
}

/// The equations of the road that was asked for stand right behind the system.
void lead_with_roads(Document& document) {
  const auto place = std::find_if(document.sections.begin(), document.sections.end(),
                                  [](const Section& section) { return section.key == "agreement"; });
  if (place == document.sections.end() || document.sections.size() < 2) return;
  std::rotate(document.sections.begin() + 1, place, place + 1);
}

}  // namespace

Document derivation_of(Algebra& algebra, const Motion& motion, const DerivationOptions& options) {
  const System& system = *motion.space.system;
  const Manifold manifold = solve_manifold(algebra, motion);
  DerivationContext context{algebra, motion, manifold, options, {}, Letters(system)};
  const bool singular =
      motion.status == FactorStatus::undetermined || motion.status == FactorStatus::incompatible;
  if (singular) context.dependences = find_dependences(algebra, assembled(motion));
  const bool moves = motion.status != FactorStatus::incompatible && !has_contradiction(context.dependences);
  Document document;
  document.title = system.name.empty() ? "A mechanical system" : system.name;
  const std::string count = motion.relation_count == 0 ? "no" : std::to_string(motion.relation_count);
  document.summary = Inline(fmt::format("{}{} direction{} of motion, {} constraint{}.", freedom(context),
                                        motion.space.size(), motion.space.size() == 1 ? "" : "s", count,
                                        motion.relation_count == 1 ? "" : "s"));
  document.sections.push_back(system_section(context));
  document.sections.push_back(omega_section(context));
  if (!motion.constraints.empty()) {
    if (motion.closed_form) document.sections.push_back(free_motion_section(context));
    document.sections.push_back(constraints_section(context));
    if (motion.closed_form) document.sections.push_back(reactions_section(context));
    if (motion.closed_form && moves) document.sections.push_back(reduced_section(context));
  }
  document.sections.push_back(moves ? equations_section(context) : no_motion_section(context));
  if (moves && !options.drives.drives.empty()) document.sections.push_back(drives_section(context));
  if (!options.roads.empty()) document.sections.push_back(agreement_section(context));
  if (!system.claims.empty()) document.sections.push_back(claims_section(system));
  if (options.lead) lead_with_roads(document);
  return document;
}

}  // namespace liaison
