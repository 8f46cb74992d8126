#include "liaison/forms/pullback.hpp"

#include "support/forms_support.hpp"

namespace liaison {
namespace {

using test::Desk;

struct PullbackTest : ::testing::Test {
  Desk desk;
  CoframePtr plane = desk.coordinates("x y");
  CoframePtr polar = desk.coordinates("r phi");
  SmoothMap map{
      desk.algebra, polar, plane, {{desk("x"), desk("r*cos(phi)")}, {desk("y"), desk("r*sin(phi)")}}};
};

TEST_F(PullbackTest, the_area_of_the_plane_in_polar_coordinates) {
  EXPECT_EQ(to_infix(simplified(desk.algebra, map.pull_back(desk.form(plane, "1: dx dy")))), "r*dr^dphi");
}

TEST_F(PullbackTest, the_angle_form_is_dphi) {
  const Form angle = desk.form(plane, "x/(x^2 + y^2): dy; -y/(x^2 + y^2): dx");
  EXPECT_EQ(to_infix(simplified(desk.algebra, map.pull_back(angle))), "dphi");
}

TEST_F(PullbackTest, functions_are_composed) {
  EXPECT_PROVED(desk.algebra.are_equal(map.pull_back(desk("x^2 + y^2")), desk("r^2")));
}

TEST_F(PullbackTest, forms_of_another_coframe_are_refused) {
  EXPECT_LIAISON_ERROR(
      map.pull_back(desk.form(polar, "r: dr")), ErrorCode::mixed_coframes,
      "two different coframes in one operation: (dr, dphi) and (dx, dy)",
      "write both on one coframe: `change_coframe` for a moving frame, `product` for independent ones");
}

TEST_F(PullbackTest, every_target_coordinate_needs_a_value) {
  EXPECT_LIAISON_ERROR(SmoothMap(desk.algebra, polar, plane, {{desk("x"), desk("r")}}),
                       ErrorCode::unknown_basis_form, "the map gives no value to the coordinate `y`",
                       "give every coordinate of the target as a function on the source");
}

TEST_F(PullbackTest, a_target_without_coordinates_needs_images) {
  const CoframePtr rotation = desk.rotation("w1 w2 w3", Axes::body);
  EXPECT_LIAISON_ERROR(SmoothMap(desk.algebra, polar, rotation, {}), ErrorCode::not_a_basis,
                       "the differentials of the coordinates do not give the basis form `w1` of the target",
                       "give the image of each basis form of the target as well");
}

TEST_F(PullbackTest, euler_angles_map_to_the_rotation_group) {
  const CoframePtr angles = desk.coordinates("psi theta phi");
  const std::vector<Form> images{desk.form(angles, "sin(theta)*sin(phi): dpsi; cos(phi): dtheta"),
                                 desk.form(angles, "sin(theta)*cos(phi): dpsi; -sin(phi): dtheta"),
                                 desk.form(angles, "cos(theta): dpsi; 1: dphi")};
  const CoframePtr body = desk.rotation("w1 w2 w3", Axes::body);
  const SmoothMap euler(desk.algebra, angles, body, {}, images);
  EXPECT_EQ(to_infix(simplified(desk.algebra, euler.pull_back(desk.form(body, "1: w1 w2 w3")))),
            to_infix(desk.form(angles, "-sin(theta): dpsi dtheta dphi")));
  const CoframePtr inertial = desk.rotation("w1 w2 w3", Axes::space);
  EXPECT_THROW(SmoothMap(desk.algebra, angles, inertial, {}, images), Error);
}

TEST_F(PullbackTest, images_that_do_not_commute_with_d_are_refused) {
  const std::vector<Form> images{desk.form(polar, "r: dphi"), desk.form(polar, "1: dr")};
  try {
    SmoothMap(desk.algebra, polar, plane, {{desk("x"), desk("phi")}, {desk("y"), desk("r")}}, images);
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::coframe_not_closed);
    EXPECT_TRUE(
        std::string(error.what()).starts_with("the map does not commute with d on `x`: refuted at r = "));
    EXPECT_EQ(error.hint(), "correct the image of that form, or of the coordinates");
  }
}

TEST_F(PullbackTest, a_moving_target_frame_gets_its_images_from_the_coordinates) {
  const std::vector<std::string> names{"e1", "e2"};
  const CoframePtr frame =
      moving_frame(desk.algebra, polar, names, Matrix(2, 2, desk.list({"1", "0", "0", "r"})));
  const CoframePtr line = desk.coordinates("s");
  const SmoothMap spiral(desk.algebra, line, frame, {{desk("r"), desk("s^2")}, {desk("phi"), desk("s")}});
  EXPECT_EQ(to_infix(simplified(desk.algebra, spiral.pull_back(Form::basis(frame, "e2")))), "s^2*ds");
}

TEST_F(PullbackTest, a_change_of_coframe_and_back_is_the_identity) {
  const std::vector<std::string> names{"e1", "e2"};
  const Matrix matrix(2, 2, desk.list({"cos(phi)", "r*sin(phi)", "-sin(phi)", "r*cos(phi)"}));
  const CoframePtr frame = moving_frame(desk.algebra, polar, names, matrix);
  const Form a = desk.form(polar, "r^2: dr; sin(phi): dphi");
  const Form there = change_coframe(desk.algebra, a, frame, matrix);
  const VectorField x = desk.field(polar, {"r", "phi"});
  const std::vector<VectorField> before{x};
  const std::vector<VectorField> after{change_coframe(desk.algebra, x, frame, matrix)};
  EXPECT_PROVED(desk.algebra.are_equal(evaluate_on(a, before), evaluate_on(there, after)));
}

TEST_F(PullbackTest, restriction_to_a_relation_eliminates_a_coordinate) {
  const CoframePtr state = desk.coordinates("v x t");
  const Form omega = desk.form(state, "m: dv dx; -m*v: dv dt");
  const Restriction on = restrict_to(desk.algebra, omega, desk("2*v - x*t"), desk("v"));
  EXPECT_EQ(on.form.coframe()->dimension(), 2U);
  EXPECT_EQ(on.solution, desk("t*x/2"));
  EXPECT_TRUE(on.conditions.empty());
  // v = x t/2: m dv^dx - m v dv^dt = -m x/2 dx^dt - m x t^2/4 dx^dt.
  EXPECT_PROVED(desk.algebra.are_equal(on.form.coefficient({"dx", "dt"}), desk("-m*x/2 - m*x*t^2/4")));
  EXPECT_EQ(to_infix(on.inclusion.pull_back(Form::basis(state, "dt"))), "dt");
}

TEST_F(PullbackTest, restriction_names_what_must_not_vanish) {
  const Restriction on =
      restrict_to(desk.algebra, desk.form(plane, "1: dx"), desk("sin(a)*x - y"), desk("x"));
  EXPECT_EQ(describe(on.conditions), "assuming sin(a) != 0");
  EXPECT_PROVED(desk.algebra.are_equal(on.form.coefficient({"dy"}), desk("1/sin(a)")));
}

TEST_F(PullbackTest, a_relation_that_is_not_linear_is_refused) {
  const Form a = desk.form(plane, "1: dx");
  EXPECT_LIAISON_ERROR(restrict_to(desk.algebra, a, desk("x^2 + y"), desk("x")), ErrorCode::not_polynomial,
                       "the relation x^2 + y = 0 is not linear in `x`",
                       "eliminate a coordinate in which it is linear");
  EXPECT_LIAISON_ERROR(restrict_to(desk.algebra, a, desk("x + y"), desk("q")), ErrorCode::unknown_basis_form,
                       "`q` is not a coordinate of (dx, dy)", "eliminate one of the coordinates");
}

TEST_F(PullbackTest, modulo_replaces_a_basis_form) {
  const CoframePtr state = desk.coordinates("x y t");
  const Form a = desk.form(state, "1: dx dy; x: dy dt");
  EXPECT_EQ(to_infix(modulo(desk.algebra, a, desk.form(state, "1: dx; -y: dt"), 0)), "(x - y)*dy^dt");
  EXPECT_LIAISON_ERROR(modulo(desk.algebra, a, desk.form(state, "1: dx"), 1), ErrorCode::not_a_basis,
                       "the form dx does not contain `dy`", "");
}

}  // namespace
}  // namespace liaison
