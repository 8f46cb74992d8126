#include "liaison/report/shared_parts.hpp"

#include <gtest/gtest.h>

#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

struct SharedPartsTest : ::testing::Test {
  Pool pool;
  std::vector<Expr> list(std::initializer_list<std::string_view> texts) {
    std::vector<Expr> all;
    for (std::string_view text : texts) all.push_back(parse(pool, text));
    return all;
  }
};

/// The meanings put back, the last name first: a meaning uses only names before its own.
std::vector<Expr> expanded(const SharedParts& parts) {
  std::vector<Expr> all = parts.rewritten;
  for (std::size_t i = parts.definitions.size(); i-- > 0;) {
    const auto& [name, meaning] = parts.definitions[i];
    all = substitute(all, {{name, meaning}});
  }
  return all;
}

double written(std::span<const Expr> expressions) {
  double count = 0;
  for (Expr e : expressions) count += static_cast<double>(count_written_operations(e));
  return count;
}

TEST_F(SharedPartsTest, a_denominator_is_named_once) {
  const SharedParts parts =
      name_shared_parts(pool, list({"a/(M + m*sin(q)^2)", "b/(M + m*sin(q)^2) + sin(q)", "m*l^2", "m*l^2"}));
  ASSERT_EQ(parts.definitions.size(), 1u);
  EXPECT_EQ(to_infix(parts.definitions[0].first), "s1");
  EXPECT_EQ(to_infix(parts.definitions[0].second), to_infix(parse(pool, "M + m*sin(q)^2")));
  EXPECT_EQ(to_infix(parts.rewritten[0]), "a/s1");
  EXPECT_EQ(to_infix(parts.rewritten[1]), to_infix(parse(pool, "b/s1 + sin(q)")));
  EXPECT_EQ(to_infix(parts.rewritten[2]), "m*l^2");
}

TEST_F(SharedPartsTest, a_definition_uses_the_names_before_it) {
  const SharedParts parts = name_shared_parts(
      pool, list({"exp(sin(a + b*c + d) + x*y*z)", "tan(sin(a + b*c + d) + x*y*z)", "x/(a + b*c + d)"}));
  ASSERT_EQ(parts.definitions.size(), 2u);
  EXPECT_EQ(to_infix(parts.definitions[0].second), to_infix(parse(pool, "a + b*c + d")));
  EXPECT_EQ(to_infix(parts.definitions[1].second), to_infix(parse(pool, "x*y*z + sin(s1)")));
  EXPECT_EQ(to_infix(parts.rewritten[1]), "tan(s2)");
  EXPECT_EQ(to_infix(parts.rewritten[2]), "x/s1");
}

TEST_F(SharedPartsTest, a_part_of_one_part_only_has_no_name) {
  const SharedParts parts =
      name_shared_parts(pool, list({"exp(sin(a + b*c + d) + x*y*z)", "tan(sin(a + b*c + d) + x*y*z)"}));
  ASSERT_EQ(parts.definitions.size(), 1u);
  EXPECT_EQ(to_infix(parts.rewritten[0]), "exp(s1)");
}

TEST_F(SharedPartsTest, names_in_use_are_passed_over) {
  pool.symbol("k1");
  pool.function("k3", 1);
  const SharedParts parts = name_shared_parts(
      pool, list({"sin(a*b*c*d)", "cos(a*b*c*d)", "sin(a + b + c + d)", "cos(a + b + c + d)"}), "k");
  ASSERT_EQ(parts.definitions.size(), 2u);
  EXPECT_EQ(to_infix(parts.definitions[0].first), "k2");
  EXPECT_EQ(to_infix(parts.definitions[1].first), "k4");
}

TEST_F(SharedPartsTest, nothing_shared_and_nothing_given) {
  const std::vector<Expr> expressions = list({"a + b + c + d", "a*b*c*d"});
  const SharedParts parts = name_shared_parts(pool, expressions);
  EXPECT_TRUE(parts.definitions.empty());
  EXPECT_EQ(parts.rewritten, expressions);
  EXPECT_TRUE(name_shared_parts(pool, {}).rewritten.empty());
}

TEST_F(SharedPartsTest, random_lists_come_back_and_are_shorter) {
  std::size_t named = 0;
  for (std::uint64_t seed : test::seeds(150)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomOptions options;
    options.functions = test::all_functions();
    options.fractional_powers = seed % 2 == 0;
    options.depth = 3;
    test::RandomExpressions random(seed, options);
    Pool own;
    std::vector<Expr> expressions;
    const std::vector<Expr> parts = random.expressions(own, 3);
    for (Expr e : random.expressions(own, 4)) {
      const Expr part = parts[random.below(3)];
      expressions.push_back(random.below(2) == 0 ? sin(part) * e + part : atan(part + e) * part);
    }
    const SharedParts shared = name_shared_parts(own, expressions);
    EXPECT_EQ(expanded(shared), expressions);
    std::vector<Expr> all = shared.rewritten;
    for (const auto& [name, meaning] : shared.definitions) all.push_back(meaning);
    const double names = static_cast<double>(shared.definitions.size());
    // Each name saves more than its definition costs.
    EXPECT_LE(written(all) + 2 * names, written(expressions));
    named += shared.definitions.size();
  }
  EXPECT_GT(named, 100u);
}

TEST_F(SharedPartsTest, a_graph_too_large_to_write_out_becomes_short) {
  Expr e = pool.symbol("x");
  for (int i = 0; i < 200; ++i) e = sin(e) + pow(e, 2) * cos(e) + pool.symbol("y");
  const SharedParts parts = name_shared_parts(pool, std::vector<Expr>{e});
  EXPECT_EQ(expanded(parts), std::vector<Expr>{e});
  std::vector<Expr> all = parts.rewritten;
  for (const auto& [name, meaning] : parts.definitions) all.push_back(meaning);
  EXPECT_LT(written(all), 2000);
}

}  // namespace
}  // namespace liaison
