#include <fmt/format.h>

#include "analysis_sections.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/model/matrix_names.hpp"

namespace liaison {

namespace {

/// The closed forms that were searched divide by zero there.
std::string not_asked(const std::string& where, const std::string& reason) {
  return fmt::format(
      "{}: not asked, there may be more: the closed forms have no value there, and others were not found "
      "({}).",
      where, reason);
}

/// Of what is said beside roots that are not fractions.
std::string grade_of(const SearchedIntegrals& searched) {
  return searched.reason.empty() ? "(proved)" : fmt::format("(checked: {})", searched.reason);
}

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
  if (!special.roots_of.empty()) {
    text += " There may be more where";
    for (std::size_t k = 0; k < special.roots_of.size(); ++k)
      text += fmt::format("{} {} = 0", k == 0 ? "" : " or", to_infix(special.roots_of[k]));
    if (special.others == 0) text += "; nowhere else " + grade_of(searched);
    text += ".";
  }
  if (special.others == 0)
    return special.roots_of.empty() ? fmt::format("{} There may be others: {}.", text, searched.reason)
                                    : text;
  text += fmt::format(
      " There may be more at up to {} values that are no short fractions, complex ones among them.",
      special.others);
  return text;
}

/// "k^2 - 2 = 0 and b - k = 0"
std::string vanishing(const std::vector<Expr>& conditions) {
  std::string result;
  for (Expr e : conditions) result += (result.empty() ? "" : " and ") + to_infix(e) + " = 0";
  return result;
}

/// "A = 2*B, for every B", "A = 2, B = 1", or the condition as it is.
std::string named(const SpecialPair& special, const SpecialCondition& condition) {
  if (condition.solved.empty()) return vanishing(condition.conditions);
  std::string result;
  for (const auto& [parameter, value] : condition.solved)
    result += (result.empty() ? "" : ", ") + to_infix(parameter) + " = " + to_infix(value);
  if (condition.solved.size() == special.parameters.size()) return result;
  const bool is_first = condition.solved.front().first == special.parameters[0];
  return fmt::format("{}, for every {}", result, to_infix(special.parameters[is_first ? 1 : 0]));
}

std::string searched_in_words(const SpecialPair& special) {
  const SearchedIntegrals& searched = special.searched;
  std::string text = fmt::format(
      "Searched, for each pair of values of {} and {} with the other parameters as given: {} ({} unknowns).",
      to_infix(special.parameters[0]), to_infix(special.parameters[1]), searched.form, searched.unknowns);
  if (!special.stopped.empty()) text += fmt::format(" Not searched beyond that: {}.", special.stopped);
  const bool has_some = !special.curves.empty() || !special.points.empty();
  const std::string none =
      fmt::format("No {}pair has more of them than all pairs have", has_some ? "other " : "");
  if (searched.none_else == Grade::proved) {
    text += fmt::format(" {} (proved).", none);
  } else if (searched.none_else == Grade::checked) {
    text += fmt::format(" {} (checked: {}).", none, searched.reason);
  } else if (special.undecided.empty()) {
    text += fmt::format(" There may be others: {}.", searched.reason);
  } else {
    text += " There may be more where";
    for (std::size_t k = 0; k < special.undecided.size(); ++k)
      text += fmt::format("{} {}", k == 0 ? "" : ", or", vanishing(special.undecided[k]));
    text += fmt::format("; nowhere else {}.", grade_of(searched));
  }
  if (!special.curves.empty()) text += " Single pairs on a line above may have more than the line has.";
  return text;
}

}  // namespace

Section special_pair_section(const System& system, const SpecialPair& special) {
  Section section{"special",
                  fmt::format("Values of {} and {} with further integrals", to_infix(special.parameters[0]),
                              to_infix(special.parameters[1])),
                  {}};
  std::size_t number = 0;
  for (const auto* conditions : {&special.curves, &special.points}) {
    for (const SpecialCondition& condition : *conditions) {
      const std::string name = named(special, condition);
      section.blocks.push_back(
          Paragraph{!condition.integrals.empty() ? name + ":"
                    : !condition.is_asked        ? not_asked(name, condition.reason)
                    : condition.reason.empty()
                        ? fmt::format("{}: there are more of this form, and all are functions of "
                                      "the integrals for all values.",
                                      name)
                        : fmt::format("{}: there may be more, which were not written out ({}).", name,
                                      condition.reason)});
      for (const FirstIntegral& integral : condition.integrals) {
        section.blocks.push_back(Display{fmt::format("special.{}", ++number),
                                         math(with_matrix_names(system, integral.expression)),
                                         Inline(integral.at_general_states ? "at general states, " : "") +
                                             with_conditions(integral.verdict)});
      }
    }
  }
  section.blocks.push_back(
      Paragraph{special.searched.form.empty()
                    ? "Not searched: " + special.searched.reason + "."
                    : (section.blocks.empty() ? "None was found. " : "") + searched_in_words(special)});
  return section;
}

Section special_section(const System& system, const SpecialParameter& special) {
  const std::string name = special.parameter.symbol().name;
  Section section{"special", fmt::format("Values of {} with further integrals", name), {}};
  std::size_t number = 0;
  for (const SpecialValue& value : special.values) {
    section.blocks.push_back(Paragraph{
        !value.integrals.empty() ? fmt::format("{} = {}:", name, value.value.to_string())
        : !value.is_asked ? not_asked(fmt::format("{} = {}", name, value.value.to_string()), value.reason)
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
    section.blocks.push_back(
        Paragraph{(special.values.empty() ? "None was found. " : "") + searched_in_words(special, name)});
  }
  return section;
}

}  // namespace liaison
