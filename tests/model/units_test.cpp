#include "liaison/model/unit.hpp"

#include "liaison/expr/print.hpp"
#include "model_support.hpp"

namespace liaison::test {

TEST(Units, are_products_of_powers) {
  const auto newton = parse_unit("kg*m/s^2");
  ASSERT_TRUE(newton);
  EXPECT_EQ(newton->dimension, parse_unit("N")->dimension);
  EXPECT_EQ(parse_unit("N·m")->dimension, parse_unit("J")->dimension);
  EXPECT_EQ(parse_unit("1/s")->dimension, parse_unit("Hz")->dimension);
  EXPECT_EQ(parse_unit("m²")->dimension, parse_unit(" m^2 ")->dimension);
  EXPECT_EQ(parse_unit("m^(1/2)")->dimension, power(parse_unit("m")->dimension, Rational(1, 2)));
  EXPECT_TRUE(parse_unit("rad")->dimension.is_none());
}

TEST(Units, know_their_size) {
  EXPECT_EQ(parse_unit("km/h")->scale, Rational(5, 18));
  EXPECT_EQ(parse_unit("cm^2")->scale, Rational(1, 10000));
  EXPECT_EQ(parse_unit("g")->scale, Rational(1, 1000));
}

TEST(Units, of_angles_have_pi_in_them) {
  const System system = read_system(
      "param a = 30 [deg], w = 60 [rpm]\ncoord x\nkinetic x'^2\n"
      "start x = 90 [deg], x' = 15 [rpm]\nclaim x == 0 at (x = 2 [rev])\n");
  EXPECT_EQ(system.start[0].value, in(system, "pi/2"));
  EXPECT_EQ(system.start[1].value, in(system, "pi/2"));
  EXPECT_EQ(system.claims[0].at[0].value, in(system, "4*pi"));
  EXPECT_DOUBLE_EQ(system.parameters[0].value->to_double(), std::acos(-1.0) / 6);
  EXPECT_DOUBLE_EQ(system.parameters[1].value->to_double(), 2 * std::acos(-1.0));
  EXPECT_NE(to_lia(system).find("param a = 30 [deg]"), std::string::npos);
  const System given =
      read_system("param a = 30 [deg]\ncoord x\nkinetic x'^2\nclaim cos(a) == 0 at (a = 90)\n");
  EXPECT_EQ(given.claims[0].at[0].value, in(given, "pi/2"));
  EXPECT_NE(to_lia(given).find("at (a = 90)"), std::string::npos);
  EXPECT_EQ(parse_unit("deg/deg")->scale, Rational(1));
  EXPECT_FALSE(parse_unit("deg^(1/2)"));
}

TEST(Units, are_refused_if_they_are_none) {
  for (const char* text :
       {"", "metre", "degree", "m/", "*m", "m^", "m^x", "m^(1/2", "2*m", "m m", "m^1000"}) {
    EXPECT_FALSE(parse_unit(text)) << text;
  }
}

TEST(Units, are_described_by_name_and_base) {
  EXPECT_EQ(describe(parse_unit("N")->dimension), "N (kg·m/s²)");
  EXPECT_EQ(describe(parse_unit("J")->dimension), "N·m (kg·m²/s²)");
  EXPECT_EQ(describe(parse_unit("m/s^2")->dimension), "m/s²");
  EXPECT_EQ(describe(parse_unit("1/s")->dimension), "1/s");
  EXPECT_EQ(describe(parse_unit("m^(1/2)")->dimension), "m^(1/2)");
  EXPECT_EQ(describe(Dimension{}), "a plain number");
}

TEST(Units, zero_has_every_one) {
  const std::string text =
      "param m = 1 [kg], k = 3 [N/m], d = 1 [m]\ncoord x [m], y [m]\nkinetic m/2*(x'^2 + y'^2)\n";
  for (const char* force : {"-k*max(0, x - d)", "k*min(x - d, 0)", "k*d*atan2(0, x)", "k*d*atan2(x, 0)"}) {
    EXPECT_EQ(read_errors(text + "force x = " + force + "\n"), "") << force;
  }
  // another number has none, and the result has the unit of what is not zero
  EXPECT_NE(read_errors(text + "force x = -k*max(1, x - d)\n"), "");
  EXPECT_NE(read_errors(text + "force x = max(0, x - d)\n"), "");
}

TEST(Units, that_are_not_given_are_found) {
  const std::string text =
      "param m = 1 [kg], k, c, l\ncoord x [m], theta\nkinetic m/2*x'^2 + m*l^2/2*theta'^2\n"
      "potential k/2*x^2 + m*l*x*k/m\ndissipation c/2*x'^2\nforce theta = k*l*x\n";
  EXPECT_EQ(read_errors(text), "");
  EXPECT_NE(read_errors(text + "claim k == c\n"), "") << "k is N/m, c is N*s/m";
  EXPECT_EQ(read_errors(text + "claim theta'' == k/m\n"), "");
}

TEST(Units, of_a_model_without_units_are_not_checked) {
  EXPECT_EQ(read_errors("coord x\nkinetic x'^2\npotential x + x^2\nconstraint c: x' = sin(x) + t\n"), "");
}

TEST(Units, of_factors_follow_from_the_power) {
  const std::string text =
      "param m = 1 [kg], g = 9.81 [m/s^2]\ncoord y [m]\nkinetic m/2*y'^2\nforce y = -m*g\nconstraint floor: "
      "y' = 0\n";
  EXPECT_EQ(read_errors(text + "claim lambda(floor) == m*g\nclaim lambda(floor) == 9.81\n"), "");
  EXPECT_NE(read_errors(text + "claim lambda(floor) == g\n"), "");
}

TEST(Units, of_values_are_those_of_the_declaration_or_stand_behind_the_number) {
  const System system = read_system(
      "param m = 1 [kg], R > 0 = 50 [cm]\ncoord x [m]\nkinetic m/2*x'^2\nstart x = 3 [cm], x' = 36 [km/h]\n"
      "claim x == 0 at (R = 20, x = 5 [mm])\nclaim x == 0 at (R = 2 [m], m = 3 [g])\nclaim x == 0 at (x = "
      "R)\n");
  EXPECT_EQ(system.start[0].value, in(system, "3/100"));
  EXPECT_EQ(system.start[1].value, in(system, "10"));
  EXPECT_EQ(system.claims[0].at[0].value, in(system, "1/5"));
  EXPECT_EQ(system.claims[0].at[1].value, in(system, "1/200"));
  EXPECT_EQ(system.claims[1].at[0].value, in(system, "2"));
  EXPECT_EQ(system.claims[1].at[1].value, in(system, "3/1000"));
  EXPECT_EQ(system.claims[2].at[0].value, in(system, "R"));
}

TEST(Units, of_numbers_in_comparisons_are_those_of_the_other_side) {
  const std::string with = "param m = 1 [kg], F = 2 [N], l = 3 [m]\ncoord x [m]\nkinetic m/2*x'^2\n";
  const std::string without = "param m = 1, F = 2, l = 3\ncoord x\nkinetic m/2*x'^2\n";
  const std::string force =
      "force x = if 0.7 < t and x/l < 0.5 or 0.1 < x < 2 then F else 0\nforce x = piecewise(x' > 3, F, -F)\n"
      "event late: t = 0.7 then stop\nclaim (if t > 1 then x else l) == x at (x = 2, t = 2)\n";
  const System system = read_system(with + force), plain = read_system(without + force);
  EXPECT_EQ(to_infix(system.forces[0]), to_infix(plain.forces[0]));
  EXPECT_EQ(to_infix(system.claims[0].left), to_infix(plain.claims[0].left));
  EXPECT_NE(read_errors(with + "force x = if t + 0.7 < 1 then F else 0\n"), "");
  EXPECT_NE(read_errors(with + "force x = if t < x then F else 0\n").find("[L0412]"), std::string::npos);
}

TEST(Units, of_values_fit_what_they_are_given_to) {
  const std::string text = "param m = 1 [kg], R = 50 [cm]\ncoord x [m]\nkinetic m/2*x'^2\n";
  EXPECT_NE(read_errors(text + "start x = 3 [s]\n").find("`x` is m, and this is s [L0412]"),
            std::string::npos);
  EXPECT_NE(read_errors(text + "start x' = 3 [m]\n").find("[L0412]"), std::string::npos);
  EXPECT_NE(read_errors(text + "start x = 3 [metre]\n").find("[L0411]"), std::string::npos);
  EXPECT_NE(read_errors(text + "start x = 2*R [cm]\n").find("[L0411]"), std::string::npos);
}

// Places by numbers are lengths, also where they meet the lengths of coordinates.
TEST(Units, of_numbers_in_places_are_metres) {
  const std::string text =
      "param m = 1 [kg], J = 1 [kg*m^2], k = 5 [N/m], g = 9.81 [m/s^2]\ncoord x [m], y [m], phi [rad]\n"
      "body B mass m inertia J at [x, y] angle phi\ngravity [0, -g]\n";
  const std::string springs =
      "frame F on B at [0.5, 0]\nspring S: F to [0, 2] stiffness k length 0.4\n"
      "spring Q: B [0.1, 0.2] to [0, 0] stiffness k\noutput pull = tension(S)\noutput other = tension(Q)\n"
      "output far = distance(F, B [0.1, 0.1])\noutput height = F.y + y\n"
      "spring R: F to [pi/4, sqrt(2)] stiffness 2*pi length pi/9\n";
  EXPECT_EQ(read_errors(text + springs), "");
  const System system = read_system(text + springs);
  EXPECT_TRUE(same(system, system.outputs[3].value, "2*y + sin(phi)/2"));
  EXPECT_TRUE(same(system, system.outputs[2].value, "sqrt(0.4^2 + 0.1^2)"));
  EXPECT_NE(read_errors(text + "output wrong = distance(B [0.5, 0], [1, 1]) + m\n").find("[L0412]"),
            std::string::npos);
  EXPECT_EQ(
      read_errors(
          "param m = 1 [kg], l = 2 [m]\ncoord a, b, s [m]\nbody A mass m inertia m*l^2 on ground at "
          "[0.5, 0.25] by hinge a centre [0.5, 0]\nbody B mass m inertia m*l^2 on A at [1, 0] by hinge b "
          "centre [0.5, 0]\njoint J: B at [1, 0] to ground at [2, 0.25] hinge\nkinetic m*s'^2\n"),
      "");
}

// What a clause gives as a number is in SI units, wherever that number goes.
TEST(Units, of_numbers_in_clauses_are_those_of_their_use) {
  const std::string text =
      "param g = 9.81 [m/s^2]\ncoord x [m], y [m], phi [rad], s [m]\n"
      "body B mass 2 inertia 0.1 at [x, y] angle phi\ngravity [0, -g]\nparticle Q mass 3 at [s, 0]\n";
  EXPECT_EQ(read_errors(text + "spring S: B to [0, 1] stiffness 300 length 0.5 damping 2\n"
                               "spring T: phi stiffness 8 length 0.1 damping 0.2\n"
                               "rope R: B [0.1, 0] to [0, 3] length 2\nrack K: s to phi radius 0.2\n"
                               "bushing U: ground at [0, 1] to B stiffness [1, 2, 3] damping 4\n"
                               "drag at B coefficient 0.2\nmotor M: phi moment 3\n"
                               "output F = tension(S) + U.force.x\noutput M = tension(T) + U.moment\n"
                               "output P = drive_power(t)\noutput pull = tension(R)\n"),
            "");
  EXPECT_EQ(read_errors(text + "wheel W: B radius 0.3\noutput F = W.force.y\n"), "");
  EXPECT_NE(read_errors(text + "spring S: B to [0, 1] stiffness 300 length 0.5\noutput F = tension(S) + x\n")
                .find("[L0412]"),
            std::string::npos);
}

}  // namespace liaison::test
