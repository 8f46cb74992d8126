#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "derivation_parts.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/print_parts.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/model/kinematics.hpp"

/// The sections of a derivation that speak of fields, reactions and equations.
namespace liaison {

namespace {

/// A velocity parameter's derivative: ẍ of x'.
Math acceleration(Expr parameter) {
  return math(acceleration_symbol(parameter));
}

std::vector<std::string> parameter_names(const StateSpace& space) {
  std::vector<std::string> names;
  for (Expr parameter : space.parameters) names.push_back(parameter.symbol().name);
  return names;
}

/// Operations of the balance of forces, written out.
std::size_t balance_size(const Motion& motion) {
  std::size_t size = 0;
  for (Expr load : motion.free.load) size += count_written_operations(load);
  for (Expr entry : motion.free.mass.entries) size += count_written_operations(entry);
  for (const ConstraintField& constraint : motion.constraints) {
    for (Expr entry : constraint.gradient) size += count_written_operations(entry);
    size += count_written_operations(constraint.bias);
  }
  return size;
}

/// Where closed forms are not there, or not for reading: mass * u' = load + sum lambda_h l^h and the
/// relations once more differentiated.
void add_balance(const DerivationContext& context, Section& section) {
  const Motion& motion = context.motion;
  const StateSpace& space = motion.space;
  constexpr std::size_t pages_of_readable = 100;
  if (const std::size_t size = balance_size(motion);
      size / pages_of_readable > context.options.readable_limit) {
    section.blocks.push_back(Paragraph{fmt::format(
        "The accelerations and factors are solved for at each state by factorisation, from the balance of "
        "forces and the relations, differentiated. Written out these have {} operations, too long to be "
        "read; `derive --full` shows them.",
        size)});
    return;
  }
  const bool small = space.size() <= 8;
  const auto shown = [&](Expr e) { return small ? context.algebra.readable(e) : e; };
  if (motion.status == FactorStatus::singular_mass) {
    section.blocks.push_back(
        Paragraph{"The mass matrix is singular everywhere (undetermined motion): the 2-form has no single "
                  "characteristic "
                  "field, and the accelerations are not determined by"});
  } else {
    section.blocks.push_back(
        Paragraph{motion.acceleration.empty()
                      ? "The accelerations and factors are solved for at each state by factorisation, from"
                      : "The accelerations are known in closed form, but too long to read. They solve"});
  }
  for (std::size_t i = 0; i < space.size(); ++i) {
    std::vector<Expr> left, right{shown(motion.free.load[i])};
    for (std::size_t a = 0; a < space.size(); ++a) {
      left.push_back(shown(motion.free.mass(i, a)) * acceleration_symbol(space.parameters[a]));
    }
    for (const ConstraintField& constraint : motion.constraints)
      right.push_back(constraint.factor * constraint.direction[i]);
    section.blocks.push_back(Display{"balance." + space.system->directions[i].form,
                                     equation(space.pool().add(left), space.pool().add(right)),
                                     {}});
  }
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    std::vector<Expr> terms;
    for (std::size_t a = 0; a < space.size(); ++a) {
      terms.push_back(shown(constraint.gradient[a]) * acceleration_symbol(space.parameters[a]));
    }
    section.blocks.push_back(Display{"rate." + constraint.name,
                                     equation(space.pool().add(terms), shown(-constraint.bias)),
                                     Inline("the relation ") + constraint.name + ", differentiated"});
  }
}

Inline characteristic_field(const Letters& letters) {
  return Inline("The characteristic field ") + letters.set("E", "@E", "@E") + " with " +
         letters.set("i(E)Omega = 0, i(E)dt = 1", "i(@E)@O = 0, i(@E)dt = 1",
                     "i(@E)@O = 0,\\; i(@E)\\,dt = 1");
}

/// A letter of the page with the name of a constraint as its index.
Math lettered(const DerivationContext& context, const std::string& infix, char letter,
              const std::string& index) {
  const std::string key = std::string("@") + letter;
  return indexed(infix, context.letters.unicode(key), context.letters.latex(key), index);
}

/// A factor that no relation determines is its own value.
bool is_open(const Motion& motion, std::size_t h) {
  return motion.factors[h] == motion.constraints[h].factor;
}

/// "Redundant but consistent".
std::string sentence_of(MotionKind kind) {
  std::string words = in_words(kind);
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words;
}

/// Which factors stay open, and whether the motion depends on them (row G3.ex6).
void add_open_factors(const DerivationContext& context, Section& section) {
  const Motion& motion = context.motion;
  const bool moves_on_them = kind_of(motion) == MotionKind::undetermined;
  const bool one = motion.free_factors.size() == 1;
  section.blocks.push_back(
      Paragraph{sentence_of(kind_of(motion).value_or(MotionKind::undetermined)) +
                ": the relations do not determine all factors" +
                (moves_on_them ? ", and the motion depends on what stays open: "
                               : ", but the motion does not depend on what stays open: ") +
                (one ? "the combination" : "the combinations")});
  Listing open;
  for (std::vector<Expr> direction : motion.free_factors) {
    for (Expr& weight : direction) weight = context.algebra.readable(weight);
    open.items.emplace_back(combination(motion, direction, "lambda", "λ", "\\lambda"));
  }
  section.blocks.push_back(std::move(open));
}

/// The rate of the combination of relations that no factors keep.
Expr obstruction(const DerivationContext& context) {
  const Motion& motion = context.motion;
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < motion.relation_count; ++k)
    terms.push_back(motion.certificate[k] * motion.drive[k]);
  return context.algebra.readable(context.algebra.pool().add(terms));
}

