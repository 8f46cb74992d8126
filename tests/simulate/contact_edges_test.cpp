#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact_model.hpp"

namespace liaison {
namespace {

/// A drive that passes zero, a friction that passes its limit: at that moment rounding is all that is left of
/// what decides, and there is one motion.
struct Release {
  const char* name;
  const char* text;
  double until;
  std::vector<std::string> last;  ///< modes at the end, one a contact
};
class Releases : public ::testing::TestWithParam<std::tuple<std::string, Release>> {};

TEST_P(Releases, HaveOneMotion) {
  const auto& [method, release] = GetParam();
  test::ContactModel contacts(release.text, method);
  const SimulationResult result = contacts.until(release.until);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  std::vector<std::string> last(release.last.size());
  for (const ContactSpan& span : result.contact_spans) last[span.contact] = span.mode;
  EXPECT_EQ(last, release.last);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Releases,
    ::testing::Combine(
        ::testing::Values("dop853", "taylor", "arkode", "adams", "bdf", "ida"),
        ::testing::Values(
            Release{
                "speed", "coord x\nkinetic x'^2/2\nforce x = t - 0.37\nunilateral u: x' >= 0", 1, {"open"}},
            Release{"lift",
                    "coord y\nkinetic y'^2/2\npotential 3.3*y\nforce y = 7.3*sin(t)\nunilateral f: y >= 0",
                    1,
                    {"open"}},
            Release{"slip",
                    "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nforce x = 3*sin(t)\n"
                    "unilateral f: y >= 0 friction 0.25 on x'",
                    2,
                    {"slips"}},
            Release{"stack",
                    "coord x1, x2, y1, y2\nkinetic (x1'^2 + y1'^2)/2 + x2'^2 + y2'^2\n"
                    "potential 10*y1 + 20*y2\nforce x1 = 3*sin(t)\n"
                    "unilateral a: y1 - y2 - 1 >= 0 friction 0.25 on x1' - x2'\n"
                    "unilateral b: y2 >= 0 friction 0.3 on x2'\nstart y1 = 1",
                    2,
                    {"slips", "sticks"}})),
    [](const auto& one) { return std::get<0>(one.param) + "_" + std::get<1>(one.param).name; });

TEST(ContactEdges, SlipBeginsInSpaceWhereTheForceComesToItsLimit) {
  test::ContactModel contacts(R"(
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential 10*z
force x = t
force y = 1
unilateral f: z >= 0 friction 0.2 on [x', y']
)");
  const SimulationResult result = contacts.until(2);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.contact_spans.size(), 2U);
  EXPECT_NEAR(result.contact_spans[0].end, std::sqrt(3.0), 1e-9);
  EXPECT_EQ(result.contact_spans[1].mode, "slips");
}

/// What comes to rest without a load rests, open or closed.
TEST(ContactEdges, AFreeParticleStoppedByFrictionHasOneMotion) {
  test::ContactModel contacts(R"(
coord z, x, y
kinetic (z'^2 + x'^2 + y'^2)/2
unilateral f: z >= 0 friction 0.6 on [x', y']
start z = 1, z' = -1, x' = 0.1, y' = 0.2
)");
  const SimulationResult result = contacts.until(3);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[1], 0.1, 1e-12);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_EQ(result.y[i], 0) << i;
}

constexpr const char* box = R"(
coord x, y, th
kinetic (x'^2 + y'^2)/2 + 0.416667/2*th'^2
potential 10*y
unilateral l: y - sin(th) - 0.5*cos(th) >= 0 friction 0.8 on x' + (0.5*cos(th) - sin(th))*th'
unilateral r: y + sin(th) - 0.5*cos(th) >= 0 friction 0.8 on x' + (0.5*cos(th) + sin(th))*th'
start y = 1, th = 0.1
)";

/// Four relations on three coordinates: rounding makes them neither independent nor contradictory.
TEST(ContactEdges, ABoxThatLandsOnTwoCornersLies) {
  for (const char* method : {"dop853", "taylor", "ida"}) {
    test::ContactModel contacts(box, method);
    const SimulationResult result = contacts.until(2);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << result.message;
    for (std::size_t i = 3; i < 6; ++i) EXPECT_EQ(result.y[i], 0) << i;
    EXPECT_EQ(result.open_contacts, (std::set<std::size_t>{0, 1}));
  }
}

