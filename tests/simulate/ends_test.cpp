#include <gtest/gtest.h>

#include <cmath>

#include "simulate_support.hpp"

// How runs end, in every method: by what is tested there, and never by how long the run should be.

namespace liaison {
namespace {

using test::adaptive_methods;
using test::read_runnable;
using test::read_runnable_file;
using test::run_until;
using test::RunnableModel;
using test::RunRequest;

::testing::AssertionResult says(const SimulationResult& result, const std::string& part) {
  if (result.message.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "`" << part << "` is not in `" << result.message << "`, ";
}

// ---- horizons ----

TEST(Horizons, WhatGrowsBeyondNumbersDoesNotLeaveConstraintsThatAreNone) {
  const RunnableModel model = read_runnable("coord x\nkinetic x'^2/2\nforce x = 1e5*x\nstart x = 1\n");
  for (const char* method : {"dop853", "taylor", "arkode"}) {
    RunRequest request;
    request.method.name = method;
    request.options.until = 3;
    const SimulationResult result = run(model, request);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_EQ(result.message.find("constraint"), std::string::npos) << method << result.message;
    EXPECT_GT(result.t, 2) << method << result.message;
  }
}

TEST(Horizons, ABodyThatComesToRestGoesOnInTime) {
  const RunnableModel model = read_runnable("coord x\nkinetic x'^2/2\nforce x = -x'\nstart x' = 1\n");
  RunRequest request;
  request.method.name = "adams";
  request.options.until = 4000;
  request.options.tolerance = {1e-9, 1e-12};
  const SimulationResult result = run(model, request);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[0], 1, 1e-6);
}

TEST(Horizons, AnOscillatorRunsForATrillionSecondsUntilItIsInterrupted) {
  for (const char* stiffness : {"1", "1e8"}) {
    const RunnableModel model = read_runnable(std::string("param k = ") + stiffness +
                                              "\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\nstart x = 1\n");
    const double frequency = std::sqrt(std::stod(stiffness));
    for (const std::string& method : adaptive_methods) {
      RunRequest request;
      request.method.name = method;
      request.options.until = 1e12;
      std::size_t steps = 0;
      request.receivers.row = [](const Row&) { return true; };
      request.receivers.step = [&](const RunningSimulation&) { return ++steps < 6000; };
      const SimulationResult result = test::run(model, request);
      EXPECT_EQ(result.outcome, SimulationOutcome::interrupted) << method << ": " << result.message;
      EXPECT_EQ(result.steps, 6000u) << method;
      EXPECT_NEAR(model.value(result.y, "x"), std::cos(frequency * result.t), 2e-3) << method << stiffness;
    }
  }
}

TEST(Horizons, ARunMayBeginBeforeZero) {
  RunnableModel model = read_runnable("coord x\nkinetic x'^2/2\nstart x' = 1\n");
  model.start[model.system->time] = -1;
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 1);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    EXPECT_NEAR(model.value(result.y, "x"), 2, 1e-8) << method;
  }
}

TEST(Horizons, TheFirstStepIsThatOfAShortRun) {
  const RunnableModel model = read_runnable("coord x\nkinetic x'^2/2\npotential 1e8*x^2/2\nstart x = 1\n");
  for (const std::string method : {"dop853", "taylor"}) {
    std::vector<double> first;
    for (double until : {1.0, 1e6, 1e12}) {
      RunRequest request;
      request.method.name = method;
      request.options.until = until;
      request.receivers.row = [](const Row&) { return true; };
      request.receivers.step = [&](const RunningSimulation&) { return false; };
      first.push_back(test::run(model, request).t);
    }
    EXPECT_EQ(first[0], first[1]) << method;
    EXPECT_EQ(first[0], first[2]) << method;
  }
}

TEST(Horizons, FixedStepsKeepTheTimeExactly) {
  const RunnableModel model = read_runnable("coord x\nkinetic x'^2/2\nstart x' = 1\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "variational"}) {
    RunRequest request;
    request.method.name = method;
    request.method.step = 0.01;
    request.options.until = 1e3;
    std::size_t row = 0;
    double worst = 0;
    request.receivers.row = [&](const Row& one) {
      worst = std::max(worst, std::abs(one.t - static_cast<double>(row) * 0.01));
      ++row;
      return true;
    };
    const SimulationResult result = test::run(model, request);
    EXPECT_EQ(result.steps, 100000u) << method;
    EXPECT_LE(worst, 2e-13) << method;  // one unit of the last place; the sum of the steps is off by 1e-11
  }
}

