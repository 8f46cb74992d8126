#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <functional>

#include "certified_quantities.hpp"
#include "dense.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/rounding.hpp"
#include "liaison/mechanics/state.hpp"
#include "liaison/model/kinematics.hpp"
#include "other_states.hpp"

namespace liaison {

namespace {

Verdict of_grade(Grade grade, std::string reason = {}) {
  return Verdict::of(grade, std::move(reason));
}

enum class FullRank { yes, no, unknown };

/// Whether the columns of a matrix are independent at a state: by Gram's determinant in balls, exactly zero
/// by algebra.
FullRank has_independent_columns(Algebra& algebra, const CertifiedState& state, const Matrix& a) {
  for (long bits = least_state_bits; bits <= 512; bits *= 2) {
    const auto point = state.at(bits);
    if (!point) continue;
    const BallValues values = evaluate_balls(a.entries, *point, bits);
    if (values.status != EvaluationStatus::ok) continue;
    const BallMatrix matrix(a.rows, a.columns, values.values);
    BallMatrix transposed(a.columns, a.rows), gram(a.columns, a.columns);
    arb_mat_transpose(transposed.raw(), matrix.raw());
    arb_mat_mul(gram.raw(), transposed.raw(), matrix.raw(), bits);
    Ball determinant;
    arb_mat_det(determinant.raw(), gram.raw(), bits);
    if (!determinant.contains_zero()) return FullRank::yes;
  }
  const auto values_there = exact_values(algebra, state);
  if (!values_there) return FullRank::unknown;
  Matrix exact = a;
  for (Expr& entry : exact.entries) entry = substitute(entry, *values_there);
  const auto is_constant = [](Expr e) { return e.is_constant(); };
  if (!std::all_of(exact.entries.begin(), exact.entries.end(), is_constant)) return FullRank::unknown;
  const RankResult found = rank(algebra, exact);
  if (found.grade != Grade::proved) return FullRank::unknown;
  return found.rank < a.columns ? FullRank::no : FullRank::unknown;
}

/// The same in doubles; true where a value is missing.
bool seem_independent(const Matrix& a, const DoublePoint& point) {
  constexpr double rounding = 1e-10;
  DoubleValues found = evaluate(a.entries, point);
  if (found.status != EvaluationStatus::ok) return true;
  clear_rounding(a.entries, point, found.values);
  Eigen::MatrixXd values(static_cast<Eigen::Index>(a.rows), static_cast<Eigen::Index>(a.columns));
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j)
      values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = found.values[i * a.columns + j];
  }
  for (Eigen::Index j = 0; j < values.cols(); ++j) {
    if (values.col(j).norm() == 0) return false;
    values.col(j).normalize();
  }
  return DensePivoted(values, rounding).rank() == values.cols();
}

/// What was found at the state chosen holds, in doubles, at every other one that was found; else unknown.
Verdict unless_it_fails_elsewhere(Verdict verdict, const StateDoubt& doubt,
                                  const std::vector<StateElsewhere>& others,
                                  const std::function<bool(const DoublePoint&)>& holds) {
  if (!verdict.holds() || verdict.is_proved()) return verdict;
  for (const StateElsewhere& other : others) {
    if (!holds(other.values))
      return of_grade(Grade::unknown,
                      fmt::format("{}; it holds at the state chosen, and not where {}: give more values",
                                  doubt.reason, other.where));
  }
  return verdict;
}

/// What is proved at a state that was chosen among several, or may be one of several, is checked.
Verdict beside_doubt(Verdict verdict, const StateDoubt& doubt) {
  if (!verdict.is_proved() || doubt.reason.empty()) return verdict;
  verdict = of_grade(Grade::checked, doubt.reason);
  verdict.points = 1;
  verdict.digits = 12;
  return verdict;
}

