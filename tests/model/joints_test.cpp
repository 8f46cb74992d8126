
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/orientation.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

const std::string solid = "body B mass m inertia [A, A, C] ";
/// At a unit quaternion for each rotation, for all other values.
Expr on_the_sphere(const System& system, Expr e) {
  constexpr int values[2][5] = {{1, 2, 2, 4, 5}, {2, 4, 5, 6, 9}};
  Substitution fixed;
  for (std::size_t k = 0; k < system.rotations.size(); ++k) {
    for (std::size_t i = 0; i < 4; ++i) {
      fixed.emplace(system.rotations[k].quaternion[i],
                    system.pool->number(Rational(values[k][i], values[k][4])));
    }
  }
  return substitute(e, fixed);
}

const std::string angles = "param m = 1, A = 2, C = 3, l = 0.5, g = 9.81\ncoord psi, theta, phi\n";

}  // namespace

TEST(Orientation, by_angles_has_the_energy_of_the_top) {
  const System top = read_system(angles + solid + "at [0, 0, 0] angles (psi, theta, phi) order zxz\n");
  EXPECT_EQ(to_lia(top), to_lia(read_system(angles + solid + "at [0, 0, 0] turned z psi, x theta, z phi\n")));
  EXPECT_TRUE(
      same(top, top.kinetic, "A/2*(psi'^2*sin(theta)^2 + theta'^2) + C/2*(phi' + psi'*cos(theta))^2"));
}

TEST(Orientation, rates_are_those_of_its_matrix) {
  // R^T R' is the cross product with the rate on the body, R' R^T with that in space
  const System system = read_system(
      "param m = 1, A = 2, B = 3, C = 4\ncoord a, b\nrotation Q (p, q, r) in body\nrotation S (u, v, w) in "
      "space\n"
      "kinetic u^2 + v^2 + w^2\n"
      "body X mass m inertia [A, B, C] at [0, 0, 0] turned z a + t^2, [1, 2, -2] b, Q, x a*b, S\n");
  const std::vector<Turn>& turns = system.bodies[0].turns;
  ASSERT_EQ(turns.size(), 5u);
  const auto R = orientation_matrix(system, turns);
  const Triple on_body = rates_on_body(system, turns), in_space = rates_in_space(system, turns);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 2) % 3, j = (k + 1) % 3;  // [w x]_ij = w_k for (i, j, k) = (2, 1, 0) and on
    std::vector<Expr> body_sum, space_sum;
    for (std::size_t n = 0; n < 3; ++n) {
      body_sum.push_back(R[3 * n + i] * time_derivative(system, R[3 * n + j]));
      space_sum.push_back(time_derivative(system, R[3 * i + n]) * R[3 * j + n]);
    }
    Algebra algebra(*system.pool);
    const auto agree = [&](const std::vector<Expr>& sum, Expr rate) {
      return algebra.are_equal(on_the_sphere(system, system.pool->add(sum)), on_the_sphere(system, rate))
          .holds();
    };
    EXPECT_TRUE(agree(body_sum, on_body[k])) << k;
    EXPECT_TRUE(agree(space_sum, in_space[k])) << k;
  }
}

TEST(Joints, are_positions_and_turns) {
  const std::string plane = "param m = 1, J = 2, l = 0.5\ncoord a, b, s\n";
  const System jointed = read_system(plane +
                                     "body A mass m inertia J on ground at [1, 2] by hinge a centre [l, 0]\n"
                                     "body B mass m inertia J on A at [2*l, 0] by hinge b centre [0, l]\n"
                                     "body C mass m inertia J on B turned pi/2 by slider s axis [3, 0]\nbody "
                                     "D mass m inertia J on C by weld\n");
  const System by_hand = read_system(plane +
                                     "body A mass m inertia J at [1 + l*cos(a), 2 + l*sin(a)] angle a\n"
                                     "body B mass m inertia J at [1 + 2*l*cos(a) - l*sin(a + b), 2 + "
                                     "2*l*sin(a) + l*cos(a + b)] angle a + b\n"
                                     "body C mass m inertia J at [1 + 2*l*cos(a) - s*sin(a + b), 2 + "
                                     "2*l*sin(a) + s*cos(a + b)] angle a + b\n"
                                     "body D mass m inertia J at [1 + 2*l*cos(a) - s*sin(a + b), 2 + "
                                     "2*l*sin(a) + s*cos(a + b)] angle a + b\n");
  EXPECT_TRUE(same(jointed, jointed.kinetic, to_infix(by_hand.kinetic)));
}

