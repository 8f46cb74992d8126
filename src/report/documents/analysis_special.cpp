#include <fmt/format.h>

#include "analysis_sections.hpp"
#include "liaison/model/matrix_names.hpp"

namespace liaison {

namespace {

std::string searched_in_words(const SpecialParameter& special, const std::string& name) {
  const SearchedIntegrals& searched = special.searched;
  std::string text =
      fmt::format("Searched, for each value of {} with the other parameters as given: {} ({} unknowns).",
                  name, searched.form, searched.unknowns);
  if (!special.stopped.empty()) text += fmt::format(" Not searched beyond that: {}.", special.stopped);
  const std::string none = fmt::format("No {}value of {} has more of them than all values have",
                                       special.values.empty() ? "" : "other ", name);
  if (searched.none_else == Grade::proved) return fmt::format("{} {} (proved).", text, none);
  if (searched.none_else == Grade::checked)
    return fmt::format("{} {} (checked: {}).", text, none, searched.reason);
  if (special.others == 0) return fmt::format("{} There may be others: {}.", text, searched.reason);
  text += fmt::format(
      " There may be more at up to {} values that are no short fractions, complex ones among them.",
      special.others);
  return text;
}

}  // namespace

Section special_section(const System& system, const SpecialParameter& special) {
  const std::string name = special.parameter.symbol().name;
  Section section{"special", fmt::format("Values of {} with further integrals", name), {}};
  std::size_t number = 0;
  for (const SpecialValue& value : special.values) {
    section.blocks.push_back(Paragraph{
        !value.integrals.empty() ? fmt::format("{} = {}:", name, value.value.to_string())
        : value.reason.empty() ? fmt::format("{} = {}: there are more of this form, and all are functions of "
                                             "the integrals for all values.",
                                             name, value.value.to_string())
                               : fmt::format("{} = {}: there are more, which were not written out ({}).",
                                             name, value.value.to_string(), value.reason)});
    for (const FirstIntegral& integral : value.integrals) {
      section.blocks.push_back(Display{fmt::format("special.{}", ++number),
                                       math(with_matrix_names(system, integral.expression)),
                                       Inline(integral.at_general_states ? "at general states, " : "") +
                                           with_conditions(integral.verdict)});
    }
  }
  if (special.searched.form.empty()) {
    section.blocks.push_back(Paragraph{"Not searched: " + special.searched.reason + "."});
  } else {
    section.blocks.push_back(Paragraph{searched_in_words(special, name)});
  }
  return section;
}

}  // namespace liaison
