#include "liaison/simulate/runge_kutta.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace liaison {
namespace {

const Rates oscillator = [](double, const double* y, double* dy) {
  dy[0] = y[1];
  dy[1] = -y[0];
  return true;
};

double error_with(double step) {
  DormandPrince method(oscillator, 2, {}, step);
  const double start[] = {1, 0};
  method.begin(0, start, 8);
  while (method.time() < 8) method.step(8);
  return std::hypot(method.state()[0] - std::cos(8.0), method.state()[1] + std::sin(8.0));
}

TEST(DormandPrince, HasOrderEight) {
  const double order = std::log2(error_with(0.5) / error_with(0.25));
  EXPECT_NEAR(order, 8, 0.5);
}

TEST(DormandPrince, DenseOutputHasOrderSeven) {
  const auto error = [](double step) {
    DormandPrince method(oscillator, 2, {}, step);
    const double start[] = {1, 0};
    method.begin(0, start, 8);
    double worst = 0;
    while (method.time() < 4) {
      method.step(4);
      double y[2];
      for (double part : {0.3, 0.5, 0.8}) {
        const double t = method.time() - (1 - part) * step;
        method.dense().evaluate(t, y);
        worst = std::max(worst, std::abs(y[0] - std::cos(t)));
      }
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error(0.5) / error(0.25)), 8, 0.7);  // the local error of order 7: h^8
}

TEST(DormandPrince, KeepsItsTolerance) {
  for (double tolerance : {1e-6, 1e-9, 1e-12}) {
    DormandPrince method(oscillator, 2, {tolerance, tolerance * 1e-3});
    const double start[] = {1, 0};
    ASSERT_TRUE(method.begin(0, start, 20));
    while (method.time() < 20) ASSERT_EQ(method.step(20), StepOutcome::stepped);
    EXPECT_EQ(method.time(), 20);
    EXPECT_LT(std::abs(method.state()[0] - std::cos(20.0)), 100 * tolerance);
  }
}

TEST(DormandPrince, ASolutionThatBlowsUpEndsWithASmallStep) {  // y' = y^2, y = 1/(1 - t)
  DormandPrince method([](double, const double* y, double* dy) { return dy[0] = y[0] * y[0], true; }, 1, {});
  const double start[] = {1};
  ASSERT_TRUE(method.begin(0, start, 2));
  StepOutcome outcome = StepOutcome::stepped;
  for (int i = 0; i < 10000 && outcome == StepOutcome::stepped; ++i) outcome = method.step(2);
  EXPECT_EQ(outcome, StepOutcome::too_small);
  EXPECT_NEAR(method.time(), 1, 1e-9);
}

}  // namespace
}  // namespace liaison