/// At a certified state everything in the model has a value, certainly, and so have the derivatives that
/// gradients are made of: empty; else what has none, or may have none.
std::string problem_of_domain(Algebra& algebra, const Motion& motion, const CertifiedState& state) {
  if (!state.is_certified()) return {};
  const auto holds = [&](const Requirement& requirement) {
    for (long bits = least_state_bits; bits <= 512; bits *= 2) {
      const auto point = state.at(bits);
      if (!point) continue;
      const BallValues found = evaluate_balls(std::span(&requirement.e, 1), *point, bits);
      if (found.status != EvaluationStatus::ok) continue;
      if (requirement.bound == Bound::nonzero ? !found.values[0].contains_zero()
                                              : found.values[0].is_positive())
        return true;
    }
    return false;
  };
  Domain domain = motion.space.system->domain;
  const std::size_t own = domain.size();
  domain.insert(domain.end(), motion.lost_to_motions.begin(), motion.lost_to_motions.end());
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const Requirement& requirement = domain[i];
    if (holds(requirement)) continue;
    const std::string needed = to_infix(Domain{requirement});
    const auto exact = exact_values(algebra, state);
    const Expr value = exact ? substitute(requirement.e, *exact) : Expr();
    if (value.empty() || !value.is_constant())
      return fmt::format("it is not decided whether {} at this state", needed);
    const bool is_zero = algebra.is_zero(value).is_proved();
    if (is_zero && requirement.bound == Bound::nonnegative) continue;
    if (is_zero && i >= own)
      return fmt::format("a derivative has no value at this state: {} does not hold", needed);
    if (is_zero) return fmt::format("this is no state of the model: {} does not hold", needed);
    return fmt::format("it is not decided whether {} at this state", needed);
  }
  return {};
}

}  // namespace

Verdict ClaimChecker::compatible_at(const Claim& claim, std::string& detail) {
  const CertifiedState state = certify_state(algebra_, motion_, claim);
  if (!state.problem.empty()) return of_grade(Grade::unknown, state.problem);
  const auto everywhere = [&](Verdict verdict) {
    if (!verdict.holds()) return verdict;
    const StateDoubt doubt = choice_at(claim, state);
    return unless_it_fails_elsewhere(beside_doubt(std::move(verdict), doubt), doubt,
                                     states_elsewhere(motion_, claim, state, doubt, Expr()),
                                     [&](const DoublePoint& point) {
                                       if (motion_.constraints.empty())
                                         return seem_independent(motion_.free.mass, point);
                                       const StateValues values = evaluate_state(algebra_, motion_, point);
                                       return values.failure.empty() && values.compatible;
                                     });
  };
  if (const std::string problem = problem_of_domain(algebra_, motion_, state); !problem.empty())
    return of_grade(Grade::unknown, problem);
  if (motion_.constraints.empty()) {
    if (!state.is_certified()) return of_grade(Grade::unknown, state.uncertain);
    switch (has_independent_columns(algebra_, state, motion_.free.mass)) {
      case FullRank::yes: return everywhere(of_grade(Grade::proved));
      case FullRank::no:
        detail = "the mass matrix is singular at this state";
        return unless_chosen(claim, state, of_grade(Grade::refuted));
      case FullRank::unknown: break;
    }
    return of_grade(Grade::unknown, "it is not decided whether the mass matrix is singular at this state");
  }
  if (motion_.constraints.size() != motion_.relation_count) {
    if (!state.is_certified()) return of_grade(Grade::unknown, state.uncertain);
    detail = fmt::format("{} factors, {} relations", motion_.constraints.size(), motion_.relation_count);
    return of_grade(Grade::refuted);
  }
  if (!state.is_certified() || is_implicit(motion_)) {
    const StateValues values = evaluate_state(algebra_, motion_, state.approximate);
    if (!values.failure.empty()) return of_grade(Grade::unknown, values.failure);
    detail = fmt::format("det r = {:.15g}", values.determinant);
    Verdict verdict = of_grade(values.compatible ? Grade::checked : Grade::unknown,
                               state.is_certified() ? values.remark : state.uncertain);
    verdict.points = 1;
    verdict.digits = 12;
    return everywhere(std::move(verdict));
  }
  CertifiedQuantities quantities(algebra_, quantities_, state, {});
  bool looked_exactly = false;
  for (long bits = least_state_bits; bits <= most_state_bits; bits *= 2) {
    const auto determinant = quantities.determinant(bits);
    if (!quantities.failure().empty()) return of_grade(Grade::unknown, quantities.failure());
    if (!determinant && quantities.find_regular(bits)) {
      detail = "the relations determine the motion, where the masses are singular or next to it";
      return everywhere(of_grade(Grade::proved));
    }
    if (determinant && !determinant->contains_zero()) {
      detail = fmt::format("det r = {:.15g}", determinant->mid());
      return everywhere(of_grade(Grade::proved));
    }
    if (looked_exactly) continue;
    looked_exactly = true;
    const auto exact = exact_values(algebra_, state);
    if (!exact) continue;
    const ExactMotion::Status status = solve_exact_motion(algebra_, motion_, *exact).status;
    if (status == ExactMotion::Status::open || status == ExactMotion::Status::impossible) {
      detail = determinant ? "det r = 0" : "masses and relations together are singular";
      return unless_chosen(claim, state, of_grade(Grade::refuted));
    }
  }
  return of_grade(Grade::unknown, "it is not decided whether det r is zero at this state");
}

