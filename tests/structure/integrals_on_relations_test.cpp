#include "liaison/expr/print.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/structure/integrability.hpp"
#include "liaison/structure/special_parameter.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

/// A model whose coordinates satisfy relations, with what was found of it.
struct Found {
  Derived model;
  StateFlowResult flow;
  FirstIntegrals integrals;

  std::string names() const {
    std::string text;
    for (const FirstIntegral& integral : integrals.found) text += to_infix(integral.expression) + "\n";
    return text;
  }
  std::size_t size() const { return integrals.found.size(); }
  Integrability integrability() const {
    return judge_integrability(*model.algebra, *flow.flow, integrals, nullptr);
  }
};

Found find(const std::string& text, unsigned degree = 2, const std::string& known = "") {
  Derived model = derive(text);
  StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  IntegralOptions options;
  options.degree = degree;
  if (!known.empty()) options.known.push_back(model(known));
  FirstIntegrals found = find_first_integrals(*model.algebra, *flow.flow, options);
  for (const FirstIntegral& integral : found.found)
    EXPECT_TRUE(integral.verdict.is_proved()) << to_infix(integral.expression);
  return {std::move(model), std::move(flow), std::move(found)};
}

const std::string point = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n";
const std::string sphere = "constraint sphere: x^2 + y^2 + z^2 = 1\n";

TEST(IntegralsOnRelations, NeumannHasASecondOne) {
  const std::string neumann = "param a, b, c\n" + point + "potential (a*x^2 + b*y^2 + c*z^2)/2\n" + sphere;
  const Found found = find(neumann);
  ASSERT_EQ(found.size(), 2u) << found.names();
  EXPECT_EQ(found.integrals.independence, Grade::proved);
  // The states are an irreducible variety, and what vanishes on them is known: there are no others.
  EXPECT_EQ(found.integrals.generic.none_else, Grade::proved) << found.integrals.generic.reason;
  const Found again =
      find(neumann, 2, "(a - b)*(a - c)*x^2 + (a - c)*(x*y' - y*x')^2 + (a - b)*(z*x' - x*z')^2");
  EXPECT_EQ(again.size(), 2u) << again.names();  // Uhlenbeck's is a function of these, on the states
  const Integrability integrability = found.integrability();
  EXPECT_EQ(integrability.freedom, 2u);
  EXPECT_EQ(integrability.by, IntegrableBy::involution);
  EXPECT_EQ(integrability.grade, Grade::proved);
}

TEST(IntegralsOnRelations, NothingThatVanishesOnTheStatesIsNew) {
  const Found found = find("param k\n" + point + "potential k*x^4 + x*y + y^3*z\n" + sphere);
  EXPECT_EQ(found.size(), 1u) << found.names();
  EXPECT_EQ(found.integrability().by, IntegrableBy::nothing_known);
}

TEST(IntegralsOnRelations, SphericalPendulumTurnsAboutTheVertical) {
  const Found found = find(
      "param g, m > 0, l > 0\ncoord x, y, z\nkinetic m*(x'^2 + y'^2 + z'^2)/2\npotential m*g*z\n"
      "constraint rod: x^2 + y^2 + z^2 = l^2\n");
  ASSERT_EQ(found.size(), 2u) << found.names();
  EXPECT_EQ(to_infix(found.integrals.found[1].expression), "x*y' - y*x'");
}

/// Joachimsthal's integral, for symbolic axes.
TEST(IntegralsOnRelations, GeodesicsOfAnEllipsoid) {
  const std::string ellipsoid =
      "param a > 0, b > 0, c > 0\n" + point + "constraint surface: x^2/a + y^2/b + z^2/c = 1\n";
  const Found found = find(ellipsoid);
  EXPECT_EQ(found.size(), 2u) << found.names();
  EXPECT_EQ(found.integrals.independence, Grade::proved);
  const Found again = find(ellipsoid, 2, "(x^2/a^2 + y^2/b^2 + z^2/c^2)*(x'^2/a + y'^2/b + z'^2/c)");
  ASSERT_EQ(again.size(), 2u) << again.names();  // what is found is a function of it and the energy
  EXPECT_EQ(again.integrals.found[1].origin, "found before");
}

/// Two bars in the plane, coupled relations: the moment of momentum of both.
TEST(IntegralsOnRelations, TwoBarsKeepTheirMomentOfMomentum) {
  const Found found = find(
      "param l > 0, k > 0\ncoord x, y, u, v\nkinetic (x'^2 + y'^2)/2 + (u'^2 + v'^2)/2\n"
      "constraint one: x^2 + y^2 = l^2\nconstraint two: (u - x)^2 + (v - y)^2 = k^2\n");
  ASSERT_EQ(found.size(), 2u) << found.names();
  EXPECT_EQ(found.integrability().by, IntegrableBy::involution);
}

/// A sphere that grows: no energy, and the moment about the axis.
TEST(IntegralsOnRelations, RelationsMayDependOnTime) {
  const Found found = find(point + "potential z\nconstraint sphere: x^2 + y^2 + z^2 = (1 + t^2)^2\n");
  ASSERT_EQ(found.size(), 1u) << found.names();
  EXPECT_EQ(to_infix(found.integrals.found[0].expression), "x*y' - y*x'");
}

/// An angle bound to a length by its sine.
TEST(IntegralsOnRelations, RelationsMayHaveAngles) {
  const Found found =
      find("coord h, th, s\nkinetic (h'^2 + th'^2 + s'^2)/2\nconstraint screw: h = sin(th)\n");
  ASSERT_EQ(found.size(), 2u) << found.names();
}

TEST(IntegralsOnRelations, ValuesOfAParameterAreFound) {
  const Found found =
      find("param a = 1, b = 2, c = 5\n" + point + "potential (a*x^2 + b*y^2 + c*z^2)/2\n" + sphere, 1);
  IntegralOptions options;
  options.degree = 1;
  const SpecialParameter special = find_special_values_of(*found.model.algebra, *found.flow.flow,
                                                          found.model("c"), found.integrals, options);
  ASSERT_EQ(special.values.size(), 2u) << special.searched.reason;
  EXPECT_EQ(special.values[0].value, Rational(1));
  EXPECT_EQ(special.values[1].value, Rational(2));
  ASSERT_EQ(special.values[0].integrals.size(), 1u);
  EXPECT_TRUE(special.values[0].integrals[0].verdict.is_proved());
}

}  // namespace
}  // namespace liaison::test
