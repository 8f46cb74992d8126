#include <fmt/format.h>

#include <cmath>

#include "contact_model.hpp"

namespace liaison {
namespace {

/// What slides up a side and over the edge flies off with the velocity that friction has left.
class SlidesOverAnEdge : public ::testing::TestWithParam<std::string> {};

TEST_P(SlidesOverAnEdge, AndFliesOff) {
  for (const int slope : {1, 2, 3}) {
    for (const int part : {1, 4, 9, 13}) {
      const double mu = part / 40.0, length = std::hypot(1, slope);
      test::ContactModel contacts(fmt::format("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\n"
                                              "unilateral g: y >= -{0}*abs(x) friction {1}/40\n"
                                              "start x = -1, y = -{0}, x' = 12, y' = {2}\n",
                                              slope, part, 12 * slope),
                                  GetParam());
      const SimulationResult result = contacts.until(0.3);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << slope << ", " << part << result.message;
      const double braked = 10 * (slope + mu) / length, speed = 12 * length;
      const double at_edge = std::sqrt(speed * speed - 2 * braked * length);
      const double flight = 0.3 - (speed - at_edge) / braked, x = at_edge / length;
      EXPECT_NEAR(result.y[0], x * flight, 1e-7) << slope << ", " << part;
      EXPECT_NEAR(result.y[1], slope * x * flight - 5 * flight * flight, 1e-7) << slope << ", " << part;
      EXPECT_EQ(result.contact_spans.back().mode, "open");
    }
  }
}

TEST_P(SlidesOverAnEdge, OfABoxAndOfATable) {
  test::ContactModel box(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral g: abs(x) + abs(y) >= 1 friction "
      "1/10\n"
      "start x = -1/2, y = 1/2, x' = 5, y' = 5\n",
      GetParam());
  SimulationResult result = box.until(0.3);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(std::hypot(result.y[2], result.y[3] + 10 * (0.3 - result.contact_spans[0].end)),
              std::sqrt(50 - 2 * 11 * 0.5), 1e-7);
  test::ContactModel table(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral g: max(x, y) >= 0 friction 1/10\n"
      "start x = -1, x' = 5\n",
      GetParam());
  result = table.until(0.5);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[2], std::sqrt(23.0), 1e-7);
  EXPECT_NEAR(result.y[3], -10 * (0.5 - (5 - std::sqrt(23.0))), 1e-6);
}

TEST_P(SlidesOverAnEdge, InSpace) {
  test::ContactModel contacts(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 10*z\n"
      "unilateral g: z >= -abs(x) friction 1/10 on [(x' - sign(x)*z')/sqrt(2), y']\nstart x = -1, z = -1, x' "
      "= 5, z' = 5, y' = 1\n",
      GetParam());
  const SimulationResult result = contacts.until(0.5);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_EQ(result.contact_spans.back().mode, "open");
  EXPECT_GT(result.y[3], std::sqrt(14.0));  // that of a friction against the way up alone
  EXPECT_LT(result.y[3], std::sqrt(15.0));  // without friction
  EXPECT_NEAR(result.y[5] + 10 * (0.5 - result.contact_spans[0].end), result.y[3], 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, SlidesOverAnEdge,
                         ::testing::Values("dop853", "taylor", "arkode", "adams", "bdf", "ida"),
                         [](const auto& one) { return one.param; });

/// A slip that ends on a side, however near to the edge it came from, ends.
TEST(ContactNoise, ASlipThatEndsBesideAnEdgeSticks) {
  test::ContactModel contacts(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral g: y >= -abs(x)/10 friction 1/2\n"
      "start x = 1/1000, y = -1/10000, x' = 1, y' = -1/10\n");
  const SimulationResult result = contacts.until(2);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_EQ(result.contact_spans.back().mode, "sticks");
  EXPECT_EQ(result.y[2], 0);
}

/// Just inside its cone and just outside of it, by less than doubles tell: it sticks.
TEST(ContactNoise, ABlockAtTheEdgeOfItsConeSticks) {
  for (const double more : {-2e-11, -5e-12, 0.0, 1e-12, 5e-12, 1e-11, 2e-11, 3e-11, 1e-10, 1e-9, 1e-6}) {
    for (const char* scale : {"1", "1000000", "1/1000000"}) {
      test::ContactModel contacts(
          fmt::format("param mu = {0:.17g}\ncoord x, y\n"
                      "particle P mass 1 at [x, y]\ngravity [6*{1}, -8*{1}]\n"
                      "unilateral plane: y >= 0 friction mu\n",
                      0.75 + more, scale));
      const SimulationResult result = contacts.until(1);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << more << ": " << result.message;
      EXPECT_EQ(result.contact_spans.back().mode, "sticks") << more << ", " << scale;
      EXPECT_EQ(result.y[0], 0) << more;
    }
  }
}

/// A table that shakes fast: the mass leaves it where its acceleration is that of the weight.
TEST(ContactNoise, AFastTableIsLeft) {
  for (const char* method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    test::ContactModel contacts(
        "coord y\nkinetic y'^2/2\npotential 10*y\nunilateral f: y >= 0.001*sin(1000*t)\nstart y = 0.1\n",
        method);
    const SimulationResult result = contacts.until(0.1446);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_TRUE(result.accumulations.empty()) << method;
    EXPECT_EQ(result.contact_spans.back().mode, "open") << method;
    const double left = (46 * M_PI + std::asin(0.01)) / 1000;
    EXPECT_NEAR(result.contact_spans.back().begin, left, 1e-9) << method;
    const double flight = 0.1446 - left;
    EXPECT_NEAR(result.y[0], 1e-5 + std::sqrt(1 - 1e-4) * flight - 5 * flight * flight, 1e-9) << method;
  }
}

/// Where the gradient of a gap vanishes under a closed contact the run ends, and no velocity is lost.
TEST(ContactNoise, AGapWhoseGradientVanishesEndsTheRun) {
  for (const char* method : {"dop853", "taylor", "bdf"}) {
    test::ContactModel contacts(
        "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral g: x*y >= 0\n"
        "start x = 1, y = 0, x' = -1\n",
        method);
    const SimulationResult result = contacts.until(2);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, 1, 1e-6) << method;
    EXPECT_NE(result.message.find("the gradient of the gap of `g` vanishes"), std::string::npos)
        << method << ": " << result.message;
  }
}

/// A body falls back into its corner while a pendulum swings from it: the impact stops it, though the
/// impulses of three contacts leave rounding, and friction holds it from there on.
TEST(ContactNoise, WhatAnImpactStopsIsAtRest) {
  test::ContactModel contacts(R"(
param g = 9.81
coord x, y, th, u, v
body B mass 1 inertia 0.2 at [x, y] angle th
contact left: B on ground at [x - 0.652*cos(th) + 0.77*sin(th), y - 0.652*sin(th) - 0.77*cos(th)] normal [0, 1] unilateral friction 0.9
contact right: B on ground at [x + 0.652*cos(th) + 0.77*sin(th), y + 0.652*sin(th) - 0.77*cos(th)] normal [0, 1] unilateral friction 0.9
contact wall: B on ground at [x + 0.652*cos(th) - 0.2*sin(th), y + 0.652*sin(th) + 0.2*cos(th)] normal [-1, 0] unilateral gap 0.652 - x - 0.652*cos(th) + 0.2*sin(th) friction 0.1
gravity [0, -g]
force th = 5*t
kinetic (u'^2 + v'^2)/2
potential 10*v
constraint rod: (u - (x - 0.13*cos(th) + 0.22*sin(th)))^2 + (v - (y - 0.13*sin(th) - 0.22*cos(th)))^2 = 1.19^2
start y = 0.77, u = 1.19*cos(0.7) - 0.13, v = 0.55 - 1.19*sin(0.7)
)",
                              "dop853", 1e-9);
  const SimulationResult result = contacts.until(2);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.impacts.size(), 1U);
  EXPECT_NEAR(result.y[1], 0.77, 1e-12);
  EXPECT_EQ(result.y[7], 0);
}

