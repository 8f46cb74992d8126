#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulate_support.hpp"

// Events whose functions do something within a short way of the state only: no step passes over them.

namespace liaison {
namespace {

using test::adaptive_methods;
using test::read_runnable;
using test::run_until;
using test::RunnableModel;

/// A body with speed one from zero: it stops where the function of its place has its first zero.
void expect_stop(const std::string& event, double place) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nevent d: " + event + " then stop\nstart x' = 1\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 6);
    EXPECT_EQ(result.outcome, SimulationOutcome::event) << method << ": " << event;
    EXPECT_NEAR(result.t, place, 1e-9) << method << ": " << event;
  }
}

TEST(LocalEvents, AHillOfTheEventFunctionIsSeen) {
  expect_stop("exp(-((x - 4.44)/0.1)^2) = 0.3", 4.44 - 0.1 * std::sqrt(-std::log(0.3)));
  expect_stop("exp(-((x - 4.44)/1e-5)^2) = 0.3", 4.44 - 1e-5 * std::sqrt(-std::log(0.3)));
}

TEST(LocalEvents, APeakOfAQuotientIsSeen) {
  expect_stop("1/(1 + (x - 3.21)^2/0.1^2) = 0.5", 3.11);
  expect_stop("1/(1 + (x - 3.21)^2/0.01^2) = 0.5", 3.2);
}

TEST(LocalEvents, AStepIsSeenOnBothSidesOfIt) {
  expect_stop("tanh((x - 4.44)/0.1)^2 = 0.3", 4.44 - 0.1 * std::atanh(std::sqrt(0.3)));
  expect_stop("tanh((x - 4.44)/0.1) = 0.9999", 4.44 + 0.1 * std::atanh(0.9999));
}

TEST(LocalEvents, TheKinksOfTheEventFunctionAreSeen) {
  expect_stop("max(0, 1 - abs(x - 4.44)/0.1) = 0.5", 4.39);
  expect_stop("max(0, 1 - abs(x - 4.44)/0.00001) = 0.5", 4.439995);
}

TEST(LocalEvents, AKinkWithinAHillIsSeen) {
  expect_stop("max(0, exp(-((x - 4.44)/0.01)^2) - 0.5) = 0.2", 4.44 - 0.01 * std::sqrt(-std::log(0.7)));
}

TEST(LocalEvents, EveryPassageIsRecorded) {
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\nforce x = -x\nevent d: exp(-((x - 0.44)/0.001)^2) = 0.3\nstart x = 1\n");
  const double half = 0.001 * std::sqrt(-std::log(0.3)), turn = 2 * std::acos(-1.0);
  const double times[] = {std::acos(0.44 + half), std::acos(0.44 - half), turn - std::acos(0.44 - half),
                          turn - std::acos(0.44 + half)};
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 6);
    ASSERT_EQ(result.events.size(), std::size(times)) << method;
    for (std::size_t i = 0; i < std::size(times); ++i)
      EXPECT_NEAR(result.events[i].t, times[i], 1e-7) << method;
  }
}

TEST(LocalEvents, AFactorHasTheFeaturesOfTheForces) {
  // The floor pulls where 20 exp(-(x - 50.3)^2) > 10.
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nforce y = 20*exp(-(x - 50.3)^2)\n"
      "constraint floor: y = 0\nevent pulls: lambda(floor) = 0 then stop\nstart x' = 10\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 10);
    EXPECT_EQ(result.outcome, SimulationOutcome::event) << method;
    EXPECT_NEAR(result.t, 5.03 - std::sqrt(std::log(2)) / 10, 1e-9) << method;
  }
}

TEST(LocalEvents, ASwitchOfTheForcesWithinAHillIsSeen) {
  // v^2/2 grows by the integral of max(0, exp(-u^2) - 0.3)/100 over u.
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\nforce x = max(0, exp(-((x - 0.44)/0.01)^2) - 0.3)\nstart x' = 1\n");
  const double u = std::sqrt(-std::log(0.3)), root_pi = std::sqrt(std::acos(-1.0));
  const double work = 0.01 * (root_pi * std::erf(u) - 0.6 * u);
  for (const std::string& method : adaptive_methods) {
    if (method == "taylor") continue;  // its exp(1936) has no double: refused
    const SimulationResult result = run_until(model, method, 6);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(result.y[1], std::sqrt(1 + 2 * work), 1e-7) << method;
  }
}

TEST(LocalEvents, WhatIsNotPassedCostsNothing) {
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\nforce x = -x\nevent d: exp(-((x - 4)/0.001)^2) = 0.3\nstart x = 1\n");
  const RunnableModel plain = read_runnable("coord x\nkinetic x'^2/2\nforce x = -x\nstart x = 1\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 6);
    EXPECT_TRUE(result.events.empty()) << method;
    EXPECT_EQ(result.steps, run_until(plain, method, 6).steps) << method;
  }
}

