#include "liaison/structure/symmetries.hpp"

#include <algorithm>

#include "liaison/expr/print.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

Symmetries symmetries_of(const Derived& model) {
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  Symmetries found = find_symmetries(*model.algebra, *flow.flow);
  for (const Symmetry& symmetry : found.fields) EXPECT_TRUE(symmetry.verdict.is_proved());
  return found;
}

std::vector<std::string> names_of(const Symmetries& symmetries) {
  std::vector<std::string> result;
  for (const Symmetry& symmetry : symmetries.fields) result.push_back(symmetry.name);
  return result;
}

using Names = std::vector<std::string>;
using Series = std::vector<std::size_t>;

TEST(Symmetries, FreePointHasTheMotionsOfThePlaneAndTime) {
  const Derived model = derive("param m > 0\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\n");
  const Symmetries found = symmetries_of(model);
  EXPECT_EQ(names_of(found),
            (Names{"translation along x", "translation along y", "rotation of x and y", "time"}));
  EXPECT_EQ(found.none_else, Grade::proved);
  EXPECT_EQ(found.derived_series, (Series{4, 2, 0}));
  ASSERT_TRUE(found.fields[2].momentum);
  // The momentum of X is X^i p_i, with its sign.
  const VectorField& turn = found.fields[2].field;
  const Expr x = turn.component(0);
  const std::string momentum = x == model("y") ? "m*(y*x' - x*y')" : "m*(x*y' - y*x')";
  EXPECT_TRUE(model.equal(*found.fields[2].momentum, momentum)) << to_infix(turn);
  EXPECT_TRUE(model.equal(*found.fields[0].momentum, "m*x'"));
  EXPECT_TRUE(found.fields[2].conserved.is_proved());
  EXPECT_TRUE(model.equal(*found.fields[3].momentum, "m*(x'^2 + y'^2)/2"));
}

TEST(Symmetries, CentralForceHasTheRotations) {  // so(3) and time
  const Symmetries found =
      symmetries_of(derive("param m > 0, k\ncoord x, y, z\nkinetic m*(x'^2 + y'^2 + z'^2)/2\npotential "
                           "-k/sqrt(x^2 + y^2 + z^2)\n"));
  ASSERT_EQ(found.fields.size(), 4u);
  Names names = names_of(found);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (Names{"rotation of x and y", "rotation of x and z", "rotation of y and z", "time"}));
  EXPECT_EQ(found.derived_series, (Series{4, 3}));
  EXPECT_EQ(found.constants.size(), 3u);
  for (const Symmetry& symmetry : found.fields) EXPECT_TRUE(symmetry.conserved.holds()) << symmetry.name;
  EXPECT_EQ(found.none_else, Grade::checked);  // a root
}

TEST(Symmetries, TopHasTwoAnglesAndTime) {  // G6.III.IV-cyclic: coordinates that no coefficient contains
  const Derived model = derive(
      "param A > 0, C > 0, k\ncoord th, ph, ps\nkinetic A/2*(th'^2 + ph'^2*sin(th)^2) + C/2*(ps' + "
      "ph'*cos(th))^2\npotential k*cos(th)\n");
  const Symmetries found = symmetries_of(model);
  EXPECT_EQ(names_of(found), (Names{"translation along ph", "translation along ps", "time"}));
  EXPECT_EQ(found.derived_series, (Series{3, 0}));
  EXPECT_TRUE(found.constants.empty());
  ASSERT_TRUE(found.fields[1].momentum);
  EXPECT_TRUE(model.equal(*found.fields[0].momentum, "A*ph'*sin(th)^2 + C*cos(th)*(ps' + ph'*cos(th))"));
  EXPECT_TRUE(model.equal(*found.fields[1].momentum, "C*(ps' + ph'*cos(th))"));
}

TEST(Symmetries, DiscKeepsTheMomentumOfItsSpinAlone) {
  const Derived model = derive_file("classics/rolling_disc.lia");
  const Symmetries found = symmetries_of(model);
  ASSERT_EQ(found.fields.size(), 5u);  // motions of the plane, spin, time
  EXPECT_EQ(found.fields[0].name, "translation along x");
  EXPECT_TRUE(found.fields[0].conserved.is_refuted());  // the reaction moves it: the momentum equation
  EXPECT_EQ(found.fields[2].name, "translation along theta");
  EXPECT_TRUE(found.fields[2].conserved.is_proved());
  EXPECT_EQ(found.fields[4].name, "time");
  EXPECT_TRUE(found.fields[4].conserved.is_proved());
}

