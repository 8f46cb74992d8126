#include "liaison/simulate/time_stepping.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contact_model.hpp"
#include "liaison/simulate/variational.hpp"

namespace liaison {
namespace {

struct Steps : test::ModelWithContacts<TimeSteppingRun> {
  Steps(const std::string& text, double step) : ModelWithContacts(text, step, EvaluatorOptions{}) {}
};

std::vector<double> from_event_to_event(const std::string& text, double end) {
  const test::RunnableModel model = test::read_runnable(text);
  ContactRun run(*model.algebra, *model.system, model.start,
                 MethodRequest{.name = "dop853", .tolerance = {1e-10, 1e-13}}, EvaluatorOptions{},
                 {.law = ImpactLaw::newton});
  SimulationOptions how;
  how.until = end;
  const SimulationResult result =
      run.run(0, run.evaluator().pack(model.start), how, {[](const Row&) { return true; }, {}});
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  return result.y;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

const Monitor& monitor(const SimulationResult& result, const std::string& name) {
  for (const Monitor& one : result.monitors) {
    if (one.name == name) return one;
  }
  throw std::runtime_error("no monitor " + name);
}

/// All impacts end at sqrt(2h/g)(1 + e)/(1 - e) = 3; from then on it slides, and the floor carries it.
TEST(TimeStepping, ABallPassesTheEndOfItsImpacts) {
  for (const double step : {0.01, 0.001}) {
    Steps steps(R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y
unilateral floor: y >= 0 restitution 1/2
start y = 5, x' = 1
)",
                step);
    const SimulationResult result = steps.until(4);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
    EXPECT_TRUE(result.impacts.empty());
    EXPECT_NEAR(result.y[0], 4, 1e-12);
    double last_height = 0;
    for (const Row& row : steps.rows) {
      EXPECT_GE(row.y[1], -1e-12);
      EXPECT_GE(row.factors[0], 0);
      if (row.y[1] > 20 * step * step) last_height = row.t;
      if (row.t < 3 + 30 * step) continue;
      EXPECT_NEAR(row.y[3], 0, 10 * step) << row.t;
      EXPECT_LE(row.y[1], 20 * step * step) << row.t;
    }
    EXPECT_NEAR(last_height, 3, 30 * step) << step;
    EXPECT_NEAR(steps.rows.back().factors[0], 10, 1e-9);
  }
}

TEST(TimeStepping, WhatSticksCreepsByRoundingAlone) {
  Steps steps(R"(
param alpha = 2/5, mu = 1/2
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*(x*sin(alpha) + y*cos(alpha))
unilateral plane: y >= 0 friction mu on x'
start x' = 2
)",
              0.01);
  const SimulationResult result = steps.until(100);
  const double stop = 2 / (10 * (std::sin(0.4) + 0.5 * std::cos(0.4)));
  ASSERT_EQ(result.contact_spans.size(), 2U);
  EXPECT_EQ(result.contact_spans[0].mode, "slips");
  EXPECT_NEAR(result.contact_spans[0].end, stop, 0.02);
  EXPECT_EQ(result.contact_spans[1].mode, "sticks");
  double place = NAN;
  for (const Row& row : steps.rows) {
    if (row.t <= result.contact_spans[0].end) continue;
    if (std::isnan(place)) place = row.y[0];
    EXPECT_NEAR(row.y[0], place, 1e-13);
    EXPECT_NEAR(row.factors[1], 10 * std::sin(0.4), row.t < 0.3 ? 10 : 1e-9);
  }
  EXPECT_NEAR(place, stop, 0.01);
}

/// A coefficient of sticking larger than that of slipping: the contact remembers what it did.
TEST(TimeStepping, BrickOnABelt) {
  Steps steps(R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y + 5*x^2
unilateral belt: y >= 0 friction 3/10 sticking 1/2 on x' - 1
start x' = 1
)",
              0.001);
  const SimulationResult result = steps.until(5);
  const double slip = (M_PI + 2 * std::atan(std::sqrt(10) / 2)) / std::sqrt(10), stick = 0.4;
  const std::vector<double> ends{0.5, 0.5 + slip, 0.5 + slip + stick, 0.5 + 2 * slip + stick};
  ASSERT_GE(result.contact_spans.size(), ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_EQ(result.contact_spans[i].mode, i % 2 == 0 ? "sticks" : "slips");
    EXPECT_NEAR(result.contact_spans[i].end, ends[i], 0.01);
  }
}

