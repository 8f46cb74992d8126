#include <gtest/gtest.h>

#include <cmath>

#include "simulate_support.hpp"

// Forces with directions of their own: where det r vanishes, and factors that enter their own directions.

namespace liaison {
namespace {

using test::read_runnable;
using test::RunnableModel;
using test::RunRequest;

SimulationResult run_with(const RunnableModel& model, const std::string& method, double until,
                          double tolerance = 1e-9, double step = 0) {
  RunRequest request;
  request.method.name = method;
  request.method.step = step;
  request.options.until = until;
  request.options.fixed_step = step;
  request.options.tolerance.relative = tolerance;
  request.options.max_steps = 200000;
  return test::run(model, request);
}

::testing::AssertionResult ends(const SimulationResult& result, double t, double within,
                                const std::string& what) {
  if (result.outcome != SimulationOutcome::singular)
    return ::testing::AssertionFailure() << "it goes on to t = " << result.t << ": " << result.message;
  if (!(std::abs(result.t - t) <= within))
    return ::testing::AssertionFailure() << "it ends at " << result.t << ": " << result.message;
  if (result.message.find(what) == std::string::npos)
    return ::testing::AssertionFailure() << "it says `" << result.message << "`";
  return ::testing::AssertionSuccess();
}

// r = cos t, lambda = 1/cos t: a pole at pi/2, whatever the step.
TEST(PolesOfFactors, EndARunWithEveryStep) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -1\nconstraint c: y' = 0 along cos(t)*dy + "
      "sin(t)*dx\n");
  const double pole = std::acos(-1.0) / 2;
  for (const double step : {0.01, 0.013, 0.1})
    EXPECT_TRUE(ends(run_with(model, "dop853", 3, 1e-9, step), pole, 1e-6, "r of `c` vanishes")) << step;
  EXPECT_TRUE(ends(run_with(model, "taylor", 3, 1e-9, 0.1), pole, 1e-6, "r of `c` vanishes"));
  EXPECT_TRUE(ends(run_with(model, "arkode", 3, 1e-9, 0.01), pole, 1e-6, "r of `c` vanishes"));
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"})
    EXPECT_TRUE(ends(run_with(model, method, 3), pole, 1e-4, "r of `c` vanishes")) << method;
}

TEST(PolesOfFactors, EndARunWithLooseTolerances) {
  const RunnableModel model = read_runnable(
      "param w = 1, g = 9.81\ncoord x, th\nkinetic x'^2 + cos(th)*x'*th' + th'^2/2\npotential -g*cos(th)\n"
      "constraint hold: th' = w by x'\n");
  const double pole = std::acos(-1.0) / 2;
  for (const std::string method : {"dop853", "arkode", "adams", "bdf", "ida"})
    for (const double tolerance : {1e-2, 1e-3, 1e-6})
      EXPECT_TRUE(ends(run_with(model, method, 3, tolerance), pole, 0.05, "r of `hold` vanishes"))
          << method << " " << tolerance;
}

// The same direction where nothing drives the relation: the factor stays zero, and the motion goes on.
TEST(PolesOfFactors, ThatNothingDrivesArePassed) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -1\nconstraint c: y' = 0 along cos(t)*dy + "
      "1/10*sin(t)*dy\n"
      "start x' = 1\n");
  const SimulationResult result = run_with(model, "dop853", 3);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(model.value(result.y, "x"), 3 - 4.5, 1e-8);
}

// cos(x) y' = 0 loses its gradient at x = pi/2, and y' stays zero: what rounding leaves of y'' is no jump.
TEST(GradientsThatVanish, ArePassedThoughRoundingGrows) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -1\nconstraint c: cos(x)*y' = 0\nstart x' = 1\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    const SimulationResult result = run_with(model, method, 3);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_NEAR(model.value(result.y, "x"), 3, 1e-7) << method;
    EXPECT_NEAR(model.value(result.y, "y'"), 0, 1e-7) << method;
  }
}

// ---- factors that enter their own directions ----

