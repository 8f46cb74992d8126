#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulate_support.hpp"

namespace liaison::test {
namespace {

/// Viviani's curve x = 1 + cos(s), y = sin(s), z = 2 sin(s/2), which crosses itself at s = 0: without forces
/// (1 + cos(s/2)^2) s'^2 is kept, and s grows.
std::string viviani(double s, double rate) {
  const auto value = [](double number) { return fmt::format("{:.17g}", number); };
  return "coord x, y, z\nparticle P mass 1 at [x, y, z]\nconstraint c: x^2 + y^2 + z^2 = 4\n"
         "constraint e: (x - 1)^2 + y^2 = 1\nstart x = " +
         value(1 + std::cos(s)) + ", y = " + value(std::sin(s)) + ", z = " + value(2 * std::sin(s / 2)) +
         ", x' = " + value(-std::sin(s) * rate) + ", y' = " + value(std::cos(s) * rate) +
         ", z' = " + value(std::cos(s / 2) * rate) + "\n";
}

/// s at a time, by Simpson's rule for t(s).
double place(double s0, double rate, double t) {
  const auto slowness = [](double s) { return std::sqrt(1 + std::cos(s / 2) * std::cos(s / 2)); };
  const double speed = rate * slowness(s0);
  double s = s0, passed = 0;
  constexpr double h = 1e-4;
  while (true) {
    const double more = h * (slowness(s) + 4 * slowness(s + h / 2) + slowness(s + h)) / 6 / speed;
    if (passed + more > t) return s + (t - passed) / more * h;
    passed += more;
    s += h;
  }
}

class Branches : public ::testing::TestWithParam<const char*> {};

TEST_P(Branches, NoMotionChangesItsBranch) {
  for (const auto& [s, rate] : {std::pair(1.308459, 0.925879), std::pair(1.1, 3.0), std::pair(-1.4, 2.1)}) {
    const RunnableModel model = read_runnable(viviani(s, rate));
    for (const double tolerance : {1e-11, 1e-8, 1e-6}) {
      RunRequest request;
      request.method.name = GetParam();
      request.options.tolerance = {tolerance, tolerance * 1e-3};
      request.options.until = 5.2 / rate;
      const SimulationResult result = run(model, request);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << s << ", " << tolerance << result.message;
      const double end = place(s, rate, request.options.until);
      const double error = std::max(2e3 * tolerance, 1e-7);
      EXPECT_NEAR(model.value(result.y, "y"), std::sin(end), error) << s << ", " << tolerance;
      EXPECT_NEAR(model.value(result.y, "z"), 2 * std::sin(end / 2), error) << s << ", " << tolerance;
      ASSERT_EQ(result.passed.size(), 1U) << s << ", " << tolerance;
      EXPECT_NEAR(std::remainder(place(s, rate, result.passed[0].t), 2 * std::acos(-1.0)), 0, error);
    }
  }
}

/// Each turn passes two configurations, in which all four points are on a line.
TEST_P(Branches, AParallelogramStaysOne) {
  for (const auto& [tolerance, far] : {std::pair{1e-11, 0}, {1e-7, 0}, {1e-9, 10'000}, {1e-9, 10'000'000}}) {
    // `far` stands by itself: where it is changes nothing
    const RunnableModel model = read_runnable(fmt::format(
        "param d = 1.3, a = 2.736, w = 9\ncoord x, y, u, v, far\n"
        "kinetic (x'^2 + y'^2 + u'^2 + v'^2 + far'^2)/2\n"
        "potential 3*(y + v)\nconstraint c: x^2 + y^2 = 1\nconstraint e: (u - d)^2 + v^2 = 1\n"
        "constraint f: (u - x)^2 + (v - y)^2 = d^2\n"
        "start x = cos(a), y = sin(a), u = d + cos(a), v = sin(a), x' = -w*sin(a), y' = w*cos(a), "
        "u' = -w*sin(a), v' = w*cos(a), far = {}\n",
        far));
    RunRequest request;
    request.method.name = GetParam();
    request.options.tolerance = {tolerance, tolerance * 1e-3};
    request.options.until = 2;
    const SimulationResult result = run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
    EXPECT_EQ(result.passed.size(), 6U) << tolerance;
    EXPECT_NEAR(model.value(result.y, "u") - model.value(result.y, "x"), 1.3, 1e-9);
    EXPECT_NEAR(model.value(result.y, "v") - model.value(result.y, "y"), 0, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Branches,
                         ::testing::Values("dop853", "taylor", "arkode", "adams", "bdf", "ida"),
                         [](const auto& one) { return one.param; });

/// Steps of one length go over it where some of them are on the way; else it is named.
/// Lengths and angles in one system: the unit of length tells nothing about what is singular.
TEST_P(Branches, NoUnitOfLengthChangesWhatIsPassed) {
  for (const char* length : {"1", "1/1000", "10000", "1000000"}) {
    const RunnableModel model = read_runnable(fmt::format(
        "param l = {}\nlet d = 3*l\ncoord x, y, th, q, p\n"
        "kinetic x'^2/2 + y'^2/2 + l^2*(th'^2 + q'^2 + p'^2)/2\n"
        "constraint ax: x = l*cos(q)\nconstraint ay: y = l*sin(q)\n"
        "constraint cx: x + d*cos(th) = d + l*cos(p)\nconstraint cy: y + d*sin(th) = l*sin(p)\n"
        "start x = l*cos(1), y = l*sin(1), q = 1, p = 1, q' = 1, p' = 1, x' = -l*sin(1), y' = l*cos(1)\n",
        length));
    RunRequest request;
    request.method.name = GetParam();
    request.options.until = 10;
    const SimulationResult result = run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << length << result.message;
    EXPECT_EQ(result.passed.size(), 3U) << length;
    EXPECT_NEAR(model.value(result.y, "q"), 11, 1e-5) << length;
    EXPECT_NEAR(model.value(result.y, "p"), 11, 1e-5) << length;
    EXPECT_NEAR(model.value(result.y, "th"), 0, 1e-9) << length;
  }
}

/// A mechanism that stands far from the origin is rounded more, and passes the same configurations.
TEST(Far, AParallelogramPassesItsConfigurations) {
  for (const int place : {30, 100, 1000}) {
    const RunnableModel model = read_runnable(fmt::format(
        "param X = {}\ncoord x, y, th, q, p\nkinetic (x'^2 + y'^2 + th'^2 + q'^2 + p'^2)/2\n"
        "constraint ax: x = X + cos(q)\nconstraint ay: y = sin(q)\n"
        "constraint cx: x + 3*cos(th) = X + 3 + cos(p)\nconstraint cy: y + 3*sin(th) = sin(p)\n"
        "start x = X + cos(1), y = sin(1), q = 1, p = 1, q' = 1, p' = 1, x' = -sin(1), y' = cos(1)\n",
        place));
    for (const char* method : {"dop853", "taylor"}) {
      RunRequest request;
      request.method.name = method;
      request.options.until = 10;
      const SimulationResult result = run(model, request);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << place << method << result.message;
      EXPECT_EQ(result.passed.size(), 3U) << place << method;
      EXPECT_NEAR(model.value(result.y, "q"), 11, 1e-6) << place << method;
      EXPECT_NEAR(model.value(result.y, "p"), 11, 1e-6) << place << method;
    }
  }
}

TEST(LongSteps, PassTheConfigurationOrNameIt) {
  const RunnableModel model = read_runnable(viviani(1.308459, 0.925879));
  RunRequest request;
  request.options.until = 5.5;
  request.options.fixed_step = request.method.step = 0.05;
  const double end = place(1.308459, 0.925879, 5.5);
  const SimulationResult passes = run(model, request);
  ASSERT_EQ(passes.outcome, SimulationOutcome::finished) << passes.message;
  EXPECT_NEAR(model.value(passes.y, "y"), std::sin(end), 1e-6);
  EXPECT_NEAR(model.value(passes.y, "z"), 2 * std::sin(end / 2), 1e-6);
  EXPECT_NEAR(static_cast<double>(passes.steps), 110, 1);  // one that would end there is as long as two

  request.options.fixed_step = request.method.step = 0.2;
  const SimulationResult result = run(model, request);
  ASSERT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NE(result.message.find("`c`, `e`"), std::string::npos) << result.message;
}

/// Three rods that stay parallel, turning evenly: one step may pass several of their singular configurations.
TEST(LongSteps, EveryConfigurationThatIsPassedIsListed) {
  const RunnableModel model = read_runnable(
      "coord u, v, p\nkinetic (13*u'^2 + 7*v'^2 + 4*p'^2)/20\n"
      "constraint c: cos(u) + 2*cos(p) - cos(v) = 2\nconstraint e: sin(u) + 2*sin(p) - sin(v) = 0\n"
      "start u = 2/3, v = 2/3, u' = 4, v' = 4\n");
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, 100);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    ASSERT_EQ(result.passed.size(), 127U) << method;
    for (std::size_t i = 0; i < 127; ++i) {
      const double t = (static_cast<double>(i + 1) * std::acos(-1.0) - 2.0 / 3) / 4;
      EXPECT_NEAR(result.passed[i].t, t, 1e-6) << method;
    }
  }
}

}  // namespace
}  // namespace liaison::test
