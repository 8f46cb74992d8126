#include "model_support.hpp"

namespace liaison::test {

const std::string start = "param f = 0.2, R = 0.5\ncoord x, y\nkinetic x'^2 + y'^2\n";

TEST(Constraints, are_ideal_and_holonomic_as_they_are_written) {
  const System system = read_system(start +
                                    "constraint rod: x^2 + y^2 = R^2\nconstraint cone: x'^2 = y'^2\n"
                                    "constraint moving: x - t*y = 0\n");
  ASSERT_EQ(system.constraints.size(), 3u);
  EXPECT_TRUE(system.constraints[0].holonomic);
  EXPECT_EQ(system.constraints[0].power_kind, PowerKind::ideal);
  EXPECT_EQ(system.constraints[0].factor, in(system, "lambda_rod"));
  EXPECT_EQ(system.constraints[0].factor.symbol().kind, SymbolKind::multiplier);
  EXPECT_TRUE(same(system, system.constraints[0].relation, "x^2 + y^2 - R^2"));
  EXPECT_FALSE(system.constraints[1].holonomic);
  EXPECT_TRUE(system.constraints[2].holonomic);
}

TEST(Constraints, have_a_power_of_their_own) {
  const System system = read_system(start +
                                    "constraint hold: x' = R*y  by y'\n"
                                    "constraint floor: y' = 0\n"
                                    "  power y' - f*(1 + lambda(floor))*abs(x')\n");
  EXPECT_EQ(system.constraints[0].power_kind, PowerKind::actuated);
  EXPECT_EQ(system.constraints[0].power, in(system, "y'"));
  EXPECT_EQ(system.constraints[1].power_kind, PowerKind::given);
  EXPECT_TRUE(same(system, system.constraints[1].power, "y' - f*(1 + lambda_floor)*abs(x')"));
}

TEST(Constraints, may_give_the_direction_of_their_force) {
  const System system = read_system(
      "param c, k\ncoord x, y\nrotation (p, q, r) in body\nkinetic x'^2 + y'^2 + p^2 + q^2 + r^2\n"
      "constraint cone: x'^2 + y'^2 = k^2  along (2*x' - c*y')*dx + (2*y' + c*x')*dy + k*w_q\n");
  const Constraint& cone = system.constraints[0];
  EXPECT_EQ(cone.power_kind, PowerKind::along);
  ASSERT_EQ(cone.direction.size(), 5u);
  EXPECT_TRUE(same(system, cone.direction[0], "2*x' - c*y'"));
  EXPECT_TRUE(same(system, cone.direction[3], "k"));
  EXPECT_TRUE(same(system, cone.power, "2*x'^2 + 2*y'^2 + k*q"));
}

TEST(Constraints, further_reactions_have_factors_without_relations) {
  const System system =
      read_system(start + "constraint aim: x' = y'  by x'\nreaction thrust: y'\nclaim lambda(thrust) == 0\n");
  ASSERT_EQ(system.reactions.size(), 1u);
  EXPECT_EQ(system.reactions[0].factor, system.claims[0].left);
}

TEST(Constraints, unilateral_ones_have_friction_and_restitution) {
  const System system = read_system(
      start + "unilateral ground: y - R >= 0  friction f  restitution 0.5\nunilateral wall: R ≥ x\n");
  ASSERT_EQ(system.unilaterals.size(), 2u);
  EXPECT_TRUE(same(system, system.unilaterals[0].gap(), "y - R"));
  EXPECT_EQ(*system.unilaterals[0].friction, in(system, "f"));
  EXPECT_EQ(*system.unilaterals[0].restitution, in(system, "1/2"));
  EXPECT_TRUE(same(system, system.unilaterals[1].gap(), "R - x"));
}

TEST(Constraints, unilateral_ones_are_kept_as_constraints_are) {
  const System system = read_system(
      start +
      "unilateral a: x' >= 0 by y'\nunilateral b: x <= R friction f sticking 2*f on y' restitution 1\n"
      "claim motions == several at (x = 1)\n");
  ASSERT_EQ(system.unilaterals.size(), 2u);
  EXPECT_FALSE(system.unilaterals[0].holonomic);
  EXPECT_EQ(system.unilaterals[0].power_kind, PowerKind::actuated);
  EXPECT_TRUE(same(system, system.unilaterals[1].gap(), "R - x"));
  EXPECT_EQ(*system.unilaterals[1].sticking, in(system, "2*f"));
  ASSERT_EQ(system.unilaterals[1].slip.size(), 1u);
  EXPECT_EQ(system.claims.at(0).motions, "several");
  const std::string text = to_lia(system);
  EXPECT_EQ(to_lia(read_system(text)), text);
}

TEST(Constraints, factors_of_later_constraints_may_be_used) {
  const System system =
      read_system(start + "constraint a: x' = 0  power x' - f*lambda(b)*abs(y')\nconstraint b: y' = 0\n");
  EXPECT_TRUE(same(system, system.constraints[0].power, "x' - f*lambda_b*abs(y')"));
}

}  // namespace liaison::test
