#include "liaison/expr/differentiate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "expr/raw.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

constexpr long digits = 400;
constexpr long bits = 2000;
const Rational step = power(Rational(10), -100);

/// (f(x + h) - f(x - h)) / 2h with h = 10^-100 in 400 digits: the error is f''' h^2/6, far below 50 digits.
std::optional<Ball> central_difference(Expr e, Expr symbol, RationalPoint point) {
  const Rational x = point.at(symbol);
  point[symbol] = x + step;
  const LongValue right = evaluate_digits(e, point, digits, 8000);
  point[symbol] = x - step;
  const LongValue left = evaluate_digits(e, point, digits, 8000);
  if (!right.value || !left.value) return std::nullopt;
  Ball result;
  arb_sub(result.raw(), right.value->raw(), left.value->raw(), bits);
  Ball width(Rational(2) * step, bits);
  arb_div(result.raw(), result.raw(), width.raw(), bits);
  return result;
}

double relative_gap(const Ball& a, const Ball& b) {
  Ball gap;
  arb_sub(gap.raw(), a.raw(), b.raw(), bits);
  return std::abs(gap.mid()) / std::max(1.0, std::abs(b.mid()));
}

/// Compares where both sides have a value. Returns whether they had.
bool expect_derivative_matches_difference(Expr e, Expr symbol, const RationalPoint& point) {
  const auto difference = central_difference(e, symbol, point);
  const LongValue exact = evaluate_digits(derivative(e, symbol), point, 60, 4000);
  if (!difference || !exact.value) return false;
  if (std::abs(exact.value->mid()) > 1e50) return false;
  EXPECT_LT(relative_gap(*difference, *exact.value), 1e-50)
      << to_infix(e) << " by " << to_infix(symbol) << " gives " << to_infix(derivative(e, symbol));
  return true;
}

class Differentiate : public ::testing::Test {
 protected:
  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
};

TEST_F(Differentiate, every_row_of_the_operator_table_matches_central_differences) {
  for (const OperatorRow& row : operator_table()) {
    std::size_t compared = 0;
    for (std::uint64_t seed : test::seeds(60)) {
      SCOPED_TRACE(test::seed_note(seed));
      test::RandomExpressions random(seed);
      const RationalPoint point = random.point(pool);
      const std::array inner{x, y};
      const Expr e = pool.elementary(row.op, std::span(inner).first(row.arity));
      for (unsigned slot = 0; slot < row.arity; ++slot) {
        compared += expect_derivative_matches_difference(e, inner[slot], point);
      }
    }
    EXPECT_GE(compared, 5u) << row.name;
  }
}

TEST_F(Differentiate, random_expressions_match_central_differences) {
  std::size_t compared = 0;
  for (std::uint64_t seed : test::seeds(150)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, {.functions = test::all_functions(), .depth = 3});
    const Expr e = random.expression(pool);
    compared += expect_derivative_matches_difference(e, x, random.point(pool));
  }
  EXPECT_GE(compared, 75u);
}

TEST_F(Differentiate, fractional_powers_match_central_differences) {
  const RationalPoint point{{x, Rational(7, 5)}, {y, Rational(1, 3)}};
  for (const Rational& exponent : {Rational(1, 2), Rational(-1, 2), Rational(5, 3), Rational(-7, 4)})
    EXPECT_TRUE(expect_derivative_matches_difference(pow(x * y + 1, exponent), x, point));
}

TEST_F(Differentiate, sum_and_product_rule_hold_on_random_expressions) {
  for (std::uint64_t seed : test::seeds(100)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, {.depth = 3});
    const Expr f = random.expression(pool), g = random.expression(pool);
    EXPECT_EQ(derivative(f + g, x), derivative(f, x) + derivative(g, x));
    const RationalPoint point = random.point(pool);
    const LongValue gap = evaluate_digits(
        derivative(f * g, x) - (derivative(f, x) * g + f * derivative(g, x)), point, 40, 2000);
    EXPECT_TRUE(!gap.value || gap.value->contains_zero()) << to_infix(f) << " times " << to_infix(g);
  }
}

TEST_F(Differentiate, gradient_and_derivative_have_the_same_values) {
  std::size_t compared = 0;
  for (std::uint64_t seed : test::seeds(150)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, {.depth = 5});
    const Expr e = random.expression(pool);
    const RationalPoint point = random.point(pool);
    const std::vector<Expr> symbols = random.symbols(pool);
    const std::vector<Expr> all = gradient(e, symbols);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const LongValue gap = evaluate_digits(all[i] - derivative(e, symbols[i]), point, 40, 2000);
      if (!gap.value) continue;
      ++compared;
      EXPECT_TRUE(gap.value->contains_zero()) << to_infix(e) << " by " << to_infix(symbols[i]);
    }
  }
  EXPECT_GE(compared, 200u);
}

TEST_F(Differentiate, mixed_partial_derivatives_commute_in_value) {
  for (std::uint64_t seed : test::seeds(60)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, {.depth = 3});
    const Expr e = random.expression(pool);
    const Expr gap = derivative(derivative(e, x), y) - derivative(derivative(e, y), x);
    const LongValue value = evaluate_digits(gap, random.point(pool), 40, 2000);
    EXPECT_TRUE(!value.value || value.value->contains_zero()) << to_infix(e);
  }
}

