#include "broken_verdicts.hpp"

#include "liaison/expr/coefficients.hpp"

namespace liaison::test {

namespace {

using Decision = std::function<Verdict(Algebra&, Expr, Expr, const Region&)>;

VerdictOperations decision_is(Decision broken) {
  VerdictOperations result;
  result.are_equal = std::move(broken);
  return result;
}

VerdictOperations negation_is(std::function<Verdict(Verdict)> broken) {
  VerdictOperations result;
  result.negation = std::move(broken);
  return result;
}

VerdictOperations conjunction_is(std::function<Verdict(Verdict, Verdict)> broken) {
  VerdictOperations result;
  result.conjunction = std::move(broken);
  return result;
}

/// x = 0 of x*y = 0: the other component is not looked at.
Verdict on_the_first_branch(Algebra& algebra, Expr a, Expr b, const Region& region) {
  Region branch = region;
  for (Expr& equation : branch.equations) {
    if (equation.is(Op::mul)) equation = equation.arg(0);
  }
  return algebra.are_equal(a, b, branch);
}

Verdict on_the_first_equation(Algebra& algebra, Expr a, Expr b, const Region& region) {
  Region part = region;
  part.equations.resize(1);
  return algebra.are_equal(a, b, part);
}

/// Equations with a large coefficient are left out.
Verdict below_a_threshold(Algebra& algebra, Expr a, Expr b, const Region& region) {
  Region part = region;
  std::erase_if(part.equations, [](Expr e) { return split_coefficient(e).first.to_double() > 1e9; });
  return algebra.are_equal(a, b, part);
}

/// The witness is moved off the region.
Verdict beside_the_point(Algebra& algebra, Expr a, Expr b, const Region& region) {
  Verdict verdict = algebra.are_equal(a, b, region);
  for (auto& [symbol, value] : verdict.witness.point) value = value + Rational(1);
  return verdict;
}

/// What was not refuted is called proved.
Verdict checked_is_proved(Algebra& algebra, Expr a, Expr b, const Region& region) {
  Verdict verdict = on_the_first_branch(algebra, a, b, region);
  if (!verdict.is_refuted()) verdict.grade = Grade::proved;
  return verdict;
}

Verdict unchanged(Verdict verdict) {
  return verdict;
}

/// The opposite of a check is a check.
Verdict certain_or_not(Verdict verdict) {
  if (verdict.grade != Grade::checked) return negation(std::move(verdict));
  verdict.grade = Grade::refuted;
  return verdict;
}

Verdict first_of(Verdict a, Verdict) {
  return a;
}

Verdict better_of(Verdict a, Verdict b) {
  return weakness(a.grade) < weakness(b.grade) ? a : b;
}

Verdict without_conditions(Verdict a, Verdict b) {
  Verdict both = conjunction(std::move(a), std::move(b));
  both.conditions.clear();
  return both;
}

}  // namespace

std::vector<VerdictMutant> verdict_mutants() {
  return {
      {"a_statement_and_its_negation_never_both_pass", "nothing_is_negated", negation_is(unchanged)},
      {"a_negation_is_never_better_known", "a_check_refutes_the_opposite", negation_is(certain_or_not)},
      {"conjunction_is_a_lattice", "the_first_wins", conjunction_is(first_of)},
      {"conjunction_is_a_lattice", "conditions_are_lost", conjunction_is(without_conditions)},
      {"a_conjunction_is_no_better_than_its_parts", "the_better_wins", conjunction_is(better_of)},
      {"a_conjunction_is_no_better_than_its_parts", "conditions_are_lost",
       conjunction_is(without_conditions)},
      {"what_is_proved_holds_at_other_points", "the_first_branch_is_taken", decision_is(on_the_first_branch)},
      {"what_is_proved_holds_at_other_points", "a_check_is_a_proof", decision_is(checked_is_proved)},
      {"what_is_refuted_fails_at_its_witness", "the_witness_is_beside_the_point",
       decision_is(beside_the_point)},
      {"what_is_refuted_fails_at_its_witness", "an_equation_is_forgotten",
       decision_is(on_the_first_equation)},
      {"scaling_an_equation_changes_nothing", "a_threshold_decides", decision_is(below_a_threshold)},
      {"the_order_of_equations_changes_nothing", "the_first_equation_decides",
       decision_is(on_the_first_equation)},
  };
}

}  // namespace liaison::test
