#include <gtest/gtest.h>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {
namespace {

class LimitsTest : public testing::Test {
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

TEST_F(LimitsTest, a_high_multiple_of_an_angle_is_left_alone) {
  expect_refused(algebra, e("sin(100000*x)"), "is beyond the limit");
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

TEST_F(LimitsTest, the_time_limit_ends_a_computation) {
  Algebra hasty(pool, {.max_seconds = 0});
  EXPECT_FALSE(hasty.canonical(e("(x + y)^20/(x - z)^3 + sin(x + y + z)")).complete);
  EXPECT_TRUE(hasty.are_equal(e("(x + y)^20"), e("(x + y)^19*(x - y)")).is_refuted());
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
  // Each level doubles the terms of the one inside: the levels share one limit of time.
  Algebra hasty(pool, {.max_seconds = 0.2});
  Expr nested = e("x");
  for (int i = 0; i < 100; ++i) nested = sin(nested + e("y"));
  EXPECT_FALSE(hasty.canonical(nested).complete);
}

}  // namespace
}  // namespace liaison
