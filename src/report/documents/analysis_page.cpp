#include "liaison/report/analysis_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis_sections.hpp"
#include "derivation_parts.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/matrix_names.hpp"
#include "liaison/structure/lie_algebra.hpp"

namespace liaison {

namespace {
constexpr std::size_t longest_condition = 300;  ///< characters that are still read
}

/// " where x != 0, y != 0", or nothing.
Inline not_zero(const std::vector<Expr>& conditions) {
  Inline text("");
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    text = text + Inline(k == 0 ? " where " : ", ");
    const bool is_long = to_infix(conditions[k]).size() > longest_condition;
    text = text + (is_long ? Inline("a condition that --json has does not vanish")
                           : Inline(relate(math(conditions[k]), "!=", symbol("0", "0", "0"))));
  }
  return text;
}

Inline with_conditions(const Verdict& verdict) {
  return Inline(word_for(verdict.grade)) + not_zero(verdict.conditions);
}

namespace {

std::string freedom_in_words(const ModelFacts& facts) {
  const std::size_t n = facts.degrees_of_freedom;
  const std::string freedom = fmt::format("{} degree{} of freedom", n, n == 1 ? "" : "s");
  if (facts.constraints.empty()) return freedom + ", no constraints.";
  const std::string velocities =
      fmt::format("{} velocit{}", facts.directions, facts.directions == 1 ? "y" : "ies");
  switch (facts.freedom_grade) {
    case Grade::proved: return fmt::format("{}, {} of them free: {} (proved).", velocities, n, freedom);
    case Grade::checked:
      return fmt::format("{}, {} of them free at general states: {} (checked: {}).", velocities, n, freedom,
                         facts.freedom_reason);
    default: return fmt::format("{}, at least {} of them free: {}.", velocities, n, facts.freedom_reason);
  }
}

Section facts_section(const ModelFacts& facts, const System& system) {
  Section section{"system", "The system", {}};
  if (!facts.no_state.empty()) {
    section.blocks.push_back(
        Paragraph{"There is no state (proved): " + facts.no_state + ". Nothing else is said of it."});
    return section;
  }
  section.blocks.push_back(Paragraph{freedom_in_words(facts)});
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
  if (const std::string drives = drives_in_words(system); !drives.empty())
    section.blocks.push_back(Paragraph{drives});
  if (!facts.open_contacts.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "Of the unilateral constraints {} what follows says nothing: it is about motions with open contacts.",
        fmt::join(facts.open_contacts, ", "))});
  }
  std::vector<std::string> acting;
  for (const Event& event : system.events) {
    if (event.action != EventAction::record) acting.push_back(event.name);
  }
  if (!acting.empty()) {
    section.blocks.push_back(Paragraph{
        fmt::format("The event{} {} act{} on the motion: what follows is said of motions between events.",
                    acting.size() == 1 ? "" : "s", fmt::join(acting, ", "), acting.size() == 1 ? "s" : "")});
  }
  return section;
}

Inline graded(const ConstraintFlag& flag) {
  return Inline(word_for(flag.ranks)) + not_zero(flag.for_values) +
         Inline(flag.ranks_reason.empty() ? "" : ": " + flag.ranks_reason);
}

