/// Rows G1.I-change-of-variables, -GaussAppell, -partial-derivative, -first-integrals, -typeA-claim,
/// -integral-invariant, -newton, -relativity: the 2-form of a point and what follows from it.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/forms/two_form.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;

/// A point with two components: x(r1, r2, t), v(r1, r2, t) are unknown functions, so the formulas are
/// general.
struct ChangeOfVariables : ::testing::Test {
  Desk desk;
  CoframePtr space = desk.coordinates("x1 x2 v1 v2 t");
  CoframePtr chart = desk.coordinates("r1 r2 t");
  std::vector<Expr> r = desk.list({"r1", "r2"});

  ChangeOfVariables() {
    for (const char* name : {"fx1", "fx2", "fv1", "fv2"}) desk.pool.function(name, 3);
  }
  Expr position(int i) { return desk("fx" + std::to_string(i) + "(r1, r2, t)"); }
  Expr velocity(int i) { return desk("fv" + std::to_string(i) + "(r1, r2, t)"); }
  SmoothMap map() {
    return SmoothMap(desk.algebra, chart, space,
                     {{desk("x1"), position(1)},
                      {desk("x2"), position(2)},
                      {desk("v1"), velocity(1)},
                      {desk("v2"), velocity(2)},
                      {desk("t"), desk("t")}});
  }
  using Vector = std::array<Expr, 2>;
  Vector x() { return {position(1), position(2)}; }
  Vector v() { return {velocity(1), velocity(2)}; }
  Vector force() { return {desk("X1"), desk("X2")}; }
  static Vector slope(const Vector& a, Expr by) { return {derivative(a[0], by), derivative(a[1], by)}; }
  static Expr dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1]; }
  Form balance(int i) {
    const std::string n = std::to_string(i);
    return desk.form(space, "m: dv" + n + "; -X" + n + ": dt");
  }
  Form contact(int i) {
    const std::string n = std::to_string(i);
    return desk.form(space, "1: dx" + n + "; -v" + n + ": dt");
  }
  /// sum c (i(U)a_i)(i(U)b_i) for the pulled back forms, as a polynomial in u1, u2, u0 = dr1, dr2, dt.
  Expr quadratic(Expr c, Form (ChangeOfVariables::*a)(int), Form (ChangeOfVariables::*b)(int)) {
    const VectorField u = desk.field(chart, {"u1", "u2", "u0"});
    const SmoothMap to = map();
    Expr sum = desk("0");
    for (int i = 1; i <= 2; ++i)
      sum = sum + c * interior(u, to.pull_back((this->*a)(i))).coefficient({}) *
                      interior(u, to.pull_back((this->*b)(i))).coefficient({});
    return sum;
  }
  Expr second(Expr q, const char* a, const char* b) { return derivative(derivative(q, desk(a)), desk(b)); }
};

TEST_F(ChangeOfVariables, tensors_of_the_quadratic_forms) {
  CATALOGUE_ROW("G1.I-change-of-variables");
  Algebra& algebra = desk.algebra;
  const Expr m = desk("m"), t = desk("t");
  const Expr s = quadratic(desk("1/(2*m)"), &ChangeOfVariables::balance, &ChangeOfVariables::balance);
  const Expr e = quadratic(desk("m/2"), &ChangeOfVariables::contact, &ChangeOfVariables::contact);
  const Expr f = quadratic(desk("1"), &ChangeOfVariables::contact, &ChangeOfVariables::balance);
  const Vector x_t = slope(x(), t), v_t = slope(v(), t);
  const char* u[] = {"u1", "u2"};
  for (std::size_t a = 0; a < 2; ++a) {
    const Vector x_a = slope(x(), r[a]), v_a = slope(v(), r[a]);
    for (std::size_t b = 0; b < 2; ++b) {
      const Vector x_b = slope(x(), r[b]), v_b = slope(v(), r[b]);
      EXPECT_PROVED(algebra.are_equal(second(s, u[a], u[b]), m * dot(v_a, v_b)));
      EXPECT_PROVED(algebra.are_equal(second(e, u[a], u[b]), m * dot(x_a, x_b)));
      EXPECT_PROVED(algebra.are_equal(second(f, u[a], u[b]), m * (dot(x_a, v_b) + dot(x_b, v_a))));
    }
    EXPECT_PROVED(algebra.are_equal(-second(s, u[a], "u0"), dot(force(), v_a) - m * dot(v_a, v_t)));
    EXPECT_PROVED(algebra.are_equal(-second(e, u[a], "u0"), m * (dot(v(), x_a) - dot(x_a, x_t))));
    EXPECT_PROVED(algebra.are_equal(-second(f, u[a], "u0"), m * dot(v(), v_a) + dot(force(), x_a) -
                                                                m * dot(x_t, v_a) - m * dot(x_a, v_t)));
  }
  const Expr s_00 = second(s, "u0", "u0"), g_00 = second(e, "u0", "u0");
  const Expr s_right = dot(force(), force()) / m + m * dot(v_t, v_t);
  EXPECT_PROVED(algebra.are_equal(s_00, s_right - Rational(2) * dot(force(), v_t)));
  EXPECT_PROVED(algebra.are_equal(g_00, m * (dot(v(), v()) + dot(x_t, x_t) - Rational(2) * dot(x_t, v()))));
  EXPECT_PROVED(
      algebra.are_equal(second(f, "u0", "u0") / Rational(2),
                        dot(v(), force()) - m * dot(v(), v_t) + m * dot(x_t, v_t) - dot(x_t, force())));
}