/// A number in front of a gap, and of the friction that goes with its factor, changes nothing.
TEST(ContactNoise, AGapHasAnyUnit) {
  for (const char* unit : {"1", "1e-8", "1e8"}) {
    test::ContactModel block(fmt::format(R"(
coord x, y, th
body B mass 2 inertia 1/2 at [x, y] angle th
gravity [0, -10]
force x = 3*t
force th = -3/10*t
unilateral a: {0}*(y - 3/5*sin(th) - 1/2*cos(th)) >= 0 friction {0}*3/10 on x' + th'*(3/5*sin(th) + 1/2*cos(th))
unilateral b: {0}*(y + 3/5*sin(th) - 1/2*cos(th)) >= 0 friction {0}*3/10 on x' - th'*(3/5*sin(th) - 1/2*cos(th))
start y = 1/2
)",
                                         unit),
                             "dop853", 1e-9);
    const SimulationResult slides = block.until(4);
    ASSERT_EQ(slides.outcome, SimulationOutcome::finished) << unit << ": " << slides.message;
    EXPECT_NEAR(slides.contact_spans[0].end, 2, 1e-9) << unit;
    EXPECT_NEAR(slides.y[0], 2, 1e-8) << unit;  // 2 x'' = 3 (t - 2)
    test::ContactModel ball(fmt::format("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\n"
                                        "unilateral f: {0}*y >= 0 restitution 1/2 friction {0}*3/10 on x'\n"
                                        "start y = 1, x' = 2\n",
                                        unit),
                            "dop853", 1e-9);
    const SimulationResult rests = ball.until(4);
    ASSERT_EQ(rests.outcome, SimulationOutcome::finished) << unit << ": " << rests.message;
    EXPECT_NEAR(rests.y[0], 2 / std::sqrt(5.0), 1e-8) << unit;  // the first impact stops it
  }
}

