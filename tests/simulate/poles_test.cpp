#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "liaison/expr/error.hpp"
#include "simulate_support.hpp"

// Where equations divide by zero: every method ends there, or every method goes on.

namespace liaison {
namespace {

using test::read_runnable;
using test::read_runnable_file;
using test::RunnableModel;
using test::RunRequest;

SimulationResult run_with(const RunnableModel& model, const std::string& method, double until,
                          double tolerance = 1e-9) {
  RunRequest request;
  request.method.name = method;
  if (method.starts_with("variational")) request.method.step = 1e-3;
  request.options.until = until;
  request.options.tolerance.relative = tolerance;
  request.options.max_steps = 200000;
  return test::run(model, request);
}

struct Ending {
  const char* model;
  double until, t;
  const char* what;
  std::vector<std::string> methods = {"dop853", "taylor", "arkode", "adams", "bdf", "ida"};
  /// For the test's name.
  friend void PrintTo(const Ending& ending, std::ostream* out) { *out << ending.model; }
};

class WhereMotionsEnd : public ::testing::TestWithParam<Ending> {};

TEST_P(WhereMotionsEnd, EveryMethodEndsThere) {
  const Ending& ending = GetParam();
  const RunnableModel model = read_runnable_file(ending.model);
  for (const std::string& method : ending.methods) {
    const SimulationResult result = run_with(model, method, ending.until);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, ending.t, 2e-5) << method;
    EXPECT_NE(result.message.find(ending.what), std::string::npos) << method << ": " << result.message;
    EXPECT_LT(result.steps, 100000u) << method;
    for (const double value : result.y) EXPECT_TRUE(std::isfinite(value)) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, WhereMotionsEnd,
    ::testing::Values(
        // slip/(f g (a^2 + k^2)/k^2)
        Ending{"classics/sphere_sliding.lia", 2, 0.16313536493079536, "as where a slip ends"},
        Ending{"gallissot/sphere_sliding_contact.lia", 2, 0.6312427686319992, "as where a slip ends"},
        // The two equations of rho and alpha by the classical method of Runge and Kutta, steps in proportion
        // to rho; in the same way u and phi on the cone, and the pursuit by its speed.
        Ending{"gallissot/sphere_on_plane_sliding.lia",
               2,
               1.13149076202,
               "alpha",
               {"dop853", "taylor", "arkode", "bdf", "ida"}},
        Ending{"massa_pagani/f2_appell_hamel.lia", 2, 0.2368529374985, "the gradient of `cone` vanishes"},
        Ending{"gallissot/velocity_on_a_cone_turned.lia", 2, (1 + 0.75 * 0.75) * 4 / 9.81,
               "the gradient of `cone` vanishes"},
        Ending{"massa_pagani/f4_pursuit.lia",
               6,
               4.660909833206,
               "the gradient of `aim` vanishes",
               {"dop853", "taylor", "arkode", "adams", "bdf", "ida", "variational", "variational4",
                "variational6"}}));

TEST(WhereMotionsEnd, TheFamilyOfMotionsIsNamedByItsPower) {
  // y ~ C s^p with p = x'/(x' - c), where x' = 2.0396 at the end by the same independent integration.
  const SimulationResult result = run_with(read_runnable_file("massa_pagani/f4_pursuit.lia"), "dop853", 6);
  EXPECT_NE(result.message.find("as the power 2.78 of the time"), std::string::npos) << result.message;
}

TEST(WhereMotionsEnd, APoleOfTheTimeIsAnEndByEveryMethod) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = -x + 1/sqrt(abs(t - 1))\nstart x = 1\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    const SimulationResult result = run_with(model, method, 3);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, 1, 1e-9) << method;
    EXPECT_NE(result.message.find("the rate of `x'` grows without bound"), std::string::npos)
        << method << ": " << result.message;
  }
}

