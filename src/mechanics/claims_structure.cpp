#include <fmt/format.h>

#include <algorithm>

#include "liaison/algebra/switching.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"
#include "regular_points.hpp"
#include "witness_state.hpp"

namespace liaison {

namespace {

/// A verdict on what rests on a zero that was only checked is no better known than that.
Verdict as_well_known_as(Grade grade, Verdict verdict) {
  if (grade == Grade::proved) return verdict;
  if (verdict.is_proved()) verdict.grade = Grade::checked;
  if (verdict.is_refuted()) verdict = Verdict::of(Grade::unknown, "it rests on a zero that was only checked");
  return verdict;
}

/// x''*(x'' - c) of x''^2 - c*x'': the symbol that all terms of a sum have stands in front, where what is
/// left has a value without it. However small c is, its solution is not lost beside the other one.
Expr with_common_symbol(Algebra& algebra, Expr sum) {
  if (!sum.is(Op::add)) return sum;
  for (Expr symbol : symbols_in(sum)) {
    const Substitution none{{symbol, algebra.pool().number(0)}};
    std::vector<Expr> left;
    try {
      if (!substitute(sum, none).is_zero()) continue;
      for (Expr term : sum.args()) left.push_back(term / symbol);
      substitute(left, none);
    } catch (const Error&) {  // a root or a quotient: no polynomial in the symbol
      continue;
    }
    return symbol * algebra.pool().add(left);
  }
  return sum;
}

/// With the same zeros, factor by factor: 10^9 of x''^2 = 10^9*x'' is far from where one would look.
Expr as_product(Algebra& algebra, Expr equation) {
  std::vector<Expr> bases;
  for (const SignProduct::Factor& factor : sign_product(algebra, equation).factors)
    bases.push_back(factor.base);
  return bases.size() > 1 ? algebra.pool().mul(bases) : with_common_symbol(algebra, equation);
}

/// The determinant where it is for reading, with the kind where that is known.
std::string determinant_in_words(const Motion& motion, bool is_regular) {
  constexpr std::size_t short_enough = 40;
  const bool is_short = count_written_operations(motion.determinant) <= short_enough;
  const std::string value = is_short ? "det r = " + to_infix(motion.determinant) : "";
  if (!is_regular) return value;
  return in_words(MotionKind::regular) + (value.empty() ? "" : ": ") + value;
}

/// Without constraints the mass matrix decides alone; what its inverse divides by is in the conditions.
Verdict has_regular_mass(Algebra& algebra, const Motion& motion, const Region& states, std::string& detail) {
  if (motion.status == FactorStatus::singular_mass) {
    const Expr zero = algebra.pool().number(0);
    const Verdict there_is_one = algebra.are_equal(zero, zero, states);
    if (!there_is_one.holds()) return there_is_one;
    detail = in_words(MotionKind::undetermined) + ": the mass matrix is singular";
    return as_well_known_as(motion.grade, Verdict::of(Grade::refuted));
  }
  if (!motion.closed_form) return is_regular_at_points(algebra, motion);
  const Expr divisor = algebra.pool().mul(motion.conditions);
  Verdict regular = as_well_known_as(motion.grade, algebra.vanishes_on_no_component(divisor, states));
  if (regular.holds()) detail = in_words(MotionKind::regular) + ": there are no constraints";
  return regular;
}

/// The determinant of masses, directions and gradients together, det M * det r: accelerations and factors are
/// determined where it does not vanish. det r alone has cancelled masses that vanish on the states.
DeterminantResult determinant_of_motion(Algebra& algebra, const Motion& motion) {
  DeterminantResult mass = determinant(algebra, motion.free.mass);
  return {algebra.readable(mass.value * motion.determinant), weaker(mass.grade, motion.grade)};
}

/// The gradients of relations have values on every component of the states. What is known of x'^2 + y'^2 is
/// not known of its root, whose gradient has no value at rest.
Verdict have_values(Algebra& algebra, const Motion& motion, const std::vector<const ConstraintField*>& part,
                    const Region& states, bool with_directions) {
  std::vector<Expr> entries;
  for (const ConstraintField* field : part) {
    entries.insert(entries.end(), field->gradient.begin(), field->gradient.end());
    if (with_directions) entries.insert(entries.end(), field->direction.begin(), field->direction.end());
  }
  const Domain& domain = motion.space.system->domain;
  Verdict whole = Verdict::of(Grade::proved);
  for (const Requirement& requirement : natural_domain(entries)) {
    const bool is_told = std::find(domain.begin(), domain.end(), requirement) != domain.end();
    if (is_told || requirement.bound == Bound::nonnegative) continue;
    Verdict verdict = algebra.vanishes_on_no_component(requirement.e, states);
    if (verdict.is_refuted())
      return Verdict::of(Grade::unknown, "the gradient of a relation has no value at any state: it needs " +
                                             to_infix(Domain{requirement}));
    whole = conjunction(std::move(whole), std::move(verdict));
  }
  return whole;
}

}  // namespace

/// A state, at which what vanishes at all of them does.
std::optional<Witness> ClaimChecker::state_of(const Region& states) {
  auto witness = point_of(states);
  if (!witness) return witness;
  witness->left = witness->right = Ball();
  if (witness->point.empty()) {  // nothing is asked of a state: any values will do
    for (const ScalarCoordinate& coordinate : motion_.space.coframe->scalar_coordinates()) {
      if (coordinate.symbol != motion_.space.system->time)
        witness->point.emplace_back(coordinate.symbol, Rational(1));
    }
    complete_witness(motion_, *witness);
  }
  return witness;
}

std::vector<const ConstraintField*> ClaimChecker::named(const std::vector<std::string>& names) const {
  std::vector<const ConstraintField*> result;
  for (std::size_t h = 0; h < motion_.relation_count; ++h) {
    const ConstraintField& constraint = motion_.constraints[h];
    const bool is_named =
        names.empty() || std::find(names.begin(), names.end(), constraint.name) != names.end();
    if (is_named) result.push_back(&constraint);
  }
  return result;
}

/// det M * det r is not zero on any component of the states (row G3.II-compat). Where it is, what engineers
/// call it.
Verdict ClaimChecker::compatible(std::string& detail) {
  const Region states = states_of(motion_);
  const Expr zero = algebra_.pool().number(0);
  if (motion_.constraints.empty()) return has_regular_mass(algebra_, motion_, states, detail);
  const bool has_determinant = motion_.closed_form && motion_.status != FactorStatus::implicit &&
                               motion_.constraints.size() == motion_.relation_count;
  const bool has_too_many = motion_.relation_count > motion_.space.size();  // r has not their rank
  bool is_of_masses = false;
  if (has_determinant && !has_too_many) {
    Verdict valued = have_values(algebra_, motion_, named({}), states, true);
    if (!valued.holds()) return valued;
    const DeterminantResult whole = determinant_of_motion(algebra_, motion_);
    Verdict regular = as_well_known_as(whole.grade, algebra_.vanishes_on_no_component(whole.value, states));
    detail = determinant_in_words(motion_, regular.holds());
    if (!regular.is_refuted()) return conjunction(std::move(regular), std::move(valued));
    is_of_masses = !algebra_.vanishes_on_no_component(motion_.determinant, states).is_refuted();
  }
  Region motions = motions_of(algebra_, motion_);
  Verdict exists = algebra_.are_equal(zero, zero, motions);
  if (!has_determinant && !has_too_many && motion_.status != FactorStatus::undetermined &&
      motion_.status != FactorStatus::incompatible) {
    if (!exists.holds()) return Verdict::of(Grade::unknown, "no motion could be certified: " + exists.reason);
    if (motion_.constraints.size() != motion_.relation_count)
      return Verdict::of(Grade::unknown, fmt::format("{} factors, {} relations", motion_.constraints.size(),
                                                     motion_.relation_count));
    return is_regular_at_points(algebra_, motion_);
  }
  Verdict refuted = algebra_.are_equal(zero, zero, states);  // there must be a state to speak of
  if (!refuted.holds()) return refuted;
  refuted = Verdict::of(Grade::refuted);
  if (auto witness = state_of(states)) refuted.witness = std::move(*witness);
  if (!has_too_many) refuted = as_well_known_as(motion_.grade, std::move(refuted));
  const std::string kind = describe_kind(motion_), regular = in_words(MotionKind::regular);
  if (exists.grade == Grade::empty) {
    detail = motion_.status == FactorStatus::incompatible
                 ? kind
                 : in_words(MotionKind::contradictory) + ": no state has a motion";
  } else if (is_of_masses) {
    detail = (exists.holds() ? in_words(MotionKind::undetermined) + ": " : "") +
             "the mass matrix is singular on the states";
  } else {
    detail = exists.holds() && !kind.empty() && kind != regular ? kind
             : has_too_many ? fmt::format("{} relations between {} velocities: det r = 0 at every state",
                                          motion_.relation_count, motion_.space.size())
                            : "det r = 0 on the states";
  }
  return refuted;
}

/// The Gram determinant of the gradients vanishes where their rank is lost, and nowhere else.
Verdict ClaimChecker::independent(const Claim& claim, std::string& detail) {
  const auto part = named(claim.constraints);
  Matrix gradients(algebra_.pool(), part.size(), motion_.space.size());
  for (std::size_t h = 0; h < part.size(); ++h) {
    for (std::size_t a = 0; a < motion_.space.size(); ++a) gradients(h, a) = part[h]->gradient[a];
  }
  const Region states = states_of(motion_);
  if (part.empty()) return algebra_.are_equal(algebra_.pool().number(0), algebra_.pool().number(0), states);
  Verdict valued = have_values(algebra_, motion_, part, states, false);
  if (!valued.holds()) return valued;
  const DeterminantResult gram = determinant(algebra_, gradients * transpose(gradients));
  Verdict verdict = algebra_.vanishes_on_no_component(gram.value, states);
  if (verdict.is_refuted()) {
    detail = fmt::format("the gradients of these {} relations are dependent on the states", part.size());
    verdict.reason.clear();
    if (auto witness = state_of(states)) verdict.witness = std::move(*witness);
  } else {
    verdict = conjunction(std::move(verdict), std::move(valued));
  }
  return as_well_known_as(gram.grade, std::move(verdict));
}

/// The rows c . u' + rest = 0 of what was written and of the differentiated relations, where all are linear
/// in the accelerations and free of factors.
std::optional<Matrix> ClaimChecker::acceleration_rows(const std::vector<Expr>& written) const {
  std::vector<Expr> accelerations;
  for (Expr parameter : motion_.space.parameters) accelerations.push_back(acceleration_symbol(parameter));
  const std::size_t n = accelerations.size(), rows = written.size() + motion_.relation_count;
  Matrix result(algebra_.pool(), rows, n);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<Expr> row;
    if (i < written.size()) {
      const auto linear = linear_coefficients(written[i], accelerations);
      if (!linear || quantities_.mentions_factors(written[i])) return std::nullopt;
      row = linear->coefficients;
    } else {
      row = motion_.constraints[i - written.size()].gradient;
    }
    for (std::size_t a = 0; a < n; ++a) result(i, a) = row[a];
  }
  return result;
}