// ---- nodes and cusps ----

/// A motion through a node goes straight on, or the run ends there: never onto the other branch.
TEST(Ends, NoMotionTurnsAtANode) {
  struct Node {
    const char* model;
    double end, x;
  };
  const Node nodes[] = {
      {"coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -1\nconstraint a: x*y = 0\nstart x = -1, x' = 1\n", 3,
       2},
      {"coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: (x^2 + y^2)^2 = x^2 - y^2\nstart x = 1, y' = 1\n",
       20, 0.249121445},
  };
  for (const Node& node : nodes) {
    const RunnableModel model = read_runnable(node.model);
    for (const std::string& method : adaptive_methods) {
      const SimulationResult result = run_until(model, method, node.end);
      if (result.outcome == SimulationOutcome::finished) {
        EXPECT_NEAR(result.y[0], node.x, 1e-4) << method;
      } else {
        EXPECT_TRUE(says(result, "gradient")) << method;
      }
    }
  }
}

// Fehlberg's estimate of the error is zero for a quadrature.
TEST(Ends, QuadraturesAreFollowedByEveryMethod) {
  const RunnableModel model = read_runnable(
      "coord phi, y, x\nkinetic (phi'^2 + x'^2 + y'^2)/2\nconstraint a: x' = cos(phi)\n"
      "constraint b: y' = sin(phi)\nstart phi' = 1\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 100);
    EXPECT_NEAR(result.y[1], 1 - std::cos(100.0), 1e-5) << method;
    EXPECT_NEAR(result.y[2], std::sin(100.0), 1e-5) << method;
  }
}

// A level with a rotation in it is kept to rounding, also where the tolerance is rough.
TEST(Ends, LevelsWithRotationsAreKeptToRounding) {
  const RunnableModel model = read_runnable(
      "coord z\nrotation R (p, q, r) in body\nkinetic (p^2 + q^2 + r^2 + z'^2)/2\nconstraint c: z = R33\n"
      "start R_e0 = 0.8, R_e1 = 0.6, R_e2 = 0, R_e3 = 0, z = 0.28, p = 1\n");
  const SimulationResult result = run_until(model, "dop853", 5);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  for (const Monitor& monitor : result.monitors) {
    if (monitor.kind == MonitorKind::residual) {
      EXPECT_LE(monitor.largest, 1e-14) << monitor.name;
    }
  }
}

// ---- ends that are told apart ----

struct End {
  const char* model;
  double t, within;
  const char* says;
};

TEST(Ends, SayWhatDiverges) {
  const End ends[] = {
      {"coord x\nkinetic x'^2/2\nforce x = 6*x^2\nstart x = 1, x' = 2\n", 1, 1e-6, "grow without bound"},
      {"coord x\nkinetic x^2*x'^2/2\nforce x = -1\nstart x = 1\n", std::sqrt(8.0) / 3, 1e-6,
       "the mass matrix becomes singular"},
      {"coord x\nkinetic x'^2/2\nforce x = -2*sign(x')\nstart x' = 1\n", 0.5, 1e-4, "a slip that ends"},
  };
  for (const End& end : ends) {
    const RunnableModel model = read_runnable(end.model);
    for (const std::string& method : adaptive_methods) {
      const SimulationResult result = run_until(model, method, 3);
      EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
      EXPECT_NEAR(result.t, end.t, end.within) << method;
      EXPECT_TRUE(says(result, end.says)) << method;
    }
  }
}

/// The direction of a slip turns ever faster where its speed vanishes: no straight way crosses a jump there.
TEST(Ends, ASlipInThePlaneThatEndsDoesNotRunForEver) {
  const RunnableModel model = read_runnable_file("gallissot/sphere_on_two_planes.lia");
  const SimulationResult result = run_until(model, "dop853", 1);
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_LT(result.steps, 10000u);
}