/// Rounding tilts it a little at each impact: corners that close at one time, as far as it is known, are one
/// impact, and it comes to rest when a ball would.
TEST(ContactEdges, ABoxDroppedFlatBouncesOnBothCornersAtOnce) {
  const std::string text =
      "coord x, y, th\nbody B mass 2 inertia 0.1 at [x, y] angle th\ngravity [0, -10]\n"
      "contact L: B on ground at [x - cos(th)/2 + sin(th)/5, y - sin(th)/2 - cos(th)/5] normal [0, 1] "
      "unilateral "
      "friction 0.3 restitution 0.5\n"
      "contact R: B on ground at [x + cos(th)/2 + sin(th)/5, y + sin(th)/2 - cos(th)/5] normal [0, 1] "
      "unilateral "
      "friction 0.3 restitution 0.5\n";
  test::ContactModel flat(text + "start y = 1.2\n", "dop853", 1e-9);
  SimulationResult result = flat.until(2);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_GT(result.impacts.size(), 15U);
  for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(result.impacts[i].contacts.size(), 2U) << i;
  ASSERT_EQ(result.accumulations.size(), 2U);
  for (const Accumulation& one : result.accumulations) {
    EXPECT_NEAR(one.t, 3 * std::sqrt(0.2), 1e-7);
    EXPECT_NEAR(one.t, 3 * std::sqrt(0.2), one.error);
  }
  // Tilted by less than the state is known: both orders are possible, and it is said.
  test::ContactModel tilted(text + "start y = 1.2, th = 1e-11\n", "dop853", 1e-9);
  result = tilted.until(0.6);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.impacts.size(), 1U);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes[0].find("`R` closes with others, as far as the state is known"), std::string::npos)
      << result.notes[0];
  // Tilted by more they follow each other.
  test::ContactModel rocking(text + "start y = 1.2, th = 1e-6\n", "dop853", 1e-9);
  result = rocking.until(0.6);
  ASSERT_GT(result.impacts.size(), 1U);
  EXPECT_EQ(result.impacts[0].contacts.size(), 1U);
}

/// The drawer brakes itself and stays: pulled past mu d > l it jams.
TEST(ContactEdges, ADrawerJamsAndStays) {
  test::ContactModel contacts(R"(
param l = 1/4, w = 1/2, P = 10, d = 3/5
coord x, y, th
kinetic (x'^2 + y'^2)/2 + th'^2/6
force x = P
force th = P*d
unilateral front: w - y - l*sin(th) - w*cos(th) >= 0 friction 1/2 on x' - (l*sin(th) + w*cos(th))*th'
unilateral back: w + y - l*sin(th) - w*cos(th) >= 0 friction 1/2 on x' + (l*sin(th) + w*cos(th))*th'
start x' = 1
)");
  const SimulationResult result = contacts.until(1000);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[0], 0.25, 1e-9);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_EQ(result.y[i], 0) << i;
}

/// A disc that falls into a groove stops: two contacts that slip the same way have friction the same way.
TEST(ContactEdges, ADiscInAGrooveComesToRest) {
  test::ContactModel contacts(R"(
param c = sqrt(2)/2
coord x, y, th
kinetic (x'^2 + y'^2)/2 + th'^2/5
potential 10*y
unilateral l: (x + y)*c - 1 >= 0 friction 1/2 on (x' - y')*c + th'
unilateral r: (y - x)*c - 1 >= 0 friction 1/2 on (x' + y')*c + th'
start y = 2, x = 0.1, th' = 5
)");
  const SimulationResult result = contacts.until(3);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[1], std::sqrt(2.0), 1e-12);
  EXPECT_EQ(result.y[5], 0);
}