TEST_F(ChangeOfVariables, tensors_of_the_two_form) {
  CATALOGUE_ROW("G1.I-change-of-variables");
  const Form omega = map().pull_back(wedge(balance(1), contact(1)) + wedge(balance(2), contact(2)));
  const Expr m = desk("m");
  const Vector x_t = slope(x(), desk("t")), v_t = slope(v(), desk("t"));
  const Vector x_1 = slope(x(), r[0]), v_1 = slope(v(), r[0]), x_2 = slope(x(), r[1]), v_2 = slope(v(), r[1]);
  EXPECT_PROVED(
      desk.algebra.are_equal(omega.coefficient({"dr1", "dr2"}), m * (dot(v_1, x_2) - dot(v_2, x_1))));
  EXPECT_PROVED(
      desk.algebra.are_equal(-omega.coefficient({"dr1", "dt"}),
                             -m * (dot(v_1, x_t) - dot(v_t, x_1)) + m * dot(v(), v_1) - dot(force(), x_1)));
}

/// The point on a line of the row, with one map.
struct PointOnALine : ChangeOfVariables {
  CoframePtr line = desk.coordinates("x v t");
  const Expr place = desk("r1*cos(t) + r2^2"), speed = desk("r1*r2 + t^2");
  SmoothMap to{desk.algebra, chart, line, {{desk("x"), place}, {desk("v"), speed}, {desk("t"), desk("t")}}};
  VectorField u = desk.field(chart, {"u1", "u2", "u0"});
  Form a = to.pull_back(desk.form(line, "m: dv; -X: dt"));
  Form b = to.pull_back(desk.form(line, "1: dx; -v: dt"));
  const Expr p = interior(u, a).coefficient({}), q = interior(u, b).coefficient({});
  const Expr s = p * p / desk("2*m"), e = desk("m/2") * q * q, f = p * q;
  const Point at{desk, "m = 1.5, X = 2, r1 = 0.7, r2 = -0.4, t = 0.5"};
};

TEST_F(PointOnALine, numbers) {
  CATALOGUE_ROW("G1.I-change-of-variables");
  EXPECT_NUMBER(at(second(s, "u1", "u2")), -0.42);
  EXPECT_NUMBER(at(-second(s, "u1", "u0")), -0.2);
  EXPECT_NUMBER(at(second(s, "u0", "u0")), 0.1666666666666667);
  EXPECT_NUMBER(at(second(e, "u1", "u2")), -1.053099074268447);
  EXPECT_NUMBER(at(-second(e, "u1", "u0")), 0.4022810517390789);
  EXPECT_NUMBER(at(second(e, "u0", "u0")), 0.1400850936613939);
  EXPECT_NUMBER(at(second(f, "u1", "u2") / Rational(2)), 0.7007308449924456);
  EXPECT_NUMBER(at(-second(f, "u1", "u0")), 0.2554325547314211);
  EXPECT_NUMBER(at(second(f, "u0", "u0") / Rational(2)), 0.1527989385114711);
  const Form omega = wedge(a, b);
  EXPECT_NUMBER(at(omega.coefficient({"dr1", "dr2"})), -0.4414616899848914);
  EXPECT_NUMBER(at(-omega.coefficient({"dr1", "dt"})), -0.6221500071589516);
  EXPECT_NUMBER(at(-omega.coefficient({"dr2", "dt"})), 0.7208777708740892);
}

