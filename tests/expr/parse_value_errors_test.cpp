#include "parse_errors.hpp"

namespace liaison {
namespace {

TEST_F(ParseErrors, a_wrong_number_of_arguments_is_told) {
  EXPECT_EQ(errors("sin(x, y)"),
            "model.lia:1:1: error: `sin` takes 1 argument, 2 are given [L0004]\n"
            "    1 | sin(x, y)\n"
            "      | ^^^^^^^^^\n"
            "   hint: write `sin(x)`\n");
  EXPECT_EQ(errors("sin()"),
            "model.lia:1:1: error: `sin` takes 1 argument, 0 are given [L0004]\n"
            "    1 | sin()\n"
            "      | ^^^^^\n"
            "   hint: write `sin(x)`\n");
  EXPECT_EQ(errors("atan2(x)"),
            "model.lia:1:1: error: `atan2` takes 2 arguments, 1 is given [L0004]\n"
            "    1 | atan2(x)\n"
            "      | ^^^^^^^^\n"
            "   hint: write `atan2(y, x)`\n");
  EXPECT_EQ(errors("max(x)"),
            "model.lia:1:1: error: `max` takes at least 2 arguments, 1 is given [L0004]\n"
            "    1 | max(x)\n"
            "      | ^^^^^^\n"
            "   hint: write `max(x, y)`\n");
  EXPECT_EQ(errors("f(x, y)"),
            "model.lia:1:1: error: `f` takes 1 argument, 2 are given [L0004]\n"
            "    1 | f(x, y)\n"
            "      | ^^^^^^^\n"
            "   hint: write `f(x)`\n");
}

TEST_F(ParseErrors, division_by_zero_is_told_at_the_divisor) {
  EXPECT_EQ(errors("x/0"),
            "model.lia:1:3: error: division by zero [L0001]\n"
            "    1 | x/0\n"
            "      |   ^ this is 0\n"
            "   hint: divide by something that is not exactly 0\n");
  EXPECT_EQ(errors("x/(y - y)*2"),
            "model.lia:1:3: error: division by zero [L0001]\n"
            "    1 | x/(y - y)*2\n"
            "      |   ^^^^^^^ this is 0\n"
            "   hint: divide by something that is not exactly 0\n");
  EXPECT_EQ(errors("0^-1"),
            "model.lia:1:1: error: division by zero [L0001]\n"
            "    1 | 0^-1\n"
            "      | ^^^^\n"
            "   hint: the denominator is exactly 0\n");
}

TEST_F(ParseErrors, constants_without_a_real_value_are_told) {
  EXPECT_EQ(errors("x + log(-1)"),
            "model.lia:1:5: error: log of the constant -1 has no real value [L0002]\n"
            "    1 | x + log(-1)\n"
            "      |     ^^^^^^^\n"
            "   hint: log needs a positive number\n");
  EXPECT_EQ(errors("sqrt(-2)"),
            "model.lia:1:1: error: the square root of the negative constant -2 is not real [L0002]\n"
            "    1 | sqrt(-2)\n"
            "      | ^^^^^^^^\n"
            "   hint: a power that is not an integer needs a base >= 0\n");
  EXPECT_EQ(errors("(-8)^(1/3)"),
            "model.lia:1:1: error: the power 1/3 of the negative constant -8 is not real [L0002]\n"
            "    1 | (-8)^(1/3)\n"
            "      | ^^^^^^^^^^\n"
            "   hint: a power that is not an integer needs a base >= 0\n");
  EXPECT_EQ(errors("(-2)^x"),
            "model.lia:1:1: error: a power of -2 is real only if its exponent is a number [L0002]\n"
            "    1 | (-2)^x\n"
            "      | ^^^^^^\n"
            "   hint: any other exponent needs a base > 0\n");
  EXPECT_EQ(errors("asin(3)"),
            "model.lia:1:1: error: asin of the constant 3 has no real value [L0002]\n"
            "    1 | asin(3)\n"
            "      | ^^^^^^^\n"
            "   hint: asin needs a number between -1 and 1\n");
  EXPECT_EQ(errors("0^0"),
            "model.lia:1:1: error: 0^0 has no value [L0002]\n"
            "    1 | 0^0\n"
            "      | ^^^\n"
            "   hint: write the limit that is meant\n");
  EXPECT_EQ(errors("√(-2)"),
            "model.lia:1:1: error: the square root of the negative constant -2 is not real [L0002]\n"
            "    1 | √(-2)\n"
            "      | ^^^^^\n"
            "   hint: a power that is not an integer needs a base >= 0\n");
}

TEST_F(ParseErrors, malformed_numbers_are_told) {
  EXPECT_EQ(errors("1.2.3"),
            "model.lia:1:1: error: `1.2.3` is not a number [L0104]\n"
            "    1 | 1.2.3\n"
            "      | ^^^^^ more than one decimal point\n"
            "   hint: a number has one decimal point: `1.25`\n");
  EXPECT_EQ(errors("1e"),
            "model.lia:1:1: error: `1e` is not a number [L0104]\n"
            "    1 | 1e\n"
            "      | ^^ digits are missing behind the `e`\n"
            "   hint: write `1e3`, or `1*e` for a product\n");
  EXPECT_EQ(errors("12abc"),
            "model.lia:1:1: error: `12abc` is not a number [L0104]\n"
            "    1 | 12abc\n"
            "      | ^^^^^ a number and a name with no operator between them\n"
            "   hint: write `12*abc`\n");
  EXPECT_EQ(errors("2x"),
            "model.lia:1:1: error: `2x` is not a number [L0104]\n"
            "    1 | 2x\n"
            "      | ^^ a number and a name with no operator between them\n"
            "   hint: write `2*x`\n");
  EXPECT_EQ(errors("1e5.5"),
            "model.lia:1:1: error: `1e5.5` is not a number [L0104]\n"
            "    1 | 1e5.5\n"
            "      | ^^^^^ a decimal point in the wrong place\n"
            "   hint: a number has one decimal point: `1.25`\n");
  EXPECT_EQ(errors("x⁻"),
            "model.lia:1:2: error: an exponent without digits [L0104]\n"
            "    1 | x⁻\n"
            "      |  ^\n"
            "   hint: write `x^(-1)` or `x⁻¹`\n");
}

TEST_F(ParseErrors, numbers_too_long_are_told) {
  EXPECT_EQ(errors("1e999999999"),
            "model.lia:1:1: error: this number has more than 10000 digits [L0105]\n"
            "    1 | 1e999999999\n"
            "      | ^^^^^^^^^^^ with its exponent written out\n"
            "   hint: numbers are exact here; choose units in which it is smaller, or use a parameter\n");
  EXPECT_EQ(errors("x + 1e-10001"),
            "model.lia:1:5: error: this number has more than 10000 digits [L0105]\n"
            "    1 | x + 1e-10001\n"
            "      |     ^^^^^^^^ with its exponent written out\n"
            "   hint: numbers are exact here; choose units in which it is smaller, or use a parameter\n");
}

TEST_F(ParseErrors, exact_powers_too_large_are_told) {
  EXPECT_EQ(errors("2^(10^12)"),
            "model.lia:1:1: error: the exact power 2^1000000000000 has more than 4000000 bits [L0005]\n"
            "    1 | 2^(10^12)\n"
            "      | ^^^^^^^^^\n"
            "   hint: a number of this size is rarely meant; raise PoolOptions::max_number_bits if it is\n");
  EXPECT_EQ(
      errors("2^2^2^2^2^2"),
      "model.lia:1:1: error: the exact power 2^20035299304068464649 has more than 4000000 bits [L0005]\n"
      "    1 | 2^2^2^2^2^2\n"
      "      | ^^^^^^^^^^^\n"
      "   hint: a number of this size is rarely meant; raise PoolOptions::max_number_bits if it is\n");
}

TEST_F(ParseErrors, bad_derivative_heads_are_told) {
  EXPECT_EQ(errors("D(f)(x)"),
            "model.lia:1:4: error: `D(...)` needs the slots to differentiate in [L0115]\n"
            "    1 | D(f)(x)\n"
            "      |    ^\n"
            "   hint: write `D(f, 1)(x)`: slots are counted from 1 to 1\n");
  EXPECT_EQ(errors("D(g, 3)(x, y)"),
            "model.lia:1:6: error: `g` has 2 arguments; there is no slot 3 [L0115]\n"
            "    1 | D(g, 3)(x, y)\n"
            "      |      ^\n"
            "   hint: write `D(g, 1)(x, y)`: slots are counted from 1 to 2\n");
  EXPECT_EQ(errors("D(g, x)(x, y)"),
            "model.lia:1:6: error: a slot of `D(...)` is a whole number [L0115]\n"
            "    1 | D(g, x)(x, y)\n"
            "      |      ^\n"
            "   hint: write `D(g, 1)(x, y)`: slots are counted from 1 to 2\n");
  EXPECT_EQ(errors("D(g, 1)"),
            "model.lia:1:1: error: `D(...)` is not followed by the arguments of the function [L0115]\n"
            "    1 | D(g, 1)\n"
            "      | ^^^^^^^\n"
            "   hint: write `D(g, 1)(x, y)`\n");
  EXPECT_EQ(errors("D(g, 1"),
            "model.lia:1:7: error: the slots of `D(...)` are not closed by `)` [L0115]\n"
            "    1 | D(g, 1\n"
            "      |       ^\n"
            "   hint: write `D(f, 1, 2)(x, y)`: a function, the slots to differentiate in, the arguments\n");
  EXPECT_EQ(errors("D(sin, 1)(x)"),
            "model.lia:1:3: error: `D` is for declared functions, and `sin` is built in [L0115]\n"
            "    1 | D(sin, 1)(x)\n"
            "      |   ^^^\n"
            "   hint: write its derivative out\n");
  EXPECT_EQ(errors("D(q, 1)(x)"),
            "model.lia:1:3: error: `q` is not a declared function [L0115]\n"
            "    1 | D(q, 1)(x)\n"
            "      |   ^\n"
            "   hint: declare `q` as a function before its derivative is used\n");
  EXPECT_EQ(errors("D(1)"),
            "model.lia:1:3: error: `D(` needs the name of a function first [L0115]\n"
            "    1 | D(1)\n"
            "      |   ^\n"
            "   hint: write `D(f, 1, 2)(x, y)`: a function, the slots to differentiate in, the arguments\n");
  EXPECT_EQ(errors("g'(x, y)"),
            "model.lia:1:1: error: `g'` is not clear: `g` has 2 arguments [L0115]\n"
            "    1 | g'(x, y)\n"
            "      | ^^ a prime is the derivative of a function of one variable\n"
            "   hint: write `D(g, 1)(x, y)` for the derivative in the first slot\n");
}

}  // namespace
}  // namespace liaison
