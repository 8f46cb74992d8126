#include <gtest/gtest.h>

#include <cmath>

#include "simulate_support.hpp"

namespace liaison::test {
namespace {

struct Expected {
  double t;
  bool touches;
};

/// By every method, and by steps of a quarter, which end at the zeros.
void expect_one(const std::string& model, double until, const Expected& expected, double near = 1e-5) {
  const RunnableModel read = read_runnable(model);
  const auto compare = [&](const SimulationResult& result, const std::string& how) {
    ASSERT_NE(result.outcome, SimulationOutcome::singular) << how << ": " << result.message << "\n" << model;
    ASSERT_EQ(result.events.size(), 1U) << how << " until " << until << "\n" << model;
    EXPECT_NEAR(result.events[0].t, expected.t, near) << how << "\n" << model;
    EXPECT_EQ(result.events[0].touches, expected.touches) << how << " until " << until << "\n" << model;
  };
  for (const std::string& method : adaptive_methods) compare(run_until(read, method, until), method);
  for (const char* method : {"dop853", "taylor", "arkode"}) {
    RunRequest request;
    request.options.until = until;
    request.options.fixed_step = request.method.step = 0.25;
    request.method.name = method;
    compare(run(read, request), std::string(method) + ", steps of a quarter");
  }
}

/// x = 1 - (t - 1/2)^2/2, q = t.
std::string moving(const std::string& event) {
  return "coord x, q\nkinetic x'^2/2 + q'^2/2\nforce x = -1\nstart x = 7/8, x' = 1/2, q' = 1\nevent e: " +
         event + "\n";
}

TEST(FlatEvents, ThePowerDecidesWhereAStepOrTheRunEnds) {
  for (const double until : {0.5, 1.25}) {
    expect_one(moving("(t - 1/2)^3 = 0"), until, {0.5, false});
    expect_one(moving("1000*(q - 1/2)^5 = 0"), until, {0.5, false});
    expect_one(moving("(q - 1/2)^4 = 0"), until, {0.5, true});
    expect_one(moving("x'^3 = 0"), until, {0.5, false});
    expect_one(moving("x'^6 = 0"), until, {0.5, true});
    expect_one(moving("sin(q - 1/2)^7 = 0"), until, {0.5, false});
    expect_one(moving("q^3 - 3/2*q^2 + 3/4*q = 1/8"), until, {0.5, false});
  }
}

TEST(FlatEvents, OfATurningPointTouchWhateverThePower) {
  for (const double until : {0.5, 1.25}) {
    expect_one(moving("x = 1"), until, {0.5, true}, 1e-3);
    expect_one(moving("(x - 1)^3 = 0"), until, {0.5, true}, 1e-3);
    expect_one(moving("(x - 1)^5 = 0"), until, {0.5, true}, 1e-3);
  }
}

TEST(FlatEvents, WithoutAWrittenPowerAreSeenByTheirValues) {
  for (const double until : {0.5, 1.25}) {
    expect_one(moving("sin(q - 1/2) = q - 1/2"), until, {0.5, false}, 1e-3);
    expect_one(moving("cos(q - 1/2) = 1"), until, {0.5, true}, 1e-3);
  }
}

/// z' with a force that changes at q = 1/2.
std::string at_kink(const std::string& force, double speed, const std::string& event) {
  return "coord z, q, w\nkinetic (z'^2 + q'^2 + w'^2)/2\nforce z = " + force +
         "\nstart q' = 1, z' = " + std::to_string(speed) + "\nevent e: " + event + "\n";
}

TEST(EventsThatAct, DoSoAtAKinkWhereTheyCrossAlone) {
  for (const std::string change : {"t - 1/2", "q - 1/2", "sin(q) - sin(1/2)"}) {
    for (const bool crosses : {false, true}) {
      const std::string force = crosses ? "2 + sign(" + change + ")" : "sign(" + change + ")";
      for (const std::string& method : adaptive_methods) {
        const double speed = crosses ? -0.5 : 0.5;
        const RunnableModel stops = read_runnable(at_kink(force, speed, "z' = 0 then stop"));
        const SimulationResult stopped = run_until(stops, method, 0.9);
        EXPECT_EQ(stopped.outcome, crosses ? SimulationOutcome::event : SimulationOutcome::finished)
            << method << ": " << force;
        const RunnableModel resets = read_runnable(at_kink(force, speed, "z'^3 = 0 then reset w = 5"));
        const SimulationResult reset = run_until(resets, method, 0.9);
        EXPECT_EQ(resets.value(reset.y, "w"), crosses ? 5 : 0) << method << ": " << force;
        ASSERT_EQ(reset.events.size(), 1U) << method << ": " << force;
        EXPECT_NEAR(reset.events[0].t, 0.5, 1e-7) << method << ": " << force;
        EXPECT_EQ(reset.events[0].touches, !crosses) << method << ": " << force;
      }
    }
  }
}

TEST(EventsThatAct, PassAFlatZeroAtAKink) {  // z' = -(t - 1/2)^2/2 before, +(t - 1/2)^2/2 behind
  const std::string model = at_kink("abs(q - 1/2)", -0.125, "z' = 0 then reset w = 5");
  for (const char* method : {"dop853", "taylor", "arkode"}) {
    const RunnableModel read = read_runnable(model);
    const SimulationResult result = run_until(read, method, 0.9);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_EQ(read.value(result.y, "w"), 5) << method;
    EXPECT_EQ(result.events.size(), 1U) << method;
  }
}

/// z' = -x^2/2 before and x^2/2 behind: a reset of something else changes nothing of that, and happens once.
TEST(EventsThatAct, ResetOnceAtAFlatZeroAtAKink) {
  const RunnableModel model = read_runnable(
      "coord x, z\nkinetic (x'^2 + z'^2)/2\nforce z = abs(x)\nstart x = -1/2, x' = 1, z' = -1/8\n"
      "event e: z' = 0 rising then reset z = z + 1\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida", "variational4"}) {
    RunRequest request;
    request.method.name = method;
    request.options.until = 1;
    if (method == "variational4") request.options.fixed_step = request.method.step = 0.001;
    const SimulationResult result = run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    ASSERT_EQ(result.events.size(), 1U) << method;
    EXPECT_NEAR(result.events[0].t, 0.5, 1e-4) << method;
    EXPECT_NEAR(model.value(result.y, "z"), 1, 1e-7) << method;
  }
}

TEST(EventsOfTheTime, AreToldApartToRounding) {
  const RunnableModel model = read_runnable(moving("(t - 1/2)^2 = 1e-12"));
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 1.25);
    ASSERT_EQ(result.events.size(), 2U) << method;
    EXPECT_NEAR(result.events[0].t, 0.5 - 1e-6, 1e-9) << method;
    EXPECT_NEAR(result.events[1].t, 0.5 + 1e-6, 1e-9) << method;
    EXPECT_FALSE(result.events[0].touches || result.events[1].touches) << method;
  }
}

TEST(EventsThatAct, HappenAtTheEndOfTheLastStepWhereNoStepFollows) {
  // x comes to the border of the force's domain, where the event is zero.
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\nforce x = -sqrt(1 - t)\nstart x' = 2\nevent e: t = 1 then stop\n");
  for (const std::string& method : adaptive_methods)
    EXPECT_EQ(run_until(model, method, 2).outcome, SimulationOutcome::event) << method;
}

}  // namespace
}  // namespace liaison::test
