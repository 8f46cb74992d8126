#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulate_support.hpp"

namespace liaison::test {
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

TEST(Kinks, ARootOfWhatIsZeroOnOneSide) {
  // By Runge's method of order 4 with 8,000,000 steps in extended precision, the formulas written out by
  // hand.
  const struct {
    const char *law, *start;
    double end, x, v;
  } rows[] = {
      {"force x = -x - max(x, 0)^1.5", "x = 1, x' = 0.3", 9, -1.01280448574695, 0.92963814124145},
      {"potential max(x, 0)^1.5 + x^2/2", "x = 1, x' = 0.3", 9, -0.516230404, 1.680329185},
      {"force x = -x + max(sin(2*t), 0)^1.5", "x = 1, x' = 0.3", 9, -0.00803686452884, -0.97939976347395},
      // below 0.3 it is an oscillator
      {"force x = -x + sqrt(max(x' - 0.3, 0))", "x = 1, x' = 0.3", 1, std::cos(1) + 0.3 * std::sin(1),
       0.3 * std::cos(1) - std::sin(1)},
      {"force x = -sqrt(-min(x, 0))", "x = 1", 3, 1, 0}};
  for (const auto& row : rows) {
    const RunnableModel model = particle(std::string(row.law) + "\nstart " + row.start + "\n");
    for (const Method& method : methods()) {
      if (!method.adaptive) continue;
      const SimulationResult result = run(model, by(method, row.end));
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message;
      EXPECT_NEAR(model.value(result.y, "x"), row.x, 3e-7) << method.name << ": " << row.law;
      EXPECT_NEAR(model.value(result.y, "x'"), row.v, 3e-7) << method.name << ": " << row.law;
    }
  }
}

TEST(Kinks, AJumpWithoutASymbolIsPassedWithinTheTolerance) {
  // -atan(tan(3*x)) = -3*x + pi*n between the jumps: pieces of harmonic motions with w = 3
  double x = 0, v = 3, t = 0;
  const double end = 2, w = 3, pi = std::numbers::pi;
  for (int n = 0; t < end; ++n) {
    const double middle = pi * n / w, jump = (2 * n + 1) * pi / (2 * w);
    const double size = std::hypot(x - middle, v / w), phase = std::atan2(x - middle, v / w);
    const double at_jump = t + (std::asin((jump - middle) / size) - phase) / w, to = std::min(at_jump, end);
    x = middle + size * std::sin(phase + w * (to - t));
    v = size * w * std::cos(phase + w * (to - t));
    t = to;
  }
  const RunnableModel model = particle("force x = -3*atan(tan(3*x))\nstart x' = 3\n");
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    const SimulationResult result = run(model, by(method, end, 1e-7));
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message;
    EXPECT_NEAR(model.value(result.y, "x"), x, 3e-4) << method.name;
    EXPECT_NEAR(model.value(result.y, "x'"), v, 3e-4) << method.name;
  }
}

TEST(Kinks, ASeriesBeginsWhereARootIsZero) {
  const RunnableModel model = particle("force x = sqrt(max(sin(2*t), 0))\n");
  RunRequest request;
  request.options.until = 9;
  const SimulationResult expected = run(model, request);
  request.method.name = "taylor";
  const SimulationResult result = run(model, request);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[0], expected.y[0], 1e-6);
  EXPECT_NEAR(result.y[1], expected.y[1], 1e-6);
}

TEST(Kinks, AShortBumpOfTheTimeIsNotSteppedOver) {
  expect_end("force x = max(0, 1 - abs(t - 5.3)/0.1)\n", 10, 0.1 * 4.7, 0.1);
  expect_end("force x = sign(sin(3*t))\npotential x^2/2\n", 10, -0.160928470915, -0.544021110901);
}

TEST(Kinks, AHumpOfTheTimeAboveALevel) {
  const double pi = std::acos(-1.0), level = 0.99, end = 0.1;
  const double a = std::asin(level) / 50, b = pi / 50 - a, c = std::cos(50 * a);
  const double v = level * (end - b + a) + 2 * c / 50;
  const double x =
      level * (end * end - (end - a) * (end - a) + (end - b) * (end - b)) / 2 + (2 * end - a - b) * c / 50;
  expect_end("force x = max(sin(50*t), 0.99)\n", end, x, v);
  for (const char* force : {"max(sin(50*t), 0.99)", "max(sin(50*t), 0.9)", "max(sin(50*t), 0.95)",
                            "max(sin(50*t), 0.999)", "max(sin(40*t), 0.99)", "abs(sin(50*t) - 0.99)"}) {
    const RunnableModel model = particle(std::string("force x = ") + force + "\n");
    RunRequest request;
    request.options.until = end;
    const SimulationResult expected = run(model, request);
    request.method.name = "taylor";
    const SimulationResult result = run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << force << ": " << result.message;
    EXPECT_LT(result.steps, 200u) << force;
    EXPECT_NEAR(result.y[1], expected.y[1], 1e-8) << force;
  }
}

