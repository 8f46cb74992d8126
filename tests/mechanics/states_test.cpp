#include "liaison/mechanics/states.hpp"

#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

const std::string plane = "param m > 0\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\n";

Grade grade_on(const Derived& model, const Region& region, std::string_view left, std::string_view right) {
  return model.algebra->are_equal(model(left), model(right), region).grade;
}

TEST(States, a_level_holds_with_its_derivative) {
  const Derived rod = derive(plane + "constraint rod: x^2 + y^2 = 4\n");
  const Region states = states_of(*rod.motion);
  EXPECT_EQ(states.equations.size(), 2U);
  EXPECT_EQ(grade_on(rod, states, "x^2 + y^2", "4"), Grade::proved);
  EXPECT_EQ(grade_on(rod, states, "x*x'", "-y*y'"), Grade::proved);
  EXPECT_EQ(grade_on(rod, states, "x", "sqrt(4 - y^2)"), Grade::refuted);
}

TEST(States, every_component_belongs_to_them) {
  const Derived cross = derive(plane + "constraint cross: x'*y' = 0\n");
  const Region states = states_of(*cross.motion);
  EXPECT_EQ(grade_on(cross, states, "x'*y'", "0"), Grade::proved);
  EXPECT_EQ(grade_on(cross, states, "x'", "0"), Grade::refuted);
  EXPECT_EQ(grade_on(cross, states, "y'", "0"), Grade::refuted);
}

TEST(States, a_quaternion_has_length_one) {
  const Derived body =
      derive("param A > 0\nrotation R (p, q, r) in body\nkinetic A/2*(p^2 + q^2 + r^2)\nclaim p == p\n");
  const Region states = states_of(*body.motion);
  EXPECT_EQ(grade_on(body, states, "R_e0^2 + R_e1^2 + R_e2^2 + R_e3^2", "1"), Grade::proved);
}

TEST(States, there_may_be_none) {
  const Derived nowhere = derive(plane + "constraint c: x^2 + y^2 + 1 = 0\n");
  EXPECT_EQ(grade_on(nowhere, states_of(*nowhere.motion), "x", "x"), Grade::empty);
}

TEST(States, a_domain_of_the_model_bounds_them) {
  const Derived far = derive(plane + "potential sqrt(x - 20)\n");
  EXPECT_TRUE(far.algebra->are_equal(far("abs(x)"), far("x"), states_of(*far.motion)).holds());
}

TEST(Motions, obey_the_equations_of_motion_without_a_division) {
  const Derived cross = derive(plane + "force y = -m\nconstraint cross: x'*y' = 0\n");
  const Region motions = motions_of(*cross.algebra, *cross.motion);
  EXPECT_EQ(grade_on(cross, motions, "x'*y''", "0"), Grade::proved);
  EXPECT_EQ(grade_on(cross, motions, "y''", "-1"), Grade::refuted);
  EXPECT_EQ(grade_on(cross, motions, "y''", "0"), Grade::refuted);
}

TEST(Motions, a_squared_relation_is_kept_as_the_simple_one_is) {
  const Derived squared = derive(plane + "force x = m\nconstraint c: x'^2 = 0\n");
  const Region motions = motions_of(*squared.algebra, *squared.motion);
  // The rate 2 x' x'' of the square vanishes by itself: the motion stays where x' = 0 by x'' = 0, but no
  // force of the squared relation keeps it there.
  EXPECT_EQ(grade_on(squared, motions, "x''", "x''"), Grade::empty);
}

TEST(Motions, a_root_that_is_nowhere_real_is_no_obstacle) {
  const Derived alone = derive(plane + "constraint c: (x^2 + y^2)*(x - 1) = 0\n");
  EXPECT_EQ(grade_on(alone, motions_of(*alone.algebra, *alone.motion), "x''", "0"), Grade::proved);
  EXPECT_EQ(grade_on(alone, states_of(*alone.motion), "x", "1"), Grade::refuted);
}

}  // namespace
}  // namespace liaison::test
