#include <gtest/gtest.h>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

void expect_round_trip(Expr e) {
  const std::string printed = to_infix(e);
  const Source source("printed", printed);
  const ParsedExpression again = parse_expression(e.pool(), source);
  ASSERT_TRUE(again.diagnostics.empty()) << render(again.diagnostics, source);
  EXPECT_EQ(again.value, e) << printed << "\nreads back as\n" << to_infix(again.value);
}

test::RandomOptions wide_options() {
  test::RandomOptions options;
  options.functions = test::all_functions();
  options.symbols = {{"x", SymbolKind::coordinate},       {"x'", SymbolKind::velocity},
                     {"m", SymbolKind::parameter, true},  {"k", SymbolKind::parameter},
                     {"theta_2", SymbolKind::coordinate}, {"D", SymbolKind::parameter}};
  options.unknown_functions = {{"f", 1}, {"g", 2}};
  options.fractional_powers = true;
  return options;
}

TEST(RoundTrip, random_expressions_read_back_as_themselves) {
  for (std::uint64_t seed : test::seeds(2000)) {
    SCOPED_TRACE(test::seed_note(seed));
    Pool pool;
    test::RandomExpressions random(seed, wide_options());
    expect_round_trip(random.expression(pool));
  }
}

TEST(RoundTrip, deeper_random_expressions_read_back_as_themselves) {
  for (std::uint64_t seed : test::seeds(200)) {
    SCOPED_TRACE(test::seed_note(seed));
    Pool pool;
    test::RandomOptions options = wide_options();
    options.depth = 7;
    test::RandomExpressions random(seed, options);
    expect_round_trip(random.expression(pool));
  }
}

TEST(RoundTrip, derivatives_read_back_as_themselves) {
  for (std::uint64_t seed : test::seeds(300)) {
    SCOPED_TRACE(test::seed_note(seed));
    Pool pool;
    test::RandomExpressions random(seed, wide_options());
    const Expr e = random.expression(pool);
    const Expr x = pool.symbol("x", SymbolKind::coordinate);
    try {
      expect_round_trip(derivative(derivative(e, x), x));
    } catch (const Error& error) {  // a constant without a real value
      EXPECT_TRUE(error.code() == ErrorCode::undefined_constant ||
                  error.code() == ErrorCode::division_by_zero);
    }
  }
}

TEST(RoundTrip, the_same_tree_prints_the_same_in_every_pool) {
  for (std::uint64_t seed : test::seeds(300)) {
    SCOPED_TRACE(test::seed_note(seed));
    Pool forwards, backwards;
    test::RandomExpressions random(seed, wide_options());
    const test::Tree tree = random.tree();
    try {
      EXPECT_EQ(to_infix(random.build(forwards, tree)), to_infix(random.build_backwards(backwards, tree)));
    } catch (const Error&) {  // a tree that the pool refuses
    }
  }
}

}  // namespace
}  // namespace liaison
