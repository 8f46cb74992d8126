#include <fmt/format.h>

#include "analysis_sections.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/forms/vector_field.hpp"
#include "liaison/report/shared_parts.hpp"
#include "liaison/structure/lie_algebra.hpp"

namespace liaison {

namespace {

/// c d/dx + ..., with partial derivatives; frames without coordinates by their forms.
std::string latex_of_field(const VectorField& field) {
  std::string text;
  for (std::size_t k = 0; k < field.coframe()->dimension(); ++k) {
    const Expr component = field.component(k);
    if (component.is_zero()) continue;
    const std::string& form = field.coframe()->name(k);
    const std::string name = form.starts_with('d') ? form.substr(1) : form;
    const std::string base = form.starts_with('d') ? "\\partial_{" + latex_name(name) + "}"
                                                   : "e_{\\mathrm{" + name.substr(name.find('_') + 1) + "}}";
    if (!text.empty()) text += " + ";
    text += component.is_one() ? base : "\\left(" + to_latex(component) + "\\right) " + base;
  }
  return text.empty() ? "0" : text;
}

/// The field on positions and time; what it does to the velocities follows.
Math on_positions(const StateSpace& space, const VectorField& field) {
  std::vector<Expr> components = field.components();
  for (std::size_t a = 0; a < space.size(); ++a) components[space.velocity_form(a)] = space.pool().number(0);
  const VectorField shown(field.coframe(), std::move(components));
  return symbol(to_infix(shown), to_unicode(shown), latex_of_field(shown));
}

Inline momentum_of(const Symmetry& symmetry) {
  if (!symmetry.momentum) return "no momentum was found in closed form";
  Inline text = Inline(symmetry.name == "time" ? "energy " : "momentum ") + Inline(math(*symmetry.momentum));
  if (symmetry.multivalued) text = text + Inline(", which changes along a loop");
  if (symmetry.conserved.holds())
    return text + Inline(", conserved (") + with_conditions(symmetry.conserved) + ")";
  return text + Inline(symmetry.conserved.is_refuted() ? ", not conserved: the reactions have a power on it"
                                                       : ", conservation not decided");
}

}  // namespace

Section symmetries_section(const StateSpace& space, const Symmetries& symmetries) {
  Section section{"symmetries", "Symmetries", {}};
  if (symmetries.form.empty()) {
    section.blocks.push_back(Paragraph{"Not searched: " + symmetries.reason + "."});
    return section;
  }
  if (symmetries.fields.empty()) section.blocks.push_back(Paragraph{"None was found."});
  for (std::size_t k = 0; k < symmetries.fields.size(); ++k) {
    const Symmetry& symmetry = symmetries.fields[k];
    const std::string name = symmetry.name.empty() ? "" : symmetry.name + ", ";
    const std::string number = std::to_string(k + 1);
    section.blocks.push_back(
        Display{"symmetry." + number,
                relate(symbol("X" + number, "X" + number, "X_{" + number + "}"), "=",
                       on_positions(space, symmetry.field)),
                Inline(name) + with_conditions(symmetry.verdict) + "; " + momentum_of(symmetry)});
  }
  std::string brackets;
  for (std::size_t k = 0; k < symmetries.constants.size(); ++k) {
    const StructureConstant& constant = symmetries.constants[k];
    brackets += fmt::format("{}[X{}, X{}] = ({}) X{}", k == 0 ? "" : ", ", constant.a + 1, constant.b + 1,
                            to_infix(constant.value), constant.c + 1);
  }
  if (!symmetries.closure.empty()) {
    section.blocks.push_back(Paragraph{"Brackets: " + symmetries.closure + "."});
  } else if (symmetries.fields.size() > 1) {
    const std::string series = to_string(symmetries.derived_series);
    const std::string name = name_of_algebra(symmetries);
    section.blocks.push_back(Paragraph{
        brackets.empty()
            ? "They commute."
            : fmt::format("Brackets that are not zero, term by term: {}; dimensions of the algebra, "
                          "its brackets, theirs: {}.{}",
                          brackets, series,
                          name.empty() ? " It is none of those that are known by name."
                                       : fmt::format(" It is {}.", name))});
  }
  std::string searched = fmt::format("Searched: {} ({} unknowns).", symmetries.form, symmetries.unknowns);
  if (symmetries.none_else == Grade::proved)
    searched += fmt::format(" There are no others of this form{} (proved).", for_all_values(*space.system));
  if (symmetries.none_else == Grade::checked)
    searched += fmt::format(" There are no others of this form (checked: {}).", symmetries.reason);
  if (symmetries.none_else == Grade::unknown)
    searched += fmt::format(" There may be others: {}.", symmetries.reason);
  section.blocks.push_back(Paragraph{searched});
  return section;
}

Section tested_field_section(const StateSpace& space, const TestedSymmetry& tested) {
  Section section{"field", "The field that was given", {}};
  if (!tested.symmetry) {
    section.blocks.push_back(Paragraph{"Not asked: " + tested.refused + "."});
    return section;
  }
  const Symmetry& symmetry = *tested.symmetry;
  Inline note =
      symmetry.verdict.holds()
          ? Inline("a symmetry, ") + with_conditions(symmetry.verdict) + "; " + momentum_of(symmetry)
      : symmetry.verdict.is_refuted() ? Inline("no symmetry: it changes Omega or the constraints (refuted)")
                                      : Inline("whether it is a symmetry was not decided");
  section.blocks.push_back(Display{
      "field", relate(symbol("X", "X", "X"), "=", on_positions(space, symmetry.field)), std::move(note)});
  return section;
}

Section momenta_section(const StateSpace& space, const MomentumEquations& momenta) {
  Section section{"momenta", "Momenta that the reactions leave alone", {}};
  if (!momenta.reason.empty()) {
    section.blocks.push_back(Paragraph{"Not asked: " + momenta.reason + "."});
    return section;
  }
  if (momenta.equations.empty()) {
    section.blocks.push_back(Paragraph{
        std::string("No field along these symmetries") +
        (momenta.none_else == Grade::unknown ? " was found that" : " is one that") +
        " the constraints allow" +
        (momenta.none_else == Grade::unknown ? "." : fmt::format(" ({}).", word_for(momenta.none_else)))});
    return section;
  }
  section.blocks.push_back(
      Paragraph{fmt::format("Fields along these symmetries, with functions of the positions as coefficients, "
                            "that the constraints allow: "
                            "{} at a general place{}. The reactions have no power on them.",
                            momenta.equations.size(),
                            momenta.none_else == Grade::unknown
                                ? ", and perhaps others"
                                : fmt::format(" and no others ({})", word_for(momenta.none_else)))});
  for (std::size_t k = 0; k < momenta.equations.size(); ++k) {
    const MomentumEquation& equation = momenta.equations[k];
    const std::string number = std::to_string(k + 1), name = "J" + number;
    section.blocks.push_back(Display{"momenta.field." + number,
                                     relate(symbol("xi" + number, "\u03be" + number, "\\xi_{" + number + "}"),
                                            "=", on_positions(space, equation.field)),
                                     equation.is_horizontal ? "a symmetry itself" : ""});
    section.blocks.push_back(
        Display{"momenta.momentum." + number,
                relate(symbol(name, name, "J_{" + number + "}"), "=", math(equation.momentum)),
                equation.conserved.holds()
                    ? Inline("conserved, a gauge momentum (") + with_conditions(equation.conserved) + ")"
                    : Inline("")});
    if (equation.conserved.holds()) continue;
    section.blocks.push_back(
        Display{"momenta.rate." + number,
                relate(symbol("d" + name + "/dt", "d" + name + "/dt", "\\dot J_{" + number + "}"), "=",
                       math(equation.rate)),
                equation.conserved.is_refuted() ? "its momentum equation"
                                                : "its momentum equation; conservation not decided"});
  }
  return section;
}

}  // namespace liaison
