#include "liaison/structure/equilibria.hpp"

#include <algorithm>
#include <cmath>

#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

Equilibria equilibria_of(const Derived& model) {
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  return find_equilibria(*model.algebra, *flow.flow);
}

const Equilibrium* at(const Equilibria& equilibria, double x) {
  for (const Equilibrium& equilibrium : equilibria.found) {
    if (std::abs(equilibrium.positions[0].value.mid() - x) < 1e-12) return &equilibrium;
  }
  return nullptr;
}

TEST(Equilibria, PendulumHangsOrStands) {
  const Derived model =
      derive("param m = 2, g = 9.81, l = 0.5\ncoord th\nkinetic m*l^2*th'^2/2\npotential -m*g*l*cos(th)\n");
  const Equilibria found = equilibria_of(model);
  EXPECT_TRUE(found.all) << found.reason;
  ASSERT_EQ(found.found.size(), 2u);
  const Equilibrium* hanging = at(found, 0);
  ASSERT_TRUE(hanging);
  EXPECT_EQ(hanging->stability, Stability::stable);
  ASSERT_TRUE(hanging->positions[0].exact);
  EXPECT_TRUE(hanging->positions[0].exact->is_zero());
  ASSERT_EQ(hanging->eigenvalues.size(), 2u);
  EXPECT_NEAR(std::abs(hanging->eigenvalues[0].im.mid()), std::sqrt(9.81 / 0.5), 1e-14);
  const Equilibrium* standing = hanging == &found.found[0] ? &found.found[1] : &found.found[0];
  EXPECT_EQ(standing->stability, Stability::unstable);
  ASSERT_TRUE(standing->positions[0].exact);
  EXPECT_NEAR(std::abs(standing->positions[0].value.mid()), std::acos(-1.0), 1e-15);
}

TEST(Equilibria, OneThatIsNotIsolatedHidesNoOther) {  // 1 is a double root; 11/5 and 3 are simple ones
  const Equilibria found = equilibria_of(derive("coord u\nkinetic u'^2/2\npotential (u - 1)^3*(u - 3)^2\n"));
  EXPECT_TRUE(found.all) << found.reason;
  EXPECT_EQ(found.found.size(), 3u);
  const Equilibrium* twice = at(found, 1);
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->stability, Stability::undecided);
  EXPECT_TRUE(at(found, 2.2));
  EXPECT_TRUE(at(found, 3));
}

// A root that each equation has several times; and one that is none, for the force has no value there.
TEST(Equilibria, RepeatedRootsAreFound) {
  const Equilibria flat =
      equilibria_of(derive("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^4/4 + y^4 - y^3/3\n"));
  EXPECT_TRUE(flat.all) << flat.reason;
  EXPECT_EQ(flat.found.size(), 2u);
  const Equilibria pole = equilibria_of(derive("coord x\nkinetic x'^2/2\nforce x = x^2*(x - 1)^2/x^2\n"));
  EXPECT_FALSE(at(pole, 0));
  EXPECT_TRUE(at(pole, 1));
}

TEST(Equilibria, DampingMakesItAsymptotic) {
  const Equilibria found = equilibria_of(derive(
      "param c = 0.3\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + 2*y^2 + x*y)/2\nforce x = -c*x'\n"
      "force y = -c*y'\n"));
  ASSERT_EQ(found.found.size(), 1u);
  EXPECT_TRUE(found.all);
  EXPECT_EQ(found.found[0].stability, Stability::asymptotic);
}