/// Linear equations leave no other accelerations where the Gram determinant of their columns does not vanish.
Verdict ClaimChecker::determines_accelerations(const Matrix& rows, const Region& states) {
  if (rows.rows < rows.columns) return Verdict::of(Grade::refuted);
  const Matrix square = rows.rows == rows.columns ? rows : transpose(rows) * rows;
  const DeterminantResult found = determinant(algebra_, square);
  Verdict verdict = algebra_.vanishes_on_no_component(found.value, states);
  return as_well_known_as(found.grade, std::move(verdict));
}

/// Equivalent to the motion: each equation holds on it, and together with the relations they leave no other
/// accelerations.
Verdict ClaimChecker::equations(const Claim& claim, std::string& detail) {
  Verdict whole = Verdict::of(Grade::proved);
  const Region states = with_text(states_of(motion_), claim);
  std::vector<Expr> written;
  for (std::size_t i = 0; i < claim.equations.size(); ++i) {
    const auto& [left, right] = claim.equations[i];
    Verdict verdict = equality(left, right, claim);
    if (!verdict.holds()) {
      const char* how = verdict.is_refuted() ? "does not hold on the motion" : "is not decided";
      detail = fmt::format("equation {} {}: {} == {}", i + 1, how, to_infix(left), to_infix(right));
      return verdict;
    }
    whole = conjunction(std::move(whole), std::move(verdict));
    const auto difference = quantities_.in_motion_variables(left - right);
    if (!difference) return Verdict::of(Grade::unknown, quantities_.reason());
    written.push_back(*difference);
  }
  if (const auto rows = acceleration_rows(written)) {
    Verdict verdict = determines_accelerations(*rows, states);
    if (verdict.is_refuted()) {
      detail = "the equations leave accelerations open";
      auto witness = state_of(states);
      if (!witness) return Verdict::of(Grade::unknown, "no state was found to speak of");
      verdict.reason.clear();
      verdict.witness = std::move(*witness);
    }
    if (!verdict.is_refuted() && !verdict.holds())
      detail = "it is not decided whether the equations leave accelerations open";
    return conjunction(std::move(whole), std::move(verdict));
  }
  return conjunction(std::move(whole), leaves_no_other_motion(written, states, detail));
}