TEST_F(Differentiate, textbook_derivatives_have_their_textbook_form) {
  EXPECT_EQ(derivative(pow(x, 3), x), 3 * pow(x, 2));
  EXPECT_EQ(derivative(sin(x * y), x), y * cos(x * y));
  EXPECT_EQ(derivative(sqrt(x), x), Rational(1, 2) * pow(x, Rational(-1, 2)));
  EXPECT_EQ(derivative(exp(2 * x), x), 2 * exp(2 * x));
  EXPECT_EQ(derivative(abs(x), x), sign(x));
  EXPECT_TRUE(derivative(sign(x), x).is_zero());
  EXPECT_TRUE(derivative(sin(y) + 3, x).is_zero());
  EXPECT_TRUE(derivative(x, x).is_one());
}

TEST_F(Differentiate, unknown_functions_obey_the_chain_rule) {
  const FunctionInfo* f = pool.function("f", 2);
  const std::array args{x * y, sin(x)};
  const Expr e = pool.apply(f, args);
  const Expr expected = y * pool.apply(f, args, {1, 0}) + cos(x) * pool.apply(f, args, {0, 1});
  EXPECT_EQ(derivative(e, x), expected);
  const std::array same{x, x};
  const Expr twice = derivative(derivative(pool.apply(f, same), x), x);
  EXPECT_EQ(twice,
            pool.apply(f, same, {2, 0}) + 2 * pool.apply(f, same, {1, 1}) + pool.apply(f, same, {0, 2}));
}

TEST_F(Differentiate, derivative_of_an_unknown_function_becomes_that_of_its_body) {
  const FunctionInfo* f = pool.function("f", 1);
  const std::array args{x * x + y};
  const Expr e = pool.apply(f, args) * x;
  const std::array parameters{z};
  const Expr body = sin(z) * z;
  const Expr late = substitute_function(derivative(e, x), f, parameters, body);
  const Expr early = derivative(substitute_function(e, f, parameters, body), x);
  const LongValue gap = evaluate_digits(late - early, {{x, Rational(3, 7)}, {y, Rational(2, 5)}}, 40);
  ASSERT_TRUE(gap.value) << gap.reason();
  EXPECT_TRUE(gap.value->contains_zero());
}

TEST_F(Differentiate, jacobian_lists_the_entries_that_are_not_zero_by_row_and_column) {
  const std::array rows{x * y, pool.number(3), sin(z) + x};
  const std::array columns{x, y, z};
  const auto entries = jacobian(rows, columns);
  ASSERT_EQ(entries.size(), 4u);
  const std::array<std::array<std::size_t, 2>, 4> places{{{0, 0}, {0, 1}, {2, 0}, {2, 2}}};
  const std::array values{y, x, pool.number(1), cos(z)};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].row, places[i][0]);
    EXPECT_EQ(entries[i].column, places[i][1]);
    EXPECT_EQ(entries[i].value, values[i]);
  }
}

TEST_F(Differentiate, jacobian_of_one_row_and_of_one_column_agree_with_derivatives) {
  std::vector<Expr> symbols, rows;
  Expr product = pool.number(1);
  for (int i = 0; i < 40; ++i) {
    symbols.push_back(pool.symbol(fmt::format("s{}", i)));
    product = sin(product + symbols.back());
    rows.push_back(product * x);
  }
  DoublePoint point{{x, 0.3}};
  for (std::size_t i = 0; i < symbols.size(); ++i) point[symbols[i]] = 0.01 * static_cast<double>(i);
  for (const auto& entry : jacobian(std::span(&product, 1), symbols))
    EXPECT_NEAR(evaluate(entry.value, point), evaluate(derivative(product, symbols[entry.column]), point),
                1e-12);
  for (const auto& entry : jacobian(rows, std::span(&x, 1)))
    EXPECT_NEAR(evaluate(entry.value, point), evaluate(rows[entry.row] / x, point), 1e-12);
}

TEST_F(Differentiate, a_million_nested_functions_are_differentiated) {
  Expr e = x + y;
  for (int i = 0; i < 1'000'000; ++i) e = sin(e);
  const Expr forward = derivative(e, x);
  EXPECT_EQ(gradient(e, std::array{x, y}), (std::vector{forward, derivative(e, y)}));
  EXPECT_GE(forward.args().size(), 999'999u);
}

TEST_F(Differentiate, deep_expressions_with_symbols_at_every_level_are_differentiated) {
  Expr e = x;
  for (int i = 0; i < 150'000; ++i) e = pow(sin(e) + x * y, 2);
  const std::vector<Expr> all = gradient(e, std::array{x, y});
  EXPECT_FALSE(all[0].is_zero());
  EXPECT_FALSE(all[1].is_zero());
}

TEST_F(Differentiate, shared_subexpressions_are_differentiated_once) {
  Expr e = x;
  for (int i = 0; i < 300; ++i) e = sin(e) * cos(e);
  EXPECT_LT(count_operations(std::array{derivative(e, x)}), 5000u);
  EXPECT_LT(count_operations(gradient(e, std::array{x, y})), 5000u);
}

TEST_F(Differentiate, more_symbols_than_the_sets_hold_are_told_apart) {
  std::vector<Expr> symbols, terms;
  for (int i = 0; i < 600; ++i) {
    symbols.push_back(pool.symbol(fmt::format("s{}", i)));
    terms.push_back(i * pow(symbols.back(), 2));
  }
  const Expr sum = pool.add(terms);
  const std::vector<Expr> all = gradient(sum, symbols);
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(all[i], 2 * i * symbols[i]);
    EXPECT_EQ(derivative(sum, symbols[i]), all[i]);
  }
  EXPECT_EQ(jacobian(std::span(&sum, 1), symbols).size(), 599u);
}

TEST_F(Differentiate, what_is_not_a_symbol_is_refused) {
  try {
    derivative(x * y, x * y);
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_a_symbol);
  }
  Pool other;
  EXPECT_THROW(derivative(x, other.symbol("x")), Error);
}

}  // namespace
}  // namespace liaison