TEST(OwnFactors, SeveralMotionsAreListedAndNotChosenAmong) {
  const auto model_with = [](const std::string& power, const std::string& force) {
    return read_runnable("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = " + force +
                         "\nconstraint f: y' = 0 power " + power + " + 0.3*x'\n");
  };
  const RunnableModel near = model_with("y'*(1.5 - lambda(f)*0.5)", "-1");
  const RunnableModel far = model_with("y'*(1000001/1000000 - lambda(f)/1000000)", "-1");
  const RunnableModel tiny = model_with("y'*(1.5 - lambda(f)*5e8)", "-1e-9");
  const RunnableModel three = model_with("y'*(lambda(f)^2 - 6*lambda(f) + 11)", "-6");
  const RunnableModel waves = model_with("y'*2*cos(3*lambda(f))", "-1");
  for (const std::string method : {"dop853", "arkode", "bdf", "ida"}) {
    EXPECT_TRUE(ends(run_with(near, method, 1), 0, 0,
                     "2 solutions keep the relations: lambda(f) = 1; or "
                     "lambda(f) = 2"));
    EXPECT_TRUE(ends(run_with(far, method, 1), 0, 0, "lambda(f) = 1; or lambda(f) = 1000000"));
    EXPECT_TRUE(ends(run_with(tiny, method, 1), 0, 0, "lambda(f) = 1e-09; or lambda(f) = 2e-09"));
    EXPECT_TRUE(ends(run_with(three, method, 1), 0, 0,
                     "3 solutions keep the relations: lambda(f) = 1; or lambda(f) = 2; or lambda(f) = 3"));
    EXPECT_TRUE(ends(run_with(waves, method, 1), 0, 0, "at least"));
  }
}

TEST(OwnFactors, OneMotionIsRun) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -1\n"
      "constraint f: y' = 0 power y'*(1/2 + lambda(f)^2/2) + 0.3*x'\n");  // lambda = 1
  const SimulationResult result = run_with(model, "dop853", 1);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(model.value(result.y, "x'"), 0.3, 1e-10);
}

// lambda^3 - 3 lambda = t - 3 has one root at the start, near -2.1, which meets another at t = 5, lambda =
// -1.
TEST(OwnFactors, ARootThatEndsEndsTheRun) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = 3 - t\n"
      "constraint f: y' = 0 power y'*(lambda(f)^2 - 3) + 0.3*x'\n");
  const SimulationResult result = run_with(model, "dop853", 8);
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NEAR(result.t, 5, 1e-3) << result.message;
}

/// A bead that keeps y' = x' by a force whose direction depends on its own factor: where gravity is g,
/// lambda (1 + law(lambda)) = g.
RunnableModel with_own_law(const std::string& law, const std::string& g = "10") {
  return read_runnable("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -(" + g +
                       ")\nconstraint f: y' - x' = 0 power y' - x'*(" + law + ")\nstart x' = 1, y' = 1\n");
}

// On either side of an absolute value of the factor: roots that the law does not have on their side are none.
TEST(OwnFactors, AreLookedForOnAllSidesOfTheirSwitches) {
  for (const std::string law :
       {"1 + lambda(f)/10 - abs(lambda(f))/10", "1 + lambda(f)/10 - max(lambda(f), -lambda(f))/10",
        "1 + min(lambda(f), 0)/5"}) {
    const RunnableModel model = with_own_law(law);
    for (const std::string method : {"dop853", "arkode", "bdf", "ida"}) {
      const SimulationResult result = run_with(model, method, 0.2);
      EXPECT_TRUE(ends(result, 0, 0, "2 solutions keep the relations")) << law << method;
      EXPECT_TRUE(ends(result, 0, 0, "lambda(f) = 5")) << law << method;
      EXPECT_TRUE(ends(result, 0, 0, "lambda(f) = -13.660254")) << law << method;
    }
  }
  const SimulationResult close = run_with(with_own_law("1 - 0.0999999999*abs(lambda(f))"), "dop853", 0.2);
  EXPECT_TRUE(ends(close, 0, 0, " 3 solutions keep the relations"));
}