/// Equations of any kind: every solution of them has the accelerations of the motion.
Verdict ClaimChecker::leaves_no_other_motion(const std::vector<Expr>& written, Region region,
                                             std::string& detail) {
  if (motion_.acceleration.empty() || motion_.grade != Grade::proved)
    return Verdict::of(Grade::unknown, "there is no closed form of the accelerations to compare with");
  for (Expr equation : written) region.equations.push_back(as_product(algebra_, equation));
  region.assumed = motion_.conditions;
  for (std::size_t h = 0; h < motion_.relation_count; ++h) {
    std::vector<Expr> terms{motion_.constraints[h].bias};
    for (std::size_t a = 0; a < motion_.space.size(); ++a)
      terms.push_back(motion_.constraints[h].gradient[a] * acceleration_symbol(motion_.space.parameters[a]));
    region.equations.push_back(algebra_.pool().add(terms));
  }
  Verdict whole = Verdict::of(Grade::proved);
  for (std::size_t a = 0; a < motion_.space.size(); ++a) {
    const Expr symbol = acceleration_symbol(motion_.space.parameters[a]);
    Verdict verdict = algebra_.are_equal(symbol, motion_.acceleration[a], region);
    if (verdict.is_refuted())
      detail = fmt::format("the equations allow another {} than the motion has", to_infix(symbol));
    if (!verdict.is_refuted() && !verdict.holds())
      detail = fmt::format("it is not decided whether the equations allow another {}", to_infix(symbol));
    whole = conjunction(std::move(whole), std::move(verdict));
    if (!whole.holds()) return whole;
  }
  return whole;
}

}  // namespace liaison