TEST(Joints, may_be_driven) {
  const System driven = read_system(
      "param m = 1, J = 2, w = 3\ncoord x\nrheonomic s = w*t\nbody A mass m inertia J on ground by slider x "
      "axis [1, 0]\n"
      "body B mass m inertia J on A by hinge s centre [1, 0]\n");
  EXPECT_TRUE(
      same(driven, driven.kinetic, "m/2*x'^2 + m/2*((x' - w*sin(w*t))^2 + w^2*cos(w*t)^2) + J/2*w^2"));
}

TEST(Joints, take_moments_on_the_axes_of_their_body) {
  const std::string start = "param m = 1\nrotation R (p, q, r) in space\n";
  const System by_clause =
      read_system(start + "body B mass m inertia [1, 1, 1] at [0, 0, 0] rotation R\nmoment [0, 0, 1] on B\n");
  EXPECT_TRUE(same(by_clause, by_clause.forces[2], "1"));
  for (const std::string place :
       {"on ground by ball R", "on ground turned z 0 by ball R", "at [0, 0, 0] turned R"}) {
    const System on_joint =
        read_system(start + "body B mass m inertia [1, 1, 1] " + place + "\nmoment [0, 0, 1] on B\n");
    const auto matrix = orientation_matrix(on_joint, on_joint.bodies[0].turns);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_TRUE(same(on_joint, on_joint.forces[i], to_infix(matrix[3 * i + 2]))) << place << i;
  }
}

TEST(Joints, are_read_back) {
  for (const std::string& text :
       {angles + solid +
            "at [0, 0, l] angles (psi, theta, phi) order zyx centre [0, 0, l]\ngravity [0, 0, -g]\n",
        angles + solid + "at [0, 0, 0] axis [1, 2, 2] angle psi + theta\nkinetic theta'^2 + phi'^2\n",
        angles + solid + "at [psi, theta, phi] turned z 0\n",
        angles + "rotation Q (p, q, r) in space\n" + solid +
            "on ground turned x theta by ball Q centre [l, 0, 0]\n" +
            "frame F on B at [0, l, 0] turned y psi\nbody D mass m inertia [A, C, C] on F by screw phi axis "
            "[sin(l), 0, cos(l)] pitch l\n" +
            "force [0, 0, 1] at D\n"}) {
    const System system = read_system(text);
    const std::string printed = to_lia(system);
    EXPECT_EQ(to_lia(read_system(printed)), printed) << printed;
  }
}

TEST(Frames, may_be_composed_in_any_order) {
  const std::string start = angles + solid + "at [psi, theta, phi] turned x psi, y theta\n";
  const System once = read_system(start + "force [1, 2, 3] at B [1 + cos(l), sin(l), 4]\n");
  const System twice = read_system(
      start +
      "frame F on B at [1, 0, 3] turned z l\nframe G on F at [0, 0, 1]\nforce [1, 2, 3] at G [1, 0, 0]\n");
  for (std::size_t i = 0; i < once.forces.size(); ++i)
    EXPECT_TRUE(same(once, once.forces[i], to_infix(twice.forces[i]))) << i;
}

TEST(Frames, carry_particles) {
  const std::string start =
      "param m = 1, b = 2\ncoord x, y, phi, psi\nbody B mass m inertia m at [x, y] angle phi\n";
  const System placed = read_system(start +
                                    "particle P mass m at B [b, 0]\nframe F on B at [b, 0] turned psi\n"
                                    "particle Q mass m at F [0, b]\nparticle R mass m at Q\n");
  const System written = read_system(
      start +
      "particle P mass m at [x + b*cos(phi), y + b*sin(phi)]\n"
      "particle Q mass m at [x + b*cos(phi) - b*sin(phi + psi), y + b*sin(phi) + b*cos(phi + psi)]\n"
      "particle R mass m at [x + b*cos(phi) - b*sin(phi + psi), y + b*sin(phi) + b*cos(phi + psi)]\n");
  EXPECT_TRUE(same(placed, placed.kinetic, to_infix(written.kinetic)));
}

}  // namespace liaison::test
