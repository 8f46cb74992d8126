#include "liaison/structure/two_principles.hpp"

#include "liaison/expr/print.hpp"
#include "liaison/mechanics/vakonomic.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

TwoPrinciples compare(const Derived& model) {
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  return compare_principles(*model.algebra, *flow.flow);
}

TEST(TwoPrinciples, KnifeEdgeDiffers) {  // MO1-coincidence-criterion: lambda w and -lambda u
  const Derived model = derive(
      "param m > 0, I > 0\ncoord x, y, theta\nvelocity u, v, w: x' = u*cos(theta) + v*sin(theta), "
      "y' = u*sin(theta) - v*cos(theta), theta' = w\n"
      "kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
      "constraint edge: x'*sin(theta) - y'*cos(theta) = 0\n");
  const TwoPrinciples found = compare(model);
  EXPECT_EQ(found.coincidence, Coincidence::different) << found.reason;
  EXPECT_TRUE(found.verdict.is_proved());
  ASSERT_EQ(found.further.size(), 2u);
  const Expr mu = found.multipliers[0];
  EXPECT_TRUE(model.algebra->are_equal(found.further[0], mu * model("w")).is_proved())
      << to_infix(found.further[0]);
  EXPECT_TRUE(model.algebra->are_equal(found.further[1], -mu * model("u")).is_proved())
      << to_infix(found.further[1]);
  EXPECT_TRUE(found.idle.empty());
  ASSERT_TRUE(found.brackets);  // MO6-count-scleronomic
  EXPECT_EQ(found.brackets->combinations(), 0u);
}

/// Relations of Morera with velocities p_i' beside those of free coordinates: (N, n, m, H).
void expect_count(const std::string& coordinates, const std::string& kinetic, const std::string& relations,
                  std::size_t positions, std::size_t directions, std::size_t spanned) {
  const TwoPrinciples found =
      compare(derive("coord " + coordinates + "\nkinetic (" + kinetic + ")/2\n" + relations));
  ASSERT_TRUE(found.brackets) << found.reason;
  EXPECT_EQ(found.brackets->positions, positions);
  EXPECT_EQ(found.brackets->directions, directions);
  EXPECT_EQ(found.brackets->spanned, spanned);
  EXPECT_EQ(found.brackets->combinations(), positions + 1 - spanned);
  EXPECT_EQ(found.idle.size(), found.brackets->combinations());  // by the covariants
  EXPECT_NE(found.brackets->grade, Grade::unknown);
}

TEST(TwoPrinciples, MorerasCountsAreThoseOfTheCovariants) {
  // MO6-count-frozen: (a), and (b) of six dimensions with time.
  expect_count("p1, p2, p3", "p1'^2 + p2'^2 + p3'^2", "constraint a: p2' = p1\nconstraint b: p3' = p1^2\n", 3,
               1, 3);
  expect_count("p1, p2, p3, p4, p5", "p1'^2 + p2'^2 + p3'^2 + p4'^2 + p5'^2",
               "constraint a: p3' = p1*p2 + t\nconstraint b: p4' = p1^2 - p2\n"
               "constraint c: p5' = t*p2 + p1^2*p2\n",
               5, 2, 5);
  // MO6-count-scleronomic: (4, 2) in general; MO6-count-general: (2, 1) has none.
  expect_count("a, b, c, e", "a'^2 + b'^2 + c'^2 + e'^2",
               "constraint one: c' = (a*b + c^2)*a' + (e*a - 2*b)*b'\n"
               "constraint two: e' = (b^2 - 3*e*c)*a' + (a^2 + c*b)*b'\n",
               4, 2, 4);
  expect_count("a, b", "a'^2 + b'^2", "constraint one: b' = (a + t*b)*a' + a*t + b^2\n", 2, 1, 3);
}

TEST(TwoPrinciples, IntegrableRelationsAgree) {  // MO1-integrable-coincidence
  const TwoPrinciples found =
      compare(derive("param m > 0, g\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential m*g*y\nconstraint "
                     "curve: y' - 2*x*x' = 0\n"));
  EXPECT_EQ(found.coincidence, Coincidence::always) << found.reason;
  EXPECT_TRUE(found.verdict.is_proved());
}

TEST(TwoPrinciples, DiscHasSuitableMultipliers) {
  const Derived model = derive_file("classics/rolling_disc.lia");
  const TwoPrinciples found = compare(model);
  EXPECT_EQ(found.coincidence, Coincidence::suitable) << found.reason;
  ASSERT_EQ(found.suitable.size(), 2u);
  EXPECT_TRUE(model.equal(found.suitable[0], "m*R*theta'*sin(phi)"));
  EXPECT_TRUE(model.equal(found.suitable[1], "-m*R*theta'*cos(phi)"));
  // MO7-theorem: the combination along the disc may be used in T, the one across it may not.
  ASSERT_EQ(found.idle.size(), 1u);
  EXPECT_TRUE(
      model.algebra->is_zero(found.idle[0][0] * model("cos(phi)") + found.idle[0][1] * model("sin(phi)"))
          .is_proved());
}

