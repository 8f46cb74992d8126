#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulate_support.hpp"

namespace liaison::test {
namespace {

const std::string ball = "param g = 9.81, e = 0.5\ncoord y\nkinetic y'^2/2\npotential g*y\nstart y = 1\n";

RunRequest until(double end, double tolerance = 1e-12) {
  RunRequest request;
  request.options.until = end;
  request.options.tolerance = {tolerance, tolerance * 1e-3};
  return request;
}

void expect_end_saying(const SimulationResult& result, const std::string& words) {
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NE(result.message.find(words), std::string::npos) << result.message;
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

TEST(SimulatedEvents, APoleIsNoEvent) {
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\nstart x = 0.1, x' = 1\nevent a: tan(x) = 0\n"
      "event b: 1/(x - 1.234567) = 0\nevent c: sign(x - 2) = 0\n");
  for (const char* method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    RunRequest request = until(7, 1e-9);
    request.method.name = method;
    const SimulationResult result = run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    ASSERT_EQ(result.events.size(), 3u) << method;  // the jump of c, and pi and 2 pi
    EXPECT_NEAR(result.events[0].t, 1.9, 1e-7) << method;
    EXPECT_NEAR(result.events[1].t, std::numbers::pi - 0.1, 1e-7) << method;
    EXPECT_NEAR(result.events[2].t, 2 * std::numbers::pi - 0.1, 1e-7) << method;
  }
}

TEST(SimulatedEvents, AResetToAPlaceOfRestElsewhereLeadsAway) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = 1\nevent a: x = 0.5 then reset x = 0.2, x' = 0\n");
  for (const char* method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    RunRequest request = until(4, 1e-9);
    request.method.name = method;
    const SimulationResult result = run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    ASSERT_EQ(result.events.size(), 4u) << method;
    for (std::size_t i = 0; i < result.events.size(); ++i)
      EXPECT_NEAR(result.events[i].t, 1 + static_cast<double>(i) * std::sqrt(0.6), 1e-7)
          << method << " " << i;
  }
}

TEST(SimulatedEvents, WhatIsDeterminedAmongOpenFactorsIsSoAllAlong) {
  const std::string twice =
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nstart x' = 1\nconstraint a: y = 0\n";
  for (const char* method : {"dop853", "bdf"}) {
    RunRequest request = until(1, 1e-9);
    request.method.name = method;
    const SimulationResult turning = run(read_runnable(twice + "constraint b: y*(2 + x^2) = 0\n"), request);
    EXPECT_EQ(turning.open.size(), 2u)
        << method;  // lambda(a) + (2 + x^2)*lambda(b) is no constant combination
    const SimulationResult fixed = run(read_runnable(twice + "constraint b: 3*y = 0\n"), request);
    EXPECT_EQ(fixed.open.size(), 1u) << method;
  }
}

// y = 0 twice, the second time times a function of x: what all members share changes along the motion.
TEST(SimulatedEvents, ThatDependOnOpenFactorsDoNotAct) {
  const std::string twice =
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (10 + x)*y\nstart x' = 1\nconstraint a: y = 0\n"
      "constraint b: y*(2 + x^2) = 0\n";
  for (const std::string method : {"dop853", "arkode", "adams", "bdf"}) {
    RunRequest request = until(1, 1e-9);
    request.method.name = method;
    const SimulationResult open = run(read_runnable(twice + "event e: lambda(a) = 3 then stop\n"), request);
    EXPECT_EQ(open.outcome, SimulationOutcome::singular) << method;
    EXPECT_EQ(open.t, 0) << method;
    EXPECT_NE(open.message.find("the event `e` depends on lambda(a), lambda(b)"), std::string::npos)
        << method << open.message;
    // At x = 0 it depends on nothing; behind, on what is open.
    const SimulationResult later =
        run(read_runnable(twice + "event e: x*lambda(a) = 3 then stop\n"), request);
    EXPECT_EQ(later.outcome, SimulationOutcome::singular) << method;
    EXPECT_NE(later.message.find("the event `e` depends on"), std::string::npos) << method << later.message;
    const SimulationResult fixed =
        run(read_runnable(twice + "event e: lambda(a) + (2 + x^2)*lambda(b) = 10.5 then stop\n"), request);
    EXPECT_EQ(fixed.outcome, SimulationOutcome::event) << method << fixed.message;
    EXPECT_NEAR(fixed.t, 0.5, 1e-8) << method;
  }
}

TEST(SimulatedEvents, ABallNeverFallsThroughItsFloor) {
  for (const char* e : {"0.001", "0.1", "0.9"}) {
    const RunnableModel model = read_runnable(std::string("param g = 9.81, e = ") + e +
                                              "\ncoord y\nkinetic y'^2/2\npotential g*y\nstart y = 1\n"
                                              "event bounce: y = 0 falling then reset y' = -e*y'\n");
    const double fall = std::sqrt(2 / 9.81), last = fall * (1 + std::stod(e)) / (1 - std::stod(e));
    for (const char* method : {"dop853", "taylor", "arkode"}) {
      RunRequest request = until(25, 1e-9);
      request.method.name = method;
      const SimulationResult result = run(model, request);
      EXPECT_EQ(result.outcome, SimulationOutcome::singular) << e << " " << method;
      EXPECT_NEAR(result.t, last, 1e-5 * last) << e << " " << method;
      EXPECT_NEAR(result.y[0], 0, 1e-12) << e << " " << method;
    }
  }
}

TEST(SimulatedEvents, AStopAtAFloorIsNoMotionThroughIt) {
  for (const char* start : {"y = 1", "y = 0"}) {
    const RunnableModel model = read_runnable(std::string("coord y\nkinetic y'^2/2\npotential y\nstart ") +
                                              start + "\nevent land: y = 0 falling then reset y' = 0\n");
    const SimulationResult result = run(model, until(3));
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << start;
    EXPECT_NE(result.message.find("does not lead away"), std::string::npos) << result.message;
  }
}

TEST(SimulatedEvents, AResetMayChangeNothingOrGoOnInTheSameDirection) {
  const RunnableModel same = read_runnable(ball + "event ground: y = 0 falling then reset y' = y'\n");
  const SimulationResult through = run(same, until(1));
  ASSERT_EQ(through.outcome, SimulationOutcome::finished) << through.message;
  EXPECT_EQ(through.events.size(), 1u);
  EXPECT_NEAR(same.value(through.y, "y"), 1 - 9.81 / 2, 1e-11);
  const RunnableModel twice =
      read_runnable("coord x\nkinetic x'^2/2\nstart x' = 1\nevent gate: x = 1 rising then reset x' = 2*x'\n");
  const SimulationResult faster = run(twice, until(2));
  ASSERT_EQ(faster.outcome, SimulationOutcome::finished) << faster.message;
  EXPECT_EQ(faster.events.size(), 1u);
  EXPECT_NEAR(twice.value(faster.y, "x"), 3, 1e-12);
}

TEST(SimulatedEvents, AResetWithoutEndAtOneTimeIsAnEndWithAMessage) {
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\nstart x' = 1\nevent far: x = 1 rising then reset x = 0\n"
      "event back: x = 0 then reset x = 1\n");
  expect_end_saying(run(model, until(2)), "happens again at once");
}

