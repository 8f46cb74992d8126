#include "model_support.hpp"

namespace liaison::test {

TEST(Declarations, parameters_have_values_signs_and_units) {
  const System system = read_system(
      "system \"Many parameters\"\n"
      "param m = 1, R = 50 [cm], l > 0 = 2, k, alpha = pi/6\n"
      "coord x\nkinetic m/2*x'^2\n");
  EXPECT_EQ(system.name, "Many parameters");
  ASSERT_EQ(system.parameters.size(), 5u);
  EXPECT_EQ(*system.parameters[0].value, Rational(1));
  EXPECT_EQ(*system.parameters[1].value, Rational(1, 2)) << "in SI units";
  EXPECT_EQ(system.parameters[1].unit->text, "cm");
  EXPECT_TRUE(system.parameters[2].symbol.symbol().positive);
  EXPECT_FALSE(system.parameters[3].value.has_value());
  EXPECT_NEAR(system.parameters[4].value->to_double(), 0.5235987755982988, 1e-15);
}

TEST(Declarations, coordinates_bring_their_velocities) {
  const System system = read_system("coord x [m], θ\nkinetic x'^2 + θ'^2 + θ̇*x'\n");
  ASSERT_EQ(system.directions.size(), 2u);
  EXPECT_EQ(system.directions[0].form, "dx");
  EXPECT_EQ(system.directions[0].velocity, in(system, "x'"));
  EXPECT_EQ(system.directions[0].velocity.symbol().kind, SymbolKind::velocity);
  EXPECT_EQ(system.directions[1].coordinate, in(system, "theta"));
  EXPECT_TRUE(same(system, system.kinetic, "x'^2 + theta'^2 + theta'*x'"));
}

TEST(Declarations, a_rotation_brings_three_rates_and_a_quaternion) {
  const System system = read_system(
      "coord x\nrotation R (p, q, r) in body\nrotation (u, v, w) in space\n"
      "kinetic x'^2 + p^2 + q^2 + r^2 + u^2 + v^2 + w^2\npotential R33\n");
  ASSERT_EQ(system.rotations.size(), 2u);
  EXPECT_EQ(system.rotations[0].axes, Axes::body);
  EXPECT_EQ(system.rotations[0].first_direction, 1u);
  EXPECT_EQ(system.rotations[0].quaternion[3], in(system, "R_e3"));
  EXPECT_EQ(system.rotations[1].axes, Axes::space);
  EXPECT_EQ(system.rotations[1].quaternion[0], in(system, "rot2_e0"));
  EXPECT_EQ(system.directions[4].form, "w_u");
  EXPECT_EQ(*system.directions[4].rotation, 1u);
  EXPECT_TRUE(system.directions[4].coordinate.empty());
  EXPECT_TRUE(same(system, system.potential, "R_e0^2 - R_e1^2 - R_e2^2 + R_e3^2"));
}

TEST(Declarations, velocity_parameters_cover_all_directions) {
  const System system = read_system(
      "coord x, y, phi, s\n"
      "velocity u, n: x' = u*cos(phi) - n*sin(phi), y' = u*sin(phi) + n*cos(phi)\n"
      "kinetic u^2 + n^2 + phi'^2 + s'^2\n");
  ASSERT_EQ(system.chart.parameters.size(), 4u);
  EXPECT_EQ(system.chart.parameters[0], in(system, "u"));
  EXPECT_EQ(system.chart.parameters[2], in(system, "phi'"));
  ASSERT_EQ(system.chart.velocities.size(), 4u);
  EXPECT_TRUE(same(system, system.chart.velocities[1], "u*sin(phi) + n*cos(phi)"));
  EXPECT_EQ(system.chart.velocities[3], in(system, "s'"));
}

TEST(Declarations, velocity_parameters_may_be_nonlinear) {
  const System system = read_system(
      "param m = 1\ncoord x, y, z\n"
      "velocity v, th, psi: x' = v*sin(th)*cos(psi), y' = v*sin(th)*sin(psi), z' = v*cos(th)\n"
      "kinetic m/2*v^2\nclaim th' == 0\n");
  EXPECT_EQ(system.chart.parameters.size(), 3u);
  EXPECT_EQ(system.claims[0].left.symbol().kind, SymbolKind::auxiliary);
}

TEST(Declarations, intrinsic_velocities_have_fewer_parameters) {
  const System system = read_system(
      "coord x, y, phi\nkinetic x'^2 + y'^2 + phi'^2\nconstraint blade: x'*sin(phi) = y'*cos(phi)\n"
      "intrinsic u: x' = u*cos(phi), y' = u*sin(phi)\nclaim u' == 0\n");
  EXPECT_TRUE(system.chart.parameters.empty());
  EXPECT_EQ(system.intrinsic.parameters.size(), 2u);
  EXPECT_EQ(system.intrinsic.velocities.size(), 3u);
}

TEST(Declarations, functions_are_unknown_or_put_in) {
  const System system = read_system(
      "param m = 1, k = 2\ncoord x\nfunction f(v)\nfunction g(v) = k*v^2\nfunction h(x, y) = g(x) + g(y)\n"
      "kinetic m/2*x'^2\nforce x = -f(x') - h(x, x') - g'(x)\n");
  ASSERT_EQ(system.unknown_functions.size(), 1u);
  EXPECT_EQ(system.unknown_functions[0]->name, "f");
  EXPECT_TRUE(same(system, system.forces[0], "-f(x') - k*x^2 - k*x'^2 - 2*k*x"));
}

TEST(Declarations, names_for_expressions_have_derivatives) {
  const System system = read_system(
      "param R = 2\ncoord x, theta\nkinetic x'^2 + theta'^2\nlet s = x + R*theta\nlet v = s'\n"
      "constraint roll: v = 0\nclaim v' == 0\nclaim s'' == 0\n");
  EXPECT_TRUE(same(system, system.constraints[0].relation, "x' + R*theta'"));
  EXPECT_TRUE(same(system, system.claims[0].left, "x'' + R*theta''"));
  EXPECT_TRUE(same(system, system.claims[1].left, "x'' + R*theta''"));
}

TEST(Declarations, a_rheonomic_coordinate_is_replaced_and_kept) {
  const System system = read_system(
      "param m = 1, v = 2\ncoord q\nrheonomic s = v*t\nparticle P mass m at [s + q, 0]\n"
      "potential m*s^2*q\nconstraint c: q = s\n");
  ASSERT_EQ(system.rheonomic.size(), 1u);
  EXPECT_TRUE(same(system, system.kinetic, "m/2*(v + q')^2"));
  EXPECT_TRUE(same(system, system.kinetic_extended, "m/2*(s' + q')^2"));
  EXPECT_TRUE(same(system, system.potential, "m*v^2*t^2*q"));
  EXPECT_TRUE(same(system, system.potential_extended, "m*s^2*q"));
  EXPECT_TRUE(same(system, system.constraints[0].relation, "q - v*t"));
}

TEST(Declarations, outputs_and_start_values_are_kept_in_order) {
  const System system = read_system(
      "param a = 2\ncoord x\nrotation (p, q, r) in body\nkinetic x'^2 + p^2 + q^2 + r^2\nconstraint c: x' = "
      "p\n"
      "output speed = abs(x')\noutput pull = lambda(c) + x''\nstart x = 1, x' = 2*a, p = 3, rot1_e0 = 1, t = "
      "0\n");
  ASSERT_EQ(system.outputs.size(), 2u);
  EXPECT_EQ(system.outputs[0].name, "speed");
  EXPECT_TRUE(same(system, system.outputs[1].value, "lambda_c + x''"));
  ASSERT_EQ(system.start.size(), 5u);
  EXPECT_EQ(system.start[1].symbol, in(system, "x'"));
  EXPECT_EQ(system.start[1].value, in(system, "2*a"));
}

}  // namespace liaison::test
