#include "liaison/simulate/compliant_layer.hpp"

#include <cmath>

#include "contact_model.hpp"

namespace liaison {
namespace {

/// One contact without friction: a unit of its force moves the gap by `r`.
CompliantProblem one_contact(double r, double drive, double force) {
  CompliantProblem problem;
  problem.rows.r = {r};
  problem.rows.velocity = {0};
  problem.rows.contacts = {{.normal = 0, .resisted = {}, .restitution = 0}};
  problem.drive = {drive};
  problem.forces = {force};
  return problem;
}

TEST(CompliantLayer, PressesOrOpensAsTheRigidContactWhereThatHasOneMotion) {
  for (const double force : {0.0, 3.0, 30.0}) {
    const CompliantEnd pressed = through_compliant_layer(one_contact(2, -10, force), {.tau = 1e-9});
    EXPECT_TRUE(pressed.settles && pressed.presses[0] && !pressed.is_impact) << force;
    const CompliantEnd opened = through_compliant_layer(one_contact(2, 10, force), {.tau = 1e-9});
    EXPECT_TRUE(opened.settles && !opened.presses[0] && !opened.is_impact) << force;
  }
}

/// The end of a rod that slides with friction f: a pressure N moves the gap by (rn - f c) N, and c N along
/// it.
CompliantProblem sliding(double f, double drive, double force) {
  CompliantProblem problem;
  problem.rows.r = {2.08, -1.44, -1.44, 2.92};
  problem.rows.velocity = {0, -1};
  problem.rows.contacts = {{.normal = 0,
                            .resisted = {ImpactResistance{.rows = {1}, .slipping = f, .sticking = f}},
                            .restitution = 0}};
  problem.drive = {drive, 0};
  problem.forces = {force, f * force};
  return problem;
}

/// Of the two motions it opens from pressures below the one of the slip, drive/|r|, and jams from those
/// above.
TEST(CompliantLayer, ThePressureBeforeDecidesBetweenTwoMotions) {
  const double f = 2, r = 2.08 - 1.44 * f, pressure = 10 / -r;
  ASSERT_LT(r, 0);
  const CompliantEnd below = through_compliant_layer(sliding(f, 10, 0.99 * pressure), {.tau = 1e-9});
  EXPECT_TRUE(below.settles && !below.presses[0] && !below.is_impact);
  const CompliantEnd above = through_compliant_layer(sliding(f, 10, 1.01 * pressure), {.tau = 1e-9});
  EXPECT_TRUE(above.settles && above.is_impact);
  EXPECT_GT(above.velocities[1], -1);
}

TEST(CompliantLayer, AnImpactIsThatOfTheLimit) {
  const CompliantEnd stiff = through_compliant_layer(sliding(2, -10, 0), {.tau = 1e-8});
  const CompliantEnd stiffer = through_compliant_layer(sliding(2, -10, 0), {.tau = 1e-10});
  ASSERT_TRUE(stiff.is_impact && stiffer.is_impact);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(stiff.velocities[k], stiffer.velocities[k], 1e-4);
}

constexpr const char* rod = R"(
coord x, y, theta
kinetic (x'^2 + y'^2)/2 + theta'^2/6
potential 10*y
unilateral floor: y - sin(theta) >= 0 friction 2 on x' + sin(theta)*theta'
start theta = acos(3/5), y = 0.8, )";

/// The same rod on a spring and a damper that swing in 1e-6 s, with the place of its end, its gap and its
/// stretch as they are, by the classical method of Runge and Kutta: velocities when it leaves the floor.
TEST(CompliantContacts, ARodThatJamsJumpsAsOnAStiffSpring) {
  for (const std::string& method : test::adaptive_methods) {
    ContactOptions options;
    options.on_impossible = OnImpossible::compliant;
    test::ContactModel contacts(std::string(rod) + "x' = -1\n", method, 1e-10, options);
    const SimulationResult result = contacts.until(1e-5);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
    EXPECT_NEAR(result.y[3], -0.2472, 4e-4) << method;
    EXPECT_NEAR(result.y[4], 0.6976, 4e-4) << method;
    EXPECT_NEAR(result.y[5], 0.5507, 4e-4) << method;
    ASSERT_EQ(result.notes.size(), 1U) << method;
    EXPECT_NE(result.notes[0].find("half as stiff along"), std::string::npos) << result.notes[0];
    const std::size_t swings = result.notes[0].find("swing in ");
    ASSERT_NE(swings, std::string::npos) << result.notes[0];
    EXPECT_LT(std::stod(result.notes[0].substr(swings + 9)), 1e-6) << result.notes[0];
  }
}

TEST(CompliantContacts, ARodThatNothingPressedLiftsOff) {
  ContactOptions options;
  options.on_indeterminate = OnIndeterminate::compliant;
  test::ContactModel contacts(std::string(rod) + "x' = -5, theta' = 5, y' = 3\n", "dop853", 1e-10, options);
  const SimulationResult result = contacts.until(0.01);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[4], 3 - 0.1, 1e-12);
  EXPECT_EQ(result.contact_spans.back().mode, "open");
}

}  // namespace
}  // namespace liaison