/// First steps are lengths that the time can tell, however late it is.
TEST(LateStarts, EveryMethodBegins) {
  const RunnableModel particle = read_runnable("coord x\nkinetic x'^2/2\nstart t = 1e9, x' = 1\n");
  const RunnableModel oscillator =
      read_runnable("coord x\nkinetic x'^2/2\npotential x^2/2\nstart t = 1e10, x = 1\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult moved = run_until(particle, method, 1e9 + 10);
    EXPECT_EQ(moved.outcome, SimulationOutcome::finished) << method << ": " << moved.message;
    EXPECT_NEAR(particle.value(moved.y, "x"), 10, 1e-4) << method;
    const SimulationResult swung = run_until(oscillator, method, 1e10 + 10);
    EXPECT_EQ(swung.outcome, SimulationOutcome::finished) << method << ": " << swung.message;
    EXPECT_NEAR(oscillator.value(swung.y, "x"), std::cos(10), 1e-3) << method;  // the time has 2e-6
  }
}

// ---- states without a motion ----

/// Row G2.V-Appell: z'' = -g/(1 + k^2), so that the velocity vanishes at t = (1 + k^2) z'/g.
TEST(LostRank, AVelocityOnAConeEndsAtItsVertexInEveryMethod) {
  const RunnableModel model = read_runnable_file("gallissot/velocity_on_a_cone.lia");
  const double vertex = (1 + 0.75 * 0.75) * 4 / 9.81;
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 2);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, vertex, 1e-7) << method;
    EXPECT_NEAR(model.value(result.y, "z'"), 0, 1e-6) << method;
    EXPECT_TRUE(says(result, "the gradient of `cone` vanishes")) << method;
    EXPECT_TRUE(says(result, "several motions may go on")) << method;
    EXPECT_TRUE(says(result, "pole")) << method;
  }
}

/// A step of one length ends next to the vertex, at t = 10, by rounding or by its error.
TEST(LostRank, FixedStepsDoNotPassTheVertexOfACone) {
  const RunnableModel model = read_runnable(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential -z\nconstraint cone: x'^2 + y'^2 = z'^2\n"
      "start x' = 3, y' = 4, z' = -5\n");
  for (const double step : {0.1, 0.15625, 0.25, 0.7, 1.0}) {
    RunRequest request;
    request.method.step = step;
    request.options.until = 20;
    const SimulationResult result = test::run(model, request);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << step;
    EXPECT_NEAR(result.t, 10, step) << step;
    EXPECT_TRUE(says(result, "`cone`")) << step;
  }
}

/// The step that finds the vertex begins before the reset; what it found is not where the motion comes.
TEST(LostRank, AResetBeforeTheVertexLeadsAwayFromIt) {
  const RunnableModel model =
      read_runnable(test::model_text("gallissot/velocity_on_a_cone.lia") +
                    "\nevent again: t = 0.6 rising then reset x' = 1.8, y' = 2.4, z' = 4\n");
  const double vertex = 0.6 + (1 + 0.75 * 0.75) * 4 / 9.81;
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 2);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, vertex, 1e-7) << method;
    EXPECT_EQ(result.events.size(), 1u) << method;
  }
}

TEST(LostRank, RowsEndWhereTheMotionDoes) {
  const RunnableModel model = read_runnable_file("gallissot/velocity_on_a_cone.lia");
  RunRequest request;
  request.options.until = 2;
  request.options.every = 0.01;
  double last = 0;
  request.receivers.row = [&](const Row& row) {
    last = row.t;
    return true;
  };
  const SimulationResult result = test::run(model, request);
  EXPECT_LE(last, result.t);
  EXPECT_NEAR(last, 0.63, 1e-12);
}

const char* const parallelogram =
    "param l = 1, d = 2, m = 1, g = 9.81\n"
    "coord x1, y1, x2, y2\n"
    "kinetic m/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)\n"
    "potential m*g*(y1 + y2)\n"
    "constraint left: x1^2 + y1^2 = l^2\n"
    "constraint couple: (x2 - x1)^2 + (y2 - y1)^2 = d^2\n"
    "constraint right: (x2 - d)^2 + y2^2 = l^2\n"
    "start x1 = 0, y1 = 1, x2 = 2, y2 = 1, x1' = 1, y1' = 0, x2' = 1, y2' = 0\n";

