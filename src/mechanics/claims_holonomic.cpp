#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "form_jumps.hpp"
#include "holonomic_factors.hpp"
#include "liaison/algebra/factors.hpp"
#include "liaison/algebra/switching.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/domain.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/mechanics/states.hpp"
#include "state_relations.hpp"

namespace liaison {

namespace {

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

struct LinearRelation {
  std::string name;
  Form form;
  Expr relation;
  Expr level;  ///< empty for a relation between velocities
};

/// Inside of a domain: at an edge, as on x' = 0 of sqrt(-x'^2), states have no neighbours to all sides.
void leave_edges(Domain& domain) {
  for (Requirement& needed : domain)
    if (needed.bound == Bound::nonnegative) needed.bound = Bound::positive;
}

/// Pfaff forms and what their ideal says about differentials, at the states.
class DerivedSystem {
 public:
  /// Forms that depend on the others at every state are left out.
  DerivedSystem(Algebra& algebra, const CoframePtr& coframe, const Region& states, std::vector<Form> forms)
      : algebra_(algebra), states_(states), volume_(Form::function(coframe, algebra.pool().number(1))) {
    for (Form& form : forms) {
      const Form larger = simplified(algebra, wedge(volume_, form));
      is_left_out_.push_back(algebra.follows(sum_of_squares(algebra.pool(), larger), states));
      if (is_left_out_.back()) continue;
      volume_ = larger;
      forms_.push_back(std::move(form));
    }
    for (const Form& form : forms_) torsions_.push_back(simplified(algebra, wedge(d(form), volume_)));
  }

  const Form& volume() const { return volume_; }
  bool is_left_out(std::size_t given) const { return is_left_out_[given]; }
  /// A form lies in the ideal at every state.
  Verdict contains(const Form& form) const {
    return vanishes(simplified(algebra_, wedge(form, volume_)), states_);
  }
  /// The same where the forms are independent, inside of the domain.
  Verdict contains_where_regular(const Form& form) const {
    Region regular = states_;
    leave_edges(regular.domain);
    regular.domain.push_back({sum_of_squares(algebra_.pool(), volume_), Bound::nonzero});
    return vanishes(simplified(algebra_, wedge(form, volume_)), regular);
  }
  Verdict is_integrable() const {
    Verdict whole = Verdict::of(Grade::proved);
    for (const Form& torsion : torsions_) whole = conjunction(std::move(whole), vanishes(torsion, states_));
    return whole;
  }
  struct Derived {
    std::vector<Form> forms;
    bool is_all = false;  ///< there are no others at the states
  };
  /// The combinations whose differentials lie in the ideal; nothing where a zero on the way was only checked.
  std::optional<Derived> derived() const {
    std::vector<std::vector<Expr>> rows;
    std::map<IndexSet, std::size_t, IndexSetLess> row_of;
    for (std::size_t a = 0; a < torsions_.size(); ++a) {
      for (const auto& [indices, coefficient] : torsions_[a].terms()) {
        // R11^2 + R21^2 + R31^2 - 1 is zero at the states alone
        if (!coefficient.is_constant() && algebra_.follows(coefficient, states_)) continue;
        const auto [place, is_new] = row_of.try_emplace(indices, rows.size());
        if (is_new) rows.emplace_back(forms_.size(), algebra_.pool().number(0));
        rows[place->second][a] = coefficient;
      }
    }
    Matrix matrix(algebra_.pool(), rows.size(), forms_.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t a = 0; a < forms_.size(); ++a) matrix(i, a) = rows[i][a];
    }
    const NullSpaceResult kernel = null_space(algebra_, matrix);
    if (kernel.grade != Grade::proved) return std::nullopt;
    Derived result;
    result.is_all = has_its_rank_at_states(matrix);
    for (const std::vector<Expr>& vector : kernel.basis) {
      Form sum(volume_.coframe(), 1);
      for (std::size_t a = 0; a < forms_.size(); ++a) sum = sum + vector[a] * forms_[a];
      result.forms.push_back(simplified(algebra_, sum));
    }
    return result;
  }

