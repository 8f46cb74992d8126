#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

std::string counted(std::size_t n, const std::string& word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

std::string verdict_in_words(const Integrability& told) {
  const std::string grade = word_for(told.grade) + of_values(told);
  const std::string around = "around each state at which the integrals are independent";
  std::string ignored;
  for (Expr position : told.ignored) ignored += (ignored.empty() ? "" : ", ") + position.symbol().name;
  const std::string space =
      fmt::format("{}{}{}", counted(told.dimension, "dimension"), told.with_time ? " with the time" : "",
                  ignored.empty() ? "" : fmt::format(" besides {}, found afterwards", ignored));
  switch (told.by) {
    case IntegrableBy::involution:
      return fmt::format(
          "{} in involution for {} of freedom: motions are found by quadratures "
          "{} (Liouville; {}).{}",
          counted(told.freedom, "integral"), counted(told.freedom, "degree"), around, grade,
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
          "{} in {}, and a measure that motions keep: motions are found by quadratures "
          "{} (Jacobi's last multiplier; {}).",
          counted(told.independent, "integral"), space, around, grade);
    case IntegrableBy::levels:
      if (told.independent == 0) return fmt::format("In {} the time is one quadrature ({}).", space, grade);
      if (told.with_time)
        return fmt::format("{} in {}: motions are the curves on which they are constant {} ({}).",
                           counted(told.independent, "integral"), space, around, grade);
      return fmt::format(
          "{} in {}: motions run along the curves on which they are constant, and the "
          "time is one quadrature ({}).",
          counted(told.independent, "integral"), space, grade);
    case IntegrableBy::nothing_known: break;
  }
  if (!told.reason.empty())
    return "The integrals above do not give motions by quadratures, as far as is known.";
  return fmt::format("{} of {} integrals in involution that Liouville's theorem needs are known.",
                     told.involution.size(), told.freedom);
}

std::string obstruction_in_words(const Obstruction& obstruction) {
  std::string point;
  for (const auto& [coordinate, value] : obstruction.point)
    point += fmt::format("{}{} = {:.6g}", point.empty() ? "" : ", ", coordinate.symbol().name,
                         value.contains_zero() ? 0 : value.mid());
  return fmt::format(
      "There is no further integral that is meromorphic in positions and momenta (proved, for the parameters "
      "as "
      "given): at {}, where the force is along the position, the second derivatives of the potential have "
      "the "
      "eigenvalue {:.6g}, which a potential of degree {} does not have if there is one (Morales, Ramis).",
      point, obstruction.eigenvalue.mid(), obstruction.degree);
}

std::string exponent_in_words(const std::pair<Ball, Ball>& exponent) {
  const auto& [re, im] = exponent;
  const double real = re.contains_zero() ? 0 : re.mid();
  if (im.contains_zero()) return fmt::format("{:.6g}", real);
  return fmt::format("{:.6g} {} {:.6g} i", real, im.is_negative() ? "-" : "+", std::abs(im.mid()));
}

/// Yoshida's statement: evidence, never a proof.
std::string exponents_in_words(const KovalevskayaExponents& told) {
  const auto worst = std::max_element(told.balances.begin(), told.balances.end(),
                                      [](const auto& a, const auto& b) { return a.kind < b.kind; });
  if (worst->kind == ExponentKind::fraction)
    return fmt::format(
        "Kovalevskaya's exponents of the {} real solutions c t^-w with |c| <= {:g} that were found are "
        "fractions, for the parameters as given: no evidence against further integrals.",
        told.balances.size(), told.reach);
  std::string point, exponents;
  for (const auto& [symbol, value] : worst->point)
    point += fmt::format("{}{} = {:.6g}", point.empty() ? "" : ", ", to_infix(symbol),
                         value.contains_zero() ? 0 : value.mid());
  for (const auto& exponent : worst->exponents)
    exponents += (exponents.empty() ? "" : ", ") + exponent_in_words(exponent);
  return fmt::format(
      "Kovalevskaya's exponents of the solution c t^-w with c: {} are {}, for the parameters as given; {}. "
      "This is evidence, and no proof, that there are fewer algebraic integrals than motions need (Yoshida).",
      point, exponents,
      worst->kind == ExponentKind::complex ? "some are not real"
                                           : "some are no fractions with a denominator up to 1000");
}

std::string family_in_words(const std::string& family) {
  if (family == "linear") return "n integrals linear in the momenta";
  if (family == "one degree of freedom") return "One degree of freedom";
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

void add_riccati(const Separation& separation, Section& section) {
  std::string order;
  for (Expr momentum : separation.riccati) order += (order.empty() ? "" : ", then ") + to_infix(momentum);
  section.blocks.push_back(Paragraph{
      fmt::format("Riccati's case: H is linear in the coordinates, and each momentum has an equation "
                  "dp/dt = a p^2 + 2 b p + c with coefficients that are known before it: {} "
                  "(proved{}).",
                  order, separation.for_values ? ", for the parameters as given" : "")});
}

void add_separation(const Separation& separation, Expr t, Section& section) {
  if (!separation.riccati.empty()) add_riccati(separation, section);
  const Verdict& verdict = separation.separable;
  const std::string values = separation.for_values ? ", for the parameters as given" : "";
  if (verdict.grade == Grade::unknown) {
    section.blocks.push_back(Paragraph{"Quadratures are not written out: " + separation.reason + "."});
    return;
  }
  if (verdict.is_refuted()) {
    section.blocks.push_back(Paragraph{
        fmt::format("Hamilton's and Jacobi's equation does not separate in these coordinates (Levi-Civita; "
                    "proved{}).",
                    values)});
    return;
  }
  section.blocks.push_back(Paragraph{
      fmt::format("Hamilton's and Jacobi's equation separates in these coordinates (Levi-Civita; {}{}).",
                  word_for(verdict.grade), values)});
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

Math pair_of(const PoissonBracket& bracket) {
  const std::string text = fmt::format("({}, {})", name_of_integral(bracket.a), name_of_integral(bracket.b));
  return symbol(text, text, text);
}

void add_bracket(const System& system, const PoissonBracket& bracket, bool is_further, Section& section) {
  const std::string key = "bracket." + name_of_integral(bracket.a) + "." + name_of_integral(bracket.b);
  const std::string note = word_for(bracket.grade) + (is_further ? ": a further integral (Poisson)" : "");
  const Expr shown = with_matrix_names(system, bracket.value);
  if (bracket.sign != 0) {
    const std::string same = (bracket.sign < 0 ? "-" : "") + name_of_integral(bracket.same);
    section.blocks.push_back(Display{key, relate(pair_of(bracket), "=", symbol(same, same, same)), note});
  } else if (to_infix(shown).size() > longest) {
    section.blocks.push_back(Paragraph{Inline(pair_of(bracket)) + " is not zero (" + note + ")."});
  } else {
    section.blocks.push_back(Display{key, relate(pair_of(bracket), "=", math(shown)), note});
  }
}

void add_brackets(const System& system, const Integrability& told, Section& section) {
  std::size_t zeros = 0;
  std::vector<std::size_t> open, others;
  for (std::size_t k = 0; k < told.brackets.size(); ++k) {
    const Verdict& zero = told.brackets[k].zero;
    zeros += zero.holds() ? 1 : 0;
    if (!zero.holds()) (zero.is_refuted() ? others : open).push_back(k);
  }
  const std::string order = "The integrals in their order are F1, F2, ...; ";
  if (zeros == told.brackets.size()) {
    section.blocks.push_back(Paragraph{fmt::format("{}the Poisson brackets of {} vanish{}.", order,
                                                   names_of(told.counted), of_values(told))});
    return;
  }
  section.blocks.push_back(
      Paragraph{fmt::format("{}in involution are {}{}.{}", order, names_of(told.involution), of_values(told),
                            others.empty() ? "" : " Brackets that do not vanish:")});
  for (const std::size_t k : others) {
    const bool is_further = std::find(told.further.begin(), told.further.end(), k) != told.further.end();
    add_bracket(system, told.brackets[k], is_further, section);
  }
  for (const std::size_t k : open)
    section.blocks.push_back(
        Paragraph{Inline("It was not decided whether ") + Inline(pair_of(told.brackets[k])) + " vanishes."});
}

void add_answer(const System& system, const Integrability& told, Section& section) {
  if (told.reason.empty() && !told.brackets.empty()) {
    add_brackets(system, told, section);
  } else if (!told.reason.empty()) {
    section.blocks.push_back(Paragraph{"No Poisson brackets: " + told.reason + "."});
  }
  const Inline conditions = told.conditions.empty()
                                ? Inline("")
                                : Inline(" This is said") + not_zero(told.conditions) + Inline(".");
  section.blocks.push_back(Paragraph{Inline(verdict_in_words(told)) + conditions});
  if (told.obstruction) section.blocks.push_back(Paragraph{obstruction_in_words(*told.obstruction)});
  if (told.exponents) section.blocks.push_back(Paragraph{exponents_in_words(*told.exponents)});
}

}  // namespace

Section integrability_section(const System& system, const Integrability& told) {
  Section section{"integrability", "Integrability", {}};
  add_answer(system, told, section);
  for (const Integrability& given : told.given) add_answer(system, given, section);
  if (told.separation) add_separation(*told.separation, system.time, section);
  return section;
}

}  // namespace liaison