TEST(WhereMotionsEnd, ATangentHasThePolesOfItsCosine) {
  const struct {
    const char* force;
    double t;
  } cases[] = {
      {"tan(t)*x + 1", std::numbers::pi / 2}, {"tan(x)", 1.07368599675}, {"tan(x)^2", 1.05750478894}};
  for (const auto& [force, t] : cases) {
    const RunnableModel model = read_runnable(std::string("coord x\nkinetic x'^2/2\nforce x = ") + force +
                                              "\nstart x = 0.1, x' = 1\n");
    for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
      const SimulationResult result = run_with(model, method, 5);
      EXPECT_EQ(result.outcome, SimulationOutcome::singular) << force << " by " << method;
      EXPECT_NEAR(result.t, t, 1e-6) << force << " by " << method << ": " << result.message;
    }
  }
}

/// The relation has a value there, but what is computed of its rates loses all digits: no run hangs.
TEST(WhereMotionsEnd, ADivisorThatCancelsAndIsNotToldIsNamed) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2\n"
      "constraint c: y = x*(1 - cos(t - 1))/(t - 1)^2\nstart x = 1\n");
  for (const std::string method : {"dop853", "taylor", "arkode"}) {
    const SimulationResult result = run_with(model, method, 2);
    ASSERT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, 1, 1e-2) << method;
    EXPECT_LE(result.steps, 2000U) << method;
    EXPECT_NE(result.message.find("`t - 1`, by which the equations divide"), std::string::npos)
        << method << ": " << result.message;
  }
}

TEST(WhereMotionsEnd, APoleOfARelationInTimeIsNamedByEveryMethod) {
  const struct {
    const char *relation, *written;
    double t;
  } rows[] = {{"y = x*tan(2*t)", "`tan(2*t)`", std::acos(-1.0) / 4},
              {"y = x/(1 - t)", "`1/(1 - t)`", 1},
              {"y' = x'*tan(t)", "`tan(t)`", std::acos(-1.0) / 2}};
  for (const auto& row : rows) {
    const RunnableModel model =
        read_runnable(std::string("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: ") + row.relation +
                      "\nstart x = 1/2, x' = 3/10\n");
    for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
      const SimulationResult result = run_with(model, method, 3);
      EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method << row.relation;
      EXPECT_NEAR(result.t, row.t, 1e-8) << method << row.relation;
      EXPECT_NE(result.message.find("the relation `c` has a pole at t = "), std::string::npos)
          << result.message;
      EXPECT_NE(result.message.find(row.written), std::string::npos) << method << ": " << result.message;
    }
  }
}

TEST(WhereMotionsEnd, WhatTheEquationsDivideByIsNamed) {
  // x'^2/2 = -log(x): sqrt(pi/2) to the centre.
  const RunnableModel model = read_runnable("coord x\nkinetic x'^2/2\nforce x = -1/x\nstart x = 1\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    const SimulationResult result = run_with(model, method, 3);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, std::sqrt(std::acos(-1) / 2), 1e-6) << method;
    EXPECT_NE(result.message.find("`x`, by which the equations divide, comes to zero"), std::string::npos)
        << method << ": " << result.message;
  }
}

TEST(WhereMotionsEnd, ARootThatTheMotionItselfBringsToZero) {
  // v' = -2 sqrt(v) is v = (1 - t)^2 until rest, v' = -v^(1/3) is v = (1 - 2t/3)^(3/2).
  const std::pair<const char*, double> laws[] = {
      {"-2*sqrt(abs(x'))", 1}, {"-2*sign(x')*sqrt(abs(x'))", 1}, {"-sign(x')*abs(x')^(1/3)", 1.5}};
  for (const auto& [law, t] : laws) {
    const RunnableModel model =
        read_runnable(std::string("coord x\nkinetic x'^2/2\nforce x = ") + law + "\nstart x' = 1\n");
    for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
      const SimulationResult result = run_with(model, method, 3);
      EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method << ": " << law;
      EXPECT_NEAR(result.t, t, 3e-4) << method << ": " << law;
      EXPECT_NE(result.message.find("a family of motions comes to this state"), std::string::npos)
          << method << ": " << law << ": " << result.message;
    }
  }
}

