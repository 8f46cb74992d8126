#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulate_support.hpp"

namespace liaison::test {
namespace {

const std::vector<std::string> methods{"dop853", "taylor", "arkode", "adams", "bdf", "ida"};

SimulationResult run_by(const std::string& method, const std::string& text, double until) {
  const RunnableModel model = read_runnable(text);
  RunRequest request;
  request.method.name = method;
  request.options.until = until;
  request.options.tolerance = {1e-9, 1e-12};
  return run(model, request);
}

TEST(ZerosOfTheTime, NextToAnExtremumAreToldWithMoreDigitsThanADoubleHas) {
  const std::string oscillator = "coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n";
  const double top = std::numbers::pi / 6;
  for (const std::string& method : methods) {
    for (const double below : {1e-10, 1e-13, 1e-14, 1e-15, 1e-17, 1e-24}) {
      const SimulationResult result =
          run_by(method, oscillator + fmt::format("event e: sin(3*t) = 1 - {}\n", below), 1);
      ASSERT_EQ(result.events.size(), 2u) << method << " " << below;
      const double away = std::sqrt(2 * below) * (1 + below / 12) / 3;
      EXPECT_NEAR(result.events[0].t, top - away, 1e-15) << method << " " << below;
      EXPECT_NEAR(result.events[1].t, top + away, 1e-15) << method << " " << below;
      for (const EventRecord& event : result.events) EXPECT_FALSE(event.touches) << method << " " << below;
    }
    for (const char* above : {"1 + 1e-15", "1 + 1e-30"})
      EXPECT_TRUE(run_by(method, oscillator + "event e: sin(3*t) = " + above + "\n", 1).events.empty())
          << method << " " << above;
    for (const char* nearer : {"1", "1 - 1e-30"}) {  // the time does not tell its zeros apart
      const SimulationResult touch = run_by(method, oscillator + "event e: sin(3*t) = " + nearer + "\n", 1);
      ASSERT_EQ(touch.events.size(), 1u) << method << " " << nearer;
      EXPECT_TRUE(touch.events[0].touches) << method << " " << nearer;
      EXPECT_NEAR(touch.events[0].t, top, 1e-8) << method << " " << nearer;
    }
    const SimulationResult stopped =
        run_by(method, oscillator + "event e: sin(3*t) = 1 - 1e-15 falling then stop\n", 1);
    EXPECT_EQ(stopped.outcome, SimulationOutcome::event) << method;
    EXPECT_NEAR(stopped.t, top + std::sqrt(2e-15) / 3, 1e-15) << method;
  }
}

/// A point between two walls hits one of them in every billionth of the time, which is slow and no end.
TEST(Walls, NextToEachOtherAreHitUntilTheStepsAreSpent) {
  for (const std::string& method : methods) {
    const RunnableModel model = read_runnable(
        "coord x\nkinetic x'^2/2\nstart x = 0, x' = 1\nevent a: x = 0.5 rising then reset x' = -x'\n"
        "event b: x = 0.5 - 1e-9 falling then reset x' = -x'\n");
    RunRequest request;
    request.method.name = method;
    request.options.until = 1;
    request.options.max_steps = 4500;
    request.options.tolerance = {1e-9, 1e-12};
    const SimulationResult result = run(model, request);
    EXPECT_EQ(result.outcome, SimulationOutcome::step_limit) << method << ": " << result.message;
    ASSERT_GT(result.events.size(), 4400u) << method;
    EXPECT_NEAR(result.y[0], 0.5, 1.001e-9) << method;
    for (std::size_t i = 0; i < result.events.size(); ++i) {
      ASSERT_EQ(result.events[i].event, i % 2) << method << " " << i;
      ASSERT_NEAR(result.events[i].t, 0.5 + 1e-9 * static_cast<double>(i), 1e-12) << method << " " << i;
    }
  }
}

/// Not the doubles that are next to them.
TEST(ZerosOfTheTime, AreThoseOfTheParametersThatTheModelDeclares) {
  const std::string free = "param a = sqrt(2), b = 1/3, c = sqrt(3)\ncoord x\nkinetic x'^2/2\nstart x' = 1\n";
  const std::pair<const char*, double> touches[] = {
      {"sin(t) + cos(t) = a", std::numbers::pi / 4},
      {"t^2 - 2*b*t + 1/9 = 0", 1.0 / 3},
      {"sin(t) + sqrt(2)*cos(t) = c", std::atan(std::sqrt(0.5))}};
  for (const auto& [event, at] : touches) {
    const SimulationResult result = run_by("dop853", free + "event e: " + event + "\n", 2);
    ASSERT_EQ(result.events.size(), 1u) << event;
    EXPECT_TRUE(result.events[0].touches) << event;
    EXPECT_NEAR(result.events[0].t, at, 1e-7) << event;
  }
}

}  // namespace
}  // namespace liaison::test
