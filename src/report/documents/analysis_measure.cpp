#include <fmt/format.h>

#include "analysis_sections.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {

namespace {
constexpr std::size_t longest = 200;  ///< characters of a formula that is still read
}

Section measure_section(const System& system, const InvariantMeasure& measure) {
  Section section{"measure", "Invariant measure", {}};
  if (measure.divergence.empty()) {
    section.blocks.push_back(Paragraph{"Not asked: " + measure.reason + "."});
    return section;
  }
  const std::string volume =
      measure.beside_relations
          ? "volume of coordinates and velocities, divided by the differentials of the relations,"
          : "volume of positions and free velocities";
  if (measure.density && measure.origin == "volume") {
    section.blocks.push_back(
        Paragraph{Inline("The " + volume + " is kept (") + with_conditions(measure.verdict) + ")."});
    return section;
  }
  if (measure.density) {
    const std::string kept = "Motions keep the " + volume + " with the density";
    const bool is_determinant = measure.origin != "search" && measure.origin != "brackets";
    const std::string named =
        measure.beside_relations
            ? std::string("det(M) det(r), M the matrix of T, r that of the reactions")
            : fmt::format(
                  "det(G){}, G the matrix of T in the free velocities",
                  measure.exponent.is_one() ? "" : fmt::format("^({})", measure.exponent.to_string()));
    if (is_determinant && to_infix(*measure.density).size() > longest) {
      section.blocks.push_back(
          Paragraph{Inline(kept + " " + named + " (") + with_conditions(measure.verdict) + ")."});
      return section;
    }
    section.blocks.push_back(Paragraph{kept + (is_determinant ? " " + named + ":" : "")});
    section.blocks.push_back(Display{"measure", math(*measure.density), with_conditions(measure.verdict)});
    return section;
  }
  if (measure.obstruction) {
    section.blocks.push_back(Paragraph{
        Inline("The " + volume + " changes at the rate ") + Inline(math(measure.divergence)) +
        ". No density of positions is kept around any place where " + Inline(math(*measure.obstruction)) +
        " does not vanish, whatever its form: along brackets of the admissible directions it would have two "
        "rates (" +
        (measure.none == Grade::proved ? "proved" : "checked: " + measure.reason) + ")." +
        (measure.none_at_rest ? " Nor is one that depends on velocities too and is positive at rest." : "")});
    return section;
  }
  section.blocks.push_back(Paragraph{
      Inline("The " + volume + " changes at the rate ") + Inline(math(measure.divergence)) +
      ". Searched, as a density: " + Inline(measure.form) +
      Inline(fmt::format(" ({} unknowns). ", measure.unknowns)) +
      (measure.none == Grade::proved
           ? "No density of this form is kept" + for_all_values(system) + " (proved)."
       : measure.none == Grade::checked ? "No density of this form is kept (checked: " + measure.reason + ")."
                                        : "There may be one: " + measure.reason + ".") +
      (measure.near_general_places ? " Around general places there is one, of another form." : "")});
  return section;
}

}  // namespace liaison
