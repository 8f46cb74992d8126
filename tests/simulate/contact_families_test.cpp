#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact_model.hpp"
#include "liaison/simulate/time_stepping.hpp"

namespace liaison {
namespace {

struct Steps : test::ModelWithContacts<TimeSteppingRun> {
  Steps(const std::string& text, double step) : ModelWithContacts(text, step, EvaluatorOptions{}) {}
};

/// Discs over a floor, in a box, with all their pairs. `upto` contacts of a `for` are written out: 33 discs
/// have 528 pairs, which are not.
std::string box(std::size_t count, const std::string& more = "") {
  const std::string n = std::to_string(count);
  const auto all = [&](const std::string& statement) { return "for i in 1.." + n + ": " + statement + "\n"; };
  return "param g = 10, mu = 3/10, e = 1/4, w = 3/2\n" + all("param r_{i} = 9/100 + {i}/10000") +
         all("coord x_{i}, y_{i}, a_{i}") +
         all("body b_{i} mass r_{i}^2 inertia r_{i}^4/2 at [x_{i}, y_{i}] angle a_{i}") +
         "gravity [0, -g]\n" +
         all("unilateral floor_{i}: y_{i} >= r_{i} restitution e friction mu on x_{i}' + r_{i}*a_{i}'") +
         all("unilateral left_{i}: x_{i} >= r_{i} restitution e friction mu on y_{i}' - r_{i}*a_{i}'") +
         all("unilateral right_{i}: w - x_{i} >= r_{i} restitution e friction mu on y_{i}' + r_{i}*a_{i}'") +
         "for i in 1.." + n + ", j in i+1.." + n +
         ": unilateral d_{i}_{j}: sqrt((x_{j} - x_{i})^2 + (y_{j} - y_{i})^2) >= r_{i} + r_{j} restitution e "
         "friction mu on "
         "((x_{j} - x_{i})*(y_{j}' - y_{i}') - (y_{j} - y_{i})*(x_{j}' - x_{i}'))/sqrt((x_{j} - x_{i})^2 + "
         "(y_{j} - y_{i})^2) - r_{i}*a_{i}' - r_{j}*a_{j}'\n" +
         more;
}

std::string places(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / 6, column = i % 6;
    text += "start x_" + std::to_string(i + 1) + " = " + std::to_string(12 * column + 7 + row % 3) +
            "/50, y_" + std::to_string(i + 1) + " = " + std::to_string(12 * row + 8) + "/50\n";
  }
  return text;
}

const Monitor& monitor(const SimulationResult& result, const std::string& name) {
  for (const Monitor& one : result.monitors) {
    if (one.name == name) return one;
  }
  throw std::runtime_error("no monitor " + name);
}

/// 33 discs, whose 528 pairs are kept as one contact, and one far away that touches nothing. With 31 of them
/// frozen far away the others move as two discs whose contacts are written out: the two ways agree.
TEST(ContactFamilies, ContactsThatAreKeptAsOneDoWhatThoseDoThatAreWrittenOut) {
  const std::string few = R"(
start x_1 = 3/10, y_1 = 1/2, x_2 = 41/100, y_2 = 8/10, x_3 = 8/10, y_3 = 3/10, x_2' = 1/2
)";
  std::string far;
  for (int i = 4; i <= 33; ++i) {
    far += "start x_" + std::to_string(i) + " = 3/4, y_" + std::to_string(i) + " = " +
           std::to_string(100 + i) + "\n";
  }
  Steps kept(box(33, few + far), 0.002), written(box(3, few), 0.002);
  const SimulationResult one = kept.until(0.8), other = written.until(0.8);
  ASSERT_EQ(one.outcome, SimulationOutcome::finished) << one.message;
  ASSERT_EQ(other.outcome, SimulationOutcome::finished) << other.message;
  ASSERT_EQ(kept.rows.size(), written.rows.size());
  double fastest = 0;
  for (std::size_t k = 0; k < kept.rows.size(); ++k) {
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(kept.rows[k].y[i], written.rows[k].y[i], 1e-9) << "row " << k << ", " << i;
      EXPECT_NEAR(kept.rows[k].y[99 + i], written.rows[k].y[9 + i], 1e-7) << "row " << k << ", " << i;
      fastest = std::max(fastest, std::abs(kept.rows[k].y[99 + i]));
    }
  }
  EXPECT_GT(fastest, 1);
}

/// Nothing is deep in another, and energy is lost.
TEST(ContactFamilies, DiscsFallIntoABox) {
  Steps steps(box(36, places(36)), 0.005);
  const SimulationResult result = steps.until(0.5, 0.05);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_LT(monitor(result, "gaps").amount, 1e-3);
  const Row &first = steps.rows.front(), &last = steps.rows.back();
  EXPECT_LT(last.kinetic + last.potential, first.kinetic + first.potential);
  for (std::size_t i = 0; i < 36; ++i) EXPECT_GT(last.y[3 * i + 1], 0.089);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_TRUE(result.contact_spans.empty());
}

/// Constraints that cannot open take their share of each impulse: pairs of discs on rods fall on a floor.
TEST(ContactFamilies, LinkedBodiesPressTogether) {
  const std::string rods = R"(
for i in 1..510: coord x_{i}, y_{i}
for i in 1..510: kinetic (x_{i}'^2 + y_{i}'^2)/2
for i in 1..510: potential 10*y_{i}
for k in 1..255: constraint rod_{k}: (x_{2*k} - x_{2*k - 1})^2 + (y_{2*k} - y_{2*k - 1})^2 = 1
for i in 1..510: unilateral floor_{i}: y_{i} >= 0
for k in 1..255: start x_{2*k - 1} = 0, y_{2*k - 1} = 1/10, x_{2*k} = 3/5, y_{2*k} = 9/10
)";
  Steps steps(rods, 0.01);
  const SimulationResult result = steps.until(1.2);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  // Both ends lie on the floor, or hover by less than the square of the step times the weight; the floor
  // pushes upwards alone, so the middle fell straight.
  const Row& last = steps.rows.back();
  for (std::size_t k = 0; k < 255; ++k) {
    for (const std::size_t height : {4 * k + 1, 4 * k + 3}) {
      EXPECT_GT(last.y[height], -1e-9);
      EXPECT_LT(last.y[height], 1e-3);
    }
    EXPECT_NEAR(last.y[4 * k] + last.y[4 * k + 2], 0.6, 1e-6);
    EXPECT_NEAR(std::hypot(last.y[4 * k + 2] - last.y[4 * k], last.y[4 * k + 3] - last.y[4 * k + 1]), 1,
                1e-9);
  }
}

TEST(ContactFamilies, WhatIsNotFollowedIsRefused) {
  EXPECT_THROW(Steps("for i in 1..501: coord x_{i}\nfor i in 1..501: kinetic x_{i}'^2/2\n"
                     "for i in 1..501: unilateral u_{i}: x_{i} >= 0 friction 1/2\n",
                     0.01),
               Error);
}

TEST(ContactFamilies, AStartWithinAnotherIsNamed) {
  Steps steps(
      "for i in 1..501: coord x_{i}\nfor i in 1..501: kinetic x_{i}'^2/2\n"
      "for i in 1..501: unilateral u_{i}: x_{i} >= 0\nstart x_400 = -1\n",
      0.01);
  const SimulationResult result = steps.until(1);
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NE(result.message.find("the state violates `u_400`: its gap is -1"), std::string::npos)
      << result.message;
}

}  // namespace
}  // namespace liaison