/// Curves that are extremals whatever is asked to be stationary.
Inline abnormal_in_words(const AbnormalExtremals& abnormal) {
  const Inline grade = Inline(word_for(abnormal.grade)) + not_zero(abnormal.for_values);
  switch (abnormal.kind) {
    case AbnormalKind::none:
      return Inline("Abnormal extremals: none through general places but curves at rest (") + grade + ").";
    case AbnormalKind::every_curve:
      return Inline(
                 "Abnormal extremals: every admissible curve is one, for admissible curves do not fill "
                 "the space (") +
             grade + ").";
    case AbnormalKind::every_direction:
      return Inline("Abnormal extremals: through each general place one in every admissible direction (") +
             grade + ").";
    case AbnormalKind::some:
      return Inline(fmt::format("Abnormal extremals go through each general place: a general covector of the "
                                "constraints has {} dimension{} of their directions (",
                                abnormal.dimension, abnormal.dimension == 1 ? "" : "s")) +
             grade + ").";
    case AbnormalKind::undecided:
      return Inline("Abnormal extremals: none with a general covector of the constraints (") + grade +
             "); special ones were not asked.";
    case AbnormalKind::not_asked:
      return Inline("Abnormal extremals were not asked: " + abnormal.reason + ".");
    case AbnormalKind::one_direction: break;
  }
  Inline text = Inline("Abnormal extremals: through each general place one (") + grade + ")";
  if (!abnormal.direction.empty()) text = text + ", with the rates ";
  bool is_first = true;
  for (const auto& [coordinate, rate] : abnormal.direction) {
    if (!is_first) text = text + ", ";
    is_first = false;
    text = text + Inline(math(coordinate)) + ": " + Inline(math(rate));
  }
  if (!abnormal.direction.empty()) text = text + " up to a factor";
  return text +
         (abnormal.are_others_open
              ? "; others, whose covector vanishes on the brackets of the second round too, were not asked."
              : "; there are no others.");
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
      Paragraph{Inline(fmt::format(
                    "The {} {} dimensions. Admissible directions and their brackets span {} of them "
                    "at a general place: growth "
                    "vector {}, derived flag {} (",
                    space, flag.space, flag.accessible(), to_string(flag.growth), to_string(flag.derived))) +
                graded(flag) + ")."});
  if (!flag.has_relations) return section;
  if (flag.integrable.empty()) {
    const Inline where = not_zero(flag.for_values);
    section.blocks.push_back(Paragraph{
        flag.grade == Grade::proved
            ? Inline("No combination of the constraints is integrable") + where +
                  ": no surface holds all curves that satisfy them."
            : Inline("At general places no combination of the constraints is integrable") + where + "."});
    return section;
  }
  section.blocks.push_back(
      Paragraph{Inline("Integrable combinations of the constraints: each vanishes on every motion") +
                Inline(flag.grade == Grade::proved ? "" : " through general states") +
                not_zero(flag.conditions) + "."});
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

std::string searched_in_words(const SearchedIntegrals& searched, const std::string& parameters,
                              bool has_some) {
  if (searched.form.empty()) return searched.reason.empty() ? "" : "Not searched: " + searched.reason + ".";
  std::string text = fmt::format("Searched{}{}: {} ({} unknowns).", parameters.empty() ? "" : ", ",
                                 parameters, searched.form, searched.unknowns);
  if (searched.none_else == Grade::proved) {
    text += has_some ? fmt::format(" Every integral of this form is a {} those above (proved).",
                                   searched.by_functions ? "function of" : "polynomial in")
                     : " There is none of this form but constants (proved).";
  } else if (searched.none_else == Grade::checked) {
    text += fmt::format(" {} (checked: {}).",
                        has_some ? "Every integral of this form is a function of those above"
                                 : "There is none of this form but constants",
                        searched.reason);
  } else {
    text += fmt::format(" There may be others: {}.", searched.reason);
  }
  return text;
}