TEST_F(PointOnALine, misprints_of_the_quadratic_forms) {
  CATALOGUE_ROW("G1.I-change-of-variables");
  const Expr m = desk("m"), force = desk("X"), r1 = desk("r1"), r2 = desk("r2"), t = desk("t");
  const Expr x_1 = derivative(place, r1), x_2 = derivative(place, r2), x_t = derivative(place, t);
  const Expr v_1 = derivative(speed, r1), v_2 = derivative(speed, r2), v_t = derivative(speed, t);
  const auto refute = [&](const char* title, const char* printed, const char* right,
                          const std::string& refuted, Expr left, Expr printed_value) {
    const std::string where = " for x = " + to_infix(place) + ", v = " + to_infix(speed);
    test::refute({"G1.I-change-of-variables", title, printed, right, refuted + where},
                 sides_at(at, left, printed_value));
  };
  refute("Time coefficient of s in any variables",
         "s_00 = X.X/m + m v_t.v_t - X.v_t, where s = s_ab dr^a dr^b/2 - Q_a0 dr^a dt + s_00 dt^2/2",
         "... - 2 X.v_t", "s_00 == X^2/m + m*v_t^2 - X*v_t", second(s, "u0", "u0"),
         force * force / m + m * v_t * v_t - force * v_t);
  refute("Time coefficient of e in any variables",
         "g_00 = m (v.v + x_t.x_t - x_t.v), where e = g_ab dr^a dr^b/2 - Gamma_a0 dr^a dt + g_00 dt^2/2",
         "... - 2 x_t.v", "g_00 == m*(v^2 + x_t^2 - x_t*v)", second(e, "u0", "u0"),
         m * (speed * speed + x_t * x_t - x_t * speed));
  refute("Coefficients of s in any variables", "s_ab = m x_a.v_b", "s_ab = m v_a.v_b", "s_12 == m*x_1*v_2",
         second(s, "u1", "u2"), m * x_1 * v_2);
  refute("Coefficients of e in any variables", "g_ab = m x_a.v_b", "g_ab = m x_a.x_b", "g_12 == m*x_1*v_2",
         second(e, "u1", "u2"), m * x_1 * v_2);
  refute("Coefficients of f in any variables", "f_ab = m x_a.x_b, where f = f_ab dr^a dr^b - ...",
         "f_ab = m x_a.v_b, symmetrised", "f_12 == m*x_1*x_2", second(f, "u1", "u2") / Rational(2),
         m * x_1 * x_2);
  refute("Mixed coefficients of e in any variables", "Gamma_a0 = m (v.v_a - x_a.x_t)",
         "Gamma_a0 = m (v.x_a - x_a.x_t)", "Gamma_10 == m*(v*v_1 - x_1*x_t)", -second(e, "u1", "u0"),
         m * (speed * v_1 - x_1 * x_t));
}

struct PointRows : ::testing::Test {
  Desk desk;
  Verdict equal(const Form& a, const Form& b) { return are_equal(desk.algebra, a, b); }
};

TEST_F(PointRows, gauss_function_in_polar_coordinates) {
  CATALOGUE_ROW("G1.I-GaussAppell");
  // Accelerations of r cos(th), r sin(th) by two total derivatives; rr, tt are r'', th''.
  const CoframePtr jet = desk.coordinates("r th rd thd");
  const VectorField total = desk.field(jet, {"rd", "thd", "rr", "tt"});
  const Expr ax = apply(total, apply(total, desk("r*cos(th)")));
  const Expr ay = apply(total, apply(total, desk("r*sin(th)")));
  const Expr fx = desk("Fr*cos(th) - Ft*sin(th)"), fy = desk("Fr*sin(th) + Ft*cos(th)"), m = desk("m");
  const Expr gauss = (pow(m * ax - fx, Rational(2)) + pow(m * ay - fy, Rational(2))) / (Rational(2) * m);
  const Substitution motion{{desk("rr"), desk("r*thd^2 + Fr/m")}, {desk("tt"), desk("(Ft/m - 2*rd*thd)/r")}};
  for (const char* q : {"rr", "tt"})
    EXPECT_PROVED(desk.algebra.is_zero(substitute(derivative(gauss, desk(q)), motion)));
  EXPECT_PROVED(desk.algebra.is_zero(substitute(gauss, motion)));
  // Under a constraint the minimum is positive: r'' held at 0.
  const Substitution held{{desk("rr"), desk("0")}, {desk("tt"), motion.at(desk("tt"))}};
  const Point at(desk, "m = 2, Fr = 3, Ft = -1, r = 1.5, rd = -0.4, thd = 0.8, th = 1/3");
  EXPECT_GT(at(substitute(gauss, held)), 1.0);
  EXPECT_NUMBER(at(motion.at(desk("rr"))), 2.46);
  EXPECT_NUMBER(at(motion.at(desk("tt"))), 0.0933333333333333);
}

