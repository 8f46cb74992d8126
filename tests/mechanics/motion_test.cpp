#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

TEST(Motion, RollingDiscHasItsReactionsBeforeAnyIntegration) {
  const Derived disc = derive_file("classics/rolling_disc.lia");
  ASSERT_EQ(disc.motion->status, FactorStatus::determined);
  EXPECT_TRUE(disc.equal(disc.factor("roll_x"), "-m*R*phi'*theta'*cos(phi)"));
  EXPECT_TRUE(disc.equal(disc.factor("roll_y"), "-m*R*phi'*theta'*sin(phi)"));
  EXPECT_TRUE(disc.equal(disc.acceleration("theta'"), "0"));
  EXPECT_TRUE(disc.equal(disc.motion->determinant, "3/m^2"));
}

TEST(Motion, SphereInSpaceAxesSlides) {
  const Derived sphere = derive_file("classics/sphere_sliding.lia");
  ASSERT_EQ(sphere.motion->status, FactorStatus::determined);
  EXPECT_TRUE(sphere.equal(sphere.factor("floor"), "M*g"));
  EXPECT_TRUE(sphere.equal(sphere.acceleration("r"), "0"));
  EXPECT_TRUE(sphere.equal(sphere.omega("w_q", "w_r"), "M*k^2*p"));  // + in space axes
}

TEST(Motion, EulerEquationsOfATopInBodyAxes) {
  const Derived top =
      derive("param A > 0, B > 0, C > 0\nrotation (p, q, r) in body\nkinetic (A*p^2 + B*q^2 + C*r^2)/2\n");
  EXPECT_TRUE(top.equal(top.acceleration("p"), "(B - C)*q*r/A"));
  EXPECT_TRUE(top.equal(top.acceleration("q"), "(C - A)*r*p/B"));
  EXPECT_TRUE(top.equal(top.acceleration("r"), "(A - B)*p*q/C"));
  EXPECT_TRUE(top.equal(top.omega("w_q", "w_r"), "-A*p"));
}

TEST(Motion, RheonomicEnergyUsesTheWholeBracket) {  // G1.II-Hamilton: not d(p dq - T dt)
  const Derived pendulum = derive(
      "param m > 0, l > 0, g\nfunction a(t)\ncoord q\n"
      "particle P mass m at [a(t) + l*sin(q), -l*cos(q)]\ngravity [0, -g]\n");
  EXPECT_TRUE(pendulum.equal(pendulum.acceleration("q'"), "-(g*sin(q) + a''(t)*cos(q))/l"));
}

TEST(Motion, OpenFactorsAreNamed) {  // two equal forces, one relation
  const Derived body = derive(
      "param m > 0\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nforce y = -m\n"
      "constraint floor: y' = 0\nreaction second: y'\n");
  ASSERT_EQ(body.motion->status, FactorStatus::undetermined);
  ASSERT_EQ(body.motion->free_factors.size(), 1u);
  EXPECT_TRUE(body.equal(body.factor("floor") + body.factor("second"), "m"));
  EXPECT_TRUE(body.equal(body.acceleration("y'"), "0"));
}

TEST(Motion, ContradictoryConstraintsAreFound) {
  const Derived body = derive(
      "param m > 0\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\n"
      "constraint one: x' = 0\nconstraint two: x' - t = 0\n");
  EXPECT_EQ(body.motion->status, FactorStatus::incompatible);
  ASSERT_EQ(body.motion->certificate.size(), 2u);
}

}  // namespace
}  // namespace liaison::test