TEST(LocalEvents, ALogarithmAndARootFallWithinAShortWay) {
  expect_stop("log((x - 3.21)^2 + 1e-10) = -20", 3.21 - std::sqrt(std::exp(-20) - 1e-10));
  expect_stop("((x - 3.21)^2 + 1e-10)^0.1 = 0.105", 3.21 - std::sqrt(std::pow(0.105, 10) - 1e-10));
}

/// What the methods do not feel, for it is too weak beside the tolerance.
TEST(LocalEvents, AnAccelerationIsLookedAtBetweenSamples) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic x'^2/2 + y'^2/2\nforce y = 1e-13/((x - 3.21)^2 + 1e-8)^0.4\n"
      "event d: y'' = 1e-10 then stop\nstart x' = 1\n");
  const double half = std::sqrt(std::pow(1e-3, 2.5) - 1e-8);
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 6);
    EXPECT_EQ(result.outcome, SimulationOutcome::event) << method;
    EXPECT_NEAR(result.t, 3.21 - half, 1e-9) << method;
  }
}

/// No part of the equations is a quotient: the floor turns within a short way.
TEST(LocalEvents, AFactorIsLookedAtBetweenSamples) {
  // y = 1e-12 log(u^2 + 1e-8), u = x - 3.21: lambda = y'' = 2e-12 (1e-8 - u^2)/(u^2 + 1e-8)^2, at most 2e-4.
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic x'^2/2 + y'^2/2\nconstraint c: y = 1e-12*log((x - 3.21)^2 + 1e-8)\n"
      "event d: abs(lambda(c)) = 1e-4\nstart x' = 1\n");
  // (1e-8 - u^2)/(u^2 + 1e-8)^2 = 5e7: with w = u^2 1e8, (1 - w) = (1 + w)^2/2.
  const double u = 1e-4 * std::sqrt(std::sqrt(5.0) - 2);
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 6);
    ASSERT_EQ(result.events.size(), 2u) << method;
    EXPECT_NEAR(result.events[0].t, 3.21 - u, 1e-9) << method;
    EXPECT_NEAR(result.events[1].t, 3.21 + u, 1e-9) << method;
  }
}

/// An event that resets and is looked for at samples alone decides nothing.
TEST(LocalEvents, EveryZeroOfAProductIsSeen) {  // beside which it is small for long, or grows by 20 decades
  for (const int count : {3, 5, 10, 20, 29}) {
    std::string product;
    for (int i = 1; i <= count; ++i)
      product += (product.empty() ? "(x - " : "*(x - ") + std::to_string(i) + "/10)";
    const RunnableModel model =
        read_runnable("coord x\nkinetic x'^2/2\nevent e: " + product + " = 0\nstart x' = 1\n");
    for (const std::string& method : adaptive_methods) {
      const SimulationResult result = run_until(model, method, 5);
      ASSERT_EQ(result.events.size(), static_cast<std::size_t>(count)) << method;
      for (std::size_t i = 0; i < result.events.size(); ++i) {
        EXPECT_NEAR(result.events[i].t, static_cast<double>(i + 1) / 10, 1e-9) << method;
        EXPECT_FALSE(result.events[i].touches) << method;
      }
    }
  }
}

TEST(LocalEvents, WhatOnlyErrorsTellIsSaid) {
  const RunnableModel constant = read_runnable(
      "coord x\nkinetic x'^2/2\npotential x^2/2\nevent e: x^2 + x'^2 = 1 then stop\nstart x = 1\n");
  const RunnableModel moving =
      read_runnable("coord x\nkinetic x'^2/2\npotential x^2/2\nevent e: x = 0 then stop\nstart x = 1\n");
  const auto is_said = [](const SimulationResult& result) {
    return std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
      return note.find("`e` was within ten tolerances of zero all along") != std::string::npos;
    });
  };
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(constant, method, 5);
    EXPECT_EQ(is_said(result), !result.events.empty()) << method;
    EXPECT_EQ(result.sampled.empty(), result.events.empty()) << method;
    EXPECT_FALSE(is_said(run_until(moving, method, 5))) << method;
  }
}

TEST(LocalEvents, WhatIsSampledIsSaid) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic x'^2/2 + y'^2/2\nconstraint c: y = 0\nconstraint d: 2*y = 0\n"
      "event e: lambda(c) + 2*lambda(d) = 1 then stop\nstart x' = 1\n");
  EXPECT_NE(run_until(model, "dop853", 1).sampled.find("at samples"), std::string::npos);
}

}  // namespace
}  // namespace liaison