/// A contact that carries nothing takes part in an impact all the same: balls that lie against each other.
TEST(ContactEdges, ABallHitsTwoThatTouch) {
  for (const char* start : {"start a' = 1", "start a = -1, a' = 1", "start a = 4, b = 5, c = 5, a' = 1"}) {
    test::ContactModel contacts(std::string(R"(
coord a, b, c
kinetic (a'^2 + b'^2 + c'^2)/2
unilateral ab: b - a >= 0 restitution 1
unilateral bc: c - b >= 0 restitution 1
)") + start);
    const SimulationResult result = contacts.until(3);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
    EXPECT_NEAR(result.y[3], -1.0 / 3, 1e-12) << start;
    EXPECT_NEAR(result.y[4], 2.0 / 3, 1e-12) << start;
    EXPECT_NEAR(result.y[5], 2.0 / 3, 1e-12) << start;
  }
}

TEST(ContactEdges, AnImpactNeverBreaksARelationBetweenVelocities) {
  test::ContactModel contacts(R"(
coord x
kinetic x'^2/2
unilateral u: x' >= 0
unilateral w: 1 - x >= 0 restitution 1/2
start x' = 1
)");
  const SimulationResult result = contacts.until(3);
  EXPECT_EQ(result.outcome, SimulationOutcome::impossible);
  EXPECT_NEAR(result.t, 1, 1e-12);
}

/// Friction in a power is friction: a slip cannot turn within the impact of a particle.
TEST(ContactEdges, ANormOfTheSlipInAPowerIsResisted) {
  test::ContactModel contacts(R"(
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential 10*z
unilateral f: z >= 0 power z' - 0.3*sqrt(x'^2 + y'^2) restitution 1/2
start z = 5, x' = 1, y' = 0.5
)");
  const SimulationResult result = contacts.until(1.2);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[3], 0, 1e-12);
  EXPECT_NEAR(result.y[4], 0, 1e-12);
  EXPECT_NEAR(result.y[5], 3, 1e-9);
}

TEST(ContactEdges, AForceWhoseDirectionDependsOnVelocitiesIsRefused) {
  EXPECT_THROW(test::ContactModel(R"(
coord x, z
kinetic (x'^2 + z'^2)/2
unilateral f: z >= 0 power z' - 0.3*max(x', -x')
)"),
               Error);
}

TEST(ContactEdges, RestitutionIsKeptBesideAFastSlip) {
  test::ContactModel contacts(R"(
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
unilateral f: z >= 0 friction 0.1 on [x', y'] restitution 1/2
start z = 1e-5, z' = -1e-4, x' = 1e7
)");
  const SimulationResult result = contacts.until(1);
  EXPECT_NEAR(result.y[5], 5e-5, 1e-12);
}

TEST(ContactEdges, NegativeCoefficientsEndTheRun) {
  const auto run = [](const char* law, const char* start = "y = 1, x' = 1") {
    test::ContactModel contacts(
        std::string("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral f: y >= 0 ") + law +
        "\nstart " + start);
    return contacts.until(5);
  };
  EXPECT_NE(run("restitution -1/2").message.find("restitution of `f` is negative"), std::string::npos);
  EXPECT_NE(run("friction -1/2 on x'").message.find("friction of `f` is negative"), std::string::npos);
  const SimulationResult turns = run("friction 0.3 - x on x'", "x' = 1");
  EXPECT_NE(turns.message.find("turns negative"), std::string::npos) << turns.message;
}

/// A rail and a floor at one place: how they share the weight decides how the friction brakes.
TEST(ContactEdges, ForcesThatAreOpenAndChangeTheMotionEndTheRun) {
  test::ContactModel contacts(R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y
constraint rail: y = 0
unilateral f: y >= 0 friction 0.3 on x'
start x' = 1
)");
  const SimulationResult result = contacts.until(3);
  EXPECT_EQ(result.outcome, SimulationOutcome::several);
}

/// Impacts that came to an end take nothing from those of a later fall.
TEST(ContactEdges, RestitutionIsThereAgainAfterARest) {
  for (const double e : {0.5, 0.1, 0.02}) {
    test::ContactModel contacts(fmt::format(R"(
coord y
kinetic y'^2/2
potential 10*y
force y = 40*max(sign(t - 4), 0)*max(sign(4.5 - t), 0)
unilateral floor: y >= 0 restitution {}
start y = 5
)",
                                            e));
    const SimulationResult result = contacts.until(12);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
    const auto again = std::find_if(result.impacts.begin(), result.impacts.end(),
                                    [](const ImpactRecord& impact) { return impact.t > 4.5; });
    ASSERT_NE(again, result.impacts.end());
    const double impulse = again->impulses[0];  // (1 + e) v
    EXPECT_NEAR(again->energy / (impulse * impulse), -(1 - e) / (2 * (1 + e)), 1e-9) << e;
  }
}

