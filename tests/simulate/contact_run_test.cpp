#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "contact_model.hpp"

namespace liaison {
namespace {

const std::string ball = R"(
param e = 1/2
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y
unilateral floor: y >= 0 restitution e
start y = 5, x' = 1
)";

class MethodsWithContacts : public ::testing::TestWithParam<const char*> {};

/// All impacts end at sqrt(2h/g)(1 + e)/(1 - e); from then on it slides.
TEST_P(MethodsWithContacts, FollowsABallToTheEndOfItsImpacts) {
  test::ContactModel contacts(ball, GetParam(), 1e-9);
  const SimulationResult result = contacts.until(4);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.accumulations.size(), 1U);
  EXPECT_NEAR(result.accumulations[0].t, 3, 1e-4);  // by the tolerance of the roughest method
  EXPECT_NEAR(result.impacts[0].t, 1, 1e-6);
  EXPECT_NEAR(result.impacts[0].impulses[0], 15, 1e-5);
  EXPECT_NEAR(result.impacts[0].energy, -37.5, 1e-4);
  EXPECT_NEAR(result.y[0], 4, 1e-6);
  EXPECT_EQ(result.y[3], 0);
  EXPECT_NEAR(contacts.rows.back().factors[0], 10, 1e-9);
}

/// A hill of the surface within a tenth of what a step passes.
TEST_P(MethodsWithContacts, HitsAShortHill) {
  test::ContactModel contacts(R"(
coord x, y
kinetic (x'^2 + y'^2)/2
unilateral hill: y - exp(-(x - 50.3)^2) >= 0 restitution 1
start y = 0.5, x' = 10
)",
                              GetParam(), 1e-9);
  const SimulationResult result = contacts.until(10);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.impacts.size(), 1U);
  EXPECT_NEAR(result.impacts[0].t, 5.03 - std::sqrt(std::log(2)) / 10, 1e-9);
}

/// A force that lifts for a moment: the contact does not pull, it opens.
TEST_P(MethodsWithContacts, OpensUnderAShortForce) {
  test::ContactModel contacts(R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y
unilateral f: y >= 0
force y = 20*exp(-(x - 50.3)^2)
start x' = 10
)",
                              GetParam(), 1e-9);
  const SimulationResult result = contacts.until(10);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_TRUE(result.notes.empty()) << result.notes[0];
  ASSERT_EQ(result.contact_spans.size(), 3U);
  EXPECT_NEAR(result.contact_spans[0].end, 5.03 - std::sqrt(std::log(2)) / 10, 1e-9);
  EXPECT_EQ(result.contact_spans[1].mode, "open");
  EXPECT_NEAR(result.contact_spans[1].end, 5.4471473, 1e-6);
}

/// The same along the surface: what sticks slips where the force is beyond friction, 20 exp(..) = 5.
TEST_P(MethodsWithContacts, SlipsUnderAShortForce) {
  test::ContactModel contacts(R"(
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential 10*y
unilateral f: y >= 0 friction 0.5 on z'
force z = 20*exp(-(x - 50.3)^2)
start x' = 10
)",
                              GetParam(), 1e-9);
  const SimulationResult result = contacts.until(10);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.contact_spans.size(), 3U);
  EXPECT_NEAR(result.contact_spans[0].end, 5.03 - std::sqrt(std::log(4)) / 10, 1e-9);
  EXPECT_EQ(result.contact_spans[1].mode, "slips");
  EXPECT_NEAR(result.contact_spans[1].end, 5.5872481, 1e-6);
}
INSTANTIATE_TEST_SUITE_P(Methods, MethodsWithContacts,
                         ::testing::Values("dop853", "taylor", "arkode", "adams", "bdf", "ida"),
                         [](const auto& method) { return std::string(method.param); });

/// A stiff tolerance and small intervals: no gap is ever negative by more than rounding.
TEST(ContactRun, NeverPenetrates) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int trial = 0; trial < 20; ++trial) {
    test::ContactModel contacts(
        "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\n"
        "unilateral floor: y - sin(x)/5 >= 0 friction " +
        std::to_string(unit(random)) + " on (x' + cos(x)/5*y')/sqrt(1 + cos(x)^2/25) restitution " +
        std::to_string(0.9 * unit(random)) + "\nstart y = " + std::to_string(1 + unit(random)) +
        ", x' = " + std::to_string(4 * unit(random) - 2));
    const SimulationResult result = contacts.until(6, 0.01);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
    for (const Row& row : contacts.rows) {
      EXPECT_GT(row.y[1] - std::sin(row.y[0]) / 5, -1e-9) << "trial " << trial << " t = " << row.t;
      EXPECT_GE(row.factors[0], -1e-6);
    }
    double before = INFINITY;  // the floor takes energy, and gives none
    for (const Row& row : contacts.rows) {
      EXPECT_LE(row.kinetic + row.potential, before + 1e-7);
      before = row.kinetic + row.potential;
    }
  }
}