TEST(SimulatedEvents, AtTheStartAtTheEndAndTouching) {
  const RunnableModel model = read_runnable(
      "coord y\nkinetic y'^2/2\npotential 9.81*y\nstart y' = -1\n"
      "event bounce: y = 0 falling then reset y' = -y'/2\nevent clock: t = 0.1\n"
      "event graze: (t - 0.05)^2 = 0 then stop\n");
  const SimulationResult result = run(model, until(0.1));
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.events.size(), 3u);
  EXPECT_EQ(result.events[0].t, 0);  // it begins on the ground and falls
  EXPECT_NEAR(result.events[0].energy, 0.125 - 0.5, 1e-15);
  EXPECT_TRUE(result.events[1].touches);
  EXPECT_NEAR(result.events[1].t, 0.05, 1e-9);
  EXPECT_EQ(result.events[2].t, 0.1);
  EXPECT_NEAR(model.value(result.y, "y"), 0.05 - 9.81 * 0.005, 1e-14);
}

/// What a function was long ago says nothing about what it is now.
TEST(SimulatedEvents, AFunctionThatWasLargeCrossesAllTheSame) {
  const RunnableModel clock = read_runnable(
      "coord x\nkinetic x'^2/2\nstart x' = 1\n"
      "event e: 1e6*exp(-t) + 1e-3*(cos(t) + 1/2) = 0 falling then stop\n");
  const SimulationResult first = run(clock, until(60, 1e-9));
  ASSERT_EQ(first.outcome, SimulationOutcome::event);
  EXPECT_NEAR(first.t, 21.5, 0.5);
  EXPECT_NEAR(1e6 * std::exp(-first.t) + 1e-3 * (std::cos(first.t) + 0.5), 0, 1e-15);
  ASSERT_EQ(first.events.size(), 1u);
  EXPECT_FALSE(first.events[0].touches);
  const RunnableModel floor = read_runnable(
      "coord y\nkinetic y'^2/2\nforce y = -2*y' - (y - 0.004)\nstart y = 1e6\n"
      "event floor: y - 5e-3*sin(t) = 0 falling then stop\n");
  const SimulationResult second = run(floor, until(60, 1e-9));
  ASSERT_EQ(second.outcome, SimulationOutcome::event);
  ASSERT_EQ(second.events.size(), 1u);  // y = 0.004 + (1e6 - 0.004)(1 + t) exp(-t)
  EXPECT_NEAR(0.004 + 1e6 * (1 + second.t) * std::exp(-second.t) - 5e-3 * std::sin(second.t), 0, 1e-7);
  EXPECT_LT(second.t, 27);
}

