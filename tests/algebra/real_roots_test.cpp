#include "liaison/algebra/real_roots.hpp"

#include <gtest/gtest.h>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"

namespace liaison {
namespace {

class RealRootsTest : public ::testing::Test {
 protected:
  Expr e(std::string_view text) { return parse(pool, text); }
  std::optional<std::size_t> roots(const std::string& text) {
    return most_real_roots(algebra, e(text), e("x"));
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(RealRootsTest, polynomials_have_their_real_roots) {
  EXPECT_EQ(roots("x^3 + x - 1"), 1U);
  EXPECT_EQ(roots("x^3 - x"), 3U);
  EXPECT_EQ(roots("x^2 + 1"), 0U);
  EXPECT_EQ(roots("(x^4 - 2)*(x^2 + 3)"), 2U);
  EXPECT_EQ(roots("1/10^30 - x^2"), 2U);
}

TEST_F(RealRootsTest, a_repeated_root_is_one) {
  EXPECT_EQ(roots("(x - 1)^5"), 1U);
  EXPECT_EQ(roots("(x - 1)^2*(x^2 - 2)^3"), 3U);
}

TEST_F(RealRootsTest, of_a_root_of_the_symbol_there_are_not_more) {
  EXPECT_EQ(roots("sqrt(x) - 1"), 1U);
  EXPECT_GE(roots("x - 3*sqrt(x) + 2").value_or(9), 2U);
}

TEST_F(RealRootsTest, a_budget_ends_the_count) {
  const BudgetScope scope(algebra, 1000);
  EXPECT_FALSE(roots("x^200 - 3*x^7 - 12345678901234567890*x^3 - 1"));
}

TEST_F(RealRootsTest, what_is_no_polynomial_of_one_symbol_is_not_counted) {
  EXPECT_FALSE(roots("x + sin(x)"));
  EXPECT_FALSE(roots("x*y - 1"));
  EXPECT_FALSE(roots("x^3 - sqrt(2)"));
  EXPECT_FALSE(roots("x - x"));
}

}  // namespace
}  // namespace liaison
