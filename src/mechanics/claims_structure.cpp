#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

Verdict of_grade(Grade grade, std::string reason = {}) {
  return Verdict::of(grade, std::move(reason));
}

Verdict checked_once(std::string reason) {
  Verdict verdict = Verdict::of(Grade::checked, std::move(reason));
  verdict.points = 1;
  verdict.digits = 12;
  return verdict;
}

}  // namespace

Motion ClaimChecker::restricted_to(const std::vector<std::string>& names) const {
  Motion part = motion_;
  if (names.empty()) {
    part.constraints.resize(motion_.relation_count);
    return part;
  }
  part.constraints.clear();
  for (std::size_t h = 0; h < motion_.relation_count; ++h) {
    const ConstraintField& constraint = motion_.constraints[h];
    if (std::find(names.begin(), names.end(), constraint.name) != names.end())
      part.constraints.push_back(constraint);
  }
  part.relation_count = part.constraints.size();
  return part;
}

Verdict ClaimChecker::compatible(std::string& detail) {
  switch (motion_.status) {
    case FactorStatus::none: return of_grade(Grade::proved);
    case FactorStatus::incompatible:
    case FactorStatus::undetermined: detail = "det r = 0"; return of_grade(Grade::refuted);
    default: break;
  }
  if (!motion_.closed_form || motion_.status == FactorStatus::implicit) {
    for (unsigned seed = 1; seed < 9; ++seed) {
      const auto state = random_state(motion_, seed);
      if (!state) continue;
      const StateValues values = evaluate_state(algebra_, motion_, *state);
      if (!values.failure.empty()) continue;
      if (values.compatible) {
        return checked_once("det r has no closed form");
      }
    }
    return of_grade(Grade::unknown, "no state could be evaluated");
  }
  const Verdict vanishes = is_zero_on(algebra_, motion_, manifold_, motion_.determinant);
  detail = "det r = " + to_infix(motion_.determinant);
  if (vanishes.is_refuted()) return of_grade(Grade::proved);
  return of_grade(vanishes.holds() ? Grade::refuted : Grade::unknown, vanishes.reason);
}

/// Theorem A.1 of the row MP-A.1: the Chetaev forms generate a differential ideal on the constraint manifold.
Verdict ClaimChecker::holonomic(const Claim& claim, std::string& detail) {
  const Motion part = restricted_to(claim.constraints);
  const Manifold manifold = solve_manifold(algebra_, part, false);
  const StateSpace& space = motion_.space;
  const Form dt = Form::basis(space.coframe, space.time_form());
  Verdict weakest = of_grade(Grade::proved);
  for (const Substitution& branch : manifold.branches) {
    std::vector<Form> forms;
    for (const ConstraintField& constraint : part.constraints) {
      const std::vector<Expr> l = space.on_velocities(algebra_, constraint.gradient);
      const auto linear = linear_coefficients(constraint.relation, space.parameters);
      if (!linear && !manifold.solved())
        return of_grade(Grade::unknown, "the relations are not solved for velocities");
      Form form(space.coframe, 1);
      Expr rest = linear && space.system->chart.parameters.empty() ? linear->rest : Expr();
      Expr power = algebra_.pool().number(0);
      for (std::size_t i = 0; i < space.size(); ++i) {
        const Expr component = linear ? l[i] : substitute(l[i], branch);
        form = form + component * Form::basis(space.coframe, space.configuration_form(i));
        power += component * (linear ? space.velocities[i] : substitute(space.velocities[i], branch));
      }
      // l_i (theta^i - v^i dt); for a linear relation l_i theta^i + l_0 dt, the same on the manifold and free
      // of velocities
      form = form +
             (rest.empty() ? (linear ? algebra_.readable(constraint.relation - power) : -power) : rest) * dt;
      forms.push_back(simplified(algebra_, form));
    }
    const FrobeniusResult result = frobenius(algebra_, forms);
    if (result.integrable.is_refuted()) {
      detail = fmt::format("d({}) leaves the ideal", part.constraints[result.obstruction.value_or(0)].name);
      return result.integrable;
    }
    if (!result.integrable.is_proved()) weakest = result.integrable;
  }
  return weakest;
}

