#include "liaison/expr/traverse.hpp"
#include "liaison/forms/ideal.hpp"
#include "support/forms_support.hpp"

namespace liaison {
namespace {

using test::Desk;

struct PrimitiveTest : ::testing::Test {
  Desk desk;
  CoframePtr space = desk.coordinates("x y z");

  Exactness of(std::string_view text) { return find_primitive(desk.algebra, desk.form(space, text)); }
  std::string printed(std::string_view text) {
    const Exactness result = of(text);
    return result.primitive ? to_infix(*result.primitive) : "none: " + result.reason;
  }
};

TEST_F(PrimitiveTest, polynomials_and_trigonometric_functions) {
  EXPECT_EQ(printed("2*x*y: dx; x^2: dy"), "x^2*y");
  EXPECT_EQ(printed("sin(y): dx; x*cos(y): dy"), "x*sin(y)");
  EXPECT_EQ(printed("y: dx dz; x: dy dz"), "x*y*dz");
  EXPECT_EQ(printed("1: dx dy dz"), "x*dy^dz");
}

TEST_F(PrimitiveTest, a_force_with_a_potential) {
  EXPECT_EQ(printed("x/(x^2 + y^2): dx; y/(x^2 + y^2): dy"), "log(x^2 + y^2)/2");
  EXPECT_EQ(printed("x/sqrt(x^2 + y^2 + z^2): dx; y/sqrt(x^2 + y^2 + z^2): dy; z/sqrt(x^2 + y^2 + z^2): dz"),
            "sqrt(x^2 + y^2 + z^2)");
}

TEST_F(PrimitiveTest, the_angle_form_has_a_multivalued_primitive) {
  const Exactness angle = of("x/(x^2 + y^2): dy; -y/(x^2 + y^2): dx");
  ASSERT_TRUE(angle.primitive);
  EXPECT_EQ(to_infix(*angle.primitive), "atan2(y, x)");
  EXPECT_TRUE(angle.multivalued);
  EXPECT_PROVED(angle.closed);
}

TEST_F(PrimitiveTest, an_arc_tangent_without_a_branch_is_single_valued) {
  EXPECT_EQ(printed("1/(x^2 + 1): dx"), "atan(x)");
  EXPECT_FALSE(of("1/(x^2 + 1): dx").multivalued);
  EXPECT_EQ(printed("c/(x^2 + c^2): dx"), "atan(x/c)");
  EXPECT_FALSE(of("c/(x^2 + c^2): dx").multivalued);
}

/// Everything the integrator claims to know, each verified by exact algebra in find_primitive.
TEST_F(PrimitiveTest, integrals_of_one_variable) {
  desk.pool.function("f", 1);
  for (const char* integrand : {"x^3 - a*x",
                                "1/x",
                                "1/(2*x + a)^3",
                                "1/(x^2 - 1)",
                                "1/(x^2*(x + 1)*(x^2 + 4))",
                                "x^4/(x^2 + 1)",
                                "1/(x^2 + x + 1)^2",
                                "(3*x + 1)/(x^2 + 2*x + 5)",
                                "exp(a*x)*x^2",
                                "x^2*exp(2*x)*sin(3*x)",
                                "x*cos(a*x + b)",
                                "sin(x)^2",
                                "sin(x)^3*cos(x)^4",
                                "sin(2*x)*cos(3*x)",
                                "cos(x)/(2 + sin(x))^2",
                                "x*exp(x^2)",
                                "tan(x)",
                                "x/sqrt(x^2 + a)",
                                "1/sqrt(1 - x^2)",
                                "1/sqrt(x^2 + 4)",
                                "sqrt(x^2 + 1)",
                                "1/(x^2 + a^2)^(3/2)",
                                "log(x)",
                                "x*atan(x)",
                                "f'(x)",
                                "x*(x + 1)*exp(x)",
                                "sinh(x)*cosh(x)",
                                "log(x)/x",
                                "cos(x)*exp(sin(x))"}) {
    const Exactness result = of(std::string(integrand) + ": dx");
    EXPECT_TRUE(result.primitive) << integrand << ": " << result.reason;
  }
}

TEST_F(PrimitiveTest, the_flux_of_a_point_source_has_a_local_primitive) {
  const std::string r = "(x^2 + y^2 + z^2)^(3/2)";
  const Exactness flux = of("x/" + r + ": dy dz; y/" + r + ": dz dx; z/" + r + ": dx dy");
  EXPECT_TRUE(flux.closed.holds());
  ASSERT_TRUE(flux.primitive) << flux.reason;
  EXPECT_EQ(flux.primitive->degree(), 1U);
}

TEST_F(PrimitiveTest, a_form_that_is_not_closed_says_what_its_derivative_is) {
  const Exactness result = of("-y: dx; x: dy");
  EXPECT_FALSE(result.primitive);
  EXPECT_REFUTED(result.closed);
  EXPECT_EQ(result.reason, "the form is not closed: its derivative is 2*dx^dy");
}

TEST_F(PrimitiveTest, what_cannot_be_integrated_is_named) {
  const Exactness result = of("exp(x^2): dx");
  EXPECT_FALSE(result.primitive);
  EXPECT_PROVED(result.closed);
  EXPECT_EQ(result.reason, "no antiderivative of exp(x^2) in x was found");
}

TEST_F(PrimitiveTest, the_order_of_elimination_is_chosen_by_what_can_be_integrated) {
  // exp(x^2) y cannot be integrated in x first, but y can go first where the x part is already exact.
  EXPECT_EQ(printed("2*x*y*exp(x^2): dx; exp(x^2): dy"), "y*exp(x^2)");
}

TEST_F(PrimitiveTest, a_rotation_form_has_an_invariant_primitive) {
  const CoframePtr body = desk.rotation("w1 w2 w3", Axes::body);
  const Exactness result = find_primitive(desk.algebra, desk.form(body, "1: w2 w3"));
  ASSERT_TRUE(result.primitive);
  EXPECT_EQ(to_infix(*result.primitive), "-w1");
  const Exactness volume = find_primitive(desk.algebra, desk.form(body, "1: w1 w2 w3"));
  EXPECT_FALSE(volume.primitive);
  EXPECT_EQ(volume.reason, "no combination of basis products with constant coefficients has this derivative");
}

TEST_F(PrimitiveTest, coordinates_and_rotations_together) {
  const CoframePtr both = desk.product_of({desk.coordinates("p"), desk.rotation("w1 w2 w3", Axes::space)});
  const Form momentum = desk.form(both, "p^2: w1");
  const Exactness result = find_primitive(desk.algebra, d(momentum) + desk.form(both, "1: w2 w3"));
  ASSERT_TRUE(result.primitive) << result.reason;
  EXPECT_PROVED(are_equal(desk.algebra, d(*result.primitive), d(momentum) + desk.form(both, "1: w2 w3")));
}

TEST_F(PrimitiveTest, a_moving_frame_goes_through_its_coordinates) {
  const CoframePtr polar = desk.coordinates("r phi");
  const std::vector<std::string> names{"e1", "e2"};
  const CoframePtr frame =
      moving_frame(desk.algebra, polar, names, Matrix(2, 2, desk.list({"1", "0", "0", "r"})));
  const Exactness area = find_primitive(desk.algebra, desk.form(frame, "1: e1 e2"));
  ASSERT_TRUE(area.primitive) << area.reason;
  EXPECT_EQ(to_infix(*area.primitive), "r/2*e2");
}

TEST_F(PrimitiveTest, a_function_has_no_primitive) {
  EXPECT_LIAISON_ERROR(of("x"), ErrorCode::wrong_degree, "a function has no primitive",
                       "ask for a form of degree 1 or more");
}

}  // namespace
}  // namespace liaison