bool may_vanish(Expr e) {
  return !symbols_in(e).empty() && !never_zero(e);
}

/// Which constraints no factors keep, and where they do not have to.
void add_incompatibility(const DerivationContext& context, Section& section) {
  if (has_contradiction(context.dependences)) return;
  const Motion& motion = context.motion;
  const std::size_t count =
      motion.certificate.size() -
      static_cast<std::size_t>(std::count_if(motion.certificate.begin(), motion.certificate.end(),
                                             [](Expr e) { return e.is_zero(); }));
  const std::string names = names_of(motion, motion.certificate);
  const Expr rate = obstruction(context);
  section.blocks.push_back(Paragraph{Inline(count == 1 ? "The force does not keep the constraint " + names
                                                       : "The constraints " + names + " are incompatible") +
                                     ": whatever the factors are, " +
                                     combination(motion, motion.certificate, "a",
                                                 context.letters.unicode("@a"), context.letters.latex("@a")) +
                                     " changes at the rate"});
  section.blocks.push_back(Display{"obstruction", math(tidy(rate)), {}});
  section.blocks.push_back(Paragraph{
      may_vanish(rate) ? "There is a motion only where this is 0. Elsewhere the system is contradictory."
                       : "This is never 0. The system is contradictory."});
}

}  // namespace

Section no_motion_section(const DerivationContext& context) {
  const bool somewhere = !has_contradiction(context.dependences) && may_vanish(obstruction(context));
  return {
      "equations",
      "The equations of motion",
      {Paragraph{somewhere
                     ? "There are none in general: the states with a motion are those found above."
                     : "There are none: the system is contradictory, no motion keeps all the constraints."}}};
}

Section free_motion_section(const DerivationContext& context) {
  const Motion& motion = context.motion;
  const StateSpace& space = motion.space;
  Section section{"free", "The motion without the constraints", {}};
  section.blocks.push_back(Paragraph{characteristic_field(context.letters) + " has the velocity components"});
  std::vector<Math> left;
  for (Expr parameter : space.parameters) left.push_back(acceleration(parameter));
  if (!is_readable(context, motion.free_acceleration)) {
    section.blocks.push_back(
        Paragraph{"that are known in closed form, but too long to read; the equations for them are below."});
    return section;
  }
  add_components(context, section, "free",
                 {Inline("component of ") + context.letters.set("E", "@E", "@E"), "value"}, left,
                 motion.free_acceleration, parameter_names(space));
  return section;
}

Section constraints_section(const DerivationContext& context) {
  const Motion& motion = context.motion;
  const StateSpace& space = motion.space;
  Section section{"constraints", "The constraints", {}};
  section.blocks.push_back(Paragraph{
      Inline("Each constraint has a relation ") + context.letters.set("a = 0", "@a = 0", "@a = 0") +
      " and a force " + context.letters.set("lambda l", "λ @l", "\\lambda @l") + ", for an ideal one with " +
      context.letters.set("l_i = da/dv^i", "@lᵢ = ∂@a/∂@vⁱ", "@l_i = \\partial @a/\\partial @v^i") +
      ". Its direction field " + context.letters.set("e", "@e", "@e") + " solves " +
      context.letters.set("i(e)Omega = l_i (theta^i - v^i dt)", "i(@e)@O = @lᵢ (@tⁱ − @vⁱ dt)",
                          "i(@e)@O = @l_i(@t^i - @v^i\\,dt)") +
      "."});
  for (std::size_t h = 0; h < motion.constraints.size(); ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    if (!constraint.relation.empty()) {
      section.blocks.push_back(
          Display{"relation." + constraint.name,
                  relate(lettered(context, "a", 'a', constraint.name), "=", math(tidy(constraint.relation))),
                  constraint.level.empty() ? Inline() : Inline("the time derivative of the relation")});
    }
    if (!motion.closed_form || !is_readable(context, motion.fields[h])) {
      Table direction{"direction." + constraint.name,
                      {"form", Inline("component of ") + lettered(context, "l", 'l', constraint.name)},
                      {}};
      for (std::size_t i = 0; i < space.size(); ++i) {
        if (constraint.direction[i].is_zero()) continue;
        direction.rows.push_back({math(Form::basis(space.coframe, space.configuration_form(i))),
                                  math(tidy(constraint.direction[i]))});
      }
      section.blocks.push_back(std::move(direction));
      continue;
    }
    Table field{"field." + constraint.name,
                {Inline("component of ") + lettered(context, "e", 'e', constraint.name), "value"},
                {}};
    for (std::size_t a = 0; a < space.size(); ++a) {
      if (motion.fields[h][a].is_zero()) continue;
      field.rows.push_back({acceleration(space.parameters[a]), math(tidy(motion.fields[h][a]))});
    }
    section.blocks.push_back(std::move(field));
  }
  return section;
}