/// The rod cannot be three times as long, whatever its length.
TEST(SimulatedEvents, AResetOffTheConstraintsIsRefusedAtEveryLength) {
  for (const std::string length : {"1", "1e-6", "1e-9", "1e6"}) {
    const std::string pendulum = "param l > 0 = " + length +
                                 "\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential l*y\n"
                                 "constraint rod: x^2 + y^2 = l^2\nstart x = l, y = 0\n";
    const RunnableModel off = read_runnable(pendulum + "event hit: x = 0 falling then reset x = 3*l\n");
    const SimulationResult refused = run(off, until(4, 1e-9));
    EXPECT_EQ(refused.outcome, SimulationOutcome::singular) << length;
    EXPECT_NE(refused.message.find("`rod` is off by"), std::string::npos) << refused.message;
    const RunnableModel on = read_runnable(pendulum + "event hit: x = 0 falling then reset x = 0.6*l\n");
    const SimulationResult moved = run(on, until(2.5, 1e-9));
    EXPECT_EQ(moved.outcome, SimulationOutcome::finished) << length << ": " << moved.message;
    EXPECT_EQ(moved.events.size(), 2u) << length;
  }
}

/// x comes to -3/2 when y comes to -3/4 and is turned back: whether it gets there, errors decide.
TEST(SimulatedEvents, WhatIsTurnedBackAtZeroTouches) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -2\nstart x' = -1, y' = 1\n"
      "event place: x = -1.5 falling\nevent turn: y = -0.75 falling then reset x' = -x'/2\n");
  for (const std::string& method : test::adaptive_methods) {
    for (const double tolerance : {1e-8, 1e-10}) {
      const SimulationResult result = run(model, [&] {
        RunRequest request = until(3, tolerance);
        request.method.name = method;
        return request;
      }());
      ASSERT_EQ(result.events.size(), 2U) << method << " " << tolerance;
      for (const EventRecord& event : result.events) EXPECT_NEAR(event.t, 1.5, 1e-6) << method;
    }
  }
}

