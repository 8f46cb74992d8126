#include "liaison/forms/ideal.hpp"

#include "support/forms_support.hpp"

namespace liaison {
namespace {

using test::Desk;

struct IdealTest : ::testing::Test {
  Desk desk;
  CoframePtr space = desk.coordinates("x y z");
};

TEST_F(IdealTest, closed_forms_are_recognised) {
  EXPECT_PROVED(is_closed(desk.algebra, desk.form(space, "y: dx; x: dy")));
  EXPECT_REFUTED(is_closed(desk.algebra, desk.form(space, "-y: dx; x: dy")));
}

TEST_F(IdealTest, membership_in_an_ideal) {
  const std::vector<Form> contact{desk.form(space, "1: dz; -y: dx")};
  EXPECT_PROVED(is_in_ideal(desk.algebra, wedge(contact[0], desk.form(space, "x: dy")), contact));
  EXPECT_REFUTED(is_in_ideal(desk.algebra, desk.form(space, "1: dx dy"), contact));
  EXPECT_PROVED(
      is_closed_modulo(desk.algebra, desk.form(space, "z: dx"), std::vector{desk.form(space, "1: dz")}));
  EXPECT_REFUTED(is_closed_modulo(desk.algebra, contact[0], contact));
}

TEST_F(IdealTest, the_contact_form_is_not_integrable) {
  const FrobeniusResult result = frobenius(desk.algebra, std::vector{desk.form(space, "1: dz; -y: dx")});
  EXPECT_REFUTED(result.integrable);
  EXPECT_EQ(result.obstruction, 0U);
  EXPECT_EQ(to_infix(result.torsions[0]), "dx^dy^dz");
}

TEST_F(IdealTest, a_multiple_of_a_differential_is_integrable) {
  const FrobeniusResult result =
      frobenius(desk.algebra, std::vector{desk.form(space, "2*x*sin(z): dx; 2*y*sin(z): dy")});
  EXPECT_PROVED(result.integrable);
  EXPECT_EQ(result.obstruction, std::nullopt);
  EXPECT_TRUE(result.torsions[0].empty());
}

TEST_F(IdealTest, the_rolling_disc_is_not_holonomic) {
  const CoframePtr disc = desk.coordinates("x y phi theta");
  const std::vector<Form> rolling{desk.form(disc, "1: dx; R*sin(phi): dtheta"),
                                  desk.form(disc, "1: dy; -R*cos(phi): dtheta")};
  const FrobeniusResult result = frobenius(desk.algebra, rolling);
  EXPECT_REFUTED(result.integrable);
}

TEST_F(IdealTest, dependent_generators_are_refused) {
  const std::vector<Form> twice{desk.form(space, "x: dx"), desk.form(space, "x^2: dx")};
  EXPECT_LIAISON_ERROR(frobenius(desk.algebra, twice), ErrorCode::not_a_basis,
                       "the 2 generators of the ideal are dependent: their product is 0",
                       "leave out the forms that are combinations of the others");
  const std::vector<Form> wrong{desk.form(space, "1: dx dy")};
  EXPECT_LIAISON_ERROR(frobenius(desk.algebra, wrong), ErrorCode::wrong_degree,
                       "a generator of an ideal must have degree 1, but dx^dy has degree 2", "");
}

TEST_F(IdealTest, no_generators_generate_nothing) {
  EXPECT_PROVED(frobenius(desk.algebra, {}).integrable);
  EXPECT_REFUTED(is_in_ideal(desk.algebra, desk.form(space, "1: dx"), {}));
}

}  // namespace
}  // namespace liaison
