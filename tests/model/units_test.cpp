#include "liaison/model/unit.hpp"

#include "model_support.hpp"

namespace liaison::testing {

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

TEST(Units, are_refused_if_they_are_none) {
  for (const char* text : {"", "metre", "deg", "m/", "*m", "m^", "m^x", "m^(1/2", "2*m", "m m", "m^1000"}) {
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

}  // namespace liaison::testing