Verdict ClaimChecker::independent_at(const Claim& claim, std::string& detail) {
  const CertifiedState state = certify_state(algebra_, motion_, claim);
  if (!state.problem.empty()) return of_grade(Grade::unknown, state.problem);
  if (!state.is_certified()) return of_grade(Grade::unknown, state.uncertain);
  if (const std::string problem = problem_of_domain(algebra_, motion_, state); !problem.empty())
    return of_grade(Grade::unknown, problem);
  const auto part = named(claim.constraints);
  Matrix gradients(algebra_.pool(), motion_.space.size(), part.size());
  for (std::size_t h = 0; h < part.size(); ++h) {
    for (std::size_t a = 0; a < motion_.space.size(); ++a) gradients(a, h) = part[h]->gradient[a];
  }
  switch (has_independent_columns(algebra_, state, gradients)) {
    case FullRank::yes: {
      const StateDoubt doubt = choice_at(claim, state);
      return unless_it_fails_elsewhere(
          beside_doubt(of_grade(Grade::proved), doubt), doubt,
          states_elsewhere(motion_, claim, state, doubt, Expr()),
          [&](const DoublePoint& point) { return seem_independent(gradients, point); });
    }
    case FullRank::no:
      detail = fmt::format("the rank is less than {} at this state", part.size());
      return unless_chosen(claim, state, of_grade(Grade::refuted));
    case FullRank::unknown: break;
  }
  return of_grade(Grade::unknown, "the rank at this state is not decided");
}

/// Each equation holds at the state, and together with the relations they leave no other accelerations there.
Verdict ClaimChecker::equations_at(const Claim& claim, std::string& detail) {
  Verdict weakest = of_grade(Grade::proved);
  std::vector<Expr> unknowns;
  for (Expr parameter : motion_.space.parameters) unknowns.push_back(acceleration_symbol(parameter));
  for (const auto& [left, right] : claim.equations) {
    Verdict verdict = equality_at(claim, left, right, detail);
    if (!verdict.holds()) {
      detail = fmt::format("{} == {} does not hold at this state", to_infix(left), to_infix(right));
      return verdict;
    }
    weakest = conjunction(std::move(weakest), std::move(verdict));
    for (const ConstraintField& constraint : motion_.constraints) {
      const bool named = std::find(unknowns.begin(), unknowns.end(), constraint.factor) != unknowns.end();
      if (!named && depends_on(left - right, constraint.factor)) unknowns.push_back(constraint.factor);
    }
  }
  detail.clear();
  const System& system = *motion_.space.system;
  Substitution chart;  // x'' where the parameters are others
  for (std::size_t i = 0; i < motion_.space.size(); ++i) {
    const Expr symbol = acceleration_symbol(system.directions[i].velocity);
    if (std::find(unknowns.begin(), unknowns.end(), symbol) == unknowns.end())
      chart.emplace(symbol, time_derivative(system, motion_.space.velocities[i]));
  }
  Matrix matrix(algebra_.pool(), claim.equations.size() + motion_.relation_count, unknowns.size());
  for (std::size_t row = 0; row < claim.equations.size(); ++row) {
    const Expr equation = substitute(claim.equations[row].first - claim.equations[row].second, chart);
    const std::vector<Expr> slopes = gradient(motion_.space.in_parameters(equation), unknowns);
    std::copy(slopes.begin(), slopes.end(), &matrix(row, 0));
  }
  for (std::size_t k = 0; k < motion_.relation_count; ++k) {
    const std::vector<Expr>& slopes = motion_.constraints[k].gradient;
    std::copy(slopes.begin(), slopes.end(), &matrix(claim.equations.size() + k, 0));
  }
  const std::vector<Expr> used = symbols_in(matrix.entries);
  for (Expr unknown : unknowns) {
    if (std::find(used.begin(), used.end(), unknown) != used.end())
      return of_grade(Grade::unknown, "the equations are not linear in the accelerations and the factors");
  }
  const CertifiedState state = certify_state(algebra_, motion_, claim);
  if (!state.is_certified()) return of_grade(Grade::unknown, state.uncertain);
  if (has_independent_columns(algebra_, state, matrix) == FullRank::yes) {
    const StateDoubt doubt = choice_at(claim, state);
    return unless_it_fails_elsewhere(
        std::move(weakest), doubt, states_elsewhere(motion_, claim, state, doubt, Expr()),
        [&](const DoublePoint& point) { return seem_independent(matrix, point); });
  }
  return of_grade(Grade::unknown,
                  "whether the equations determine the accelerations at this state is not decided");
}

}  // namespace liaison