/// The balance knows what an impact takes of each quantity, not of the energy alone.
TEST(ContactEdges, AnImpactChangesAMomentumThatIsClaimedToBeConserved) {
  test::ContactModel contacts(R"(
coord x, y
kinetic (x'^2 + y'^2)/2
unilateral w: 1 - x >= 0 restitution 1
claim conserved(x')
claim conserved(y')
start x' = 1, y' = 1
)");
  const SimulationResult result = contacts.until(3);
  for (const Monitor& monitor : result.monitors) {
    if (monitor.name == "conserved(x')") {
      EXPECT_EQ(monitor.resets, 1U);
      EXPECT_NEAR(monitor.by_resets, -2, 1e-12);
    } else if (monitor.name == "conserved(y')") {
      EXPECT_EQ(monitor.resets, 0U);
    }
  }
}

/// A force that is no potential gives 10 J on the way down and takes them on the way up, in each flight.
TEST(ContactEdges, ChangesOfTheEnergyAreNotAddedUpOverModes) {
  test::ContactModel contacts(R"(
coord y
kinetic y'^2/2
force y = -10
unilateral floor: y >= 0 restitution 1
start y = 1
)");
  const SimulationResult result = contacts.until(5);
  EXPECT_GT(result.impacts.size(), 4U);
  const auto energy = std::find_if(result.monitors.begin(), result.monitors.end(),
                                   [](const Monitor& monitor) { return monitor.name == "T + V"; });
  ASSERT_NE(energy, result.monitors.end());
  EXPECT_NEAR(energy->amount, 10, 1e-6);
}

/// The gap to a wall at 45 degrees is a difference of lengths within a product: its rounding is theirs.
TEST(ContactEdges, ABallComesToRestOnAWallOfAGroove) {
  for (const std::string& method : test::adaptive_methods) {
    test::ContactModel contacts(R"(
coord x, y
kinetic (x'^2 + y'^2)/2
potential 10*y
unilateral left: (y + x)/sqrt(2) >= 0 friction 0.1 on (x' - y')/sqrt(2) restitution 0.5
unilateral right: (y - x)/sqrt(2) >= 0 friction 0.1 on (x' + y')/sqrt(2) restitution 0.5
start x = 0.1, y = 1
)",
                                method);
    const SimulationResult result = contacts.until(1.08);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    ASSERT_EQ(result.accumulations.size(), 1U) << method;
    EXPECT_NEAR(result.accumulations[0].t, 1.0369509237, 1e-7) << method;
    EXPECT_EQ(result.contact_spans.back().mode, "slips") << method;
  }
}

/// A rod whose end hits the floor while it slips away from its centre (Kane's example is of this kind).
TEST(ContactEdges, NewtonsLawWithFrictionEndsARunWhereItCreatesEnergy) {
  const char* rod = R"(
coord x, y, theta
kinetic (x'^2 + y'^2)/2 + theta'^2/6
potential 10*y
unilateral floor: y - sin(theta) >= 0 friction 0.6 on x' + sin(theta)*theta' restitution 1
start theta = 1, y = sin(1) + 0.1, x' = 0.6
)";
  ContactOptions options{.law = ImpactLaw::newton};
  const SimulationResult ended = test::ContactModel(rod, "dop853", 1e-10, options).until(0.2);
  EXPECT_EQ(ended.outcome, SimulationOutcome::singular);
  EXPECT_NE(ended.message.find("creates energy"), std::string::npos) << ended.message;
  EXPECT_TRUE(ended.impacts.empty());
  options.allows_gain = true;
  const SimulationResult went_on = test::ContactModel(rod, "dop853", 1e-10, options).until(0.2);
  EXPECT_EQ(went_on.outcome, SimulationOutcome::finished) << went_on.message;
  ASSERT_EQ(went_on.impacts.size(), 1U);
  EXPECT_NEAR(went_on.impacts[0].energy, ended.created, 1e-9);
  options.law = ImpactLaw::energetic;
  const SimulationResult energetic = test::ContactModel(rod, "dop853", 1e-10, options).until(0.2);
  EXPECT_LE(energetic.impacts.at(0).energy, 0);
}

/// The power of a contact has a value in every mode, in which it is open too.
TEST(ContactEdges, ThePowerOfAnOpenContactIsZero) {
  test::ContactModel contacts(
      "coord y\nkinetic y'^2/2\npotential 10*y\nunilateral f: y >= 0\nstart y = 1\n"
      "output p = power(f)\nclaim power(f) == 0 at (y = 1)\n");
  const SimulationResult result = contacts.until(1, 0.25);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  for (const Row& row : contacts.rows) EXPECT_EQ(row.outputs.at(0), 0) << row.t;
}

