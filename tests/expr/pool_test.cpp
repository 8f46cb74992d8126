#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

class PoolLaws : public ::testing::Test {
 protected:
  Expr n(long numerator, long denominator = 1) { return pool.number(Rational(numerator, denominator)); }
  ErrorCode code_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << "no error";
    return {};
  }

  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
};

const test::RandomOptions everything{
    .functions = test::all_functions(), .unknown_functions = {{"f", 1}, {"g", 2}}, .fractional_powers = true};

TEST_F(PoolLaws, sums_and_products_are_commutative_and_associative_on_random_expressions) {
  for (std::uint64_t seed : test::seeds(300)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, everything);
    const Expr a = random.expression(pool), b = random.expression(pool), c = random.expression(pool);
    SCOPED_TRACE(to_infix(a) + "   " + to_infix(b) + "   " + to_infix(c));
    EXPECT_EQ(a + b, b + a);
    EXPECT_EQ((a + b) + c, a + (b + c));
    EXPECT_EQ(a - a, n(0));
    EXPECT_EQ(-(-a), a);
    EXPECT_EQ(a + 0, a);
    EXPECT_EQ(a * 1, a);
    EXPECT_EQ(a * 0, n(0));
    EXPECT_EQ(a * b, b * a);
  }
}

/// Numbers alone are left out: 2*(x + y) is written out, so (2*(x + y))*z and 2*((x + y)*z) are two
/// expressions.
TEST_F(PoolLaws, products_with_integer_powers_are_associative_on_random_expressions) {
  for (std::uint64_t seed : test::seeds(300)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed);
    const Expr a = random.expression(pool), b = random.expression(pool), c = random.expression(pool);
    if ((a * b).is(Op::add) || (b * c).is(Op::add)) continue;
    SCOPED_TRACE(to_infix(a) + "   " + to_infix(b) + "   " + to_infix(c));
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(pow(a * b, 2), pow(a, 2) * pow(b, 2));
    EXPECT_EQ(a * a * a, pow(a, 3));
  }
}

TEST_F(PoolLaws, numbers_distribute_over_sums_on_random_expressions) {
  for (std::uint64_t seed : test::seeds(300)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, everything);
    const Expr a = random.expression(pool), b = random.expression(pool);
    const Rational p = random.number(), q = random.number();
    SCOPED_TRACE(to_infix(a) + "   " + to_infix(b));
    EXPECT_EQ(p * (a + b), p * a + p * b);
    EXPECT_EQ((p + q) * a, p * a + q * a);
    EXPECT_EQ(p * (q * a), (p * q) * a);
  }
}

TEST_F(PoolLaws, the_same_tree_built_twice_is_one_node) {
  for (std::uint64_t seed : test::seeds(200)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, everything);
    const test::Tree tree = random.tree();
    try {
      const Expr first = random.build(pool, tree);
      const std::size_t size = pool.size();
      EXPECT_EQ(random.build(pool, tree), first);
      EXPECT_EQ(pool.size(), size);
      EXPECT_EQ(random.build_backwards(pool, tree), first) << to_infix(first);
      for (Expr e : postorder(first)) EXPECT_EQ(pool.rebuild(e, e.args()), e) << to_infix(e);
    } catch (const Error&) {
    }
  }
}

TEST_F(PoolLaws, every_node_is_in_light_canonical_form) {
  for (std::uint64_t seed : test::seeds(300)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, everything);
    const Expr e = random.expression(pool);
    for (Expr node : postorder(e)) EXPECT_NO_THROW(check_shape(node)) << to_infix(node);
  }
}

TEST_F(PoolLaws, the_order_does_not_depend_on_the_order_of_creation) {
  for (std::uint64_t seed : test::seeds(200)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, everything);
    Pool first, second;
    std::vector<Expr> forwards, backwards;
    std::vector<test::Tree> trees;
    for (int i = 0; i < 6; ++i) {
      trees.push_back(random.tree());
      try {
        forwards.push_back(random.build(first, trees.back()));
      } catch (const Error&) {
        trees.pop_back();
      }
    }
    for (const char* name : {"z", "y", "x"}) second.symbol(name);
    for (auto tree = trees.rbegin(); tree != trees.rend(); ++tree)
      backwards.push_back(random.build_backwards(second, *tree));
    std::sort(forwards.begin(), forwards.end(), StructuralLess{});
    std::sort(backwards.begin(), backwards.end(), StructuralLess{});
    for (std::size_t i = 0; i < forwards.size(); ++i) {
      EXPECT_EQ(to_infix(forwards[i]), to_infix(backwards[i]));
      EXPECT_EQ(forwards[i].node()->hash, backwards[i].node()->hash);
    }
  }
}

