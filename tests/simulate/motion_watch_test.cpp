#include <cmath>
#include <functional>

#include "contact_model.hpp"

namespace liaison::test {
namespace {

/// A rod of length 1 whose lower end sticks to the floor, with a moment about its centre that changes in
/// time: from some moment on the end might open as well (row G5.V-planar-modes).
struct StickingRod {
  std::string moment;
  std::function<double(double)> value;
  double inertia = 0.2;

  std::string text(const std::string& law = "friction 3") const {
    return "coord x, y, theta\nkinetic (x'^2 + y'^2)/2 + 0.1*theta'^2\npotential 10*y\nforce theta = " +
           moment + "\nunilateral floor: y - sin(theta) >= 0 " + law +
           " on x' + sin(theta)*theta'\n"
           "start theta = 1, y = sin(1), theta' = -1, x' = sin(1), y' = -cos(1)\n";
  }
  /// When its end would leave the floor without forces of the contact, for the first time while it sticks.
  double opens_from() const {
    constexpr double h = 1e-5;
    const auto turns = [&](double t, double angle) {
      return (value(t) - 10 * std::cos(angle)) / (1 + inertia);
    };
    const auto lifts = [&](double t, double angle, double rate) {
      return -10 - std::cos(angle) * value(t) / inertia + std::sin(angle) * rate * rate;
    };
    double angle = 1, rate = -1, before = lifts(0, angle, rate);
    for (int i = 0; i < 20000; ++i) {
      const double t = i * h;
      const double k1 = turns(t, angle), k2 = turns(t + h / 2, angle + h / 2 * rate),
                   k3 = turns(t + h / 2, angle + h / 2 * rate + h * h / 4 * k1),
                   k4 = turns(t + h, angle + h * rate + h * h / 2 * k2);
      angle += h * rate + h * h / 6 * (k1 + k2 + k3);
      rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      const double now = lifts(t + h, angle, rate);
      if (now > 0) return t + h * before / (before - now);
      before = now;
    }
    return INFINITY;
  }
};

const StickingRod pushed{"-20*t - 3", [](double t) { return -20 * t - 3; }};
/// Its end might open for three thousandths only, within one step.
const StickingRod nudged{"400*(t - 0.05)^2 - 2.8425",
                         [](double t) { return 400 * (t - 0.05) * (t - 0.05) - 2.8425; }};

class WhileOneContactSticks : public ::testing::TestWithParam<std::string> {};

TEST_P(WhileOneContactSticks, SaysWhenItMightOpen) {
  for (const StickingRod& rod : {pushed, nudged}) {
    ContactModel model(rod.text(), GetParam());
    const SimulationResult result = model.until(0.2);
    ASSERT_EQ(result.outcome, SimulationOutcome::several) << rod.moment;
    EXPECT_NEAR(result.t, rod.opens_from(), 2e-8) << rod.moment;
    EXPECT_EQ(result.possible.size(), 3u) << rod.moment;
    ASSERT_EQ(result.contact_spans.size(), 1u);
    EXPECT_EQ(result.contact_spans[0].mode, "sticks");
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, WhileOneContactSticks,
                         ::testing::Values("dop853", "taylor", "arkode", "adams", "bdf", "ida"),
                         [](const auto& one) { return one.param; });

TEST(MotionWatch, SeparatesWhereItMight) {
  ContactModel model(pushed.text(), "dop853", 1e-10, {.on_indeterminate = OnIndeterminate::separate});
  const SimulationResult result = model.until(0.05);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished);
  ASSERT_EQ(result.contact_spans.size(), 2u);
  EXPECT_EQ(result.contact_spans[1].mode, "open");
  EXPECT_NEAR(result.contact_spans[1].begin, pushed.opens_from(), 2e-8);
}

/// A slip that only a smaller coefficient than that of sticking allows is no motion of its own.
TEST(MotionWatch, WhatSticksBetterMightOnlyOpen) {
  ContactModel model(pushed.text("friction 2.9 sticking 3"));
  const SimulationResult result = model.until(0.2);
  ASSERT_EQ(result.outcome, SimulationOutcome::several);
  EXPECT_NEAR(result.t, pushed.opens_from(), 2e-8);
  EXPECT_EQ(result.possible.size(), 2u);
}

}  // namespace
}  // namespace liaison::test
