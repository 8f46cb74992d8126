#include <fmt/format.h>

#include <cmath>
#include <random>

#include "contact_model.hpp"

namespace liaison::test {
namespace {

/// A mass that rests on the floor, pushed by a force that passes Coulomb's limit, or touches it, with a power
/// of the time: limit + size (t - at)^power.
struct FlatPassage {
  double size;
  int power;
  int at;  ///< in hundredths
  double limit;

  double begin() const { return at / 100.0; }
  std::string force() const {
    return fmt::format("({:.17g} + ({:.17g})*(t - {}/100)^{})", limit, size, at, power);
  }
  /// Its velocity at the time 2.5 times that of the passage, and its way.
  std::pair<double, double> end() const {
    const auto velocity = [&](double t) { return size * std::pow(t - begin(), power + 1) / (power + 1); };
    const auto place = [&](double t) {
      return size * std::pow(t - begin(), power + 2) / ((power + 1) * (power + 2));
    };
    const double last = 2.5 * begin(), stops = 2 * begin();
    if (power % 2 == 0 && size < 0) return {0, 0};
    if (power % 2 == 0) return {velocity(last) - velocity(0), place(last) - place(0) - velocity(0) * last};
    if (size > 0) return {velocity(last), place(last)};
    return {0, place(stops) - place(0) - velocity(0) * stops};
  }
};

std::vector<FlatPassage> passages(unsigned seed, int count) {
  std::mt19937 random(seed);
  const auto choose = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  std::vector<FlatPassage> result;
  for (int i = 0; i < count; ++i) {
    const double limits[] = {3, 0.5, 1.7, 29.0 / 7};
    FlatPassage one{.size = std::pow(10.0, choose(-3, 3)) * choose(1, 9) * (choose(0, 1) == 0 ? -1 : 1),
                    .power = choose(2, 7),
                    .at = choose(5, 95),
                    .limit = limits[choose(0, 3)]};
    // Backwards it does not come to the limit.
    while (std::abs(one.size) * std::pow(1.5 * one.begin(), one.power) > 1.5 * one.limit) one.size /= 10;
    result.push_back(one);
  }
  return result;
}

void expect_motion(const std::string& text, const FlatPassage& one, double share,
                   const std::string& method = "dop853") {
  ContactModel model(text, method, 1e-9);
  const SimulationResult result = model.until(2.5 * one.begin());
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << text << result.message;
  const auto [velocity, place] = one.end();
  const double room = 1e-9 + 1e-6 * std::max(std::abs(velocity), std::abs(place));
  EXPECT_NEAR(result.y[0], share * place, room) << text;
  EXPECT_NEAR(result.y[result.y.size() / 2], share * velocity, room) << text;
}

TEST(FlatLimits, InThePlane) {
  for (const FlatPassage& one : passages(1, 120)) {
    expect_motion(fmt::format("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nforce x = {}\n"
                              "unilateral g: y >= 0 friction {:.17g}/10\n",
                              one.force(), one.limit),
                  one, 1);
  }
}

TEST(FlatLimits, InSpace) {
  for (const FlatPassage& one : passages(2, 40)) {
    expect_motion(fmt::format("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 10*z\n"
                              "force x = 3/5*{0}\nforce y = 4/5*{0}\n"
                              "unilateral g: z >= 0 friction {1:.17g}/10 on [x', y']\n",
                              one.force(), one.limit),
                  one, 0.6);
  }
}

/// Friction in the direction of a slip that is slow turns it so fast that a method for equations that are not
/// stiff would take a step for each such turn.
TEST(FlatLimits, ASlowSlipInSpaceTakesFewSteps) {
  ContactModel model(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 10*z\n"
      "force x = 3/5*(1/2 + 50*(t - 1/20)^5)\nforce y = 4/5*(1/2 + 50*(t - 1/20)^5)\n"
      "unilateral g: z >= 0 friction 1/20 on [x', y']\n",
      "dop853", 1e-9);
  const SimulationResult result = model.until(0.1195);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_LT(result.steps, 5000u);
  EXPECT_NEAR(result.y[3], 0.6 * 50 / 6 * std::pow(0.0695, 6), 1e-10);
}

/// Two feet of a body: how they share the friction is open.
TEST(FlatLimits, OfASharedLoad) {
  for (const FlatPassage& one : passages(3, 6)) {
    expect_motion(
        fmt::format("coord x, y, th\nbody B mass 1 inertia 1/2 at [x, y] angle th\ngravity [0, -10]\n"
                    "force x = {0}\n"
                    "unilateral a: y - 3/5*sin(th) - 1/10*cos(th) >= 0 friction {1:.17g}/10 "
                    "on x' + th'*(3/5*sin(th) + 1/10*cos(th))\n"
                    "unilateral b: y + 3/5*sin(th) - 1/10*cos(th) >= 0 friction {1:.17g}/10 "
                    "on x' - th'*(3/5*sin(th) - 1/10*cos(th))\nstart y = 1/10\n",
                    one.force(), one.limit),
        one, 1);
  }
  // Beyond the limit, where it passes with the fifth power.
  const FlatPassage slow{.size = 9, .power = 5, .at = 63, .limit = 29.0 / 7};
  expect_motion(fmt::format("coord x, y, th\nbody B mass 1 inertia 1/2 at [x, y] angle th\ngravity [0, -10]\n"
                            "force x = {0}\n"
                            "unilateral a: y - 3/5*th - 1/10 >= 0 friction {1:.17g}/10 on x'\n"
                            "unilateral b: y + 3/5*th - 1/10 >= 0 friction {1:.17g}/10 on x'\n"
                            "start y = 1/10\n",
                            slow.force(), slow.limit),
                slow, 1);
}

/// Three feet on a floor in space.
TEST(FlatLimits, OfASharedLoadInSpace) {
  const FlatPassage slow{.size = 6, .power = 5, .at = 60, .limit = 1.7};
  std::string text = fmt::format(
      "coord x, y, z, b, c\nkinetic (x'^2 + y'^2 + z'^2 + b'^2 + c'^2)/2\npotential 10*z\n"
      "force x = -5/13*{0}\nforce y = 12/13*{0}\n",
      slow.force());
  for (const char* foot : {"z + b", "z - b/2 + 4/5*c", "z - b/2 - 4/5*c"})
    text += fmt::format("unilateral {}: {} >= 0 friction 17/100 on [x', y']\n",
                        "abc"[text.size() % 3] + std::to_string(text.size()), foot);
  expect_motion(text, slow, -5.0 / 13);
}

/// At the limit for ever it sticks.
TEST(FlatLimits, AForceThatStaysAtTheLimit) {
  for (const char* limit : {"3", "17/10", "29/7"}) {
    ContactModel model(
        fmt::format("coord x, y, th\nbody B mass 1 inertia 1/2 at [x, y] angle th\ngravity [0, -10]\n"
                    "force x = {0}\nunilateral a: y - 3/5*th - 1/10 >= 0 friction {0}/10 on x'\n"
                    "unilateral b: y + 3/5*th - 1/10 >= 0 friction {0}/10 on x'\nstart y = 1/10\n",
                    limit),
        "dop853", 1e-9);
    const SimulationResult result = model.until(2);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << limit << result.message;
    EXPECT_EQ(result.y[0], 0) << limit;
  }
}

}  // namespace
}  // namespace liaison::test
