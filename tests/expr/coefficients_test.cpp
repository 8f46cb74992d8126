#include "liaison/expr/coefficients.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

class Coefficients : public ::testing::Test {
 protected:
  Expr rebuilt(const std::vector<Monomial>& monomials, std::span<const Expr> symbols) {
    std::vector<Expr> terms;
    for (const Monomial& monomial : monomials) {
      Expr term = monomial.coefficient;
      for (std::size_t i = 0; i < symbols.size(); ++i)
        term *= pow(symbols[i], static_cast<long>(monomial.exponents[i]));
      terms.push_back(term);
    }
    return pool.add(terms);
  }

  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z"), a = pool.symbol("a"),
       b = pool.symbol("b");
  const std::array<Expr, 2> xy{x, y};
};

TEST_F(Coefficients, a_linear_form_is_taken_apart) {
  const auto form = linear_coefficients(a * x + x * sin(b) - 3 * y + a * (2 * x + b), xy);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->coefficients, (std::vector<Expr>{3 * a + sin(b), pool.number(-3)}));
  EXPECT_EQ(form->rest, a * b);
}

TEST_F(Coefficients, what_is_free_of_the_symbols_is_all_rest) {
  const auto form = linear_coefficients(sin(a) / b, xy);
  ASSERT_TRUE(form);
  EXPECT_TRUE(form->coefficients[0].is_zero());
  EXPECT_EQ(form->rest, sin(a) / b);
}

TEST_F(Coefficients, products_powers_and_functions_of_the_symbols_are_not_linear) {
  for (Expr e : {x * y, x * x, sin(x), 1 / x, a + sqrt(y), x * (y + 1), abs(x)})
    EXPECT_FALSE(linear_coefficients(e, xy)) << to_infix(e);
}

TEST_F(Coefficients, random_linear_forms_come_back) {
  for (std::uint64_t seed : test::seeds(60)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(
        seed, {.symbols = {{"a", SymbolKind::parameter}, {"b", SymbolKind::parameter}}, .depth = 2});
    const auto c = random.expressions(pool, 4);
    const Expr e = c[3] * (c[0] * x + c[1] * y + c[2]) + c[0];
    const auto form = linear_coefficients(e, xy);
    ASSERT_TRUE(form) << to_infix(e);
    const Expr gap = form->coefficients[0] * x + form->coefficients[1] * y + form->rest - e;
    RationalPoint point = random.point(pool);
    point[x] = Rational(5, 7);
    point[y] = Rational(-3, 11);
    const LongValue value = evaluate_digits(gap, point, 40, 2000);
    EXPECT_TRUE(!value.value || value.value->contains_zero()) << to_infix(e);
    for (Expr coefficient : form->coefficients)
      EXPECT_FALSE(depends_on(coefficient, x) || depends_on(coefficient, y));
    EXPECT_FALSE(depends_on(form->rest, x));
  }
}

TEST_F(Coefficients, a_polynomial_is_listed_by_graded_lexicographic_order) {
  const auto found = polynomial_coefficients(pow(x + a * y, 2) + y * x * b + 7 + x, xy);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 5u);
  const std::vector<std::vector<unsigned>> exponents{{2, 0}, {1, 1}, {0, 2}, {1, 0}, {0, 0}};
  const std::vector<Expr> coefficients{pool.number(1), 2 * a + b, pow(a, 2), pool.number(1), pool.number(7)};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ((*found)[i].exponents, exponents[i]);
    EXPECT_EQ((*found)[i].coefficient, coefficients[i]);
  }
}

TEST_F(Coefficients, terms_that_cancel_are_left_out) {
  const auto found = polynomial_coefficients((x + y) * (x - y) - x * x + y * y, xy);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->empty());
}

TEST_F(Coefficients, functions_and_negative_powers_of_the_symbols_are_no_polynomials) {
  for (Expr e : {sin(x), 1 / (x + a), sqrt(x), x * exp(y)})
    EXPECT_FALSE(polynomial_coefficients(e, xy)) << to_infix(e);
  EXPECT_TRUE(polynomial_coefficients(x * sin(a) / b, xy));
}

TEST_F(Coefficients, random_polynomials_come_back) {
  for (std::uint64_t seed : test::seeds(100)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomExpressions random(seed, {.functions = {}, .negative_powers = false});
    const Expr e = random.expression(pool);
    const std::vector<Expr> symbols = random.symbols(pool);
    const auto found = polynomial_coefficients(e, symbols);
    ASSERT_TRUE(found) << to_infix(e);
    for (const Monomial& monomial : *found) EXPECT_TRUE(monomial.coefficient.is_number());
    // both are polynomials with rational coefficients: their values at a point are exact
    const LongValue gap = evaluate_digits(rebuilt(*found, symbols) - e, random.point(pool), 200, 100'000);
    ASSERT_TRUE(gap.value);
    EXPECT_TRUE(gap.value->contains_zero()) << to_infix(e);
  }
}

TEST_F(Coefficients, the_limit_of_terms_is_kept) {
  EXPECT_FALSE(polynomial_coefficients(pow(x + y + z + 1, 30), std::array{x, y, z}, 1000));
  EXPECT_TRUE(polynomial_coefficients(pow(x + y, 30), xy, 31));
  EXPECT_FALSE(polynomial_coefficients(pow(x + y, 30), xy, 30));
  EXPECT_FALSE(polynomial_coefficients(pow(x + 1, power(Rational(10), 30)), xy));
}

TEST_F(Coefficients, a_power_of_one_term_is_not_multiplied_out) {
  const auto found = polynomial_coefficients(pow(a * x, 1'000'000) * y, xy, 10);
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)[0].exponents, (std::vector<unsigned>{1'000'000, 1}));
  EXPECT_EQ((*found)[0].coefficient, pow(a, 1'000'000));
}

TEST_F(Coefficients, symbols_are_told_apart_when_there_are_many) {
  std::vector<Expr> symbols, terms;
  for (int i = 0; i < 700; ++i) {
    symbols.push_back(pool.symbol(fmt::format("s{}", i)));
    terms.push_back(i * symbols.back() + sin(a));
  }
  const std::span<const Expr> first(symbols.data(), 100);
  const Expr e = pool.add(terms);
  const auto form = linear_coefficients(e, first);
  ASSERT_TRUE(form);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(form->coefficients[i], pool.number(i));
  const auto polynomial = polynomial_coefficients(pow(e, 1) + pow(symbols[3], 2), first);
  ASSERT_TRUE(polynomial);
  EXPECT_EQ(polynomial->size(), 101u);
}

TEST_F(Coefficients, deep_linear_forms_are_taken_apart) {
  Expr e = x;
  for (int i = 0; i < 100'000; ++i) e = a * (e + b);
  const auto form = linear_coefficients(e, std::span(&x, 1));
  ASSERT_TRUE(form);
  EXPECT_EQ(form->coefficients[0], pow(a, 100'000));
}

}  // namespace
}  // namespace liaison
