#include <gtest/gtest.h>

#include "algebra/identities.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {
namespace {

class ZeroTest : public ::testing::Test {
 protected:
  ZeroTest() {
    pool.function("f", 1);
    pool.function("g", 2);
  }
  Expr e(std::string_view text) { return parse(pool, text); }
  Verdict equal(std::string_view left, std::string_view right) {
    return algebra.are_equal(e(left), e(right));
  }

  /// The point of a refutation is a point, and the values there are the values there.
  void expect_right_witness(const Verdict& verdict, std::string_view left, std::string_view right) {
    ASSERT_TRUE(verdict.is_refuted()) << left << " = " << right << ": " << describe(verdict);
    RationalPoint point;
    for (const auto& [symbol, value] : verdict.witness.point) {
      if (!symbol.is(Op::symbol)) return;  // an unknown function has no value of its own
      point.emplace(symbol, value);
    }
    EXPECT_FALSE(overlaps(verdict.witness.left, verdict.witness.right));
    const LongValue a = evaluate_digits(e(left), point, 30), b = evaluate_digits(e(right), point, 30);
    ASSERT_TRUE(a.value && b.value) << left << ", " << right;
    EXPECT_TRUE(overlaps(*a.value, verdict.witness.left)) << left << " at " << describe(verdict);
    EXPECT_TRUE(overlaps(*b.value, verdict.witness.right)) << right << " at " << describe(verdict);
  }
  void expect_proved_and_twin_refuted(std::span<const test::Identity> identities) {
    for (const auto& [left, right, wrong] : identities) {
      EXPECT_TRUE(equal(left, right).is_proved())
          << left << " = " << right << ": " << describe(equal(left, right));
      expect_right_witness(equal(left, wrong), left, wrong);
    }
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(ZeroTest, rational_trigonometric_identities_are_proved_and_their_twins_refuted) {
  expect_proved_and_twin_refuted(test::rational_trigonometric_identities);
}

TEST_F(ZeroTest, identities_with_exponentials_and_unknown_functions_are_proved_and_their_twins_refuted) {
  expect_proved_and_twin_refuted(test::other_complete_identities);
}

TEST_F(ZeroTest, roots_of_large_numbers_with_a_factor_in_common_are_not_independent) {
  // 71-bit primes: their products are not taken apart
  const std::string p = "2361183241434822619387", q = "2361183241434831606901", r = "2361183241434892606867";
  const std::string left = "sqrt(" + p + "*" + q + ")*sqrt(" + q + "*" + r + ")";
  const Verdict verdict = equal(left + "*x", q + "*sqrt(" + p + "*" + r + ")*x");
  EXPECT_FALSE(verdict.is_refuted()) << describe(verdict);
  expect_right_witness(equal(left, q + "*sqrt(" + p + "*" + r + " + 1)"), left,
                       q + "*sqrt(" + p + "*" + r + " + 1)");
}

TEST_F(ZeroTest, identities_with_roots_are_proved_and_their_twins_refuted) {
  expect_proved_and_twin_refuted(test::identities_with_roots);
}

TEST_F(ZeroTest, what_has_no_proof_is_checked_at_points) {
  for (const auto& [left, right] :
       std::vector<std::pair<std::string, std::string>>{{"log(x*y)", "log(x) + log(y)"},
                                                        {"cos(asin(x))", "sqrt(1 - x^2)"},
                                                        {"atan(sinh(x))", "2*atan(tanh(x/2))"},
                                                        {"cos(pi/5)", "(1 + sqrt(5))/4"},
                                                        {"sqrt(2 + 2*cos(x))", "2*abs(cos(x/2))"},
                                                        {"sqrt(3 + 2*sqrt(2))", "1 + sqrt(2)"}}) {
    const Verdict verdict = equal(left, right);
    EXPECT_TRUE(verdict.holds()) << left << ": " << describe(verdict);
    if (verdict.is_proved()) continue;
    const bool pieces = right.find("abs") != std::string::npos;  // a function of several pieces: more points
    EXPECT_EQ(verdict.points, (pieces ? 2 : 1) * algebra.options().check_points);
    EXPECT_EQ(verdict.digits, algebra.options().check_digits);
    EXPECT_NE(describe(verdict).find(pieces ? "checked at 16 points to 30 digits"
                                            : "checked at 8 points to 30 digits"),
              std::string::npos)
        << describe(verdict);
  }
}

TEST_F(ZeroTest, an_equation_on_half_of_the_line_is_refuted_on_the_other) {
  expect_right_witness(equal("atan(x) + atan(1/x)", "pi/2"), "atan(x) + atan(1/x)", "pi/2");
}

TEST_F(ZeroTest, a_tiny_function_is_not_zero) {
  EXPECT_TRUE(equal("exp(-1000*x^2)", "0").is_refuted());
  EXPECT_TRUE(equal("x + exp(-10000)", "x").is_refuted());
  EXPECT_TRUE(equal("abs(x) + exp(-10000)", "abs(x)").is_refuted());
  EXPECT_TRUE(equal("sin(x)^2 + cos(x)^2 + 10^(-3000)", "1").is_refuted());
}

TEST_F(ZeroTest, a_function_without_real_values_is_unknown) {
  const Verdict verdict = equal("log(-1 - x^2)", "x");
  EXPECT_EQ(verdict.grade, Grade::unknown);
  EXPECT_NE(verdict.reason.find("no point was found to speak of"), std::string::npos) << verdict.reason;
}

TEST_F(ZeroTest, a_witness_gives_values_to_unknown_functions) {
  const Verdict verdict = equal("f(x)*f(y)", "f(x*y)");
  ASSERT_TRUE(verdict.is_refuted());
  bool has_value_of_f = false;
  for (const auto& [symbol, value] : verdict.witness.point)
    has_value_of_f = has_value_of_f || symbol == e("f(x)");
  EXPECT_TRUE(has_value_of_f);
}

TEST_F(ZeroTest, an_unknown_function_has_one_value_at_equal_arguments) {
  const std::string arc = "atan(sinh(x))", same = "2*atan(tanh(x/2))";
  EXPECT_EQ(equal("f(" + arc + ")", "f(" + same + ")").grade, Grade::checked);
  EXPECT_EQ(equal("f(f(" + arc + "))", "f(f(" + same + "))").grade, Grade::checked);
  EXPECT_EQ(equal("g(" + arc + ", x)", "g(" + same + ", x)").grade, Grade::checked);
  EXPECT_TRUE(equal("f(log(x*y))", "f(log(x) + log(y))").is_proved());
  EXPECT_TRUE(equal("f(log(x*y))", "f(log(x) - log(y))").is_refuted());
  EXPECT_FALSE(algebra.canonical(e("f(log(x*y))")).complete);
}

TEST_F(ZeroTest, the_same_input_gives_the_same_witness) {
  Algebra other(pool);
  EXPECT_EQ(describe(equal("sin(x)*y", "x")), describe(other.are_equal(e("sin(x)*y"), e("x"))));
}

TEST_F(ZeroTest, positive_symbols_get_positive_values) {
  pool.symbol("m", SymbolKind::parameter, true);
  const Verdict verdict = equal("sqrt(m)*x", "m*x");
  ASSERT_TRUE(verdict.is_refuted());
  for (const auto& [symbol, value] : verdict.witness.point) {
    if (symbol == e("m")) {
      EXPECT_GT(value, Rational(0));
    }
  }
}

TEST_F(ZeroTest, verdicts_are_described_in_words) {
  EXPECT_EQ(describe(equal("sin(x)^2", "1 - cos(x)^2")), "proved");
  EXPECT_EQ(describe(equal("1/2", "1/4")), "refuted: 0.5000000000 is not 0.2500000000");
  EXPECT_EQ(describe(equal("1/2", "1/2 + 1/10^15")),
            "refuted: 0.50000000000000000000 is not 0.50000000000000100000");
}

}  // namespace
}  // namespace liaison
