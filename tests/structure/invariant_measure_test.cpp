#include "liaison/structure/invariant_measure.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

InvariantMeasure measure_of(const Derived& model) {
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  return find_invariant_measure(*model.algebra, *flow.flow);
}

TEST(InvariantMeasure, VerticalDiscKeepsTheVolume) {
  const Derived model = derive_file("classics/rolling_disc.lia");
  const InvariantMeasure found = measure_of(model);
  ASSERT_TRUE(found.density) << found.reason;
  EXPECT_EQ(found.origin, "volume");
  EXPECT_TRUE(found.verdict.is_proved());
}

TEST(InvariantMeasure, SleighHasNone) {
  const Derived model = derive_file("classics/chaplygin_sleigh.lia");
  const InvariantMeasure found = measure_of(model);
  EXPECT_FALSE(found.density);
  EXPECT_EQ(found.none, Grade::proved) << found.reason;
  EXPECT_TRUE(model.equal(found.divergence, "-m*a*u/(J + m*a^2)"));
}

TEST(InvariantMeasure, SleighWithItsCentreOnTheBladeHasOne) {
  const Derived model = derive(
      "param m > 0, I > 0\ncoord x, y, theta\nkinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
      "constraint edge: x'*sin(theta) - y'*cos(theta) = 0\n");
  const InvariantMeasure found = measure_of(model);
  ASSERT_TRUE(found.density) << found.reason;
  // In the free velocities x' and theta': 1/cos(theta).
  EXPECT_TRUE(
      model.algebra->is_zero(*found.density * *found.density * model("cos(theta)^2/(m*I)") - model("1"))
          .holds())
      << to_infix(*found.density);
}

/// x'' = -x'^2/(4 x): rho' / rho = 1/(2 x) on both sides of x = 0.
TEST(InvariantMeasure, ARootIsOfASize) {
  const Derived model = derive("coord x\nkinetic x'^2/2\nforce x = -x'^2/(4*x)\n");
  const InvariantMeasure found = measure_of(model);
  ASSERT_TRUE(found.density) << found.reason;
  EXPECT_TRUE(model.equal(*found.density, "sqrt(abs(x))")) << to_infix(*found.density);
}

TEST(InvariantMeasure, ChaplyginsBall) {
  const Derived model = derive_file("classics/chaplygin_ball.lia");
  const InvariantMeasure found = measure_of(model);
  ASSERT_TRUE(found.density) << found.reason;
  EXPECT_EQ(found.exponent, Rational(1, 2));
  EXPECT_TRUE(found.verdict.is_proved());
  // det(I + m a^2 (1 - g g^T)) with g the vertical on the body.
  Region sphere;
  sphere.equations.push_back(model("S_e0^2 + S_e1^2 + S_e2^2 + S_e3^2 - 1"));
  const std::string g1 = "(2*(S_e1*S_e3 - S_e0*S_e2))", g2 = "(2*(S_e2*S_e3 + S_e0*S_e1))",
                    g3 = "(S_e0^2 - S_e1^2 - S_e2^2 + S_e3^2)", d = "m*a^2";
  const std::string wide = "(A + " + d + ")*(B + " + d + ")*(C + " + d + ")";
  const std::string right = wide + " - " + d + "*(" + g1 + "^2*(B + " + d + ")*(C + " + d + ") + " + g2 +
                            "^2*(A + " + d + ")*(C + " + d + ") + " + g3 + "^2*(A + " + d + ")*(B + " + d +
                            "))";
  EXPECT_TRUE(model.algebra->follows(*found.density * *found.density - model(right), sphere));
}

TEST(InvariantMeasure, ADensityIsFoundBySearch) {
  // div X = -2 x x'/(1 + x^2) is the rate of -log(1 + x^2), and det G = 1.
  const Derived model = derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -2*x*x'*y'/(1 + x^2)\n");
  const InvariantMeasure found = measure_of(model);
  ASSERT_TRUE(found.density) << found.reason;
  EXPECT_EQ(found.origin, "search");
  EXPECT_EQ(found.exponent, Rational(1));
  const Expr ratio = *found.density / model("1 + x^2");  // a constant
  for (const char* coordinate : {"x", "y"})
    EXPECT_TRUE(model.algebra->is_zero(derivative(ratio, model(coordinate))).is_proved())
        << to_infix(*found.density);
}

TEST(InvariantMeasure, DragHasNone) {
  const Derived model = derive("param k > 0\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -k*x'\n");
  const InvariantMeasure found = measure_of(model);
  EXPECT_FALSE(found.density);  // exp(k t) is one, and no function of the model
  EXPECT_EQ(found.none, Grade::proved) << found.reason;
  EXPECT_TRUE(model.equal(found.divergence, "-k"));
}

TEST(InvariantMeasure, WhatIsNotAskedIsSaid) {
  const Derived model =
      derive("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential abs(x)\nconstraint c: x^2 + y^2 = 1\n");
  EXPECT_EQ(measure_of(model).reason, "`abs(x)` is not a function of one piece");
}

TEST(InvariantMeasure, RelationsBetweenCoordinates) {
  // On a surface f = 0 Liouville's measure is the volume divided by df and df', times |grad f|^2.
  const Derived model = derive(
      "param m > 0, l > 0\ncoord x, y, z\nkinetic m*(x'^2 + y'^2 + z'^2)/2\npotential x*y*z\n"
      "constraint surface: x^2 + 2*y^2 + 3*z^2 = l^2\n");
  const InvariantMeasure found = measure_of(model);
  ASSERT_TRUE(found.density) << found.reason;
  EXPECT_TRUE(found.verdict.is_proved()) << describe(found.verdict);
  EXPECT_TRUE(found.beside_relations);
  const Expr ratio = model.algebra->canonical(*found.density / model("x^2 + 4*y^2 + 9*z^2")).value;
  for (const char* name : {"x", "y", "z"}) EXPECT_TRUE(derivative(ratio, model(name)).is_zero());
  // Friction in the direction of the velocity, on a sphere: none.
  const InvariantMeasure none = measure_of(
      derive("param k > 0, l > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -k*x'\nforce y = -k*y'\n"
             "constraint rod: x^2 + y^2 = l^2\n"));
  EXPECT_FALSE(none.density);
  EXPECT_EQ(none.none, Grade::proved) << none.reason;
}

}  // namespace
}  // namespace liaison::test