TEST(Symmetries, FreeBodyTurnsInSpace) {  // rotations about the axes of space, on a frame of the body
  const Symmetries found = symmetries_of(
      derive("param A > 0, B > 0, C > 0\nrotation (p, q, r) in body\nkinetic (A*p^2 + B*q^2 + C*r^2)/2\n"));
  ASSERT_EQ(found.fields.size(), 4u);
  EXPECT_EQ(found.derived_series, (Series{4, 3})) << found.closure;
  EXPECT_EQ(found.none_else, Grade::proved);
  for (const Symmetry& symmetry : found.fields) {  // the moment of momentum in space, and the energy
    EXPECT_TRUE(symmetry.momentum) << to_infix(symmetry.field);
    EXPECT_TRUE(symmetry.conserved.is_proved()) << to_infix(symmetry.field);
  }
}

TEST(Symmetries, ConstraintsAreKept) {
  // x' = y z' is not kept by translations along y; x + c y moves with it.
  const Symmetries found =
      symmetries_of(derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: x' - y*z' = 0\n"));
  EXPECT_EQ(names_of(found), (Names{"translation along x", "translation along z", "time"}));
}

TEST(Symmetries, FrictionBreaksNoTranslation) {
  const Symmetries found = symmetries_of(
      derive("param k\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -k*x'\nforce y = -k*y'\n"));
  EXPECT_EQ(names_of(found),
            (Names{"translation along x", "translation along y", "rotation of x and y", "time"}));
  EXPECT_FALSE(found.fields[0].momentum);  // i(X)Omega = -dx' - k*x'*dt is not closed
}

TEST(Symmetries, EnergyIsTheMomentumOfTimeWhereNoPrimitiveIsKnown) {
  const Derived model = derive(
      "param m > 0, k\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential k*exp(x)*sqrt(1 + x^4 + y^2)\n");
  const Symmetries found = symmetries_of(model);
  ASSERT_EQ(names_of(found), (Names{"time"}));
  ASSERT_TRUE(found.fields[0].momentum);
  EXPECT_TRUE(model.equal(*found.fields[0].momentum, "m*(x'^2 + y'^2)/2 + k*exp(x)*sqrt(1 + x^4 + y^2)"));
  EXPECT_TRUE(found.fields[0].conserved.is_proved());
}

TEST(Symmetries, AGivenFieldIsTested) {
  const Derived model =
      derive("param m > 0, k\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential k*(x^2 + 4*y^2)\n");
  const StateSpace& space = model.motion->space;
  const Expr zero = space.pool().number(0);
  const VectorField rotation = prolongation(space, {model("-y"), model("x")}, zero);
  EXPECT_TRUE(keeps_omega(*model.algebra, *model.motion, rotation).is_refuted());
  const VectorField time = prolongation(space, {zero, zero}, space.pool().number(1));
  EXPECT_TRUE(keeps_omega(*model.algebra, *model.motion, time).is_proved());
}

/// A point on a surface, without forces.
std::string on_surface(const std::string& level, const std::string& potential = "0") {
  return "param g, l > 0\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential " + potential +
         "\nconstraint surface: " + level + "\n";
}

TEST(Symmetries, RelationsBetweenCoordinates) {
  const Symmetries sphere = symmetries_of(derive(on_surface("x^2 + y^2 + z^2 = l^2")));
  EXPECT_EQ(sphere.fields.size(), 4u);  // so(3) and time
  EXPECT_EQ(sphere.none_else, Grade::proved) << sphere.reason;
  EXPECT_EQ(sphere.derived_series, (Series{4, 3})) << sphere.closure;
  for (const Symmetry& symmetry : sphere.fields) EXPECT_TRUE(symmetry.conserved.is_proved());
  const Symmetries pendulum = symmetries_of(derive(on_surface("x^2 + y^2 + z^2 = l^2", "g*z")));
  EXPECT_EQ(names_of(pendulum), (Names{"rotation of x and y", "time"}));
  EXPECT_EQ(pendulum.none_else, Grade::proved) << pendulum.reason;
  const Symmetries ellipsoid = symmetries_of(derive(on_surface("x^2 + 2*y^2 + 3*z^2 = l^2")));
  EXPECT_EQ(names_of(ellipsoid), (Names{"time"}));
  EXPECT_EQ(ellipsoid.none_else, Grade::proved) << ellipsoid.reason;
  // Another metric turns the ellipsoid of revolution into no sphere: about its axis alone.
  const Symmetries round = symmetries_of(derive(on_surface("x^2 + y^2 + 2*z^2 = l^2")));
  EXPECT_EQ(names_of(round), (Names{"rotation of x and y", "time"}));
  // A sphere that grows: the time is no symmetry, its rotations are.
  const Symmetries growing = symmetries_of(derive(on_surface("x^2 + y^2 + z^2 = l^2*(1 + t^2)")));
  EXPECT_EQ(growing.fields.size(), 3u);
  EXPECT_EQ(growing.derived_series, (Series{3})) << growing.closure;
}

TEST(Symmetries, TwoRodsTurnTogether) {
  const Derived model = derive(
      "param m > 0, M > 0, l > 0\ncoord x, y, u, v\nkinetic m*(x'^2 + y'^2)/2 + M*(u'^2 + v'^2)/2\n"
      "constraint first: x^2 + y^2 = l^2\nconstraint second: (u - x)^2 + (v - y)^2 = l^2\n");
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  ASSERT_TRUE(flow.flow);
  const Symmetries found = find_symmetries(*model.algebra, *flow.flow);
  ASSERT_EQ(found.fields.size(), 2u) << found.reason;
  for (const Symmetry& symmetry : found.fields) EXPECT_TRUE(symmetry.verdict.holds());
  ASSERT_TRUE(found.fields[0].momentum);
  EXPECT_TRUE(found.fields[0].conserved.is_proved());
  EXPECT_NE(found.none_else, Grade::unknown) << found.reason;
}

TEST(Symmetries, AGivenFieldBesideRelations) {
  const Derived model = derive(on_surface("x^2 + y^2 + z^2 = l^2", "g*z"));
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  ASSERT_TRUE(flow.flow);
  const auto verdict = [&](const std::string& x, const std::string& y, const std::string& z) {
    const TestedSymmetry tested = test_symmetry(*model.algebra, *flow.flow, {model(x), model(y), model(z)},
                                                model.algebra->pool().number(0));
    EXPECT_TRUE(tested.symmetry) << tested.refused;
    return tested.symmetry ? tested.symmetry->verdict : Verdict{};
  };
  EXPECT_TRUE(verdict("-y", "x", "0").is_proved());
  // The same field on the sphere, and another one beside it.
  EXPECT_TRUE(verdict("-y*(x^2 + y^2 + z^2)/l^2", "x", "0").is_proved());
  EXPECT_TRUE(verdict("-y + x^2*(x^2 + y^2 + z^2 - l^2)", "x", "x^2 + y^2 + z^2 - l^2").is_proved());
  EXPECT_TRUE(verdict("x", "0", "0").is_refuted());       // leaves the sphere
  EXPECT_TRUE(verdict("-z", "0", "x").is_refuted());      // keeps it, and not the potential
  EXPECT_TRUE(verdict("-y*z", "x*z", "0").is_refuted());  // keeps both, and not the metric
  EXPECT_TRUE(verdict("-2*y", "2*x", "0").is_proved());
}

TEST(Symmetries, ParametersOfTheModelsOwn) {
  // The sleigh in u, n, w has what it has in velocities: e(2) and time, with the same momenta.
  const Derived own = derive_file("classics/chaplygin_sleigh.lia");
  const Symmetries found = symmetries_of(own);
  EXPECT_EQ(found.fields.size(), 4u);
  EXPECT_EQ(found.none_else, Grade::proved) << found.reason;
  EXPECT_EQ(found.derived_series, (Series{4, 2, 0}));
  ASSERT_TRUE(found.fields[0].momentum);
  EXPECT_TRUE(own.equal(*found.fields[0].momentum, "m*(u*cos(phi) - (n + a*w)*sin(phi))"));
  // Momenta as parameters that contain the positions and the time.
  const Symmetries polar =
      symmetries_of(derive("param m > 0\ncoord r, phi\nvelocity p, L: r' = p/m + t, phi' = L/(m*(1 + r^2))\n"
                           "kinetic m*(r'^2 + (1 + r^2)*phi'^2)/2\n"));
  EXPECT_EQ(names_of(polar), (Names{"translation along phi", "time"}));
  EXPECT_TRUE(polar.fields[0].momentum && polar.fields[0].conserved.is_proved());
}

}  // namespace
}  // namespace liaison::test
