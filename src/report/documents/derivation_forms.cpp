#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "derivation_parts.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/mechanics/reduction.hpp"
#include "liaison/model/drives.hpp"
#include "liaison/model/kinematics.hpp"

/// The sections of a derivation that speak of the data, of Omega and of its reductions.
namespace liaison {

namespace {

Inline relation_of(const Constraint& constraint) {
  return Inline(relate(math(tidy(constraint.relation)), "=", math(constraint.relation.pool().number(0))));
}

Inline force_of(const Constraint& constraint) {
  switch (constraint.power_kind) {
    case PowerKind::ideal: return "ideal";
    case PowerKind::actuated: return Inline("servo, acting by ") + math(constraint.power);
    case PowerKind::given:
    case PowerKind::along: break;
  }
  return Inline("of power ") + indexed("lambda", "λ", "\\lambda", constraint.name) + " times " +
         math(constraint.power);
}

std::string kind_of(const StateSpace& space, const Constraint& constraint) {
  if (constraint.holonomic) return "holonomic";
  const bool linear =
      linear_coefficients(space.in_parameters(constraint.relation), space.parameters).has_value();
  return linear ? "kinematic, linear" : "kinematic, not linear";
}

/// The same form with the differentials of the velocities first, as mechanics writes it: m dv^dx, not -m
/// dx^dv.
Form velocities_first(Algebra& algebra, const StateSpace& space, const Form& form) {
  const std::size_t n = space.size();
  std::vector<std::size_t> place(2 * n + 1);  // of each basis form in the order of the display
  for (std::size_t i = 0; i < n; ++i) {
    place[space.velocity_form(i)] = i;
    place[space.configuration_form(i)] = n + i;
  }
  place[space.time_form()] = 2 * n;
  std::vector<BasisForm> basis(2 * n + 1);
  for (std::size_t j = 0; j <= 2 * n; ++j) {
    BasisForm& shown = basis[place[j]];
    shown = space.coframe->basis()[j];
    for (StructureTerm& term : shown.derivative) {  // of configuration forms only: their order is kept
      term.first = place[term.first];
      term.second = place[term.second];
    }
  }
  std::vector<ScalarCoordinate> coordinates = space.coframe->scalar_coordinates();
  for (ScalarCoordinate& coordinate : coordinates) {
    for (auto& [index, coefficient] : coordinate.differential) index = place[index];
  }
  const CoframePtr coframe = Coframe::make(algebra, std::move(basis), std::move(coordinates));
  std::vector<Form::Term> terms;
  for (const auto& [indices, coefficient] : form.terms()) {
    std::vector<std::size_t> moved;
    for (std::size_t j = 0; j <= 2 * n; ++j) {
      if (indices[j]) moved.push_back(place[j]);
    }
    const bool turned = moved.size() == 2 && moved[0] > moved[1];
    IndexSet set;
    for (std::size_t j : moved) set.set(j);
    terms.emplace_back(set, tidy(turned ? -coefficient : coefficient));
  }
  return Form(coframe, form.degree(), std::move(terms));
}

/// "Q_φ": the force on a direction, by its coordinate or rate.
Math force_name(const Letters& letters, const Direction& direction) {
  const std::string of =
      direction.coordinate.empty() ? direction.velocity.symbol().name : direction.coordinate.symbol().name;
  return symbol("Q(" + of + ")", letters.unicode("@Q_") + unicode_name(of),
                letters.latex("@Q_{") + latex_name(of) + "}");
}

/// What w_p, p and R_e0 stand for, and the structure equations.
void add_rotations(const DerivationContext& context, Section& section) {
  const StateSpace& space = context.motion.space;
  for (const Rotation& rotation : space.system->rotations) {
    Inline text("The rates ");
    for (std::size_t i = 0; i < 3; ++i) {
      const Expr rate = space.system->directions[rotation.first_direction + i].velocity;
      text = text + (i == 0 ? "" : i == 2 ? " and " : ", ") + math(rate);
    }
    text = text + " are the components of the angular velocity on axes fixed in " +
           (rotation.axes == Axes::body ? "the body; " : "space; ") + math(rotation.quaternion[0]) +
           ", ..., " + math(rotation.quaternion[3]) +
           " is the unit quaternion of the rotation from body axes to space axes. The forms satisfy";
    section.blocks.push_back(Paragraph{text});
    Listing structure;
    for (std::size_t i = 0; i < 3; ++i) {
      const Form form = Form::basis(space.coframe, space.configuration_form(rotation.first_direction + i));
      structure.items.push_back(relate(symbol("d ", "d", "\\mathrm{d}") + math(form), "=", math(d(form))));
    }
    section.blocks.push_back(std::move(structure));
  }
}

/// 0.05 is read faster than 1/20, as long as it is the same.
std::string value_in_words(const Parameter& parameter) {
  const Rational value = parameter.value.value_or(Rational(0));
  const std::string text = fmt::format("{}", value.to_double());
  return text;
}

/// m/s^2 as m/s², kg*m^2 as kg·m².
std::string as_printed(const std::string& unit) {
  constexpr std::array<std::string_view, 10> superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const bool is_power = unit[i] == '^' && i + 1 < unit.size() && unit[i + 1] >= '0' && unit[i + 1] <= '9';
    if (is_power) {
      out += superscripts[static_cast<std::size_t>(unit[++i] - '0')];
    } else if (unit[i] == '*') {
      out += "·";
    } else {
      out += unit[i];
    }
  }
  return out;
}

/// Of a value in SI units, which may have been given in centimetres.
std::string si_unit(const Unit& unit) {
  if (unit.scale == Rational(1)) return as_printed(unit.text);
  const std::string of = unit.dimension.is_none() ? "" : describe(unit.dimension);
  const std::string name = of.substr(0, of.find(" ("));
  if (unit.pi == 0) return name;
  return name == "1/s" ? "rad/s" : name.empty() ? "rad" : name;  // degrees, turns a minute
}

void add_parameters(const System& system, Section& section) {
  if (system.parameters.empty()) return;
  const bool units = std::any_of(system.parameters.begin(), system.parameters.end(),
                                 [](const Parameter& parameter) { return parameter.unit.has_value(); });
  Table table{"parameters", {"parameter", units ? "value in SI units" : "value"}, {}};
  if (units) table.header.emplace_back("unit");
  for (const Parameter& parameter : system.parameters) {
    std::vector<Inline> row{math(parameter.symbol), parameter.value ? value_in_words(parameter) : "any"};
    if (units) row.emplace_back(parameter.unit ? si_unit(*parameter.unit) : "");
    table.rows.push_back(std::move(row));
  }
  section.blocks.push_back(std::move(table));
}

}  // namespace