/// The first steps of methods with a past are so short that what leaves zero is zero by rounding.
TEST(SimulatedEvents, AResetHappensOnceHoweverShortTheStepBehindItIs) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -3\nstart x = 0.3, x' = 0.5\n"
      "event e: x - y = 0.75 then reset y' = 0, x' = -0.25\n");
  // x - y leaves 3/4 with the rate -1/4 and the acceleration 3: it is back after 1/6
  const double first = (-0.5 + std::sqrt(0.25 + 6 * 0.45)) / 3;
  for (const std::string& method : test::adaptive_methods) {
    for (const double tolerance : {1e-10, 1e-12}) {
      RunRequest request;
      request.method.name = method;
      request.options.until = 4;
      request.options.tolerance = {tolerance, tolerance / 1000};
      const SimulationResult result = run(model, request);
      ASSERT_EQ(result.events.size(), 22U) << method << " " << tolerance;
      for (std::size_t i = 0; i < result.events.size(); ++i)
        EXPECT_NEAR(result.events[i].t, first + static_cast<double>(i) / 6, 1e-6) << method;
    }
  }
}

TEST(SimulatedEvents, TwoResetsAtOneTimeAreBothDone) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nstart x = 1, y = 1, x' = -1, y' = -1\n"
      "event left: x = 0 falling then reset x' = -x'\nevent below: y = 0 falling then reset y' = -y'/2\n");
  for (const Method& method : methods()) {
    RunRequest request = until(3, 1e-9);
    request.method.name = method.name;
    request.method.step = method.adaptive ? 0 : 0.01;
    const SimulationResult result = run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message;
    ASSERT_EQ(result.events.size(), 2u) << method.name;
    EXPECT_EQ(result.events[0].t, result.events[1].t);
    EXPECT_NEAR(model.value(result.y, "x"), 2, 1e-7) << method.name;
    EXPECT_NEAR(model.value(result.y, "y"), 1, 1e-7) << method.name;
  }
}

TEST(SimulatedEvents, ARecordChangesNoBitOfTheMotion) {
  const std::string friction = model_text("classics/sphere_sliding.lia");
  const auto rows_of = [](const std::string& text) {
    const RunnableModel model = read_runnable(text);
    std::vector<double> rows;
    RunRequest request = until(0.12, 1e-9);  // before the slip ends
    request.options.every = 0.02;
    request.receivers.row = [&](const Row& row) {
      if (std::abs(row.t / 0.02 - std::round(row.t / 0.02)) < 1e-9) {
        rows.push_back(row.t);
        rows.insert(rows.end(), row.y.begin(), row.y.end());
      }
      return true;
    };
    run(model, request);
    return rows;
  };
  EXPECT_EQ(rows_of(friction), rows_of(friction + "\nevent often: sin(40*t) = 0.3\nevent fast: xi = 0.05\n"));
}

TEST(SimulatedEvents, WhatIsResetKeepsEveryBitAndTheRestIsOnTheConstraints) {
  const RunnableModel model = read_runnable(
      "param m = 1, R = 1, g = 9.81\ncoord x, y, z\nkinetic (x'^2 + y'^2 + 3*z'^2)/2\npotential g*y\n"
      "constraint rod: x^2 + y^2 = 1\nconstraint tie: z' = x' + y'\nstart x = 1, y = 0, z = 0\n"
      "event low: x = 0.3 falling then reset x' = -0.7\n");
  std::vector<Row> rows;
  RunRequest request = until(1.4);
  request.receivers.row = [&](const Row& row) { return rows.push_back(row), true; };
  const SimulationResult result = run(model, request);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.events.size(), 1u);
  const auto after =
      std::find_if(rows.rbegin(), rows.rend(), [&](const Row& row) { return row.t == result.events[0].t; });
  ASSERT_NE(after, rows.rend());
  const auto value = [&](const char* name) { return model.value(after->y, name); };
  EXPECT_EQ(value("x'"), -0.7);
  EXPECT_NEAR(value("x") * value("x'") + value("y") * value("y'"), 0, 1e-14);
  EXPECT_NEAR(value("z'") - value("x'") - value("y'"), 0, 1e-14);
  ASSERT_FALSE(result.monitors.empty());
  EXPECT_EQ(result.monitors[0].resets, 1u);
  EXPECT_NEAR(result.monitors[0].by_resets, result.events[0].energy, 1e-15);
  EXPECT_LT(result.monitors[0].by_resets, 0);
}