 private:
  /// A minor of the size that the rank has in all of space vanishes on no component of the states.
  bool has_its_rank_at_states(const Matrix& matrix) const {
    const RankResult found = rank(algebra_, matrix);
    if (found.grade != Grade::proved) return false;
    if (found.rank == 0) return true;
    Matrix minor(algebra_.pool(), found.rank, found.rank);
    for (std::size_t i = 0; i < found.rank; ++i) {
      for (std::size_t k = 0; k < found.rank; ++k) minor(i, k) = matrix(found.rows[i], found.columns[k]);
    }
    const DeterminantResult value = determinant(algebra_, minor);
    return value.grade == Grade::proved &&
           algebra_.vanishes_on_no_component(value.value, states_).is_proved();
  }

  Verdict vanishes(const Form& form, const Region& region) const {
    Verdict whole = Verdict::of(Grade::proved);
    for (const auto& [indices, coefficient] : form.terms()) {
      const Expr zero = algebra_.pool().number(0);
      whole = conjunction(std::move(whole), algebra_.are_equal(coefficient, zero, region));
      if (whole.is_refuted()) break;
    }
    return whole;
  }

  Algebra& algebra_;
  const Region& states_;
  Form volume_;
  std::vector<Form> forms_, torsions_;
  std::vector<bool> is_left_out_;  ///< of the forms as given
};

/// What a relation says beside its form, where the form was left out because it depends on the others at the
/// states. A level that follows from those that have their forms says nothing new (the same level twice);
/// else its gradient vanishes on the states (x^2 + y^2 = 0). A relation between velocities that does not
/// follow tells where the coordinates are: w' = 0 beside w' = z says z = 0, and forms that are no ideal's in
/// all of space may be one there. Nothing where all of them follow (proved).
std::string left_unsaid(Algebra& algebra, const System& model, const std::vector<LinearRelation>& relations,
                        const DerivedSystem& system) {
  Region levels{.equations = {}, .domain = model.domain, .assumed = {}};
  for (const Rotation& rotation : model.rotations) levels.equations.push_back(length_relation(rotation));
  for (std::size_t i = 0; i < relations.size(); ++i) {
    if (!relations[i].level.empty() && !system.is_left_out(i)) levels.equations.push_back(relations[i].level);
  }
  Region kept = levels;
  kept.assumed = {
      sum_of_squares(algebra.pool(), system.volume())};  // what is refuted is so where it is not 0
  for (std::size_t i = 0; i < relations.size(); ++i) {
    if (!system.is_left_out(i)) kept.equations.push_back(relations[i].relation);
  }
  for (std::size_t i = 0; i < relations.size(); ++i) {
    const LinearRelation& relation = relations[i];
    if (!system.is_left_out(i)) continue;
    if (!relation.level.empty() && !algebra.follows(relation.level, levels))
      return "the gradient of a level vanishes on the states";
    if (relation.level.empty() && !algebra.follows(relation.relation, kept))
      return fmt::format("{} tells more of the coordinates than its form does", relation.name);
  }
  return {};
}

/// Conditions that parameters or unknown functions may violate for all states at once. The others fail at
/// single states, and what is closed almost everywhere is closed.
std::vector<Expr> conditions_for_all_states(Algebra& algebra, const std::vector<Expr>& conditions) {
  std::vector<Expr> result;
  for (Expr condition : conditions) {
    for (const SignProduct::Factor& factor : sign_product(algebra, condition).factors) {
      if (may_vanish_for_all_states(factor.base)) result.push_back(factor.base);
    }
  }
  return result;
}

/// Velocities by parameters, as the chart gives them, at the states.
enum class ChartKind { linear, nonlinear, singular };
ChartKind kind_of_chart(Algebra& algebra, const StateSpace& space, const Region& states) {
  if (space.system->chart.parameters.empty()) return ChartKind::linear;
  Matrix slopes(space.pool(), space.size(), space.size());
  for (const JacobianEntry& entry : jacobian(space.velocities, space.parameters))
    slopes(entry.row, entry.column) = entry.value;
  const DeterminantResult found = determinant(algebra, slopes);
  if (!algebra.vanishes_on_no_component(found.value, states).holds()) return ChartKind::singular;
  const bool is_linear = std::all_of(space.velocities.begin(), space.velocities.end(), [&](Expr velocity) {
    return linear_coefficients(velocity, space.parameters).has_value();
  });
  return is_linear ? ChartKind::linear : ChartKind::nonlinear;
}

/// No velocity but zero satisfies the relations (proved): the place is a constant.
bool leave_rest_alone(Algebra& algebra, const Motion& motion,
                      const std::vector<const ConstraintField*>& part) {
  Region region{.equations = {}, .domain = motion.space.system->domain, .assumed = {}};
  for (const ConstraintField* constraint : part) region.equations.push_back(constraint->relation);
  return std::all_of(motion.space.velocities.begin(), motion.space.velocities.end(),
                     [&](Expr velocity) { return algebra.follows(velocity, region); });
}

/// Relations that are claimed to be integrable, and the others that may help.
struct LinearSystem {
  std::vector<LinearRelation> asked, others;
  bool has_levels = false;     ///< a relation of the model is one between coordinates
  bool has_nonlinear = false;  ///< others, not linear in the velocities, may help too