TEST_F(PoolLaws, the_structural_order_is_total_on_random_expressions) {
  for (std::uint64_t seed : test::seeds(40)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, everything);
    const std::vector<Expr> es = random.expressions(pool, 12);
    for (Expr a : es) {
      for (Expr b : es) {
        EXPECT_EQ(compare(a, b) == 0, a == b);
        EXPECT_EQ(compare(a, b) < 0, compare(b, a) > 0);
        for (Expr c : es) EXPECT_FALSE(compare(a, b) < 0 && compare(b, c) < 0 && compare(c, a) <= 0);
      }
    }
  }
}

/// Building must not change a value where the tree as written has one.
void expect_values_kept(const test::RandomOptions& options, std::size_t count, std::size_t least) {
  std::size_t compared = 0;
  for (std::uint64_t seed : test::seeds(count)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, options);
    Pool pool;
    const test::Tree tree = random.tree();
    const std::vector<Rational> values = random.values();
    const auto expected = random.value_of(tree, values, 1000);
    if (!expected) continue;
    const Expr e = random.build(pool, tree);
    BallPoint point;
    for (const auto& [symbol, value] : random.point(pool, values)) point.emplace(symbol, Ball(value, 1000));
    const BallValues found = evaluate_balls(std::span(&e, 1), point, 1000);
    if (found.status == EvaluationStatus::precision_limit) continue;
    ASSERT_EQ(found.status, EvaluationStatus::ok) << to_infix(e) << ": " << found.reason();
    ++compared;
    EXPECT_TRUE(overlaps(found.values[0], *expected))
        << to_infix(e) << " is " << found.values[0].to_string() << ", the tree is " << expected->to_string();
  }
  EXPECT_GE(compared, least);
}

TEST_F(PoolLaws, building_keeps_the_values_of_random_trees) {
  expect_values_kept({.depth = 4}, 500, 300);
}

TEST_F(PoolLaws, building_keeps_the_values_of_random_trees_with_roots_and_all_functions) {
  expect_values_kept({.functions = test::all_functions(), .depth = 4, .fractional_powers = true}, 2000, 600);
}

TEST_F(PoolLaws, building_keeps_the_values_of_random_constants) {
  expect_values_kept(
      {.functions = test::all_functions(), .symbols = {}, .depth = 4, .fractional_powers = true}, 2000, 500);
}

TEST_F(PoolLaws, building_keeps_the_values_of_random_trees_in_positive_symbols) {
  expect_values_kept({.functions = test::all_functions(),
                      .symbols = {{"m", SymbolKind::parameter, true}, {"x", SymbolKind::coordinate}},
                      .depth = 4,
                      .fractional_powers = true},
                     2000, 600);
}

TEST_F(PoolLaws, like_terms_and_equal_bases_are_collected) {
  EXPECT_EQ(x + x, 2 * x);
  EXPECT_EQ(x * sqrt(x), pow(x, Rational(3, 2)));
  EXPECT_EQ(x / x, n(1));
  EXPECT_EQ(2 * (x + y), 2 * x + 2 * y);
  EXPECT_EQ(pow(x * y, 3), pow(x, 3) * pow(y, 3));
  EXPECT_EQ(sqrt(pow(x, 2)), abs(x));
  EXPECT_NE(x * (y + z), x * y + x * z);
  // a merged power may meet another factor once more
  EXPECT_EQ(pool.mul(std::array{x, abs(x), abs(x)}), pow(x, 3));
  EXPECT_EQ(pool.mul(std::array{exp(2 * x), exp(x), exp(x)}), exp(4 * x));
}

TEST_F(PoolLaws, exact_values_are_taken) {
  const Expr pi = pool.pi();
  EXPECT_EQ(sin(pi / 6), n(1, 2));
  EXPECT_EQ(cos(pi / 3), n(1, 2));
  EXPECT_EQ(sin(pi / 4), sqrt(n(2)) / 2);
  EXPECT_EQ(sin(7 * pi), n(0));
  EXPECT_EQ(cos(7 * pi), n(-1));
  EXPECT_EQ(tan(pi / 4), n(1));
  EXPECT_EQ(atan(n(1)), pi / 4);
  EXPECT_EQ(exp(n(0)), n(1));
  EXPECT_EQ(log(n(1)), n(0));
  EXPECT_EQ(sqrt(n(4, 9)), n(2, 3));
  EXPECT_EQ(sqrt(n(8)), 2 * sqrt(n(2)));
  EXPECT_EQ(1 / sqrt(n(2)), sqrt(n(2)) / 2);
  EXPECT_EQ(sqrt(n(6)), sqrt(n(2)) * sqrt(n(3)));
  EXPECT_EQ(abs(sqrt(n(2)) - 3), 3 - sqrt(n(2)));
  EXPECT_EQ(sign(pi - 4), n(-1));
  EXPECT_EQ(min(n(2), n(3)), n(2));
  EXPECT_EQ(max(pi, n(3)), pi);
}

