#include "liaison/structure/reduced_system.hpp"

#include "liaison/expr/print.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

struct Reduced {
  Derived model;
  ReducedSystem reduced;

  bool is(Expr e, std::string_view text) const { return model.algebra->is_zero(e - model(text)).is_proved(); }
  std::vector<std::string> ignored() const {
    std::vector<std::string> names;
    for (Expr coordinate : reduced.ignored) names.push_back(coordinate.symbol().name);
    return names;
  }
};

Reduced reduce(const std::string& text, const std::vector<std::string>& by = {}) {
  Derived model = derive(text);
  std::vector<Expr> coordinates;
  for (const std::string& name : by) coordinates.push_back(model(name));
  ReducedSystem reduced = reduce_system(*model.algebra, *model.motion, coordinates);
  return {std::move(model), std::move(reduced)};
}

using Names = std::vector<std::string>;

TEST(ReducedSystem, ThePotentialOfASphericalPendulumIsAmended) {
  const Reduced found = reduce(
      "param m > 0, l > 0, g\ncoord theta, phi\nkinetic m*l^2*(theta'^2 + sin(theta)^2*phi'^2)/2\n"
      "potential -m*g*l*cos(theta)\nstart theta = pi/2, phi' = 3\n");
  EXPECT_EQ(found.ignored(), Names{"phi"});
  EXPECT_TRUE(found.reduced.agrees.is_proved());
  const Expr p = found.reduced.momenta[0];
  const Expr rest = found.reduced.system.potential - found.model("-m*g*l*cos(theta)");
  EXPECT_TRUE(found.is(rest / (p * p), "1/(2*m*l^2*sin(theta)^2)"));
  EXPECT_TRUE(found.is(found.reduced.system.kinetic, "m*l^2*theta'^2/2"));
  EXPECT_EQ(found.reduced.system.directions.size(), 1u);
}

// Terms of the first degree remain where the momentum is coupled to other velocities.
TEST(ReducedSystem, TwoMomentaAndACoupling) {
  const Reduced found = reduce(
      "param a > 0\ncoord q, r, s, u\n"
      "kinetic (q'^2 + r'^2 + (1 + q^2)*s'^2 + 2*u'^2)/2 + q*r'*s'/2 + s'*u'/2 + a*q'*u'/4\npotential r^4 + "
      "q*r\n"
      "force q = -r'\n");
  EXPECT_EQ(found.ignored(), (Names{"s", "u"}));
  EXPECT_TRUE(found.reduced.agrees.is_proved());
  EXPECT_EQ(found.reduced.momenta.size(), 2u);
}

TEST(ReducedSystem, ADiscOnAPlaneIsIgnoredWhereItRolls) {
  const Reduced found = reduce(
      "param m > 0, R > 0\ncoord x, y, theta, phi\n"
      "kinetic m*(x'^2 + y'^2)/2 + m*R^2*theta'^2/4 + m*R^2*phi'^2/8\npotential sin(phi)\n"
      "constraint roll_x: x' - R*theta'*cos(phi) = 0\nconstraint roll_y: y' - R*theta'*sin(phi) = 0\n");
  EXPECT_EQ(found.ignored(), (Names{"x", "y"}));  // not y and theta, which divide by sin(phi)
  EXPECT_EQ(found.reduced.kind, ReducedSystem::Kind::chaplygin);
  EXPECT_TRUE(found.reduced.agrees.is_proved());
  EXPECT_TRUE(found.reduced.agrees.conditions.empty());
  EXPECT_TRUE(found.is(found.reduced.system.kinetic, "3*m*R^2*theta'^2/4 + m*R^2*phi'^2/8"));
  for (Expr force : found.reduced.system.forces) EXPECT_TRUE(force.is_zero());
}

TEST(ReducedSystem, ChaplyginsForcesDoNoWork) {
  const Reduced found = reduce(
      "param m > 0, a\ncoord x, y, phi\nkinetic m*((x' - a*phi'*sin(phi))^2 + (y' + a*phi'*cos(phi))^2)/2 + "
      "phi'^2\n"
      "constraint blade: y'*cos(phi) - x'*sin(phi) = 0\n");
  EXPECT_TRUE(found.reduced.agrees.is_proved());
  ASSERT_EQ(found.reduced.system.directions.size(), 2u);
  Expr power = found.model("0");
  for (std::size_t k = 0; k < 2; ++k)
    power = power + found.reduced.system.forces[k] * found.reduced.system.directions[k].velocity;
  EXPECT_FALSE(found.reduced.system.forces[0].is_zero());
  EXPECT_TRUE(found.model.algebra->is_zero(power).is_proved());
}

TEST(ReducedSystem, WhatIsNotReducedIsSaid) {
  EXPECT_EQ(reduce("coord x, y\nkinetic x'^2 + y'^2\npotential x*y\n").reduced.reason,
            "the energies depend on every coordinate, or a force acts along it");
  EXPECT_EQ(reduce("coord x, y\nkinetic x'^2 + y'^2\npotential x\n", {"x"}).reduced.reason,
            "the potential depends on x");
  EXPECT_EQ(reduce("coord x, y\nkinetic x'^2 + y'^2\npotential x\nforce y = -y'\n").reduced.reason,
            "the energies depend on every coordinate, or a force acts along it");
  EXPECT_EQ(reduce("coord x, y\nkinetic x'^2 + y'^2\npotential x\nforce x = -y'\n").reduced.reason,
            "the energies depend on every coordinate, or a force acts along it");
  EXPECT_EQ(reduce("coord x, y\nkinetic x'^2 + y'^2\nconstraint c: x'^2 = y'^2 + 1\n").reduced.reason,
            "`c` is not linear in the velocities");
  EXPECT_EQ(reduce("coord x\nkinetic x'^2\n").reduced.reason,
            "no coordinate would be left: all are integrated at once");
}

}  // namespace
}  // namespace liaison::test
