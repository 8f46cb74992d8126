#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

/// A point for balls and for doubles.
struct Place {
  BallPoint balls;
  DoublePoint doubles;
  std::string text;
};

constexpr long bits = 256;

class ReadableDomainTest : public ::testing::Test {
 protected:
  ReadableDomainTest() { pool.function("f", 1); }
  Expr e(std::string_view text) { return parse(pool, text); }

  void set(Place& place, Expr symbol, const Rational& value) {
    place.balls.emplace(symbol, Ball(value, bits));
    place.doubles.emplace(symbol, value.to_double());
    place.text += " " + to_infix(symbol) + " = " + value.to_string();
  }

  Rational value_for(Expr symbol, test::RandomExpressions& random) {
    static const std::vector<Rational> special{0,
                                               1,
                                               -1,
                                               2,
                                               -2,
                                               3,
                                               30,
                                               700,
                                               -1000,
                                               Rational(1, 2),
                                               Rational(-1, 2),
                                               Rational(-1, 100),
                                               Rational(1, 1000)};
    const Rational value = random.below(4) == 0 ? Rational(static_cast<long>(random.below(401)) - 200, 101)
                                                : special[random.below(special.size())];
    return symbol.symbol().positive && value.sign() <= 0 ? Rational(1) - value : value;
  }

  /// Where the given form certainly has a value, the other has one too, and the balls meet; where the given
  /// form has a value in doubles, the other has one that is not far off. Empty, or what is wrong.
  std::string fault_at(const Place& place, Expr given, Expr other) {
    const BallValues before = evaluate_balls(std::span(&given, 1), place.balls, bits);
    if (before.status != EvaluationStatus::ok) return {};
    if (other.empty()) return "refused, but there is a value";
    const BallValues after = evaluate_balls(std::span(&other, 1), place.balls, bits);
    if (after.status == EvaluationStatus::outside_domain) return "no value: " + after.reason();
    if (after.status != EvaluationStatus::ok) return {};  // zero or not: the balls cannot tell
    if (!overlaps(before.values[0], after.values[0])) return "another value";
    return fault_in_doubles(place, given, other, before.values[0].mid());
  }

  /// The error in doubles is not far more than a million times that of the given form.
  std::string fault_in_doubles(const Place& place, Expr given, Expr other, double exact) {
    const DoubleValues before = evaluate(std::span(&given, 1), place.doubles);
    if (before.status != EvaluationStatus::ok || exact == 0) return {};
    const double error = std::max(std::abs(before.values[0] - exact), std::abs(exact) * 2.3e-16);
    const DoubleValues after = evaluate(std::span(&other, 1), place.doubles);
    if (after.status != EvaluationStatus::ok) return "no value in doubles: " + after.reason();
    return std::abs(after.values[0] - exact) <= 1e8 * error ? "" : "digits are lost in doubles";
  }

  /// Empty where the form is refused, because it is found to have no value anywhere.
  Expr readable_or_empty(Expr given) {
    try {
      return algebra.readable(given);
    } catch (const Error&) {
      return {};
    }
  }