namespace {

/// As a matrix where it fits a page, else entry by entry.
void add_matrix(const DerivationContext& context, Section& section) {
  const Motion& motion = context.motion;
  constexpr std::size_t most_rows = 6, most_columns = 90;
  const Math whole = math(tidy(motion.r));
  const bool fits = motion.r.rows <= most_rows && !whole.pieces[0].tall.empty() &&
                    displayed_columns(whole.pieces[0].tall[0]) <= most_columns;
  if (fits) {
    section.blocks.push_back(Display{"r", relate(context.letters.set("r", "@r", "@r"), "=", whole), {}});
    return;
  }
  std::vector<Math> left;
  std::vector<Expr> right;
  std::vector<std::string> keys;
  for (std::size_t h = 0; h < motion.r.rows; ++h) {
    for (std::size_t k = 0; k < motion.r.columns; ++k) {
      if (motion.r(h, k).is_zero()) continue;
      const std::string key = motion.constraints[h].name + "." + motion.constraints[k].name;
      left.push_back(
          lettered(context, "r", 'r', motion.constraints[h].name + ", " + motion.constraints[k].name));
      right.push_back(motion.r(h, k));
      keys.push_back(key);
    }
  }
  const bool all = left.size() == motion.r.rows * motion.r.columns;
  section.blocks.push_back(
      Paragraph{Inline(fmt::format("The matrix has {} rows and {} columns{}:", motion.r.rows,
                                   motion.r.columns, all ? "" : "; entries that are zero are left out"))});
  add_equations(context, section, "r", left, right, keys);
}

}  // namespace

Section reactions_section(const DerivationContext& context) {
  const Motion& motion = context.motion;
  Section section{"reactions", "The reactions", {}};
  section.blocks.push_back(Paragraph{
      Inline("They follow before any integration from ") +
      context.letters.set("sum_h lambda_h r^{hk} + i(E)da^k = 0", "Σ λₕ @rʰᵏ + i(@E)d@aᵏ = 0",
                          "\\sum_h \\lambda_h @r^{hk} + i(@E)\\,d@a^k = 0") +
      ", with " +
      context.letters.set("r^{hk} = i(e^h)da^k", "@rʰᵏ = i(@eʰ)d@aᵏ", "@r^{hk} = i(@e^h)\\,d@a^k") + "."});
  const bool short_r = is_readable(context, motion.r.entries);
  if (short_r) add_matrix(context, section);
  const Expr determinant[] = {motion.determinant};
  if (motion.r.rows == motion.r.columns && is_readable(context, determinant)) {
    section.blocks.push_back(Display{
        "det_r",
        relate(context.letters.set("det r", "det @r", "\\det @r"), "=", math(tidy(motion.determinant))),
        {}});
  }
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    section.blocks.push_back(
        Display{"drive." + motion.constraints[k].name,
                relate(indexed("i(E)da", context.letters.unicode("i(@E)d@a"),
                               context.letters.latex("i(@E)\\,d@a"), motion.constraints[k].name),
                       "=", math(tidy(motion.drive[k]))),
                {}});
  }
  add_dependences(context, section, context.dependences);
  switch (motion.status) {
    case FactorStatus::determined:
      section.blocks.push_back(Paragraph{
          fmt::format("The determinant is not identically zero: the constraints are compatible, {}.",
                      in_words(MotionKind::regular))});
      break;
    case FactorStatus::undetermined:
      if (has_contradiction(context.dependences)) return section;
      add_open_factors(context, section);
      break;
    case FactorStatus::incompatible: add_incompatibility(context, section); return section;
    case FactorStatus::implicit:
      section.blocks.push_back(Paragraph{
          "The directions depend on the factors: the equations for them are not linear, and are solved "
          "numerically at each state; there may be several solutions, or none."});
      return section;
    default: return section;
  }
  if (!is_readable(context, motion.factors)) {
    section.blocks.push_back(
        Paragraph{"The factors are known in closed form, but too long to read: `liaison eval` gives their "
                  "values at a state."});
    return section;
  }
  std::vector<Math> left;
  std::vector<Expr> right;
  std::vector<std::string> keys;
  Inline open;
  for (std::size_t h = 0; h < motion.constraints.size(); ++h) {
    if (is_open(motion, h)) {
      open = open + (open.parts.empty() ? Inline() : Inline(", ")) +
             indexed("lambda", "λ", "\\lambda", motion.constraints[h].name);
      continue;
    }
    left.push_back(indexed("lambda", "λ", "\\lambda", motion.constraints[h].name));
    right.push_back(motion.factors[h]);
    keys.push_back(motion.constraints[h].name);
  }
  if (left.empty()) return section;
  const Inline lead = left.size() == 1 ? "the factor is" : "the factors are";
  add_equations(context, section, "factor", left, right, keys,
                open.parts.empty() ? lead : Inline("in terms of ") + open + ", " + lead);
  add_conditions(context, section, motion.conditions);
  return section;
}