/// A rod that falls and slides, whose slip turns back twice: of order one beside the event-driven run.
TEST(TimeStepping, ConvergesToTheEventDrivenRun) {
  const std::string rod = R"(
coord x, y, theta
kinetic (x'^2 + y'^2)/2 + theta'^2/6
potential 10*y
unilateral floor: y - sin(theta) >= 0 friction 1/5 on x' + sin(theta)*theta'
start theta = 6/5, y = sin(6/5), x' = 1
)";
  const std::vector<double> expected = from_event_to_event(rod, 0.5);
  double last = 0;
  for (const double step : {0.004, 0.00025}) {
    Steps steps(rod, step);
    const double error = largest_difference(steps.until(0.5).y, expected);
    EXPECT_LT(error, 2 * step);
    if (last > 0) {
      EXPECT_LT(error, last / 8);
    }
    last = error;
  }
}

/// A pendulum of two relations beside a wall: constraints that cannot open share the blow.
TEST(TimeStepping, KeepsConstraintsThatCannotOpen) {
  const std::string pendulum = R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y
constraint rod: x^2 + y^2 = 1
unilateral wall: x >= 0 restitution 1/2
start x = 4/5, y = -3/5
)";
  const std::vector<double> expected = from_event_to_event(pendulum, 1);
  Steps steps(pendulum, 0.0005);
  const SimulationResult result = steps.until(1);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_LT(largest_difference(result.y, expected), 0.01);
  EXPECT_LT(monitor(result, "holonomic levels").largest, 1e-13);
  for (const Row& row : steps.rows) EXPECT_GE(row.y[0], -1e-9);
}

/// While nothing touches, the method of order four is left alone, constraints included.
TEST(TimeStepping, IsOfOrderFourWhileNothingTouches) {
  const std::string pendulum = R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y
constraint rod: x^2 + y^2 = 1
unilateral wall: x + 2 >= 0
start x = 4/5, y = -3/5
)";
  const std::vector<double> expected = from_event_to_event(pendulum, 1);
  Steps coarse(pendulum, 0.02), fine(pendulum, 0.01);
  const double error = largest_difference(coarse.until(1).y, expected);
  EXPECT_LT(error, 1e-4);
  EXPECT_LT(largest_difference(fine.until(1).y, expected), error / 12);
}

/// A ball that rolls over a bumpy floor: gaps stay within the square of the step.
TEST(TimeStepping, PenetrationIsBounded) {
  for (const double step : {0.01, 0.0025}) {
    Steps steps(R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y
unilateral floor: y - sin(x)/5 >= 0 friction 1/10 on (x' + cos(x)/5*y')/sqrt(1 + cos(x)^2/25) restitution 2/5
start y = 1, x' = 2
)",
                step);
    const SimulationResult result = steps.until(6);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
    for (const Row& row : steps.rows) EXPECT_GT(row.y[1] - std::sin(row.y[0]) / 5, -1e-6);
    EXPECT_LT(monitor(result, "gaps").amount, step * step);
    EXPECT_LT(monitor(result, "laws of contacts").largest, 1e-9);
  }
}

/// A ball in a groove: the wall that its impulse on the other would drive it into presses in the same step.
TEST(TimeStepping, ContactsThatOthersCloseAreFound) {
  Steps steps(R"(
coord a, b
kinetic a'^2/2 + b'^2/2
unilateral gap: b - a >= 0
unilateral wall: 1 - b >= 0
start a = 0, b = 999/1000, a' = 100
)",
              0.02);
  const SimulationResult result = steps.until(0.1);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  for (const Row& row : steps.rows) {
    EXPECT_LE(row.y[1], 1 + 1e-9);
    EXPECT_LE(row.y[0], row.y[1] + 1e-9);
  }
}