TEST(Kinks, APulseOfAPicosecondIsNotSteppedOver) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\npotential -x*1e12*exp(-((t - 3.3e-9)/1e-12)^2)\n");
  RunRequest request;
  request.options.until = 1e-6;
  const SimulationResult result = test::run(model, request);
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

/// By every method: the end of a run at 1e-9, and of a step of 0.01 where it is constant.
void expect_goes_on(const std::string& rest, double end, double x, double v, double near,
                    const std::string& but = "") {
  const RunnableModel model = particle(rest);
  for (const Method& method : methods()) {
    if (method.name == but || (!but.empty() && !method.adaptive)) continue;
    const SimulationResult result = run(model, by(method, end, 1e-9));
    ASSERT_EQ(result.outcome, SimulationOutcome::finished)
        << method.name << ", " << rest << result.message << " at " << result.t;
    const double allowed = method.name == "variational" ? std::max(near, 1e-3) : near;
    EXPECT_NEAR(model.value(result.y, "x"), x, allowed) << method.name << ": " << rest;
    EXPECT_NEAR(model.value(result.y, "x'"), v, allowed) << method.name << ": " << rest;
  }
}

TEST(Kinks, AnArgumentOfTheTimeThatTouchesZeroIsNoEnd) {
  expect_goes_on("force x = abs(1 - sin(t))\n", 6, 12 + std::sin(6.0), 5 + std::cos(6.0), 2e-6);
  expect_goes_on("force x = min(1, sin(t))\n", 6, 6 - std::sin(6.0), 1 - std::cos(6.0), 2e-6);
  // sin(t) is the larger one from pi/6 to 5 pi/6; at 3 pi/2 both are -1, and cos(2t) is not passed.
  const double pi = std::acos(-1.0), root = std::sqrt(3.0);
  const double more = 1.5 * root;  // of sin(t) - cos(2t) over that time, which is symmetric about pi/2
  expect_goes_on("force x = max(sin(t), cos(2*t))\n", 6, (1 - std::cos(12.0)) / 4 + more * (6 - pi / 2),
                 std::sin(12.0) / 2 + more, 2e-6);
}

TEST(Kinks, AShortPulseAroundATurningPointOfItsArgument) {
  const RunnableModel model = particle("force x = max(0, sign(sin(t) - 0.999999))\n");
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    const SimulationResult result = run(model, by(method, 50, 1e-9));
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message;
    EXPECT_NEAR(model.value(result.y, "x'"), 16 * std::acos(0.999999), 1e-8) << method.name;
  }
}

TEST(Kinks, AMotionThatGrazesAKinkGoesOnWhereBothSidesLeadAway) {
  // The error of the state at the graze, 1e-9, is a speed of its root there.
  expect_goes_on("force x = 1 + max(0, -x)*1000\nstart x = 0.5, x' = -1\n", 3, 2, 2, 1e-5);
  // arkode ends there, and says at what: within a step its states are rougher than at its end. Steps of a
  // constant length may not be solved there.
  expect_goes_on("force x = 1 + 5*(1 - sign(x))\nstart x = 0.5, x' = -1\n", 3, 2, 2, 1e-3, "arkode");
}

TEST(Kinks, AShortStayBeyondAKinkIsSeenInALongStep) {
  const RunnableModel model = read_runnable(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 750*(1 + sign(1e-6 - (x - 100)^2 - y^2))/2\n"
      "start x' = 1\n");
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    const SimulationResult result = run(model, by(method, 150, 1e-9));
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message;
    EXPECT_NEAR(model.value(result.y, "x'"), 2, 1e-3) << method.name;  // 1 + 2*750*0.002 = 2^2
  }
}

