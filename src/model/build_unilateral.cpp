#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "simple_gaps.hpp"
#include "text.hpp"

// Constraints that can open: what their gaps say as contacts, and what they resist.
namespace liaison {

namespace {

const Context relation_context{"a constraint", true, true};
const Context coefficient_context{"a coefficient of a contact", true, true, false, true};

}  // namespace

void Builder::build(const syntax::UnilateralDeclaration& syntax, const Statement& statement) {
  auto held = read_constraint(syntax, statement.span, false);
  Unilateral unilateral;
  const bool friction = read_friction(syntax, unilateral);
  if (!held || !friction) return;
  static_cast<Constraint&>(unilateral) = std::move(*held);
  const SimpleGaps simple = simple_gaps(unilateral.gap());
  if (!simple.even_factor.empty()) return refuse_even_factor(unilateral, simple);
  if (simple.gaps.size() > 1) return build_sides(unilateral, simple.gaps, syntax, statement);
  if (simple.gaps[0] != unilateral.gap()) {
    unilateral.relation = simple.gaps[0];
    if (!check_moves(unilateral.gap(), unilateral.relation_span, unilateral.name)) return;
  }
  require_power(unilateral, unilateral.power.empty() ? unilateral.gap() : unilateral.power,
                syntax.power.value_or(syntax.left));
  system_.unilaterals.push_back(std::move(unilateral));
}

void Builder::refuse_even_factor(const Unilateral& unilateral, const SimpleGaps& simple) {
  const std::string factor = excerpt(to_infix(simple.even_factor), 60);
  const bool always = simple.without_even_factors.is_constant();
  Diagnostic& diagnostic =
      reports_.add("L0444", unilateral.relation_span,
                   always ? fmt::format("the gap of `{}` is never negative", excerpt(unilateral.name))
                          : fmt::format("the gap of `{}` vanishes where `{}` does, and has one sign there",
                                        excerpt(unilateral.name), factor));
  diagnostic.label = always ? "it keeps nothing from moving"
                            : fmt::format(
                                  "`{} = 0` is allowed beside states that are not: no surface that "
                                  "could be touched from one side",
                                  factor);
  diagnostic.hint = always ? fmt::format("a side is `{} >= 0`; the surface itself is a `constraint`", factor)
                           : fmt::format("without that factor: `{} >= 0`",
                                         excerpt(to_infix(simple.without_even_factors), 60));
}

/// One contact a side of the corner, NAME_1, NAME_2 and so on; all else is alike.
void Builder::build_sides(const Unilateral& whole, const std::vector<Expr>& gaps,
                          const syntax::UnilateralDeclaration& syntax, const Statement& statement) {
  if (statement.repeated) {
    reports_.add(
        "L0442", whole.relation_span, "so many contacts have no corners",
        fmt::format("write a `for` of its own for each side: `{} >= 0`", excerpt(to_infix(gaps[0]), 60)));
    return;
  }
  Sides& sides = sides_[whole.name];
  sides.statement = statement.span;
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    Unilateral side = whole;
    side.name = fmt::format("{}_{}", whole.name, k + 1);
    sides.names.push_back(side.name);
    if (const auto known = constraints_.find(side.name); known != constraints_.end()) {
      Diagnostic& diagnostic =
          reports_.add("L0407", whole.relation_span,
                       fmt::format("`{}` has a corner, and the name of its side `{}` is taken",
                                   excerpt(whole.name), excerpt(side.name)),
                       "choose another name");
      diagnostic.notes.push_back({known->second, "it was declared"});
      return;
    }
    constraints_.emplace(side.name, syntax.name.span);
    side.factor = scope_.factor(side.name);
    const Substitution own{{whole.factor, side.factor}};
    const auto replace = [&](Expr& e) {
      if (!e.empty()) e = substitute(e, own);
    };
    replace(side.power);
    for (Expr& component : side.direction) replace(component);
    for (std::optional<Expr>* clause : {&side.friction, &side.sticking, &side.restitution}) {
      if (*clause) replace(**clause);
    }
    side.relation = gaps[k];
    if (!check_moves(side.gap(), side.relation_span,
                     fmt::format("{}: {} >= 0", side.name, to_infix(gaps[k]))))
      return;
    require_power(side, side.power.empty() ? side.gap() : side.power, syntax.power.value_or(syntax.left));
    system_.unilaterals.push_back(std::move(side));
  }
}

