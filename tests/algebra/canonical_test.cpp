#include <gtest/gtest.h>

#include "algebra/identities.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {
namespace {

class CanonicalTest : public ::testing::Test {
 protected:
  CanonicalTest() {
    pool.function("f", 1);
    pool.function("g", 2);
  }
  Expr e(std::string_view text) { return parse(pool, text); }
  Expr canonical(std::string_view text) { return algebra.canonical(e(text)).value; }
  std::string text(std::string_view input) { return to_infix(canonical(input)); }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(CanonicalTest, equal_rational_trigonometric_functions_have_one_form) {
  for (const auto& [left, right, wrong] : test::rational_trigonometric_identities) {
    EXPECT_EQ(canonical(left), canonical(right)) << left << " = " << right << "\n"
                                                 << text(left) << "\n"
                                                 << text(right);
    EXPECT_NE(canonical(left), canonical(wrong)) << left << " != " << wrong;
    EXPECT_TRUE(algebra.canonical(e(left)).complete) << left << ": " << algebra.canonical(e(left)).reason;
  }
}

TEST_F(CanonicalTest, exponentials_roots_of_numbers_and_unknown_functions_have_one_form) {
  for (const auto& [left, right, wrong] : test::other_complete_identities) {
    EXPECT_EQ(canonical(left), canonical(right)) << left << " = " << right << "\n"
                                                 << text(left) << "\n"
                                                 << text(right);
    EXPECT_NE(canonical(left), canonical(wrong)) << left << " != " << wrong;
    EXPECT_TRUE(algebra.canonical(e(left)).complete) << left << ": " << algebra.canonical(e(left)).reason;
  }
}

TEST_F(CanonicalTest, roots_are_written_in_one_way) {
  for (const auto& [left, right, wrong] : test::identities_with_roots) {
    if (left.find("sign") != std::string::npos) continue;  // sign(x) stays: abs(x)/x has no value at 0
    EXPECT_EQ(canonical(left), canonical(right)) << left << " = " << right << "\n"
                                                 << text(left) << "\n"
                                                 << text(right);
    EXPECT_NE(canonical(left), canonical(wrong)) << left << " != " << wrong;
  }
}

TEST_F(CanonicalTest, the_canonical_form_of_a_canonical_form_is_itself) {
  const auto check = [&](std::string_view input) {
    Algebra fresh(pool);  // without what the first one remembers
    const Expr once = canonical(input);
    EXPECT_EQ(fresh.canonical(once).value, once) << input << ": " << to_infix(once);
  };
  for (const auto& identity : test::rational_trigonometric_identities)
    check(identity.left), check(identity.wrong);
  for (const auto& identity : test::other_complete_identities) check(identity.left), check(identity.wrong);
  for (const auto& identity : test::identities_with_roots) check(identity.left), check(identity.wrong);
}

TEST_F(CanonicalTest, the_form_is_the_documented_one) {
  EXPECT_EQ(text("(x + y)^2"), "x^2 + 2*x*y + y^2");
  EXPECT_EQ(text("sin(x)^2"), "1 - cos(x)^2");
  EXPECT_EQ(text("1/sin(x)"), "-sin(x)/(cos(x)^2 - 1)");
  EXPECT_EQ(text("tan(x)"), "sin(x)/cos(x)");
  EXPECT_EQ(text("sin(x + y)"), "sin(x)*cos(y) + sin(y)*cos(x)");
  EXPECT_EQ(text("2/(4*x + 6)"), "1/(2*x + 3)");
  EXPECT_EQ(text("1/(1 + sqrt(2))"), "sqrt(2) - 1");
  EXPECT_EQ(text("sinh(x)"), "(exp(2*x) - 1)*exp(-x)/2");
}

TEST_F(CanonicalTest, half_angles_stay_where_they_are_needed) {
  EXPECT_EQ(text("cos(x/2)"), "cos(x/2)");
  EXPECT_EQ(text("sin(x/2)*cos(x/2)"), "sin(x)/2");
  EXPECT_EQ(text("cos(x/2)^2*sin(y/2)"), "cos(x)*sin(y/2)/2 + sin(y/2)/2");
  EXPECT_EQ(text("sin(x/6)*cos(x/6)"), "sin(x/3)/2");
}

TEST_F(CanonicalTest, an_identically_zero_denominator_is_an_error) {
  for (const char* input : {"1/(sin(x)^2 + cos(x)^2 - 1)", "x/((x + 1)^2 - x^2 - 2*x - 1)",
                            "1/((1 + sqrt(2))^2 - 3 - 2*sqrt(2))", "sin(1/(exp(x)*exp(-x) - 1))"}) {
    try {
      algebra.canonical(e(input));
      ADD_FAILURE() << input;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::division_by_zero) << input;
      EXPECT_FALSE(error.hint().empty());
    }
  }
}

TEST_F(CanonicalTest, what_may_be_dependent_is_not_called_complete) {
  for (const char* input :
       {"log(x*y)", "abs(x) + x", "sqrt(x + 1)*sqrt(x - 1)", "1/(2^(1/3) + 1)", "cos(pi/7)"}) {
    const Canonical result = algebra.canonical(e(input));
    EXPECT_FALSE(result.complete) << input;
    EXPECT_FALSE(result.reason.empty()) << input;
  }
}

TEST_F(CanonicalTest, a_denominator_with_dependent_roots_is_left_alone) {
  EXPECT_EQ(canonical("1/(x - abs(x))"), e("1/(x - abs(x))"));
}

TEST_F(CanonicalTest, a_large_prime_part_of_an_angle_is_not_called_complete) {
  EXPECT_FALSE(algebra.canonical(e("cos(x/37)")).complete);
  EXPECT_TRUE(algebra.canonical(e("cos(x/31)")).complete);
}

}  // namespace
}  // namespace liaison