TEST_F(PointRows, the_partial_derivative_of_a_form_is_an_interior_product) {
  CATALOGUE_ROW("G1.I-partial-derivative");
  const CoframePtr four = desk.coordinates("x1 x2 x3 x4");
  const Form volume = desk.form(four, "A: dx1 dx2 dx3");
  EXPECT_EQ(to_infix(interior(VectorField::dual(four, "dx1"), volume)), "A*dx2^dx3");
  EXPECT_EQ(to_infix(interior(VectorField::dual(four, "dx2"), volume)), "-A*dx1^dx3");
  EXPECT_EQ(to_infix(interior(VectorField::dual(four, "dx3"), volume)), "A*dx1^dx2");
  EXPECT_TRUE(interior(VectorField::dual(four, "dx4"), volume).empty());
  // omega = (1/2) sum dx^a ^ (d omega/d dx^a).
  const Form omega = desk.form(four, "x1: dx1 dx2; x4: dx2 dx4; 3: dx3 dx4");
  Form sum(four, 2);
  for (std::size_t a = 0; a < 4; ++a)
    sum = sum + wedge(Form::basis(four, a), interior(VectorField::dual(four, a), omega));
  EXPECT_PROVED(equal(Rational(1, 2) * sum, omega));
}

/// A heavy point on a vertical line with linear resistance, X = -m g - m c v, and its flow.
struct ResistedFall : PointRows {
  CoframePtr state = desk.coordinates("z v t");
  CoframePtr constants = desk.coordinates("C1 C2 t");
  SmoothMap flow{desk.algebra,
                 constants,
                 state,
                 {{desk("z"), desk("C2 + (C1 + g/c)*(1 - exp(-c*t))/c - g*t/c")},
                  {desk("v"), desk("(C1 + g/c)*exp(-c*t) - g/c")},
                  {desk("t"), desk("t")}}};
  Form balance = desk.form(state, "m: dv; m*g + m*c*v: dt");
  Form contact = desk.form(state, "1: dz; -v: dt");
};

TEST_F(ResistedFall, the_form_contains_only_differentials_of_first_integrals) {
  CATALOGUE_ROW("G1.I-first-integrals");
  const Form omega = wedge(balance, contact);
  EXPECT_PROVED(equal(flow.pull_back(omega), desk.form(constants, "m*exp(-c*t): dC1 dC2")));
  EXPECT_PROVED(equal(d(omega), desk.form(state, "m*c: dz dv dt")));
  EXPECT_REFUTED(is_zero(desk.algebra, d(omega)));
  const Point at(desk, "m = 1.5, c = 0.4, g = 9.81, t = 2");
  EXPECT_NUMBER(at(flow.pull_back(omega).coefficient({"dC1", "dC2"})), 0.673993446175832);
  EXPECT_NUMBER(at(d(omega).coefficient({"dz", "dv", "dt"})), 0.6);
  // A surface made of trajectories: (C1(s), C2(s), t), on which the form vanishes.
  const CoframePtr strip = desk.coordinates("s t");
  desk.pool.function("k1", 1);
  desk.pool.function("k2", 1);
  const SmoothMap surface(desk.algebra, strip, constants,
                          {{desk("C1"), desk("k1(s)")}, {desk("C2"), desk("k2(s)")}, {desk("t"), desk("t")}});
  EXPECT_PROVED(is_zero(desk.algebra, surface.pull_back(flow.pull_back(omega))));
}

