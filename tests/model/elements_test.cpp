#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "model_support.hpp"

namespace liaison::test {

const std::string plane =
    "param k = 3, l = 2, c = 0.1, m = 1, J = 1\ncoord x, y, u, v, phi\n"
    "particle P mass m at [x, y]\nbody B mass m inertia J at [u, v] angle phi\n";

TEST(Springs, are_potentials_of_their_length) {
  const System by_hand = read_system(plane + "potential k/2*(sqrt((x - u)^2 + (y - v)^2) - l)^2\n");
  const System spring = read_system(plane + "spring S: P to B stiffness k length l\n");
  EXPECT_EQ(to_lia(spring), to_lia(by_hand));
}

TEST(Springs, without_a_length_have_no_root) {
  const System by_hand = read_system(plane + "potential k/2*((x - 1)^2 + (y - 2*t)^2)\n");
  const System spring = read_system(plane + "spring S: P to [1, 2*t] stiffness k\n");
  EXPECT_EQ(to_lia(spring), to_lia(by_hand));
}

TEST(Springs, hold_points_of_bodies) {
  const System by_hand = read_system(
      plane + "potential k/2*((x - u - l*cos(phi) + sin(phi))^2 + (y - v - l*sin(phi) - cos(phi))^2)\n");
  const System spring = read_system(plane + "spring S: P to B [l, 1] stiffness k\n");
  EXPECT_TRUE(same(spring, spring.potential, to_infix(by_hand.potential)));
}

TEST(Springs, stretch_what_is_written) {
  const System by_hand = read_system(
      plane + "potential k/2*(phi - l)^2\ndissipation c/2*phi'^2\noutput M = k*(phi - l) + c*phi'\n");
  const System spring =
      read_system(plane + "spring S: phi stiffness k length l damping c\noutput M = tension(S)\n");
  EXPECT_EQ(to_lia(spring), to_lia(by_hand));
}

TEST(Springs, have_names_that_other_names_do_not_meet) {
  // a parameter may be called as a clause is
  const System by_hand = read_system(
      "param length = 2, stiffness = 3\ncoord x\nkinetic x'^2\n"
      "potential stiffness/2*(x - 2*length)^2\noutput x_1 = x\n");
  const System spring = read_system(
      "param length = 2, stiffness = 3\ncoord x\nkinetic x'^2\n"
      "spring length: x stiffness stiffness length 2*length\noutput x_1 = length(length)\n");
  EXPECT_EQ(to_lia(spring), to_lia(by_hand));
}

TEST(Laws, of_a_spring_are_slopes_of_its_potential) {
  const std::string table = "table F points (-1, -4), (0, 0), (1, 1), (2, 5) ";
  for (const std::string& law :
       {std::string("k*(length(S) - l) + c*(length(S) - l)^3"), std::string("k*sin(length(S)) + t"),
        std::string("k*max(length(S) - l, 0)^2 + min(2*length(S) + 1, 0)"), std::string("F(length(S) - 1)"),
        std::string("k*length(S)*abs(length(S)) + c*abs(length(S) - l)"),
        std::string("k*sign(length(S))*length(S)^2"),
        std::string("(if length(S) > l then k*(length(S) - l) else 0)"), std::string("min(3*length(S), c)"),
        std::string("(if length(S) > 1 then 3*length(S)^2 else 2 - length(S))"),
        std::string("k*sqrt(length(S))"), std::string("0"), std::string("k")}) {
    for (const std::string kind : {"linear", "cubic extend", "monotone"}) {
      const System spring = read_system(plane + table + kind + "\nspring S: y law " + law + "\n");
      Expr own = in(spring, "y");
      std::string by_hand = law;
      for (std::size_t at; (at = by_hand.find("length(S)")) != std::string::npos;)
        by_hand.replace(at, 9, "y");
      const System force = read_system(plane + table + kind + "\nforce y = -(" + by_hand + ")\n");
      EXPECT_TRUE(same(spring, -derivative(spring.potential, own), to_infix(force.forces[1])))
          << law << " " << kind << "\n"
          << to_infix(spring.potential);
      for (const Expr other : spring.forces) EXPECT_TRUE(other.is_zero());
    }
  }
}

TEST(Laws, between_points_have_tensions) {
  const System by_hand = read_system(
      plane +
      "potential k/2*(sqrt((x - u)^2 + (y - v)^2) - l)^2\noutput F = k*(sqrt((x - u)^2 + (y - v)^2) - l)\n");
  const System spring =
      read_system(plane + "spring S: P to B law k*(length(S) - l)\noutput F = tension(S)\n");
  EXPECT_TRUE(same(spring, spring.outputs[0].value, to_infix(by_hand.outputs[0].value)));
  for (const char* name : {"x", "v"})
    EXPECT_TRUE(same(spring, derivative(spring.potential, in(spring, name)),
                     to_infix(derivative(by_hand.potential, in(by_hand, name)))));
}

TEST(Laws, of_a_damper_are_forces) {
  const System by_hand = read_system(plane + "force x = -c*x'*abs(x') - k*x^3*exp(y)\n");
  const System damper =
      read_system(plane + "damper D: x law c*rate(D)*abs(rate(D)) + k*length(D)^3*exp(y)\n");
  EXPECT_EQ(to_lia(damper), to_lia(by_hand));
}

TEST(Laws, rates_stand_where_velocities_stand) {
  const System system = read_system(plane + "spring S: P to [0, 0] stiffness k\noutput w = rate(S)\n");
  EXPECT_TRUE(same(system, system.outputs[0].value, "(x*x' + y*y')/sqrt(x^2 + y^2)"));
  EXPECT_NE(read_errors(plane + "spring S: x stiffness k\npotential rate(S)\n").find("[L0414]"),
            std::string::npos);
}

TEST(Laws, have_exponents_of_parameters) {
  const std::string law = "k*(length(S)/l)^n + 2*k*length(S)^p";
  const System spring =
      read_system("param n > 0 = 2, p = 3/2, r > 0 = 1\n" + plane + "spring S: x + r law " + law + "\n");
  const Expr x = in(spring, "x");
  EXPECT_TRUE(same(spring, derivative(spring.potential, x), "k*((x + r)/l)^n + 2*k*(x + r)^p"));
  EXPECT_TRUE(spring.forces[0].is_zero());
}

TEST(Laws, ask_for_units) {
  const std::string text =
      "param m = 1 [kg], k = 3 [N/m^3], l = 1 [m]\ncoord x [m], y [m]\nparticle P mass m at [x, y]\n";
  EXPECT_EQ(read_errors(text + "spring S: P to [0, 0] law k*(length(S) - l)^3\n"), "");
  EXPECT_NE(read_errors(text + "spring S: P to [0, 0] law k*(length(S) - l)^2\n").find("[L0412]"),
            std::string::npos);
  EXPECT_NE(read_errors(text + "damper S: P to [0, 0] law k*(length(S) - l)^2\n").find("[L0412]"),
            std::string::npos);
}

TEST(Laws, may_begin_with_a_condition) {
  const System plain =
      read_system(plane + "spring S: P to [0, 0] law (if length(S) > l then k*(length(S) - l) else 0)\n");
  const System bare =
      read_system(plane + "spring S: P to [0, 0] law if length(S) > l then k*(length(S) - l) else 0\n");
  EXPECT_EQ(to_lia(bare), to_lia(plain));
  EXPECT_EQ(read_errors(plane + "damper D: P to [0, 0] law if length(D) > 1 then 3*rate(D) else 0\n"), "");
}

TEST(Laws, are_said_once) {
  EXPECT_NE(read_errors(plane + "spring S: x law k\nspring S: y law k*length(S)\n").find("[L0407]"),
            std::string::npos);
}

TEST(Dampers, resist_the_rate_of_their_length) {
  const System by_hand =
      read_system(plane + "dissipation c/2*((x - 1)*x' + (y - 2)*y')^2/((x - 1)^2 + (y - 2)^2)\n");
  const System damper = read_system(plane + "damper D: P to [1, 2] damping c\n");
  for (std::size_t i = 0; i < by_hand.forces.size(); ++i)
    EXPECT_TRUE(same(damper, damper.forces[i], to_infix(by_hand.forces[i]))) << i;
}

TEST(Dampers, pull_what_is_driven) {
  const System by_hand = read_system(
      "coord x\nkinetic x'^2/2\nrheonomic s = sin(t)\ndissipation (x' - s')^2\n"
      "output F = drive_force(s)\n");
  const System damper = read_system(
      "coord x\nkinetic x'^2/2\nrheonomic s = sin(t)\ndamper D: x - s damping 2\n"
      "output F = drive_force(s)\n");
  EXPECT_TRUE(same(damper, damper.outputs[0].value, to_infix(by_hand.outputs[0].value)));
}

TEST(Springs, ask_for_units) {
  const std::string text = "param m = 1 [kg], l = 30 [cm]\ncoord x [m], y [m]\nparticle P mass m at [x, y]\n";
  EXPECT_EQ(
      read_errors(text +
                  "param k = 2 [N/m], c = 1 [kg/s]\nspring S: P to [0, 0] stiffness k length l damping c\n"),
      "");
  EXPECT_NE(
      read_errors(text + "param k = 2 [N]\nspring S: P to [0, 0] stiffness k length l\n").find("[L0412]"),
      std::string::npos);
  EXPECT_NE(read_errors(text + "spring S: P to [0, 0] stiffness 2 length m\n").find("[L0412]"),
            std::string::npos);
  // a number alone is in SI units
  EXPECT_EQ(read_errors(text + "spring S: P to [0, 0] stiffness 2 length 0.1 damping 3\n"), "");
  EXPECT_EQ(read_errors(text + "param k = 2 [N/m]\nspring S: x stiffness k length 0.1 damping 3\n"), "");
  EXPECT_NE(
      read_errors(text + "param k = 2 [N/m]\nspring S: x stiffness k length m\n").find("the free length"),
      std::string::npos);
  EXPECT_NE(read_errors(text + "param c = 2 [N/m]\ndamper D: x damping c\n").find("[L0412]"),
            std::string::npos);
}

}  // namespace liaison::test
