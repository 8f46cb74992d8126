#include "liaison/report/analysis_page.hpp"

#include <fmt/format.h>

#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

Inline with_conditions(const Verdict& verdict) {
  Inline text(in_a_word(verdict.grade));
  for (std::size_t k = 0; k < verdict.conditions.size(); ++k) {
    text = text + Inline(k == 0 ? " where " : ", ") +
           Inline(relate(math(verdict.conditions[k]), "!=", symbol("0", "0", "0")));
  }
  return text;
}

Section facts_section(const ModelFacts& facts) {
  Section section{"system", "The system", {}};
  const std::string freedom =
      facts.constraints.empty()
          ? fmt::format("{} degrees of freedom, no constraints.", facts.degrees_of_freedom)
          : fmt::format("{} velocities, {} of them free: {} degrees of freedom ({}).", facts.directions,
                        facts.degrees_of_freedom, facts.degrees_of_freedom, in_a_word(facts.freedom_grade));
  section.blocks.push_back(Paragraph{freedom});
  if (!facts.constraints.empty()) {
    Table table{"constraints", {"constraint", "kind", "force", "integrable"}, {}};
    for (const ConstraintFact& fact : facts.constraints) {
      const bool is_reaction = fact.kind == ConstraintKind::reaction;
      table.rows.push_back({fact.name, name_of(fact.kind) + (fact.has_time ? ", with time" : ""),
                            fact.is_ideal ? "ideal" : "given",
                            is_reaction ? std::string("no relation") : answer_in_words(fact.integrable)});
    }
    section.blocks.push_back(std::move(table));
    Listing list;
    list.items.emplace_back("holonomic, all together: " + answer_in_words(facts.holonomic));
    std::string compatible =
        "compatible (the reactions are determined): " + answer_in_words(facts.compatible);
    if (!facts.determinism.empty()) compatible += "; " + facts.determinism;
    list.items.emplace_back(std::move(compatible));
    section.blocks.push_back(std::move(list));
  }
  if (!facts.open_contacts.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "Of the unilateral constraints {} what follows says nothing: it is about motions with open contacts.",
        fmt::join(facts.open_contacts, ", "))});
  }
  return section;
}

Section flag_section(const ConstraintFlagResult& result) {
  Section section{"constraints", "Where it can go", {}};
  if (!result.flag) {
    section.blocks.push_back(Paragraph{"Not derived: " + result.reason + "."});
    return section;
  }
  const ConstraintFlag& flag = *result.flag;
  const std::string space = flag.with_time ? "positions and time have" : "positions have";
  section.blocks.push_back(
      Paragraph{fmt::format("The {} {} dimensions. Admissible directions and their brackets span {} of them "
                            "at a general place: growth "
                            "vector {}, derived flag {} ({}).",
                            space, flag.space, flag.accessible(), to_string(flag.growth),
                            to_string(flag.derived), in_a_word(flag.grade))});
  if (flag.integrable.empty()) {
    section.blocks.push_back(Paragraph{
        "No combination of the constraints is integrable: no surface holds all curves that satisfy them."});
    return section;
  }
  section.blocks.push_back(
      Paragraph{"Integrable combinations of the constraints: each vanishes on every motion."});
  for (std::size_t k = 0; k < flag.integrable.size(); ++k) {
    const IntegrablePart& part = flag.integrable[k];
    Inline note = part.integral ? Inline("constant: ") + Inline(math(*part.integral)) +
                                      Inline(part.multivalued ? " (changes along a loop)" : "")
                                : Inline("no integral was found in closed form");
    section.blocks.push_back(Display{fmt::format("integrable.{}", k + 1),
                                     relate(math(part.form), "=", symbol("0", "0", "0")), std::move(note)});
  }
  return section;
}

std::string searched_in_words(const SearchedIntegrals& searched, const std::string& parameters) {
  if (searched.form.empty()) return searched.reason.empty() ? "" : "Not searched: " + searched.reason + ".";
  std::string text =
      fmt::format("Searched, {}: {} ({} unknowns).", parameters, searched.form, searched.unknowns);
  if (searched.none_else == Grade::proved) {
    text += " Every integral of this form is a polynomial in those above (proved).";
  } else if (searched.none_else == Grade::checked) {
    text += fmt::format(" Every integral of this form is a function of those above (checked: {}).",
                        searched.reason);
  } else {
    text += fmt::format(" There may be others: {}.", searched.reason);
  }
  return text;
}

Section integrals_section(const FirstIntegrals& integrals) {
  Section section{"integrals", "First integrals", {}};
  if (integrals.found.empty()) section.blocks.push_back(Paragraph{"None was found."});
  std::size_t number = 0;
  for (const FirstIntegral& integral : integrals.found) {
    Inline note = Inline(integral.origin == "search" ? "" : integral.origin + ", ") +
                  with_conditions(integral.verdict) +
                  Inline(integral.for_values ? ", for the parameters as given" : "");
    section.blocks.push_back(
        Display{fmt::format("integral.{}", ++number), math(integral.expression), std::move(note)});
  }
  if (integrals.found.size() > 1) section.blocks.push_back(Paragraph{"They are functionally independent."});
  const SearchedIntegrals &generic = integrals.generic, &given = integrals.for_values;
  const bool is_same = generic.form == given.form && generic.none_else == given.none_else;
  const std::string all = "for all values of the parameters", values = "for the parameters as given";
  for (const std::string& text : {searched_in_words(generic, is_same ? all + " together and " + values : all),
                                  is_same ? std::string() : searched_in_words(given, values)}) {
    if (!text.empty()) section.blocks.push_back(Paragraph{text});
  }
  return section;
}

}  // namespace

std::string in_a_word(Grade grade) {
  switch (grade) {
    case Grade::proved: return "proved";
    case Grade::checked: return "checked";
    case Grade::refuted: return "refuted";
    case Grade::empty: return "empty";
    case Grade::unknown: break;
  }
  return "unknown";
}

std::string answer_in_words(const Verdict& verdict) {
  if (verdict.holds()) return fmt::format("yes ({})", describe(verdict));
  if (verdict.is_refuted()) return "no (refuted at a state)";
  if (verdict.grade == Grade::empty) return "there is no state: " + verdict.reason;
  return "not decided" + (verdict.reason.empty() ? "" : ": " + verdict.reason);
}

Document analysis_page(const System& system, const Analysis& analysis) {
  Document page;
  page.title = system.name.empty() ? "Analysis" : system.name;
  page.sections.push_back(facts_section(analysis.facts));
  if (analysis.flag) page.sections.push_back(flag_section(*analysis.flag));
  if (analysis.integrals) page.sections.push_back(integrals_section(*analysis.integrals));
  Section limits{"limits", "What was not done", {}};
  if (!analysis.no_flow.empty())
    limits.blocks.push_back(Paragraph{"Nothing was searched: " + analysis.no_flow + "."});
  for (const std::string& limit : analysis.limits) limits.blocks.push_back(Paragraph{limit + "."});
  if (analysis.interrupted)
    limits.blocks.push_back(Paragraph{"Interrupted: what was found before stands above."});
  if (!limits.blocks.empty()) page.sections.push_back(std::move(limits));
  return page;
}

}  // namespace liaison
