/// Rows G6.II-thmI, G6.II-first-integral-closed, G6.II-thmII, G6.II-thmIV: first integrals as closed forms,
/// the fields that belong to them, and integration by quadratures.
#include "liaison/forms/ideal.hpp"
#include "liaison/forms/interior_inverse.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;

struct IntegralForms : ::testing::Test {
  Desk desk;
  InteriorInverse inverse(const Form& omega, const Form& pi) {
    return invert_interior(desk.algebra, omega, pi, Form::basis(omega.coframe(), "dt"));
  }
  VectorField motion(const Form& omega) {
    return *characteristic_field(desk.algebra, omega, Form::basis(omega.coframe(), "dt")).field;
  }
};

TEST_F(IntegralForms, a_field_for_a_form_that_vanishes_on_the_motion) {
  CATALOGUE_ROW("G6.II-thmI");
  const CoframePtr five = desk.coordinates("x1 x2 x3 x4 t");
  const Form omega = desk.form(
      five,
      "2: dx1 dx2; -1: dx1 dx3; 3: dx1 dx4; 1: dx1 dt; 4: dx2 dx3; 1: dx2 dx4; -2: dx2 dt; 2: dx3 dx4;"
      "5: dx3 dt; 1: dx4 dt");
  const VectorField e = motion(omega);
  const Form good = desk.form(five, "1: dx1; 2: dx2; -1: dx4; -35/17: dt");
  EXPECT_PROVED(is_zero(desk.algebra, interior(e, good)));
  const InteriorInverse x = inverse(omega, good);
  ASSERT_TRUE(x.field) << x.reason;
  EXPECT_TRUE(x.is_unique);
  EXPECT_PROVED(are_equal(desk.algebra, interior(*x.field, omega), good));
  const double expected[] = {0, -0.176470588235, -0.411764705882, -0.352941176471, 0};
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(x.field->component(i).number().to_double(), expected[i], 5e-13);
  // Modulo E: every x + c E does the same.
  EXPECT_PROVED(are_equal(desk.algebra, interior(*x.field + desk("c") * e, omega), good));
  const Form bad = desk.form(five, "1: dx1");
  EXPECT_NEAR(interior(e, bad).terms().front().second.number().to_double(), -0.294117647059, 5e-13);
  const InteriorInverse none = inverse(omega, bad);
  EXPECT_FALSE(none.field);
  EXPECT_EQ(none.reason, "the form does not vanish on the characteristic field");
  // And always: i(x)Omega vanishes on the motion.
  const VectorField any = desk.field(five, {"a", "b", "c", "x1*x2", "t"});
  EXPECT_PROVED(is_zero(desk.algebra, interior(e, interior(any, omega))));
}

TEST_F(IntegralForms, a_closed_form_that_is_no_differential) {
  CATALOGUE_ROW("G6.II-first-integral-closed");
  const CoframePtr state = desk.coordinates("vx vy x y t");
  const Form omega =
      desk.form(state, "1: dvx dx; 1: dvy dy; -vx: dvx dt; -vy: dvy dt; -k*vx: dx dt; -k*vy: dy dt");
  const Form pi = desk.form(state, "-vy/(vx^2 + vy^2): dvx; vx/(vx^2 + vy^2): dvy");
  EXPECT_PROVED(is_closed(desk.algebra, pi));
  EXPECT_PROVED(is_zero(desk.algebra, interior(motion(omega), pi)));
  const Point at(desk, "k = 1/2, vx = 3, vy = 4, x = 1, y = 2, t = 0");
  EXPECT_NUMBER(at(pi.coefficient({"dvx"})), -0.16);
  EXPECT_NUMBER(at(pi.coefficient({"dvy"})), 0.12);
  // An angle: it has a primitive that changes along a loop, by the period 2 pi.
  const Exactness exact = find_primitive(desk.algebra, pi);
  ASSERT_TRUE(exact.primitive) << exact.reason;
  EXPECT_TRUE(exact.multivalued);
  EXPECT_PROVED(are_equal(desk.algebra, d(*exact.primitive), pi));
  const CoframePtr circle = desk.coordinates("s");
  const SmoothMap loop(desk.algebra, circle, desk.coordinates("vx vy"),
                       {{desk("vx"), desk("cos(s)")}, {desk("vy"), desk("sin(s)")}});
  const Form around =
      loop.pull_back(desk.form(loop.target(), "-vy/(vx^2 + vy^2): dvx; vx/(vx^2 + vy^2): dvy"));
  EXPECT_PROVED(are_equal(desk.algebra, around, desk.form(circle, "1: ds")));  // from 0 to 2 pi: 2 pi
  // Its field satisfies d(i(x)Omega) = 0.
  const InteriorInverse x = inverse(omega, pi);
  ASSERT_TRUE(x.field) << x.reason;
  EXPECT_PROVED(is_closed(desk.algebra, interior(*x.field, omega)));
  // Without a potential Omega is not closed, and the field is no symmetry of it.
  EXPECT_REFUTED(is_closed(desk.algebra, omega));
}

struct Oscillator : IntegralForms {
  CoframePtr state = desk.coordinates("p1 p2 p3 q1 q2 q3 t");
  Form omega = desk.form(state, "1: dp1 dq1; 1: dp2 dq2; 1: dp3 dq3") -
               wedge(d(state, desk("(p1^2 + p2^2 + p3^2 + q1^2 + q2^2 + q3^2)/2")), Form::basis(state, "dt"));
  Point at{desk, "q1 = 1, q2 = 2, q3 = 3, p1 = 0.5, p2 = -1, p3 = 2, t = 0"};
};