  std::vector<LinearRelation> all() const {
    std::vector<LinearRelation> result = asked;
    result.insert(result.end(), others.begin(), others.end());
    return result;
  }
};

/// Where the relations lose rank on what may be a component, another component can tell all the same: at a
/// state with independent forms d of an asked one leaves the ideal.
std::optional<Verdict> refuted_where_regular(Algebra& algebra, const Motion& motion,
                                             const LinearSystem& relations, const DerivedSystem& system,
                                             std::string& detail) {
  if (relations.has_nonlinear) return std::nullopt;
  if (!left_unsaid(algebra, *motion.space.system, relations.all(), system).empty()) return std::nullopt;
  for (const LinearRelation& relation : relations.asked) {
    Verdict verdict = system.contains_where_regular(d(relation.form));
    if (!verdict.is_refuted()) continue;
    detail = fmt::format("d({}) leaves the ideal", relation.name);
    return verdict;
  }
  return std::nullopt;
}

/// The asked forms lie in the last derived system of the ideal of all (Frobenius; Theorem A.1 of the row
/// MP-A.1). A form whose differential leaves an ideal on the way is not in the next derived system, and is
/// not holonomic.
Verdict is_integrable(Algebra& algebra, const Motion& motion, const Region& states,
                      const LinearSystem& relations, std::string& detail) {
  std::vector<Form> system;
  for (const LinearRelation& relation : relations.all()) system.push_back(relation.form);
  const std::vector<Form> given = system;
  std::optional<DerivedSystem> first;  // of the relations as given
  bool has_all_so_far = true;          // no derived system has lost a form
  for (std::size_t depth = 0; depth <= motion.relation_count; ++depth) {
    const DerivedSystem step(algebra, motion.space.coframe, states, std::move(system));
    Verdict regular = algebra.vanishes_on_no_component(sum_of_squares(algebra.pool(), step.volume()), states);
    if (!regular.holds() && regular.grade != Grade::empty && depth == 0) {
      if (auto refuted = refuted_where_regular(algebra, motion, relations, step, detail))
        return std::move(*refuted);
    }
    if (regular.is_refuted())
      return Verdict::of(Grade::unknown, "the rank of the relations is not the same everywhere");
    if (!regular.holds()) return regular;
    for (const LinearRelation& relation : relations.asked) {
      for (const Form& form : {relation.form, d(relation.form)}) {
        if (!step.contains(form).is_refuted()) continue;
        // a derived system is known in all of space; on a level more may lie in it
        if (relations.has_nonlinear || (depth > 0 && relations.has_levels))
          return Verdict::of(Grade::unknown, "a derived system on a level is not decided");
        if (!has_all_so_far)
          return Verdict::of(Grade::unknown,
                             "a derived system is known in all of space, and may be larger at the states");
        const std::string unsaid =
            left_unsaid(algebra, *motion.space.system, relations.all(), first ? *first : step);
        if (!unsaid.empty()) return Verdict::of(Grade::unknown, unsaid);
        Verdict verdict = step.contains_where_regular(form);
        if (!verdict.is_refuted())
          return Verdict::of(
              Grade::unknown,
              fmt::format(
                  "d({}) leaves the ideal where the relations lose rank, or at the edge of their domain",
                  relation.name));
        detail = fmt::format("d({}) leaves the ideal", relation.name);
        return verdict;
      }
    }
    Verdict whole = step.is_integrable();
    if (!whole.is_refuted()) {
      whole = conjunction(std::move(whole), std::move(regular));
      for (const LinearRelation& relation : relations.asked)
        whole = conjunction(std::move(whole), step.contains(relation.form));
      whole.conditions = conditions_for_all_states(algebra, whole.conditions);
      return unless_forms_jump(algebra, given, states, std::move(whole));
    }
    auto next = step.derived();
    if (!next) return Verdict::of(Grade::unknown, "a derived system is not decided");
    has_all_so_far = has_all_so_far && next->is_all;
    system = std::move(next->forms);
    if (depth == 0) first.emplace(step);
  }
  return Verdict::of(Grade::unknown, "the derived systems do not end");
}

/// The states on a branch of the velocities at which no form vanishes: elsewhere relations have no gradient,
/// and Frobenius' theorem says nothing (x'^2 + (y' - x)^2 = 0).
Region regular_states_on(Algebra& algebra, const Motion& motion, const Substitution& branch,
                         const std::vector<Form>& forms) {
  Region region = states_of(motion);
  std::vector<Expr> equations, values;
  for (Expr e : region.equations) {
    const Expr there = substitute(e, branch);
    if (!there.is_zero() && !algebra.is_zero(there).is_proved()) equations.push_back(there);
  }
  for (const auto& [velocity, value] : branch) {
    equations.push_back(velocity - value);
    values.push_back(value);
  }
  region.equations = std::move(equations);
  add_requirements(region.domain, natural_domain(values));
  leave_edges(region.domain);
  for (const Form& form : forms)
    region.domain.push_back({sum_of_squares(algebra.pool(), form), Bound::nonzero});
  return region;
}

/// A torsion that is not zero at a state of the branch.
Verdict refuted_on(Algebra& algebra, const std::vector<Form>& torsions, const Region& states) {
  const Expr zero = algebra.pool().number(0);
  for (const Form& torsion : torsions) {
    for (const auto& [indices, coefficient] : torsion.terms()) {
      Verdict verdict = algebra.are_equal(coefficient, zero, states);
      if (verdict.is_refuted() || verdict.grade == Grade::empty) return verdict;
    }
  }
  return Verdict::of(Grade::unknown, "no state was found at which d of a relation leaves the ideal");
}

}  // namespace

