#include <fmt/format.h>

#include "analysis_sections.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

Inline coincidence_in_words(const TwoPrinciples& principles) {
  switch (principles.coincidence) {
    case Coincidence::always:
      return Inline("The motions are d'Alembert's, whatever the multipliers are at the start (") +
             with_conditions(principles.verdict) + ").";
    case Coincidence::suitable:
      return Inline(
                 "Each motion of d'Alembert is one of the variational problem with suitable multipliers (") +
             with_conditions(principles.verdict) + ")" +
             (principles.suitable.empty()
                  ? fmt::format(", of which {} stay free.", principles.free_multipliers)
                  : ":");
    case Coincidence::different:
      return Inline(
                 "The motions are others: at general states no multipliers make d'Alembert's motion one of "
                 "the variational problem (") +
             with_conditions(principles.verdict) + ").";
    case Coincidence::undecided: break;
  }
  return "Whether the motions are d'Alembert's was not decided: " + principles.reason + ".";
}

Math multiplier(const TwoPrinciples& principles, std::size_t h) {
  return math(principles.multipliers[h]);
}

}  // namespace

Section principles_section(const TwoPrinciples& principles) {
  Section section{"vakonomic", "The variational problem with the same relations", {}};
  if (principles.relations.empty()) {
    section.blocks.push_back(Paragraph{"Not compared with d'Alembert's motions: " + principles.reason + "."});
    return section;
  }
  section.blocks.push_back(Paragraph{
      "Among the curves that satisfy the relations, those with a stationary integral of T - V (Clebsch, "
      "Mayer; "
      "vakonomic) have a multiplier for each relation, and on each free velocity the further terms"});
  for (std::size_t r = 0; r < principles.further.size(); ++r) {
    section.blocks.push_back(Display{fmt::format("vakonomic.{}", r + 1), math(principles.further[r]),
                                     Inline("on ") + Inline(math(principles.directions[r]))});
  }
  section.blocks.push_back(Paragraph{coincidence_in_words(principles)});
  for (std::size_t h = 0; h < principles.suitable.size(); ++h) {
    section.blocks.push_back(Display{fmt::format("vakonomic.multiplier.{}", h + 1),
                                     relate(multiplier(principles, h), "=", math(principles.suitable[h])),
                                     ""});
  }
  if (const auto& brackets = principles.brackets) {
    section.blocks.push_back(Paragraph{
        Inline(fmt::format(
            "Morera's count: the admissible directions ({} freedom{} and time) and the brackets of two of "
            "them "
            "span "
            "m = {} dimensions of N + 1 = {}, so that H = N + 1 - m = {} independent combination{} of the "
            "relations "
            "may be used in T before it is differentiated (",
            brackets->directions, brackets->directions == 1 ? "" : "s", brackets->spanned,
            brackets->positions + 1, brackets->combinations(), brackets->combinations() == 1 ? "" : "s")) +
        word_for(brackets->grade) + not_zero(brackets->for_values) + ")."});
  }
  const bool all = principles.coincidence == Coincidence::always;
  if (!principles.idle.empty() && !all) {
    section.blocks.push_back(
        Paragraph{"Multipliers in these ratios have no further terms: such a combination of the relations "
                  "may be used in "
                  "T before it is differentiated (Hadamard, Morera)."});
    for (const std::vector<Expr>& combination : principles.idle) {
      Inline text;
      for (std::size_t h = 0; h < combination.size(); ++h)
        text = text + Inline(h == 0 ? "" : ", ") + Inline(principles.relations[h] + ": ") +
               Inline(math(combination[h]));
      section.blocks.push_back(Paragraph{std::move(text)});
    }
  }
  return section;
}

}  // namespace liaison