/// At its change point the three relations depend on each other; the motion goes on as a parallelogram, like
/// one pendulum. A method that cannot come through says so and does not go on along the other branch.
TEST(LostRank, AParallelogramPassesItsChangePoints) {
  const RunnableModel model = read_runnable(parallelogram);
  const RunnableModel pendulum =
      read_runnable("param g = 9.81\ncoord a\nkinetic a'^2/2\npotential g*cos(a)\nstart a = 0, a' = 1\n");
  const double angle = pendulum.value(run_until(pendulum, "dop853", 5).y, "a");
  int passed = 0;
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 5);
    if (result.outcome == SimulationOutcome::finished) {
      ++passed;
      EXPECT_EQ(result.passed.size(), 5u) << method;
      EXPECT_NEAR(model.value(result.y, "x2") - model.value(result.y, "x1"), 2, 1e-6) << method;
      EXPECT_NEAR(model.value(result.y, "x1"), std::sin(angle), 2e-5) << method;
    } else {
      EXPECT_TRUE(says(result, "singular configuration")) << method;
      EXPECT_TRUE(says(result, "`left`, `couple`, `right`")) << method;
    }
  }
  EXPECT_GE(passed, 4);
}

/// Rows behind a change point are handed on when it is known that the motion goes on.
TEST(LostRank, NoRowLiesOnAnotherBranch) {
  const RunnableModel model = read_runnable(parallelogram);
  for (const std::string& method : adaptive_methods) {
    RunRequest request;
    request.method.name = method;
    request.options.until = 5;
    double farthest = 0, last = 0;
    request.receivers.row = [&](const Row& row) {
      farthest = std::max(farthest, std::abs(model.value(row.y, "x2") - model.value(row.y, "x1") - 2));
      last = row.t;
      return true;
    };
    const SimulationResult result = run(model, request);
    EXPECT_LT(farthest, 1e-4) << method;
    EXPECT_LE(last, result.t) << method;
  }
}

TEST(LostRank, AConfigurationBehindAnEventIsNotPassed) {
  const RunnableModel stops = read_runnable(std::string(parallelogram) + "event low: y1 = 0.02 then stop\n");
  const RunnableModel resets =
      read_runnable(std::string(parallelogram) + "event low: y1 = 0.02 falling then reset x1' = x1'\n");
  int passed = 0;
  for (const std::string& method : adaptive_methods) {
    EXPECT_TRUE(run_until(stops, method, 1).passed.empty()) << method;
    const SimulationResult result = run_until(resets, method, 1);
    if (result.outcome != SimulationOutcome::finished) continue;
    ++passed;
    EXPECT_EQ(result.passed.size(), 1u) << method;
  }
  EXPECT_GE(passed, 3);
}

/// IFToMM benchmark A02. All rods turn by the same angle, as one pendulum: its end was computed to 30 digits.
/// The library asks for an energy that is kept to 0.1 J.
TEST(LostRank, FourBarLoopsPassTheirSingularConfigurations) {
  const struct {
    const char* model;
    double x, y;
  } cases[] = {{"mbs/four_bar_loops_2.lia", 0.328458111540815379, 0.944518538178600962},
               {"mbs/four_bar_loops_40.lia", 0.180512226686728390, 0.983572740582311575}};
  for (const auto& one : cases) {
    const RunnableModel model = read_runnable_file(one.model);
    RunRequest request;
    request.options.until = 10;
    double first = NAN, drift = 0;
    request.receivers.row = [&](const Row& row) {
      const double energy = row.kinetic + row.potential;
      if (std::isnan(first)) first = energy;
      drift = std::max(drift, std::abs(energy - first));
      return true;
    };
    const SimulationResult result = test::run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
    EXPECT_EQ(result.passed.size(), 10u) << one.model;
    EXPECT_NEAR(model.value(result.y, "x0"), one.x, 1e-6) << one.model;
    EXPECT_NEAR(model.value(result.y, "y0"), one.y, 1e-6) << one.model;
    EXPECT_LT(drift, 1e-5) << one.model;
  }
}

// ---- relations that repeat each other ----

