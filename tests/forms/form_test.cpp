#include "liaison/forms/form.hpp"

#include "support/forms_support.hpp"

namespace liaison {
namespace {

using test::Desk;

struct FormTest : ::testing::Test {
  Desk desk;
  CoframePtr space = desk.coordinates("x y z");
};

TEST_F(FormTest, products_come_in_lexicographic_order) {
  const Form a = desk.form(space, "z: dy dz; y: dx dz; x: dx dy");
  EXPECT_EQ(to_infix(a), "x*dx^dy + y*dx^dz + z*dy^dz");
}

TEST_F(FormTest, a_beginning_comes_before_what_it_begins) {
  const IndexSetLess less;
  EXPECT_TRUE(less(IndexSet(0b001), IndexSet(0b011)));
  EXPECT_FALSE(less(IndexSet(0b011), IndexSet(0b001)));
  EXPECT_TRUE(less(IndexSet(0b011), IndexSet(0b101)));
  EXPECT_TRUE(less(IndexSet(0b101), IndexSet(0b110)));
  EXPECT_FALSE(less(IndexSet(0b110), IndexSet(0b110)));
}

TEST_F(FormTest, equal_products_are_added_and_zeros_dropped) {
  const Expr x = desk("x");
  const Form a(space, 1, {{IndexSet(1), x}, {IndexSet(2), x}, {IndexSet(1), -x}});
  ASSERT_EQ(a.terms().size(), 1U);
  EXPECT_EQ(to_infix(a), "x*dy");
}

TEST_F(FormTest, a_coefficient_carries_the_sign_of_its_order) {
  const Form a = desk.form(space, "x: dx dy; y: dx dz");
  EXPECT_EQ(a.coefficient({"dx", "dy"}), desk("x"));
  EXPECT_EQ(a.coefficient({"dy", "dx"}), desk("-x"));
  EXPECT_EQ(a.coefficient({"dz", "dx"}), desk("-y"));
  EXPECT_EQ(a.coefficient({"dx", "dx"}), desk("0"));
  EXPECT_EQ(a.coefficient({"dy", "dz"}), desk("0"));
  const Form volume = desk.form(space, "2: dx dy dz");
  EXPECT_EQ(volume.coefficient({"dz", "dx", "dy"}), desk("2"));
  EXPECT_EQ(volume.coefficient({"dz", "dy", "dx"}), desk("-2"));
}

TEST_F(FormTest, sums_and_multiples_act_on_coefficients) {
  const Form a = desk.form(space, "x: dx; y: dy");
  const Form b = desk.form(space, "x: dx; -y: dy");
  EXPECT_EQ(to_infix(a + b), "2*x*dx");
  EXPECT_EQ(to_infix(a - b), "2*y*dy");
  EXPECT_EQ(to_infix(-a), "-x*dx - y*dy");
  EXPECT_EQ(to_infix(desk("z") * a), "x*z*dx + y*z*dy");
  EXPECT_EQ(to_infix(Rational(1, 2) * a), "x/2*dx + y/2*dy");
  EXPECT_TRUE((a - a).empty());
}

TEST_F(FormTest, equality_is_by_handle_and_are_equal_by_algebra) {
  const Form a = desk.form(space, "sin(x)^2 + cos(x)^2: dx");
  const Form b = desk.form(space, "1: dx");
  EXPECT_FALSE(a == b);
  EXPECT_PROVED(are_equal(desk.algebra, a, b));
  EXPECT_TRUE(simplified(desk.algebra, a) == b);
}

TEST_F(FormTest, a_difference_is_refuted_with_a_witness_even_where_one_side_has_no_term) {
  const Form a = desk.form(space, "x: dx; y: dy");
  const Form b = desk.form(space, "x: dx; z: dz");
  EXPECT_REFUTED(are_equal(desk.algebra, a, b));
  EXPECT_REFUTED(is_zero(desk.algebra, a));
}

TEST_F(FormTest, simplified_drops_coefficients_that_vanish) {
  const Form a = desk.form(space, "sin(2*x) - 2*sin(x)*cos(x): dx; x: dy");
  EXPECT_EQ(to_infix(simplified(desk.algebra, a)), "x*dy");
}

TEST_F(FormTest, readable_coefficients_are_short) {
  const Form a = desk.form(space, "x*sin(y)^2 + x*cos(y)^2: dx");
  EXPECT_EQ(to_infix(readable(desk.algebra, a)), "x*dx");
}

TEST_F(FormTest, different_coframes_are_refused) {
  const CoframePtr plane = desk.coordinates("x y");
  EXPECT_LIAISON_ERROR(
      desk.form(space, "x: dx") + desk.form(plane, "x: dx"), ErrorCode::mixed_coframes,
      "two different coframes in one operation: (dx, dy, dz) and (dx, dy)",
      "write both on one coframe: `change_coframe` for a moving frame, `product` for independent ones");
}

TEST_F(FormTest, different_degrees_cannot_be_added) {
  EXPECT_LIAISON_ERROR(desk.form(space, "x: dx") + desk.form(space, "x: dx dy"), ErrorCode::wrong_degree,
                       "forms of degree 1 and 2 cannot be added or compared",
                       "a form is homogeneous: keep parts of different degree apart");
}

TEST_F(FormTest, a_term_of_another_degree_is_refused) {
  EXPECT_LIAISON_ERROR(Form(space, 2, {{IndexSet(1), desk("x")}}), ErrorCode::wrong_degree,
                       "a product of 1 basis forms stands in a form of degree 2",
                       "a form is homogeneous: keep parts of different degree apart");
}

TEST_F(FormTest, a_term_beyond_the_basis_is_refused) {
  EXPECT_LIAISON_ERROR(Form(space, 1, {{IndexSet(8), desk("x")}}), ErrorCode::unknown_basis_form,
                       "a product uses a basis form beyond the 3 of (dx, dy, dz)", "");
  EXPECT_LIAISON_ERROR(Form::basis(space, 5), ErrorCode::unknown_basis_form,
                       "there is no basis form number 5: (dx, dy, dz) has 3", "");
}

TEST_F(FormTest, a_coefficient_of_another_pool_is_refused) {
  Pool other;
  EXPECT_LIAISON_ERROR(Form::function(space, other.number(1)), ErrorCode::mixed_pools,
                       "a coefficient is from another pool than the coframe", "copy it with `copy_to`");
}

TEST_F(FormTest, an_unknown_name_gets_the_nearest_one) {
  const CoframePtr frame = desk.coordinates("theta phi");
  EXPECT_LIAISON_ERROR(Form::basis(frame, "dthta"), ErrorCode::unknown_basis_form,
                       "there is no basis form `dthta` in (dtheta, dphi)", "did you mean `dtheta`?");
}

TEST_F(FormTest, a_coefficient_of_the_wrong_degree_is_refused) {
  EXPECT_LIAISON_ERROR(desk.form(space, "x: dx").coefficient({"dx", "dy"}), ErrorCode::wrong_degree,
                       "the form whose coefficient is asked for must have degree 2, but x*dx has degree 1",
                       "");
}

}  // namespace
}  // namespace liaison
