#include "liaison/structure/reducing_multiplier.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/structure/reduced_system.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

struct Found {
  Derived model;
  ReducingMultiplier multiplier;
};

Found multiplier_of(const std::string& text, const std::vector<std::string>& by) {
  Derived model = derive(text);
  std::vector<Expr> ignored;
  for (const std::string& name : by) ignored.push_back(model(name));
  const ReducedSystem reduced = reduce_system(*model.algebra, *model.motion, ignored);
  EXPECT_TRUE(reduced.reason.empty()) << reduced.reason;
  const Motion motion = derive_motion(*model.algebra, reduced.system);
  ReducingMultiplier multiplier = find_reducing_multiplier(*model.algebra, motion);
  return {std::move(model), std::move(multiplier)};
}

TEST(ReducingMultiplier, OfAContactForm) {  // N = 1/sqrt(1 + y^2)
  const Found found = multiplier_of(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential y^2\nconstraint c: z' - y*x' = 0\n", {"z"});
  EXPECT_TRUE(found.multiplier.exists.is_proved());
  ASSERT_EQ(found.multiplier.logarithmic.size(), 2u);
  EXPECT_TRUE(found.model.equal(found.multiplier.logarithmic[0], "0"));
  EXPECT_TRUE(found.model.equal(found.multiplier.logarithmic[1], "-y/(1 + y^2)"));
  ASSERT_TRUE(found.multiplier.value);
  EXPECT_TRUE(found.model.equal(*found.multiplier.value * *found.multiplier.value, "1/(1 + y^2)"));
}

const char* const sleigh =
    "coord x, y, phi\nkinetic m*((x' - a*phi'*sin(phi))^2 + (y' + a*phi'*cos(phi))^2)/2 + J*phi'^2/2\n"
    "constraint blade: y'*cos(phi) - x'*sin(phi) = 0\n";

TEST(ReducingMultiplier, ASleighHasOneWithItsMassAboveTheBladeAlone) {
  const Found found = multiplier_of("param m > 0, J > 0, a > 0\n" + std::string(sleigh), {"x"});
  EXPECT_TRUE(found.multiplier.exists.is_refuted());
  EXPECT_NE(found.multiplier.reason.find("not closed"), std::string::npos) << found.multiplier.reason;
  std::string skate = sleigh;
  for (std::size_t at = skate.find("a*"); at != std::string::npos; at = skate.find("a*"))
    skate.replace(at, 2, "0*");
  const Found balanced = multiplier_of("param m > 0, J > 0\n" + skate, {"x"});
  EXPECT_TRUE(balanced.multiplier.exists.holds());
  EXPECT_TRUE(balanced.model.equal(balanced.multiplier.logarithmic[1], "cos(phi)/sin(phi)"));
}

TEST(ReducingMultiplier, IsOneWhereTheRelationsAreIntegrable) {
  const Found found = multiplier_of(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: z' - y*x' - x*y' = 0\n", {"z"});
  EXPECT_TRUE(found.multiplier.exists.is_proved());
  ASSERT_TRUE(found.multiplier.value);
  EXPECT_TRUE(found.multiplier.value->is_one());
}

TEST(ReducingMultiplier, OtherForcesHaveNone) {
  const Found found = multiplier_of(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce y = -y'\nconstraint c: z' - y*x' = 0\n", {"z"});
  EXPECT_TRUE(found.multiplier.exists.is_refuted());
}

}  // namespace
}  // namespace liaison::test
