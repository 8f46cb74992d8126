#include "liaison/expr/substitute.hpp"

#include <gtest/gtest.h>

#include <array>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

class Substitute : public ::testing::Test {
 protected:
  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
};

TEST_F(Substitute, replacements_happen_at_once) {
  EXPECT_EQ(substitute(x * x + sin(y), {{x, y}, {y, x}}), y * y + sin(x));
  EXPECT_EQ(substitute(x, {{x, x + 1}}), x + 1);
}

TEST_F(Substitute, the_outermost_key_wins) {
  EXPECT_EQ(substitute(cos(sin(x)), {{sin(x), y}, {x, z}}), cos(y));
  EXPECT_EQ(substitute(cos(sin(x)) + x, {{sin(x), y}, {x, z}}), cos(y) + z);
}

TEST_F(Substitute, keys_may_be_any_expression) {
  const FunctionInfo* f = pool.function("f", 1);
  const std::array args{x};
  const Expr call = pool.apply(f, args);
  EXPECT_EQ(substitute(call * x + sin(x + y), {{call, z}, {x + y, pool.pi()}}), z * x);
}

TEST_F(Substitute, an_expression_without_the_keys_is_returned_as_it_is) {
  const Expr e = sin(x) * y;
  EXPECT_EQ(substitute(e, {{z, x}}), e);
  EXPECT_EQ(substitute(e, {}), e);
}

TEST_F(Substitute, values_follow_the_replacement) {
  std::size_t compared = 0;
  for (std::uint64_t seed : test::seeds(100)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, {.depth = 3});
    const Expr e = random.expression(pool), inner = random.expression(pool);
    RationalPoint point = random.point(pool);
    Expr replaced;
    try {
      replaced = substitute(e, {{x, inner}});
    } catch (const Error&) {  // 1/x at 0
      continue;
    }
    const LongValue late = evaluate_digits(replaced, point, 30, 2000);
    const LongValue value = evaluate_digits(inner, point, 200, 4000);
    if (!late.value || !value.value) continue;
    BallPoint balls;
    for (const auto& [symbol, number] : point) balls.emplace(symbol, Ball(number, 1000));
    balls[x] = *value.value;
    const BallValues early = evaluate_balls(std::span(&e, 1), balls, 1000);
    if (early.status != EvaluationStatus::ok) continue;
    ++compared;
    EXPECT_TRUE(overlaps(early.values[0], *late.value)) << to_infix(e) << " with x = " << to_infix(inner);
  }
  EXPECT_GE(compared, 50u);
}

TEST_F(Substitute, several_expressions_share_the_work) {
  const std::array es{sin(x), cos(sin(x)), y};
  const auto result = substitute(es, {{x, y}});
  EXPECT_EQ(result, (std::vector<Expr>{sin(y), cos(sin(y)), y}));
}

TEST_F(Substitute, a_replaced_zero_in_a_denominator_is_an_error) {
  EXPECT_THROW(substitute(1 / (x - y), {{x, y}}), Error);
}

TEST_F(Substitute, functions_and_their_derivatives_take_the_body) {
  const FunctionInfo* f = pool.function("f", 2);
  const std::array args{y, x * y};
  const std::array parameters{x, y};
  const Expr body = x * x * y;
  // f(a, b) = a^2 b: f(y, xy) = x y^3, D1 f = 2 a b, D12 f = 2 a
  EXPECT_EQ(substitute_function(pool.apply(f, args), f, parameters, body), x * pow(y, 3));
  EXPECT_EQ(substitute_function(pool.apply(f, args, {1, 0}), f, parameters, body), 2 * x * pow(y, 2));
  EXPECT_EQ(substitute_function(sin(pool.apply(f, args, {1, 1})), f, parameters, body), sin(2 * y));
}

TEST_F(Substitute, nested_calls_of_a_function_are_all_replaced) {
  const FunctionInfo* f = pool.function("f", 1);
  const FunctionInfo* g = pool.function("g", 1);
  const auto call = [&](const FunctionInfo* function, Expr arg) {
    return pool.apply(function, std::span(&arg, 1));
  };
  const std::array parameters{x};
  EXPECT_EQ(substitute_function(call(f, call(g, call(f, y))), f, parameters, x + 1), call(g, y + 1) + 1);
  EXPECT_THROW(substitute_function(call(f, y), f, {}, x), Error);
}

TEST_F(Substitute, a_copy_in_another_pool_prints_the_same_and_copies_back) {
  for (std::uint64_t seed : test::seeds(100)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(
        seed, {.functions = test::all_functions(), .unknown_functions = {{"f", 1}, {"g", 2}}});
    const Expr e = random.expression(pool);
    Pool other;
    const Expr copy = copy_to(other, e);
    EXPECT_EQ(&copy.pool(), &other);
    EXPECT_EQ(to_infix(copy), to_infix(e));
    EXPECT_EQ(copy_to(pool, copy), e);
  }
}

TEST_F(Substitute, a_million_nested_functions_are_replaced_and_copied) {
  Expr e = x;
  for (int i = 0; i < 1'000'000; ++i) e = sin(e);
  const Expr replaced = substitute(e, {{x, y}});
  EXPECT_TRUE(depends_on(replaced, y));
  EXPECT_FALSE(depends_on(replaced, x));
  Pool other;
  EXPECT_EQ(copy_to(other, e).depth(), e.depth());
}

TEST_F(Substitute, expressions_of_two_pools_are_refused) {
  Pool other;
  EXPECT_THROW(substitute(x, {{x, other.symbol("y")}}), Error);
}

}  // namespace
}  // namespace liaison