TEST(Kinks, AStrongForceThatBeginsAtRest) {
  const RunnableModel pulse = particle("force x = 1e6*max(0, sign(t - 50) - sign(t - 50.000001))/2\n");
  const RunnableModel waves = particle("force x = 1e6*sign(sin(1e4*t))\n");
  const double phase = std::fmod(0.05, 2 * std::acos(-1.0) / 1e4), half = std::acos(-1.0) / 1e4;
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    const SimulationResult once = run(pulse, by(method, 100, 1e-9));
    ASSERT_EQ(once.outcome, SimulationOutcome::finished) << method.name << ": " << once.message;
    EXPECT_NEAR(pulse.value(once.y, "x'"), 1, 1e-7) << method.name;
    if (method.name == "adams" || method.name == "bdf" || method.name == "ida")
      continue;  // see integrators.md
    const SimulationResult often = run(waves, by(method, 0.05, 1e-9));
    ASSERT_EQ(often.outcome, SimulationOutcome::finished) << method.name << ": " << often.message;
    EXPECT_NEAR(waves.value(often.y, "x'"), 1e6 * (phase < half ? phase : 2 * half - phase), 1e-5)
        << method.name;
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

/// Two hundred changes in a second, at a time at which that is next to nothing: the time does not enter.
TEST(Kinks, ASwingIsNoChatterHoweverLateItIs) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nforce x = -1e6*sign(x)\nstart x = 1, t = 1e9\n");
  const SimulationResult result = run_until(model, "dop853", 1e9 + 1);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
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

TEST(Kinks, AKinkOfARelationIsHeldByProjectionsToo) {
  // (1 + x^2) x'^2/2 grows by the work of the force, whatever side x is on: x' alone tells x, and y follows.
  for (const std::string relation : {"y' = abs(x)*x'", "y = x*abs(x)/2"}) {
    const RunnableModel model =
        read_runnable("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\nconstraint c: " + relation +
                      "\nstart x = -1, x' = 0.3\n");
    for (const Method& method : methods()) {
      if (!method.adaptive) continue;
      const SimulationResult result = run(model, by(method, 3));
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << result.message;
      const double x = result.y[0];
      EXPECT_NEAR(x, 2.3299362316, 5e-8) << method.name << ": " << relation;
      EXPECT_NEAR(result.y[2], std::sqrt((0.18 + 2 * (x + 1)) / (1 + x * x)), 5e-8) << method.name;
    }
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

/// Events in what jumps or bends at a kink are told once, at the time of the kink, in every method.
struct EventAtKink {
  const char* model;
  double until;
  std::vector<double> times;
  bool touches;
};
void expect_events(const EventAtKink& one) {
  const RunnableModel model = read_runnable(one.model);
  for (const std::string& method : adaptive_methods) {
    const SimulationResult result = run_until(model, method, one.until);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    ASSERT_EQ(result.events.size(), one.times.size()) << method << ": " << one.model;
    for (std::size_t i = 0; i < one.times.size(); ++i) {
      EXPECT_NEAR(result.events[i].t, one.times[i], 1e-7) << method << ": " << one.model;
      EXPECT_EQ(result.events[i].touches, one.touches) << method << ": " << one.model;
    }
  }
}

TEST(EventsAtKinks, AValueThatJumpsToZeroComesToIt) {
  const double root = std::sqrt(2);
  expect_events({"coord x\nkinetic x'^2/2\nforce x = -sign(x)\nevent e: x'' = 1\nstart x = 1\n",
                 8,
                 {root, 3 * root, 5 * root},
                 false});
}

TEST(EventsAtKinks, AValueThatBecomesZeroComesToItOnce) {
  // x = cos(t) - 0.3 sin(t) up to zero.
  expect_events({"coord x\nkinetic x'^2/2\nforce x = -max(x, 0)\nevent e: x'' = 0\nstart x = 1, x' = -0.3\n",
                 8,
                 {std::atan(1 / 0.3)},
                 false});
  expect_events(
      {"coord x, y\nkinetic x'^2/2 + y'^2/2\nforce y = max(0, x - 1)*max(0, 2 - x)\nevent e: y'' = 0\n"
       "start x' = 1\n",
       3,
       {1, 2},
       false});
}

TEST(EventsAtKinks, AValueThatTurnsBackAtZeroTouchesIt) {
  // x = cos(w t) - 10/w sin(w t) up to zero.
  const double w = std::sqrt(10);
  const double t = std::atan(w / 10) / w;
  expect_events(
      {"coord x\nkinetic x'^2/2\nforce x = -abs(x)*10\nevent a: abs(x) = 0\nstart x = 1, x' = -10\n",
       0.5,
       {t},
       true});
  expect_events({"coord x\nkinetic x'^2/2\nforce x = -abs(x)*10\nevent e: x'' = 0\nstart x = 1, x' = -10\n",
                 0.5,
                 {t},
                 true});
}

TEST(EventsAtKinks, AZeroThatLastsEndsAndBegins) {
  expect_events({"coord x\nkinetic x'^2/2\nevent e: max(0, x - 1)*max(0, 2 - x) = 0\nstart x' = 1\n",
                 3,
                 {1, 2},
                 false});
}

}  // namespace
}  // namespace liaison::test
