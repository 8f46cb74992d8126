#include "liaison/algebra/text_forms.hpp"

#include <gtest/gtest.h>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

class TextFormsTest : public ::testing::Test {
 protected:
  ParsedExpression text(const std::string& words) {
    return parse_expression(pool, Source("", words), {.declare_unknown = true});
  }
  std::string shown_on_domain(const std::string& words) {
    const ParsedExpression parsed = text(words);
    return to_infix(on_domain(parsed.value, parsed.domain));
  }
  std::string shown_readable(const std::string& words) {
    const ParsedExpression parsed = text(words);
    return to_infix(readable(algebra, parsed.value, parsed.domain));
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(TextFormsTest, a_piece_with_one_side_on_the_domain_is_gone) {
  EXPECT_EQ(shown_on_domain("sqrt(x)*sqrt(x) - abs(x)"), "0");
  EXPECT_EQ(shown_on_domain("abs(x) + 0*sqrt(-x)"), "-x");
  EXPECT_EQ(shown_on_domain("max(x, y) + 0*sqrt(x - y)"), "x");
  EXPECT_EQ(shown_on_domain("min(x, y) + 0*sqrt(x - y)"), "y");
  EXPECT_EQ(shown_on_domain("abs(abs(x) - y) + 0*sqrt(x) + 0*sqrt(x - y)"), "x - y");
}

TEST_F(TextFormsTest, a_jump_keeps_its_value_at_zero) {
  EXPECT_EQ(shown_on_domain("sign(x) + 0*sqrt(x)"), "sign(x)");
  EXPECT_EQ(shown_on_domain("sign(x)*abs(x) + 0*sqrt(x)"), to_infix(text("sign(x)*abs(x)").value));
  EXPECT_EQ(shown_on_domain("sign(x) + 0*log(x)"), "1");
}

TEST_F(TextFormsTest, what_the_domain_leaves_open_stays) {
  EXPECT_EQ(shown_on_domain("abs(x)"), "abs(x)");
  EXPECT_EQ(shown_on_domain("abs(x) + 0*sqrt(x + 1)"), "abs(x)");
  EXPECT_EQ(shown_on_domain("1/(abs(x) - x) + 0*sqrt(x)"), to_infix(text("1/(abs(x) - x)").value));
}

TEST_F(TextFormsTest, the_readable_form_loses_nothing_in_doubles) {
  // the root times itself is built as x + 57, which as terms of a sum loses what is small beside 57
  EXPECT_EQ(shown_readable("(x + 57)^(1/2)*(x + 57)^(1/2) - (sqrt((x + 57)^2) + 1e-13*sin(-x)^2)"),
            "-sin(x)^2/10000000000000");
  const std::string kept = shown_readable("abs(x + 57) - 1e-13*sin(x)^2 + 0*sqrt(x + 57)");
  EXPECT_NE(kept.find("abs(x + 57)"), std::string::npos) << kept;
}

TEST_F(TextFormsTest, sums_stay_as_they_are_written_where_terms_of_one_sum_would_cancel) {
  const auto shown = [&](const std::string& words) {
    const Source source("", words);
    return to_unicode(readable(algebra, read_with_sums(pool, source), text(words).domain));
  };
  EXPECT_EQ(shown("(x - 3) + exp(-y^2)"), "(x − 3) + exp(−y²)");
  EXPECT_EQ(shown("(x^2 - 4) + exp(-y^2)"), "(x² − 4) + exp(−y²)");
  EXPECT_EQ(shown("(sqrt(x) - 3) + exp(-y^2)"), "(√x − 3) + exp(−y²)");
  EXPECT_EQ(shown("(1/x - 2) + exp(-y^2)"), "(1/x − 2) + exp(−y²)");
  EXPECT_EQ(shown("(2/(x + 1) - 1) + exp(-y^2)"), "(2/(x + 1) − 1) + exp(−y²)");
  EXPECT_EQ(shown("y*(exp(-y^2) - 2*(x - 3))"), "y·((6 − 2 x) + exp(−y²))");
  EXPECT_EQ(shown("(x + z) + 1e-9*y^2"), "y²/1000000000 + (x + z)");
  EXPECT_EQ(shown("sqrt((x - 3) + 1e-9*y)"), "√((x − 3) + y/1000000000)");
  EXPECT_EQ(shown("((x - 3) + 1e-9*(y - 2))^2"), "((x − 3) + (y/1000000000 − 1/500000000))²");
  EXPECT_EQ(shown("1e-13*exp(y) + (exp(x) - 1)"), "(exp(x) − 1) + exp(y)/10000000000000");
  EXPECT_EQ(shown("(1e-13*sin(y) + (cosh(x) - 1)*2)*3"), "3·(2 cosh(x) − 2) + 3 sin(y)/10000000000000");
  // nothing is lost here that the text keeps
  EXPECT_EQ(shown("x + (2*y + 4)"), "x + 2 y + 4");
  EXPECT_EQ(shown("(1 - x) + (x - 1 + y)"), "y");
  EXPECT_EQ(shown("x - (x - exp(-y))"), "exp(−y)");
  EXPECT_EQ(shown("(x + 1)^2 - (x^2 + 2*x)"), "1");
}

TEST_F(TextFormsTest, a_written_sum_is_one_symbol_wherever_it_stands) {
  const Source source("", "exp(y) + (x - 3)*2 - ((x - 3)*2 + z)");
  const WrittenText read = read_with_sums(pool, source);
  ASSERT_EQ(read.sums.size(), 2u);
  EXPECT_EQ(to_infix(read.sums[0].second), "2*x - 6");
  EXPECT_EQ(read.merged(), parse(pool, "exp(y) - z"));
  EXPECT_EQ(parse(pool, to_infix(read)), read.merged());
  const Source minus("", "exp(y) - (exp(x)*exp(a)*exp(b) + (z - 3)*2)");
  const WrittenText other = read_with_sums(pool, minus);
  EXPECT_EQ(parse(pool, to_infix(other)), other.merged()) << to_infix(other);
}

TEST_F(TextFormsTest, random_forms_have_their_values_on_the_domain) {
  constexpr long bits = 256;
  test::RandomOptions options;
  options.functions = {Op::sign, Op::abs, Op::min, Op::max, Op::log, Op::cos};
  options.fractional_powers = true;
  options.symbols = {{"x", SymbolKind::parameter}, {"y", SymbolKind::parameter}};
  int changed = 0;
  for (std::uint64_t seed : test::seeds(400)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, options);
    const Expr given = random.expression(pool);
    const Expr form = on_domain(given, natural_domain(std::span(&given, 1)));
    if (form == given) continue;
    ++changed;
    for (int k = 0; k < 30; ++k) {
      BallPoint point;
      for (Expr symbol : symbols_in(given))
        point.emplace(symbol, Ball(Rational(static_cast<long>(random.below(61)) - 30, 10), bits));
      const BallValues before = evaluate_balls(std::span(&given, 1), point, bits);
      if (before.status != EvaluationStatus::ok) continue;
      const BallValues after = evaluate_balls(std::span(&form, 1), point, bits);
      ASSERT_EQ(after.status, EvaluationStatus::ok) << to_infix(given) << " as " << to_infix(form);
      EXPECT_TRUE(overlaps(before.values[0], after.values[0])) << to_infix(given) << " as " << to_infix(form);
    }
  }
  EXPECT_GT(changed, 3);
}

}  // namespace
}  // namespace liaison