/// Eigenvalues that fall together and have one vector: one disc holds them.
TEST(Equilibria, DefectiveEigenvaluesAreEnclosed) {
  const auto eigenvalues = [](const std::string& text) {
    const Equilibria found = equilibria_of(derive(text));
    EXPECT_EQ(found.found.size(), 1u);
    return found.found.at(0);
  };
  const Equilibrium critical = eigenvalues("coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -2*x'\n");
  EXPECT_EQ(critical.eigenvalues.size(), 2u);
  EXPECT_EQ(critical.stability, Stability::asymptotic);
  const Equilibrium chain = eigenvalues(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 + y^2/2\nforce x = -2*x'\nforce y = -2*y' + x\n");
  ASSERT_EQ(chain.eigenvalues.size(), 4u);  // one block of the size four
  for (const Eigenvalue& value : chain.eigenvalues) {
    EXPECT_NEAR(value.re.mid(), -1, 1e-12);
    EXPECT_LT(value.re.rad(), 1e-9);
    EXPECT_TRUE(value.im.contains_zero());
  }
  EXPECT_EQ(chain.stability, Stability::asymptotic);
  // (s^2 + 1)^2 = 0 with one vector to each root, and a pair on the right: s^2 = 1.
  const Equilibrium pushed = eigenvalues(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x^2/2 + y^2/2 - z^2/2\nforce y = x\n");
  ASSERT_EQ(pushed.eigenvalues.size(), 6u);
  EXPECT_EQ(pushed.stability, Stability::unstable);
  EXPECT_EQ(
      std::count_if(pushed.eigenvalues.begin(), pushed.eigenvalues.end(),
                    [](const Eigenvalue& value) { return std::abs(std::abs(value.im.mid()) - 1) < 1e-12; }),
      4);
}

TEST(Equilibria, BeadOnAFastHoopLeavesTheBottom) {  // cos(th) = g/(w^2 R)
  const Equilibria found =
      equilibria_of(derive("param g = 10, w = 5, R = 1\ncoord th\nkinetic R^2*(th'^2 + "
                           "w^2*sin(th)^2)/2\npotential -g*R*cos(th)\n"));
  // The force of inertia is in T: the accelerations decide, not the forces alone.
  EXPECT_EQ(found.found.size(), 4u);
  const Equilibrium* side = at(found, std::acos(0.4));
  ASSERT_TRUE(side);
  EXPECT_NE(side->stability, Stability::unstable);
  EXPECT_EQ(at(found, 0)->stability, Stability::unstable);
}

TEST(Equilibria, BeadOnASlowHoopIsHeldByJacobisFunction) {
  const Derived model = derive(
      "param g = 9.81, w = 2\ncoord q\nrheonomic p = w*t\n"
      "particle P mass 1 at [sin(q)*cos(p), sin(q)*sin(p), -cos(q)]\ngravity [0, 0, -g]\n");
  const Equilibria found = equilibria_of(model);
  ASSERT_EQ(found.found.size(), 2u);
  ASSERT_TRUE(at(found, 0));
  EXPECT_EQ(at(found, 0)->stability, Stability::stable);
}

TEST(Equilibria, DoublePendulumHasFour) {
  const Equilibria found = equilibria_of(derive_file("classics/double_pendulum.lia"));
  EXPECT_TRUE(found.all) << found.reason;
  EXPECT_EQ(found.found.size(), 4u);
  std::size_t stable = 0;
  for (const Equilibrium& equilibrium : found.found)
    stable += equilibrium.stability == Stability::stable ? 1 : 0;
  EXPECT_EQ(stable, 1u);
}

TEST(Equilibria, AnIrrationalPlaceIsEnclosed) {
  const Equilibria found = equilibria_of(derive("coord x\nkinetic x'^2/2\npotential x^4/4 - 2*x\n"));
  EXPECT_TRUE(found.all);
  ASSERT_EQ(found.found.size(), 1u);
  const Equilibrium* minimum = at(found, std::cbrt(2));
  ASSERT_TRUE(minimum);
  EXPECT_FALSE(minimum->positions[0].exact);
  EXPECT_LT(minimum->positions[0].value.rad(), 1e-25);
  EXPECT_EQ(minimum->stability, Stability::stable);
}

TEST(Equilibria, ARootOfANumberIsExact) {
  const auto motion = derive("coord x\nkinetic x'^2/2\npotential x^3/3 - 2*x\n");  // holds the place
  const Equilibria found = equilibria_of(motion);
  ASSERT_EQ(found.found.size(), 2u);
  const Equilibrium* minimum = at(found, std::sqrt(2));
  ASSERT_TRUE(minimum);
  ASSERT_TRUE(minimum->positions[0].exact);
  EXPECT_EQ(to_infix(*minimum->positions[0].exact), "sqrt(2)");
}

TEST(Equilibria, EveryPlaceOrNone) {
  const Equilibria every = equilibria_of(derive("coord x, y\nkinetic (x'^2 + y'^2)/2\n"));
  EXPECT_TRUE(every.all);
  EXPECT_TRUE(every.equations.empty());
  const Equilibria none = equilibria_of(derive("param g = 9.81\ncoord y\nkinetic y'^2/2\npotential g*y\n"));
  EXPECT_TRUE(none.all);
  EXPECT_TRUE(none.found.empty());
  EXPECT_FALSE(none.equations.empty());
}

// A cubic and a parabola that touch: each has the root once, and both together have it several times.
TEST(Equilibria, AtADegenerateRootTheSearchSaysWhere) {
  const Equilibria found =
      equilibria_of(derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = y - x^2\nforce y = y - x^3\n"));
  EXPECT_FALSE(found.all);
  EXPECT_NE(found.reason.find("a root is not isolated"), std::string::npos) << found.reason;
}

TEST(Equilibria, WhereTheFreeVelocitiesAreSingularNothingIsClaimed) {
  // A skate across the slope rests, but there x' is no parameter of the admissible velocities.
  const Equilibria found =
      equilibria_of(derive("param g = 9.81\ncoord x, y, ph\nkinetic (x'^2 + y'^2 + ph'^2)/2\npotential -g*x\n"
                           "constraint blade: x'*sin(ph) - y'*cos(ph) = 0\n"));
  EXPECT_FALSE(found.all);
  EXPECT_NE(found.reason.find("cos(ph) = 0"), std::string::npos) << found.reason;
}

TEST(Equilibria, WhatIsNotSearchedIsSaid) {
  EXPECT_EQ(equilibria_of(derive("param k\ncoord x\nkinetic x'^2/2\npotential k*x^2\n")).reason,
            "the parameter k has no value");
  const Equilibria pushed = equilibria_of(derive("coord x\nkinetic x'^2/2\nforce x = sin(t)\n"));
  EXPECT_TRUE(pushed.all && pushed.found.empty()) << pushed.reason;
  // At a = 0 the relation is none, and nothing holds x and z back.
  const std::string reason =
      equilibria_of(derive("param a = 0\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential z - x\n"
                           "constraint c: a*(z' - x') = 0\n"))
          .reason;
  EXPECT_NE(reason.find("which is 0 for the parameters as given"), std::string::npos) << reason;
}

TEST(Equilibria, FrictionAlongTheVelocityHasNoValueAtRest) {
  const Equilibria found =
      equilibria_of(derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -x'/sqrt(x'^2 + y'^2)\nforce y = "
                           "-y'/sqrt(x'^2 + y'^2)\n"));
  EXPECT_TRUE(found.box.empty());
  EXPECT_FALSE(found.all);
  EXPECT_EQ(found.reason.find("the equations of motion have no value at rest"), 0u) << found.reason;
}

// Rows V7.relative-equilibrium, V7.absolute-rest.
TEST(RelativeRest, BesideADrivenCoordinate) {
  const Derived model = derive(
      "param g = 10, w = 5, R = 1, C = 1\ncoord ph, th\nkinetic R^2*(th'^2 + sin(th)^2*ph'^2)/2 + "
      "C*ph'^2/2\npotential -g*R*cos(th)\nconstraint motor: ph = w*t\n");
  const Equilibria found = equilibria_of(model);
  EXPECT_TRUE(found.all) << found.reason;
  EXPECT_EQ(found.found.size(), 4u);
  ASSERT_TRUE(at(found, std::acos(0.4)));
  ASSERT_EQ(found.moving.size(), 1u);
  EXPECT_EQ(found.moving[0].coordinate.symbol().name, "ph");
  EXPECT_EQ(at(found, 0)->stability, Stability::unstable);
}

TEST(RelativeRest, AtAllTimes) {
  const std::string lift = "param g = 10, A = 1/10, w = 8\ncoord th\nkinetic th'^2/2\n";
  const Equilibria upright = equilibria_of(derive(lift + "force th = -(g + A*w^2*sin(w*t))*sin(th)\n"));
  EXPECT_TRUE(upright.all) << upright.reason;
  EXPECT_EQ(upright.found.size(), 2u);
  const Equilibria sideways = equilibria_of(derive(lift + "force th = -g*sin(th) + A*sin(w*t)*cos(th)\n"));
  EXPECT_TRUE(sideways.all) << sideways.reason;
  EXPECT_TRUE(sideways.found.empty());  // at each time there are two places, and never the same
  // a factor of the time alone; the place is no short number
  const Equilibria scaled = equilibria_of(derive(lift + "force th = (2 + sin(t))*(cos(th) - 2*th)\n"));
  ASSERT_EQ(scaled.found.size(), 1u) << scaled.reason;
  EXPECT_NEAR(scaled.found[0].positions[0].value.mid(), 0.450183611294874, 1e-12);
}

TEST(RelativeRest, WithRelationsBetweenCoordinates) {
  const Derived model = derive(
      "param g = 10, l = 3/4\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y + x/3\nconstraint "
      "rod: x^2 + y^2 = l^2\n");
  const Equilibria found = equilibria_of(model);
  ASSERT_EQ(found.found.size(), 2u) << found.reason;
  for (const Equilibrium& place : found.found) {
    EXPECT_NEAR(place.positions[0].value.mid() / place.positions[1].value.mid(), 1 / 30.0, 1e-12);
    EXPECT_EQ(place.stability,
              place.positions[1].value.is_negative() ? Stability::stable : Stability::unstable);
  }
  EXPECT_TRUE(found.all) << found.reason;  // no coordinate of the circle is chosen, so that y = 0 is covered
}

}  // namespace
}  // namespace liaison::test
