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
    for (const double below : {1e-10, 1e-13, 1e-14, 1e-15, 1e-17, 1e-24, 1e-30}) {
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
    for (const char* nearer : {"1", "1 - 1e-50"}) {  // the time does not tell its zeros apart
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

struct Zeros {
  const char* event;
  double until;
  std::vector<double> crossings, touches;
};

/// Times by mpmath, to 60 digits.
TEST(ZerosOfTheTime, AreIsolatedHoweverNearToEachOther) {
  const std::string free =
      "param a = 1/3, b = sqrt(2)\ncoord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n";
  const Zeros all[] = {
      {"exp(-(t-2)^2) = 1 - 1e-6", 5, {1.9989999997499999, 2.0010000002500004}, {}},
      {"exp(-(t-2)^2) = 1 - 1e-15", 5, {1.9999999683772234, 2.0000000316227764}, {}},
      {"exp(-(t-2)^2) = 1 - 1e-24", 5, {1.999999999999, 2.000000000001}, {}},
      {"exp(-(t-2)^2) = 1 - 1e-30", 5, {1.999999999999999, 2.000000000000001}, {}},
      {"exp(-(t-2)^2) = 1 - 1e-36", 5, {}, {2}},
      {"exp(-(t-2)^2) = 1", 5, {}, {2}},
      {"exp(-(t-2)^2) = 1 + 1e-40", 5, {}, {}},
      {"cos(t) = 1", 13, {0}, {2 * std::numbers::pi, 4 * std::numbers::pi}},
      {"cos(t) = 1 - 1e-15",
       13,
       {4.4721359549995796e-08, 6.283185262458227, 6.283185351900946, 12.566370569637813, 12.566370659080533},
       {}},
      {"sin(1e4*t) = 0.9999999999", 2e-4, {0.0001570782184659273, 0.00015708104689305205}, {}},
      {"t = 5", 5, {5}, {}},
      {"(t - 5)^2 = 0", 5, {}, {5}},
      {"t = 0", 5, {0}, {}},
      {"(t - 1)*(t - 1 - 1e-13)*(t - 1 - 3e-13) = 0", 5, {1, 1 + 1e-13, 1 + 3e-13}, {}},
      {"t^2 - 2*a*t + 1/9 = 0", 5, {}, {1.0 / 3}},
      {"t^2 - 2*b*t + 2 = 1e-28", 5, {1.4142135623730852, 1.4142135623731051}, {}},
      {"sin(t - 1) - (t - 1) + (t - 1)^3/6 = 0", 5, {1}, {}},
      {"cos(t - 1) - 1 + (t - 1)^2/2 = 0", 5, {}, {1}},
      {"min(sin(t), 0.5) = 0.25", 5, {0.25268025514207865, 2.8889123984477147}, {}},
      {"abs(t - 2) = 0", 5, {}, {2}},
      {"exp(-((t - 2)/1e-12)^2) = 0.5", 5, {1.9999999999991675, 2.0000000000008327}, {}},
  };
  for (const Zeros& zeros : all) {
    for (const std::string method : {"dop853", "adams"}) {
      const SimulationResult result = run_by(method, free + "event e: " + zeros.event + "\n", zeros.until);
      std::vector<double> crossings, touches;
      for (const EventRecord& event : result.events) (event.touches ? touches : crossings).push_back(event.t);
      ASSERT_EQ(crossings.size(), zeros.crossings.size()) << zeros.event;
      ASSERT_EQ(touches.size(), zeros.touches.size()) << zeros.event;
      for (std::size_t i = 0; i < crossings.size(); ++i)
        EXPECT_NEAR(crossings[i], zeros.crossings[i], 3e-16 * zeros.crossings[i]) << zeros.event;
      for (std::size_t i = 0; i < touches.size(); ++i)
        EXPECT_NEAR(touches[i], zeros.touches[i], 3e-16 * zeros.touches[i]) << zeros.event;
    }
  }
}

TEST(ZerosOfTheTime, ThatTheTimeDoesNotTellApartAreOneAndThatIsSaid) {
  const std::string free = "coord x\nkinetic x'^2/2\nstart x' = 1\n";
  const SimulationResult two = run_by("dop853", free + "event e: exp(-(t-2)^2) = 1 - 1e-36\n", 5);
  ASSERT_EQ(two.notes.size(), 1u);
  EXPECT_NE(two.notes[0].find("comes to zero several times at t = 2"), std::string::npos) << two.notes[0];
  EXPECT_TRUE(run_by("dop853", free + "event e: exp(-(t-2)^2) = 1\n", 5).notes.empty());
}

/// Each of two that are next to each other acts once.
TEST(ZerosOfTheTime, NextToEachOtherResetOneAfterTheOther) {
  const std::string free = "coord x\nkinetic x'^2/2\nstart x' = 1\n";
  for (const char* below : {"1e-15", "1e-30"}) {
    for (const std::string& method : methods) {
      const SimulationResult result =
          run_by(method, free + "event e: exp(-(t-2)^2) = 1 - " + below + " then reset x' = 2*x'\n", 5);
      EXPECT_EQ(result.events.size(), 2u) << method << " " << below;
      EXPECT_NEAR(result.y[1], 4, 1e-12) << method << " " << below;
      EXPECT_NEAR(result.y[0], 2 + 4 * 3, 1e-6) << method << " " << below;
    }
  }
}

/// A force of one for as long as the time is between them.
TEST(ZerosOfTheTime, OfSwitchesAreIsolatedToo) {
  const std::string pulse = "coord x\nkinetic x'^2/2\nforce x = (1 + sign(exp(-(t-2)^2) - 1 + {}))/2\n";
  for (const auto& [below, width] :
       {std::pair{"1e-6", 2.0000005000000e-3}, {"1e-12", 2e-6}, {"1e-20", 2e-10}}) {
    for (const std::string& method : methods) {
      const SimulationResult result = run_by(method, fmt::format(fmt::runtime(pulse), below), 5);
      EXPECT_NEAR(result.y[1] / width, 1, 1e-6) << method << " " << below;
    }
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