TEST(OwnFactors, OneMotionIsRunOnItsSide) {
  const struct {
    std::string law;
    double factor;
  } cases[] = {{"1 + abs(lambda(f))/10", -10 + std::sqrt(200.0)},          // l^2/10 + 2 l = 10
               {"1 - 0.11*abs(lambda(f))", (-2 - std::sqrt(8.4)) / 0.22},  // 0.11 l^2 + 2 l = 10 below zero
               {"1 + sign(lambda(f))/10", 10 / 2.1},
               {"-3 - 0.4*sign(lambda(f))", -10 / 1.6}};  // above zero -2.4 l = 10
  for (const auto& [law, factor] : cases) {
    const RunnableModel model = with_own_law(law);
    for (const std::string method : {"dop853", "arkode", "adams", "bdf", "ida"}) {
      const SimulationResult result = run_with(model, method, 0.2);
      EXPECT_EQ(result.outcome, SimulationOutcome::finished) << law << method << result.message;
      EXPECT_NEAR(model.value(result.y, "y'"), 1 + 0.2 * (factor - 10), 1e-6) << law << method;
    }
  }
}

TEST(OwnFactors, WithoutSolutionsThereIsNoMotion) {  // 2 l - 0.2 l^2 = 10, and below zero 2 l = 10
  const RunnableModel model = with_own_law("1 - max(lambda(f), 0)/5");
  EXPECT_TRUE(ends(run_with(model, "dop853", 0.2), 0, 0, "no factors that enter their own directions"));
}

// l (2 + |l|/10) = 10 cos t changes its side at t = pi/2 and goes on.
TEST(OwnFactors, PassToTheOtherSideOfASwitch) {
  const RunnableModel model = with_own_law("1 + abs(lambda(f))/10", "10*cos(t)");
  const auto rate = [](double t) {
    const double g = 10 * std::cos(t), size = -10 + std::sqrt(100 + 10 * std::abs(g));
    return (g < 0 ? -size : size) - g;
  };
  const auto integral = [&](double from, double to) {
    constexpr int parts = 2000;
    const double h = (to - from) / parts;
    double sum = 0;
    for (int i = 0; i < parts; ++i)
      sum += h / 6 * (rate(from + i * h) + 4 * rate(from + (i + 0.5) * h) + rate(from + (i + 1) * h));
    return sum;
  };
  const double turn = std::acos(-1.0) / 2;
  for (const std::string method : {"dop853", "arkode", "bdf", "ida"}) {
    const SimulationResult result = run_with(model, method, 3, 1e-10);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(model.value(result.y, "y'"), 1 + integral(0, turn) + integral(turn, 3), 1e-6) << method;
  }
}

// Where a sign of the factor jumps: the factor jumps to the one solution beyond, or there is none.
TEST(OwnFactors, JumpWithASignOfThem) {
  const RunnableModel one = with_own_law("1 - sign(lambda(f) - 5)/5", "8 + t");
  // 2.2 l = 8 + t up to t = 3, then 1.8 l = 8 + t.
  const double expected = 1 + (28.5 / 2.2 - 28.5) + (24 / 1.8 - 24);  // 8 + t is integrated to 28.5 and 24
  for (const std::string method : {"dop853", "arkode", "bdf"}) {
    const SimulationResult result = run_with(one, method, 5);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(one.value(result.y, "y'"), expected, 1e-6) << method;
  }
  const RunnableModel none = with_own_law("1 + sign(lambda(f) - 5)/5", "8 + t");  // 1.8 l = 9 at t = 1
  EXPECT_TRUE(ends(run_with(none, "dop853", 5), 1, 1e-6, "no factors that enter their own directions"));
}

// Above one the law turns, and from t = 3 on it has three solutions. One is followed that is alone at the
// start; where it changes a side, all are asked for again.
TEST(OwnFactors, SeveralBeyondAChangeEndTheRun) {
  const RunnableModel model = with_own_law(
      "1 - 1.5*max(lambda(f) - 1, 0) + 3*max(lambda(f) - 3, 0) + max(lambda(f) + 1, 0)/1000", "t - 6");
  EXPECT_TRUE(ends(run_with(model, "dop853", 8), 4, 1e-6, "3 solutions keep the relations"));
}

/// No load: the factor is exactly zero, on neither side of its own law.
TEST(OwnFactors, AFactorOfZeroIsFollowed) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\n"
      "constraint f: y' - x' = 0 power y' - x'*(1 + abs(lambda(f))/10)\nstart x' = 1, y' = 1\n");
  for (const std::string& method : test::adaptive_methods) {
    if (method == "taylor") continue;
    const SimulationResult result = run_until(model, method, 1);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(model.value(result.y, "x"), 1, 1e-9) << method;
  }
}

}  // namespace
}  // namespace liaison
