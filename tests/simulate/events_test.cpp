#include <gtest/gtest.h>

#include <cmath>

#include "simulate_support.hpp"

namespace liaison::testing {
namespace {

const std::string ball = "param g = 9.81, e = 0.5\ncoord y\nkinetic y'^2/2\npotential g*y\nstart y = 1\n";

RunRequest until(double end, double tolerance = 1e-12) {
  RunRequest request;
  request.options.until = end;
  request.options.tolerance = {tolerance, tolerance * 1e-3};
  return request;
}

TEST(SimulatedEvents, ABallBouncesWhenItShould) {
  const RunnableModel model = read_runnable(ball + "event bounce: y = 0 falling then reset y' = -e*y'\n");
  const SimulationResult result = run(model, until(1.29));
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  const double fall = std::sqrt(2 / 9.81);  // then 2 e fall, 2 e^2 fall, ...
  ASSERT_EQ(result.events.size(), 4u);
  double t = fall;
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    EXPECT_NEAR(result.events[i].t, t, 1e-12) << i;
    t += 2 * fall * std::pow(0.5, static_cast<double>(i + 1));
  }
}

TEST(SimulatedEvents, InfinitelyManyInAFiniteTimeAreAnEndWithAMessage) {
  const RunnableModel model = read_runnable(ball + "event bounce: y = 0 falling then reset y' = -e*y'\n");
  const SimulationResult result = run(model, until(2));
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NEAR(result.t, 3 * std::sqrt(2 / 9.81), 1e-4);  // fall (1 + e)/(1 - e)
  EXPECT_NE(result.message.find("ever faster"), std::string::npos) << result.message;
}

TEST(SimulatedEvents, AResetThatDoesNotLeadAwayIsAnEndWithAMessage) {
  const RunnableModel model = read_runnable(ball + "event stuck: y = 0 falling then reset y' = y'\n");
  const SimulationResult result = run(model, until(2));
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NE(result.message.find("does not lead away"), std::string::npos) << result.message;
}

TEST(SimulatedEvents, APointLeavesADomeAtTwoThirds) {  // lambda = 0 where cos = 2/3 + v0^2/(3 g R)
  const RunnableModel model = read_runnable(
      "param m = 1, R = 1, g = 9.81\ncoord x, y\nparticle P mass m at [x, y]\ngravity [0, -g]\n"
      "constraint dome: x^2 + y^2 = R^2\nstart y = 1, x' = 0.1\n"
      "event leaves: lambda(dome) = 0 falling then stop\n");
  const SimulationResult result = run(model, until(10));
  ASSERT_EQ(result.outcome, SimulationOutcome::event);
  EXPECT_NEAR(model.value(result.y, "y"), 2.0 / 3 + 0.01 / (3 * 9.81), 1e-11);
}

TEST(SimulatedEvents, DirectionsAreToldApartAndRowsAreAtTheEvents) {
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\npotential x^2/2\nstart x' = 1\nevent up: x = 1/2 rising\nevent down: x = 1/2 "
      "falling\n"
      "event both: x = 1/2\nevent clock: t = 3\n");
  std::vector<double> times;
  RunRequest request = until(6.5);
  request.options.every = 1;
  request.receivers.row = [&](const Row& row) { return times.push_back(row.t), true; };
  const SimulationResult result = run(model, request);
  const double pi = std::acos(-1.0);
  const std::vector<std::pair<double, std::size_t>> expected{
      {pi / 6, 0}, {pi / 6, 2}, {5 * pi / 6, 1}, {5 * pi / 6, 2}, {3, 3}};
  ASSERT_EQ(result.events.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(result.events[i].t, expected[i].first, 1e-11);
    EXPECT_EQ(result.events[i].event, expected[i].second);
  }
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_EQ(times.back(), 6.5);
  const auto event_row =
      std::find_if(times.begin(), times.end(), [&](double t) { return std::abs(t - pi / 6) < 1e-9; });
  EXPECT_NE(event_row, times.end());
}

TEST(SimulatedEvents, WhatHappensWithAResetIsRecordedBeforeIt) {
  const RunnableModel model = read_runnable(ball +
                                            "event bounce: y = 0 falling then reset y' = -e*y'\n"
                                            "event ground: y = 0 falling\nevent touch: 2*y = 0\n");
  const SimulationResult result = run(model, until(0.6));
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.events.size(), 3u);
  for (const EventRecord& record : result.events) EXPECT_NEAR(record.t, std::sqrt(2 / 9.81), 1e-12);
  EXPECT_EQ(result.events.back().event, 0u);
}

TEST(SimulatedEvents, ARunThatGoesOnFromACheckpointHasTheSameBits) {
  const RunnableModel model = read_runnable(ball +
                                            "event bounce: y = 0 falling then reset y' = -0.9*y'\n"
                                            "event apex: y' = 0 falling\noutput double_y = 2*y\n");
  const auto collect = [&](std::vector<double>& rows, RunRequest request) {
    request.options.every = 0.1;
    request.receivers.row = [&](const Row& row) {
      rows.insert(rows.end(), {row.t, row.y[0], row.y[1], row.kinetic, row.outputs[0]});
      return true;
    };
    return run(model, request);
  };
  std::vector<double> whole, parts;
  const SimulationResult reference = collect(whole, until(4));
  for (std::size_t stop : {1u, 17u, 40u}) {
    parts.clear();
    Checkpoint checkpoint;
    RunRequest first = until(4);
    first.receivers.step = [&](const RunningSimulation& running) {
      checkpoint = running.checkpoint();
      return running.steps() < stop;
    };
    EXPECT_EQ(collect(parts, first).outcome, SimulationOutcome::interrupted);
    RunRequest second = until(4);
    second.resume = &checkpoint;
    const SimulationResult result = collect(parts, second);
    EXPECT_EQ(parts, whole) << stop;
    EXPECT_EQ(result.y, reference.y);
    EXPECT_EQ(result.steps, reference.steps);
    EXPECT_EQ(result.evaluations, reference.evaluations);
    ASSERT_EQ(result.events.size(), reference.events.size());
    for (std::size_t i = 0; i < result.monitors.size(); ++i)
      EXPECT_EQ(result.monitors[i].largest, reference.monitors[i].largest);
  }
}

}  // namespace
}  // namespace liaison::testing
