#include <gtest/gtest.h>

#include <cmath>

#include "simulate_support.hpp"

namespace liaison::test {
namespace {

RunRequest by(const Method& method, double end) {
  RunRequest request;
  request.options.until = end;
  request.method.name = method.name;
  return request;
}

struct Jump {
  std::string model;
  double t;
  std::string what;  ///< a part of the message
};

void expect_jump(const Jump& jump, double end) {
  const RunnableModel model = read_runnable(jump.model);
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    const SimulationResult result = run(model, by(method, end));
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method.name << ": " << jump.model;
    EXPECT_NEAR(result.t, jump.t, 1e-6) << method.name << ": " << jump.model;
    EXPECT_NE(result.message.find(jump.what), std::string::npos)
        << method.name << ": " << jump.model << result.message;
    EXPECT_NE(result.message.find("an impulse"), std::string::npos) << method.name << ": " << result.message;
  }
}

const std::string plane = "coord x, y\nkinetic (x'^2 + y'^2)/2\n";

TEST(Impulses, ARelationThatJumpsByTheTimeEndsTheRun) {
  expect_jump({"coord y\nkinetic y'^2/2\nconstraint c: y' = sign(t - 1)\nstart y' = -1\n", 1,
               "the relation `c` jumps by -2 where `t - 1` changes its sign"},
              3);
  expect_jump({plane + "constraint c: y' = 1 + 0.5*max(sign(t - 1), 0)\nstart y' = 1, x' = 0.3\n", 1,
               "the relation `c` jumps by -0.5"},
              3);
  expect_jump(
      {plane + "constraint c: y = sign(t - 1)\nstart y = -1, x' = 0.3\n", 1, "the relation `c` jumps by -2"},
      3);
}

TEST(Impulses, ARelationThatJumpsWithTheStateEndsTheRun) {
  expect_jump({plane + "constraint c: y' = sign(x)\nstart x = -1, x' = 1, y' = -1\n", 1,
               "the relation `c` jumps by -2 where `x` changes its sign"},
              3);
  expect_jump({plane + "constraint c: y' = sign(x)*x'\nstart x = -1, x' = 1\n", 1, "the relation `c` jumps"},
              3);
}

TEST(Impulses, AKinkOfALevelIsNamed) {
  expect_jump({plane + "constraint c: y = abs(x)\nstart x = 1, y = 1, x' = -1\n", 1,
               "the rate of the relation `c` jumps by -2 where `x` changes its sign"},
              3);
  expect_jump({plane + "constraint c: y = max(x, 0.5*t)\nstart x = 1, y = 1\n", 2,
               "the rate of the relation `c` jumps"},
              3);
}

TEST(Impulses, ARelationThatJumpsWhereTheMotionBegins) {
  const RunnableModel model = read_runnable(plane + "constraint c: y' = sign(sin(t))\nstart x' = 0.3\n");
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    const SimulationResult result = run(model, by(method, 1));
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method.name;
    EXPECT_EQ(result.t, 0) << method.name;
    EXPECT_NE(result.message.find("the relation `c` jumps"), std::string::npos) << result.message;
  }
}

TEST(Impulses, ALevelWhoseRateDoesNotJumpIsFollowed) {
  // x'^2 + y'^2 = x'^2 (1 + 4 x^2) is kept: x' = -sqrt(5)/sqrt(1 + 4 x^2), odd in x. From 1 to -1 it takes
  // 2*(sqrt(5)/2 + asinh(2)/4)/sqrt(5), with the same speed at both ends.
  const double end = 1 + std::asinh(2.0) / (2 * std::sqrt(5.0));
  const RunnableModel model =
      read_runnable(plane + "constraint c: y = x*abs(x)\nstart x = 1, y = 1, x' = -1\n");
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    const SimulationResult result = run(model, by(method, end));
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message;
    EXPECT_NEAR(model.value(result.y, "x"), -1, 1e-6) << method.name;
    EXPECT_NEAR(model.value(result.y, "y"), -1, 1e-6) << method.name;
    EXPECT_NEAR(model.value(result.y, "x'"), -1, 1e-6) << method.name;
  }
}

TEST(Impulses, AnEnergyThatJumpsByTheTimeAloneIsNoImpulse) {
  // The force is 1 until t = 1 and -1 afterwards.
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\npotential sign(t - 1)*x\nstart x' = 1\n");
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    const SimulationResult result = run(model, by(method, 3));
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message;
    EXPECT_NEAR(model.value(result.y, "x"), 3.5, 1e-7) << method.name;
    EXPECT_NEAR(model.value(result.y, "x'"), 0, 1e-7) << method.name;
  }
}

TEST(Impulses, AnEnergyThatJumpsWithTheStateIsOne) {
  expect_jump({"coord x\nkinetic x'^2/2\npotential sign(x - t)\nstart x = 1, x' = -1\n", 0.5,
               "the energy jumps by -2"},
              3);
}

TEST(Impulses, AMomentumThatJumpsWhileTheEnergyDoesNot) {
  expect_jump({"coord x, y\nkinetic (x'^2 + y'^2)/2 + 0.3*sign(x)*y'\nstart x = -1, x' = 1\n", 1,
               "the momentum dT/d(y') jumps by 0.6 where `x` changes its sign"},
              3);
  expect_jump({"coord x\nkinetic (2 + sign(t - 1))*x'^2/2\nstart x' = 1\n", 1,
               "the momentum dT/d(x') jumps by 2 where `t - 1` changes its sign"},
              3);
  expect_jump({"coord x, y\nvelocity u: x' = u*(1.5 + 0.5*sign(y))\nkinetic (u^2 + y'^2)/2\n"
               "start y = -1, y' = 1, x' = 1\n",
               1, "the rate of `x` jumps by 1 where `y` changes its sign"},
              3);
}

}  // namespace
}  // namespace liaison::test
