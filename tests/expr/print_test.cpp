#include "liaison/expr/print.hpp"

#include <gtest/gtest.h>

#include "liaison/expr/parse.hpp"

namespace liaison {
namespace {

class Print : public ::testing::Test {
 protected:
  Print() {
    for (const std::string name : {"x", "y", "theta", "phi1"}) {
      pool.symbol(name, SymbolKind::coordinate);
      pool.symbol(name + "'", SymbolKind::velocity);
    }
    pool.function("f", 1);
    pool.function("h", 2);
  }
  std::string infix(std::string_view text) { return to_infix(parse(pool, text)); }
  std::string unicode(std::string_view text) { return to_unicode(parse(pool, text)); }
  std::string latex(std::string_view text) { return to_latex(parse(pool, text)); }
  std::string c(std::string_view text) { return to_c(parse(pool, text)); }

  Pool pool;
};

TEST_F(Print, terms_stand_by_degree_and_a_positive_one_leads) {
  EXPECT_EQ(infix("1 + 2*x + x^2"), "x^2 + 2*x + 1");
  EXPECT_EQ(infix("l^2 - x^2 - y^2"), "l^2 - x^2 - y^2");
  EXPECT_EQ(infix("y^2 + x*y + x^2"), "x^2 + x*y + y^2");
  EXPECT_EQ(infix("-x - y"), "-x - y");
  EXPECT_EQ(infix("c + b*x + a*x^2"), "a*x^2 + b*x + c");
  EXPECT_EQ(infix("1 + sin(x)"), "sin(x) + 1");
  EXPECT_EQ(infix("-m*g*l*cos(theta) + m*l^2*theta'^2/2"), "m*l^2*theta'^2/2 - m*g*l*cos(theta)");
}

TEST_F(Print, factors_stand_masses_parameters_symbols_brackets_functions) {
  EXPECT_EQ(infix("sin(theta)*l*g*m"), "m*g*l*sin(theta)");
  EXPECT_EQ(infix("x'*x*a*2*pi"), "2*pi*a*x*x'");
  EXPECT_EQ(infix("cos(x)*(a + b)*x"), "x*(a + b)*cos(x)");
  EXPECT_EQ(infix("x10*x2"), "x2*x10");
}

TEST_F(Print, infix_shows_fractions) {
  EXPECT_EQ(infix("a*b^-1"), "a/b");
  EXPECT_EQ(infix("a/b/c"), "a/(b*c)");
  EXPECT_EQ(infix("-1/x"), "-1/x");
  EXPECT_EQ(infix("3*x/4"), "3*x/4");
  EXPECT_EQ(infix("x/(2*y)"), "x/(2*y)");
  EXPECT_EQ(infix("1/x^2"), "1/x^2");
  EXPECT_EQ(infix("1/sqrt(x)"), "1/sqrt(x)");
  EXPECT_EQ(infix("x^(3/2)"), "x^(3/2)");
  EXPECT_EQ(infix("a/2/(x + y)"), "a/2/(x + y)");
}

TEST_F(Print, infix_writes_functions_and_derivatives) {
  EXPECT_EQ(infix("f(x) + f'(x)"), "f(x) + f'(x)");
  EXPECT_EQ(infix("D(f, 1, 1, 1, 1)(x)"), "D(f, 1, 1, 1, 1)(x)");
  EXPECT_EQ(infix("D(h, 2, 1)(x, y)"), "D(h, 1, 2)(x, y)");
  EXPECT_EQ(infix("atan2(y, x)"), "atan2(y, x)");
}

TEST_F(Print, unicode_reads_like_a_page) {
  EXPECT_EQ(unicode("m*l^2*theta'^2/2"), "½ m l² θ̇²");
  EXPECT_EQ(unicode("m*g*l*cos(theta) - x"), "m g l cos(θ) − x");
  EXPECT_EQ(unicode("sqrt(2)*x + sqrt(x + y)"), "√2 x + √(x + y)");
  EXPECT_EQ(unicode("c*(a + b)^2"), "c·(a + b)²");
  EXPECT_EQ(unicode("phi1'/x"), "φ̇₁/x");
  EXPECT_EQ(unicode("3*x/7"), "3 x/7");
  EXPECT_EQ(unicode("pi/4"), "¼ π");
  EXPECT_EQ(unicode("abs(x) + abs(x + y)"), "|x| + abs(x + y)");
  EXPECT_EQ(unicode("f'(x) + D(h, 1, 1, 2)(x, y)"), "f′(x) + ∂₁²∂₂h(x, y)");
  EXPECT_EQ(unicode("2*3^(1/3)"), "2·3^(1/3)");
}

TEST_F(Print, latex_reads_like_a_page) {
  EXPECT_EQ(latex("m*l^2*theta'^2/2"), "\\frac{1}{2} m l^{2} \\dot{\\theta}^{2}");
  EXPECT_EQ(latex("g*sin(theta)/l"), "\\frac{g \\sin \\theta}{l}");
  EXPECT_EQ(latex("sin(x)^2*cos(x + y)"), "\\sin^{2} x \\cos\\left(x + y\\right)");
  EXPECT_EQ(latex("x/(a + b)"), "\\frac{x}{a + b}");
  EXPECT_EQ(latex("c*(a + b)^2"), "c \\left(a + b\\right)^{2}");
  EXPECT_EQ(latex("sqrt(x)*exp(-x)"), "\\sqrt{x} e^{-x}");
  EXPECT_EQ(latex("abs(x)"), "\\left|x\\right|");
  EXPECT_EQ(latex("f'(x) + D(h, 1, 1, 2)(x, y)"),
            "f'\\left(x\\right) + \\partial_{1}^{2}\\partial_{2} h\\left(x, y\\right)");
  EXPECT_EQ(latex("2*3^(1/3)"), "2 \\cdot 3^{1/3}");
}

TEST_F(Print, what_stands_behind_a_function_in_latex_is_not_read_as_its_argument) {
  EXPECT_EQ(latex("cos(x)*exp(-y)"), "\\cos\\left(x\\right) e^{-y}");
  EXPECT_EQ(latex("sin(y)*cos(x)*exp(-y)"), "\\sin y \\cos\\left(x\\right) e^{-y}");
  EXPECT_EQ(latex("sin(x)*abs(y)"), "\\sin\\left(x\\right) \\left|y\\right|");
  EXPECT_EQ(latex("sin(x)^2*sqrt(y)"), "\\sqrt{y} \\sin^{2} x");
  EXPECT_EQ(latex("sign(x)*exp(y)"), "e^{y} \\operatorname{sign} x");
  EXPECT_EQ(latex("sin(x)*cos(x)"), "\\sin x \\cos x");
  EXPECT_EQ(latex("k*sign(x)"), "k \\operatorname{sign} x");
}

TEST_F(Print, an_exponent_in_latex_belongs_to_the_whole_function) {
  EXPECT_EQ(latex("log(x)^(3/2)"), "\\left(\\log x\\right)^{3/2}");
  EXPECT_EQ(latex("1/sin(x)^(1/3)"), "\\frac{1}{\\left(\\sin x\\right)^{1/3}}");
  EXPECT_EQ(latex("log(x + y)^(3/2)"), "\\left(\\log\\left(x + y\\right)\\right)^{3/2}");
  EXPECT_EQ(latex("log(x)^3"), "\\log^{3} x");
  EXPECT_EQ(latex("sqrt(log(x))"), "\\sqrt{\\log x}");
  EXPECT_EQ(latex("abs(x)^3"), "\\left|x\\right|^{3}");
  EXPECT_EQ(latex("f(x)^2"), "f\\left(x\\right)^{2}");
  EXPECT_EQ(latex("D(h, 1)(x, y)^2"), "\\left(\\partial_{1} h\\left(x, y\\right)\\right)^{2}");
}

TEST_F(Print, c_is_written_in_doubles) {
  EXPECT_EQ(c("x/2"), "x/2.0");
  EXPECT_EQ(c("1/2"), "1.0/2.0");
  EXPECT_EQ(c("x^2 + y^3"), "y*y*y + x*x");
  EXPECT_EQ(c("x^5"), "pow(x, 5.0)");
  EXPECT_EQ(c("1/x^2"), "1.0/(x*x)");
  EXPECT_EQ(c("x^(3/2)/sqrt(y)"), "pow(x, 3.0/2.0)/sqrt(y)");
  EXPECT_EQ(c("min(x, y)*max(x, y)"), "fmin(x, y)*fmax(x, y)");
  EXPECT_EQ(c("sign(x)*abs(y)"), "fabs(y)*(double)(((x) > 0.0) - ((x) < 0.0))");
  EXPECT_EQ(c("theta'^2*pi"), "3.14159265358979323846*theta_dot*theta_dot");
  EXPECT_EQ(c("D(h, 1, 2)(x, y)"), "h_d1_d2(x, y)");
}

TEST_F(Print, c_refuses_numbers_beyond_a_double) {
  EXPECT_THROW(c("10^400"), Error);
}

TEST(PrintNames, one_name_for_each_printer) {
  EXPECT_EQ(unicode_name("theta'"), "θ̇");
  EXPECT_EQ(unicode_name("x12''"), "x\u0308₁₂");
  EXPECT_EQ(unicode_name("length'"), "length′");
  EXPECT_EQ(unicode_name("k_theta"), "k_theta");
  EXPECT_EQ(latex_name("theta'"), "\\dot{\\theta}");
  EXPECT_EQ(latex_name("x12''"), "\\ddot{x}_{12}");
  EXPECT_EQ(latex_name("k_theta"), "k_{\\theta}");
  EXPECT_EQ(latex_name("m_cart"), "m_{\\mathrm{cart}}");
  EXPECT_EQ(latex_name("x'''''"), "x^{(5)}");
  EXPECT_EQ(c_name("theta'"), "theta_dot");
  EXPECT_EQ(c_name("theta''"), "theta_ddot");
  EXPECT_EQ(c_name("double"), "double_");
}

TEST(PrintLimits, depth_does_not_end_the_program) {
  Pool pool;
  Expr e = pool.symbol("x");
  for (int i = 0; i < 200'000; ++i) e = i % 2 == 0 ? exp(e) : e + Rational(1);
  EXPECT_EQ(to_infix(e).substr(0, 8), "exp(exp(");
  EXPECT_GT(to_unicode(e).size(), 400'000u);
  EXPECT_GT(to_latex(e).size(), 400'000u);
  EXPECT_GT(to_c(e).size(), 400'000u);
}

TEST(PrintLimits, a_shared_expression_too_long_to_write_is_refused) {
  Pool pool;
  Expr e = pool.symbol("x");
  for (int i = 0; i < 100; ++i) e = sin(e) * cos(e);
  for (auto print : {to_infix, to_c}) {
    try {
      print(e);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::limit_reached);
    }
  }
}

TEST(PrintLimits, an_empty_handle_is_refused) {
  try {
    to_infix(Expr());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::empty_expression);
  }
}

}  // namespace
}  // namespace liaison