/// With the help of the other linear relations.
Verdict ClaimChecker::holonomic(const Claim& claim, std::string& detail) {
  const auto part = named(claim.constraints);
  const Expr zero = algebra_.pool().number(0);
  const Region states = states_of(motion_);
  const auto is_level = [](const ConstraintField& constraint) { return !constraint.level.empty(); };
  if (std::all_of(part.begin(), part.end(), [&](const ConstraintField* c) { return is_level(*c); })) {
    detail = "relations between coordinates";
    return algebra_.are_equal(zero, zero, states);
  }
  const ChartKind chart = kind_of_chart(algebra_, motion_.space, states);
  if (chart != ChartKind::linear && leave_rest_alone(algebra_, motion_, part)) {
    detail = "no velocity but zero is left";
    return algebra_.are_equal(zero, zero, states);
  }
  if (chart == ChartKind::singular)
    return Verdict::of(Grade::unknown, "the velocity parameters are singular on the states");
  if (chart == ChartKind::nonlinear) return holonomic_on_branches(claim, detail);
  LinearSystem system;
  for (const ConstraintField* constraint : part) {
    const auto form = pfaff_form(algebra_, motion_.space, *constraint);
    if (!form) {
      Verdict states_exist = algebra_.are_equal(zero, zero, states);
      if (states_exist.grade == Grade::empty) return states_exist;
      if (auto verdict = holonomic_by_factors(algebra_, motion_, part, detail)) return *verdict;
      return holonomic_on_branches(claim, detail);
    }
    system.asked.push_back({constraint->name, *form, constraint->relation, constraint->level});
  }
  for (std::size_t h = 0; h < motion_.relation_count; ++h) {
    const ConstraintField& other = motion_.constraints[h];
    system.has_levels = system.has_levels || is_level(other);
    if (std::find(part.begin(), part.end(), &other) != part.end()) continue;
    const auto form = pfaff_form(algebra_, motion_.space, other);
    system.has_nonlinear = system.has_nonlinear || !form;
    if (form) system.others.push_back({other.name, *form, other.relation, other.level});
  }
  Verdict verdict = is_integrable(algebra_, motion_, states, system, detail);
  if (verdict.grade != Grade::unknown) return verdict;
  // what can be integrated without the help of a relation that jumps can be integrated
  const std::size_t all = system.others.size();
  std::erase_if(system.others, [](const LinearRelation& other) { return has_jumps(other.form); });
  if (system.others.size() == all) return verdict;
  std::string of_the_smooth;
  Verdict smooth = is_integrable(algebra_, motion_, states, system, of_the_smooth);
  if (!smooth.holds()) return verdict;
  detail = std::move(of_the_smooth);
  return smooth;
}