TEST(WhereMotionsEnd, ARootOfPositionsThatTheMotionItselfBringsToZero) {
  // x = (1 - t)^4 and x = (1 - t)^3: at t = 1 it may rest for any time. A speed that differs by a part in
  // 400 turns before, or passes.
  const std::pair<const char*, const char*> laws[] = {{"12*sqrt(abs(x))", "4"},
                                                      {"6*sign(x)*abs(x)^(1/3)", "3"}};
  for (const auto& [law, speed] : laws) {
    const std::string text =
        std::string("coord x\nkinetic x'^2/2\nforce x = ") + law + "\nstart x = 1, x' = -" + speed;
    for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
      const SimulationResult result = run_until(read_runnable(text + "\n"), method, 3);
      EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method << ": " << law;
      EXPECT_NEAR(result.t, 1, 0.05) << method << ": " << law;
      EXPECT_NE(result.message.find("a family of motions comes to this state"), std::string::npos)
          << method << ": " << law << ": " << result.message;
      for (const char* other : {"*0.9975\n", "*1.0025\n"}) {
        const SimulationResult beside = run_until(read_runnable(text + other), method, 3);
        EXPECT_EQ(beside.outcome, SimulationOutcome::finished)
            << method << ": " << law << other << beside.message;
      }
    }
  }
}

TEST(WhereMotionsEnd, ARootOfPositionsThatOthersBringToZeroIsNoEnd) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = 12*(1 - t)^2\nforce x = sqrt(abs(y))\n"
      "start y = 1, y' = -4\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    const SimulationResult result = run_until(model, method, 3);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_NEAR(result.y[0], 2.25, 1e-6) << method;  // x'' = (1 - t)^2
  }
}

TEST(WhereMotionsEnd, ARootThatTheMotionPassesIsNoEnd) {
  for (const char* law : {"-x - sqrt(abs(x))", "-x - sign(x)*sqrt(abs(x))", "-x + sqrt(abs(x'))"}) {
    const RunnableModel model =
        read_runnable(std::string("coord x\nkinetic x'^2/2\nforce x = ") + law + "\nstart x = 1, x' = 0.3\n");
    const SimulationResult expected = run_with(model, "dop853", 9, 1e-11);
    ASSERT_EQ(expected.outcome, SimulationOutcome::finished) << law << ": " << expected.message;
    for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
      const SimulationResult result = run_with(model, method, 9);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished)
          << method << ": " << law << ": " << result.message;
      EXPECT_NEAR(result.y[0], expected.y[0], 3e-6) << method << ": " << law;
    }
  }
}

TEST(WhereMotionsEnd, ATightToleranceDoesNotHang) {
  for (const char* path : {"massa_pagani/f2_appell_hamel.lia", "gallissot/velocity_on_a_cone_turned.lia",
                           "classics/sphere_sliding.lia"}) {
    const SimulationResult result = run_with(read_runnable_file(path), "adams", 2, 1e-12);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << path << result.message;
    EXPECT_LT(result.steps, 150000u) << path;
  }
}

TEST(WhereMotionsEnd, APoleIsNotSteppedOver) {
  // A free fall into the centre from rest takes pi/(2 sqrt 2).
  const RunnableModel model = read_runnable("coord x\nkinetic x'^2/2\npotential -1/sqrt(x^2)\nstart x = 1\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida", "variational"}) {
    const SimulationResult result = run_with(model, method, 3);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, std::acos(-1) / std::sqrt(8), 2e-3) << method << result.message;
  }
}

/// The integral of (1 - cos(x))/x from 0.
double entire_cosine_integral(double x) {
  double sum = 0, term = -1;
  for (int k = 1; k < 20; ++k) {
    term *= -x * x / ((2 * k - 1) * (2 * k));
    sum += term / (2 * k);
  }
  return sum;
}

