#include <fmt/format.h>

#include "analysis_sections.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/model/matrix_names.hpp"

namespace liaison {

namespace {

constexpr std::size_t longest = 300;  ///< characters of a formula that is still read

std::string name_of_integral(std::size_t place) {
  return fmt::format("F{}", place + 1);
}

std::string names_of(const std::vector<std::size_t>& places) {
  std::string text;
  for (const std::size_t place : places) text += (text.empty() ? "" : ", ") + name_of_integral(place);
  return text;
}

std::string of_values(const Integrability& told) {
  return told.for_values ? ", for the parameters as given" : "";
}

std::string verdict_in_words(const Integrability& told) {
  const std::string grade = word_for(told.grade) + of_values(told);
  const std::string around = "around each state at which the integrals are independent";
  std::string ignored;
  for (Expr position : told.ignored) ignored += (ignored.empty() ? "" : ", ") + position.symbol().name;
  const std::string space = fmt::format(
      "{} dimensions{}", told.dimension,
      ignored.empty() ? "" : fmt::format(" besides {}, which the field does not contain", ignored));
  switch (told.by) {
    case IntegrableBy::involution:
      return fmt::format(
          "{} integrals in involution for {} degrees of freedom: motions are found by quadratures "
          "{} (Liouville; {}).{}",
          told.freedom, told.freedom, around, grade,
          told.independent > told.freedom
              ? fmt::format(" With {} independent integrals it is superintegrable.", told.independent)
              : "");
    case IntegrableBy::isotropic_levels:
      return fmt::format(
          "{} independent integrals for {} degrees of freedom, whose brackets have the rank {}: "
          "motions are found by quadratures {}, and it is superintegrable (Mishchenko, Fomenko; "
          "{}).",
          told.independent, told.freedom, 2 * (told.independent - told.freedom), around, grade);
    case IntegrableBy::last_multiplier:
      return fmt::format(
          "{} integrals in {}, and a measure that motions keep: motions are found by quadratures "
          "{} (Jacobi's last multiplier; {}).",
          told.independent, space, around, grade);
    case IntegrableBy::levels:
      return fmt::format(
          "{} integrals in {}: motions run along the curves on which they are constant, and the "
          "time is one quadrature ({}).",
          told.independent, space, grade);
    case IntegrableBy::nothing_known: break;
  }
  if (!told.reason.empty())
    return "The integrals above do not give motions by quadratures, as far as is known.";
  return fmt::format("{} of {} integrals in involution that Liouville's theorem needs are known.",
                     told.involution.size(), told.freedom);
}

std::string family_in_words(const std::string& family) {
  if (family == "linear") return "n integrals linear in the momenta";
  if (family == "Delassus") return "Delassus's case: all coordinates but one are cyclic";
  if (family == "Liouville") return "Liouville's case";
  if (family == "Staeckel") return "Stäckel's case";
  return family;
}

/// The integral of e over its coordinate.
Math integral_of(Expr e, Expr coordinate) {
  return symbol("integral(" + to_infix(e) + ", " + to_infix(coordinate) + ")",
                "∫ " + to_unicode(e) + " d" + to_unicode(coordinate),
                "\\int " + to_latex(e) + "\\, d" + to_latex(coordinate));
}

void add_separation(const Separation& separation, Expr t, Section& section) {
  const Verdict& verdict = separation.separable;
  if (verdict.grade == Grade::unknown) {
    section.blocks.push_back(Paragraph{"Quadratures are not written out: " + separation.reason + "."});
    return;
  }
  if (verdict.is_refuted()) {
    section.blocks.push_back(Paragraph{
        "Hamilton's and Jacobi's equation does not separate in these coordinates (Levi-Civita; proved)."});
    return;
  }
  section.blocks.push_back(Paragraph{
      fmt::format("Hamilton's and Jacobi's equation separates in these coordinates (Levi-Civita; {}).",
                  word_for(verdict.grade))});
  if (separation.momenta.empty()) {
    section.blocks.push_back(Paragraph{"Quadratures are not written out: " + separation.reason + "."});
    return;
  }
  section.blocks.push_back(
      Paragraph{family_in_words(separation.family) + ". Each momentum by its own coordinate:"});
  for (const SeparatedMomentum& momentum : separation.momenta) {
    const std::string name = momentum.coordinate.symbol().name;
    section.blocks.push_back(Display{"momentum." + name,
                                     relate(symbol("p_" + name, "p_" + to_unicode(momentum.coordinate),
                                                   "p_{" + to_latex(momentum.coordinate) + "}"),
                                            "=", math(momentum.value)),
                                     momentum.two_signs ? "or with the other sign of the root" : ""});
  }
  section.blocks.push_back(Paragraph{"Along a motion these are constant:"});
  for (const Quadrature& quadrature : separation.quadratures) {
    std::optional<Math> sum;
    for (const auto& [coordinate, integrand] : quadrature.integrands) {
      const Math term = integral_of(integrand, coordinate);
      sum = sum ? relate(*sum, "+", term) : term;
    }
    if (!quadrature.rate.is_zero()) {
      const Math time = math(-quadrature.rate * t);
      sum = sum ? relate(*sum, "+", time) : time;
    }
    if (sum) section.blocks.push_back(Display{"quadrature." + to_infix(quadrature.constant), *sum, ""});
  }
}

}  // namespace

Section integrability_section(const System& system, const Integrability& told) {
  Section section{"integrability", "Integrability", {}};
  if (told.reason.empty() && !told.brackets.empty()) {
    std::size_t zeros = 0;
    for (const PoissonBracket& bracket : told.brackets) zeros += bracket.zero.holds() ? 1 : 0;
    if (zeros == told.brackets.size()) {
      section.blocks.push_back(Paragraph{
          fmt::format("The integrals in their order are F1, F2, ...; their Poisson brackets vanish{}.",
                      of_values(told))});
    } else {
      section.blocks.push_back(
          Paragraph{fmt::format("The integrals in their order are F1, F2, ...; in involution are {}{}. "
                                "Brackets that do not vanish:",
                                names_of(told.involution), of_values(told))});
      for (std::size_t k = 0; k < told.brackets.size(); ++k) {
        const PoissonBracket& bracket = told.brackets[k];
        if (bracket.zero.holds()) continue;
        const bool is_further = std::find(told.further.begin(), told.further.end(), k) != told.further.end();
        const std::string a = name_of_integral(bracket.a), b = name_of_integral(bracket.b);
        const Math pair =
            symbol("(" + a + ", " + b + ")", "(" + a + ", " + b + ")", "(" + a + ", " + b + ")");
        const Expr shown = with_matrix_names(system, bracket.value);
        const std::string note =
            std::string(bracket.zero.is_refuted() ? "proved" : "not decided whether zero") +
            (is_further ? ": a further integral (Poisson)" : "");
        if (bracket.sign != 0) {
          const std::string same = (bracket.sign < 0 ? "-" : "") + name_of_integral(bracket.same);
          section.blocks.push_back(
              Display{"bracket." + a + "." + b, relate(pair, "=", symbol(same, same, same)), note});
        } else if (to_infix(shown).size() > longest) {
          section.blocks.push_back(Paragraph{Inline(pair) + " is not zero (" + note + ")."});
        } else {
          section.blocks.push_back(Display{"bracket." + a + "." + b, relate(pair, "=", math(shown)), note});
        }
      }
    }
  } else if (!told.reason.empty()) {
    section.blocks.push_back(Paragraph{"No Poisson brackets: " + told.reason + "."});
  }
  section.blocks.push_back(Paragraph{verdict_in_words(told)});
  if (told.separation) add_separation(*told.separation, system.time, section);
  return section;
}

}  // namespace liaison