TEST(RepeatedRelations, AreNoSingularConfigurations) {
  const std::string point = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nstart x = 1\n";
  const RunnableModel once = read_runnable(point + "constraint a: x^2 + y^2 = 1\n");
  const RunnableModel twice =
      read_runnable(point + "constraint a: x^2 + y^2 = 1\nconstraint b: x^2 + y^2 = 1\n");
  for (const std::string& method : adaptive_methods) {
    if (method == "taylor" || method == "ida") continue;  // refuse at the beginning
    const SimulationResult expected = run_until(once, method, 3), result = run_until(twice, method, 3);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_TRUE(result.passed.empty()) << method << ": " << result.passed.front().what;
    EXPECT_LT(result.steps, 4 * expected.steps) << method;
    for (std::size_t i = 0; i < result.y.size(); ++i) EXPECT_NEAR(result.y[i], expected.y[i], 1e-5) << method;
  }
}

// Two circles that touch have one common point, and a body at rest stays there.
TEST(RepeatedRelations, ThatTouchHoldABodyAtRest) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x^2 + y^2 = 1\nconstraint b: (x - 2)^2 + y^2 = 1\n"
      "start x = 1\n");
  for (const std::string method : {"dop853", "arkode"}) {
    const SimulationResult result = run_until(model, method, 3);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_LT(result.steps, 1000u) << method;
    EXPECT_EQ(result.message.find("nan"), std::string::npos) << result.message;
    for (const PassedSingularity& passed : result.passed)
      EXPECT_EQ(passed.what.find("nan"), std::string::npos) << passed.what;
    EXPECT_NEAR(model.value(result.y, "y"), 0, 1e-7) << method;
  }
}

// A bar between two pins that are as far apart as it is long cannot move: nothing but rounding does.
TEST(RepeatedRelations, ThatHoldABodyLeaveItAtRest) {
  const RunnableModel model = read_runnable(
      "coord x, y, a\nbody B mass 1 inertia 1 at [x, y] angle a\ngravity [0, -10]\n"
      "constraint x1: x - cos(a) = -1\nconstraint y1: y - sin(a) = 0\n"
      "constraint x2: x + cos(a) = 1\nconstraint y2: y + sin(a) = 0\n");
  for (const std::string method : {"dop853", "arkode", "adams", "bdf"}) {
    const SimulationResult result = run_until(model, method, 3);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_LT(result.steps, 100u) << method;
    for (const double value : result.y) EXPECT_EQ(value, 0) << method;
  }
}