  /// Special places, both sides of them, and several scales.
  void expect_kept(Expr given, test::RandomExpressions& random, int places) {
    const Expr read = readable_or_empty(given);
    if (read == given) return;
    for (int i = 0; i < places; ++i) {
      Place place;
      for (Expr symbol : symbols_in(given)) set(place, symbol, value_for(symbol, random));
      const std::string fault = fault_at(place, given, read);
      EXPECT_EQ(fault, "") << to_infix(given) << " reads " << (read.empty() ? "nothing" : to_infix(read))
                           << " at" << place.text;
      if (!fault.empty()) return;
    }
  }
  void expect_kept(std::string_view text) {
    test::RandomExpressions random(7);
    expect_kept(e(text), random, 60);
  }
  /// The value at x = k*pi/4, where sines and cosines are exact.
  BallValues value_at_quarter(Expr form, long k) {
    try {
      const Expr there = substitute(form, {{e("x"), Rational(k, 4) * pool.pi()}, {e("y"), pool.number(2)}});
      return evaluate_balls(std::span(&there, 1), {}, bits);
    } catch (const Error&) {
      return {.values = {}, .status = EvaluationStatus::outside_domain, .culprit = form};
    }
  }
  void expect_kept_at_quarters(Expr given) {
    const Expr read = readable_or_empty(given);
    if (read == given || read.empty()) return;
    for (long k = -8; k <= 8; ++k) {
      const BallValues before = value_at_quarter(given, k), after = value_at_quarter(read, k);
      if (before.status != EvaluationStatus::ok || after.status == EvaluationStatus::precision_limit)
        continue;
      const bool kept = after.status == EvaluationStatus::ok && overlaps(before.values[0], after.values[0]);
      EXPECT_TRUE(kept) << to_infix(given) << " reads " << to_infix(read) << " at x = " << k << "*pi/4";
      if (!kept) return;
    }
  }
  void expect_laws(const test::RandomOptions& options, std::size_t count) {
    for (std::uint64_t seed : test::seeds(count)) {
      SCOPED_TRACE(test::seed_note(seed));
      test::RandomExpressions random(seed, options);
      expect_kept(random.expression(pool), random, 30);
    }
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(ReadableDomainTest, no_point_is_lost) {
  for (const char* text : {"sqrt(x^2*y + x^2*z)",
                           "sqrt(x^2*y)*abs(x)",
                           "sqrt(x^2*y)*sqrt(x^2*z)",
                           "sqrt(x^2*y - x^2)*z",
                           "sqrt(x^4*y)*sqrt(y)",
                           "sqrt(x^2*y + x^2*z)/(1 + x^2)",
                           "(x^2*y + x^2*z)^(3/2)",
                           "sqrt(x^2*y^3)",
                           "log(sqrt(x^2*y + x^2*z) + 1)",
                           "sign(x)",
                           "sign(x)*y + y",
                           "sqrt(x^2*y)",
                           "sqrt(x^2*y)*x + x*y",
                           "1/(sqrt(x) - 1)",
                           "tan(x/2)",
                           "tan(x/2) + tan(x/2)*cos(x)",
                           "(1 - cos(x))/(1 + cos(x))",
                           "sin(x)/(1 + cos(x)) + y",
                           "1/(1 + sin(x)) + 1/(1 - sin(x))*0 + y/(1 + sin(x))",
                           "x/abs(x) + abs(x)",
                           "min(x, y)/(x + 1) + max(x, y)",
                           "abs(x)/(1 + abs(x))",
                           "1/(2 + abs(x) + x)",
                           "sqrt(x)/(1 + sqrt(x))",
                           "1/(1 + x^(1/3))",
                           "x^(2/3)/(1 + x^(1/3))",
                           "sqrt(x + y)*sqrt(x - y)/(1 + sqrt(x + y))",
                           "sign(x*y)*abs(x)",
                           "sign(x)^2",
                           "sign(x)^3 + sign(x)",
                           "sqrt(x^4*(y - 1))",
                           "sqrt((x - 1)^2*(y + 2))",
                           "sqrt(x^3)",
                           "(x^2*y)^(3/2)",
                           "log(x^2)",
                           "log(x*y)*x/x + log(x*y)",
                           "asin(x)*(x + 1)^2/(x + 1)",
                           "atan2(x, y)*(x^2 - y^2)/(x + y)",
                           "abs(x^2*y)",
                           "abs(x^2*y)/x",
                           "sqrt(sin(x)^2)",
                           "sqrt(1 - cos(x)^2)",
                           "sqrt(1 - cos(x))",
                           "1/sqrt(x^2*(y + 1))"}) {
    expect_kept(text);
  }
}

TEST_F(ReadableDomainTest, doubles_do_not_overflow_or_cancel) {
  for (const char* text :
       {"1/cosh(x)^2", "tanh(x)*y + tanh(x)*z", "exp(-x^2)*y + exp(-x^2)*z + 1", "exp(-x^2) + exp(-y^2)",
        "(exp(x) - exp(-x))/(exp(x) + exp(-x))", "1/(1 + exp(-x)) + y*exp(-x)", "sinh(x)/cosh(x)",
        "cosh(x)^2 - sinh(x)^2 + y", "exp(-x) + exp(x)", "(x - y)^8*(x + 1)", "(x - 1)^20/(x - 2)",
        "1 - cos(x)", "cosh(x) - sinh(x)", "exp(-x^2)*(1 + y*exp(-x^2))", "exp(x - y)/(exp(x) + exp(y))",
        "exp(-x^2) + y*exp(-x^2 - y^2)", "y/cosh(x) + z*tanh(x)/cosh(x)"}) {
    expect_kept(text);
  }
}

TEST_F(ReadableDomainTest, a_small_rest_beside_a_part_that_vanishes_is_not_added_to_its_terms) {
  const Expr given = e("max(x - 11, exp(y - 46)) + min(x - 11, exp(y - 46))");
  const Expr form = algebra.readable(given);
  const DoublePoint point{{e("x"), 11.0}, {e("y"), 0.5}};
  double largest = 0;  // of what is added up: x + exp(y - 46) - 11 loses all of exp(y - 46)
  for (Expr term : form.is(Op::add) ? form.args() : std::span<const Expr>())
    largest = std::max(largest, std::abs(evaluate(term, point)));
  EXPECT_LT(largest, 1e-10) << to_infix(form);
  EXPECT_NEAR(evaluate(form, point) / evaluate(given, point), 1, 1e-10) << to_infix(form);
}

TEST_F(ReadableDomainTest, exponentials_of_a_product_stay_together) {
  const Expr given = e("(cosh((9 - y)^2 + 1) + sinh((9 - y)^2 + 1))*(x^2 + 1)");
  const Expr form = algebra.readable(given);
  const DoublePoint point{{e("x"), 1.0}, {e("y"), 35.0}};  // exp(y^2) alone overflows here
  EXPECT_NEAR(evaluate(form, point) / evaluate(given, point), 1, 1e-10) << to_infix(form);
}

TEST_F(ReadableDomainTest, no_multiple_of_pi_is_lost) {
  for (const char* text :
       {"tan(x/2)*(1 + y)", "(1 - cos(x))/(1 + cos(x))", "sin(x)/(1 + cos(x)) + y/(1 + cos(x))",
        "(y + sin(x))/(1 + sin(x))", "1/(1 + sin(x)) + y/(1 - sin(x))", "tan(x) + 1/cos(x)",
        "sin(2*x)/(1 + cos(2*x))", "1/(sin(x) + cos(x))", "(sin(x) + cos(x))/(2 + sin(2*x))",
        "sqrt(1 - cos(x)^2)", "sin(x)/(2 + cos(x) + sin(x))", "sqrt(sin(x)^2*cos(x))",
        "abs(sin(x))/(1 + abs(cos(x)))", "tan(x)*cos(x) + y", "cos(x)/(1 + sin(x)) + tan(x)"}) {
    expect_kept_at_quarters(e(text));
  }
  test::RandomOptions angles;
  angles.functions = {Op::sin, Op::cos, Op::tan};
  angles.symbols = {{"x", SymbolKind::parameter}, {"y", SymbolKind::parameter}};
  angles.max_denominator = 2;
  for (std::uint64_t seed : test::seeds(100)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, angles);
    expect_kept_at_quarters(random.expression(pool));
  }
}

TEST_F(ReadableDomainTest, random_forms_keep_their_values) {
  expect_laws({}, 150);
  test::RandomOptions every;
  every.functions = test::all_functions();
  every.fractional_powers = true;
  expect_laws(every, 250);
  test::RandomOptions pieces;
  pieces.functions = {Op::sign, Op::abs, Op::min, Op::max, Op::cos, Op::tan};
  pieces.fractional_powers = true;
  pieces.symbols = {
      {"x", SymbolKind::parameter}, {"y", SymbolKind::parameter}, {"m", SymbolKind::parameter, true}};
  expect_laws(pieces, 250);
  test::RandomOptions one_symbol = every;
  one_symbol.symbols = {{"x", SymbolKind::parameter}};
  one_symbol.max_number = 2;
  one_symbol.max_denominator = 2;
  expect_laws(one_symbol, 300);
}

}  // namespace
}  // namespace liaison