std::string drives_in_words(const System& system) {
  std::vector<std::string> parts;
  for (const FoundDrive& drive : drives_of(system)) {
    switch (drive.kind) {
      case FoundDrive::Kind::rheonomic:
        parts.push_back(fmt::format("the rheonomic coordinate {0} (drive_force({0}))", drive.name));
        break;
      case FoundDrive::Kind::constraint:
        parts.push_back(fmt::format("the constraint {0} (drive_force({0}))", drive.name));
        break;
      case FoundDrive::Kind::time:
        parts.emplace_back("what holds t in T or V without the name of a drive (drive_power(t))");
        break;
    }
  }
  for (const Unilateral& unilateral : system.unilaterals)
    if (depends_on(unilateral.relation, system.time))
      parts.push_back(fmt::format("the contact {0} (drive_force({0}) while it is closed)", unilateral.name));
  return parts.empty() ? std::string() : fmt::format("The time moves {}.", listed(parts));
}

Section system_section(const DerivationContext& context) {
  const System& system = *context.motion.space.system;
  const StateSpace& space = context.motion.space;
  Section section{"system", "The system", {}};
  Table directions{"directions", {"form", "velocity"}, {}};
  if (!system.chart.parameters.empty()) directions.header.push_back("in the velocity parameters");
  for (std::size_t i = 0; i < space.size(); ++i) {
    const Form form = Form::basis(space.coframe, space.configuration_form(i));
    std::vector<Inline> row{math(form), math(system.directions[i].velocity)};
    if (!system.chart.parameters.empty()) row.push_back(math(space.velocities[i]));
    directions.rows.push_back(std::move(row));
  }
  section.blocks.push_back(std::move(directions));
  add_rotations(context, section);
  add_parameters(system, section);
  section.blocks.push_back(Display{
      "kinetic", relate(name("T", "T", "T"), "=", math(tidy(context.algebra.readable(system.kinetic)))),
      "kinetic energy"});
  if (!system.potential.is_zero()) {
    section.blocks.push_back(Display{
        "potential", relate(name("V", "V", "V"), "=", math(tidy(context.algebra.readable(system.potential)))),
        "potential energy"});
  }
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (system.forces[i].is_zero()) continue;
    const Direction& direction = system.directions[i];
    const std::string of =
        direction.coordinate.empty() ? direction.velocity.symbol().name : direction.coordinate.symbol().name;
    const Math value = math(tidy(context.algebra.readable(system.forces[i])));
    section.blocks.push_back(
        Display{"force." + of, relate(force_name(context.letters, direction), "=", value), "applied force"});
  }
  if (const std::string drives = drives_in_words(system); !drives.empty())
    section.blocks.push_back(Paragraph{drives});
  for (const Unilateral& unilateral : system.unilaterals) {
    section.blocks.push_back(Display{
        "unilateral." + unilateral.name,
        relate(math(tidy(context.algebra.readable(unilateral.gap()))), ">",
               math(unilateral.gap().pool().number(0))),
        Inline("the contact ") + unilateral.name + " is open: where it closes, what follows does not hold"});
  }
  if (system.constraints.empty() && system.reactions.empty()) return section;
  Table constraints{"constraints", {"constraint", "kind", "relation", "force"}, {}};
  for (const Constraint& constraint : system.constraints) {
    constraints.rows.push_back(
        {constraint.name, kind_of(space, constraint), relation_of(constraint), force_of(constraint)});
  }
  for (const Reaction& reaction : system.reactions) {
    constraints.rows.push_back({reaction.name, "force alone", "none",
                                Inline("of power ") + indexed("lambda", "λ", "\\lambda", reaction.name) +
                                    " times " + math(reaction.power)});
  }
  section.blocks.push_back(std::move(constraints));
  return section;
}

