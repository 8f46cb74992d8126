#include "liaison/structure/first_integrals.hpp"

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

/// A model with what was found; `names` its expressions for messages.
struct Found {
  Derived model;
  FirstIntegrals integrals;

  std::string names() const {
    std::string text;
    for (const FirstIntegral& integral : integrals.found) text += to_infix(integral.expression) + "\n";
    return text;
  }
  /// One of them is that expression up to a factor without state symbols.
  ::testing::AssertionResult has(std::string_view text) const {
    const Expr wanted = model(text);
    for (const FirstIntegral& integral : integrals.found) {
      const Expr ratio = model.algebra->canonical(integral.expression / wanted).value;
      bool is_constant = true;
      for (Expr symbol : symbols_in(ratio))
        is_constant = is_constant && symbol.symbol().kind == SymbolKind::parameter;
      if (is_constant) return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << text << " is not among\n" << names();
  }
};

Found find(Derived model, unsigned degree = 2) {
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  IntegralOptions options;
  options.degree = degree;
  FirstIntegrals found = find_first_integrals(*model.algebra, *flow.flow, options);
  for (const FirstIntegral& integral : found.found) EXPECT_TRUE(integral.verdict.is_proved());
  return {std::move(model), std::move(found)};
}

TEST(FirstIntegrals, KeplerHasAnAxis) {
  const Found found =
      find(derive("param m > 0, k\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential -k/sqrt(x^2 + y^2)\n"));
  EXPECT_EQ(found.integrals.found.size(), 3u) << found.names();
  EXPECT_TRUE(found.has("x*y' - y*x'"));
  EXPECT_TRUE(found.has("m*x'*(x*y' - y*x') + k*y/sqrt(x^2 + y^2)"));  // a component of Runge and Lenz
  EXPECT_EQ(found.integrals.generic.none_else, Grade::proved);  // the other component is a function of these
  EXPECT_TRUE(found.integrals.generic.by_functions);
}

// Roots whose product is a square are not independent; nothing is known then.
TEST(FirstIntegrals, RootsThatDependOnEachOther) {
  const Found twice = find(
      derive("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2) - 1/sqrt(2*x^2 + 2*y^2)\n"));
  EXPECT_NE(twice.integrals.generic.none_else, Grade::proved);
  const Found two = find(derive(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt((x - 1)^2 + y^2) - 2/sqrt((x + 1)^2 + y^2)\n"));
  EXPECT_EQ(two.integrals.found.size(), 2u) << two.names();
  EXPECT_EQ(two.integrals.generic.none_else, Grade::proved);
}

// The terms of the energy beside the products of entries depend on these: how many are independent is exact.
TEST(FirstIntegrals, NoOthersOfATop) {
  const Found top = find(derive("param A > 0, C > 0, c\nrotation R (p, q, r) in body\n"
                                "kinetic (A*p^2 + 2*A*q^2 + C*r^2)/2\npotential c*R31\n"),
                         4);
  EXPECT_EQ(top.integrals.found.size(), 2u) << top.names();
  EXPECT_EQ(top.integrals.generic.none_else, Grade::proved);
}

/// Henon and Heiles with the ratio e of the cubic terms: integrable for 1, 6 and 16 alone.
Found henon_heiles(const std::string& e, unsigned degree) {
  return find(derive("param e = " + e + "\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2*y + e/3*y^3\n"),
              degree);
}

TEST(FirstIntegrals, HenonHeilesIsIntegrableForThreeRatios) {
  const Found one = henon_heiles("1", 2), six = henon_heiles("6", 2), sixteen = henon_heiles("16", 4);
  EXPECT_TRUE(one.has("3*x'*y' + x^3 + 3*x*y^2"));
  EXPECT_TRUE(six.has("4*x'*(x*y' - y*x') + x^4 + 4*x^2*y^2"));
  EXPECT_TRUE(sixteen.has("9*x'^4 + 36*x^2*y*x'^2 - 12*x^3*x'*y' - 2*x^6 - 12*x^4*y^2"));
  for (const Found* found : {&one, &six, &sixteen}) {
    ASSERT_EQ(found->integrals.found.size(), 2u);
    EXPECT_FALSE(found->integrals.found[0].for_values);
    EXPECT_TRUE(found->integrals.found[1].for_values);  // not for every ratio
    EXPECT_EQ(found->integrals.generic.none_else, Grade::proved);
  }
}

TEST(FirstIntegrals, HenonHeilesHasNoOtherIntegralOfDegreeThreeElsewhere) {
  const Found found = henon_heiles("-1", 3);
  EXPECT_EQ(found.integrals.found.size(), 1u) << found.names();
  EXPECT_EQ(found.integrals.for_values.none_else, Grade::proved);
}

TEST(FirstIntegrals, TodaHasACubicOne) {
  const Found found = find(derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                  "potential exp(x - y) + exp(y - z) + exp(z - x)\n"),
                           3);
  EXPECT_EQ(found.integrals.found.size(), 3u) << found.names();
  EXPECT_TRUE(found.has("x' + y' + z'"));
  EXPECT_TRUE(found.has("x'*y'*z' - x'*exp(y - z) - y'*exp(z - x) - z'*exp(x - y)"));
  EXPECT_EQ(found.integrals.generic.none_else, Grade::proved);
}

TEST(FirstIntegrals, FreeBodyKeepsItsAngularMomentumInSpace) {
  const Found found = find(
      derive("param A > 0, B > 0, C > 0\nrotation (p, q, r) in body\nkinetic (A*p^2 + B*q^2 + C*r^2)/2\n"));
  EXPECT_EQ(found.integrals.found.size(), 4u) << found.names();
}

TEST(FirstIntegrals, LagrangesTopHasThree) {
  const Found found = find(
      derive("param A > 0, C > 0, k\ncoord th, ph, ps\nkinetic A/2*(th'^2 + ph'^2*sin(th)^2) + C/2*(ps' + "
             "ph'*cos(th))^2\npotential k*cos(th)\n"));
  EXPECT_EQ(found.integrals.found.size(), 3u) << found.names();
  EXPECT_TRUE(found.has("ps' + ph'*cos(th)"));
  EXPECT_EQ(found.integrals.generic.none_else, Grade::proved);
}

TEST(FirstIntegrals, SleighKeepsItsEnergyAlone) {
  const Found found = find(derive_file("classics/chaplygin_sleigh.lia"));
  EXPECT_EQ(found.integrals.found.size(), 1u) << found.names();
  EXPECT_EQ(found.integrals.generic.none_else, Grade::proved);
}

TEST(FirstIntegrals, RollingDiscKeepsTheCentreOfItsCircle) {
  const Found found = find(derive_file("classics/rolling_disc.lia"));
  EXPECT_EQ(found.integrals.found.size(), 4u) << found.names();
  EXPECT_TRUE(found.has("x*phi' - R*theta'*cos(phi)"));
  EXPECT_TRUE(found.has("y*phi' - R*theta'*sin(phi)"));
}

TEST(FirstIntegrals, ChargeInAMagneticField) {
  const Found found = find(derive_file("classics/magnetic_field.lia"), 1);
  EXPECT_TRUE(found.has("m*x' - B*charge*y"));
  EXPECT_TRUE(found.has("m*y' + B*charge*x"));
}

/// Products of the entries of a rotation depend on each other: how many do not is known, (2l + 1)^2 of each
/// degree l.
TEST(FirstIntegrals, NoOthersOfAFreeTop) {
  const Found found = find(
      derive("param A > 0, B > 0, C > 0\nrotation R (p, q, r) in body\nkinetic (A*p^2 + B*q^2 + C*r^2)/2\n"));
  EXPECT_EQ(found.integrals.found.size(), 4u) << found.names();
  EXPECT_EQ(found.integrals.generic.none_else, Grade::proved) << found.integrals.generic.reason;
}

TEST(FirstIntegrals, WithTimeInThem) {  // a falling point, seen from a lift
  const Found found = find(derive("param g\ncoord x\nkinetic x'^2/2\nforce x = g*t\n"), 1);
  EXPECT_TRUE(found.has("2*x' - g*t^2"));
}

TEST(FirstIntegrals, FrictionLeavesNone) {
  const Found found =
      find(derive("param k > 0\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -k*x'\n"), 3);
  EXPECT_TRUE(found.integrals.found.empty()) << found.names();
  EXPECT_EQ(found.integrals.generic.none_else, Grade::proved);
}

TEST(FirstIntegrals, APendulumOnItsCircleHasItsEnergyAlone) {
  const Found found =
      find(derive("param g, l > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
                  "constraint rod: x^2 + y^2 = l^2\n"));
  EXPECT_EQ(found.integrals.found.size(), 1u) << found.names();
  EXPECT_FALSE(found.integrals.generic.form.empty());
  // The circle is irreducible, and what vanishes on its states are the multiples of its relations.
  EXPECT_EQ(found.integrals.generic.none_else, Grade::proved) << found.integrals.generic.reason;
}

TEST(FirstIntegrals, RootsInRelationsAreNotSearched) {
  const Found found =
      find(derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential z\n"
                  "constraint cup: z = sqrt(x^2 + y^2 + 1)\n"));
  EXPECT_TRUE(found.integrals.generic.form.empty());
  EXPECT_NE(found.integrals.generic.reason.find("no points of the relations"), std::string::npos);
}

TEST(FirstIntegrals, PiecesAreNotSearched) {
  const Found found = find(derive("coord x\nkinetic x'^2/2\npotential abs(x)\n"));
  EXPECT_TRUE(found.integrals.generic.form.empty());
  EXPECT_NE(found.integrals.generic.reason.find("not a function of one piece"), std::string::npos);
}

TEST(FirstIntegrals, ConstantsUnderRootsAndAnglesOfPiKeepTheirRelations) {
  const Found found =
      find(derive("param k > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n"
                  "potential sqrt(2)*x^2/2 + cos(pi/5)*y^2\n"));
  EXPECT_TRUE(found.has("x'^2 + sqrt(2)*x^2"));
}

}  // namespace
}  // namespace liaison::test
