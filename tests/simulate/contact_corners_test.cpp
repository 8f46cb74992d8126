#include <cmath>

#include "contact_model.hpp"

// Surfaces with corners and edges, and belts that turn back; every number is a closed form.
namespace liaison {
namespace {

const std::string particle = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\n";
const std::vector<std::string> methods{"dop853", "taylor", "arkode", "adams", "bdf", "ida"};

SimulationResult finished(test::ContactModel& contacts, double until, const std::string& method) {
  SimulationResult result = contacts.until(until);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
  return result;
}

/// Across and along its sides the particle bounces as two balls that do not see each other.
TEST(Corners, AGrooveIsTwoWalls) {
  for (const std::string method : {"dop853", "taylor", "arkode"}) {
    test::ContactModel contacts(
        particle + "unilateral g: y >= abs(x) restitution 0.5\nstart x = 0.3, y = 1\n", method);
    const SimulationResult result = finished(contacts, 2, method);
    ASSERT_EQ(result.accumulations.size(), 2U) << method;
    EXPECT_NEAR(result.accumulations[0].t, 3 * std::sqrt(2 * 0.7 / 10), 1e-7) << method;
    EXPECT_NEAR(result.accumulations[1].t, 3 * std::sqrt(2 * 1.3 / 10), 1e-7) << method;
    for (const double value : result.y) EXPECT_NEAR(value, 0, 1e-8) << method;
  }
}

/// A particle on a floor meets a slope, climbs and comes back.
TEST(Corners, AFloorThatRisesIsHit) {
  for (const std::string& method : methods) {
    test::ContactModel contacts(particle + "unilateral g: y >= max(0, x)\nstart x = -1, x' = 1\n", method);
    const SimulationResult result = finished(contacts, 2, method);
    ASSERT_EQ(result.impacts.size(), 2U) << method;
    EXPECT_NEAR(result.impacts[0].t, 1, 1e-9) << method;
    EXPECT_NEAR(result.impacts[0].impulses.at(0), 0.5, 1e-8) << method;
    EXPECT_NEAR(result.impacts[1].t, 1.2, 1e-8) << method;
    EXPECT_NEAR(result.y[0], -0.4, 1e-8) << method;
    EXPECT_NEAR(result.y[2], -0.5, 1e-8) << method;
  }
}

/// Over an edge the particle flies on, and lands on the other side.
TEST(Corners, AnEdgeIsLeft) {
  for (const std::string& method : methods) {
    test::ContactModel plane(particle + "unilateral g: y >= min(0, -x)\nstart x = -1, x' = 1\n", method);
    SimulationResult result = finished(plane, 2, method);
    ASSERT_EQ(result.impacts.size(), 1U) << method;
    EXPECT_NEAR(result.impacts[0].t, 1.2, 1e-8) << method;
    EXPECT_NEAR(result.y[0], 3, 1e-7) << method;
    EXPECT_NEAR(result.y[1], -3, 1e-7) << method;

    test::ContactModel roof(particle + "unilateral g: y >= -abs(x)\nstart x = -1, y = -1, x' = 5, y' = 5\n",
                            method);
    result = finished(roof, 2, method);
    const double leaves = 1 - std::sqrt(0.6), speed = 5 - 5 * leaves;
    ASSERT_EQ(result.impacts.size(), 1U) << method;
    EXPECT_NEAR(result.impacts[0].t, leaves + speed * 0.4, 1e-7) << method;
  }
}

/// What comes straight onto an edge, or rests there, has no one motion.
TEST(Corners, AnEdgeThatIsMetEndsTheRun) {
  for (const std::string start : {"y = 1", "y = 0"}) {
    test::ContactModel contacts(particle + "unilateral g: y >= -abs(x)\nstart x = 0, " + start + "\n");
    const SimulationResult result = contacts.until(2);
    EXPECT_EQ(result.outcome, SimulationOutcome::several);
    EXPECT_NEAR(result.t, start == "y = 1" ? std::sqrt(0.2) : 0, 1e-9);
    EXPECT_NE(result.message.find("an edge of its surface, where x = 0"), std::string::npos)
        << result.message;
    EXPECT_TRUE(result.impacts.empty());
  }
}

/// A gap that bends without a change of its gradient is smooth.
TEST(Corners, ABendWithoutACornerIsNone) {
  test::ContactModel contacts(particle + "unilateral g: y >= -x*abs(x)\nstart x = 0, y = 0\n");
  const SimulationResult result = contacts.until(1);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[1], 0, 1e-12);
}

/// A repeated factor is no hole: the ball bounces on y^3 >= 0 as on y >= 0.
TEST(Corners, ARepeatedFactorIsOneWall) {
  test::ContactModel contacts(particle + "unilateral g: y^3 >= 0 restitution 0.5\nstart y = 1\n");
  const SimulationResult result = contacts.until(2);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_EQ(result.accumulations.size(), 1U);
  EXPECT_NEAR(result.accumulations[0].t, 3 * std::sqrt(0.2), 1e-7);
}

/// What sticks to a belt slips when the belt turns back at once, and sticks again.
TEST(WallsThatTurn, ABeltThatTurnsBackIsSlippedOn) {
  for (const std::string& method : methods) {
    test::ContactModel contacts(
        particle + "unilateral belt: y >= 0 friction 0.5 on x' - sign(1 - t)\nstart x' = 1\n", method);
    SimulationResult result = finished(contacts, 1.2, method);
    EXPECT_NEAR(result.y[0], 1 + 0.2 - 2.5 * 0.04, 1e-8) << method;
    result = finished(contacts, 2, method);  // at rest on the belt after 2/(0.5*10)
    EXPECT_NEAR(result.y[2], -1, 1e-8) << method;
    EXPECT_NEAR(result.y[0], 1 + 0.4 - 2.5 * 0.16 - 0.6, 1e-7) << method;
    EXPECT_EQ(result.contact_spans.back().mode, "sticks") << method;
  }
}

/// A wall that starts pushes also what only touches it, and from the first moment on.
TEST(WallsThatTurn, StartUnderWhatTouchesWithoutForce) {
  for (const std::string& method : methods) {
    for (const double t : {0.0, 1.0}) {
      test::ContactModel contacts("coord x\nkinetic x'^2/2\nunilateral w: x >= max(0, t - " +
                                      std::to_string(t) + ") restitution 0.5\n",
                                  method);
      const SimulationResult result = finished(contacts, 2, method);
      ASSERT_EQ(result.impacts.size(), 1U) << method;
      EXPECT_NEAR(result.impacts[0].t, t, 1e-12) << method;
      EXPECT_NEAR(result.y[0], 1.5 * (2 - t), 1e-9) << method;
      EXPECT_NEAR(result.y[1], 1.5, 1e-12) << method;
    }
  }
}

}  // namespace
}  // namespace liaison
