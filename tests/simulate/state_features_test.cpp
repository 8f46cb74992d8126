#include <gtest/gtest.h>

#include <cmath>

#include "simulate_support.hpp"

// Short features on a long way: no step passes over them unseen.

namespace liaison {
namespace {

using test::adaptive_methods;
using test::read_runnable;
using test::run_until;
using test::RunnableModel;

TEST(StateFeatures, AHillFarAwayInAQuietRunIsSeen) {
  // The classical method of Runge and Kutta with steps of 1e-4 gives 100.01475270808.
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\npotential -20*exp(-((x - 50)/0.05)^2)\nstart x' = 10\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 10);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(result.y[0], 100.01475270808, 1e-5) << method;
    EXPECT_NEAR(result.y[1], 10, 2e-6) << method;
    EXPECT_LT(result.steps, 2000u) << method;
  }
}

TEST(StateFeatures, ASteepStepTakesItsEnergy) {
  // v^2/2 falls from 50 by the height of the step, 1.
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\npotential tanh((x - 50)/0.001)/2\nstart x' = 10\n");
  for (const std::string& method : adaptive_methods) {
    if (method == "taylor") continue;  // its exp(100000) has no double: refused
    const SimulationResult result = run_until(model, method, 10);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(result.y[1], std::sqrt(98), 1e-6) << method;
  }
}

TEST(StateFeatures, APeakOfAQuotientIsSeen) {
  // By the same independent method, steps in proportion to the distance from the peak.
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -3/(1 + ((x - 50)/0.01)^2 + y^2)\nstart x' = 10, y = "
      "0.01\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 10);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(result.y[0], 100.00092174795, 2e-5) << method;
    EXPECT_NEAR(result.y[3], -9.2189371601e-5, 1e-7) << method;
  }
}

TEST(StateFeatures, AStrongPulseIsSeenFromItsTailOn) {
  // v^2/2 grows by the area of the pulse, 0.3 sqrt(pi).
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = 1000*exp(-((x - 0.5)/0.0003)^2)\nstart x' = 1\n");
  const double area = 0.3 * std::sqrt(std::acos(-1.0));
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 1);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(result.y[1], std::sqrt(1 + 2 * area), 2e-7) << method;
  }
}

TEST(StateFeatures, APulseAtAVelocityIsSeen) {
  // By the trapezoidal rule for t = int dv/a(v), x = int v dv/a(v).
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = 1 + 1000*exp(-((x' - 0.5)/0.0003)^2)\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 1);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(result.y[0], 0.5007820316, 1e-7) << method;
  }
}

TEST(TimeFeatures, APulseBetweenTheEndsOfStepsIsSeen) {
  const double root_pi = std::sqrt(std::acos(-1.0));
  const RunnableModel alone =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = 1000*exp(-((t - 0.5)/0.0003)^2)\n");
  const RunnableModel spring =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = -x + 100*exp(-((t - 3)/0.001)^2)\n");
  for (const std::string& method : adaptive_methods) {
    EXPECT_NEAR(run_until(alone, method, 1).y[1], 0.3 * root_pi, 2e-7) << method;
    // The integral of 100 exp(-(s/0.001)^2) sin(3 - s).
    EXPECT_NEAR(run_until(spring, method, 6).y[0], 0.1 * root_pi * std::exp(-0.0005 * 0.0005) * std::sin(3),
                1e-7)
        << method;
  }
}

TEST(StateFeatures, WhatIsNotPassedCostsNothing) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\npotential -20*exp(-((x - 500)/0.05)^2)\nstart x' = 10\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 10);
    EXPECT_NEAR(result.y[0], 100, 1e-10) << method;
    EXPECT_LT(result.steps, 40u) << method;
  }
}

/// A corner that is round within a short way: far from it a series is a straight line.
TEST(StateFeatures, ARoundCornerOfARootIsNotSteppedOver) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = sqrt((x - 3.21)^2 + 1e-10)\nstart x' = 1\n");
  const auto primitive = [](double u) {
    return u / 2 * std::hypot(u, 1e-5) + 1e-10 / 2 * std::asinh(u / 1e-5);
  };
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 6);
    EXPECT_NEAR(model.value(result.y, "y'"), primitive(2.79) - primitive(-3.21), 1e-5) << method;
  }
}

/// Steps are short where the hill is, not on the way to it.
TEST(StateFeatures, TheWayToAHillTakesFewSteps) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = 1000*exp(-((x - 3)/1e-6)^2)\nstart x' = 1\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 6);
    EXPECT_LT(result.steps, 5000u) << method;
    EXPECT_NEAR(model.value(result.y, "x'"), std::sqrt(1 + 2e-3 * std::sqrt(std::acos(-1.0))), 1e-6)
        << method;
  }
}

}  // namespace
}  // namespace liaison