// Three hinges, of which each holds a point of the body, say five things nine times: the body turns about
// their axis as a pendulum does.
TEST(RepeatedRelations, OfThreeHingesLeaveTheMotionOfOneAxis) {
  const double m = 20, w = 0.8, g = 9.81, lean = 0.3, until = 3;
  std::string text = fmt::format(
      "coord x, y, z\nrotation R (p, q, r) in body\n"
      "body D mass {0} inertia [{0}/3, {0}*(4 + {1}^2)/12, {0}*{1}^2/12] at [x, y, z] rotation R\n"
      "gravity [0, 0, -{2}]\nstart R_e0 = {3:.17g}, R_e2 = {4:.17g}, r = 1\n",
      m, w, g, std::cos(lean / 2), std::sin(lean / 2));
  for (const int i : {-1, 0, 1}) {
    const double s = 0.8 * i;
    const std::string name = std::string(1, static_cast<char>('b' + i));
    text +=
        fmt::format("constraint hx{}: x - {}*R11 + {}*R13 = {:.17g}\n", name, w / 2, s, s * std::sin(lean));
    text += fmt::format("constraint hy{}: y - {}*R21 + {}*R23 = 0\n", name, w / 2, s);
    text +=
        fmt::format("constraint hz{}: z - {}*R31 + {}*R33 = {:.17g}\n", name, w / 2, s, s * std::cos(lean));
  }
  const double pull = m * g * std::sin(lean) * w / 2 / (m * w * w / 12 + m * w * w / 4);
  double angle = 0, rate = 1;  // by the classical fourth-order method
  constexpr int steps = 20000;
  const double h = until / steps;
  for (int i = 0; i < steps; ++i) {
    const double v1 = rate, a1 = -pull * std::sin(angle);
    const double v2 = rate + h / 2 * a1, a2 = -pull * std::sin(angle + h / 2 * v1);
    const double v3 = rate + h / 2 * a2, a3 = -pull * std::sin(angle + h / 2 * v2);
    const double v4 = rate + h * a3, a4 = -pull * std::sin(angle + h * v3);
    angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  const RunnableModel model = read_runnable(text);
  for (const std::string method : {"dop853", "arkode", "adams", "bdf"}) {
    const SimulationResult result = run_until(model, method, until);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_NEAR(model.value(result.y, "r"), rate, 1e-6) << method;
    EXPECT_NEAR(model.value(result.y, "p"), 0, 1e-8) << method;
  }
}

// ---- open factors and several motions ----

TEST(OpenFactors, AreThoseWithTheLeastSumOfSquares) {
  const RunnableModel model = read_runnable_file("gallissot/point_same_relation_twice.lia");
  for (Assembly assembly : {Assembly::factorised, Assembly::unrolled, Assembly::sparse}) {
    Evaluator evaluator(*model.equations, model.start, {Engine::compiled, assembly});
    const std::vector<double> y = evaluator.pack(model.start);
    std::vector<double> dy(y.size());
    ASSERT_TRUE(evaluator.rates(0, y.data(), dy.data()));
    // Of lambda(one) + 2 lambda(two) = -1.
    EXPECT_NEAR(evaluator.factors()[0], -0.2, 1e-15);
    EXPECT_NEAR(evaluator.factors()[1], -0.4, 1e-15);
    ASSERT_EQ(evaluator.open_factors().size(), 1u);
    EXPECT_NEAR(evaluator.open_factors()[0][0] + 2 * evaluator.open_factors()[0][1], 0, 1e-15);
  }
}

TEST(SeveralMotions, AreNotChosenAmong) {
  const RunnableModel forces = read_runnable_file("gallissot/cart_with_both_forces_free.lia");
  const RunnableModel roots = read_runnable_file("gallissot/two_motions_from_one_state.lia");
  for (const std::string& method : adaptive_methods) {
    if (method == "taylor") continue;  // refuses at the beginning
    const SimulationResult open = run_until(forces, method, 1);
    EXPECT_EQ(open.outcome, SimulationOutcome::singular) << method;
    EXPECT_EQ(open.t, 0) << method;
    EXPECT_TRUE(says(open, "undetermined motion: it depends on lambda(hold), lambda(push)")) << method;
    const SimulationResult two = run_until(roots, method, 1);
    EXPECT_EQ(two.outcome, SimulationOutcome::singular) << method;
    EXPECT_EQ(two.t, 0) << method;
    EXPECT_TRUE(says(two, "undetermined motion: it depends on lambda(c)")) << method;
  }
}

// ---- checkpoints ----

// Stopped after each of its steps and gone on with, a run ends in the same bits with as many steps.
TEST(Checkpoints, KeepAllThatARunKnows) {
  const std::vector<std::string> models{
      "coord x\nkinetic x'^2/2\npotential exp(-1e6*(x - 5)^2)/100\nstart x' = 1\n",
      "coord x\nkinetic x'^2/2\nforce x = -x - abs(x)/2 + max(sin(3*t), 0.2)\nstart x = 1\n",
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint rod: x^2 + y^2 = 1\nstart x = 1\n",
      "coord x, th\nkinetic x'^2 + cos(th)*x'*th' + th'^2/2\nconstraint hold: th' = 1/10 by x'\n"
      "potential -cos(th)\n"};
  for (const std::string& text : models) {
    const RunnableModel model = read_runnable(text);
    RunRequest whole;
    whole.options.until = 6;
    const SimulationResult expected = test::run(model, whole);
    ASSERT_EQ(expected.outcome, SimulationOutcome::finished) << text << expected.message;
    const std::size_t stride = 1 + expected.steps / 40;
    for (std::size_t stop = 1; stop < expected.steps; stop += stride) {
      Checkpoint checkpoint;
      RunRequest first = whole;
      first.receivers.step = [&](const RunningSimulation& run) {
        if (run.steps() < stop) return true;
        checkpoint = run.checkpoint();
        return false;
      };
      ASSERT_EQ(test::run(model, first).outcome, SimulationOutcome::interrupted);
      RunRequest second = whole;
      second.resume = &checkpoint;
      const SimulationResult result = test::run(model, second);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
      EXPECT_EQ(result.steps, expected.steps) << "stopped after " << stop << "\n" << text;
      EXPECT_EQ(result.y, expected.y) << "stopped after " << stop << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace liaison