TEST_F(ResistedFall, without_resistance_the_coefficient_is_constant) {
  CATALOGUE_ROW("G1.I-first-integrals");
  const SmoothMap free(
      desk.algebra, constants, state,
      {{desk("z"), desk("C2 + C1*t - g*t^2/2")}, {desk("v"), desk("C1 - g*t")}, {desk("t"), desk("t")}});
  const Form omega = wedge(desk.form(state, "m: dv; m*g: dt"), contact);
  EXPECT_PROVED(equal(free.pull_back(omega), desk.form(constants, "m: dC1 dC2")));
  EXPECT_PROVED(is_closed(desk.algebra, omega));
}

TEST_F(ResistedFall, the_forms_of_type_a_contain_only_first_integrals_too) {
  CATALOGUE_ROW("G1.I-typeA-claim");
  EXPECT_PROVED(equal(flow.pull_back(balance), desk.form(constants, "m*exp(-c*t): dC1")));
  EXPECT_PROVED(equal(flow.pull_back(contact), desk.form(constants, "1: dC2; (1 - exp(-c*t))/c: dC1")));
  const VectorField along = VectorField::dual(constants, "dt");
  for (const Form& form : {balance, contact}) {
    EXPECT_PROVED(is_zero(desk.algebra, interior(along, flow.pull_back(form))));
    EXPECT_PROVED(is_zero(desk.algebra, interior(desk.field(state, {"v", "-g - c*v", "1"}), form)));
  }
  // A form that is not built on these two does contain dt: the negative case.
  EXPECT_REFUTED(is_zero(desk.algebra, interior(along, flow.pull_back(desk.form(state, "1: dz")))));
}

// The claim needs a dt in one of the two forms that s and e are made of: their dt parts vanish.
TEST_F(ResistedFall, misprint_of_the_claim_on_type_a) {
  CATALOGUE_ROW("G1.I-typeA-claim");
  const VectorField along = VectorField::dual(constants, "dt");
  const auto on_the_flow = [&](const Form& form) {
    const Form pulled = simplified(desk.algebra, flow.pull_back(form));
    EXPECT_PROVED(is_zero(desk.algebra, interior(along, pulled)));
    return to_infix(pulled);
  };
  const std::string first = on_the_flow(balance), second = on_the_flow(contact);
  if (HasFailure()) return;
  test::record(
      {"G1.I-typeA-claim", "Generating forms of type (A)",
       "only the types (B) and (C) can be written with differentials of first integrals",
       "the two quadratic forms s and e of type (A) as well; they differ in having rank 3 each",
       "s and e of a fall with the force -m*g - m*c*v contain more than dC1, dC2, the differentials of "
       "its first integrals"},
      fmt::format("along the motions m dv - X dt is `{}` and dz - v dt is `{}`; s is the square of the "
                  "first, e that of the second, up to factors",
                  first, second));
}

TEST_F(PointRows, the_pfaff_form_of_elie_cartan) {
  CATALOGUE_ROW("G1.I-integral-invariant");
  desk.pool.function("U", 2);
  const CoframePtr state = desk.coordinates("x v t");
  const Form omega1 = desk.form(state, "m*v: dx; -(m*v^2/2 - U(x, t)): dt");
  const Form omega = wedge(desk.form(state, "m: dv; -D(U, 1)(x, t): dt"), desk.form(state, "1: dx; -v: dt"));
  EXPECT_PROVED(equal(d(omega1), omega));

  // Free fall: omega1 - m C1 dC2 is the differential of S.
  const CoframePtr constants = desk.coordinates("C1 C2 t");
  const SmoothMap flow(
      desk.algebra, constants, state,
      {{desk("x"), desk("C2 + C1*t - g*t^2/2")}, {desk("v"), desk("C1 - g*t")}, {desk("t"), desk("t")}});
  const Form fall = flow.pull_back(desk.form(state, "m*v: dx; -(m*v^2/2 + m*g*x): dt"));
  const Expr s = desk("m*t*(3*C1^2 - 6*C1*g*t - 6*C2*g + 2*g^2*t^2)/6");
  EXPECT_PROVED(equal(fall - desk.form(constants, "m*C1: dC2"), d(constants, s)));
  const Exactness found = find_primitive(desk.algebra, fall - desk.form(constants, "m*C1: dC2"));
  ASSERT_TRUE(found.primitive) << found.reason;
  EXPECT_FALSE(found.multivalued);
}

