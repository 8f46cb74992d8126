#include <gtest/gtest.h>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/region.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {
namespace {

/// Statements on the common zeros of equations, all components of them.
class ZeroSet : public ::testing::Test {
 protected:
  ZeroSet() {
    for (const char* name : {"x", "y", "z", "w"}) pool.symbol(name, SymbolKind::coordinate);
    for (const char* name : {"u", "v"}) pool.symbol(name, SymbolKind::velocity);
    for (const char* name : {"a", "b"}) pool.symbol(name, SymbolKind::parameter);
    pool.symbol("l", SymbolKind::parameter, true);
  }
  Expr e(std::string_view text) { return parse(pool, text); }
  Region region(std::initializer_list<const char*> equations,
                std::initializer_list<const char*> assumed = {}) {
    Region result;
    for (const char* text : equations) result.equations.push_back(e(text));
    for (const char* text : assumed) result.assumed.push_back(e(text));
    return result;
  }
  Verdict equal(const char* left, const char* right, const Region& where) {
    return algebra.are_equal(e(left), e(right), where);
  }
  void expect(Grade grade, const char* left, const char* right, const Region& where) {
    const Verdict verdict = equal(left, right, where);
    EXPECT_EQ(verdict.grade, grade) << left << " = " << right << ": " << describe(verdict);
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(ZeroSet, a_product_has_a_component_for_each_factor) {
  const Region cross = region({"x*y"});
  expect(Grade::proved, "x*y", "0", cross);
  expect(Grade::proved, "abs(x + y)", "abs(x - y)", cross);
  expect(Grade::refuted, "x", "0", cross);
  expect(Grade::refuted, "y", "0", cross);
  expect(Grade::proved, "(x - 1)*(x - 2)*(x - 3)", "0", region({"(x - 1)*(x - 3)*(x^2 + 1)"}));
}

TEST_F(ZeroSet, a_root_has_two_signs) {
  const Region signs = region({"x^2 - 1"});
  expect(Grade::proved, "x^4", "1", signs);
  expect(Grade::proved, "abs(x)", "1", signs);
  expect(Grade::refuted, "x", "1", signs);
  expect(Grade::refuted, "x", "-1", signs);
  EXPECT_TRUE(equal("x", "sign(x)", signs).holds());
}

TEST_F(ZeroSet, what_a_chain_says_last_is_put_into_what_it_said_first) {
  for (const char* name : {"x1", "y1"}) pool.symbol(name, SymbolKind::velocity);
  const Region rod = region({"x^2 + y^2 - l^2", "2*x*x1 + 2*y*y1"});
  expect(Grade::proved, "sqrt(x^2 + y^2)", "l", rod);
  expect(Grade::refuted, "sqrt(x^2 + y^2)", "-l", rod);
  expect(Grade::refuted, "x", "l", rod);
}

TEST_F(ZeroSet, a_sum_of_squares_vanishes_where_each_does) {
  const Region point = region({"(x - 1)^2 + (y + 2)^2"});
  expect(Grade::proved, "x", "1", region({"(x - 1)^2"}));
  expect(Grade::proved, "x", "0", region({"x^2 + y^2"}));
  expect(Grade::proved, "x*z", "y*w", region({"x^2 + l*y^2"}));
  expect(Grade::refuted, "z", "0", region({"x^2 + y^2"}));
  EXPECT_FALSE(equal("x", "2", point).holds());
}

TEST_F(ZeroSet, squares_are_completed) {
  expect(Grade::proved, "x", "1", region({"(x - 1)^2 + (y + 2)^2"}));
  expect(Grade::proved, "y", "-2", region({"(x - 1)^2 + (y + 2)^2"}));
  expect(Grade::proved, "x", "y", region({"x^3 - y^3"}));
  expect(Grade::proved, "x", "z", region({"(x - y)^2 + (y - z)^2 + (z - x)^2"}));
  expect(Grade::proved, "x", "y^2", region({"(x - y^2)^2 + l*(x*z - w)^2"}));
  expect(Grade::proved, "a*y", "0", region({"x^2 - 2*x*y + (1 + a^2)*y^2"}));
  expect(Grade::refuted, "y", "0", region({"x^2 - 2*x*y + (1 + a^2)*y^2"}));  // a = 0
  expect(Grade::refuted, "x", "y", region({"(x - y)^2 - z^2"}));
  expect(Grade::proved, "abs(x^2 + x*y + y^2)", "x^2 + x*y + y^2", region({}));
  expect(Grade::empty, "x", "y", region({"x^2 + x*y + y^2 + 1"}));
}

TEST_F(ZeroSet, functions_make_components_that_polynomials_do_not_tell) {
  const auto grade = [&](const char* text, const Region& where) {
    return algebra.vanishes_on_no_component(e(text), where).grade;
  };
  EXPECT_EQ(grade("x", region({"tan(x) + x"})), Grade::unknown);  // x = 0 and 2.0287...
  EXPECT_EQ(grade("x", region({"exp(x) - 1 - 2*x"})), Grade::unknown);
  EXPECT_EQ(grade("x^2 + y^2", region({"sinh(x) - 2*y", "sinh(y) - 2*x"})), Grade::unknown);
  EXPECT_EQ(grade("1 + cos(x)^2", region({"tan(x) + x"})), Grade::proved);
  EXPECT_EQ(grade("y", region({"tan(x) + x"})), Grade::proved);
  EXPECT_EQ(grade("x + sin(x)", region({})), Grade::proved);
  EXPECT_EQ(grade("cos(x)", region({"y - x*z"})), Grade::proved);
}

TEST_F(ZeroSet, what_is_smaller_than_any_precision_is_not_zero) {
  EXPECT_FALSE(equal("exp(-exp(10^6))", "0", region({})).holds());
  EXPECT_FALSE(equal("x^2 + exp(-exp(exp(10)))", "x^2", region({})).holds());
}

TEST_F(ZeroSet, a_leading_coefficient_may_vanish) {
  const Region saddle = region({"x*y - x*z"});  // y = z, or x = 0
  expect(Grade::refuted, "y", "z", saddle);
  expect(Grade::proved, "x*(y^2 - z^2)", "0", saddle);
  const Region two = region({"x*y - 1", "x*z - w"});  // x = 0 is no point here
  expect(Grade::proved, "z", "w*y", two);
}

TEST_F(ZeroSet, a_branch_that_is_not_real_is_dropped) {
  expect(Grade::proved, "x", "1", region({"(x - 1)*(x^2 + 1)"}));
  expect(Grade::proved, "x", "y", region({"(x - y)*(x^2 + y^2 + l)"}));
  expect(Grade::proved, "x", "1", region({"x^4 - x^3 + x - 1 + 0*y", "x - 1"}));
}

TEST_F(ZeroSet, where_there_is_no_real_point_nothing_passes) {
  expect(Grade::empty, "x", "x", region({"x^2 + y^2 + 1"}));
  expect(Grade::empty, "x", "y", region({"x^2 + l"}));
  expect(Grade::empty, "0", "0", region({"x - y", "x - y - 1"}));
  expect(Grade::empty, "0", "0", region({"exp(x) + y^2"}));
}

TEST_F(ZeroSet, dependent_and_tangent_equations_are_no_obstacle) {
  expect(Grade::proved, "x", "0", region({"y", "y - x^2"}));
  expect(Grade::proved, "y", "z", region({"y - z", "2*y - 2*z"}));
  expect(Grade::proved, "z", "0", region({"x + y", "x - y", "x", "z - x*y"}));
}

TEST_F(ZeroSet, the_circle_of_an_angle_is_one_of_the_equations) {
  expect(Grade::proved, "sin(y)^2", "1 - x^2", region({"cos(y) - x"}));
  expect(Grade::proved, "x^2 + y^2", "1", region({"x - cos(z)", "y - sin(z)"}));
  expect(Grade::refuted, "sin(y)", "sqrt(1 - x^2)", region({"cos(y) - x"}));
  expect(Grade::proved, "abs(sin(y))", "sqrt(1 - x^2)", region({"cos(y) - x"}));
}

TEST_F(ZeroSet, a_condition_that_fails_on_a_whole_component_is_told) {
  // where x = 0 is a component of its own nothing is known
  const Verdict verdict = equal("y", "z", region({"x*y - x*z"}, {"x"}));
  EXPECT_TRUE(verdict.divided) << describe(verdict);
  EXPECT_FALSE(verdict.is_proved()) << describe(verdict);
  // x = 0 is a smaller part of the only component
  const Verdict generic = equal("y/x", "z", region({"y - x*z"}, {"x"}));
  EXPECT_TRUE(generic.is_proved()) << describe(generic);
  EXPECT_FALSE(generic.divided);
  ASSERT_EQ(generic.conditions.size(), 1U);
  EXPECT_EQ(generic.conditions[0], e("x"));
}

TEST_F(ZeroSet, special_values_of_parameters_belong_to_an_equality) {
  expect(Grade::refuted, "x", "0", region({"a*x"}));  // a = 0 leaves x open
  expect(Grade::proved, "x", "0", region({"l*x"}));   // l > 0
  const Verdict generic = equal("x", "0", region({"a*x"}, {"a"}));
  EXPECT_FALSE(generic.is_proved()) << "a = 0 is a component of its own: " << describe(generic);
  EXPECT_TRUE(generic.divided);
  EXPECT_TRUE(algebra.vanishes_on_no_component(e("a"), region({"a*x"})).is_proved()) << "but a regular one";
}

TEST_F(ZeroSet, what_vanishes_on_no_component_is_told_from_what_does) {
  EXPECT_TRUE(algebra.vanishes_on_no_component(e("x"), region({"y - x^2"})).is_proved());
  EXPECT_TRUE(algebra.vanishes_on_no_component(e("y - x^2"), region({"y - x^2"})).is_refuted());
  EXPECT_FALSE(algebra.vanishes_on_no_component(e("x"), region({"x*y"})).holds());
  EXPECT_EQ(algebra.vanishes_on_no_component(e("x"), region({"x^2 + 1"})).grade, Grade::empty);
}

TEST_F(ZeroSet, what_follows_needs_no_point) {
  EXPECT_TRUE(algebra.follows(e("x^2 - y^2"), region({"x + y"})));
  EXPECT_FALSE(algebra.follows(e("x - y"), region({"x^2 - y^2"})));
  EXPECT_TRUE(algebra.follows(e("x"), region({"x^2 + 1"}))) << "from nothing everything follows";
}

}  // namespace
}  // namespace liaison
