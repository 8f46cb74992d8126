#include <fmt/format.h>

#include "liaison/expr/print.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/orientation.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

const std::string plane =
    "param m = 1, J = 2, a = 0.3, k = 5, c = 0.1\ncoord x, y, phi, u, v, psi\n"
    "body A mass m inertia J at [x, y] angle phi\nbody B mass m inertia J at [u, v] angle psi\n";
const std::string space =
    "param m = 1, J = 2, k = 5, c = 0.1\ncoord x, y, z, a, b, u, v, w, d, e\n"
    "body A mass m inertia [J, J, J] at [x, y, z] turned z a, x b\n"
    "body B mass m inertia [J, J, J] at [u, v, w] turned x d, [0, 3, 4] e\n";

Expr output(const System& system, const std::string& name) {
  for (const Output& known : system.outputs)
    if (known.name == name) return known.value;
  ADD_FAILURE() << name;
  return {};
}

std::string of_space(const std::string& bushing) {
  std::string text = space + bushing;
  for (const char* part : {"force", "moment"})
    for (const char axis : {'x', 'y', 'z'})
      text += fmt::format("output {}_{} = U.{}.{}\n", part, axis, part, axis);
  return text;
}

}  // namespace

TEST(Bushings, in_the_plane_are_springs_along_and_about_axes) {
  const System by_hand =
      read_system(plane +
                  "let dx = u + a*cos(psi) - x\nlet dy = v + a*sin(psi) - y\n"
                  "potential k/2*(cos(phi)*dx + sin(phi)*dy)^2 + 2*k/2*(cos(phi)*dy - sin(phi)*dx)^2 + "
                  "3*k/2*(psi - phi)^2\n");
  const System bushing = read_system(plane + "bushing U: A to B at [a, 0] stiffness [k, 2*k, 3*k]\n");
  EXPECT_TRUE(same(bushing, bushing.potential, to_infix(by_hand.potential)));
}

TEST(Bushings, with_one_number_resist_no_turning) {
  const System bushing = read_system(plane + "bushing U: A to B stiffness k\n");
  EXPECT_TRUE(same(bushing, bushing.potential, "k/2*((x - u)^2 + (y - v)^2)"));
}

// The power of its forces and moments, as outputs tell them, is that of its energy and its losses.
TEST(Bushings, have_forces_and_moments_with_the_power_of_their_energy) {
  const System system = read_system(of_space(
      "bushing U: A to B stiffness [k, 2*k, 3*k, 4*k, 5*k, 6*k] damping [c, 2*c, 3*c, 4*c, 5*c, 6*c]\n"));
  const auto vector = [&](const std::string& part) {
    return Triple{output(system, part + "_x"), output(system, part + "_y"), output(system, part + "_z")};
  };
  const Triple force = vector("force"), moment = vector("moment");
  const Body &A = system.bodies[0], &B = system.bodies[1];
  const Triple w1 = rates_in_space(system, A.turns), w2 = rates_in_space(system, B.turns);
  Triple offset, speed, turning;
  for (std::size_t k = 0; k < 3; ++k) {
    offset[k] = B.centre[k] - A.centre[k];
    speed[k] = time_derivative(system, offset[k]);
    turning[k] = w2[k] - w1[k];
  }
  const Triple carried = cross(w1, offset);
  for (std::size_t k = 0; k < 3; ++k) speed[k] = speed[k] - carried[k];
  std::vector<Expr> terms{-time_derivative(system, system.potential)};
  for (std::size_t i = 0; i < system.directions.size(); ++i)
    terms.push_back(system.forces[i] * system.directions[i].velocity);
  EXPECT_TRUE(same(system, system.pool->add(terms), to_infix(dot(force, speed) + dot(moment, turning))));
}

// About one axis alone theta is the sine of the angle.
TEST(Bushings, about_an_axis_feel_its_sine) {
  const System system = read_system(
      "param J = 2, k = 5\ncoord d\nbody B mass 1 inertia [J, J, J] at [0, 0, 0] turned y d\n"
      "bushing U: ground at [0, 0, 0] to B stiffness [0, 0, 0, 2*k, k, 3*k]\noutput M = U.moment.y\n");
  EXPECT_TRUE(same(system, system.potential, "k/2*sin(d)^2"));
  EXPECT_TRUE(same(system, system.outputs[0].value, "-k*sin(d)*cos(d)"));
}

TEST(Bushings, ask_for_units_and_numbers_of_components) {
  const auto code = [](const std::string& text) {
    const std::string said = read_errors(text);
    const std::size_t open = said.find("[L");
    return open == std::string::npos ? said : said.substr(open + 1, 5);
  };
  EXPECT_EQ(code(plane + "bushing U: A to B stiffness [k, k, k, k]\n"), "L0421");
  EXPECT_EQ(code(space + "bushing U: A to B stiffness [k, k]\n"), "L0421");
  EXPECT_EQ(code(plane + "bushing U: A to A stiffness k\n"), "L0418");
  EXPECT_EQ(code(plane + "bushing U: A to B damping c\n"), "L0402");
  EXPECT_EQ(code(plane + "bushing U: A to B stiffness k*x\n"), "L0425");
  EXPECT_EQ(code(plane + "bushing U: A to Q stiffness k\n"), "L0431");
  const std::string units =
      "param m = 1 [kg], J = 2 [kg*m^2], K = 2 [N/m], Kt = 3 [N*m], C = 1 [N*s/m], Ct = 1 [N*m*s]\n"
      "coord x [m], y [m], phi [rad]\nbody B mass m inertia J at [x, y] angle phi\n";
  EXPECT_EQ(code(units + "bushing U: ground at [0, 0] to B stiffness [K, K, Kt] damping [C, C, Ct]\n"), "");
  EXPECT_EQ(code(units + "bushing U: ground at [0, 0] to B stiffness [K, K, K]\n"), "L0412");
  EXPECT_EQ(code(units + "bushing U: ground at [0, 0] to B stiffness K damping K\n"), "L0412");
}

TEST(Bushings, are_printed_as_what_they_are) {
  const System system =
      read_system(plane + "bushing U: A to B at [a, 0] turned 0.1 stiffness [k, 2*k, 3*k] damping c\n");
  const std::string printed = to_lia(system);
  EXPECT_EQ(to_lia(read_system(printed)), printed);
}

}  // namespace liaison::test
