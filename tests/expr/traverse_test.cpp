#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <unordered_set>

#include "liaison/expr/print.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

class Traverse : public ::testing::Test {
 protected:
  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
};

TEST_F(Traverse, postorder_lists_each_node_once_and_arguments_first) {
  for (std::uint64_t seed : test::seeds(50)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed);
    const std::vector<Expr> roots = random.expressions(pool, 3);
    std::unordered_set<Expr> seen;
    for (Expr e : postorder(roots)) {
      for (Expr arg : e.args()) EXPECT_TRUE(seen.contains(arg));
      EXPECT_TRUE(seen.insert(e).second);
    }
    for (Expr root : roots) EXPECT_TRUE(seen.contains(root));
  }
}

TEST_F(Traverse, postorder_does_not_depend_on_the_order_of_creation) {
  for (std::uint64_t seed : test::seeds(50)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed);
    const test::Tree tree = random.tree();
    Pool first, second;
    Expr a, b;
    try {
      a = random.build(first, tree);
      second.symbol("z");
      b = random.build_backwards(second, tree);
    } catch (const Error&) {
      continue;
    }
    const std::vector<Expr> nodes_a = postorder(a), nodes_b = postorder(b);
    ASSERT_EQ(nodes_a.size(), nodes_b.size());
    for (std::size_t i = 0; i < nodes_a.size(); ++i) EXPECT_EQ(to_infix(nodes_a[i]), to_infix(nodes_b[i]));
  }
}

TEST_F(Traverse, symbols_are_listed_in_structural_order) {
  const Expr x10 = pool.symbol("x10"), x2 = pool.symbol("x2");
  EXPECT_EQ(symbols_in(sin(x10) * x2 + z - x), (std::vector<Expr>{x, x2, x10, z}));
  EXPECT_TRUE(symbols_in(pool.pi() + 1).empty());
}

TEST_F(Traverse, dependence_agrees_with_the_symbols_listed) {
  for (std::uint64_t seed : test::seeds(100)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed);
    const Expr e = random.expression(pool);
    const std::vector<Expr> listed = symbols_in(e);
    for (Expr symbol : {x, y, z})
      EXPECT_EQ(depends_on(e, symbol), std::find(listed.begin(), listed.end(), symbol) != listed.end());
  }
}

TEST_F(Traverse, dependence_tells_a_hundred_symbols_apart) {
  std::vector<Expr> symbols;
  for (int i = 0; i < 100; ++i) symbols.push_back(pool.symbol(fmt::format("s{}", i)));
  for (Expr a : symbols)
    for (Expr b : symbols) EXPECT_EQ(depends_on(sin(a), b), a == b);
}

TEST_F(Traverse, dependence_is_exact_with_more_symbols_than_the_sets_hold) {
  std::vector<Expr> symbols;
  for (int i = 0; i < 1000; ++i) symbols.push_back(pool.symbol(fmt::format("s{}", i)));
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(depends_on(sin(symbols[i]), symbols[i]));
    EXPECT_FALSE(depends_on(sin(symbols[i]), symbols[(i + 256) % 1000]));
  }
}

TEST_F(Traverse, dependence_on_a_subexpression_is_containment) {
  EXPECT_TRUE(depends_on(sin(x * y) + z, x * y));
  EXPECT_FALSE(depends_on(sin(x * z) + y, x * y));
}

TEST_F(Traverse, operations_are_counted_with_and_without_sharing) {
  const Expr shared = sin(x) + y;
  const Expr e = shared * cos(shared);
  EXPECT_EQ(count_operations(std::span(&e, 1)), 4u);
  EXPECT_EQ(count_written_operations(e), 6u);
  EXPECT_EQ(count_written_operations(x), 0u);
}

TEST_F(Traverse, the_written_count_of_a_doubling_chain_saturates) {
  Expr e = x;
  for (int i = 0; i < 200; ++i) e = sin(e) * cos(e);
  EXPECT_EQ(count_written_operations(e), std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(count_operations(std::span(&e, 1)), 600u);
}

TEST_F(Traverse, a_million_nested_functions_are_walked) {
  Expr e = x;
  for (int i = 0; i < 1'000'000; ++i) e = sin(e);
  EXPECT_EQ(postorder(e).size(), 1'000'001u);
  EXPECT_EQ(count_written_operations(e), 1'000'000u);
  EXPECT_TRUE(depends_on(e, x));
  EXPECT_EQ(symbols_in(e), std::vector<Expr>{x});
}

}  // namespace
}  // namespace liaison
