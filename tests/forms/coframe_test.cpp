#include "liaison/forms/coframe.hpp"

#include <array>

#include "support/forms_support.hpp"

namespace liaison {
namespace {

using test::Desk;

struct CoframeTest : ::testing::Test {
  Desk desk;
  Expr one = desk("1");
};

TEST_F(CoframeTest, a_coordinate_coframe_has_one_closed_form_a_coordinate) {
  const CoframePtr plane = desk.coordinates("x y");
  EXPECT_EQ(plane->dimension(), 2U);
  EXPECT_EQ(plane->name(1), "dy");
  EXPECT_EQ(plane->index_of("dx"), 0U);
  EXPECT_EQ(plane->coordinate_of(desk("y")), 1U);
  EXPECT_EQ(plane->coordinate_of(desk("m")), std::nullopt);
  EXPECT_TRUE(d(Form::basis(plane, "dx")).empty());
}

TEST_F(CoframeTest, body_and_space_rotations_have_opposite_structure) {
  const CoframePtr body = desk.rotation("w1 w2 w3", Axes::body);
  const CoframePtr space = desk.rotation("w1 w2 w3", Axes::space);
  EXPECT_EQ(to_infix(d(Form::basis(body, "w1"))), "-w2^w3");
  EXPECT_EQ(to_infix(d(Form::basis(body, "w2"))), "w1^w3");
  EXPECT_EQ(to_infix(d(Form::basis(body, "w3"))), "-w1^w2");
  EXPECT_EQ(to_infix(d(Form::basis(space, "w1"))), "w2^w3");
  EXPECT_EQ(to_infix(d(Form::basis(space, "w2"))), "-w1^w3");
  EXPECT_EQ(to_infix(d(Form::basis(space, "w3"))), "w1^w2");
}

TEST_F(CoframeTest, a_product_keeps_both_structures) {
  const CoframePtr both =
      desk.product_of({desk.coordinates("x"), desk.rotation("w1 w2 w3", Axes::space), desk.coordinates("t")});
  EXPECT_EQ(both->dimension(), 5U);
  EXPECT_EQ(to_infix(d(Form::basis(both, "w1"))), "w2^w3");
  EXPECT_EQ(to_infix(d(both, desk("x*t"))), "t*dx + x*dt");
}

TEST_F(CoframeTest, a_product_with_a_name_twice_is_refused) {
  EXPECT_LIAISON_ERROR(desk.product_of({desk.coordinates("x"), desk.coordinates("x")}),
                       ErrorCode::not_a_basis, "two basis forms are called `dx`",
                       "give each basis form its own name");
}

TEST_F(CoframeTest, structure_that_does_not_close_is_refused_by_name) {
  // dx = w1, d w3 = x w1^w2 + w2^w3, d w4 = x w1^w3: then d d w4 = -x w1^d w3 = -x w1^w2^w3.
  const std::vector<BasisForm> basis{
      {"w1", {}}, {"w2", {}}, {"w3", {{0, 1, desk("x")}, {1, 2, one}}}, {"w4", {{0, 2, desk("x")}}}};
  EXPECT_LIAISON_ERROR(Coframe::make(desk.algebra, basis, {{desk("x"), {{0, one}}}}),
                       ErrorCode::coframe_not_closed,
                       "the structure equations do not close: d d w4 = -x*w1^w2^w3, not 0",
                       "correct the exterior derivative of w4 or of the forms in it");
}

TEST_F(CoframeTest, a_coordinate_whose_differential_is_not_closed_is_refused_by_name) {
  const std::vector<BasisForm> basis{{"w1", {{1, 2, one}}}, {"w2", {}}, {"w3", {}}};
  EXPECT_LIAISON_ERROR(Coframe::make(desk.algebra, basis, {{desk("x"), {{0, one}}}}),
                       ErrorCode::coframe_not_closed,
                       "the structure equations do not close: d d x = w2^w3, not 0",
                       "correct the differential of x or the structure equations");
}

TEST_F(CoframeTest, structure_terms_may_come_in_any_order) {
  const CoframePtr a =
      Coframe::make(desk.algebra, {{"a", {}}, {"b", {}}, {"c", {{1, 0, one}, {1, 1, one}}}}, {});
  EXPECT_EQ(to_infix(d(Form::basis(a, "c"))), "-a^b");
}

TEST_F(CoframeTest, a_structure_term_beyond_the_basis_is_refused) {
  EXPECT_LIAISON_ERROR(Coframe::make(desk.algebra, {{"a", {{0, 3, one}}}}, {}), ErrorCode::unknown_basis_form,
                       "d a uses basis form number 3, but there are only 1",
                       "basis forms are numbered from 0");
}

TEST_F(CoframeTest, too_many_dimensions_are_refused) {
  std::vector<Expr> symbols;
  for (int i = 0; i < 2049; ++i) symbols.push_back(desk.pool.symbol("x" + std::to_string(i)));
  EXPECT_LIAISON_ERROR(Coframe::coordinates(desk.pool, symbols), ErrorCode::too_many_dimensions,
                       "a coframe of 2049 forms was asked for; at most 2048 are possible", "");
  symbols.pop_back();
  const CoframePtr largest = Coframe::coordinates(desk.pool, symbols);
  EXPECT_EQ(to_infix(wedge(Form::basis(largest, 2047), Form::basis(largest, 64))), "-dx64^dx2047");
}

TEST_F(CoframeTest, a_coordinate_must_be_a_symbol_and_stand_once) {
  const std::array product{desk("x*y")};
  EXPECT_LIAISON_ERROR(Coframe::coordinates(desk.pool, product), ErrorCode::not_a_symbol,
                       "something that is not a symbol stands where a coordinate is needed", "");
  const std::array twice{desk("x"), desk("x")};
  EXPECT_LIAISON_ERROR(Coframe::coordinates(desk.pool, twice), ErrorCode::not_a_basis,
                       "the coordinate `x` is given twice", "list each coordinate once");
}

TEST_F(CoframeTest, a_rotation_has_three_forms) {
  EXPECT_LIAISON_ERROR(desk.rotation("w1 w2", Axes::body), ErrorCode::not_a_basis,
                       "a rotation has three forms, not 2", "give three names, for example w1, w2, w3");
}

TEST_F(CoframeTest, the_structure_of_a_moving_frame_is_computed) {
  // Polar: theta1 = dr, theta2 = r dphi, d theta2 = dr^dphi = theta1^theta2/r.
  const CoframePtr polar = desk.coordinates("r phi");
  const std::vector<std::string> names{"e1", "e2"};
  const Matrix matrix(2, 2, desk.list({"1", "0", "0", "r"}));
  const CoframePtr frame = moving_frame(desk.algebra, polar, names, matrix);
  EXPECT_TRUE(d(Form::basis(frame, "e1")).empty());
  EXPECT_EQ(to_infix(d(Form::basis(frame, "e2"))), "1/r*e1^e2");
  EXPECT_EQ(to_infix(d(frame, desk("phi"))), "1/r*e2");
}

TEST_F(CoframeTest, rotation_forms_of_euler_angles_have_body_structure) {
  const CoframePtr angles = desk.coordinates("psi theta phi");
  const std::vector<std::string> names{"w1", "w2", "w3"};
  const Matrix matrix(3, 3,
                      desk.list({"sin(theta)*sin(phi)", "cos(phi)", "0", "sin(theta)*cos(phi)", "-sin(phi)",
                                 "0", "cos(theta)", "0", "1"}));
  const CoframePtr frame = moving_frame(desk.algebra, angles, names, matrix);
  EXPECT_EQ(to_infix(d(Form::basis(frame, "w1"))), "-w2^w3");
  EXPECT_EQ(to_infix(d(Form::basis(frame, "w2"))), "w1^w3");
  EXPECT_EQ(to_infix(d(Form::basis(frame, "w3"))), "-w1^w2");
}

TEST_F(CoframeTest, dependent_forms_are_no_moving_frame) {
  const CoframePtr plane = desk.coordinates("x y");
  const std::vector<std::string> names{"a", "b"};
  const Matrix singular(2, 2, desk.list({"cos(x)", "sin(x)", "cos(x)^2", "sin(2*x)/2"}));
  EXPECT_LIAISON_ERROR(moving_frame(desk.algebra, plane, names, singular), ErrorCode::not_a_basis,
                       "the forms of the moving frame are dependent: their matrix is singular",
                       "choose forms whose product is not zero");
  EXPECT_LIAISON_ERROR(moving_frame(desk.algebra, plane, names, Matrix(desk.pool, 2, 3)),
                       ErrorCode::not_a_basis,
                       "a moving frame of 2 forms needs a matrix of 2 by 2, not 2 by 3",
                       "give one row for each new form and one column for each old form");
  const std::vector<std::string> three{"a", "b", "c"};
  EXPECT_LIAISON_ERROR(moving_frame(desk.algebra, plane, three, singular), ErrorCode::not_a_basis,
                       "a moving frame on (dx, dy) needs 2 names, not 3", "give one name for each new form");
}

}  // namespace
}  // namespace liaison
