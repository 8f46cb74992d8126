#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/coefficients.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/states.hpp"

namespace liaison {

namespace {

Expr sum_of_squares(Pool& pool, const Form& form) {
  std::vector<Expr> squares;
  for (const auto& [indices, coefficient] : form.terms()) squares.push_back(coefficient * coefficient);
  return pool.add(squares);
}

/// l_i theta^i + l_0 dt of a relation that is linear in the velocities.
std::optional<Form> pfaff_form(Algebra& algebra, const StateSpace& space, const ConstraintField& constraint) {
  const auto linear = linear_coefficients(constraint.relation, space.parameters);
  if (!linear) return std::nullopt;
  const std::vector<Expr> l = space.on_velocities(algebra, constraint.gradient);
  Form form(space.coframe, 1);
  Expr power = algebra.pool().number(0);
  for (std::size_t i = 0; i < space.size(); ++i) {
    form = form + l[i] * Form::basis(space.coframe, space.configuration_form(i));
    power += l[i] * space.velocities[i];
  }
  const Expr rest =
      space.system->chart.parameters.empty() ? linear->rest : algebra.readable(constraint.relation - power);
  return simplified(algebra, form + rest * Form::basis(space.coframe, space.time_form()));
}

}  // namespace

/// The named relations and the other linear ones generate an ideal of Pfaff forms; the named ones are
/// holonomic where their differentials lie in it at every state (Frobenius; Theorem A.1 of the row MP-A.1).
Verdict ClaimChecker::holonomic(const Claim& claim, std::string& detail) {
  const auto part = named(claim.constraints);
  const Expr zero = algebra_.pool().number(0);
  const Region states = states_of(motion_);
  const bool has_levels = std::all_of(
      part.begin(), part.end(), [](const ConstraintField* constraint) { return !constraint->level.empty(); });
  if (has_levels) {
    detail = "relations between coordinates";
    return algebra_.are_equal(zero, zero, states);
  }
  std::vector<std::pair<const ConstraintField*, Form>> asked;
  std::vector<Form> generators;
  for (const ConstraintField* constraint : part) {
    const auto form = pfaff_form(algebra_, motion_.space, *constraint);
    if (!form) return holonomic_on_branches(claim, detail);
    asked.emplace_back(constraint, *form);
    generators.push_back(*form);
  }
  for (std::size_t h = 0; h < motion_.relation_count; ++h) {
    const ConstraintField& other = motion_.constraints[h];
    if (std::find(part.begin(), part.end(), &other) != part.end()) continue;
    if (const auto form = pfaff_form(algebra_, motion_.space, other)) generators.push_back(*form);
  }
  Form volume = Form::function(motion_.space.coframe, algebra_.pool().number(1));
  for (const Form& generator : generators) {  // those that depend on the others at every state add nothing
    const Form larger = simplified(algebra_, wedge(volume, generator));
    if (!algebra_.follows(sum_of_squares(algebra_.pool(), larger), states)) volume = larger;
  }
  Verdict whole = algebra_.vanishes_on_no_component(sum_of_squares(algebra_.pool(), volume), states);
  if (whole.is_refuted())
    whole = Verdict::of(Grade::unknown, "the rank of the relations is not the same everywhere");
  if (!whole.holds()) return whole;
  for (const auto& [constraint, form] : asked) {
    const Form torsion = simplified(algebra_, wedge(d(form), volume));
    for (const auto& [indices, coefficient] : torsion.terms()) {
      Verdict verdict = algebra_.are_equal(coefficient, zero, states);
      if (verdict.is_refuted()) {
        detail = fmt::format("d({}) leaves the ideal", constraint->name);
        return verdict;
      }
      whole = conjunction(std::move(whole), std::move(verdict));
    }
  }
  whole.conditions.clear();  // Frobenius' conditions are closed: what holds almost everywhere holds
  return whole;
}

/// StateRelations that are not linear in the velocities: the Chetaev forms on each branch of the solved
/// manifold.
Verdict ClaimChecker::holonomic_on_branches(const Claim& claim, std::string& detail) {
  Motion only = motion_;
  only.constraints.clear();
  for (const ConstraintField* constraint : named(claim.constraints)) only.constraints.push_back(*constraint);
  only.relation_count = only.constraints.size();
  const Manifold manifold = solve_manifold(algebra_, only, false);
  if (!manifold.solved()) return Verdict::of(Grade::unknown, "the relations are not solved for velocities");
  const StateSpace& space = motion_.space;
  Verdict whole = Verdict::of(Grade::proved);
  for (Expr condition : manifold.conditions) {  // what was solved by must not vanish on a component
    if (!algebra_.vanishes_on_no_component(condition, states_of(motion_)).is_proved())
      return Verdict::of(Grade::unknown, "the relations are not solved for velocities on every component");
  }
  for (const Substitution& branch : manifold.branches) {
    std::vector<Form> forms;
    for (const ConstraintField& constraint : only.constraints) {
      const std::vector<Expr> l = space.on_velocities(algebra_, constraint.gradient);
      Form form(space.coframe, 1);
      Expr power = algebra_.pool().number(0);
      for (std::size_t i = 0; i < space.size(); ++i) {
        const Expr component = substitute(l[i], branch);
        form = form + component * Form::basis(space.coframe, space.configuration_form(i));
        power += component * substitute(space.velocities[i], branch);
      }
      forms.push_back(simplified(algebra_, form + (-power) * Form::basis(space.coframe, space.time_form())));
    }
    const FrobeniusResult result = frobenius(algebra_, forms);
    if (result.integrable.is_refuted())
      detail = fmt::format("d({}) leaves the ideal", only.constraints[result.obstruction.value_or(0)].name);
    whole = conjunction(std::move(whole), result.integrable);
    if (whole.is_refuted()) return whole;
  }
  return whole;
}

}  // namespace liaison
