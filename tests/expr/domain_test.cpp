#include "liaison/expr/domain.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {
namespace {

class DomainOfText : public ::testing::Test {
 protected:
  DomainOfText() { pool.function("f", 1); }

  ParsedExpression read(const std::string& text, ParseOptions options = {}) {
    options.declare_unknown = true;
    const Source source("test", text);
    ParsedExpression parsed = parse_expression(pool, source, options);
    EXPECT_TRUE(parsed.diagnostics.empty()) << render(parsed.diagnostics, source);
    return parsed;
  }
  std::string domain(const std::string& text) { return to_infix(read(text).domain); }

  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y");
  Expr m = pool.symbol("m", SymbolKind::parameter, true);
};

TEST_F(DomainOfText, a_text_without_partial_operations_has_a_value_everywhere) {
  EXPECT_EQ(domain("x*y - 3*sin(x)^2 + exp(x/2) + abs(x) + sign(y) + min(x, y) + atan(x) + f(x)"), "");
}

TEST_F(DomainOfText, what_light_canonical_form_loses_is_kept) {
  EXPECT_EQ(read("sqrt(x)*sqrt(x)").value, x);
  EXPECT_EQ(domain("sqrt(x)*sqrt(x)"), "x >= 0");
  EXPECT_EQ(domain("sqrt(x)^2"), "x >= 0");
  EXPECT_EQ(domain("sqrt(x)²"), "x >= 0");
  EXPECT_EQ(domain("(x^(1/2))^2"), "x >= 0");
  EXPECT_EQ(domain("√x^2"), "x >= 0");
  EXPECT_EQ(domain("abs(sqrt(x)^2)"), "x >= 0");
  EXPECT_EQ(domain("x/x"), "x != 0");
  EXPECT_EQ(domain("x^2/x"), "x != 0");
  EXPECT_EQ(domain("0/x"), "x != 0");
  EXPECT_EQ(domain("x^0"), "x != 0");
  EXPECT_EQ(domain("x^-1*x"), "x != 0");
  EXPECT_EQ(domain("0*log(x)"), "x > 0");
  EXPECT_EQ(domain("exp(log(x))"), "x > 0");
  EXPECT_EQ(domain("x - x + 1/y - 1/y"), "y != 0");
  EXPECT_EQ(domain("f(sqrt(x)) - f(sqrt(x))"), "x >= 0");
  EXPECT_EQ(domain("tan(x)*0"), "cos(x) != 0");
  EXPECT_EQ(domain("sin(asin(x))"), "1 - x^2 >= 0");
  EXPECT_EQ(domain("0*acos(2*x)"), "1 - 4*x^2 >= 0");
  EXPECT_EQ(domain("0*atan2(y, x)"), "x^2 + y^2 != 0");
}

TEST_F(DomainOfText, a_power_needs_what_its_exponent_asks_for) {
  EXPECT_EQ(domain("x^3"), "");
  EXPECT_EQ(domain("x^-3"), "x != 0");
  EXPECT_EQ(domain("x^(2/3)"), "x >= 0");
  EXPECT_EQ(domain("x^(-2/3)"), "x > 0");
  EXPECT_EQ(domain("x^y"), "x > 0");
  EXPECT_EQ(domain("2^x"), "");
  EXPECT_EQ(domain("x^(y - y + 2)"), "");
}

TEST_F(DomainOfText, what_always_holds_is_left_out) {
  EXPECT_EQ(domain("1/2 + 1/m + 1/exp(x) + 1/(1 + x^2) + 1/(-1 - x^2) + 1/pi + 1/sin(1)"), "");
  EXPECT_EQ(domain("sqrt(x^2 + y^2) + sqrt(m) + sqrt(2) + log(m) + log(1 + x^2)"), "");
  EXPECT_EQ(domain("asin(sin(x)) + acos(1/2) + tan(atan(x)) + atan2(x, 1)"), "");
}

TEST_F(DomainOfText, requirements_stand_once_in_the_order_of_the_text) {
  EXPECT_EQ(domain("log(y) + 1/x + 1/x^2 + 1/(3*x) + 1/(-x) + 1/abs(x)"), "y > 0, x != 0");
  EXPECT_EQ(domain("1/(x*y)"), "x != 0, y != 0");
  EXPECT_EQ(domain("1/(x - y) + 1/(y - x)"), "x - y != 0");
  EXPECT_EQ(domain("sqrt(2*x) + sqrt(3*x) + sqrt(-x)"), "x >= 0, -x >= 0");
}

TEST_F(DomainOfText, two_bounds_on_one_expression_become_one) {
  EXPECT_EQ(domain("1/sqrt(x)"), "x > 0");
  EXPECT_EQ(domain("sqrt(x) + y + 1/x"), "x > 0");
  EXPECT_EQ(domain("1/x + log(x) + sqrt(x)"), "x > 0");
}

TEST_F(DomainOfText, a_requirement_that_never_holds_stays) {
  EXPECT_EQ(domain("0*sqrt(-1 - x^2)"), "-x^2 - 1 >= 0");
  EXPECT_EQ(domain("1/(sin(1)^2 + cos(1)^2 - 1)"), "sin(1)^2 + cos(1)^2 - 1 != 0");
}

TEST_F(DomainOfText, names_and_calls_of_the_language_around_pass_theirs_on) {
  ParseOptions options;
  options.resolve_name = [&](const std::string& name, Span) -> std::optional<ResolvedName> {
    if (name != "let") return std::nullopt;
    return ResolvedName{pool.number(1), {}, 0, {{x, Bound::nonzero}}};
  };
  options.resolve_call = [&](const std::string& name, Span, std::size_t) -> std::optional<ResolvedName> {
    if (name != "query") return std::nullopt;
    return ResolvedName{y, {}, 7, {{y, Bound::positive}}};
  };
  EXPECT_EQ(to_infix(read("query()/y*let", options).domain), "y > 0, x != 0");
}

TEST_F(DomainOfText, a_text_with_errors_has_no_domain) {
  const Source source("test", "1/x + ");
  EXPECT_TRUE(parse_expression(pool, source, {.declare_unknown = true}).domain.empty());
}

TEST_F(DomainOfText, long_and_deep_texts_cost_linear_time) {
  std::string text = "1";
  for (int i = 0; i < 100'000; ++i) text += "/(x + " + std::to_string(i % 50'000) + ")";
  std::string nested = "1";
  for (int i = 0; i < 9'000; ++i) nested = "1/(sin(1) + " + nested + ")";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(read(text).domain.size(), 50'000U);
  EXPECT_GT(read(nested).domain.size(), 8'000U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(DomainOfText, signs_in_signs_need_no_deep_stack) {
  Expr e = x;
  for (int i = 0; i < 200'000; ++i) e = sign(e + Rational(1));
  Domain domain;
  add_requirement(domain, e, Bound::nonzero);
  EXPECT_EQ(domain.size(), 1U);
}

TEST(NaturalDomain, is_what_the_nodes_need) {
  Pool pool;
  const Expr x = pool.symbol("x"), y = pool.symbol("y");
  const std::vector es{sqrt(x) * sqrt(x), log(y) / x, pool.apply(pool.function("f", 1), std::vector{tan(x)})};
  EXPECT_EQ(to_infix(natural_domain(es)), "x != 0, y > 0, cos(x) != 0");
}

TEST(AddRequirement, joins_what_is_there) {
  Pool pool;
  const Expr x = pool.symbol("x");
  Domain domain;
  add_requirement(domain, x, Bound::nonnegative);
  add_requirement(domain, pow(x, 2), Bound::nonnegative);
  EXPECT_EQ(to_infix(domain), "x >= 0");
  add_requirements(domain, {{pow(x, 3), Bound::nonzero}, {exp(x), Bound::positive}});
  EXPECT_EQ(to_infix(domain), "x > 0");
}

}  // namespace
}  // namespace liaison
