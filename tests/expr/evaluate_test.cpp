#include "liaison/expr/evaluate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "expr/raw.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

class Evaluate : public ::testing::Test {
 protected:
  DoubleValues at(Expr e, const DoublePoint& point) { return evaluate(std::span(&e, 1), point); }
  BallValues balls(Expr e, const BallPoint& point, long bits = 128) {
    return evaluate_balls(std::span(&e, 1), point, bits);
  }
  static Ball ball(double mid, double rad) {
    Ball result(Rational::from_double(mid));
    mag_set_d(arb_radref(result.raw()), rad);
    return result;
  }

  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y");
};

TEST_F(Evaluate, doubles_lie_in_balls_of_a_little_less_precision_on_random_expressions) {
  constexpr long bits = 48;  // a double has 53: the balls allow 32 times its rounding at each operation
  std::size_t compared = 0;
  for (std::uint64_t seed : test::seeds(300)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, {.functions = test::all_functions(), .depth = 3});
    const Expr e = random.expression(pool);
    DoublePoint point;
    BallPoint same;
    for (const auto& [symbol, value] : random.point(pool)) {
      point[symbol] = value.to_double();
      same.emplace(symbol, ball(value.to_double(), 0));
    }
    const DoubleValues quick = at(e, point);
    const BallValues sure = balls(e, same, bits);
    if (sure.status != EvaluationStatus::ok || quick.status != EvaluationStatus::ok) continue;
    ++compared;
    const Ball around = ball(quick.values[0], 1e-290);  // underflow
    EXPECT_TRUE(overlaps(sure.values[0], around))
        << to_infix(e) << " is " << quick.values[0] << " in double, " << sure.values[0].to_string()
        << " in balls";
  }
  EXPECT_GE(compared, 150u);
}

TEST_F(Evaluate, every_row_has_the_same_value_in_double_and_in_balls) {
  for (const OperatorRow& row : operator_table()) {
    const std::array args{x, y};
    const Expr e = pool.elementary(row.op, std::span(args).first(row.arity));
    const double expected = evaluate(e, {{x, 0.375}, {y, -0.75}});
    const BallValues found = balls(e, {{x, ball(0.375, 0)}, {y, ball(-0.75, 0)}});
    ASSERT_EQ(found.status, EvaluationStatus::ok) << row.name;
    EXPECT_NEAR(found.values[0].mid(), expected, 1e-15) << row.name;
    EXPECT_EQ(find_operator(row.name), &row);
    EXPECT_EQ(&operator_row(row.op), &row);
  }
}

TEST_F(Evaluate, the_culprit_is_the_smallest_subexpression_without_a_value) {
  const DoublePoint point{{x, 1.0}};
  const Expr logarithm = log(x - 2);
  const DoubleValues found = at(sin(logarithm) * x + 1, point);
  EXPECT_EQ(found.status, EvaluationStatus::outside_domain);
  EXPECT_EQ(found.culprit, logarithm);
  EXPECT_EQ(found.reason(), "log needs a positive number in " + to_infix(logarithm));

  EXPECT_EQ(at(cos(1 / (x - 1)), point).culprit, pow(x - 1, -1));
  EXPECT_EQ(at(cos(1 / (x - 1)), point).reason(), "division by zero in " + to_infix(1 / (x - 1)));
  EXPECT_EQ(at(sqrt(x - 3) + 1, point).culprit, sqrt(x - 3));
  EXPECT_EQ(at(x + sin(y), point).culprit, y);
  EXPECT_EQ(at(x + sin(y), point).reason(), "y has no value at this point");
}

TEST_F(Evaluate, infinities_and_nan_are_never_returned) {
  EXPECT_EQ(at(exp(x), {{x, 1e4}}).status, EvaluationStatus::not_finite);
  EXPECT_EQ(at(x * x, {{x, 1e200}}).status, EvaluationStatus::not_finite);
  EXPECT_EQ(at(x + 1, {{x, std::numeric_limits<double>::infinity()}}).culprit, x);
  EXPECT_EQ(at(x + 1, {{x, std::nan("")}}).status, EvaluationStatus::not_finite);
  const Expr huge = pool.number(power(Rational(10), 400));
  EXPECT_EQ(at(x + huge, {{x, 1.0}}).culprit, huge);
  EXPECT_EQ(at(huge, {}).status, EvaluationStatus::not_finite);
  EXPECT_EQ(at(atan2(x, y), {{x, 0.0}, {y, 0.0}}).status, EvaluationStatus::outside_domain);
  EXPECT_EQ(at(asin(x), {{x, 1.5}}).status, EvaluationStatus::outside_domain);
}

