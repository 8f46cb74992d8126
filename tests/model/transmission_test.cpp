#include "liaison/expr/print.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

const std::string two = "param r = 2, m = 1, g = 9.81\ncoord a, b, x, y\nkinetic a'^2 + b'^2 + x'^2 + y'^2\n";

void expect_same(const std::string& shorter, const std::string& by_hand) {
  EXPECT_EQ(to_lia(read_system(two + shorter)), to_lia(read_system(two + by_hand)));
}

}  // namespace

TEST(Lagrangian, is_what_is_left_at_rest_and_the_rest) {
  const System system = read_system(
      "param m = 1, k = 2, w = 3\ncoord x, y\nlagrangian m/2*((x' - w*y)^2 + (y' + w*x)^2) - k/2*(x^2 + "
      "y^2)\n");
  EXPECT_TRUE(same(system, system.kinetic, "m/2*(x'^2 + y'^2) + m*w*(x*y' - y*x')"));
  EXPECT_TRUE(same(system, system.potential, "(k - m*w^2)/2*(x^2 + y^2)"));
  EXPECT_EQ(to_lia(read_system(to_lia(system))), to_lia(system));
}

TEST(Lagrangian, adds_to_bodies) {
  const System system =
      read_system("param m = 1\ncoord x, y\nparticle P mass m at [x, 0]\nlagrangian y'^2 - x*y\n");
  EXPECT_TRUE(same(system, system.kinetic, "m/2*x'^2 + y'^2"));
  EXPECT_TRUE(same(system, system.potential, "x*y"));
}

TEST(Inputs, are_functions_of_the_time) {
  expect_same("input u = sin(3*t)\nforce x = u + u'\n", "force x = sin(3*t) + 3*cos(3*t)\n");
  expect_same("table f points (0, 0), (1, 2)\ninput u = f(t)\nforce x = u\n",
              "table f points (0, 0), (1, 2)\nforce x = f(t)\n");
  expect_same("input u\nforce x = u + u'\n", "function u(s)\nforce x = u(t) + u'(t)\n");
  EXPECT_NE(read_errors(two + "input u = x\n").find("L0425"), std::string::npos);
}

TEST(Gears, relate_rates) {
  expect_same("gear G: a to b - x ratio -r\n", "constraint G: a' + r*(b' - x') = 0\n");
  expect_same("rack K: x to a radius r\noutput M = lambda(K)\n",
              "constraint K: x' - r*a' = 0\noutput M = lambda(K)\n");
  expect_same("cam C: x = r + cos(a)\n", "constraint C: x = r + cos(a)\n");
}

TEST(Ropes, pull_their_ends_together) {
  expect_same(
      "particle P mass m at [x, 0]\nparticle Q mass m at [0, y]\nrope R: P to [0, 1] to Q length 5 - r*a\n"
      "output pull = tension(R)\noutput way = length(R)\n",
      "particle P mass m at [x, 0]\nparticle Q mass m at [0, y]\n"
      "let way = sqrt(x^2 + 1) + sqrt((1 - y)^2)\nconstraint R: 5 - r*a - way = 0\n"
      "output pull = lambda(R)\noutput way = way\n");
}

TEST(Wheels, roll_in_the_plane) {
  const std::string body = "param J = 1\ncoord phi\nbody B mass m inertia J at [x, y] angle phi\n";
  const System wheel =
      read_system(two + body + "wheel W: B radius r\noutput F = W.force.x\noutput N = W.force.y\n");
  const System by_hand = read_system(two + body +
                                     "constraint W_n: y - r = 0\nconstraint W_f: x' + r*phi' = 0\n"
                                     "output F = lambda(W_f)\noutput N = lambda(W_n)\n");
  EXPECT_EQ(to_lia(wheel), to_lia(by_hand));
  // on a plank that moves: no slip against its point there
  const System plank =
      read_system(two + body +
                  "coord s\nbody P mass m inertia J on ground by slider s axis [1, 0]\nframe top on P\n"
                  "wheel W: B radius r on top\n");
  ASSERT_EQ(plank.constraints.size(), 2u);
  EXPECT_TRUE(same(plank, plank.constraints[1].relation, "x' - s' + r*phi'"));
}

TEST(Wheels, roll_in_space) {
  const std::string body =
      "param A = 1, C = 2\ncoord X, Y, psi, phi, theta\n"
      "body B mass m inertia [A, C, A] at [X, Y, r] turned z psi, y phi\n";
  const System upright = read_system(two + body + "kinetic theta'^2\nwheel W: B axis [0, 1, 0] radius r\n");
  ASSERT_EQ(upright.constraints.size(), 2u);  // its height holds by itself
  EXPECT_TRUE(same(upright, upright.constraints[0].relation, "X'*cos(psi) + Y'*sin(psi) - r*phi'"));
  EXPECT_TRUE(same(upright, upright.constraints[1].relation, "Y'*cos(psi) - X'*sin(psi)"));
  const std::string leaning =
      "param A = 1, C = 2\ncoord X, Y, Z, psi, phi, theta\n"
      "body B mass m inertia [A, C, A] at [X, Y, Z] turned z psi, x theta, y phi\n";
  const System disc = read_system(two + leaning + "wheel W: B axis [0, 1, 0] radius r\n");
  ASSERT_EQ(disc.constraints.size(), 3u);
  // Appell's disc: its centre stands at r*cos(theta), the point that touches does not move
  EXPECT_TRUE(same(disc, disc.constraints[0].relation, "Z - r*sqrt(1 - sin(theta)^2)"));
}

TEST(Drag, is_against_the_square_of_the_speed) {
  expect_same("particle P mass m at [x, y]\ndrag at P coefficient r wind [3, 0]\n",
              "particle P mass m at [x, y]\nlet s = sqrt((x' - 3)^2 + y'^2)\nforce x = -r*s*(x' - 3)\nforce "
              "y = -r*s*y'\n");
}

TEST(Points, have_velocities_and_bodies_momenta) {
  const std::string body = "param J = 1, l = 3\ncoord phi\nbody B mass m inertia J at [x, y] angle phi\n";
  expect_same(body +
                  "output A = velocity(B [l, 0]).x\noutput Sb = speed(B)\noutput c = B.momentum.y\noutput d "
                  "= B.spin\n"
                  "output e = velocity(B [l, 0]).y'\n",
              body +
                  "frame F on B at [l, 0]\noutput A = F.x'\noutput Sb = sqrt(x'^2 + y'^2)\noutput c = m*y'\n"
                  "output d = J*phi'\noutput e = F.y''\n");
  const System space = read_system(
      "param m = 1, A = 1, C = 2\ncoord psi, theta, phi\n"
      "body B mass m inertia [A, A, C] at [0, 0, 0] angles (psi, theta, phi) order zxz\noutput Lz = "
      "B.spin.z\n");
  EXPECT_TRUE(
      same(space, space.outputs[0].value, "A*psi'*sin(theta)^2 + C*(phi' + psi'*cos(theta))*cos(theta)"));
}

}  // namespace liaison::test
