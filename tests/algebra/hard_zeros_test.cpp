#include <gtest/gtest.h>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"

namespace liaison {
namespace {

/// Statements that fail at single points only, or by less than any precision shows; and true ones that look
/// like them.
class HardZeros : public ::testing::Test {
 protected:
  Verdict zero(std::string_view text) {
    const Expr e = parse(pool, text);
    return algebra.is_zero(e);
  }
  void expect_all(Grade grade, std::initializer_list<std::string_view> texts) {
    for (std::string_view text : texts) {
      const Verdict verdict = zero(text);
      EXPECT_EQ(verdict.grade, grade) << text << ": " << describe(verdict);
    }
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(HardZeros, a_sign_that_vanishes_at_double_zeros_alone_is_refuted_there) {
  expect_all(Grade::refuted, {
                                 "sign(1 + cos(x)) - 1",
                                 "sign(2 - sin(x) - sin(y)) - 1",
                                 "sign(2 - sin(x) - cos(x + y)) - 1",
                                 "sign((x^2 - 2)^2 + (y^2 - 3)^2) - 1",
                                 "sign((x^2 + y^2 - 1)^2 + (x - y)^2) - 1",
                                 "sign(x^4 - 4*x^2 + 4) - 1",
                             });
  EXPECT_FALSE(zero("sign(1001/1000 + cos(x)) - 1").is_refuted());
  EXPECT_FALSE(zero("sign(x^4 - 4*x^2 + 4 + 10^(-30)) - 1").is_refuted());
}

TEST_F(HardZeros, a_window_of_any_size_is_seen_at_the_zero_that_it_surrounds) {
  expect_all(Grade::refuted, {
                                 "max(0, 10^(-30) - abs(x - pi))",
                                 "max(0, 10^(-30) - abs(x - exp(1)))",
                                 "max(0, 10^(-30) - abs(x - sqrt(2)))",
                                 "max(0, 10^(-30) - abs(cos(x) + 1))",
                                 "max(0, 10^(-40) - (x - y)^2 - (x + y - pi)^2)",
                             });
}

TEST_F(HardZeros, a_surface_at_any_distance_is_found_by_undoing_what_is_done_to_its_symbol) {
  expect_all(Grade::refuted, {
                                 "sign((exp(x) - 3)^2) - 1",
                                 "sign(abs(x^3 - 2)) - 1",
                                 "max(exp(x) - 10^1000, 0)",
                             });
  const Verdict far = zero("max(log(x) - 1000003, 0)");
  EXPECT_EQ(far.grade, Grade::unknown);
  EXPECT_NE(far.reason.find("too large to be printed"), std::string::npos) << describe(far);
}

TEST_F(HardZeros, a_domain_of_single_points_is_looked_at_in_several_of_them) {
  expect_all(Grade::refuted, {
                                 "sqrt(-sin(x)^2) + x",
                                 "sqrt(-(x^2 - 2)^2) + x - sqrt(2)",
                                 "sqrt(-cos(x)^2) + x - pi/2",
                                 "sqrt(sin(x) - 1) + x - pi/2",
                                 "sqrt(sin(x)*cos(y) - 1) + x - pi/2",
                             });
  EXPECT_TRUE(zero("sqrt(-cos(x)^2)").holds());
}

TEST_F(HardZeros, what_is_smaller_than_any_precision_tells_is_not_zero) {
  expect_all(Grade::refuted, {
                                 "1 - tanh(10^9)",
                                 "tanh(10^9*x)^2 - 1",
                                 "tanh(10^6*x) - sign(x)",
                                 "tanh(10^9*x) - tanh(2*10^9*x)",
                                 "cosh(10^9) - sinh(10^9)",
                                 "(1 + exp(-10^9))^2 - 1",
                                 "pi/2 - atan(10^400)",
                                 "sqrt(1 + exp(-10^9)) - 1",
                                 "log(1 + exp(-10^9))",
                                 "cos(exp(-10^9)) - 1",
                                 "sin(1 + exp(-10^9)) - sin(1)",
                                 "sqrt(1 + exp(-10^9)) - 1 - exp(-10^9)/2",
                                 "tanh(x)*sqrt(1 + exp(-10^9*(1 + x^2))) - tanh(x)",
                             });
  expect_all(Grade::proved, {
                                "cosh(10^9*x)^2 - sinh(10^9*x)^2 - 1",
                                "exp(-10^9)*exp(10^9) - 1",
                                "sin(2000*x) - 2*sin(1000*x)*cos(1000*x)",
                                "sqrt(1 + 2*exp(-10^9) + exp(-2*10^9)) - 1 - exp(-10^9)",
                            });
}

TEST_F(HardZeros, inverse_functions_are_looked_at_on_further_turns) {
  expect_all(Grade::refuted, {
                                 "asin(sin(exp(x - 16))) - exp(x - 16)",
                                 "acos(cos(exp(x - 300))) - exp(x - 300)",
                                 "atan(tan(log(1 + x^2)/50)) - log(1 + x^2)/50",
                                 "atan2(sin(exp(x - 90)), cos(exp(x - 90))) - exp(x - 90)",
                             });
}

TEST_F(HardZeros, an_angle_is_looked_at_on_both_sides_of_each_factor) {
  expect_all(Grade::refuted, {
                                 "atan2((x - 12)*(16 - y), (y + 17)*(16 - y)) - atan2(x - 12, y + 17)",
                                 "atan2(x*(5000 - z), y*(5000 - z)) - atan2(x, y)",
                             });
}

TEST_F(HardZeros, extrema_that_form_families_are_met) {
  expect_all(Grade::refuted, {
                                 "sign(1 - sin(x^2 + y^2)) - 1",
                                 "sign(sin(x + y) - 1) + 1",
                                 "sign(4 - (x^2 + y^2 - 1)^2 - 4) + 1",
                                 "sign((x^2 + y^2)*(2 - x^2 - y^2) - 1) + 1",
                                 "sign((x^2 + y^2 + z^2)*exp(1 - x^2 - y^2 - z^2) - 1) + 1",
                                 "sign(cos(x*y)*cos(z) - 1) + 1",
                                 "sign(log(x + y) - 3)^2 - 1",
                             });
}

TEST_F(HardZeros, a_side_on_which_no_point_was_found_is_told) {
  const Verdict verdict = zero("max(x*exp(-x^2) - 1/2, 0)");
  EXPECT_EQ(verdict.grade, Grade::checked);
  EXPECT_NE(verdict.reason.find("no point was found with x*exp(-x^2) - 1/2 > 0"), std::string::npos)
      << describe(verdict);
  EXPECT_EQ(zero("max(-x^2 - y^2, 0) + log(x*y) - log(x) - log(y)").reason.find("no point"),
            std::string::npos);
}

TEST_F(HardZeros, functions_are_written_by_others_where_the_text_has_a_value) {
  expect_all(Grade::proved, {
                                "sqrt(x^2*y) - abs(x)*sqrt(y)",
                                "log(8) - 3*log(2)",
                                "log(x*y) - log(x) - log(y)",
                                "log(x^2) - 2*log(abs(x))",
                                "log((1 + x)/(1 - x)) - log(1 + x) + log(1 - x)",
                                "log(x^2) - 2*log(-x)",
                                "log(x^2/1000000) - 2*log(-x/1000)",
                                "log(-x*y/2) - log(-x) - log(y) + log(2)",
                                "log(3/2 - 3*x/2) - log(1 - x) - log(3/2)",
                                "log(2/x) - log(2) + log(abs(x))",
                                "sqrt(x*(x + 2)) - sqrt(-x)*sqrt(-x - 2)",
                                "sqrt(x - 1)*sqrt(x + 1) - sqrt(x^2 - 1)",
                                "sqrt(1 - x)*sqrt(1 + x) - sqrt(1 - x^2)",
                                "sqrt(x - y)*sqrt(x + y)*sqrt(x^2 + y^2) - sqrt(x^4 - y^4)",
                                "log(x^2 - 1) - log(x - 1) - log(x + 1)",
                                "atan(x) - asin(x/sqrt(1 + x^2))",
                                "acos(x/sqrt(1 + x^2)) + atan(x) - pi/2",
                                "2^(x + 1) - 2*2^x",
                                "4^x - 2^(2*x)",
                                "exp(2*log(x) + log(y)) - x^2*y",
                                "4*atan(1/5) - atan(1/239) - pi/4",
                                "atan(1/2) + atan(1/3) - pi/4",
                                "atan(1) + atan(2) + atan(3) - pi",
                                "asin(x) + acos(x) - pi/2",
                                "cos(atan(x)) - 1/sqrt(1 + x^2)",
                                "cos(2*atan(x)) - (1 - x^2)/(1 + x^2)",
                                "sin(acos(x)) - sqrt(1 - x^2)",
                                "tan(asin(x)) - x/sqrt(1 - x^2)",
                                "cos(atan2(y, x)) - x/sqrt(x^2 + y^2)",
                                "x*sqrt(3 + 2*sqrt(2)) - x - x*sqrt(2)",
                                "x*sqrt(3 - 2*sqrt(2)) + x - x*sqrt(2)",
                            });
  expect_all(Grade::refuted, {
                                 "sqrt(x^2*y) - x*sqrt(y)",
                                 "log(x^2) - 2*log(x) + log(x)",
                                 "atan(x) + atan(1/x) - pi/2",
                                 "atan(2) + atan(3) + pi/4",
                                 "sin(atan2(y, x)) - x/sqrt(x^2 + y^2)",
                                 "x*sqrt(3 - 2*sqrt(2)) - x + x*sqrt(2)",
                             });
}

TEST_F(HardZeros, constants_of_roots_and_sines_are_decided_by_a_separation_bound) {
  expect_all(Grade::proved, {
                                "sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2)",
                                "sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3)",
                                "(2 + sqrt(5))^(1/3) - (1 + sqrt(5))/2",
                                "cos(pi/7) - cos(2*pi/7) + cos(3*pi/7) - 1/2",
                                "sin(pi/10) - (sqrt(5) - 1)/4",
                                "tan(pi/8) - sqrt(2) + 1",
                                "1/(sqrt(2) + sqrt(3)) + sqrt(2) - sqrt(3)",
                            });
  expect_all(Grade::refuted, {
                                 "sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2) - 10^(-300)",
                                 "sqrt(10^60 + 1) - 10^30 - 1/(2*10^30)",
                                 "cos(pi/7) - cos(2*pi/7) + cos(3*pi/7) - 1/2 + 10^(-400)",
                             });
}

}  // namespace
}  // namespace liaison