TEST_F(Evaluate, powers_keep_the_parity_of_large_exponents) {
  const Rational odd = power(Rational(2), 70) + 1;
  EXPECT_EQ(evaluate(pow(x, odd), {{x, -1.0}}), -1.0);
  EXPECT_EQ(evaluate(pow(x, odd - 1), {{x, -1.0}}), 1.0);
  EXPECT_EQ(evaluate(pow(x, power(Rational(10), 400)), {{x, 0.5}}), 0.0);
  EXPECT_EQ(at(pow(x, Rational(1, 3)), {{x, -8.0}}).status, EvaluationStatus::outside_domain);
}

TEST_F(Evaluate, numbers_are_rounded_to_the_nearest_double) {
  for (long n = 1; n < 200; ++n)
    for (long d = 1; d < 200; ++d)
      ASSERT_EQ(Rational(n, d).to_double(), static_cast<double>(n) / static_cast<double>(d));
}

TEST_F(Evaluate, unknown_functions_have_no_value) {
  const Expr call = pool.apply(pool.function("f", 1), std::span(&x, 1));
  EXPECT_EQ(at(sin(call), {{x, 1.0}}).status, EvaluationStatus::unknown_function);
  EXPECT_EQ(at(sin(call), {{x, 1.0}}).culprit, call);
  EXPECT_NE(at(sin(call), {{x, 1.0}}).reason(), "");
}

TEST_F(Evaluate, one_value_or_an_error) {
  EXPECT_EQ(evaluate(x * x, {{x, 3.0}}), 9.0);
  EXPECT_THROW(evaluate(x, {}), Error);
  EXPECT_THROW(evaluate(log(x), {{x, -1.0}}), Error);
}

TEST_F(Evaluate, a_division_by_a_ball_around_zero_is_not_decided_but_by_zero_it_is) {
  EXPECT_EQ(balls(1 / x, {{x, ball(0, 1e-9)}}).status, EvaluationStatus::precision_limit);
  EXPECT_EQ(balls(1 / x, {{x, ball(0, 0)}}).status, EvaluationStatus::outside_domain);
  EXPECT_EQ(balls(1 / x, {{x, ball(1, 1e-9)}}).status, EvaluationStatus::ok);
}

TEST_F(Evaluate, roots_and_logs_of_balls_tell_outside_from_undecided) {
  for (Expr e : {sqrt(x), pow(x, Rational(-1, 3)), log(x)}) {
    EXPECT_EQ(balls(e, {{x, ball(-1, 0.1)}}).status, EvaluationStatus::outside_domain) << to_infix(e);
    EXPECT_EQ(balls(e, {{x, ball(0, 0.1)}}).status, EvaluationStatus::precision_limit) << to_infix(e);
    EXPECT_EQ(balls(e, {{x, ball(1, 0.1)}}).status, EvaluationStatus::ok) << to_infix(e);
  }
  EXPECT_EQ(balls(asin(x), {{x, ball(2, 0.5)}}).status, EvaluationStatus::outside_domain);
  EXPECT_EQ(balls(acos(x), {{x, ball(1, 0.5)}}).status, EvaluationStatus::precision_limit);
  EXPECT_EQ(balls(sqrt(x), {{x, ball(0, 0)}}).status, EvaluationStatus::ok);
}

TEST_F(Evaluate, the_sign_of_a_ball_around_zero_is_not_decided) {
  EXPECT_EQ(balls(sign(x), {{x, ball(0, 0.1)}}).status, EvaluationStatus::precision_limit);
  EXPECT_EQ(balls(sign(x), {{x, ball(0, 0)}}).values[0].mid(), 0);
  EXPECT_EQ(balls(sign(x), {{x, ball(-1, 0.1)}}).values[0].mid(), -1);
  const BallValues size = balls(abs(x), {{x, ball(0.5, 1)}});
  ASSERT_EQ(size.status, EvaluationStatus::ok);
  EXPECT_TRUE(arb_is_nonnegative(size.values[0].raw()));
  EXPECT_EQ(balls(sqrt(abs(x)), {{x, ball(0, 0.1)}}).status, EvaluationStatus::ok);
}