/// Named by `holonomic` or `independent`, which speak of relations.
static bool is_reaction_of_claim(const System& system, const syntax::Name& name) {
  const auto is_in = [&](const Claim& claim) {
    const auto& names = claim.constraints;
    return claim.span.begin <= name.span.begin && name.span.end <= claim.span.end &&
           std::find(names.begin(), names.end(), name.text) != names.end();
  };
  return std::any_of(system.reactions.begin(), system.reactions.end(),
                     [&](const Reaction& reaction) { return reaction.name == name.text; }) &&
         std::any_of(system.claims.begin(), system.claims.end(), is_in);
}

/// Names behind lambda and its like are known before what they name is read, sides of corners after it.
void Builder::check_asked_constraints() {
  for (const syntax::Name& name : scope_.asked_constraints()) {
    if (const auto found = sides_.find(name.text); found != sides_.end()) {
      const auto& [sides, own] = found->second;
      if (own.begin <= name.span.begin && name.span.end <= own.end) continue;
      reports_.add("L0423", name.span,
                   fmt::format("`{}` has a corner, and is {} contacts: {}", excerpt(name.text), sides.size(),
                               fmt::join(sides, ", ")),
                   fmt::format("ask for one of them: `{}`", sides[0]));
    } else if (!constraints_.contains(name.text)) {
      scope_.report_unknown_constraint(name.text, name.span);
    } else if (is_reaction_of_claim(system_, name)) {
      reports_.add("L0423", name.span,
                   fmt::format("`{}` is a reaction, and no constraint: it has no relation of its own",
                               excerpt(name.text)),
                   "name the constraint that it helps to keep");
    }
  }
}

bool Builder::read_friction(const syntax::UnilateralDeclaration& syntax, Unilateral& unilateral) {
  const auto read_clause = [&](const std::optional<Span>& span, std::optional<Expr>& target,
                               const char* what) {
    if (!span) return true;
    const Expr value = scope_.read(*span, coefficient_context);
    if (value.empty()) return false;
    obligations_.is(value, *span, what, Dimension{});
    target = value;
    return true;
  };
  bool ok = read_clause(syntax.friction, unilateral.friction, "a coefficient of friction");
  ok = read_clause(syntax.sticking, unilateral.sticking, "a coefficient of friction") && ok;
  ok = read_clause(syntax.restitution, unilateral.restitution, "a coefficient of restitution") && ok;
  const auto refuse = [&](Span span, std::string message, std::string hint) {
    reports_.add("L0440", span, std::move(message), std::move(hint));
    return false;
  };
  if (!syntax.friction) {
    if (syntax.sticking)
      return refuse(*syntax.sticking, "what sticks can slip too", "give `friction F` as well");
    if (syntax.slip) return refuse(syntax.slip->span, "nothing resists this velocity", "give `friction F`");
    return ok;
  }
  if (syntax.power) {
    return refuse(*syntax.friction, "a power says already how the contact resists",
                  "keep one of the two: `friction F on U`, or `power`");
  }
  if (!syntax.slip) return ok;  // a particle has one velocity; of others it must be said before it is needed
  if (!check_length(*syntax.slip, {1, 2}, "a velocity along the surface")) return false;
  unilateral.slip = read_vector(*syntax.slip, relation_context);
  for (const Expr component : unilateral.slip) {
    if (component.empty()) return false;
    if (!has_velocity(component)) {
      return refuse(syntax.slip->span, "no velocity is in what slips",
                    "write `on x'`, with the velocity along the surface");
    }
    if (!linear_coefficients(component, velocities_in(component))) {
      return refuse(syntax.slip->span, "this is not linear in the velocities",
                    "write the velocity itself: `on x'`, not its size or its square");
    }
  }
  return ok;
}

}  // namespace liaison