/// What rides on a wall that stops goes on with its speed; what lies on one that starts is hit.
TEST(WallsThatTurn, AreLeftOrHit) {
  const std::string ball = "coord x\nkinetic x'^2/2\npotential 10*x\nunilateral w: x >= ";
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    test::ContactModel stops(ball + "min(t, 1)\nstart x' = 1\n", method);
    SimulationResult result = stops.until(1.1);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_TRUE(result.impacts.empty()) << method;
    EXPECT_NEAR(result.y[0], 1.05, 1e-8) << method;
    EXPECT_NEAR(result.y[1], 0, 1e-7) << method;
    result = stops.until(3);  // and comes back at t = 1.2, to stay
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    ASSERT_EQ(result.impacts.size(), 1U) << method;
    EXPECT_NEAR(result.impacts[0].t, 1.2, 1e-8) << method;
    EXPECT_NEAR(result.y[0], 1, 1e-9) << method;

    for (const std::string start : {"1", "1/3", "0.7"}) {
      test::ContactModel starts(ball + "max(t - " + start + ", 0) restitution 0.5\n", method);
      const double t = start == "1" ? 1 : start == "0.7" ? 0.7 : 1.0 / 3;
      result = starts.until(t + 0.05);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
      ASSERT_EQ(result.impacts.size(), 1U) << method << ": " << start;
      EXPECT_NEAR(result.impacts[0].t, t, 1e-14) << method;
      EXPECT_NEAR(result.impacts[0].impulses.at(0), 1.5, 1e-12) << method;
      EXPECT_NEAR(result.y[0], 1.5 * 0.05 - 5 * 0.05 * 0.05, 1e-9) << method << ": " << start;
    }
  }
}

/// A bilateral relation has no way to give the impulse.
TEST(WallsThatTurn, EndTheRunWhereTheyCannotBeLeft) {
  test::ContactModel contacts(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x = min(t, 1)\nunilateral w: y >= 0\nstart x' = "
      "1\n");
  const SimulationResult result = contacts.until(2);
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NEAR(result.t, 1, 1e-12);
  EXPECT_NE(result.message.find("the rate of the relation `c` jumps by 1"), std::string::npos)
      << result.message;
}

/// A slip along a surface in space ends at v/(mu g), whatever the unit of length is beside the tolerance.
TEST(ContactEdges, ASlipInSpaceEndsAtEveryScale) {
  for (const char* scale : {"1", "1/1000", "1/1000000", "1000000"}) {
    test::ContactModel contacts(std::string("param s = ") + scale + R"(
coord x, y, z
particle P mass 1 at [x, y, z]
gravity [0, 0, -10*s]
unilateral f: z >= 0 friction 1/2 on [x', y']
start x' = 3*s, y' = 4*s
)",
                                "dop853", 1e-9);
    const SimulationResult result = contacts.until(2);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << scale << result.message;
    EXPECT_LT(result.steps, 1000U) << scale;
    ASSERT_EQ(result.contact_spans.size(), 2U) << scale;
    EXPECT_EQ(result.contact_spans[1].mode, "sticks") << scale;
    EXPECT_NEAR(result.contact_spans[0].end, 1, 1e-3) << scale;
  }
}

/// What rolls without slip against `rolling` is not said to slip; it comes to rest and sticks.
TEST(ContactEdges, ADiscRollsAndSticks) {
  test::ContactModel contacts(R"(
coord x, y, th
body D mass 1 inertia 1/8 at [x, y] angle th
gravity [0, -10]
contact floor: D on ground at [x, y - 1/2] normal [0, 1] unilateral gap y - 1/2 friction 1/2 rolling 3/100
start y = 1/2, x' = 1, th' = -2
)",
                              "dop853", 1e-9);
  const SimulationResult result = contacts.until(5);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.contact_spans.size(), 2U);
  EXPECT_EQ(result.contact_spans[0].mode, "rolls");
  EXPECT_NEAR(result.contact_spans[0].end, 2.5, 1e-9);  // x'' = -delta g/(3/2 a)
  EXPECT_EQ(result.contact_spans[1].mode, "sticks");
}

TEST(ContactEdges, StickingBelowFrictionIsRefused) {
  test::ContactModel contacts(R"(
coord x, y
particle P mass 1 at [x, y]
gravity [0, -10]
unilateral f: y >= 0 friction 3/10 sticking 2/10 on x'
force x = t
)");
  const SimulationResult result = contacts.until(3);
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NE(result.message.find("0.3 where it slips and 0.2 where it sticks"), std::string::npos)
      << result.message;
}

}  // namespace
}  // namespace liaison