/// Relations that are not linear in the velocities: the Chetaev forms on each branch of the solved
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
  bool has_branch = false;
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
    FrobeniusResult result = frobenius(algebra_, forms);
    result.integrable = unless_forms_jump(algebra_, forms, states_of(motion_), std::move(result.integrable));
    if (result.integrable.is_refuted()) {
      result.integrable =
          refuted_on(algebra_, result.torsions, regular_states_on(algebra_, motion_, branch, forms));
      if (result.integrable.grade == Grade::empty) continue;  // no real state with a gradient
    }
    has_branch = true;
    if (result.integrable.is_refuted())
      detail = fmt::format("d({}) leaves the ideal", only.constraints[result.obstruction.value_or(0)].name);
    whole = conjunction(std::move(whole), result.integrable);
    if (!whole.is_refuted()) continue;
    if (motion_.relation_count == only.relation_count && motion_.space.system->rotations.empty())
      return whole;
    return Verdict::of(Grade::unknown, "d of a relation leaves the ideal of the named ones; others may help");
  }
  if (!has_branch) return Verdict::of(Grade::unknown, "no branch of the velocities is real and regular");
  if (!whole.holds()) return whole;
  for (const ConstraintField& constraint : only.constraints) {
    std::vector<Expr> squares;
    for (Expr slope : constraint.gradient) squares.push_back(slope * slope);
    const Verdict regular =
        algebra_.vanishes_on_no_component(algebra_.pool().add(squares), states_of(motion_));
    if (regular.holds()) continue;
    if (regular.grade == Grade::empty) return regular;
    return Verdict::of(Grade::unknown,
                       fmt::format("the gradient of {} {} on a part of the states", constraint.name,
                                   regular.is_refuted() ? "vanishes" : "may vanish"));
  }
  return whole;
}

}  // namespace liaison