Verdict ClaimChecker::independent(const Claim& claim, std::string& detail) {
  const Motion part = restricted_to(claim.constraints);
  const Manifold manifold = solve_manifold(algebra_, part);
  Matrix gradients(algebra_.pool(), part.constraints.size(), motion_.space.size());
  for (std::size_t h = 0; h < part.constraints.size(); ++h) {
    for (std::size_t a = 0; a < motion_.space.size(); ++a) {
      gradients(h, a) = substitute(part.constraints[h].gradient[a], manifold.branches.front());
    }
  }
  const RankResult found = rank(algebra_, gradients);
  detail = fmt::format("rank {} of {}", found.rank, part.constraints.size());
  if (found.rank == part.constraints.size()) return of_grade(found.grade);
  return of_grade(Grade::refuted);
}

/// Equivalent to the motion: each equation holds on it, and together with the relations they leave no other
/// accelerations.
Verdict ClaimChecker::equations(const Claim& claim, std::string& detail) {
  Verdict weakest = of_grade(Grade::proved);
  for (std::size_t i = 0; i < claim.equations.size(); ++i) {
    const auto& [left, right] = claim.equations[i];
    Verdict verdict = equality(left, right);
    if (!verdict.holds()) {
      detail = fmt::format("equation {} does not hold on the motion: {} == {}", i + 1, to_infix(left),
                           to_infix(right));
      return verdict;
    }
    if (!verdict.is_proved()) weakest = std::move(verdict);
  }
  const System& system = *motion_.space.system;
  std::vector<Expr> unknowns;
  for (Expr parameter : motion_.space.parameters) unknowns.push_back(acceleration_symbol(parameter));
  const std::size_t n = unknowns.size();
  for (const ConstraintField& constraint : motion_.constraints) unknowns.push_back(constraint.factor);
  Substitution chart;  // x'' where the parameters are others
  for (std::size_t i = 0; i < n; ++i) {
    const Expr symbol = acceleration_symbol(system.directions[i].velocity);
    if (std::find(unknowns.begin(), unknowns.end(), symbol) == unknowns.end()) {
      chart.emplace(symbol, time_derivative(system, motion_.space.velocities[i]));
    }
  }
  const std::size_t rows = claim.equations.size() + motion_.relation_count;
  Matrix coefficients(algebra_.pool(), rows, unknowns.size());
  const Substitution& branch = manifold_.branches.front();
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Expr> entries;
    if (row < claim.equations.size()) {
      const auto& [left, right] = claim.equations[row];
      entries = gradient(motion_.space.in_parameters(substitute(left - right, chart)), unknowns);
    } else {
      entries = motion_.constraints[row - claim.equations.size()].gradient;
    }
    for (std::size_t c = 0; c < entries.size(); ++c) coefficients(row, c) = substitute(entries[c], branch);
  }
  Matrix factor_part(algebra_.pool(), rows, unknowns.size() - n);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = n; c < unknowns.size(); ++c) factor_part(row, c - n) = coefficients(row, c);
  }
  const RankResult whole = rank(algebra_, coefficients);
  const std::size_t of_factors = unknowns.size() == n ? 0 : rank(algebra_, factor_part).rank;
  if (whole.rank - of_factors < n) {
    detail = fmt::format("the equations leave {} of {} accelerations open", n - (whole.rank - of_factors), n);
    return of_grade(Grade::refuted);
  }
  if (whole.grade != Grade::proved && weakest.is_proved())
    weakest = of_grade(whole.grade, "a rank was checked, not proved");
  return weakest;
}

}  // namespace liaison