TEST_F(Evaluate, balls_enclose_the_value_of_every_point_inside) {
  for (std::uint64_t seed : test::seeds(150)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, {.functions = test::all_functions(), .depth = 3});
    const Expr e = random.expression(pool);
    const RationalPoint point = random.point(pool);
    BallPoint wide, exact;
    for (const auto& [symbol, value] : point) {
      exact.emplace(symbol, Ball(value, 300));
      Ball around(value + Rational(1, 2000), 300);
      mag_set_d(arb_radref(around.raw()), 1e-3);
      wide.emplace(symbol, around);
    }
    const BallValues outer = balls(e, wide, 300), inner = balls(e, exact, 300);
    EXPECT_FALSE(outer.status == EvaluationStatus::outside_domain && inner.status == EvaluationStatus::ok);
    if (outer.status != EvaluationStatus::ok || inner.status != EvaluationStatus::ok) continue;
    EXPECT_TRUE(overlaps(outer.values[0], inner.values[0])) << to_infix(e);
  }
}

TEST_F(Evaluate, digits_are_raised_until_they_are_certain) {
  const LongValue pi = evaluate_digits(pool.pi(), {}, 50);
  ASSERT_TRUE(pi.value);
  EXPECT_GE(pi.value->digits(), 50);
  EXPECT_EQ(pi.value->to_string(30), "3.14159265358979323846264338328");
  // cancels 40 digits
  const Rational small = power(Rational(10), -40);
  const LongValue sine = evaluate_digits((sin(x) - x) / pow(x, 3), {{x, small}}, 20);
  ASSERT_TRUE(sine.value) << sine.reason();
  EXPECT_NEAR(sine.value->mid(), -1.0 / 6, 1e-16);
  EXPECT_GE(sine.value->digits(), 20);
}

TEST_F(Evaluate, a_value_that_is_zero_is_found_near_zero) {
  const Expr zero = pow(sin(x), 2) + pow(cos(x), 2) - 1;
  const LongValue found = evaluate_digits(zero, {{x, Rational(3, 7)}}, 60);
  ASSERT_TRUE(found.value) << found.reason();
  EXPECT_TRUE(found.value->contains_zero());
  EXPECT_LT(found.value->rad(), 1e-60);
}

TEST_F(Evaluate, what_no_precision_decides_reaches_the_limit) {
  const Expr zero = pow(sin(x), 2) + pow(cos(x), 2) - 1;
  const LongValue found = evaluate_digits(1 / zero, {{x, Rational(3, 7)}}, 20, 2000);
  EXPECT_EQ(found.status, EvaluationStatus::precision_limit);
  EXPECT_EQ(found.culprit, 1 / zero);
  EXPECT_EQ(evaluate_digits(log(x), {{x, Rational(-1)}}, 20).status, EvaluationStatus::outside_domain);
  EXPECT_EQ(evaluate_digits(x, {}, 20).status, EvaluationStatus::missing_value);
}

TEST_F(Evaluate, the_sign_of_a_constant_is_certain_or_not_given) {
  const Expr pi = pool.pi();
  EXPECT_EQ(constant_sign(pi - Rational(22, 7)), -1);
  EXPECT_EQ(constant_sign(sqrt(pool.number(2)) + sqrt(pool.number(3)) - pi), 1);
  EXPECT_EQ(constant_sign(pool.number(0)), 0);
  EXPECT_EQ(constant_sign(pow(sin(pool.number(1)), 2) + pow(cos(pool.number(1)), 2) - 1), std::nullopt);
  EXPECT_EQ(constant_sign(x), std::nullopt);
  // e^(pi sqrt(163)) is 262537412640768744 but for 7.5e-13
  const Expr near = exp(pi * sqrt(pool.number(163))) - *Rational::parse("262537412640768744");
  EXPECT_EQ(constant_sign(near), -1);
}

TEST_F(Evaluate, a_million_nested_functions_are_evaluated) {
  Expr e = x;
  for (int i = 0; i < 1'000'000; ++i) e = sin(e);
  const double value = evaluate(e, {{x, 1.0}});
  EXPECT_NEAR(value, std::sqrt(3e-6), 1e-6);  // x_n ~ sqrt(3/n)
  EXPECT_EQ(balls(e, {{x, ball(1, 0)}}, 64).status, EvaluationStatus::ok);
}

TEST_F(Evaluate, the_reason_of_a_huge_culprit_is_short) {
  Expr e = x;
  for (int i = 0; i < 300; ++i) e = sin(e) * cos(e);
  const DoubleValues found = at(log(e - 10), {{x, 1.0}});
  EXPECT_EQ(found.status, EvaluationStatus::outside_domain);
  EXPECT_LT(found.reason().size(), 200u);
}

}  // namespace
}  // namespace liaison