TEST(WhereMotionsGoOn, ThroughADivisorThatCancels) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = -(1 - cos(x))/x\nstart x = 1\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf"}) {
    const SimulationResult result = run_with(model, method, 20.3);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_NEAR(result.y[1] * result.y[1] / 2 + entire_cosine_integral(result.y[0]),
                entire_cosine_integral(1), 1e-6)
        << method;
  }
}

TEST(WhereMotionsGoOn, ThroughThePoleOfSphericalCoordinates) {
  // A plane motion through theta = 0, where the inertia of phi is zero; phi stays where it is.
  const RunnableModel model = read_runnable(
      "coord theta, phi\nkinetic (theta'^2 + sin(theta)^2*phi'^2)/2\npotential -9.81*cos(theta)\n"
      "start theta = 1, phi = 0.5\n");
  const RunnableModel plain =
      read_runnable("coord theta\nkinetic theta'^2/2\npotential -9.81*cos(theta)\nstart theta = 1\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "bdf"}) {
    const SimulationResult result = run_with(model, method, 3), other = run_with(plain, method, 3);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_NEAR(result.y[0], other.y[0], 1e-5) << method;
    EXPECT_EQ(result.y[1], 0.5) << method;
  }
}

TEST(WhereMotionsGoOn, PastACentreThatIsMissed) {
  // Kepler's ellipse with e = 0.9998: 1e-4 of its great axis from the centre. After ten turns of the time
  // 2 pi it is where it was.
  const double e = 0.9998, speed = std::sqrt((1 - e) / (1 + e));
  const RunnableModel model =
      read_runnable("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\nstart x = " +
                    std::to_string(1 + e) + ", y' = " + std::to_string(speed) + "\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf"}) {
    const SimulationResult result = run_with(model, method, 6.2831853, 1e-12);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_NEAR(result.y[0], 1 + e, 1e-2) << method;
  }
}

// ---- what equations do not say ----

TEST(Refused, AnEnergyThatJumps) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\npotential sign(x)\nstart x = -1, x' = 1\n");
  const RunnableModel bends =
      read_runnable("coord x\nkinetic x'^2/2\npotential x*sign(x)\nstart x = -1, x' = 1\n");
  for (const std::string method :
       {"dop853", "taylor", "arkode", "adams", "bdf", "ida", "variational", "variational4", "variational6"}) {
    const SimulationResult result = run_with(model, method, 3);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, 1, 1e-9) << method;
    EXPECT_NE(result.message.find("the energy jumps by 2"), std::string::npos) << method << result.message;
    // Up with x'' = 1 to x = 0 at t = sqrt(3) - 1 with the speed sqrt(3), then x'' = -1.
    const double then = 3 - (std::sqrt(3) - 1);
    EXPECT_NEAR(run_with(bends, method, 3).y[0], std::sqrt(3) * then - then * then / 2, 1e-6) << method;
  }
}

TEST(Refused, AParameterBeyondTheDoubles) {
  const RunnableModel model = read_runnable("param m = 1e400\ncoord x\nkinetic m*x'^2/2\nforce x = 1\n");
  try {
    run_with(model, "dop853", 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the value of the parameter `m` is too large for a double");
  }
}

TEST(Refused, SeveralMotionsHoweverSmallTheForce) {
  for (const char* force : {"1e-13", "1e-3", "1e5"}) {
    const RunnableModel model =
        read_runnable(std::string("coord x\nkinetic x'^2/2\nforce x = ") + force + "*sign(x)\nstart x = 0\n");
    for (const std::string method : {"dop853", "adams"}) {
      const SimulationResult result = run_with(model, method, 1);
      EXPECT_NE(result.message.find("several motions begin here"), std::string::npos) << force << method;
    }
  }
}

// From rest x = 0 goes on, and x = (t/c)^(2/(1 - p)) too: no Lipschitz condition.
TEST(Refused, RootsOfWhatIsZeroWhereTheMotionBegins) {
  for (const std::string force :
       {"sqrt(max(x, 0))", "max(0, x)^(1/3)", "max(0, x)^(2/3)", "3*max(x', 0)^(2/3)",
        "sqrt(x^2 + x'^2)^(1/2)", "sqrt(x)", "x^3 + 1e4*sqrt(max(x, 0))", "t*sqrt(max(x, 0))"}) {
    const RunnableModel model =
        read_runnable("coord x\nkinetic x'^2/2\nforce x = " + force + "\nstart x = 0\n");
    for (const std::string method : {"dop853", "adams"}) {
      const SimulationResult result = run_with(model, method, 2);
      EXPECT_NE(result.message.find("several motions begin here"), std::string::npos) << force << method;
    }
  }
  const RunnableModel crossed = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = sqrt(max(y, 0))\nforce y = sqrt(max(x, 0))\n"
      "start x = 0\n");
  EXPECT_NE(run_with(crossed, "dop853", 2).message.find("several motions begin here"), std::string::npos);
}

