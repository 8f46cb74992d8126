#include "parse_errors.hpp"

namespace liaison {
namespace {

TEST_F(ParseErrors, an_empty_text_is_told) {
  EXPECT_EQ(errors(""),
            "model.lia:1:1: error: there is no expression here [L0101]\n"
            "    1 | \n"
            "      | ^\n"
            "   hint: write one, for example `m*g*l*cos(theta)`\n");
  EXPECT_EQ(errors("   "),
            "model.lia:1:1: error: there is no expression here [L0101]\n"
            "    1 |    \n"
            "      | ^^^\n"
            "   hint: write one, for example `m*g*l*cos(theta)`\n");
}

TEST_F(ParseErrors, an_open_bracket_names_its_opener) {
  EXPECT_EQ(errors("(x + y"),
            "model.lia:1:7: error: a `)` is missing [L0108]\n"
            "    1 | (x + y\n"
            "      |       ^ the text ends here\n"
            "   note: a bracket was opened at 1:1\n"
            "   hint: write `)` where it belongs\n");
  EXPECT_EQ(errors("sin((x + y"),
            "model.lia:1:11: error: 2 closing brackets are missing [L0108]\n"
            "    1 | sin((x + y\n"
            "      |           ^ the text ends here\n"
            "   note: a bracket was opened at 1:5\n"
            "   note: a bracket was opened at 1:4\n"
            "   hint: write `))` where it belongs\n");
  EXPECT_EQ(errors("2*(x + 1"),
            "model.lia:1:9: error: a `)` is missing [L0108]\n"
            "    1 | 2*(x + 1\n"
            "      |         ^ the text ends here\n"
            "   note: a bracket was opened at 1:3\n"
            "   hint: write `)` where it belongs\n");
}

TEST_F(ParseErrors, a_closing_bracket_too_many_is_told) {
  EXPECT_EQ(errors("x + y)"),
            "model.lia:1:6: error: this `)` closes nothing [L0109]\n"
            "    1 | x + y)\n"
            "      |      ^ no bracket is open here\n"
            "   hint: remove it, or open a bracket with `(` where it belongs\n");
}

TEST_F(ParseErrors, a_missing_operand_is_told_with_its_neighbours) {
  EXPECT_EQ(errors("x +"),
            "model.lia:1:3: error: an operand is missing behind `+` [L0106]\n"
            "    1 | x +\n"
            "      |   ^\n"
            "   hint: write a number, a name or a bracket there\n");
  EXPECT_EQ(errors("x + * y"),
            "model.lia:1:3: error: an operand is missing between `+` and `*` [L0106]\n"
            "    1 | x + * y\n"
            "      |   ^^^\n"
            "   hint: write a number, a name or a bracket there\n");
  EXPECT_EQ(errors("* x"),
            "model.lia:1:1: error: an operand is missing before `*` [L0106]\n"
            "    1 | * x\n"
            "      | ^\n"
            "   hint: write a number, a name or a bracket there\n");
  EXPECT_EQ(errors("()"),
            "model.lia:1:1: error: there is nothing between these brackets [L0106]\n"
            "    1 | ()\n"
            "      | ^^\n"
            "   hint: write an expression between them, or remove them\n");
  EXPECT_EQ(errors("(x + )*y"),
            "model.lia:1:4: error: an operand is missing between `+` and `)` [L0106]\n"
            "    1 | (x + )*y\n"
            "      |    ^^^\n"
            "   hint: write a number, a name or a bracket there\n");
}

TEST_F(ParseErrors, two_operands_with_no_operator_get_a_product_as_hint) {
  EXPECT_EQ(errors("x y"),
            "model.lia:1:3: error: two operands with no operator between them [L0107]\n"
            "    1 | x y\n"
            "      |   ^ an operator is missing before this\n"
            "   hint: write `x*y`\n");
  EXPECT_EQ(errors("2 (x + y)"),
            "model.lia:1:3: error: two operands with no operator between them [L0107]\n"
            "    1 | 2 (x + y)\n"
            "      |   ^ an operator is missing before this\n"
            "   hint: write `2*(...)`\n");
  EXPECT_EQ(errors("(x)(y)"),
            "model.lia:1:4: error: two operands with no operator between them [L0107]\n"
            "    1 | (x)(y)\n"
            "      |    ^ an operator is missing before this\n"
            "   hint: write `(x)*(...)`\n");
  EXPECT_EQ(errors("x sin(y)"),
            "model.lia:1:3: error: two operands with no operator between them [L0107]\n"
            "    1 | x sin(y)\n"
            "      |   ^^^ an operator is missing before this\n"
            "   hint: write `x*sin(...)`\n");
}

TEST_F(ParseErrors, an_unknown_name_gets_the_nearest_as_hint) {
  EXPECT_EQ(errors("thta"),
            "model.lia:1:1: error: unknown name `thta` [L0110]\n"
            "    1 | thta\n"
            "      | ^^^^\n"
            "   hint: did you mean `theta`?\n");
  EXPECT_EQ(errors("theta''"),
            "model.lia:1:1: error: unknown name `theta''` [L0110]\n"
            "    1 | theta''\n"
            "      | ^^^^^^^\n"
            "   hint: `theta` is known, its derivative is not: declare `theta''` too\n");
  EXPECT_EQ(errors("zeta"),
            "model.lia:1:1: error: unknown name `zeta` [L0110]\n"
            "    1 | zeta\n"
            "      | ^^^^\n"
            "   hint: declare `zeta` before it is used\n");
  EXPECT_EQ(errors("e"),
            "model.lia:1:1: error: unknown name `e` [L0110]\n"
            "    1 | e\n"
            "      | ^\n"
            "   hint: write `exp(1)` for the base of the natural logarithm\n");
  EXPECT_EQ(errors("θ̇ + φφ*2"),
            "model.lia:1:6: error: unknown name `phiphi` [L0110]\n"
            "    1 | θ̇ + φφ*2\n"
            "      |     ^^\n"
            "   hint: declare `phiphi` before it is used\n");
}

TEST_F(ParseErrors, an_unknown_function_gets_the_nearest_as_hint) {
  EXPECT_EQ(errors("sinn(x)"),
            "model.lia:1:1: error: unknown function `sinn` [L0111]\n"
            "    1 | sinn(x)\n"
            "      | ^^^^\n"
            "   hint: did you mean `sin`?\n");
  EXPECT_EQ(errors("ln(x)"),
            "model.lia:1:1: error: unknown function `ln` [L0111]\n"
            "    1 | ln(x)\n"
            "      | ^^\n"
            "   hint: it is called `log` here\n");
  EXPECT_EQ(errors("a(x)"),
            "model.lia:1:1: error: unknown function `a` [L0111]\n"
            "    1 | a(x)\n"
            "      | ^\n"
            "   hint: declare it as a function, or write `a*(...)` for a product\n");
  EXPECT_EQ(errors("sin'(x)"),
            "model.lia:1:1: error: unknown function `sin'` [L0111]\n"
            "    1 | sin'(x)\n"
            "      | ^^^^\n"
            "   hint: primes are for declared functions; write the derivative out\n");
}

TEST_F(ParseErrors, a_symbol_before_a_bracket_is_not_a_function) {
  EXPECT_EQ(errors("x(y + 1)"),
            "model.lia:1:1: error: `x` is not a function [L0116]\n"
            "    1 | x(y + 1)\n"
            "      | ^ followed by a bracket\n"
            "   hint: write `x*(...)` for a product\n");
  EXPECT_EQ(errors("pi(x)"),
            "model.lia:1:1: error: `pi` is not a function [L0116]\n"
            "    1 | pi(x)\n"
            "      | ^^ followed by a bracket\n"
            "   hint: write `pi*(...)` for a product\n");
}

TEST_F(ParseErrors, a_function_without_arguments_is_told) {
  EXPECT_EQ(errors("sin"),
            "model.lia:1:1: error: `sin` is a function without its arguments [L0112]\n"
            "    1 | sin\n"
            "      | ^^^ no bracket follows\n"
            "   hint: write `sin(x)`\n");
  EXPECT_EQ(errors("sin x"),
            "model.lia:1:1: error: `sin` is a function without its arguments [L0112]\n"
            "    1 | sin x\n"
            "      | ^^^ no bracket follows\n"
            "   hint: write `sin(x)`\n");
  EXPECT_EQ(errors("sin²(x)"),
            "model.lia:1:1: error: `sin` is a function without its arguments [L0112]\n"
            "    1 | sin²(x)\n"
            "      | ^^^ no bracket follows\n"
            "   hint: write `sin(x)^2`\n");
  EXPECT_EQ(errors("g + 1"),
            "model.lia:1:1: error: `g` is a function without its arguments [L0112]\n"
            "    1 | g + 1\n"
            "      | ^ no bracket follows\n"
            "   hint: write `g(x, y)`\n");
}

TEST_F(ParseErrors, commas_out_of_place_are_told) {
  EXPECT_EQ(errors("max(x,)"),
            "model.lia:1:6: error: nothing stands behind this comma [L0113]\n"
            "    1 | max(x,)\n"
            "      |      ^\n"
            "   hint: remove the comma, or write the argument that is missing\n");
  EXPECT_EQ(errors("max(,x)"),
            "model.lia:1:5: error: nothing stands before this comma [L0113]\n"
            "    1 | max(,x)\n"
            "      |     ^\n"
            "   hint: remove the comma, or write the argument that is missing\n");
  EXPECT_EQ(errors("max(x,,y)"),
            "model.lia:1:6: error: nothing stands behind this comma [L0113]\n"
            "    1 | max(x,,y)\n"
            "      |      ^\n"
            "   hint: remove the comma, or write the argument that is missing\n");
  EXPECT_EQ(errors("(x, y)"),
            "model.lia:1:3: error: a comma outside of a function's arguments [L0113]\n"
            "    1 | (x, y)\n"
            "      |   ^\n"
            "   hint: write a decimal point as `.`; only functions take several arguments: `max(x, y)`\n");
  EXPECT_EQ(errors("x, y"),
            "model.lia:1:2: error: a comma outside of a function's arguments [L0113]\n"
            "    1 | x, y\n"
            "      |  ^\n"
            "   hint: write a decimal point as `.`; only functions take several arguments: `max(x, y)`\n");
}

TEST_F(ParseErrors, stray_characters_are_told) {
  EXPECT_EQ(errors("x $ y"),
            "model.lia:1:3: error: `$` has no meaning in an expression [L0102]\n"
            "    1 | x $ y\n"
            "      |   ^\n"
            "   hint: remove it\n");
  EXPECT_EQ(errors("x = y"),
            "model.lia:1:3: error: `=` has no meaning in an expression [L0102]\n"
            "    1 | x = y\n"
            "      |   ^\n"
            "   hint: an expression has no `=`; write the difference of the two sides\n");
  EXPECT_EQ(errors("x + é"),
            "model.lia:1:5: error: `é` has no meaning in an expression [L0102]\n"
            "    1 | x + é\n"
            "      |     ^\n"
            "   hint: remove it\n");
  EXPECT_EQ(errors("|x|"),
            "model.lia:1:1: error: `|` has no meaning in an expression [L0102]\n"
            "    1 | |x|\n"
            "      | ^\n"
            "   hint: write `abs(x)` for the absolute value\n"
            "model.lia:1:3: error: `|` has no meaning in an expression [L0102]\n"
            "    1 | |x|\n"
            "      |   ^\n"
            "   hint: write `abs(x)` for the absolute value\n");
  EXPECT_EQ(errors("(x)'"),
            "model.lia:1:4: error: `'` has no meaning in an expression [L0102]\n"
            "    1 | (x)'\n"
            "      |    ^\n"
            "   hint: a prime stands right behind a name: `x'`\n");
  EXPECT_EQ(errors("x < y"),
            "model.lia:1:3: error: `<` has no meaning in an expression [L0102]\n"
            "    1 | x < y\n"
            "      |   ^\n"
            "   hint: an expression has no comparison; write the difference of the two sides\n");
  EXPECT_EQ(errors("x ]"),
            "model.lia:1:3: error: `]` has no meaning in an expression [L0102]\n"
            "    1 | x ]\n"
            "      |   ^\n"
            "   hint: remove it\n");
}

TEST_F(ParseErrors, signs_of_other_languages_get_ours_as_hint) {
  EXPECT_EQ(errors("[x + y]*2"),
            "model.lia:1:1: error: `[` does not group an expression [L0102]\n"
            "    1 | [x + y]*2\n"
            "      | ^\n"
            "   hint: use round brackets: `(` and `)`\n");
  EXPECT_EQ(errors("x**2"),
            "model.lia:1:2: error: `**` is not an operator [L0102]\n"
            "    1 | x**2\n"
            "      |  ^^\n"
            "   hint: write `^` for a power\n");
}

TEST_F(ParseErrors, several_errors_are_told_at_once) {
  EXPECT_EQ(errors("aa + bb + cc*thta + sin"),
            "model.lia:1:1: error: unknown name `aa` [L0110]\n"
            "    1 | aa + bb + cc*thta + sin\n"
            "      | ^^\n"
            "   hint: declare `aa` before it is used\n"
            "model.lia:1:6: error: unknown name `bb` [L0110]\n"
            "    1 | aa + bb + cc*thta + sin\n"
            "      |      ^^\n"
            "   hint: declare `bb` before it is used\n"
            "model.lia:1:11: error: unknown name `cc` [L0110]\n"
            "    1 | aa + bb + cc*thta + sin\n"
            "      |           ^^\n"
            "   hint: declare `cc` before it is used\n"
            "model.lia:1:14: error: unknown name `thta` [L0110]\n"
            "    1 | aa + bb + cc*thta + sin\n"
            "      |              ^^^^\n"
            "   hint: did you mean `theta`?\n"
            "model.lia:1:21: error: `sin` is a function without its arguments [L0112]\n"
            "    1 | aa + bb + cc*thta + sin\n"
            "      |                     ^^^ no bracket follows\n"
            "   hint: write `sin(x)`\n");
}

TEST_F(ParseErrors, bytes_that_are_not_utf8_are_told) {
  EXPECT_EQ(errors("x + \xff\xfe + y"),
            "model.lia:1:5: error: these bytes are not UTF-8 text [L0103]\n"
            "    1 | x + \uFFFD\uFFFD + y\n"
            "      |     ^^ first byte 0xFF\n"
            "   hint: save the text as UTF-8, or use ASCII names: `theta`\n");
}

TEST_F(ParseErrors, a_number_of_a_hundred_thousand_digits_is_told) {
  const std::string text = errors("x + " + std::string(100'000, '7'));
  EXPECT_TRUE(text.starts_with("model.lia:1:5: error: this number has more than 10000 digits [L0105]\n"))
      << text;
  EXPECT_NE(text.find("100000 digits\n"), std::string::npos) << text;
  EXPECT_LT(text.size(), 500u);
}

TEST_F(ParseErrors, a_million_of_anything_nested_is_told) {
  const std::string deep = "brackets, signs and powers are nested more than 10000 deep [L0114]\n";
  std::string powers = "2", calls;
  for (int i = 0; i < 1'000'000; ++i) {
    powers += "^2";
    calls += "sin(";
  }
  for (const std::string& text : {std::string(1'000'000, '('), std::string(1'000'000, '-'), powers, calls}) {
    const std::string told = errors(text);
    EXPECT_NE(told.find(deep), std::string::npos) << told;
    EXPECT_LT(told.size(), 500u);
  }
}

TEST_F(ParseErrors, a_chosen_depth_is_kept) {
  EXPECT_EQ(errors("((x))", {.max_depth = 2}), "");
  EXPECT_EQ(errors("(((x)))", {.max_depth = 2}),
            "model.lia:1:3: error: brackets, signs and powers are nested more than 2 deep [L0114]\n"
            "    1 | (((x)))\n"
            "      |   ^\n"
            "   hint: give names to parts of the expression, and build it from those\n");
}

TEST_F(ParseErrors, at_most_twenty_are_told) {
  std::string text = "unknown0";
  for (int i = 1; i < 100; ++i) text += " + unknown" + std::to_string(i);
  EXPECT_EQ(parse_expression(pool, Source("a", text)).diagnostics.size(), 20u);
  EXPECT_EQ(parse_expression(pool, Source("a", std::string(1000, '$'))).diagnostics.size(), 20u);
  EXPECT_EQ(parse_expression(pool, Source("a", std::string(1000, ')'))).diagnostics.size(), 20u);
}

TEST_F(ParseErrors, a_wrong_operand_is_told_once) {
  EXPECT_EQ(parse_expression(pool, Source("a", "sin(nowhere/0)^2 + 1")).diagnostics.size(), 2u);
  EXPECT_EQ(parse_expression(pool, Source("a", "f(nowhere, x)")).diagnostics.size(), 2u);
  EXPECT_EQ(parse_expression(pool, Source("a", "1/(2/nowhere)")).diagnostics.size(), 1u);
}

TEST_F(ParseErrors, a_text_of_another_line_has_its_place) {
  EXPECT_EQ(errors("x +\n  thta"),
            "model.lia:2:3: error: unknown name `thta` [L0110]\n"
            "    2 |   thta\n"
            "      |   ^^^^\n"
            "   hint: did you mean `theta`?\n");
}

}  // namespace
}  // namespace liaison
