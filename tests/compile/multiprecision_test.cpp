#include "liaison/compile/multiprecision.hpp"

#include <gtest/gtest.h>

#include "compile/raw.hpp"
#include "expr/raw.hpp"
#include "liaison/expr/print.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

/// |value - exact| relative to max(1, |exact|).
double difference(const LongReal& value, const Ball& exact) {
  Ball rest;
  arb_set_arf(rest.raw(), value.raw());
  arb_sub(rest.raw(), rest.raw(), exact.raw(), 64);
  return std::abs(rest.mid()) / std::max(1.0, std::abs(exact.mid()));
}

class Multiprecision : public ::testing::Test {
 protected:
  LongReal value(Expr e, const RationalPoint& point, long bits, const ExactPoint& fixed = {}) {
    std::vector<Expr> inputs;
    std::vector<LongReal> in;
    for (const auto& [symbol, exact] : point) {
      inputs.push_back(symbol);
      in.emplace_back(exact, bits);
    }
    MultiprecisionProgram program(inputs, std::span(&e, 1), bits, fixed);
    std::vector<LongReal> out(1);
    EXPECT_TRUE(program.run(in, out)) << to_infix(e) << ": " << program.reason();
    return out[0];
  }

  static ErrorCode code_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << "nothing was thrown";
    return ErrorCode::mixed_pools;
  }

  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y");
};

TEST_F(Multiprecision, random_expressions_have_certified_digits) {
  std::size_t compared = 0;
  for (std::uint64_t seed : test::seeds(300)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(
        seed, {.functions = test::all_functions(), .depth = 3, .fractional_powers = true});
    const Expr e = random.expression(pool);
    const RationalPoint point = random.point(pool);
    const LongValue exact = evaluate_digits(e, point, 60, 2000);
    if (!exact.value || std::abs(exact.value->mid()) > 1e100) continue;
    EXPECT_LT(difference(value(e, point, bits_for_digits(60)), *exact.value), 1e-40) << to_infix(e);
    ++compared;
  }
  EXPECT_GT(compared, 100U);
}

TEST_F(Multiprecision, constants_keep_all_digits) {
  const Expr e = x * Rational(1, 3) + pool.pi() * exp(pool.number(Rational(1, 7)));
  const RationalPoint point = {{x, Rational(981, 100)}};
  for (long digits : {30L, 60L, 200L}) {
    const LongValue exact = evaluate_digits(e, point, digits);
    const LongReal found = value(e, point, bits_for_digits(digits + 5));
    EXPECT_EQ(found.to_string(digits), exact.value->to_string(digits));
  }
}

TEST_F(Multiprecision, what_is_fixed_is_computed_once) {
  const Expr e = x * sqrt(y) + sin(y) * cos(y) / 3 + exp(x * cos(y));
  const RationalPoint point = {{x, Rational(7, 5)}, {y, Rational(2, 3)}};
  const ExactPoint fixed = {{y, pool.number(Rational(2, 3))}};
  const Expr both[] = {x, y};
  const MultiprecisionProgram open(both, std::span(&e, 1), 192),
      closed({&x, 1}, std::span(&e, 1), 192, fixed);
  EXPECT_LT(closed.operation_count(), open.operation_count());
  const LongReal first = value(e, point, 192), second = value(e, {{x, Rational(7, 5)}}, 192, fixed);
  EXPECT_EQ(first.to_string(50), second.to_string(50));
}

TEST_F(Multiprecision, sine_and_cosine_of_one_angle_are_one_operation) {
  const Expr es[] = {sin(x * y), cos(x * y)};
  const Expr inputs[] = {x, y};
  EXPECT_EQ(MultiprecisionProgram(inputs, es, 128).operation_count(), 2U);  // and the product
}

TEST_F(Multiprecision, a_double_is_the_number_that_it_is) {
  const ExactPoint point = exact_point({{x, 0.1}});
  EXPECT_EQ(value(x + y, {{y, 0}}, 192, point).to_string(30), "0.100000000000000005551115123126");
}

TEST_F(Multiprecision, what_has_no_value_is_named) {
  const Expr e = x + log(y - 2);
  const Expr inputs[] = {x, y};
  MultiprecisionProgram program(inputs, std::span(&e, 1), 128);
  std::vector<LongReal> in = {LongReal(1.0), LongReal(1.5)}, out(1);
  EXPECT_FALSE(program.run(in, out));
  EXPECT_NE(program.reason().find("`log(y - 2)`"), std::string::npos) << program.reason();
  EXPECT_NE(program.reason().find("-0.5"), std::string::npos) << program.reason();
  in[1] = LongReal(4.0);
  EXPECT_TRUE(program.run(in, out));

  for (Expr singular : {1 / x, sqrt(x - 1), pow(x, Rational(-1, 3)), asin(x + 2), atan2(x, 2 * x)}) {
    MultiprecisionProgram at_zero({&x, 1}, std::span(&singular, 1), 128);
    EXPECT_FALSE(at_zero.run(std::vector<LongReal>(1), out)) << to_infix(singular);
  }
}

TEST_F(Multiprecision, misuse_is_refused) {
  const Expr unknown = pool.apply(pool.function("f", 1), {&x, 1});
  const Expr sum = x + y, root = sqrt(y);
  const auto make = [](Expr input, Expr output, const ExactPoint& fixed) {
    MultiprecisionProgram({&input, 1}, {&output, 1}, 128, fixed);
  };
  EXPECT_EQ(code_of([&] { make(x, sum, {}); }), ErrorCode::missing_value);
  EXPECT_EQ(code_of([&] { make(x, unknown, {}); }), ErrorCode::missing_value);
  EXPECT_EQ(code_of([&] { make(sum, sum, {}); }), ErrorCode::not_a_symbol);
  EXPECT_EQ(code_of([&] { make(x, x + root, {{y, pool.number(-1)}}); }), ErrorCode::undefined_constant);
}

}  // namespace
}  // namespace liaison