// The base leaves zero, or is driven back to it, or the root is Lipschitz: one motion.
TEST(Passed, RootsOfWhatIsZeroWithOneMotion) {
  for (const std::string force : {"1 + sqrt(max(x, 0))", "-1 + sqrt(max(x, 0))", "-sqrt(max(x, 0))",
                                  "sqrt(x^2 + x'^2)", "x*sqrt(abs(x))", "1 + max(x, 0)^(1/10)"}) {
    const RunnableModel model =
        read_runnable("coord x\nkinetic x'^2/2\nforce x = " + force + "\nstart x = 0\n");
    EXPECT_EQ(run_with(model, "dop853", 2).message, "") << force;
  }
  for (const std::string speed : {"1", "-1"}) {
    const RunnableModel model = read_runnable(
        "coord x\nkinetic x'^2/2\nforce x = sqrt(max(x, 0))\nstart x = 0, x' = " + speed + "\n");
    EXPECT_EQ(run_with(model, "dop853", 2).message, "") << speed;
  }
}

// x = (1 - t)^4 comes to rest at t = 1, from where it may begin again at any time.
TEST(Ends, WhereThePieceOfARootComesToZeroWithItsRate) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = 12*sqrt(max(x, 0))\nstart x = 1, x' = -4\n");
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    const SimulationResult result = run_with(model, method, 2);
    EXPECT_NE(result.message.find("comes to zero with its rate"), std::string::npos) << method;
    EXPECT_NEAR(result.t, 1, 0.05) << method;
  }
  // Where another piece is taken nothing has a root of zero: x = 2 - t^2/2 passes 0 and 1 freely.
  const RunnableModel other =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = -sqrt(max(x - 5, 1))\nstart x = 2\n");
  EXPECT_EQ(run_with(other, "dop853", 2).message, "");
}

TEST(Checkpoints, RememberSingularConfigurationsThatWerePassed) {
  const RunnableModel model = read_runnable(
      "param l = 1, d = 2, m = 1, g = 9.81\ncoord x1, y1, x2, y2\n"
      "kinetic m/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)\npotential m*g*(y1 + y2)\n"
      "constraint left: x1^2 + y1^2 = l^2\nconstraint couple: (x2 - x1)^2 + (y2 - y1)^2 = d^2\n"
      "constraint right: (x2 - d)^2 + y2^2 = l^2\n"
      "start x1 = 0, y1 = 1, x2 = 2, y2 = 1, x1' = 1, y1' = 0, x2' = 1, y2' = 0\n");
  RunRequest first;
  first.options.until = 2;
  const SimulationResult begun = test::run(model, first);
  ASSERT_EQ(begun.outcome, SimulationOutcome::finished) << begun.message;
  ASSERT_FALSE(begun.passed.empty());
  RunRequest second;
  second.options.until = 2.001;
  second.resume = &begun.checkpoint;
  const SimulationResult gone_on = test::run(model, second);
  ASSERT_EQ(gone_on.passed.size(), begun.passed.size());
  EXPECT_EQ(gone_on.passed[0].t, begun.passed[0].t);
  EXPECT_EQ(gone_on.passed[0].what, begun.passed[0].what);
}

}  // namespace
}  // namespace liaison