Section equations_section(const DerivationContext& context) {
  const Motion& motion = context.motion;
  const StateSpace& space = motion.space;
  const System& system = *space.system;
  Section section{"equations", "The equations of motion", {}};
  const bool reduced = !motion.constraints.empty() && context.manifold.branches.size() == 1;
  const Substitution none;
  const Substitution& branch = reduced ? context.manifold.branches.front() : none;
  std::vector<Math> left;
  std::vector<Expr> right;
  std::vector<std::string> keys;
  const auto add = [&](Math symbol_of_rate, Expr rate, const std::string& key) {
    left.push_back(std::move(symbol_of_rate));
    right.push_back(context.algebra.readable(substitute(rate, branch)));
    keys.push_back(key);
  };
  for (std::size_t i = 0; i < space.size(); ++i) {
    const Direction& direction = system.directions[i];
    const bool trivial = space.velocities[i] == direction.velocity && !branch.contains(direction.velocity);
    if (!direction.rotation && !trivial && !branch.contains(direction.coordinate)) {
      add(dotted(direction.coordinate), space.velocities[i], direction.velocity.symbol().name);
    }
  }
  for (const Rotation& rotation : system.rotations) {
    const auto rates = quaternion_rates(system, rotation);
    for (std::size_t k = 0; k < 4; ++k) {
      add(dotted(rotation.quaternion[k]), space.in_parameters(rates[k]),
          rotation.quaternion[k].symbol().name);
    }
  }
  const bool solved = !motion.acceleration.empty() && is_readable(context, motion.acceleration);
  for (std::size_t a = 0; solved && a < space.size(); ++a) {
    if (branch.contains(space.parameters[a])) continue;
    add(acceleration(space.parameters[a]), motion.acceleration[a],
        acceleration_symbol(space.parameters[a]).symbol().name);
  }
  const bool on_manifold = reduced && !branch.empty();
  if (motion.constraints.empty() && motion.closed_form)
    section.blocks.push_back(Paragraph{characteristic_field(context.letters) + " is the motion."});
  if (!left.empty()) {
    add_equations(
        context, section, "equation", left, right, keys,
        on_manifold ? "on the constraint manifold, in the velocities that are left:" : "the equations are");
  }
  if (!solved) add_balance(context, section);
  Conditions conditions = motion.conditions;
  for (Expr condition : reduced ? context.manifold.conditions : Conditions{}) {
    if (std::find(conditions.begin(), conditions.end(), condition) == conditions.end())
      conditions.push_back(condition);
  }
  if (solved) add_conditions(context, section, conditions);
  return section;
}

Section agreement_section(const DerivationContext& context) {
  Section section{"agreement", "Other roads to the same motion", {}};
  Table verdicts{"agreement", {"formulation", "agrees with E + Σ λ e"}, {}};
  std::vector<Block> details;
  for (const auto& [result, agreement] : context.options.roads) {
    const std::string road = name_of(result.formulation);
    verdicts.rows.push_back(
        {road, result.applicable ? describe(agreement) : "not applicable: " + result.reason});
    if (!result.applicable || context.options.roads.size() > 1) continue;
    details.push_back(Paragraph{"By the road " + road + ":"});
    for (std::size_t i = 0; i < result.equations.size(); ++i) {
      details.push_back(
          Display{fmt::format("{}.{}", road, i + 1),
                  equation(result.equations[i].first, context.algebra.readable(result.equations[i].second)),
                  {}});
    }
  }
  section.blocks.push_back(std::move(verdicts));
  section.blocks.insert(section.blocks.end(), details.begin(), details.end());
  return section;
}

}  // namespace liaison