TEST(TwoPrinciples, WithoutReactionsNoMultipliersAreNeeded) {
  // The reactions of a homogeneous sphere without forces vanish: mu = 0 is suitable, and only that.
  const Derived model = derive(
      "param m > 0, a > 0, C > 0\ncoord x, y\nrotation (p, q, r) in space\n"
      "kinetic m*(x'^2 + y'^2)/2 + C*(p^2 + q^2 + r^2)/2\n"
      "constraint roll_x: x' - a*q = 0\nconstraint roll_y: y' + a*p = 0\n");
  const TwoPrinciples found = compare(model);
  EXPECT_EQ(found.coincidence, Coincidence::suitable) << found.reason;
  ASSERT_EQ(found.suitable.size(), 2u);
  EXPECT_TRUE(found.suitable[0].is_zero() && found.suitable[1].is_zero());
}

TEST(TwoPrinciples, AMultipleOfARelationChangesNoVerdict) {
  // (1 + x^2) phi has other multipliers, mu/(1 + x^2): N is not zero.
  const Derived model = derive(
      "param m > 0, R > 0\ncoord x, y, phi, theta\n"
      "kinetic m/2*(x'^2 + y'^2) + m*R^2/8*phi'^2 + m*R^2/4*theta'^2\n"
      "constraint roll_x: (1 + x^2)*(x' + R*theta'*sin(phi)) = 0\n"
      "constraint roll_y: y' - R*theta'*cos(phi) = 0\n");
  const TwoPrinciples found = compare(model);
  EXPECT_EQ(found.coincidence, Coincidence::suitable) << found.reason;
  ASSERT_EQ(found.suitable.size(), 2u);
  Region states;
  states.equations.push_back(model("x' + R*theta'*sin(phi)"));
  EXPECT_TRUE(model.algebra->follows(found.suitable[0] - model("m*R*theta'*sin(phi)/(1 + x^2)"), states))
      << to_infix(found.suitable[0]);
}

TEST(TwoPrinciples, WhatIsNoVariationalProblemIsSaid) {
  const Derived drag =
      derive("param k\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -k*x'\nconstraint c: y' - y*x' = 0\n");
  EXPECT_EQ(compare(drag).reason, "the forces have no potential");
  const Derived swirl =
      derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = y\nconstraint c: z' - y*x' = 0\n");
  EXPECT_EQ(why_not_vakonomic(*swirl.algebra, *swirl.system), "the forces have no potential");
  const Derived field = derive(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = y\nforce y = x\nconstraint c: z' - y*x' = "
      "0\n");
  EXPECT_EQ(why_not_vakonomic(*field.algebra, *field.system), "");
  const Derived servo = derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y' - x*x' = 0 by x'\n");
  EXPECT_EQ(why_not_vakonomic(*servo.algebra, *servo.system), "the force of `c` has a direction of its own");
  const Derived rod = derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = 1\n");
  EXPECT_EQ(why_not_vakonomic(*rod.algebra, *rod.system),
            "no relation contains velocities: the motions are d'Alembert's");
}

TEST(Vakonomic, EquationsOfTheKnifeEdge) {  // MO1-knife-vakonomic
  const Derived model = derive(
      "param m > 0, I > 0, gam\ncoord x, y, theta\nkinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
      "potential -m*gam*x\nconstraint edge: x'*sin(theta) - y'*cos(theta) = 0\n");
  const VakonomicSystem problem = derive_vakonomic(*model.algebra, *model.system);
  ASSERT_TRUE(problem.reason.empty()) << problem.reason;
  ASSERT_EQ(problem.multipliers.size(), 1u);
  const Motion motion = derive_motion(*model.algebra, problem.system);
  const Expr mu = problem.multipliers[0], u = model("x'*cos(theta) + y'*sin(theta)");
  // On the relation, with the velocity u along the edge and w = theta'.
  Region edge;
  edge.equations.push_back(model("x'*sin(theta) - y'*cos(theta)"));
  const auto holds = [&](Expr e) { return model.algebra->follows(e, edge); };
  EXPECT_TRUE(holds(model("I") * motion.acceleration[2] - mu * u));
  EXPECT_TRUE(holds(motion.acceleration[3] - model("m") * (model("gam*sin(theta)") + u * model("theta'"))));
  EXPECT_TRUE(holds(model("m") * (motion.acceleration[0] * model("cos(theta)") +
                                  motion.acceleration[1] * model("sin(theta)")) -
                    model("m*gam*cos(theta)") + mu * model("theta'")));
}

}  // namespace
}  // namespace liaison::test