/// Intervals of impacts that shrink without their velocities, as under a weight that grows, are no
/// accumulation: nothing elastic loses energy.
TEST(ContactRun, TellsShortIntervalsFromAnEnd) {
  test::ContactModel contacts(R"(
coord y
kinetic y'^2/2
force y = -(if t < 8 then 1 + t else 1e11)
unilateral floor: y >= 0 restitution 1
start y' = 1
)",
                              "dop853", 1e-9);
  const SimulationResult result = contacts.until(8.00002);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_TRUE(result.accumulations.empty());
  EXPECT_GT(result.impacts.size(), 13U);
  for (const ImpactRecord& impact : result.impacts) EXPECT_EQ(impact.energy, 0) << impact.t;
}

const std::string incline = R"(
param alpha = 2/5, mu = 1/2
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*(x*sin(alpha) + y*cos(alpha))
unilateral plane: y >= 0 friction mu on x'
start x' = 2
)";

TEST(ContactRun, WhatSticksDoesNotCreep) {
  test::ContactModel contacts(incline);
  const SimulationResult result = contacts.until(1000);
  const double stop = 2 / (10 * (std::sin(0.4) + 0.5 * std::cos(0.4)));
  ASSERT_EQ(result.contact_spans.size(), 2U);
  EXPECT_EQ(result.contact_spans[0].mode, "slips");
  EXPECT_NEAR(result.contact_spans[0].end, stop, 1e-12);
  EXPECT_EQ(result.contact_spans[1].mode, "sticks");
  double place = NAN;
  for (const Row& row : contacts.rows) {
    if (row.t <= result.contact_spans[0].end) continue;
    if (std::isnan(place)) place = row.y[0];
    EXPECT_EQ(row.y[0], place);
    EXPECT_EQ(row.y[2], 0);
    EXPECT_NEAR(row.factors[1], 10 * std::sin(0.4), 1e-12);
  }
  EXPECT_NEAR(place, stop, 1e-11);
}

/// Stick and slip of a brick on a belt, by the closed form of each phase.
TEST(ContactRun, BrickOnABelt) {
  test::ContactModel contacts(R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y + 5*x^2
unilateral belt: y >= 0 friction 3/10 sticking 1/2 on x' - 1
start x' = 1
)");
  const SimulationResult result = contacts.until(5);
  const double slip = (M_PI + 2 * std::atan(std::sqrt(10) / 2)) / std::sqrt(10), stick = 0.4;
  const std::vector<double> ends{0.5, 0.5 + slip, 0.5 + slip + stick, 0.5 + 2 * slip + stick};
  ASSERT_GE(result.contact_spans.size(), ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_EQ(result.contact_spans[i].mode, i % 2 == 0 ? "sticks" : "slips");
    EXPECT_NEAR(result.contact_spans[i].end, ends[i], 1e-8);
  }
}

/// A puck in space that slows down in a straight line stops at v^2/(2 mu g) and stays; pulled across, it
/// begins to slip again where the pull exceeds mu m g.
TEST(ContactRun, SlipInSpaceStopsAndBegins) {
  test::ContactModel contacts(R"(
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential 10*z
force y = 2*t
unilateral table: z >= 0 friction 3/10 on [x', y']
start x' = 3/5, y' = 0
)");
  const SimulationResult result = contacts.until(2);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.contact_spans.size(), 3U);
  EXPECT_EQ(result.contact_spans[1].mode, "sticks");
  EXPECT_NEAR(result.contact_spans[1].end, 1.5, 1e-9);
  // From there on y'' = 2 t - 3, in a straight line.
  EXPECT_NEAR(result.y[4], 0.25, 1e-7);
}

const std::string rod = R"(
param f = 2
coord x, y, theta
kinetic (x'^2 + y'^2)/2 + theta'^2/6
potential 10*y
unilateral floor: y - sin(theta) >= 0 friction f on x' + sin(theta)*theta'
)";