TEST_F(PoolLaws, parity_and_turns_are_used_up) {
  const Expr pi = pool.pi();
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(cos(y - x), cos(x - y));
  EXPECT_EQ(sin(x + 2 * pi), sin(x));
  EXPECT_EQ(sin(x + pi), -sin(x));
  EXPECT_EQ(cos(x + pi / 2), -sin(x));
  EXPECT_EQ(sin(pi / 2 - x), cos(x));
  EXPECT_EQ(tanh(-x), -tanh(x));
  EXPECT_EQ(abs(-2 * x), 2 * abs(x));
  EXPECT_EQ(log(exp(x)), x);
  EXPECT_EQ(exp(log(x)), x);
}

TEST_F(PoolLaws, positive_symbols_leave_roots_and_signs) {
  const Expr m = pool.symbol("m", SymbolKind::parameter, true);
  EXPECT_EQ(sqrt(pow(m, 2)), m);
  EXPECT_EQ(abs(m), m);
  EXPECT_EQ(sign(m), n(1));
  EXPECT_EQ(sqrt(m * x), sqrt(m) * sqrt(x));
}

TEST_F(PoolLaws, constants_without_a_value_are_refused) {
  EXPECT_EQ(code_of([&] { 1 / n(0); }), ErrorCode::division_by_zero);
  EXPECT_EQ(code_of([&] { x / (y - y); }), ErrorCode::division_by_zero);
  EXPECT_EQ(code_of([&] { log(n(-1)); }), ErrorCode::undefined_constant);
  EXPECT_EQ(code_of([&] { sqrt(n(-2)); }), ErrorCode::undefined_constant);
  EXPECT_EQ(code_of([&] { asin(n(3)); }), ErrorCode::undefined_constant);
  EXPECT_EQ(code_of([&] { tan(pool.pi() / 2); }), ErrorCode::undefined_constant);
  EXPECT_EQ(code_of([&] { pow(n(0), 0); }), ErrorCode::undefined_constant);
  EXPECT_EQ(code_of([&] { pow(n(3), power(Rational(10), 9)); }), ErrorCode::number_too_large);
}

TEST_F(PoolLaws, misuse_is_refused_with_its_code) {
  Pool other;
  EXPECT_EQ(code_of([&] { x + other.symbol("x"); }), ErrorCode::mixed_pools);
  EXPECT_EQ(code_of([&] { x* Expr(); }), ErrorCode::empty_expression);
  EXPECT_EQ(code_of([&] { pool.symbol("x", SymbolKind::velocity); }), ErrorCode::symbol_kind_conflict);
  EXPECT_EQ(code_of([&] { pool.symbol("2x"); }), ErrorCode::invalid_name);
  EXPECT_EQ(code_of([&] { pool.symbol("pi"); }), ErrorCode::invalid_name);
  EXPECT_EQ(code_of([&] { pool.function("sin", 1); }), ErrorCode::invalid_name);
  EXPECT_EQ(code_of([&] { pool.function("D", 1); }), ErrorCode::invalid_name);
  EXPECT_EQ(code_of([&] { pool.function("f'", 1); }), ErrorCode::invalid_name);
  EXPECT_EQ(code_of([&] { pool.elementary(Op::atan2, std::span(&x, 1)); }), ErrorCode::wrong_arity);
  EXPECT_EQ(code_of([&] { pool.apply(pool.function("f", 2), std::span(&x, 1)); }), ErrorCode::wrong_arity);
}

TEST_F(PoolLaws, deep_and_wide_expressions_are_built) {
  Expr deep = x;
  for (int i = 0; i < 300'000; ++i) deep = pow(cos(deep) + y, 2);
  EXPECT_EQ(deep.depth(), 900'001u);
  std::vector<Expr> terms;
  for (int i = 0; i < 100'000; ++i) terms.push_back(pool.symbol(fmt::format("s{}", i % 50'000)) * (i + 1));
  EXPECT_EQ(pool.add(terms).args().size(), 50'000u);
  EXPECT_NE(deep + x, deep);
}

}  // namespace
}  // namespace liaison
