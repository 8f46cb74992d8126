#include <gtest/gtest.h>

#include "algebra/identities.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {
namespace {

class ReadableTest : public ::testing::Test {
 protected:
  ReadableTest() {
    pool.function("f", 1);
    pool.function("g", 2);
  }
  Expr e(std::string_view text) { return parse(pool, text); }
  void expect_reads(std::string_view given, std::string_view expected) {
    EXPECT_EQ(algebra.readable(e(given)), e(expected))
        << given << " reads " << to_infix(algebra.readable(e(given)));
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(ReadableTest, the_circle_relation_is_used_in_both_directions) {
  expect_reads("sin(x)^2 + cos(x)^2", "1");
  expect_reads("(M + m) - m*cos(x)^2", "M + m*sin(x)^2");
  expect_reads("(M + m) - m*sin(x)^2", "M + m*cos(x)^2");
  expect_reads("(1 - cos(x)^2)/sin(x)", "sin(x)");
  expect_reads("sin(x)/(1 - cos(x)^2)", "1/sin(x)");
  expect_reads("(1 - sin(x))/cos(x)^2", "1/(1 + sin(x))");
  expect_reads("tan(x)*cos(x)", "sin(x)");
}

/// Counted, not timed: each form that is tried is written once. Before, this took 20,400 operations.
TEST_F(ReadableTest, few_operations_are_enough_for_a_short_form) {
  Algebra frugal{pool, {.max_operations = 10'000}};
  EXPECT_EQ(
      frugal.readable(e("l1*m2*v^2*sin(a)*cos(b) - l1*m2*v^2*cos(a)*sin(b) + m1*k*sin(a) + m2*k*sin(a)")),
      e("m2*l1*v^2*sin(a - b) + k*(m1 + m2)*sin(a)"));
}

TEST_F(ReadableTest, angles_are_gathered) {
  expect_reads("m*l^2*cos(q1)*cos(q2) + m*l^2*sin(q1)*sin(q2)", "m*l^2*cos(q1 - q2)");
  expect_reads("sin(q1)*cos(q2) - cos(q1)*sin(q2)", "sin(q1 - q2)");
  expect_reads("cos(x)^2 - sin(x)^2", "cos(2*x)");
  expect_reads("2*sin(x)*cos(x)", "sin(2*x)");
  expect_reads("cos(x)*cos(y)*cos(z) - sin(x)*sin(y)*cos(z) - sin(x)*cos(y)*sin(z) - cos(x)*sin(y)*sin(z)",
               "cos(x + y + z)");
  expect_reads("a*cos(x)*cos(y) + a*sin(x)*sin(y) + b*cos(x)^2", "a*cos(x - y) + b*cos(x)^2");
}

TEST_F(ReadableTest, common_factors_are_taken_out) {
  expect_reads("(x^2 - y^2)/(x - y)", "x + y");
  expect_reads("x^2 + 2*x*y + y^2", "(x + y)^2");
  expect_reads("m1*l^2 + m2*l^2 + m2*l^2*cos(x)", "l^2*(m1 + m2 + m2*cos(x))");
  expect_reads("a/(b*sin(x)) + c/(b*sin(x))", "(a + c)/(b*sin(x))");
  expect_reads("x/y + z/y", "(x + z)/y");
}

TEST_F(ReadableTest, what_is_short_stays) {
  for (const char* text :
       {"1/(1 + cos(x))", "x", "-x", "2/3", "sin(x)", "1/sin(x)", "x/y", "(x + y)^10", "tan(x)",
        "sqrt(x^2 + y^2)", "exp(-x)*y", "m*g0*l*sin(theta)", "f(x)*g(x, y)", "cos(x/2)^2"}) {
    expect_reads(text, text);
  }
}

TEST_F(ReadableTest, a_kinetic_energy_reads_as_in_a_book) {
  expect_reads(
      "m1*l1^2*w1^2/2 + m2*(l1*w1*cos(q1) + l2*w2*cos(q2))^2/2 + m2*(l1*w1*sin(q1) + l2*w2*sin(q2))^2/2",
      "(m1 + m2)*l1^2*w1^2/2 + m2*l2^2*w2^2/2 + m2*l1*l2*w1*w2*cos(q1 - q2)");
}

TEST_F(ReadableTest, arguments_are_made_readable_too) {
  expect_reads("sqrt(M + m - m*cos(x)^2)", "sqrt(M + m*sin(x)^2)");
  expect_reads("f(sin(x)^2 + cos(x)^2 + y - 1)", "f(y)");
}

TEST_F(ReadableTest, no_new_division_by_zero_comes_in) {
  // (1 - sin(x))/cos(x)^2 would have no value where cos(x) = 0 and sin(x) = 1
  const Expr result = algebra.readable(e("(y + sin(x) - sin(x))/(1 + sin(x))"));
  EXPECT_NEAR(evaluate(result, {{e("x"), 1.5707963267948966}, {e("y"), 1.0}}), 0.5, 1e-12);
}

TEST_F(ReadableTest, a_readable_form_is_equal_and_never_longer) {
  const auto check = [&](std::string_view text) {
    const Expr given = e(text), result = algebra.readable(given);
    EXPECT_TRUE(algebra.are_equal(given, result).holds()) << text << " reads " << to_infix(result);
    EXPECT_LE(count_written_operations(result), count_written_operations(given) + 1) << to_infix(result);
    EXPECT_EQ(algebra.readable(result), result) << text;
  };
  for (const auto& [left, right, wrong] : test::rational_trigonometric_identities)
    check(left), check(right), check(wrong);
  for (const auto& [left, right, wrong] : test::other_complete_identities)
    check(left), check(right), check(wrong);
  for (const auto& [left, right, wrong] : test::identities_with_roots)
    check(left), check(right), check(wrong);
}

}  // namespace
}  // namespace liaison