/// Painleve's rod: two motions, and none; the run says so and takes what it is told (row G4.III-selection).
TEST(ContactRun, SeveralMotionsAndNone) {
  const std::string several = rod + "start theta = acos(3/5), y = 4/5, x' = -5, theta' = 5, y' = 3\n";
  test::ContactModel stopped(several);
  SimulationResult result = stopped.until(0.01);
  EXPECT_EQ(result.outcome, SimulationOutcome::several);
  EXPECT_EQ(result.t, 0);
  ASSERT_EQ(result.possible.size(), 2U);
  test::ContactModel apart(several, "dop853", 1e-10, {.on_indeterminate = OnIndeterminate::separate});
  result = apart.until(0.01);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[4], 3 - 0.1, 1e-12);
  test::ContactModel kept(several, "dop853", 1e-10, {.on_indeterminate = OnIndeterminate::contact});
  result = kept.until(0.001);
  EXPECT_EQ(result.contact_spans.back().mode, "slips");
  test::ContactModel both(several, "dop853", 1e-10, {.on_indeterminate = OnIndeterminate::branch});
  result = both.until(0.001);
  ASSERT_EQ(result.branches.size(), 2U);
  EXPECT_NE(result.branches[0].y, result.branches[1].y);

  const std::string none = rod + "start theta = acos(3/5), y = 4/5, x' = -1\n";
  test::ContactModel impossible(none);
  result = impossible.until(0.01);
  EXPECT_EQ(result.outcome, SimulationOutcome::impossible);
  test::ContactModel shocked(none, "dop853", 1e-10, {.on_impossible = OnImpossible::shock});
  result = shocked.until(0.01);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_FALSE(result.impacts.empty());
  EXPECT_GT(result.impacts[0].impulses[0], 0);
  EXPECT_LT(result.impacts[0].energy, 0);
}

/// A table on four legs: what presses on each is open, the motion is not.
TEST(ContactRun, RedundantContactsKeepOneMotion) {
  test::ContactModel contacts(R"(
coord z, a, b
kinetic z'^2/2 + a'^2/2 + b'^2/2
potential 10*z
unilateral p: z + a + b >= 0
unilateral q: z - a + b >= 0
unilateral r: z + a - b >= 0
unilateral s: z - a - b >= 0
start z = 0
)");
  const SimulationResult result = contacts.until(1);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  for (const double value : result.y) EXPECT_NEAR(value, 0, 1e-12);
}

/// Events of the model beside contacts: recorded, reset and stopped.
TEST(ContactRun, EventsOfTheModel) {
  test::ContactModel contacts(ball +
                              "event top: y' = 0 falling\nevent kick: x = 7/2 then reset x' = 2, y' = 3\n"
                              "event far: x = 5 then stop\n");
  const SimulationResult result = contacts.until(10);
  EXPECT_EQ(result.outcome, SimulationOutcome::event);
  EXPECT_NEAR(result.t, 3.5 + 0.75, 1e-9);
  std::size_t kicks = 0;
  for (const EventRecord& record : result.events) kicks += record.event == 1 ? 1 : 0;
  EXPECT_EQ(kicks, 1U);
  EXPECT_GT(result.y[1], -1e-9);
}

/// Rows lie on one grid, whatever happens in between.
TEST(ContactRun, RowsKeepTheirGrid) {
  test::ContactModel contacts(ball);
  contacts.until(4, 0.25);
  std::size_t on_grid = 0;
  for (const Row& row : contacts.rows) on_grid += std::fmod(row.t, 0.25) == 0 ? 1 : 0;
  EXPECT_GE(on_grid, 17U);
}

/// Two feet that come to rest at once: rest is one motion, however the feet share the friction.
TEST(ContactRun, ATableComesToRestOnBothLegs) {
  test::ContactModel contacts(R"(
coord x, y, th
kinetic x'^2 + y'^2 + th'^2/2
potential 20*y
unilateral hind: y - sin(th)/2 - cos(th)/2 >= 0 friction 2/5 on x' + (cos(th) - sin(th))/2*th'
unilateral fore: y + sin(th)/2 - cos(th)/2 >= 0 friction 2/5 on x' + (cos(th) + sin(th))/2*th'
start y = 1/2, x' = 1
)");
  const SimulationResult result = contacts.until(2);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.t, 2, 0);
  EXPECT_NEAR(result.y[0], 0.125, 1e-9);
  ASSERT_EQ(result.contact_spans.size(), 4U);
  for (const ContactSpan& span : result.contact_spans)
    EXPECT_EQ(span.mode, span.end < 1 ? "slips" : "sticks") << span.contact;
}

/// The error of the end of infinitely many impacts is not smaller than it is, also after two thousand of
/// them.
TEST(ContactRun, TheErrorOfTheEndOfImpactsHolds) {
  for (const double e : {0.05, 0.9, 0.99}) {
    for (const double g : {1.6, 100.0}) {
      test::ContactModel ball(fmt::format("coord y\nkinetic y'^2/2\npotential {}*y\n"
                                          "unilateral f: y >= 0 restitution {}\nstart y = 2\n",
                                          g, e),
                              "dop853", 1e-9);
      const double end = std::sqrt(4 / g) * (1 + e) / (1 - e);
      const SimulationResult result = ball.until(1.2 * end);
      ASSERT_EQ(result.accumulations.size(), 1U) << e << ", " << g;
      EXPECT_LE(std::abs(result.accumulations[0].t - end), result.accumulations[0].error) << e << ", " << g;
      EXPECT_LE(result.accumulations[0].error, 1e-8 * end) << e << ", " << g;
    }
  }
}

}  // namespace
}  // namespace liaison