namespace {

/// Written operations of all coefficients against so many times what is readable.
bool is_within(const DerivationContext& context, const Form& form, std::size_t times) {
  std::size_t size = 0;
  for (const auto& [indices, coefficient] : form.terms()) size += count_written_operations(coefficient);
  return size / times <= context.options.readable_limit;
}

}  // namespace

Section omega_section(const DerivationContext& context) {
  const Motion& motion = context.motion;
  const StateSpace& space = motion.space;
  Section section{"omega", "The 2-form", {}};
  section.blocks.push_back(
      Paragraph{Inline("Everything follows from one exterior 2-form on the state manifold, ") +
                context.letters.set("Omega = d(p_i theta^i - (p_i v^i - T) dt) + Q_i theta^i ^ dt",
                                    "@O = d(@pᵢ @tⁱ − (@pᵢ @vⁱ − T) dt) + @Qᵢ @tⁱ ∧ dt",
                                    "@O = d(@p_i @t^i - (@p_i @v^i - T)\\,dt) + @Q_i\\,@t^i\\wedge dt") +
                ", where " + context.letters.set("theta^i", "@tⁱ", "@t^i") + " and " +
                context.letters.set("v^i", "@vⁱ", "@v^i") + " are the forms and velocities above, " +
                context.letters.set("Q_i", "@Qᵢ", "@Q_i") +
                " the applied forces, those of the potential included, and " +
                context.letters.set("p_i = dT/dv^i", "@pᵢ = ∂T/∂@vⁱ", "@p_i = \\partial T/\\partial @v^i") +
                " the momenta"});
  std::vector<Math> left;
  std::vector<Expr> right;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const std::string of = space.system->directions[i].velocity.symbol().name;
    left.push_back(symbol("dT/d" + of, "∂T/∂" + unicode_name(of),
                          "\\frac{\\partial T}{\\partial " + latex_name(of) + "}"));
    right.push_back(context.algebra.readable(motion.omega.momenta[i]));
    keys.push_back(of);
  }
  add_components(context, section, "momentum", {"momentum", "value"}, left, right, keys);
  // It is the heart of the page: shown up to the size of several formulas.
  constexpr std::size_t before_readable = 20, shown_up_to = 4;
  const bool tried = is_within(context, motion.omega.omega, before_readable);
  const Form form =
      tried && motion.closed_form ? readable(context.algebra, motion.omega.omega) : motion.omega.omega;
  if (!tried || !is_within(context, form, shown_up_to)) {
    section.blocks.push_back(
        Paragraph{fmt::format("Written out it has {} terms, too long to be read; `derive --full` shows them.",
                              form.terms().size())});
    return section;
  }
  section.blocks.push_back(Paragraph{"Written out, it is"});
  section.blocks.push_back(Display{"omega",
                                   relate(context.letters.set("Omega", "@O", "@O"), "=",
                                          math(velocities_first(context.algebra, space, form))),
                                   {}});
  return section;
}

Section reduced_section(const DerivationContext& context) {
  Section section{"reduced", "The reduced form", {}};
  const auto reduced = derive_omega_s(context.algebra, context.motion);
  if (!reduced) {
    const std::string why = context.dependences.empty() ? "not linear in the velocities" : "not independent";
    section.blocks.push_back(Paragraph{"The relations are " + why +
                                       ": there is no reduced form on the same coframe. The equations below "
                                       "hold on the constraint manifold."});
    return section;
  }
  section.blocks.push_back(Paragraph{
      Inline("Where ") + context.letters.set("da = 0", "d@a = 0", "d@a = 0") + " and " +
      context.letters.set("l_i (theta^i - v^i dt) = 0", "@lᵢ (@tⁱ − @vⁱ dt) = 0",
                          "@l_i(@t^i - @v^i\\,dt) = 0") +
      " for each constraint, the 2-form is free of the factors, and its characteristics are the motion:"});
  std::vector<Expr> coefficients;
  for (const auto& [indices, coefficient] : reduced->form.terms()) coefficients.push_back(coefficient);
  const StateSpace& space = context.motion.space;
  if (is_readable(context, coefficients)) {
    const Math form = math(velocities_first(context.algebra, space, reduced->form));
    section.blocks.push_back(
        Display{"omega_s", relate(context.letters.set("Omega_s", "@Oₛ", "@O_s"), "=", form), {}});
  } else {
    section.blocks.push_back(Paragraph{"It is known in closed form, but too long to read."});
  }
  Listing eliminated;
  for (Expr parameter : context.motion.space.parameters) {
    const auto value = reduced->values.find(parameter);
    if (value != reduced->values.end())
      eliminated.items.push_back(Inline(equation(parameter, value->second)));
  }
  section.blocks.push_back(Paragraph{"The relations give"});
  section.blocks.push_back(std::move(eliminated));
  add_conditions(context, section, reduced->conditions);
  return section;
}

}  // namespace liaison
