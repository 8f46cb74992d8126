#include "liaison/forms/calculus.hpp"

#include "support/forms_support.hpp"

namespace liaison {
namespace {

using test::Desk;

struct CalculusTest : ::testing::Test {
  Desk desk;
  CoframePtr space = desk.coordinates("x y z");
  VectorField x = desk.field(space, {"y*z", "x^2", "1 + x*y"});
  VectorField y = desk.field(space, {"z^2", "x - y", "x*z"});
};

TEST_F(CalculusTest, wedge_orders_its_factors_with_sign) {
  const Form dx = Form::basis(space, "dx");
  const Form dy = Form::basis(space, "dy");
  EXPECT_EQ(to_infix(wedge(dy, dx)), "-dx^dy");
  EXPECT_TRUE(wedge(dx, dx).empty());
  EXPECT_EQ(to_infix(wedge(desk.form(space, "1: dy dz"), dx)), "dx^dy^dz");
  EXPECT_EQ(to_infix(wedge(desk.form(space, "x"), dx)), "x*dx");
}

TEST_F(CalculusTest, wedge_signs_are_right_across_words) {
  std::string names;
  for (int i = 0; i < 200; ++i) names += "q" + std::to_string(i) + " ";
  const CoframePtr large = desk.coordinates(names);
  const Form a = wedge(wedge(Form::basis(large, 150), Form::basis(large, 70)), Form::basis(large, 3));
  EXPECT_EQ(to_infix(a), "-dq3^dq70^dq150");
  EXPECT_EQ(to_infix(wedge(a, Form::basis(large, 100))), "dq3^dq70^dq100^dq150");
}

TEST_F(CalculusTest, beyond_the_dimension_everything_is_zero) {
  const Form volume = desk.form(space, "1: dx dy dz");
  const Form beyond = wedge(volume, desk.form(space, "x: dx; 1: dy"));
  EXPECT_EQ(beyond.degree(), 4U);
  EXPECT_TRUE(beyond.empty());
}

TEST_F(CalculusTest, powers_of_an_even_form) {
  const CoframePtr four = desk.coordinates("p1 p2 q1 q2");
  const Form omega = desk.form(four, "1: dp1 dq1; 1: dp2 dq2");
  EXPECT_EQ(to_infix(power(omega, 2)), "-2*dp1^dp2^dq1^dq2");
  EXPECT_EQ(to_infix(power(omega, 0)), "1");
  EXPECT_TRUE(power(omega, 3).empty());
  EXPECT_TRUE(power(Form::basis(four, 0), 2).empty());
}

TEST_F(CalculusTest, d_of_a_function_is_its_differential) {
  EXPECT_EQ(to_infix(d(space, desk("x*y^2 + m*z"))), "y^2*dx + 2*x*y*dy + m*dz");
}

TEST_F(CalculusTest, d_differentiates_unknown_functions) {
  desk.pool.function("U", 2);
  EXPECT_EQ(to_infix(d(space, desk("U(x, y)"))),
            to_infix(desk("D(U, 1)(x, y)")) + "*dx + " + to_infix(desk("D(U, 2)(x, y)")) + "*dy");
}

TEST_F(CalculusTest, d_uses_the_structure_equations) {
  const CoframePtr both = desk.product_of({desk.coordinates("p"), desk.rotation("w1 w2 w3", Axes::body)});
  EXPECT_EQ(to_infix(d(desk.form(both, "p: w1"))), "dp^w1 - p*w2^w3");
  EXPECT_TRUE(d(desk.form(both, "1: w1 w2")).empty());
}

TEST_F(CalculusTest, interior_contracts_the_first_slot) {
  const VectorField u = desk.field(space, {"a", "b", "c"});
  EXPECT_EQ(to_infix(interior(u, desk.form(space, "1: dx dy"))), "-b*dx + a*dy");
  EXPECT_EQ(to_infix(interior(u, desk.form(space, "x"))), "0");
  EXPECT_EQ(to_infix(interior(u, desk.form(space, "1: dx dy dz"))), "c*dx^dy - b*dx^dz + a*dy^dz");
}

TEST_F(CalculusTest, a_form_takes_its_fields_in_order) {
  const VectorField u = desk.field(space, {"u1", "u2", "0"});
  const VectorField v = desk.field(space, {"v1", "v2", "0"});
  const std::vector<VectorField> fields{u, v};
  EXPECT_EQ(evaluate_on(desk.form(space, "1: dx dy"), fields), desk("u1*v2 - u2*v1"));
  EXPECT_LIAISON_ERROR(evaluate_on(desk.form(space, "1: dx"), fields), ErrorCode::wrong_degree,
                       "a form evaluated on 2 fields must have degree 2, but dx has degree 1", "");
}

TEST_F(CalculusTest, lie_on_functions_is_the_derivative_along_the_field) {
  const Form f = desk.form(space, "x*y^2 + z");
  EXPECT_PROVED(desk.algebra.are_equal(lie(x, f).coefficient({}), apply(x, desk("x*y^2 + z"))));
  EXPECT_TRUE(epsilon(x, y, f).empty());
}

TEST_F(CalculusTest, bracket_of_coordinate_fields) {
  EXPECT_TRUE(simplified(desk.algebra, bracket(x, x)).components() == VectorField(space).components());
  const VectorField xy = bracket(desk.field(space, {"1", "0", "0"}), desk.field(space, {"0", "x", "0"}));
  EXPECT_EQ(to_infix(xy), "d/dy");
}

TEST_F(CalculusTest, bracket_of_rotations_follows_the_axes) {
  const CoframePtr body = desk.rotation("w1 w2 w3", Axes::body);
  const CoframePtr inertial = desk.rotation("w1 w2 w3", Axes::space);
  EXPECT_EQ(to_infix(bracket(VectorField::dual(body, "w1"), VectorField::dual(body, "w2"))), "e(w3)");
  EXPECT_EQ(to_infix(bracket(VectorField::dual(inertial, "w1"), VectorField::dual(inertial, "w2"))),
            "-e(w3)");
}

TEST_F(CalculusTest, every_operator_refuses_mixed_coframes) {
  const CoframePtr plane = desk.coordinates("x y");
  const Form a = desk.form(plane, "x: dx");
  const VectorField u(plane);
  const char* message = "two different coframes in one operation: (dx, dy, dz) and (dx, dy)";
  const char* hint =
      "write both on one coframe: `change_coframe` for a moving frame, `product` for independent ones";
  EXPECT_LIAISON_ERROR(wedge(desk.form(space, "1: dx"), a), ErrorCode::mixed_coframes, message, hint);
  EXPECT_LIAISON_ERROR(interior(x, a), ErrorCode::mixed_coframes, message, hint);
  EXPECT_LIAISON_ERROR(lie(x, a), ErrorCode::mixed_coframes, message, hint);
  EXPECT_LIAISON_ERROR(epsilon(x, a), ErrorCode::mixed_coframes, message, hint);
  EXPECT_LIAISON_ERROR(epsilon(x, u, a), ErrorCode::mixed_coframes, message, hint);
  EXPECT_LIAISON_ERROR(bracket(x, u), ErrorCode::mixed_coframes, message, hint);
  EXPECT_LIAISON_ERROR(x + u, ErrorCode::mixed_coframes, message, hint);
}

TEST_F(CalculusTest, a_field_has_one_component_a_form) {
  EXPECT_LIAISON_ERROR(desk.field(space, {"1", "2"}), ErrorCode::wrong_degree,
                       "a field on (dx, dy, dz) has 3 components, not 2",
                       "give one component for each basis form");
  EXPECT_LIAISON_ERROR(VectorField::dual(space, 3), ErrorCode::unknown_basis_form,
                       "there is no basis form number 3: (dx, dy, dz) has 3", "");
  EXPECT_EQ(x.component("dy"), desk("x^2"));
}

TEST_F(CalculusTest, fields_add_and_scale) {
  EXPECT_EQ(to_infix(x - x), "0");
  EXPECT_PROVED(are_equal(desk.algebra, desk("2") * x, x + x));
  EXPECT_REFUTED(are_equal(desk.algebra, x, y));
}

}  // namespace
}  // namespace liaison