Section integrals_section(const System& system, const FirstIntegrals& integrals) {
  Section section{"integrals", "First integrals", {}};
  if (integrals.found.empty()) section.blocks.push_back(Paragraph{"None was found."});
  std::size_t number = 0;
  for (const FirstIntegral& integral : integrals.found) {
    Inline note = Inline(integral.origin == "search" ? "" : integral.origin + ", ") +
                  Inline(integral.at_general_states ? "at general states, " : "") +
                  with_conditions(integral.verdict) +
                  Inline(integral.for_values ? ", for the parameters as given" : "");
    section.blocks.push_back(Display{fmt::format("integral.{}", ++number),
                                     math(with_matrix_names(system, integral.expression)), std::move(note)});
  }
  if (integrals.found.size() > 1 && integrals.independence != Grade::unknown) {
    section.blocks.push_back(Paragraph{integrals.independence == Grade::proved
                                           ? "They are functionally independent."
                                           : "They are functionally independent (checked)."});
  }
  const SearchedIntegrals &generic = integrals.generic, &given = integrals.for_values;
  const bool is_same = generic.form == given.form && generic.none_else == given.none_else;
  const std::string all = "for all values of the parameters", values = "for the parameters as given";
  const std::string both = system.parameters.empty() ? "" : all + " together and " + values;
  const bool has_some = !integrals.found.empty();
  for (const std::string& text :
       {searched_in_words(generic, is_same || system.parameters.empty() ? both : all, has_some),
        is_same ? std::string() : searched_in_words(given, values, has_some)}) {
    if (!text.empty()) section.blocks.push_back(Paragraph{text});
  }
  return section;
}