TEST_F(PointRows, misprints_of_the_two_form_of_a_point) {
  CATALOGUE_ROW("G1.I-integral-invariant");
  CATALOGUE_ROW("G1.I-newton");
  const CoframePtr state = desk.coordinates("x v t");
  const Form omega = desk.form(state, "m: dv dx; -m*v: dv dt; X: dx dt");
  const Form printed = d(desk.form(state, "m*v: dv; -m*v^2/2: dt"));
  const Point at(desk, "m = 1.5, X = 2, v = 0.7");
  test::refute({"G1.I-integral-invariant", "Pfaff form of the kinetic integral invariant",
                "omega1 = m v dv - H dt, and omega_c = d(m v dv - T dt)", "m v dx in the place of m v dv",
                "the coefficient of dv^dx in omega == that in d(omega1)"},
               sides_at(at, omega.coefficient({"dv", "dx"}), printed.coefficient({"dv", "dx"})));
  const Form by_position = interior(VectorField::dual(state, "dx"), omega);
  test::refute(
      {"G1.I-newton", "Newton's equation from the 2-form", "-m (dv - X dt) as the derivative of omega by dx",
       "-m dv + X dt", "the coefficient of dt in the derivative by dx == m*X"},
      sides_at(at, by_position.coefficient({"dt"}), desk("m*X")));
}

/// The integral over one turn of s of a form on the line of s: the trapezoidal rule, exact to rounding for
/// smooth periodic functions.
double loop_integral(const Form& on_circle, Expr s, DoublePoint point) {
  constexpr int n = 256;
  const Expr density = on_circle.coefficient({"ds"});
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    point[s] = 2 * std::numbers::pi * i / n;
    sum += evaluate(density, point);
  }
  return sum * 2 * std::numbers::pi / n;
}

TEST_F(PointRows, the_loop_integral_of_the_oscillator_is_invariant) {
  CATALOGUE_ROW("G1.I-integral-invariant");
  const CoframePtr state = desk.coordinates("q p t");
  const CoframePtr circle = desk.coordinates("s");
  const Form omega1 = desk.form(state, "p: dq; -(p^2/(2*m) + k*q^2/2): dt");
  const Expr q0 = desk("1 + cos(s)/2"), p0 = desk("3/10 + 7*sin(s)/10"), w = desk("sqrt(k/m)");
  const DoublePoint values{{desk("m"), 2.0}, {desk("k"), 3.0}};
  const double expected = -1.09955742875643;
  for (const char* delay : {"0", "4/5", "4/5 + 3*sin(s)/10", "2*cos(s)"}) {
    const Expr t = desk(delay);
    const SmoothMap loop(desk.algebra, circle, state,
                         {{desk("q"), q0 * cos(w * t) + p0 / (desk("m") * w) * sin(w * t)},
                          {desk("p"), p0 * cos(w * t) - desk("m") * w * q0 * sin(w * t)},
                          {desk("t"), t}});
    EXPECT_NUMBER(loop_integral(loop.pull_back(omega1), desk("s"), values), expected);
  }
}

TEST_F(ResistedFall, with_resistance_the_loop_integral_decays) {
  CATALOGUE_ROW("G1.I-integral-invariant");
  const CoframePtr circle = desk.coordinates("s");
  const auto at_time = [&](double t) {
    const SmoothMap loop(
        desk.algebra, circle, constants,
        {{desk("C1"), desk("sin(s)")}, {desk("C2"), desk("cos(s)")}, {desk("t"), desk("T")}});
    const Form form = loop.pull_back(flow.pull_back(desk.form(state, "m*v: dz")));
    return loop_integral(form, desk("s"),
                         {{desk("m"), 1.5}, {desk("c"), 0.4}, {desk("g"), 9.81}, {desk("T"), t}});
  };
  EXPECT_NUMBER(at_time(2) / at_time(0), std::exp(-0.8));
}

