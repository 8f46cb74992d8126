#include "liaison/model/kinematics.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

const std::string disc =
    "param f0, f1, R\nfunction f(v)\ncoord xi, eta, theta\nkinetic xi'^2 + eta'^2 + theta'^2\n"
    "constraint c: xi = 0\n";

std::optional<std::vector<Expr>> gradient_of(const System& system, std::string_view power) {
  const std::vector<Expr> velocities{in(system, "xi'"), in(system, "eta'"), in(system, "theta'")};
  return power_gradient(in(system, power), velocities);
}

}  // namespace

TEST(Power, of_constant_coefficients_is_its_gradient) {
  const System system = read_system(disc);
  const auto l = gradient_of(system, "eta' - f0*sqrt(xi'^2 + theta'^2) + R*abs(theta')");
  ASSERT_TRUE(l);
  EXPECT_TRUE(same(system, (*l)[0], "-f0*xi'/sqrt(xi'^2 + theta'^2)"));
  EXPECT_TRUE(same(system, (*l)[1], "1"));
}

// Row G2.VI-ThI: with f = f0 + f1*V the direction is (-f, 1, -f*R), not the gradient of the power.
TEST(Power, holds_coefficients_fixed_that_depend_on_the_speed) {
  const System system = read_system(disc);
  for (const std::string f : {"(f0 + f1*abs(xi' + R*theta'))", "f(abs(xi' + R*theta'))"}) {
    const auto l = gradient_of(system, "eta' - " + f + "*abs(xi' + R*theta')");
    ASSERT_TRUE(l) << f;
    EXPECT_TRUE(same(system, (*l)[0], "-" + f + "*sign(xi' + R*theta')"));
    EXPECT_TRUE(same(system, (*l)[1], "1"));
    EXPECT_TRUE(same(system, (*l)[2], "-" + f + "*R*sign(xi' + R*theta')"));
  }
}

TEST(Power, may_stand_in_brackets_and_in_higher_powers_of_one_speed) {
  const System system = read_system(disc);
  const auto bracket = gradient_of(system, "R*(eta' - f(xi')*abs(xi'))");
  ASSERT_TRUE(bracket);
  EXPECT_TRUE(same(system, (*bracket)[0], "-R*f(xi')*sign(xi')"));
  const auto cubic = gradient_of(system, "eta' - f1*(xi'^2 + theta'^2)^(3/2)");
  ASSERT_TRUE(cubic);
  EXPECT_TRUE(same(system, (*cubic)[0], "-f1*sqrt(xi'^2 + theta'^2)*xi'"));
}

TEST(Power, is_refused_where_no_one_speed_carries_it) {
  const System system = read_system(disc);
  EXPECT_FALSE(gradient_of(system, "xi'*eta'"));
  EXPECT_FALSE(gradient_of(system, "eta' - f0"));
  EXPECT_FALSE(gradient_of(system, "sin(xi')"));
  EXPECT_FALSE(gradient_of(system, "f(xi')"));
}

}  // namespace liaison::test