/// "-0.5 +- 1.2 i": a pair is written once.
std::string eigenvalues_in_words(const std::vector<Eigenvalue>& eigenvalues) {
  std::vector<std::string> parts;
  const auto shown = [](const Ball& ball) {
    if (ball.contains_zero() && ball.rad() < 1e-9) return std::string("0");
    constexpr double certain = 1e-7;  // beside the value: else what is printed would be no digit of it
    return ball.rad() <= certain * std::abs(ball.mid()) ? fmt::format("{:.6g}", ball.mid())
                                                        : ball.to_string(6);
  };
  for (const Eigenvalue& eigenvalue : eigenvalues) {
    const bool is_real = eigenvalue.im.contains_zero();
    if (!is_real && eigenvalue.im.is_negative()) continue;  // told with its conjugate
    const std::string re = shown(eigenvalue.re);
    if (is_real) {
      parts.push_back(re);
    } else {
      parts.push_back(fmt::format("{}\u00b1{} i", re == "0" ? "" : re + " ", shown(eigenvalue.im)));
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What moves on, and what must vanish.
void add_rest_conditions(const Equilibria& equilibria, Section& section) {
  const bool has_motion = std::any_of(equilibria.moving.begin(), equilibria.moving.end(),
                                      [](const MovingCoordinate& one) { return !one.rate.is_zero(); });
  if (!equilibria.is_driven && !has_motion) return;
  std::vector<std::string> moved;
  for (const MovingCoordinate& one : equilibria.moving) {
    if (one.rate.is_zero()) continue;
    const std::string name = one.coordinate.symbol().name;
    moved.push_back(one.law.empty() ? fmt::format("{}' = {}", name, to_infix(one.rate))
                                    : fmt::format("{} = {}", name, to_infix(one.law)));
  }
  std::string text = "Rest relative to what the drives move: the coordinates stay";
  if (!moved.empty()) text += fmt::format(" while {}", fmt::join(moved, ", "));
  std::vector<std::string> conditions;
  for (Expr equation : equilibria.equations) conditions.push_back(to_infix(equation) + " = 0");
  if (!conditions.empty())
    text += fmt::format(". The conditions, at all times, for the parameters as given: {}",
                        fmt::join(conditions, "; "));
  section.blocks.push_back(Paragraph{text + "."});
}

std::string digits_of(const Ball& value, long count) {
  return value.contains_zero() ? "0" : value.to_string(count);
}

/// What the drives supply at each place.
void add_drives_at_rest(const Equilibria& equilibria, Section& section) {
  if (!equilibria.is_driven || equilibria.found.empty()) return;
  Table table{"drives_at_rest", {"position", "drive", "force", "power", "every point"}, {}};
  for (const Equilibrium& place : equilibria.found) {
    std::string position;
    BallPoint at;
    for (const auto& [coordinate, value, exact] : place.positions) {
      position += fmt::format("{}{} = {}", position.empty() ? "" : ", ", coordinate.symbol().name,
                              exact ? to_infix(*exact) : digits_of(value, 6));
      at.emplace(coordinate, value);
    }
    const auto told = [&](Expr e) -> std::string {
      if (e.empty()) return "no value";
      if (symbols_in(std::vector<Expr>{e}).empty() || at.empty()) return to_infix(e);
      const Expr one[] = {e};
      const BallValues found = evaluate_balls(one, at, 128);
      return found.status == EvaluationStatus::ok ? found.values[0].to_string(10) : to_infix(e);
    };
    for (const DriveAtRest& drive : place.drives)
      table.rows.push_back({position.empty() ? "everywhere" : position, drive.name, told(drive.force),
                            told(drive.power),
                            !place.is_absolute   ? "not decided"
                            : *place.is_absolute ? "at rest (proved)"
                                                 : "moves (proved)"});
  }
  if (!table.rows.empty()) section.blocks.push_back(std::move(table));
}

Section equilibria_section(const Equilibria& equilibria, const System& system) {
  Section section{"equilibria", "Places of rest", {}};
  add_rest_conditions(equilibria, section);
  if (equilibria.box.empty()) {
    section.blocks.push_back(Paragraph{"Not searched: " + equilibria.reason + "."});
    return section;
  }
  if (equilibria.equations.empty()) {
    const std::string every = equilibria.is_driven ? "Every position is one (proved)."
                                                   : "Every position is one (proved): no force acts at rest.";
    section.blocks.push_back(
        Paragraph{equilibria.all ? every : "Every general position is one; " + equilibria.reason + "."});
    add_drives_at_rest(equilibria, section);
    return section;
  }
  if (!equilibria.found.empty()) {
    Table table{"equilibria", {"position", "eigenvalues of small motions", "stability"}, {}};
    for (const Equilibrium& equilibrium : equilibria.found) {
      Inline position;
      for (std::size_t i = 0; i < equilibrium.positions.size(); ++i) {
        const auto& [coordinate, value, exact] = equilibrium.positions[i];
        const std::string digits = digits_of(value, 12);
        position =
            position + Inline(i == 0 ? "" : ", ") +
            Inline(relate(math(coordinate), "=", exact ? math(*exact) : symbol(digits, digits, digits)));
      }
      const bool is_decided = equilibrium.stability != Stability::undecided;
      table.rows.push_back({position,
                            !equilibrium.has_linearisation    ? equilibrium.no_linearisation
                            : equilibrium.variables.empty()   ? "nothing moves"
                            : equilibrium.eigenvalues.empty() ? "not enclosed: some fall together"
                                                              : eigenvalues_in_words(equilibrium.eigenvalues),
                            name_of(equilibrium.stability) + (is_decided ? " (proved)" : "")});
    }
    section.blocks.push_back(std::move(table));
    add_drives_at_rest(equilibria, section);
  }
  std::string text = !equilibria.found.empty() ? ""
                     : equilibria.held.empty() ? "None was found. "
                                               : "None was found without friction. ";
  text += "Searched, for the parameters as given: " + equilibria.box + ".";
  const bool has_contacts = !system.unilaterals.empty() || !system.families.empty();
  text += !equilibria.held.empty() ? " There are others: " + equilibria.reason + "."
          : !equilibria.all        ? " There may be others: " + equilibria.reason + "."
          : has_contacts           ? " There are no others without a force of contacts (proved)."
                                   : " There are no others (proved).";
  if (!equilibria.anywhere.empty() && !equilibria.found.empty()) {
    std::vector<std::string> names;
    for (Expr coordinate : equilibria.anywhere) names.push_back(coordinate.symbol().name);
    text += fmt::format(" Any value of {}.", fmt::join(names, ", "));
  }
  const bool has_stability = std::any_of(equilibria.found.begin(), equilibria.found.end(),
                                         [](const Equilibrium& one) { return one.no_linearisation.empty(); });
  for (const std::string& turn : equilibria.turned)
    text += fmt::format(" Turning {} changes nothing{}: each attitude stands for all that this gives{}.",
                        turn, has_stability ? "" : " about where it rests",
                        has_stability ? ", and stability is that of their set" : "");
  section.blocks.push_back(Paragraph{text});
  return section;
}

}  // namespace

std::string for_all_values(const System& system) {
  return system.parameters.empty() ? "" : " for all values of the parameters together";
}

std::string answer_in_words(const Verdict& verdict) {
  if (verdict.holds()) {
    Verdict read = verdict;
    const std::size_t long_ones = std::erase_if(
        read.conditions, [](Expr condition) { return to_infix(condition).size() > longest_condition; });
    if (long_ones == 0) return fmt::format("yes ({})", describe(verdict));
    const std::string others = long_ones == 1
                                   ? "a condition that --json has does not vanish"
                                   : fmt::format("{} conditions that --json has do not vanish", long_ones);
    return fmt::format("yes ({}{} {})", describe(read), read.conditions.empty() ? " where" : ", and where",
                       others);
  }
  if (verdict.is_refuted()) return "no (refuted at a state)";
  if (verdict.grade == Grade::empty) return "there is no state: " + verdict.reason;
  return "not decided" + (verdict.reason.empty() ? "" : ": " + verdict.reason);
}

namespace {

void add_as_given(Section& section) {
  section.blocks.insert(section.blocks.begin(),
                        Paragraph{"For the parameters as given, which are not like general values:"});
}

}  // namespace

Document analysis_page(const Motion& motion, const Analysis& analysis) {
  const System& system = *motion.space.system;
  Document page;
  page.title = system.name.empty() ? "Analysis" : system.name;
  if (analysis.facts) page.sections.push_back(facts_section(*analysis.facts, system));
  if (analysis.flag && !system.constraints.empty()) {
    page.sections.push_back(flag_section(*analysis.flag));
    if (analysis.flag_as_given) add_as_given(page.sections.back());
    if (analysis.abnormal)
      page.sections.back().blocks.push_back(Paragraph{abnormal_in_words(*analysis.abnormal)});
  }
  const bool has_kinematic = std::any_of(system.constraints.begin(), system.constraints.end(),
                                         [](const Constraint& constraint) { return !constraint.holonomic; });
  if (analysis.principles && has_kinematic) {
    page.sections.push_back(principles_section(*analysis.principles));
    if (analysis.principles_as_given) add_as_given(page.sections.back());
  }
  if (analysis.tested) page.sections.push_back(tested_field_section(motion.space, *analysis.tested));
  if (analysis.symmetries) page.sections.push_back(symmetries_section(motion.space, *analysis.symmetries));
  if (analysis.momenta) page.sections.push_back(momenta_section(motion.space, *analysis.momenta));
  if (analysis.integrals) page.sections.push_back(integrals_section(system, *analysis.integrals));
  if (analysis.special) page.sections.push_back(special_section(system, *analysis.special));
  if (analysis.special_pair) page.sections.push_back(special_pair_section(system, *analysis.special_pair));
  if (analysis.measure) page.sections.push_back(measure_section(system, *analysis.measure));
  if (analysis.integrability) page.sections.push_back(integrability_section(system, *analysis.integrability));
  if (analysis.equilibria) page.sections.push_back(equilibria_section(*analysis.equilibria, system));
  Section limits{"limits", "What was not done", {}};
  if (!analysis.no_flow.empty())
    limits.blocks.push_back(Paragraph{fmt::format(
        "Nothing{} was searched: {}.", analysis.symmetries ? " but symmetries" : "", analysis.no_flow)});
  for (const std::string& limit : analysis.limits) limits.blocks.push_back(Paragraph{limit + "."});
  if (analysis.interrupted)
    limits.blocks.push_back(Paragraph{"Interrupted: what was found before stands above."});
  if (!limits.blocks.empty()) page.sections.push_back(std::move(limits));
  return page;
}

}  // namespace liaison
