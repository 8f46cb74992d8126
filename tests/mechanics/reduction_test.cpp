#include "liaison/mechanics/reduction.hpp"

#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

TEST(Reduction, ServoCartHasTheReducedFormOfTheCatalogue) {  // G2.VII-ThII
  const Derived cart = derive(
      "param m1 > 0, m2 > 0, l > 0, g\ncoord x, th\n"
      "kinetic (m1 + m2)*x'^2/2 + m2*l*cos(th)*x'*th' + m2*l^2*th'^2/2\npotential -m2*g*l*cos(th)\n"
      "constraint hold: th' = 0 by x'\n");
  EXPECT_TRUE(
      cart.equal(cart.factor("hold"), "-(m1 + m2)*g*tan(th) - m2*l*th'^2*sin(th)"));  // off th' = 0 too
  const auto reduced = derive_omega_s(*cart.algebra, *cart.motion);
  ASSERT_TRUE(reduced);
  EXPECT_TRUE(cart.equal(reduced->form.coefficient({"dx'", "dth"}), "m2*l*cos(th)"));
  EXPECT_TRUE(cart.equal(reduced->form.coefficient({"dth", "dt"}), "-m2*g*l*sin(th)"));
  EXPECT_EQ(reduced->form.terms().size(), 2u);
}

}  // namespace
}  // namespace liaison::test