TEST(SimulatedEvents, AResetThatLeavesNoStateOnTheConstraintsSaysWhich) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint rod: x^2 + y^2 = 1\n"
      "start x = 1, y = 0\nevent low: x = 0 falling then reset x = 3\n");
  expect_end_saying(run(model, until(2)), "`rod` is off by");
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

/// The end and the times of the events by every adaptive method.
void expect_events(const std::string& rest, double until, const std::vector<double>& times,
                   SimulationOutcome outcome = SimulationOutcome::finished) {
  const RunnableModel model = read_runnable("coord x\nkinetic x'^2/2\n" + rest);
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    RunRequest request;
    request.method.name = method.name;
    request.options.until = until;
    request.options.tolerance = {1e-9, 1e-12};
    const SimulationResult result = run(model, request);
    EXPECT_EQ(result.outcome, outcome) << method.name << ": " << rest << result.message;
    ASSERT_EQ(result.events.size(), times.size()) << method.name << ": " << rest;
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(result.events[i].t, times[i], 1e-6 * (1 + times[i])) << method.name << ": " << rest;
  }
}

TEST(SimulatedEvents, AResetOnAnEventThatJumpsHappensEachTime) {
  const double pi = std::acos(-1.0), fall = std::sqrt(2.0);
  expect_events("force x = sign(sin(t))\nstart x = 1\nevent k: x'' = 0.5 then reset x' = 0\n", 10,
                {pi, 2 * pi, 3 * pi});
  // Comes to zero with speed sqrt(2) after sqrt(2), and goes on with half of it: each swing takes twice its
  // first speed.
  expect_events("force x = -sign(x)\nstart x = 1\nevent k: x'' = 0.5 then reset x' = 0.5*x'\n", 4,
                {fall, 2 * fall, 2.5 * fall, 2.75 * fall});
}

TEST(SimulatedEvents, AFunctionThatStaysAtZeroHappensWhereItComesAndLeaves) {
  expect_events("start x = -1, x' = 1\nevent k: max(x, 0) = 0 then stop\n", 3, {1}, SimulationOutcome::event);
  const double arrival = std::acos(0.3);
  expect_events("force x = -x\nstart x = 1\nevent l: max(x, 0.3) = 0.3\n", 6,
                {arrival, 2 * std::acos(-1.0) - arrival});
}

TEST(SimulatedEvents, ALateEventWithASlopeIsNoTouch) {
  expect_events("force x = max(0, 1 - abs(t - 1e8))\nevent e: t = 1e8 then stop\n", 100000001, {1e8},
                SimulationOutcome::event);
}

/// A value that a jump of the state carries over zero passes it then, in the direction of the jump.
TEST(JumpsOverZero, AResetCarriesAnEventOverZero) {
  const std::string text =
      "coord x\nkinetic x'^2/2\nevent wall: x = 1 rising then reset x' = -1\n"
      "event up: x' = 1 rising\nevent down: x' = 1 falling then stop\nstart x' = 2\n";
  const RunnableModel model = read_runnable(text);
  for (const std::string& method : adaptive_methods) {
    for (const double until : {6.0, 0.5}) {
      const SimulationResult result = run_until(model, method, until);
      EXPECT_EQ(result.outcome, SimulationOutcome::event) << method << " " << until;
      EXPECT_NEAR(result.t, 0.5, 1e-12) << method;
      EXPECT_EQ(model.value(result.y, "x'"), -1) << method;
      ASSERT_EQ(result.events.size(), 2u) << method;
      EXPECT_EQ(result.events[1].event, 2u) << method;
    }
  }
}

TEST(JumpsOverZero, OneResetCallsAnother) {
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\nevent wall: x = 1 rising then reset x' = -1\n"
      "event slow: x' = 0 falling then reset x' = -3\nstart x' = 2\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 1);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_EQ(result.events.size(), 2u) << method;
    EXPECT_NEAR(model.value(result.y, "x"), -0.5, 1e-12) << method;
  }
}

