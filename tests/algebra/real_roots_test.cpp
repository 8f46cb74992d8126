#include "liaison/algebra/real_roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
  using Values = std::vector<std::vector<double>>;
  /// Of all solutions, in order.
  std::optional<Values> values(const std::vector<std::string>& equations,
                               const std::vector<std::string>& names) {
    std::vector<Expr> es, unknowns;
    for (const std::string& text : equations) es.push_back(e(text));
    for (const std::string& name : names) unknowns.push_back(e(name));
    const auto boxes = real_solutions(algebra, es, unknowns, 256);
    if (!boxes) return std::nullopt;
    Values result;
    for (const std::vector<Ball>& box : *boxes) {
      result.emplace_back();
      for (const Ball& ball : box) result.back().push_back(ball.mid() == 0 ? 0 : ball.mid());
    }
    std::sort(result.begin(), result.end());
    return result;
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

TEST_F(RealRootsTest, every_root_is_isolated) {
  EXPECT_EQ(values({"(x + 1/100000)*(x - 11)"}, {"x"}), (Values{{-1e-5}, {11}}));
  EXPECT_EQ(values({"x^3 - x"}, {"x"}), (Values{{-1}, {0}, {1}}));
  EXPECT_EQ(values({"x*(1 - x/10^9) - 1 + 10^(-9)"}, {"x"}), (Values{{1}, {999999999}}));
  EXPECT_EQ(values({"(x - 1)^3*(x^2 + 1)"}, {"x"}), (Values{{1}}));
  EXPECT_EQ(values({"x^2 + 1"}, {"x"}), Values{});
}

TEST_F(RealRootsTest, common_zeros_of_several_equations) {
  EXPECT_EQ(values({"x + w - 1", "x^3 + w - 1"}, {"x", "w"}), (Values{{-1, 2}, {0, 1}, {1, 0}}));
  EXPECT_EQ(values({"x^2 + w^2 - 25", "x*w - 12"}, {"x", "w"}), (Values{{-4, -3}, {-3, -4}, {3, 4}, {4, 3}}));
  EXPECT_EQ(values({"x^2 + w^2 + v^2 - 3", "x - w", "w - v"}, {"x", "w", "v"}),
            (Values{{-1, -1, -1}, {1, 1, 1}}));
}

TEST_F(RealRootsTest, roots_and_absolute_values_have_their_branch) {
  EXPECT_EQ(values({"sqrt(x^2 + 3) - 2*x"}, {"x"}), (Values{{1}}));
  EXPECT_EQ(values({"abs(x - 1) - 2"}, {"x"}), (Values{{-1}, {3}}));
  EXPECT_EQ(values({"x - 3*sqrt(x) + 2"}, {"x"}), (Values{{1}, {4}}));
  EXPECT_EQ(values({"sqrt(x) + 1"}, {"x"}), Values());
  EXPECT_EQ(values({"sqrt(x) + sqrt(w) - 3", "x - w - 3"}, {"x", "w"}), (Values{{4, 1}}));
  EXPECT_EQ(values({"x^2 - 4 + 0*w", "x*sqrt(2) - w*sqrt(2)"}, {"x", "w"}), (Values{{-2, -2}, {2, 2}}));
}

TEST_F(RealRootsTest, infinitely_many_zeros_and_other_functions_are_not_listed) {
  EXPECT_FALSE(values({"x*w - 1"}, {"x", "w"}));
  EXPECT_FALSE(values({"(x - 1)*(w - 2)", "(x - 1)*(w - 3)"}, {"x", "w"}));
  EXPECT_FALSE(values({"sin(x)"}, {"x"}));
  EXPECT_FALSE(values({"x - pi"}, {"x"}));
  const BudgetScope scope(algebra, 1000);
  EXPECT_FALSE(values({"x^60 - 3*x^7 - 12345678901234567890*x^3 - 1"}, {"x"}));
}

TEST_F(RealRootsTest, zeros_beside_an_exponential_are_counted) {
  EXPECT_EQ(roots("exp(x) - 2"), 1U);
  EXPECT_EQ(roots("exp(x) + 2"), 0U);
  EXPECT_EQ(roots("x*exp(x)"), 1U);
  EXPECT_EQ(roots("x*exp(x) - 2"), 1U);
  EXPECT_EQ(roots("x*exp(x) + 1/5"), 2U);
  EXPECT_EQ(roots("x*exp(x) + 2/5"), 0U);
  EXPECT_EQ(roots("x*exp(-3*x/2) - 1/5"), 2U);
  EXPECT_EQ(roots("x^3*exp(x) + x - 2"), 1U);
  EXPECT_EQ(roots("x^3*exp(x) + 1"), 2U);
  EXPECT_EQ(roots("x^2*exp(x) - 1/2"), 3U);
  EXPECT_EQ(roots("exp(2*x) - 3*exp(x) + 2"), 2U);
  EXPECT_EQ(roots("exp(x) + exp(-x) - 4"), 2U);
  EXPECT_EQ(roots("exp(x) - x^4"), 3U);
  EXPECT_EQ(roots("exp(x)/10^40 - x"), 2U);
  EXPECT_EQ(roots("exp(x) - 1 - x"), std::nullopt) << "a double zero is not told from two or none";
}

TEST_F(RealRootsTest, zeros_beside_an_exponential_are_enclosed) {
  const auto found = values({"x*exp(x) + 1/5"}, {"x"});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_NEAR((*found)[0][0], -2.5426413577735264, 1e-15);  // branches -1 and 0 of Lambert's function
  EXPECT_NEAR((*found)[1][0], -0.25917110181907377, 1e-16);
  EXPECT_EQ(values({"x*exp(x)"}, {"x"})->size(), 1U);
  EXPECT_EQ(values({"x*exp(x) + 1/5", "x^2 - 9 - exp(x)"}, {"x"}), Values());
  EXPECT_FALSE(values({"x*exp(w) - 1"}, {"x"}));
}

TEST_F(RealRootsTest, what_is_no_polynomial_of_one_symbol_is_not_counted) {
  EXPECT_FALSE(roots("x + sin(x)"));
  EXPECT_FALSE(roots("x*y - 1"));
  EXPECT_FALSE(roots("x^3 - sqrt(2)"));
  EXPECT_FALSE(roots("x - x"));
}

}  // namespace
}  // namespace liaison
