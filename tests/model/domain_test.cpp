#include "model_support.hpp"

namespace liaison::test {
namespace {

const std::string point = "param m > 0, k\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\n";

std::string domain_of(const std::string& text) {
  return to_infix(read_system(point + text).domain);
}
std::string claim_domain_of(const std::string& text) {
  const System system = read_system(point + text);
  return system.claims.empty() ? "no claim" : to_infix(system.claims.front().domain);
}

TEST(DomainOfModel, PolynomialModelsHaveNone) {
  EXPECT_EQ(domain_of("potential k*x^2/2\nconstraint c: x*y' - y*x' = 0\n"), "");
}

TEST(DomainOfModel, IsThatOfAllTextsThatDefineTheMotion) {
  EXPECT_EQ(domain_of("potential k*x/x\n"), "x != 0");
  EXPECT_EQ(domain_of("kinetic sqrt(y)^2*x'^2\n"), "y >= 0");
  EXPECT_EQ(domain_of("force x = 0*log(x)\n"), "x > 0");
  EXPECT_EQ(domain_of("force [0, 0*tan(y)] at [x, y^2/y]\n"), "cos(y) != 0, y != 0");
  EXPECT_EQ(domain_of("particle P mass m*k/k at [x^2/x, y]\n"), "k != 0, x != 0");
  EXPECT_EQ(domain_of("constraint c: x'/y = sqrt(x)^2 power x'*asin(x)/asin(x)\n"),
            "y != 0, x >= 0, 1 - x^2 >= 0, asin(x) != 0");
  EXPECT_EQ(domain_of("constraint c: x' = 0 along dx/x + dy*y/y\n"), "x != 0, y != 0");
  EXPECT_EQ(domain_of("reaction c: x'*y/y\n"), "y != 0");
  EXPECT_EQ(domain_of("unilateral c: sqrt(x)^2 >= 0\n"), "x >= 0");
  EXPECT_EQ(domain_of("velocity u, v: x' = u*x/x, y' = v\n"), "x != 0");
}

TEST(DomainOfModel, WhatIsBuiltFromATextHasItsOwnNeeds) {
  EXPECT_EQ(domain_of("particle P mass m at [sqrt(x), y]\n"), "x > 0");  // its velocity is x'/(2*sqrt(x))
}

TEST(DomainOfModel, ANamePassesItsDomainToThoseWhoUseIt) {
  const std::string names = "let a = x/x\nlet b = a*sqrt(y)^2\n";
  EXPECT_EQ(domain_of(names), "");
  EXPECT_EQ(domain_of(names + "potential a\n"), "x != 0");
  EXPECT_EQ(domain_of(names + "potential b\n"), "x != 0, y >= 0");
  EXPECT_EQ(domain_of(names + "force x = 0*b'\n"), "x != 0, y >= 0");
  EXPECT_EQ(domain_of("let r = sqrt(x)\nforce x = 0*r'\n"), "x > 0");
  EXPECT_EQ(claim_domain_of(names + "claim b == y\n"), "x != 0, y >= 0");
}

TEST(DomainOfModel, ADefinedFunctionNeedsWhatItsBodyNeeds) {
  const std::string function = "function f(u, v) = sqrt(u)*v/v\nfunction g(u) = f(u, u - 1)\n";
  EXPECT_EQ(domain_of(function), "");
  EXPECT_EQ(domain_of(function + "potential f(x, y) - f(x, y)\n"), "x >= 0, y != 0");
  EXPECT_EQ(domain_of(function + "potential 0*g(y + 2)\n"), "y + 2 >= 0, y + 1 != 0");
  EXPECT_EQ(domain_of(function + "potential 0/f(x, 1)\n"), "x > 0");
  EXPECT_EQ(domain_of("function f(u) = sqrt(u)\nforce x = f'(x)\n"), "x > 0");
}

TEST(DomainOfModel, RheonomicCoordinatesStandByTheirValues) {
  EXPECT_EQ(domain_of("rheonomic s = log(t)\npotential x*s/s\n"), "t > 0, log(t) != 0");
}

TEST(DomainOfModel, ValuesOutputsEventsAndClaimsAddNothing) {
  EXPECT_EQ(
      domain_of("output o = 1/x\nevent e: 1/x = 2\nstart x = sqrt(k)\nclaim 1/x == 1/x at (x = sqrt(k))\n"),
      "");
}

TEST(DomainOfClaim, IsThatOfItsOwnText) {
  EXPECT_EQ(claim_domain_of("claim sqrt(x)*sqrt(x) == sqrt(x*x)\n"), "x >= 0");
  EXPECT_EQ(claim_domain_of("claim y == 1/x at (x = 1/k, y = k)\n"), "x != 0");
  EXPECT_EQ(claim_domain_of("claim conserved(x - x + log(y))\n"), "y > 0");
  EXPECT_EQ(claim_domain_of("claim equations { m*x'' == x/x; m*y'' == 0*log(x) }\n"), "x > 0");
  EXPECT_EQ(claim_domain_of("claim compatible\n"), "");
  EXPECT_EQ(claim_domain_of("potential 1/y\nclaim x/x == 1\n"), "x != 0");
}

}  // namespace
}  // namespace liaison::test
