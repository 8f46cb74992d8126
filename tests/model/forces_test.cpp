#include "model_support.hpp"

#include "liaison/expr/substitute.hpp"

namespace liaison::test {

const std::string plane = "param m = 2, J = 3, g = 9.81, a = 0.5\ncoord x, y, phi\n";

TEST(Forces, particles_have_the_energy_of_their_motion) {
  const System system = read_system(
      "param m = 1, l = 2, w = 3\ncoord theta\n"
      "particle P mass m at [l*sin(theta) + cos(w*t), -l*cos(theta)]\n");
  EXPECT_TRUE(
      same(system, system.kinetic, "m/2*((l*cos(theta)*theta' - w*sin(w*t))^2 + (l*sin(theta)*theta')^2)"));
}

TEST(Forces, a_plane_body_moves_and_turns) {
  const System system = read_system(plane + "body B mass m inertia J at [x, y] angle 2*phi\n");
  EXPECT_TRUE(same(system, system.kinetic, "m/2*(x'^2 + y'^2) + 2*J*phi'^2"));
}

TEST(Forces, a_body_on_its_own_axes_has_products_of_inertia) {
  const System system = read_system(
      "param M, A, B, C, D, E, F\ncoord x, y, z\nrotation (p, q, r) in body\n"
      "body S mass M inertia [A, B, C, D, E, F] at [x, y, z] rotation (p, q, r)\n");
  EXPECT_TRUE(same(system, system.kinetic,
                   "M/2*(x'^2 + y'^2 + z'^2) + (A*p^2 + B*q^2 + C*r^2)/2 - D*q*r - E*r*p - F*p*q"));
}

TEST(Forces, a_sphere_in_space_axes_needs_no_quaternion) {
  const System system = read_system(
      "param M, A\ncoord x, y, z\nrotation (p, q, r) in space\n"
      "body S mass M inertia [A, A, A] at [x, y, z] rotation (p, q, r)\n");
  EXPECT_TRUE(same(system, system.kinetic, "M/2*(x'^2 + y'^2 + z'^2) + A/2*(p^2 + q^2 + r^2)"));
}

TEST(Forces, a_body_in_space_axes_turns_its_inertia) {
  const System system = read_system(
      "param M, A, C\ncoord x, y, z\nrotation R (p, q, r) in space\n"
      "body S mass M inertia [A, A, C] at [x, y, z] rotation R\n"
      "output along = p*R13 + q*R23 + r*R33\n");
  // On the unit quaternion: A*|w|^2/2 + (C - A)/2*(w . axis)^2; at rest position the axis is z.
  const std::string at_rest =
      "M/2*(x'^2 + y'^2 + z'^2) + A/2*((R_e0^2*p)^2 + (R_e0^2*q)^2) + C/2*(R_e0^2*r)^2";
  Expr kinetic = system.kinetic;
  Substitution rest;
  for (const char* name : {"R_e1", "R_e2", "R_e3"}) rest.emplace(in(system, name), system.pool->number(0));
  EXPECT_TRUE(same(system, substitute(kinetic, rest), at_rest));
}

TEST(Forces, gravity_acts_on_all_bodies) {
  const System system = read_system(plane +
                                    "particle P mass m at [x, y + a]\n"
                                    "gravity [0, -g]\n"
                                    "body B mass 3*m inertia J at [x, y] angle phi\n");
  EXPECT_TRUE(same(system, system.potential, "m*g*(y + a) + 3*m*g*y"));
}

TEST(Forces, generalised_forces_add_up) {
  const System system = read_system(plane +
                                    "kinetic x'^2 + y'^2 + phi'^2\nforce x = -x\nforce x = 3*y'\n"
                                    "dissipation a/2*(x'^2 + 2*phi'^2)\n");
  EXPECT_TRUE(same(system, system.forces[0], "-x + 3*y' - a*x'"));
  EXPECT_TRUE(same(system, system.forces[1], "0*x"));
  EXPECT_TRUE(same(system, system.forces[2], "-2*a*phi'"));
}

TEST(Forces, a_force_at_a_point_works_on_its_velocity) {
  const System system =
      read_system(plane +
                  "body B mass m inertia J at [x, y] angle phi\n"
                  "force [2, 3] at B [a, 0]\nforce [1, 0] at B\nforce [0, 5] at [0, x^2]\n");
  EXPECT_TRUE(same(system, system.forces[0], "3 + 10*x"));
  EXPECT_TRUE(same(system, system.forces[1], "3"));
  EXPECT_TRUE(same(system, system.forces[2], "-2*a*sin(phi) + 3*a*cos(phi)"));
}

TEST(Forces, a_force_on_a_body_in_space_has_a_moment_about_its_centre) {
  const System system = read_system(
      "param m, A, b\ncoord x, y, z\nrotation R (p, q, r) in body\n"
      "body S mass m inertia [A, A, A] at [x, y, z] rotation R\nforce [0, 0, 1] at S [b, 0, 0]\n");
  // b e1 x k on body axes: k has the components R31, R32, R33 there.
  EXPECT_TRUE(same(system, system.forces[2], "1"));
  EXPECT_TRUE(same(system, system.forces[3], "0*b"));
  EXPECT_TRUE(same(system, system.forces[4], "-b*(R_e0^2 - R_e1^2 - R_e2^2 + R_e3^2)"));
  EXPECT_TRUE(same(system, system.forces[5], "b*(2*R_e0*R_e1 + 2*R_e2*R_e3)"));
}

TEST(Forces, moments_act_on_the_rates_or_on_the_angle) {
  const System system = read_system(
      "param m, A, G\ncoord x, y, z, phi\nrotation (p, q, r) in space\n"
      "body S mass m inertia [A, A, A] at [x, y, z] rotation (p, q, r)\n"
      "body W mass m inertia A at [x, y] angle 3*phi\nmoment [1, 2, 3] on S\nmoment G on W\nforce q = 5\n");
  EXPECT_TRUE(same(system, system.forces[3], "3*G"));
  EXPECT_TRUE(same(system, system.forces[4], "1"));
  EXPECT_TRUE(same(system, system.forces[5], "7"));
}

}  // namespace liaison::test