/// A puck in space stops at v^2/(2 mu g) in a straight line, and is pulled off where the pull exceeds mu m g.
TEST(TimeStepping, SlipInSpaceStopsAndBegins) {
  Steps steps(R"(
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential 10*z
force y = 2*t
unilateral table: z >= 0 friction 3/10 on [x', y']
start x' = 3/5, y' = 0
)",
              0.001);
  const SimulationResult result = steps.until(2);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.contact_spans.size(), 3U);
  EXPECT_EQ(result.contact_spans[1].mode, "sticks");
  EXPECT_NEAR(result.contact_spans[1].end, 1.5, 0.003);
  EXPECT_NEAR(result.y[4], 0.25, 0.01);
}

TEST(TimeStepping, EventsAreOnStraightLines) {
  const std::string ball = R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y
unilateral floor: y >= 0 restitution 1/2
output press = lambda(floor)
start y = 5, x' = 1
event half: y = 5/2 falling
event far: x = 7/2 then stop
)";
  Steps steps(ball, 0.01);
  const SimulationResult result = steps.until(10);
  EXPECT_EQ(result.outcome, SimulationOutcome::event);
  EXPECT_NEAR(result.t, 3.5, 1e-12);
  ASSERT_EQ(result.events.size(), 2U);
  EXPECT_NEAR(result.events[0].t, std::sqrt(0.5), 1e-4);
  EXPECT_NEAR(steps.rows.back().t, 3.5, 1e-12);
  EXPECT_NEAR(steps.rows.back().outputs[0], 10, 1e-6);
  try {
    Steps refused(ball + "event kick: x = 2 then reset x' = 2\n", 0.01);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), not_for_method);
    EXPECT_NE(std::string(error.what()).find("`kick` resets"), std::string::npos);
  }
}

TEST(TimeStepping, RowsKeepTheirGrid) {
  Steps steps(R"(
coord y
kinetic y'^2/2
potential 10*y
unilateral floor: y >= 0
start y = 1
)",
              0.003);
  steps.until(1, 0.125);
  ASSERT_EQ(steps.rows.size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(steps.rows[i].t, 0.125 * static_cast<double>(i), 1e-12);
}

/// Painleve's rod where no motion exists: an impulse of the step jams it, as a shock does.
TEST(TimeStepping, JamsWhereNoMotionExists) {
  Steps steps(R"(
coord x, y, theta
kinetic (x'^2 + y'^2)/2 + theta'^2/6
potential 10*y
unilateral floor: y - sin(theta) >= 0 friction 2 on x' + sin(theta)*theta'
start theta = acos(3/5), y = 4/5, x' = -1
)",
              0.0001);
  const SimulationResult result = steps.until(0.01);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  double largest = 0;
  for (const Row& row : steps.rows) largest = std::max(largest, row.factors[0] * 0.0001);
  EXPECT_GT(largest, 0.1);  // an impulse that does not vanish with the step
}

/// The normal turns within a step: the speed before the impact is asked for in the row of the impulse.
TEST(TimeStepping, ElasticDiscsThatHitObliquelyKeepTheirEnergy) {
  for (const double step : {0.05, 0.01}) {
    for (const double offset : {0.0, 0.3, 0.6, 0.9}) {
      Steps steps(fmt::format("coord x, y, X, Y\nkinetic (x'^2 + y'^2 + X'^2 + Y'^2)/2\n"
                              "unilateral d: sqrt((x - X)^2 + (y - Y)^2) >= 1 restitution 1\n"
                              "start x = -2, y = {}, x' = 1\n",
                              offset),
                  step);
      const SimulationResult result = steps.until(4);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
      EXPECT_GT(std::abs(result.y[6]), 0.01) << "nothing was hit";
      EXPECT_LT(monitor(result, "T + V").largest, 1e-13) << step << ", " << offset;
    }
  }
}

TEST(TimeStepping, NegativeCoefficientsEndTheRun) {
  Steps steps(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral f: y >= 0 friction -1/2 on x'\n",
      0.01);
  const SimulationResult result = steps.until(1);
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NE(result.message.find("friction of `f` is negative"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace liaison