/// What comes back before the first sample is seen too.
TEST(JumpsOverZero, AValueThatComesBackSoonCrossesTwice) {
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\nforce x = 1000\nevent push: t = 0.5 then reset x' = -0.001\n"
      "event turn: x' = 0\nstart x' = 2\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 1);
    ASSERT_EQ(result.events.size(), 3u) << method;
    EXPECT_NEAR(result.events[1].t, 0.5, 1e-12) << method;
    EXPECT_NEAR(result.events[2].t, 0.500001, 1e-11) << method;
  }
}

TEST(BordersOfDomains, AnEventBeforeTheBorderIsFound) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nevent d: sqrt(3 - x) = 0.1 then stop\nstart x' = 1\n");
  const RunnableModel recorded =
      read_runnable("coord x\nkinetic x'^2/2\nevent d: sqrt(3 - x) = 0.1\nstart x' = 1\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 6);
    EXPECT_EQ(result.outcome, SimulationOutcome::event) << method;
    EXPECT_NEAR(result.t, 2.99, 1e-12) << method;
    const SimulationResult beyond = run_until(recorded, method, 6);
    EXPECT_EQ(beyond.events.size(), 1u) << method;
    EXPECT_NEAR(beyond.t, 3, 1e-12) << method << ": where the value ends";
  }
}

/// x = 0.5 - (t - 1)^2/2 touches the border.
TEST(BordersOfDomains, AnInstantAtTheBorderEndsNothing) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = -1\nevent d: sqrt(0.5 - x) = 0.001\nstart x' = 1\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 1.7);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_EQ(result.events.size(), 2u) << method;
  }
}

/// Where a function changes its sign by growing without bound it is not zero, whatever the event does.
TEST(PolesOfEvents, NothingIsResetThere) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nevent e: tan(x) = 0.5 then reset x' = x'\nstart x' = 1\n");
  const RunnableModel back =
      read_runnable("coord x\nkinetic x'^2/2\nevent e: 1/(x - 1) = 0 then reset x' = -x'\nstart x' = 1\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 6);
    ASSERT_EQ(result.events.size(), 2u) << method;
    EXPECT_NEAR(result.events[0].t, std::atan(0.5), 1e-9) << method;
    EXPECT_NEAR(result.events[1].t, std::atan(0.5) + std::acos(-1.0), 1e-9) << method;
    EXPECT_TRUE(run_until(back, method, 3).events.empty()) << method;
  }
}

/// Next to a floor that is not at zero the slope after a bounce is less than rounding over a short time.
TEST(Accumulation, NoBallFallsThroughAFloorThatIsNotAtZero) {
  for (const char* floor : {"0.314", "-250.1"}) {
    const RunnableModel model =
        read_runnable(std::string("coord x\nkinetic x'^2/2\nforce x = -15.359\nevent r: x = ") + floor +
                      " falling then reset x' = -0.8*x'\nstart x = " + floor + " + 0.337\n");
    for (const std::string& method : adaptive_methods) {
      test::RunRequest request;
      request.method.name = method;
      request.options.until = 4;
      request.options.tolerance = {1e-11, 1e-14};
      const SimulationResult result = test::run(model, request);
      EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
      EXPECT_NE(result.message.find("ever faster"), std::string::npos) << method << result.message;
    }
  }
}

/// Errors carry the largest x beyond 0.59 by less than the tolerance: it touches there.
TEST(Events, AnExtremumWithinTheToleranceTouches) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\npotential 9/2*x^2\nevent e: x = 0.59\nstart x = 0.59\n");
  for (const char* method : {"dop853", "taylor", "arkode"}) {
    const SimulationResult result = run_until(model, method, 9);
    ASSERT_EQ(result.events.size(), 5U) << method;
    for (std::size_t k = 1; k < result.events.size(); ++k) {
      EXPECT_TRUE(result.events[k].touches) << method << k;
      EXPECT_NEAR(result.events[k].t, 2 * std::acos(-1.0) / 3 * static_cast<double>(k), 2e-4) << method;
    }
  }
}

}  // namespace
}  // namespace liaison::test