/// Other parameters of the velocities, which turn with the body, change no motion and no normal.
TEST(ContactNoise, AChartOfVelocitiesTurns) {
  const std::string body =
      "body B mass 1 inertia 1 at [x, y] angle phi\ngravity [0, -10]\n"
      "unilateral floor: y >= 0 restitution 1/2 friction 3/10 on x'\n";
  test::ContactModel plain("coord x, y, phi\n" + body + "start y = 1, phi = -pi/2, x' = 2, phi' = 1\n",
                           "dop853", 1e-9);
  test::ContactModel turning(
      "coord x, y, phi\nvelocity u, n, w: x' = u*cos(phi) - n*sin(phi), y' = u*sin(phi) + n*cos(phi), phi' = "
      "w\n" +
          body + "start y = 1, phi = -pi/2, n = 2, w = 1\n",
      "dop853", 1e-9);
  const SimulationResult one = plain.until(4), other = turning.until(4);
  ASSERT_EQ(one.outcome, SimulationOutcome::finished) << one.message;
  ASSERT_EQ(other.outcome, SimulationOutcome::finished) << other.message;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(one.y[i], other.y[i], 1e-8) << i;
}

/// The last of the bounces that accumulate are lower than the error of a step: a multistep method begins
/// after them, or it does not see that they close again.
TEST(ContactNoise, LowBouncesCloseByEveryMethod) {
  for (const char* method : {"bdf", "adams", "ida"}) {
    for (const double every : {3e-5, 3e-4, 2e-3}) {
      for (const double height : {0.1, 1e-3}) {
        test::ContactModel contacts(
            fmt::format("coord y\nkinetic y'^2/2\npotential 9.81*y\nunilateral ground: y >= 0 restitution "
                        "0.6\nstart y = {}\n",
                        height),
            method, 1e-9);
        const SimulationResult result = contacts.until(0.7, every);
        EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << every << ": " << result.message;
        ASSERT_EQ(result.accumulations.size(), 1U);
        EXPECT_NEAR(result.accumulations[0].t, 4 * std::sqrt(2 * height / 9.81), 1e-4);
      }
    }
  }
}

/// The limit of friction is passed with a power of the time: x'' is that power from there on.
class PassesItsLimitSlowly : public ::testing::TestWithParam<std::string> {};

TEST_P(PassesItsLimitSlowly, AndSlips) {
  for (const int power : {3, 5, 7}) {
    for (const int tenths : {0, 3}) {
      if (tenths == 3 && power == 3) continue;  // at its limit two motions are found: the run stops
      test::ContactModel contacts(
          fmt::format("coord x, y\nparticle P mass 1 at [x, y]\ngravity [0, -10]\n"
                      "force x = 3 + (t - {}/10)^{}\nunilateral floor: y >= 0 friction 3/10 on x'\n",
                      tenths, power),
          GetParam());
      const SimulationResult result = contacts.until(1);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << tenths << ", " << power << result.message;
      const double x = std::pow(1 - tenths / 10.0, power + 2) / (power + 1) / (power + 2);
      EXPECT_NEAR(result.y[0], x, 1e-8) << tenths << ", " << power;
      EXPECT_EQ(result.contact_spans.back().mode, "slips");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, PassesItsLimitSlowly, ::testing::Values("dop853", "taylor", "bdf"));

TEST(ContactNoise, AForceThatPressesNoMoreLetsGoHoweverSlowly) {
  for (const char* force : {"10 + (t - 3/10)^5", "10 + (t - 3/10)*abs(t - 3/10)", "10 + (t - 3/10)^3"}) {
    test::ContactModel contacts(fmt::format(
        "coord y\nkinetic y'^2/2\npotential 10*y\nforce y = {}\nunilateral floor: y >= 0\n", force));
    const SimulationResult result = contacts.until(1);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << force << result.message;
    EXPECT_GT(result.y[0], 1e-3) << force;
    EXPECT_EQ(result.contact_spans.back().mode, "open") << force;
  }
}

TEST(ContactNoise, AtTheLimitInSpaceThereIsOneMotion) {
  for (const char* force : {"12/5", "12/5 - t", "12/5 - t^3"}) {
    test::ContactModel contacts(fmt::format(
        "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 10*z\nforce x = 9/5\nforce y = {}\n"
        "unilateral floor: z >= 0 friction 3/10 on [x', y']\n",
        force));
    const SimulationResult result = contacts.until(1);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << force << result.message;
    EXPECT_EQ(result.y[0], 0) << force;
    EXPECT_EQ(result.contact_spans.back().mode, "sticks") << force;
  }
}

TEST(ContactNoise, AnEventWithoutAValueIsNamed) {
  test::ContactModel contacts(
      "coord y\nkinetic y'^2/2\npotential 10*y\nunilateral floor: y >= 0 restitution 1/2\n"
      "event e: log(y' + 7/2) = 0\nevent f: sqrt(7/2 + y') = 3\nstart y = 1\n");
  const SimulationResult result = contacts.until(1);
  EXPECT_NE(result.message.find("the event `e` has no value"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace liaison