TEST_F(PointRows, newtons_equations_from_the_form) {
  CATALOGUE_ROW("G1.I-newton");
  const CoframePtr state = desk.coordinates("x1 x2 x3 v1 v2 v3 t");
  Form omega(state, 2), momentum(state, 1), work(state, 2);
  for (const char* i : {"1", "2", "3"}) {
    const std::string n = i;
    omega = omega + desk.form(state, "m: dv" + n + " dx" + n + "; -m*v" + n + ": dv" + n + " dt; X" + n +
                                         ": dx" + n + " dt");
    momentum = momentum + desk.form(state, "m*v" + n + ": dx" + n);
    work = work + desk.form(state, "X" + n + ": dx" + n + " dt");
  }
  const Form kinetic = desk.form(state, "m*(v1^2 + v2^2 + v3^2)/2: dt");
  EXPECT_PROVED(equal(d(momentum - kinetic) + work, omega));
  for (const char* i : {"1", "2", "3"}) {
    const std::string n = i;
    const Form by_position = interior(VectorField::dual(state, "dx" + n), omega);
    EXPECT_PROVED(equal(by_position, desk.form(state, "-m: dv" + n + "; X" + n + ": dt")));
    EXPECT_PROVED(equal(interior(VectorField::dual(state, "dv" + n), omega),
                        desk.form(state, "m: dx" + n + "; -m*v" + n + ": dt")));
  }
  const CharacteristicField e = characteristic_field(desk.algebra, omega, Form::basis(state, "dt"));
  ASSERT_TRUE(e.field) << e.explanation;
  EXPECT_PROVED(
      are_equal(desk.algebra, *e.field, desk.field(state, {"v1", "v2", "v3", "X1/m", "X2/m", "X3/m", "1"})));
}

TEST_F(PointRows, the_relativistic_point) {
  CATALOGUE_ROW("G1.I-relativity");
  const CoframePtr line = desk.coordinates("v x t");
  const Expr gamma = desk("1/sqrt(1 - v^2/c^2)"), m = desk("m");
  const Form dx = Form::basis(line, "dx"), dt = Form::basis(line, "dt");
  const Form free = d(m * gamma * desk("v") * dx - m * pow(desk("c"), Rational(2)) * gamma * dt);
  const Expr cube = m * pow(gamma, Rational(3));
  const Point at(desk, "m = 1, c = 30, v = 0.7");
  EXPECT_PROVED(desk.algebra.are_equal(free.coefficient({"dv", "dx"}), cube));
  EXPECT_PROVED(desk.algebra.are_equal(free.coefficient({"dv", "dt"}), -desk("v") * cube));
  EXPECT_NUMBER(at(free.coefficient({"dv", "dx"})), 1.00081722280695);
  EXPECT_NUMBER(at(free.coefficient({"dv", "dt"})), -0.700572055964863);
  const Form omega = wedge(d(line, m * gamma * desk("v")) - desk("X") * dt, dx - desk("v") * dt);
  const CharacteristicField e = characteristic_field(desk.algebra, omega, dt);
  ASSERT_TRUE(e.field) << e.explanation;
  EXPECT_PROVED(desk.algebra.are_equal(apply(*e.field, m * gamma * desk("v")), desk("X")));
  EXPECT_PROVED(desk.algebra.are_equal(e.field->component("dx"), desk("v")));
}

TEST_F(PointRows, the_relativistic_form_is_invariant_under_boosts) {
  CATALOGUE_ROW("G1.I-relativity");
  // v = c tanh(h), gamma v = c sinh(h), gamma = cosh(h); a boost adds z to the rapidity h.
  const CoframePtr first = desk.coordinates("h x t");
  const CoframePtr second = desk.coordinates("k y u");
  const auto ch = [](const std::string& a) { return "((exp(" + a + ") + exp(-(" + a + ")))/2)"; };
  const auto sh = [](const std::string& a) { return "((exp(" + a + ") - exp(-(" + a + ")))/2)"; };
  const SmoothMap boost(desk.algebra, second, first,
                        {{desk("h"), desk("k + z")},
                         {desk("x"), desk(ch("z") + "*y + c*" + sh("z") + "*u")},
                         {desk("t"), desk(ch("z") + "*u + " + sh("z") + "*y/c")}});
  const Form here = desk.form(first, "c*" + sh("h") + ": dx; -c^2*" + ch("h") + ": dt");
  const Form there = desk.form(second, "c*" + sh("k") + ": dy; -c^2*" + ch("k") + ": du");
  EXPECT_PROVED(equal(boost.pull_back(here), there));
}

}  // namespace
}  // namespace liaison
