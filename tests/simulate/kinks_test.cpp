#include <gtest/gtest.h>

#include <cmath>

#include "simulate_support.hpp"

namespace liaison::testing {
namespace {

RunRequest by(const Method& method, double end, double tolerance = 1e-10) {
  RunRequest request;
  request.options.until = end;
  request.options.tolerance = {tolerance, tolerance * 1e-3};
  request.method.name = method.name;
  request.method.step = method.adaptive ? 0 : 0.01;
  return request;
}

RunnableModel particle(const std::string& rest) {
  return read_runnable("coord x\nkinetic x'^2/2\n" + rest);
}

void expect_end(const std::string& rest, double end, double x, double v) {
  const RunnableModel model = particle(rest);
  for (const Method& method : methods()) {
    const SimulationResult result = run(model, by(method, end));
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message;
    const double near = method.adaptive ? 1e-7 : method.name == "variational" ? 1e-2 : 1e-3;
    EXPECT_NEAR(model.value(result.y, "x"), x, near) << method.name << ": " << rest;
    EXPECT_NEAR(model.value(result.y, "x'"), v, near) << method.name << ": " << rest;
  }
}

TEST(Kinks, AForceWithAJumpInTheState) {
  // Falls from 1 with acceleration 1 to 0 in sqrt(2), four times that is a period.
  const double period = 4 * std::sqrt(2.0), rest = 20 - 3 * period, s = rest - 2 * std::sqrt(2.0);
  expect_end("potential abs(x)\nstart x = 1\n", 20, -1 + s * s / 2, s);
}

TEST(Kinks, ASpringThatIsStifferOnOneSide) {
  const double right = std::sqrt(1.5), left = std::sqrt(0.5), pi = std::acos(-1.0);
  const double quarter = pi / (2 * right), half = pi / left, period = 2 * quarter + half;
  const double s = 19 - 2 * period - quarter;  // in the left half
  ASSERT_GT(s, 0);
  ASSERT_LT(s, half);
  expect_end("force x = -x - abs(x)/2\nstart x = 1\n", 19, -right / left * std::sin(left * s),
             -right * std::cos(left * s));
}

TEST(Kinks, AShortBumpOfTheTimeIsNotSteppedOver) {
  expect_end("force x = max(0, 1 - abs(t - 5.3)/0.1)\n", 10, 0.1 * 4.7, 0.1);
  expect_end("force x = sign(sin(3*t))\npotential x^2/2\n", 10, -0.160928470915, -0.544021110901);
}

TEST(Kinks, APulseOfAPicosecondIsNotSteppedOver) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\npotential -x*1e12*exp(-((t - 3.3e-9)/1e-12)^2)\n");
  RunRequest request;
  request.options.until = 1e-6;
  const SimulationResult result = testing::run(model, request);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(model.value(result.y, "x'"), std::sqrt(std::acos(-1.0)), 1e-8);
}

TEST(Kinks, AShortPulseOfTheTimeIsNotSteppedOver) {
  const RunnableModel model = particle("force x = 100*exp(-((t - 5)/0.01)^2)\n");
  const double area = std::sqrt(std::acos(-1.0));
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    const SimulationResult result = run(model, by(method, 10));
    EXPECT_NEAR(model.value(result.y, "x'"), area, 1e-7) << method.name;
  }
}

TEST(Kinks, ASlipThatEndsIsAnEndByEveryMethod) {
  const RunnableModel model = particle("force x = -sign(x')\nstart x' = 1\n");
  for (const Method& method : methods()) {
    const SimulationResult result = run(model, by(method, 3));
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method.name;
    EXPECT_NEAR(result.t, 1, 1e-7) << method.name;
    if (method.adaptive) {
      EXPECT_NE(result.message.find("`x'` came to zero and cannot leave it"), std::string::npos)
          << method.name << ": " << result.message;
    }
  }
}

TEST(Kinks, FromZeroTheSideIsFoundOrItIsSaidThatThereIsNone) {
  const Method& method = methods().front();
  const RunnableModel slides = particle("force x = 2 - sign(x')\n");
  const SimulationResult down = run(slides, by(method, 3));
  ASSERT_EQ(down.outcome, SimulationOutcome::finished) << down.message;
  EXPECT_NEAR(slides.value(down.y, "x"), 4.5, 1e-11);
  EXPECT_NE(
      run(particle("force x = 0.5 - sign(x')\n"), by(method, 3)).message.find("cannot go on from where `x'`"),
      std::string::npos);
  EXPECT_NE(run(particle("force x = sign(x)\n"), by(method, 3)).message.find("several motions begin here"),
            std::string::npos);
  const SimulationResult rests = run(particle("force x = -sign(x')\n"), by(method, 3));
  EXPECT_EQ(rests.outcome, SimulationOutcome::finished) << rests.message;
  EXPECT_EQ(rests.y, (std::vector<double>{0, 0}));
}

TEST(Kinks, ARunThatGoesOnFromACheckpointHasTheSameBits) {
  const RunnableModel model = particle("force x = -x - 0.3*sign(x) + sign(sin(2*t))\nstart x = 1\n");
  const SimulationResult whole = run(model, by(methods().front(), 8));
  for (const std::size_t stop : {3u, 20u, 41u}) {
    Checkpoint checkpoint;
    RunRequest first = by(methods().front(), 8), second = first;
    first.receivers.step = [&](const RunningSimulation& running) {
      checkpoint = running.checkpoint();
      return running.steps() < stop;
    };
    ASSERT_EQ(run(model, first).outcome, SimulationOutcome::interrupted);
    second.resume = &checkpoint;
    EXPECT_EQ(run(model, second).y, whole.y) << stop;
  }
}

TEST(Kinks, NoStepIsLongerThanItMay) {
  const RunnableModel model = particle("start x' = 1\n");
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    RunRequest request = by(method, 10);
    request.options.max_step = 0.25;
    EXPECT_GE(run(model, request).steps, 40u) << method.name;
  }
}

}  // namespace
}  // namespace liaison::testing
