#include "liaison/expr/parse.hpp"

#include <gtest/gtest.h>

#include "liaison/expr/print.hpp"

namespace liaison {
namespace {

class Parse : public ::testing::Test {
 protected:
  Expr read(std::string_view text) { return parse(pool, text); }
  Expr num(long p, long q = 1) { return pool.number(Rational(p, q)); }

  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
};

TEST_F(Parse, numbers_are_exact) {
  EXPECT_EQ(read("3"), num(3));
  EXPECT_EQ(read("3/4"), num(3, 4));
  EXPECT_EQ(read("9.81"), num(981, 100));
  EXPECT_EQ(read("1.5e-3"), num(3, 2000));
  EXPECT_EQ(read("2E+2"), num(200));
  EXPECT_EQ(read(".5"), num(1, 2));
  EXPECT_EQ(read("2."), num(2));
  EXPECT_EQ(read("½"), num(1, 2));
  EXPECT_EQ(read("0.1 + 0.2"), num(3, 10));
  EXPECT_EQ(read("1e3"), num(1000));
}

TEST_F(Parse, powers_bind_tightest_and_to_the_right) {
  EXPECT_EQ(read("-x^2"), -pow(x, 2));
  EXPECT_EQ(read("2^3^2"), num(512));
  EXPECT_EQ(read("2^-3"), num(1, 8));
  EXPECT_EQ(read("2^-3^2"), num(1, 512));
  EXPECT_EQ(read("2^-1*x"), x / Rational(2));
  EXPECT_EQ(read("2*x^3"), Rational(2) * pow(x, 3));
  EXPECT_EQ(read("x^(1/2)"), sqrt(x));
  EXPECT_EQ(read("x^1/2"), x / Rational(2));
  EXPECT_EQ(read("x^y"), exp(y * log(x)));
  EXPECT_EQ(read("x^y^z"), pow(x, pow(y, z)));
}

TEST_F(Parse, quotients_go_to_the_left) {
  EXPECT_EQ(read("x/y/z"), x / (y * z));
  EXPECT_EQ(read("x/y*z"), x * z / y);
  EXPECT_EQ(read("8/4/2"), num(1));
  EXPECT_EQ(read("x - y - z"), x - (y + z));
  EXPECT_EQ(read("x - (y - z)"), x - y + z);
}

TEST_F(Parse, signs_may_stand_before_any_operand) {
  EXPECT_EQ(read("--x"), x);
  EXPECT_EQ(read("+x"), x);
  EXPECT_EQ(read("x*-y"), -(x * y));
  EXPECT_EQ(read("x/-y"), -(x / y));
  EXPECT_EQ(read("x - -y"), x + y);
  EXPECT_EQ(read("-(x + y)*z"), Rational(-1) * (z * (x + y)));
  EXPECT_EQ(read("x^-y"), pow(x, -y));
}

TEST_F(Parse, unicode_reads_as_ascii) {
  EXPECT_EQ(read("θ"), read("theta"));
  EXPECT_EQ(read("φ₁ + Ω₁₂"), read("phi1 + Omega12"));
  EXPECT_EQ(read("x·y×z"), x * y * z);
  EXPECT_EQ(read("x − y"), x - y);
  EXPECT_EQ(read("x² + y³ + z¹²"), pow(x, 2) + pow(y, 3) + pow(z, 12));
  EXPECT_EQ(read("x⁻²"), pow(x, -2));
  EXPECT_EQ(read("√(x + y)"), sqrt(x + y));
  EXPECT_EQ(read("√2"), sqrt(num(2)));
  EXPECT_EQ(read("√x*y"), sqrt(x) * y);
  EXPECT_EQ(read("2*π"), Rational(2) * pool.pi());
  EXPECT_EQ(read("θ̇"), read("theta'"));
  EXPECT_EQ(read("φ̈₁"), read("phi1''"));
  EXPECT_EQ(read("ẋ + ẍ"), read("x' + x''"));
  EXPECT_EQ(read("x′ + x″"), read("x' + x''"));
}

TEST_F(Parse, a_superscript_applies_to_the_operand_before_it) {
  EXPECT_EQ(read("-x²"), -pow(x, 2));
  EXPECT_EQ(read("2^y²"), pow(num(2), pow(y, 2)));
  EXPECT_EQ(read("sin(x)²"), pow(sin(x), 2));
  EXPECT_EQ(read("(x + y)³"), pow(x + y, 3));
}

TEST_F(Parse, names_keep_their_primes) {
  EXPECT_EQ(read("theta''").symbol().name, "theta''");
  EXPECT_EQ(read("x_1'").symbol().name, "x_1'");
  EXPECT_EQ(read("_a").symbol().name, "_a");
}

TEST_F(Parse, functions_take_their_arguments) {
  EXPECT_EQ(read("sin(x)"), sin(x));
  EXPECT_EQ(read("atan2(y, x)"), atan2(y, x));
  EXPECT_EQ(read("sqrt(x)"), sqrt(x));
  EXPECT_EQ(read("min(x, y, z)"), min(min(x, y), z));
  EXPECT_EQ(read("max(x, -y)"), max(x, -y));
  EXPECT_EQ(read("sin (x)"), sin(x));
  EXPECT_EQ(read("exp(-(x))"), exp(-x));
}

TEST_F(Parse, unknown_functions_and_their_derivatives) {
  const FunctionInfo* f = pool.function("f", 1);
  const FunctionInfo* g = pool.function("g", 2);
  const std::array one{x};
  const std::array two{x, y};
  EXPECT_EQ(read("f(x)"), pool.apply(f, one));
  EXPECT_EQ(read("f'(x)"), pool.apply(f, one, {1}));
  EXPECT_EQ(read("f''(x)"), pool.apply(f, one, {2}));
  EXPECT_EQ(read("D(f, 1)(x)"), read("f'(x)"));
  EXPECT_EQ(read("g(x, y)"), pool.apply(g, two));
  EXPECT_EQ(read("D(g, 1, 2)(x, y)"), pool.apply(g, two, {1, 1}));
  EXPECT_EQ(read("D(g, 2, 1, 2)(x, y)^2"), pow(pool.apply(g, two, {1, 2}), 2));
}

TEST_F(Parse, a_declared_symbol_keeps_its_kind) {
  const Expr q = pool.symbol("q", SymbolKind::coordinate);
  EXPECT_EQ(read("q"), q);
  EXPECT_EQ(read("new_name").symbol().kind, SymbolKind::parameter);
}

TEST_F(Parse, spaces_and_line_ends_do_not_matter) {
  EXPECT_EQ(read(" \t x\n +\r\n y "), x + y);
}

TEST_F(Parse, a_part_of_a_source_is_read_alone) {
  const Source source("model.lia", "energy: x + y; rest");
  const ParsedExpression parsed = parse_expression(pool, source, Span{8, 13});
  EXPECT_EQ(parsed.value, x + y);
  const ParsedExpression cut = parse_expression(pool, source, Span{8, 11});
  ASSERT_EQ(cut.diagnostics.size(), 1u);
  EXPECT_EQ(cut.diagnostics[0].span.begin, 10u);
  EXPECT_EQ(cut.diagnostics[0].span.end, 11u);
}

TEST_F(Parse, a_failure_leaves_no_value) {
  const ParsedExpression parsed = parse_expression(pool, Source("a", "x + nowhere"));
  EXPECT_TRUE(parsed.value.empty());
  EXPECT_EQ(parsed.diagnostics.size(), 1u);
}

TEST_F(Parse, the_short_form_throws_the_rendered_diagnostics) {
  try {
    read("x +");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_text);
    EXPECT_NE(std::string(error.what()).find("an operand is missing behind `+` [L0106]"), std::string::npos);
    EXPECT_EQ(error.hint(), "write a number, a name or a bracket there");
  }
}

TEST_F(Parse, long_flat_sums_and_products_are_read) {
  std::string sum = "0", product = "1";
  for (int i = 0; i < 100'000; ++i) {
    sum += " + x" + std::to_string(i);
    product += "*x" + std::to_string(i);
  }
  EXPECT_EQ(read(sum).args().size(), 100'000u);
  EXPECT_EQ(read(product).args().size(), 100'000u);
}

TEST_F(Parse, depth_up_to_the_limit_is_read) {
  const auto nested = [](std::string_view open, std::string_view close, std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text += open;
    text += "x";
    for (std::size_t i = 0; i < n; ++i) text += close;
    return text;
  };
  EXPECT_EQ(read(nested("(", ")", 10'000)), x);
  EXPECT_EQ(read(nested("-", "", 10'000)), x);
  EXPECT_EQ(read(nested("exp(1 + ", ")", 10'000)).depth(), 20'001u);
}

TEST_F(Parse, prefix_plus_signs_cost_no_depth) {
  EXPECT_EQ(read(std::string(1'000'000, '+') + "x"), x);
}

}  // namespace
}  // namespace liaison
