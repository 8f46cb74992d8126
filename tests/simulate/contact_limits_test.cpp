#include "contact_model.hpp"

// Contacts at limits that doubles know to rounding alone: r_n = mu r_nt, r_tn = mu r_tt, a drive that
// cancels.
namespace liaison {
namespace {

// M = [[a, b], [b, c]], mu = c/|b|: r = (c - mu |b|)/det = 0.
TEST(ContactsAtLimits, WithoutAMotionHaveNone) {
  test::ContactModel contacts(
      "coord u, x\nkinetic (2/3)/2*u'^2 + (1/15)*u'*x' + (13/75)/2*x'^2\nforce u = -2/3\nforce x = -1/15\n"
      "unilateral c: u >= 0 friction 13/5 on x'\nstart x' = -1\n");
  const SimulationResult result = contacts.until(0.5);
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NE(result.message.find("`c` is within rounding of the limit"), std::string::npos) << result.message;
  EXPECT_EQ(result.t, 0);
}

TEST(ContactsAtLimits, OpenWhereTheyDo) {
  test::ContactModel contacts(
      "coord u, x\nkinetic 10/2*u'^2 + (180/7)*u'*x' + (3387/49)/2*x'^2\nforce u = 2500/49\n"
      "force x = 45441/343\nunilateral c: u >= 0 friction 1129/420 on x'\nstart x' = -1\n");
  const SimulationResult result = contacts.until(0.5);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[0], 0.5, 1e-12);  // u'' = 4, x'' = 3/7
  EXPECT_NEAR(result.y[1], -0.5 + 3.0 / 56, 1e-12);
}

// With r_tn = mu r_tt the slip has its drive, whatever N is.
TEST(ContactsAtLimits, BeginToSlip) {
  test::ContactModel contacts(
      "coord q0, q1\nkinetic 3/2*q0'^2 + 3/2*q0'*q1' + 11/8*q1'^2\nforce q0 = -6\nforce q1 = -1\n"
      "unilateral c: q0 - q1 >= 0 friction 0.5 on 2*q0' + q1'\nstart q0' = 0\n");
  const SimulationResult result = contacts.until(0.5);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.y[0], -20.0 / 43 / 8, 1e-12);
  EXPECT_NEAR(result.y[1], -20.0 / 43 / 8, 1e-12);
}

// r_n = mu r_nt, and the drive of the gap is zero: any N up to 40/27 leaves the slip rate 2 - 27/20 N.
TEST(ContactsAtLimits, OfAFamilyAreOneOfIt) {
  test::ContactModel contacts(
      "coord u, x\nkinetic 5/2*u'^2 + (-20/27)*u'*x' + (161/729)/2*x'^2\nforce u = -40/27\n"
      "force x = 322/729\nunilateral c: u >= 0 friction 161/540 on x'\nstart x' = 0\n");
  EXPECT_EQ(contacts.until(0.5).outcome, SimulationOutcome::several);
}

// Where the spring balances the weight the floor carries nothing, and what came to rest there rests.
TEST(ContactsAtLimits, RestWithoutAForce) {
  for (const std::string model : {"coord x\nkinetic x'^2/2\nforce x = 9.81 - 9.81*(x/0.3)\n"
                                  "unilateral w: x >= 0.3\nstart x = 1\n",
                                  "coord x\nkinetic x'^2/2\nforce x = -1 - 4*x\n"
                                  "unilateral w: x >= -1/4\nstart x' = -1/2\n"}) {
    test::ContactModel contacts(model);
    const SimulationResult result = contacts.until(5);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << model << result.message;
    EXPECT_NEAR(result.y[0], model.find("0.3") != std::string::npos ? 0.3 : -0.25, 1e-9);
    EXPECT_NEAR(result.y[1], 0, 1e-9);
  }
}

}  // namespace
}  // namespace liaison
