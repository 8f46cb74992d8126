#include "support/forms_support.hpp"

namespace liaison {
namespace {

using test::Desk;

struct PrintFormTest : ::testing::Test {
  Desk desk;
  CoframePtr frame = desk.coordinates("v x t");
};

TEST_F(PrintFormTest, a_form_reads_as_on_paper) {
  const Form omega = desk.form(frame, "m: dv dx; -m*v: dv dt");
  EXPECT_EQ(to_infix(omega), "m*dv^dx - m*v*dv^dt");
  EXPECT_EQ(to_unicode(omega), "m dv ∧ dx − m v dv ∧ dt");
  EXPECT_EQ(to_latex(omega),
            "m\\, \\mathrm{d}v \\wedge \\mathrm{d}x - m v\\, \\mathrm{d}v \\wedge \\mathrm{d}t");
}

TEST_F(PrintFormTest, one_and_minus_one_are_not_written) {
  EXPECT_EQ(to_infix(desk.form(frame, "1: dv dx; -1: dv dt")), "dv^dx - dv^dt");
  EXPECT_EQ(to_infix(desk.form(frame, "-1: dv; 1: dx")), "-dv + dx");
}

TEST_F(PrintFormTest, a_sum_stands_in_brackets) {
  EXPECT_EQ(to_infix(desk.form(frame, "x + t: dv; t - x: dx")), "(t + x)*dv + (t - x)*dx");
  EXPECT_EQ(to_latex(desk.form(frame, "x + t: dv")), "\\left(t + x\\right)\\, \\mathrm{d}v");
}

TEST_F(PrintFormTest, zero_and_functions) {
  EXPECT_EQ(to_infix(Form(frame, 2)), "0");
  EXPECT_EQ(to_infix(desk.form(frame, "x - t")), to_infix(desk("x - t")));
}

TEST_F(PrintFormTest, names_with_letters_and_primes) {
  const CoframePtr greek = desk.coordinates("theta theta'");
  const Form a = desk.form(greek, "theta': dtheta dtheta'");
  EXPECT_EQ(to_infix(a), "theta'*dtheta^dtheta'");
  EXPECT_EQ(to_unicode(a), "θ̇ dθ ∧ dθ̇");
  EXPECT_EQ(to_latex(a), "\\dot{\\theta}\\, \\mathrm{d}\\theta \\wedge \\mathrm{d}\\dot{\\theta}");
}

TEST_F(PrintFormTest, d_stands_apart_from_a_word) {
  const CoframePtr arm = desk.coordinates("arm arm' x_max");
  EXPECT_EQ(to_latex(desk.form(arm, "1: darm darm'")),
            "\\mathrm{d}{\\, \\mathrm{arm}} \\wedge \\mathrm{d}{\\, \\dot{\\mathrm{arm}}}");
  EXPECT_EQ(to_latex(desk.form(arm, "1: dx_max")), "\\mathrm{d}x_{\\mathrm{max}}");
}

TEST_F(PrintFormTest, a_coordinate_field_is_written_with_derivatives) {
  const VectorField e = desk.field(frame, {"X/m", "v", "1"});
  EXPECT_EQ(to_infix(e), "X/m*d/dv + v*d/dx + d/dt");
  EXPECT_EQ(to_unicode(e), "X/m ∂/∂v + v ∂/∂x + ∂/∂t");
  EXPECT_EQ(to_infix(VectorField(frame)), "0");
}

TEST_F(PrintFormTest, a_frame_without_coordinates_has_dual_vectors) {
  const CoframePtr rotation = desk.rotation("w1 w2 w3", Axes::body);
  EXPECT_EQ(to_infix(desk.field(rotation, {"p", "0", "-r"})), "p*e(w1) - r*e(w3)");
}

TEST_F(PrintFormTest, a_dual_vector_that_moves_other_coordinates_is_no_derivative) {
  // On (dx - v dt, dv, dt) the dual of dt moves x as well.
  const CoframePtr plain = desk.coordinates("x v t");
  const std::vector<std::string> names{"th", "dv", "dt"};
  const Matrix matrix(3, 3, desk.list({"1", "0", "-v", "0", "1", "0", "0", "0", "1"}));
  const CoframePtr contact = moving_frame(desk.algebra, plain, names, matrix);
  EXPECT_EQ(to_infix(desk.field(contact, {"a", "b", "1"})), "a*e(th) + b*d/dv + e(dt)");
}

}  // namespace
}  // namespace liaison