TEST_F(Oscillator, symmetries_and_integrals_are_the_same) {
  CATALOGUE_ROW("G6.II-thmII");
  EXPECT_PROVED(is_closed(desk.algebra, omega));
  // From an integral to its symmetry: i(X)Omega = df gives X = (f_q, -f_p, 0).
  const Expr f = desk("q2*p3 - q3*p2");
  const InteriorInverse x = inverse(omega, d(state, f));
  ASSERT_TRUE(x.field) << x.reason;
  EXPECT_PROVED(
      are_equal(desk.algebra, *x.field, desk.field(state, {"0", "p3", "-p2", "0", "q3", "-q2", "0"})));
  const double expected[] = {0, 2, 1, 0, 3, -2, 0};
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(at(x.field->component(i)), expected[i], 1e-14);
  EXPECT_PROVED(is_zero(desk.algebra, lie(*x.field, omega)));
  // And back: the closed form i(X)Omega has the integral as its primitive, up to a constant.
  const Exactness back = find_primitive(desk.algebra, interior(*x.field, omega));
  ASSERT_TRUE(back.primitive) << back.reason;
  EXPECT_FALSE(back.multivalued);
  EXPECT_PROVED(are_equal(desk.algebra, d(*back.primitive), d(state, f)));
  EXPECT_PROVED(are_equal(desk.algebra, lie(*x.field, omega), d(interior(*x.field, omega))));
  // A function that is no integral has no field.
  EXPECT_FALSE(inverse(omega, d(state, desk("q1"))).field);
}

TEST_F(IntegralForms, without_a_closed_form_the_two_part) {
  CATALOGUE_ROW("G6.II-thmII");
  // A point that slides with friction on an incline: d/dx is a symmetry, and i(d/dx)Omega is not closed.
  const CoframePtr state = desk.coordinates("vx vy x y t");
  const Form omega = desk.form(state,
                               "1: dvx dx; 1: dvy dy; -vx: dvx dt; -vy: dvy dt;"
                               "g*sin(al) - f*g*cos(al)*vx/sqrt(vx^2 + vy^2): dx dt;"
                               "-f*g*cos(al)*vy/sqrt(vx^2 + vy^2): dy dt");
  const VectorField along = VectorField::dual(state, "dx");
  EXPECT_PROVED(is_zero(desk.algebra, lie(along, omega)));
  EXPECT_FALSE(is_closed(desk.algebra, interior(along, omega)).holds());
}

TEST_F(IntegralForms, integrals_in_involution_give_quadratures) {
  CATALOGUE_ROW("G6.II-thmIV");
  // Kepler: r1 = L, r2 = H. The quadratures of f = L theta + int_1^r pr dr - H t are in closed form.
  const CoframePtr state = desk.coordinates("pr L r th t");
  const Expr h = desk("pr^2/2 + L^2/(2*r^2) - 1/r");
  const Form omega = desk.form(state, "1: dpr dr; 1: dL dth") - wedge(d(state, h), Form::basis(state, "dt"));
  const std::string H = "(pr^2/2 + L^2/(2*r^2) - 1/r)", e = "sqrt(1 + 2*" + H + "*L^2)";
  const auto anomaly = [&](const std::string& at) { return "asin((L^2/" + at + " - 1)/" + e + ")"; };
  // dr over the root, from 2 H r^2 + 2 r - L^2 = (pr r)^2.
  const auto time = [&](const std::string& at, const std::string& root) {
    return "(" + root + "/(2*" + H + ") + asin((2*" + H + "*" + at + " + 1)/" + e + ")/(2*" + H +
           "*sqrt(-2*" + H + ")))";
  };
  const Expr s1 = desk("th + " + anomaly("r") + " - " + anomaly("1"));
  const Expr s2 = desk(time("r", "(pr*r)") + " - " + time("1", "sqrt(2*" + H + " + 2 - L^2)") + " - t");
  const Point begin(desk, "r = 1.2, th = 0.3, pr = 0.4, L = 1.1, t = 0.7");
  EXPECT_NEAR(begin(h), -0.333194444444, 5e-13);
  EXPECT_NEAR(begin(s1), -0.178514013145, 5e-13);
  EXPECT_NEAR(begin(s2), -0.179954647773, 5e-13);
  // In involution: dL and dH are integrals, and i(X_L)dH = 0.
  const InteriorInverse of_l = inverse(omega, d(state, desk("L")));
  ASSERT_TRUE(of_l.field);
  EXPECT_PROVED(desk.algebra.is_zero(apply(*of_l.field, h)));
  // Constant along the motion, and Omega = dL^ds1 + dH^ds2, component by component.
  const VectorField field = motion(omega);
  for (Expr s : {s1, s2}) EXPECT_NEAR(begin(apply(field, s)), 0, 1e-14);
  const Form split = wedge(d(state, desk("L")), d(state, s1)) + wedge(d(state, h), d(state, s2));
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = i + 1; j < 5; ++j) {
      const std::size_t pair[] = {i, j};
      EXPECT_NEAR(begin(split.coefficient(pair)), begin(omega.coefficient(pair)), 1e-13) << i << ", " << j;
    }
  }
}

}  // namespace
}  // namespace liaison
