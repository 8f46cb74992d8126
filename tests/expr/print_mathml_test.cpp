#include "liaison/expr/print_mathml.hpp"

#include <gtest/gtest.h>

#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/print_parts.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

class PrintMathml : public ::testing::Test {
 protected:
  PrintMathml() {
    pool.symbol("theta", SymbolKind::coordinate);
    pool.symbol("theta'", SymbolKind::velocity);
    pool.function("f", 1);
    pool.function("h", 2);
  }
  std::string mathml(std::string_view text) { return to_mathml(parse(pool, text)); }

  Pool pool;
};

TEST_F(PrintMathml, fractions_powers_and_dots) {
  EXPECT_EQ(mathml("l^2*theta'"),
            "<msup><mi>l</mi><mn>2</mn></msup><mo>\u2062</mo>"
            "<mover><mi>θ</mi><mo>˙</mo></mover>");
  EXPECT_EQ(mathml("q_1^2"), "<msubsup><mi>q</mi><mn>1</mn><mn>2</mn></msubsup>");
  EXPECT_EQ(mathml("x/2"), "<mfrac><mn>1</mn><mn>2</mn></mfrac><mo>\u2062</mo><mi>x</mi>");
  EXPECT_EQ(mathml("(x + 1)/y"),
            "<mfrac><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><mrow><mi>y</mi></mrow></mfrac>");
  EXPECT_EQ(mathml("(x + y)^(1/3)"),
            "<msup><mrow><mrow><mo>(</mo><mi>x</mi><mo>+</mo><mi>y</mi><mo>)</mo></mrow></mrow>"
            "<mrow><mn>1</mn><mo>/</mo><mn>3</mn></mrow></msup>");
  EXPECT_EQ(mathml("-sqrt(x)"), "<mo>−</mo><msqrt><mi>x</mi></msqrt>");
}

TEST_F(PrintMathml, functions_and_their_derivatives) {
  EXPECT_EQ(mathml("sin(theta)^2"),
            "<msup><mi>sin</mi><mn>2</mn></msup><mo>\u2061</mo><mspace width=\"0.167em\"/><mi>θ</mi>");
  EXPECT_EQ(
      mathml("log(x)^(1/3)"),
      "<msup><mrow><mrow><mo>(</mo><mi>log</mi><mo>\u2061</mo><mspace width=\"0.167em\"/><mi>x</mi><mo>)</mo>"
      "</mrow></mrow><mrow><mn>1</mn><mo>/</mo><mn>3</mn></mrow></msup>");
  EXPECT_EQ(mathml("exp(x)"), "<msup><mi>e</mi><mrow><mi>x</mi></mrow></msup>");
  EXPECT_EQ(mathml("abs(x)"), "<mrow><mo>|</mo><mi>x</mi><mo>|</mo></mrow>");
  EXPECT_EQ(mathml("f''(x)"),
            "<msup><mi>f</mi><mo>″</mo></msup><mo>\u2061</mo><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow>");
  EXPECT_EQ(mathml("D(h, 1, 1, 2)(x, y)"),
            "<msubsup><mi>∂</mi><mn>1</mn><mn>2</mn></msubsup><msub><mi>∂</mi><mn>2</mn></msub><mi>h</mi>"
            "<mo>\u2061</mo><mrow><mo>(</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo>)</mo></mrow>");
}

TEST_F(PrintMathml, what_stands_behind_a_function_is_not_read_as_its_argument) {
  const std::string x = "<mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow>",
                    alone = "<mspace width=\"0.167em\"/><mi>x</mi>";
  EXPECT_EQ(mathml("cos(x)*exp(y)"), "<mi>cos</mi><mo>\u2061</mo>" + x +
                                         "<mo>\u2062</mo><msup><mi>e</mi><mrow><mi>y</mi></mrow></msup>");
  EXPECT_EQ(mathml("cos(x)*sin(x)"),
            "<mi>sin</mi><mo>\u2061</mo>" + alone +
                "<mo>\u2062</mo><mspace width=\"0.167em\"/><mi>cos</mi><mo>\u2061</mo>" + alone);
  EXPECT_EQ(
      mathml("abs(y)*sign(x)"),
      "<mrow><mo>|</mo><mi>y</mi><mo>|</mo></mrow><mo>\u2062</mo><mspace width=\"0.167em\"/><mi>sign</mi>"
      "<mo>\u2061</mo>" +
          alone);
}

TEST_F(PrintMathml, names) {
  EXPECT_EQ(mathml_name("phi1''"), "<msub><mover><mi>φ</mi><mo>¨</mo></mover><mn>1</mn></msub>");
  EXPECT_EQ(mathml_name("Omega_s"), "<msub><mi mathvariant=\"normal\">Ω</mi><mi>s</mi></msub>");
  EXPECT_EQ(mathml_name("x'''''"), "<msup><mi>x</mi><mrow><mo>(</mo><mn>5</mn><mo>)</mo></mrow></msup>");
  EXPECT_EQ(escape_xml("a < b & \"c\"\x01"), "a &lt; b &amp; &quot;c&quot;\uFFFD");
}

TEST_F(PrintMathml, printed_terms_are_the_summands_that_infix_writes) {
  for (std::uint64_t seed : test::seeds(200)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed);
    Pool own;
    const Expr e = random.expression(own);
    std::string joined;
    for (Expr term : printed_terms(e)) {
      const std::string text = to_infix(term);
      if (joined.empty()) {
        joined = text;
      } else {
        joined += text.starts_with("-") ? " - " + to_infix(-term) : " + " + text;
      }
    }
    EXPECT_EQ(joined, to_infix(e));
  }
}

TEST(DisplayedColumns, marks_above_letters_take_none) {
  EXPECT_EQ(displayed_columns("θ̇² ∧ x"), 6u);
  EXPECT_EQ(displayed_columns("½ m"), 3u);
}

}  // namespace
}  // namespace liaison
