#include "liaison/structure/constraint_flag.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

ConstraintFlag flag_of(const Derived& model) {
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  const ConstraintFlagResult result = derive_constraint_flag(*model.algebra, *flow.flow);
  EXPECT_TRUE(result.flag) << result.reason;
  return *result.flag;
}

/// Whether f, a function of the coordinates, is constant along a direction on them.
bool rate_is_zero(const Derived& model, Expr f, const std::vector<std::string>& direction) {
  Expr rate = model.algebra->pool().number(0);
  for (std::size_t i = 0; i < direction.size(); ++i)
    rate = rate + model(direction[i]) * derivative(f, model.motion->space.system->directions[i].coordinate);
  return model.algebra->is_zero(rate).is_proved();
}

using Growth = std::vector<std::size_t>;

TEST(ConstraintFlag, RollingDiscReachesEverything) {  // MO7-derived-system
  const ConstraintFlag flag = flag_of(derive_file("classics/rolling_disc.lia"));
  EXPECT_EQ(flag.growth, (Growth{2, 3, 4}));
  EXPECT_EQ(flag.derived, (Growth{2, 3, 4}));
  EXPECT_EQ(flag.grade, Grade::proved);
  EXPECT_FALSE(flag.with_time);
  EXPECT_TRUE(flag.integrable.empty());
}

/// A car with n trailers, each of length 1 (Jean, 1996): at a general place one more direction a bracket.
std::string trailers(int n) {
  std::string coordinates = "coord x, y", kinetic = "kinetic (x'^2 + y'^2)/2", constraints;
  for (int k = 0; k <= n; ++k) {
    const std::string theta = "th" + std::to_string(k);
    coordinates += ", " + theta;
    kinetic += " + " + theta + "'^2/2";
    constraints += "constraint c" + std::to_string(k) + ": x'*sin(" + theta + ") - y'*cos(" + theta + ")";
    for (int j = k + 1; j <= n; ++j) {
      const std::string other = "th" + std::to_string(j);
      constraints += " - " + other + "'*cos(" + theta + " - " + other + ")";
    }
    constraints += " = 0\n";
  }
  return coordinates + "\n" + kinetic + "\n" + constraints;
}

TEST(ConstraintFlag, TrailersGrowByOneABracket) {
  EXPECT_EQ(flag_of(derive(trailers(0))).growth, (Growth{2, 3}));
  EXPECT_EQ(flag_of(derive(trailers(1))).growth, (Growth{2, 3, 4}));
  EXPECT_EQ(flag_of(derive(trailers(2))).growth, (Growth{2, 3, 4, 5}));
}

TEST(ConstraintFlag, AnIntegrableConstraintHasItsIntegral) {
  const Derived model =
      derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: z' - y*x' - x*y' = 0\n");
  const ConstraintFlag flag = flag_of(model);
  EXPECT_EQ(flag.growth, (Growth{2}));
  ASSERT_EQ(flag.integrable.size(), 1u);
  ASSERT_TRUE(flag.integrable[0].integral);
  const Expr e = *flag.integrable[0].integral;
  EXPECT_TRUE(model.equal(e, "z - x*y") || model.equal(e, "x*y - z")) << to_infix(e);
}

TEST(ConstraintFlag, AnIntegratingFactorIsFound) {
  const Derived model =
      derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: y*z' - z*y' = 0\n");
  const ConstraintFlag flag = flag_of(model);
  EXPECT_EQ(flag.growth, (Growth{2}));
  ASSERT_EQ(flag.integrable.size(), 1u);
  ASSERT_TRUE(flag.integrable[0].integral);
  const Expr f = *flag.integrable[0].integral;  // a function of z/y: it depends on it, and on nothing else
  EXPECT_TRUE(rate_is_zero(model, f, {"0", "y", "z"})) << to_infix(f);
  EXPECT_TRUE(rate_is_zero(model, f, {"1", "0", "0"})) << to_infix(f);
  EXPECT_FALSE(rate_is_zero(model, f, {"0", "0", "1"})) << to_infix(f);
}

TEST(ConstraintFlag, TheLargestIntegrablePartIsOneOfTwo) {
  // Neither is integrable alone; their sum is w' - z z' = 0, so that three dimensions of four are reached.
  const Derived model = derive(
      "coord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\nconstraint a: x' - y*z' = 0\n"
      "constraint b: w' - x' + y*z' - z*z' = 0\n");
  const ConstraintFlag flag = flag_of(model);
  EXPECT_EQ(flag.growth, (Growth{2, 3}));
  ASSERT_EQ(flag.integrable.size(), 1u);
  ASSERT_TRUE(flag.integrable[0].integral);
  const Expr f = *flag.integrable[0].integral;  // a function of w - z^2/2
  EXPECT_TRUE(rate_is_zero(model, f, {"1", "0", "0", "0"})) << to_infix(f);
  EXPECT_TRUE(rate_is_zero(model, f, {"0", "1", "0", "0"})) << to_infix(f);
  EXPECT_TRUE(rate_is_zero(model, f, {"0", "0", "1", "z"})) << to_infix(f);
  EXPECT_FALSE(rate_is_zero(model, f, {"0", "0", "0", "1"})) << to_infix(f);
}

TEST(ConstraintFlag, TimeIsADirectionWhereItCounts) {
  // On y' = t x' motions leave every surface; on y' = t none.
  const ConstraintFlag free =
      flag_of(derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y' - t*x' = 0\n"));
  EXPECT_TRUE(free.with_time);
  EXPECT_EQ(free.growth, (Growth{2, 3}));
  const Derived driven = derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y' - t = 0\n");
  const ConstraintFlag bound = flag_of(driven);
  EXPECT_EQ(bound.growth, (Growth{2}));
  ASSERT_EQ(bound.integrable.size(), 1u);
  ASSERT_TRUE(bound.integrable[0].integral);
  const Expr f = *bound.integrable[0].integral;
  EXPECT_TRUE(driven.equal(f, "y - t^2/2") || driven.equal(f, "t^2/2 - y")) << to_infix(f);
}

TEST(ConstraintFlag, SphereRollsAnywhereInAnyPosition) {
  EXPECT_EQ(flag_of(derive_file("classics/sphere_rolling.lia")).growth, (Growth{3, 5}));
}

}  // namespace
}  // namespace liaison::test
