#include <gtest/gtest.h>

#include "expr/work.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/own_budget.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {
namespace {

class LimitsTest : public ::testing::Test {
 protected:
  Expr e(std::string_view text) { return parse(pool, text); }
  Expr sum(std::string_view name, int count) {
    std::vector<Expr> terms;
    for (int i = 1; i <= count; ++i) terms.push_back(pool.symbol(std::string(name) + std::to_string(i)));
    return pool.add(terms);
  }
  /// Keeps the value and says why; a test that hangs is ended by its time limit.
  void expect_refused(Algebra& limited, Expr input, std::string_view reason) {
    const Canonical result = limited.canonical(input);
    EXPECT_FALSE(result.complete) << to_infix(input);
    EXPECT_EQ(result.value, input);
    EXPECT_NE(result.reason.find(reason), std::string::npos) << result.reason;
    EXPECT_EQ(limited.readable(input), input);
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(LimitsTest, a_high_power_of_a_long_sum_is_left_alone) {
  expect_refused(algebra, pow(sum("x", 6), 1000), "the power 1000 of a sum of 6 terms is beyond the limit");
  expect_refused(algebra, pow(sum("x", 30), 100), "is beyond the limit");
  expect_refused(algebra, pow(sum("x", 6), -1000), "is beyond the limit");
}

TEST_F(LimitsTest, divisors_of_high_degree_are_left_alone) {
  const Expr a = e("x^(14001/1000)*y^7 + x^(12001/1000)*y^(2001/1000) + 3*x*y^(7001/1000) + 1");
  const Expr b = e("x^15*y^3 + x^(7001/1000)*y^2 + 5*x^(31/1000)*y^(5001/1000) + 2");
  const Expr c = e("x^(11001/1000)*y + 7*y^(4001/1000)*x^(1/1000) + 1");
  const Canonical result = algebra.canonical(pow(a * c, -1) + pow(b * c, -1));
  EXPECT_FALSE(result.complete);
  EXPECT_NE(result.reason.find("one step would take more than"), std::string::npos) << result.reason;
}

TEST_F(LimitsTest, a_high_multiple_of_an_angle_is_left_alone) {
  expect_refused(algebra, e("sin(100000*x)"), "a large multiple of an angle or exponent");
  expect_refused(algebra, e("sin(x) + sin(100000*x)"), "is beyond the limit");
  expect_refused(algebra, e("sin(10^30*x)"), "an exponent is beyond the limit");
  expect_refused(algebra, e("sin(x) + cos(x/1000003)"), "an angle or exponent has too large a denominator");
}

TEST_F(LimitsTest, a_long_sum_of_angles_is_left_alone) {
  expect_refused(algebra, sin(sum("x", 30)), "a polynomial has more than 400000 terms");
}

TEST_F(LimitsTest, a_product_of_long_sums_is_left_alone) {
  Expr product = pool.number(1);
  for (int i = 0; i < 8; ++i) product *= sum("x" + std::to_string(i) + "_", 30);
  expect_refused(algebra, product, "a polynomial has more than");
}

TEST_F(LimitsTest, a_verdict_beyond_the_limits_is_checked_or_refuted) {
  const Verdict same =
      algebra.are_equal(pow(sum("x", 6), 1000), pow(sum("x", 6), 500) * pow(sum("x", 6), 500));
  EXPECT_TRUE(same.is_proved());  // light canonical form sees it
  const Verdict hidden = algebra.are_equal(pow(e("x*(x + y + z + u + v + w)"), 300),
                                           pow(e("x^2 + x*y + x*z + x*u + x*v + x*w"), 300));
  EXPECT_EQ(hidden.grade, Grade::checked) << describe(hidden);
  EXPECT_TRUE(algebra.are_equal(e("sin(100000*x)"), e("2*sin(50000*x)*cos(50000*x)")).holds());
  EXPECT_TRUE(algebra.are_equal(e("sin(100000*x)"), e("sin(50000*x)*cos(50000*x)")).is_refuted());
}

TEST_F(LimitsTest, the_limit_of_operations_ends_a_computation) {
  Algebra hasty(pool, {.max_operations = 10});
  EXPECT_FALSE(hasty.canonical(e("(x + y)^20/(x - z)^3 + sin(x + y + z)")).complete);
  EXPECT_TRUE(hasty.are_equal(e("(x + y)^20"), e("(x + y)^19*(x - y)")).is_refuted());
}

TEST_F(LimitsTest, one_budget_serves_the_calls_of_a_scope) {
  const BudgetScope scope(algebra, 3'000'000);
  EXPECT_TRUE(algebra.canonical(e("(x + y)^20/(x - z)^3")).complete);
  const std::uint64_t first = scope.spent();
  EXPECT_GT(first, 0U);
  EXPECT_FALSE(scope.is_exhausted());
  const Canonical long_one = algebra.canonical(e("(x + y + z + u + v + w + s)^12*(x - y + z - u)^7"));
  EXPECT_FALSE(long_one.complete);
  EXPECT_NE(long_one.reason.find("operations"), std::string::npos) << long_one.reason;
  EXPECT_TRUE(scope.is_exhausted());
  EXPECT_FALSE(algebra.canonical(e("(x + 1)^2/(x - z)")).complete);
}

TEST_F(LimitsTest, an_inner_scope_takes_from_the_outer_one) {
  const BudgetScope outer(algebra, 1'000'000);
  {
    const BudgetScope inner(algebra, 2'000'000);
    algebra.canonical(e("(x + y)^20/(x - z)^3"));
    EXPECT_GT(inner.spent(), 0U);
  }
  EXPECT_GT(outer.spent(), 0U);
  EXPECT_FALSE(outer.is_exhausted());
}

TEST_F(LimitsTest, an_inner_scope_has_no_exact_work_that_the_outer_one_keeps_for_points) {
  const BudgetScope outer(algebra, 3'000'000);
  EXPECT_FALSE(algebra.canonical(e("(x + y + z + u + v + w + s)^12*(x - y + z - u)^7")).complete);
  EXPECT_TRUE(outer.is_exhausted());
  const BudgetScope inner(algebra, 3'000'000);
  EXPECT_FALSE(algebra.canonical(e("(x + 1)^2/(x - z)")).complete);
  EXPECT_TRUE(algebra.are_equal(e("x*y + z"), e("x*y - z")).is_refuted());
}

TEST_F(LimitsTest, what_was_cut_short_is_computed_again_with_a_new_budget) {
  const Expr input = e("(x + y)^20/(x - z)^3 + sin(x + y + z)");
  {
    const BudgetScope scope(algebra, 100);
    EXPECT_FALSE(algebra.canonical(input).complete);
    EXPECT_EQ(algebra.readable(input), input);
  }
  EXPECT_TRUE(algebra.canonical(input).complete);
}

TEST_F(LimitsTest, points_are_charged_to_a_scope_too) {
  const Expr x = e("x*y + z"), y = e("x*y - z");
  {
    const BudgetScope scope(algebra, 10);
    const Verdict verdict = algebra.are_equal(x, y);
    EXPECT_EQ(verdict.grade, Grade::unknown) << describe(verdict);
    EXPECT_NE(verdict.reason.find("the limit of operations was reached"), std::string::npos)
        << verdict.reason;
  }
  const BudgetScope scope(algebra, 1'000'000);
  EXPECT_TRUE(algebra.are_equal(x, y).is_refuted());
}

TEST_F(LimitsTest, exact_work_leaves_the_points_their_share) {
  const Expr power = pow(e("x*(x + y + z + u + v + w)"), 30),
             same = pow(e("x^2 + x*y + x*z + x*u + x*v + x*w"), 30);
  const BudgetScope scope(algebra, 1'000'000);
  const Verdict verdict = algebra.are_equal(power, same);
  EXPECT_EQ(verdict.grade, Grade::checked) << describe(verdict);
}

TEST_F(LimitsTest, points_and_exact_work_share_one_budget) {
  const BudgetScope scope(algebra, 1'000'000);
  for (int i = 0; i < 10'000 && !scope.is_exhausted(); ++i) algebra.are_equal(e("x*y + z"), e("x*y - z"));
  EXPECT_TRUE(scope.is_exhausted());
  EXPECT_FALSE(algebra.canonical(e("(x + y)^20/(x - z)^3")).complete);
}

TEST_F(LimitsTest, an_interrupt_ends_exact_work) {
  std::atomic<bool> stop = true;
  Algebra stopped(pool, {.interrupt = &stop});
  expect_refused(stopped, e("(x + y)^20/(x - z)^3"), "interrupted");
  stop = false;
  EXPECT_TRUE(stopped.canonical(e("(x + y)^20/(x - z)^3")).complete);
}

TEST_F(LimitsTest, a_factorisation_that_may_take_minutes_is_refused) {
  EXPECT_EQ(algebra.readable(e("x^720 - 1")), e("x^720 - 1"));
  EXPECT_FALSE(algebra.canonical(e("sqrt(x^5040 - 1)")).value.empty());
}

TEST_F(LimitsTest, a_power_with_long_coefficients_is_refused) {
  expect_refused(algebra, pow(e("3*x + 2*y"), 300'000), "is beyond the limit");
}

TEST_F(LimitsTest, the_term_limit_ends_a_computation) {
  Algebra small(pool, {.max_terms = 10});
  const Canonical result = small.canonical(e("(x + y)^20"));
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.value, e("(x + y)^20"));
}

TEST_F(LimitsTest, many_generators_are_refused) {
  expect_refused(algebra, pow(sum("x", 3000), 2), "an expression has more than 2000 generators");
}

TEST_F(LimitsTest, deep_nesting_ends_in_an_answer) {
  Expr continued = e("x");
  for (int i = 0; i < 2000; ++i) continued = Rational(1) / (Rational(1) + continued);
  EXPECT_TRUE(algebra.canonical(continued).complete);
  // Each level doubles the terms of the one inside: the levels share one limit of operations.
  Algebra hasty(pool, {.max_operations = 10'000'000});
  Expr nested = e("x");
  for (int i = 0; i < 100; ++i) nested = sin(nested + e("y"));
  EXPECT_FALSE(hasty.canonical(nested).complete);
}

/// The derivatives of a product of n sums are n times as long as it is, and no point is found.
TEST_F(LimitsTest, a_search_for_points_takes_what_the_budget_allows) {
  constexpr std::uint64_t operations = 400'000;
  std::vector<Expr> factors, symbols;
  for (int i = 0; i < 40; ++i) symbols.push_back(pool.symbol("x" + std::to_string(i)));
  for (std::size_t i = 0; i < symbols.size(); ++i)
    factors.push_back(sin(symbols[i]) * symbols[(i + 7) % symbols.size()] +
                      pow(symbols[(i + 1) % symbols.size()], 2) + 3);
  const Region region{.equations = {exp(pool.mul(factors)) + 1}, .domain = {}, .assumed = {}};
  const std::uint64_t before = work_done();
  {
    const BudgetScope scope(algebra, operations);
    PointFinder finder(algebra, region, symbols, {.tries = 1'000});
    EXPECT_FALSE(finder.next());
    EXPECT_EQ(finder.failure(), "the limit of operations was reached");
    PointFinder late(algebra, region, symbols, {.tries = 1'000});
    EXPECT_FALSE(late.next());
    EXPECT_TRUE(late.covered().empty());
  }
  EXPECT_LT(work_done() - before, 2 * operations);
}

TEST_F(LimitsTest, what_is_kept_for_many_claims_has_a_budget_of_its_own) {
  const BudgetScope claim(algebra, 100);
  EXPECT_FALSE(algebra.canonical(e("(x + y)^20/(x - z)^3")).complete);
  {
    const OwnBudget own(algebra, 10'000'000);
    EXPECT_TRUE(algebra.canonical(e("(x + y)^20/(x - z)^3")).complete);
  }
  EXPECT_FALSE(algebra.canonical(e("(x + y)^21/(x - z)^3")).complete);
  EXPECT_TRUE(claim.is_exhausted());
}

}  // namespace
}  // namespace liaison
