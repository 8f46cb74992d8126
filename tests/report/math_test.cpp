#include "liaison/expr/print_mathml.hpp"
#include "liaison/report/document.hpp"
#include "support/forms_support.hpp"
#include "support/random_expression.hpp"
#include "xml_check.hpp"

namespace liaison {
namespace {

using test::Desk;

struct MathTest : ::testing::Test {
  Desk desk;
  Math operator()(std::string_view text) { return math(desk(text)); }
};

test::RandomOptions every_kind() {
  test::RandomOptions options;
  options.functions = test::all_functions();
  options.symbols = {
      {"x", SymbolKind::parameter}, {"theta'", SymbolKind::velocity}, {"m_a", SymbolKind::parameter}};
  options.unknown_functions = {{"f", 1}, {"h", 2}};
  options.fractional_powers = true;
  return options;
}

TEST_F(MathTest, the_pieces_side_by_side_are_the_expression_in_every_notation) {
  for (std::uint64_t seed : test::seeds(200)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, every_kind());
    Pool pool;
    const Expr e = random.expression(pool);
    const Math formula = math(e);
    EXPECT_EQ(infix_of(formula), to_infix(e));
    EXPECT_EQ(unicode_of(formula), to_unicode(e));
    EXPECT_EQ(latex_of(formula), to_latex(e));
    EXPECT_EQ(formula.pieces.size(), e.is(Op::add) ? e.args().size() : 1);
    EXPECT_EQ(test::xml_fault("<mrow>" + mathml_of(formula) + "</mrow>"), "") << to_infix(e);
    EXPECT_EQ(test::xml_fault("<mrow>" + to_mathml(e) + "</mrow>"), "") << to_infix(e);
  }
}

TEST_F(MathTest, a_form_has_a_piece_for_each_term) {
  const CoframePtr frame = desk.coordinates("v x t");
  const Form omega = desk.form(frame, "m: dv dx; -m*v: dv dt; x - t: dx dt");
  const Math formula = math(omega);
  ASSERT_EQ(formula.pieces.size(), 3u);
  EXPECT_EQ(formula.pieces[1].unicode, " − m v dv ∧ dt");
  EXPECT_EQ(infix_of(formula), to_infix(omega));
  EXPECT_EQ(unicode_of(formula), to_unicode(omega));
  EXPECT_EQ(latex_of(formula), to_latex(omega));
  EXPECT_EQ(
      to_mathml(desk.form(frame, "1: dv dx; -m: dv dt")),
      "<mi mathvariant=\"normal\">d</mi><mi>v</mi><mo>∧</mo><mi mathvariant=\"normal\">d</mi><mi>x</mi>"
      "<mo>−</mo><mi>m</mi><mspace width=\"0.167em\"/>"
      "<mi mathvariant=\"normal\">d</mi><mi>v</mi><mo>∧</mo><mi mathvariant=\"normal\">d</mi><mi>t</mi>");
  EXPECT_EQ(infix_of(math(Form(frame, 2))), "0");
  EXPECT_EQ(math(desk.form(frame, "x - t")).pieces.size(), 2u);
}

TEST_F(MathTest, relations_in_each_notation) {
  const Math formula = relate((*this)("x"), "!=", (*this)("y - z"));
  EXPECT_EQ(infix_of(formula), "x != y - z");
  EXPECT_EQ(unicode_of(formula), "x ≠ y − z");
  EXPECT_EQ(latex_of(formula), "x \\neq y - z");
  ASSERT_EQ(formula.pieces.size(), 3u);
  EXPECT_EQ(formula.pieces[1].start, Math::Start::relation);
  EXPECT_EQ(formula.pieces[2].start, Math::Start::term);
  EXPECT_EQ(mathml_of(relate((*this)("x"), "<", (*this)("y"))),
            "<mi>x</mi><mo form=\"infix\">&lt;</mo><mi>y</mi>");
}

TEST_F(MathTest, sums_of_formulas_keep_their_meaning) {
  EXPECT_EQ(infix_of(relate((*this)("x"), "+", (*this)("-y"))), "x - y");
  EXPECT_EQ(infix_of(relate((*this)("x"), "-", (*this)("-y"))), "x + y");
  const Math difference = relate((*this)("x"), "-", (*this)("y - z"));
  EXPECT_EQ(infix_of(difference), "x - (y - z)");
  EXPECT_EQ(latex_of(difference), "x - (y - z)");
  EXPECT_EQ(latex_of(symbol("lambda", "λ", "\\lambda") + (*this)("x")), "\\lambda x");
}

TEST_F(MathTest, a_symbol_gets_its_mathml_from_latex) {
  EXPECT_EQ(symbol("lambda(roll_x)", "λ(roll_x)", "\\lambda_{\\mathrm{roll\\_x}}").pieces[0].mathml,
            "<msub><mi>λ</mi><mrow><mi>roll_x</mi></mrow></msub>");
  EXPECT_EQ(
      symbol("", "", "\\Omega_{s}^{12}").pieces[0].mathml,
      "<msubsup><mi mathvariant=\"normal\">Ω</mi><mrow><mi>s</mi></mrow><mrow><mn>12</mn></mrow></msubsup>");
  EXPECT_EQ(
      symbol("", "", "\\frac{\\mathrm{d}\\dot{x}}{\\mathrm{d}t}").pieces[0].mathml,
      "<mfrac><mrow><mi mathvariant=\"normal\">d</mi><mover><mrow><mi>x</mi></mrow><mo>˙</mo></mover></mrow>"
      "<mrow><mi mathvariant=\"normal\">d</mi><mi>t</mi></mrow></mfrac>");
  EXPECT_EQ(symbol("", "", "\\left(a, b\\right)").pieces[0].mathml,
            "<mrow><mo stretchy=\"false\">(</mo><mi>a</mi><mo>,</mo><mi>b</mi>"
            "<mo stretchy=\"false\">)</mo></mrow>");
}

// TeX sets a name of several letters apart from its neighbours, and the name of a function too.
TEST_F(MathTest, names_of_several_letters_stay_apart) {
  const Math product = math(desk("mc*rc*x"));
  EXPECT_EQ(latex_of(product), "\\mathrm{mc} \\, \\mathrm{rc} \\, x");
  EXPECT_EQ(unicode_of(product), "mc rc x");
  const std::string thin = "<mspace width=\"0.167em\"/>", times = "<mo>\u2062</mo>";
  EXPECT_EQ(mathml_of(product), "<mi>mc</mi>" + times + thin + "<mi>rc</mi>" + times + thin + "<mi>x</mi>");
  EXPECT_EQ(latex_of(math(desk("a*b"))), "a b");
  // with dots, and behind a number; a fraction has its space from TeX
  EXPECT_EQ(latex_of(math(desk("2*arm'*mc"))), "2 \\, \\dot{\\mathrm{arm}} \\, \\mathrm{mc}");
  EXPECT_EQ(latex_of(math(desk("J*arm'^2/2"))), "\\frac{1}{2} J \\, \\dot{\\mathrm{arm}}^{2}");
  EXPECT_EQ(latex_of(math(desk("2*x_max"))), "2 x_{\\mathrm{max}}");
  EXPECT_NE(mathml_of(math(desk("a*arm'"))).find(thin), std::string::npos);
}

TEST_F(MathTest, half_a_command_does_no_harm) {
  for (const char* latex :
       {"", "\\", "x_", "\\left", "\\left(x", "\\frac{a", "}", "{", "a & b", "\\begin{pmatrix}a"}) {
    SCOPED_TRACE(latex);
    EXPECT_EQ(test::xml_fault("<mrow>" + mathml_of(symbol("", "", latex)) + "</mrow>"), "");
  }
}

TEST_F(MathTest, a_matrix_stands_on_lines_of_its_own) {
  const Math r =
      relate(symbol("r", "r", "r"), "=", math(Matrix(2, 2, desk.list({"1/m", "0", "x'", "m + l"}))));
  EXPECT_EQ(infix_of(r), "r = [[1/m, 0], [x', m + l]]");
  EXPECT_EQ(unicode_of(r), "r = [1/m, 0; x\u0307, m + l]");
  EXPECT_EQ(latex_of(r), "r = \\begin{pmatrix}\\frac{1}{m} & 0 \\\\ \\dot{x} & m + l\\end{pmatrix}");
  EXPECT_EQ(r.pieces[1].tall, (std::vector<std::string>{" = ⎡ 1/m  0     ⎤", "   ⎣ x\u0307    m + l ⎦"}));
  EXPECT_EQ(test::xml_fault("<mrow>" + mathml_of(r) + "</mrow>"), "");
}

}  // namespace
}  // namespace liaison
