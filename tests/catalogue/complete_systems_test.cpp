/// Rows G6.II-thmV, G6.II-lemma, G6.II-thmVI, G6.II-practical and G6.III.I-*, G6.III.II-*: symmetries where
/// Omega is not closed, and integration by them.
#include "liaison/expr/substitute.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/forms/two_form.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;

struct CompleteSystems : ::testing::Test {
  Desk desk;
  void expect_components(const Point& at, const VectorField& field, const std::vector<double>& expected) {
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NUMBER(at(field.component(k)), expected[k]);
  }
  void expect_coefficients(const Point& at, const Form& form, const std::vector<double>& expected) {
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const std::size_t index[] = {k};
      EXPECT_NUMBER(at(form.coefficient(index)), expected[k]);
    }
  }
  Verdict equal(const Form& a, const Form& b) { return are_equal(desk.algebra, a, b); }
  Verdict equal(const VectorField& a, const VectorField& b) { return are_equal(desk.algebra, a, b); }
  Verdict vanishes(const Form& a) { return is_zero(desk.algebra, a); }
  VectorField motion(const Form& omega, const CoframePtr& state) {
    return *characteristic_field(desk.algebra, omega, Form::basis(state, "dt")).field;
  }
  /// dpi = 0 modulo the forms.
  Verdict closed_modulo(const Form& pi, std::vector<Form> forms) {
    return is_closed_modulo(desk.algebra, pi, forms);
  }
};

/// A point in the plane with the drag -k v.
struct Drag : CompleteSystems {
  CoframePtr state = desk.coordinates("vx vy x y t");
  Form omega = desk.form(state, "1: dvx dx; 1: dvy dy; -vx: dvx dt; -vy: dvy dt; -k*vx: dx dt; -k*vy: dy dt");
  VectorField e = motion(omega, state);
  VectorField x = desk.field(state, {"0", "0", "1", "0", "0"}),
              y = desk.field(state, {"0", "0", "0", "1", "0"});
  VectorField r = desk.field(state, {"-vy", "vx", "-y", "x", "0"});
  VectorField field_x = desk.field(state, {"1", "0", "y*vy/(vx^2 + vy^2)", "-y*vx/(vx^2 + vy^2)", "0"});
  VectorField field_y = desk.field(state, {"0", "1", "-x*vy/(vx^2 + vy^2)", "x*vx/(vx^2 + vy^2)", "0"});
  VectorField field_r = desk.field(state, {"0", "0", "vy/(vx^2 + vy^2)", "-vx/(vx^2 + vy^2)", "0"});
  VectorField field_4 = desk.field(state, {"0", "0", "-vx", "-vy", "0"});
  Form pi(const VectorField& field) { return interior(field, omega); }
  Point at{desk, "k = 0.5, vx = 3, vy = 4, x = 1, y = 2, t = 0"};
};

TEST_F(Drag, a_symmetry_moves_an_integral_to_an_integral) {
  CATALOGUE_ROW("G6.II-thmV");
  const VectorField bar = desk.field(state, {"0", "0", "-exp(k*t)", "0", "0"});
  EXPECT_PROVED(equal(interior(bar, omega), d(state, desk("vx*exp(k*t)"))));
  EXPECT_PROVED(vanishes(lie(r, omega)));
  EXPECT_PROVED(equal(bracket(r, bar), desk.field(state, {"0", "0", "0", "exp(k*t)", "0"})));
  const Form moved = interior(r, interior(bar, omega));
  EXPECT_PROVED(equal(moved, desk.form(state, "-vy*exp(k*t)")));
  EXPECT_PROVED(equal(interior(bracket(r, bar), omega), d(moved)));
  EXPECT_PROVED(desk.algebra.is_zero(apply(e, desk("-vy*exp(k*t)"))));
  const Point later(desk, "k = 0.5, vx = 3, vy = 4, x = 1, y = 2, t = 1");
  expect_components(later, bracket(r, bar), {0, 0, 0, 1.64872127070013, 0});
  EXPECT_NUMBER(later(desk("-vy*exp(k*t)")), -6.59488508280051);
}

TEST_F(Drag, fields_dual_to_a_complete_system) {
  CATALOGUE_ROW("G6.II-lemma");
  for (const VectorField& symmetry : {x, y, r}) EXPECT_PROVED(vanishes(lie(symmetry, omega)));
  const std::vector<VectorField> symmetries{x, y, r}, fields{field_x, field_y, field_r, field_4};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const Form pair = interior(symmetries[i], interior(fields[j], omega));
      EXPECT_PROVED(equal(pair, desk.form(state, i == j ? "1" : "0"))) << i << ", " << j;
    }
  }
  expect_components(at, field_x, {1, 0, 0.32, -0.24, 0});
  expect_components(at, field_y, {0, 1, -0.16, 0.12, 0});
  expect_components(at, field_r, {0, 0, 0.16, -0.12, 0});
  expect_components(at, field_4, {0, 0, -3, -4, 0});
}

TEST_F(Drag, the_forms_of_a_complete_system) {
  CATALOGUE_ROW("G6.II-thmVI");
  EXPECT_PROVED(equal(bracket(x, r), y));
  EXPECT_PROVED(equal(bracket(y, r), Rational(-1) * desk.pool.number(1) * x));
  EXPECT_PROVED(equal(bracket(x, y), VectorField(state)));
  expect_coefficients(at, pi(field_x), {-0.32, 0.24, 1, 0, -3});
  expect_coefficients(at, pi(field_y), {0.16, -0.12, 0, 1, -4});
  expect_coefficients(at, pi(field_r), {-0.16, 0.12, 0, 0, 0});
  expect_coefficients(at, pi(field_4), {3, 4, 0, 0, 12.5});
  EXPECT_PROVED(vanishes(wedge(pi(field_4), d(pi(field_4)))));
  EXPECT_PROVED(equal(lie(e, pi(field_x)), desk("vx/(vx^2 + vy^2)") * pi(field_4)));
  expect_coefficients(at, lie(e, pi(field_x)), {0.36, 0.48, 0, 0, 1.5});
  EXPECT_NUMBER(at(desk("vx/(vx^2 + vy^2)")), 0.12);
  EXPECT_PROVED(equal(interior(y, interior(r, d(pi(field_x)))), desk.form(state, "-1")));
  EXPECT_PROVED(equal(interior(x, interior(r, d(pi(field_y)))), desk.form(state, "1")));
  for (const VectorField& a : {x, y}) EXPECT_PROVED(vanishes(interior(a, interior(r, d(pi(field_4))))));
}

TEST_F(Drag, misprint_of_invariant_forms) {
  CATALOGUE_ROW("G6.II-thmVI");
  test::refute(
      {"G6.II-thmVI", "Forms of a complete system of symmetries",
       "pi^1, ..., pi^r are invariant forms: theta(E)pi = 0",
       "they are invariant modulo pi^(r+1), ..., pi^(2n)",
       "for a point with the drag -k v and the symmetries d/dx, d/dy, rotation, the coefficient of dvx in "
       "theta(E)pi_X == 0"},
      test::sides_at(at, lie(e, pi(field_x)).coefficient({"dvx"}), desk("0")));
}

TEST_F(Drag, misprint_of_the_structure_equations) {
  CATALOGUE_ROW("G6.II-thmVI");
  const Form twice = interior(y, interior(r, d(pi(field_x))));
  test::refute({"G6.II-thmVI", "Structure equations of a complete system",
                "i(X^rho^X^sigma) dpi^tau + gamma = 0", "i(X^rho^X^sigma) dpi^tau = gamma",
                "for a point with the drag -k v, [Y, R] = -X, i(Y)i(R) dpi_X == 1"},
               test::sides_at(at, simplified(desk.algebra, twice).terms().front().second, desk("1")));
}

/// A heavy point that slides on a rough incline, the velocity in polar coordinates.
struct Incline : CompleteSystems {
  CoframePtr state = desk.coordinates("v al x y t");
  Form omega = desk.form(state,
                         "cos(al): dv dx; sin(al): dv dy; -v*sin(al): dal dx; v*cos(al): dal dy; -v: dv dt;"
                         "g*sin(i) - f*g*cos(i)*cos(al): dx dt; -f*g*cos(i)*sin(al): dy dt");
  VectorField e = motion(omega, state);
  std::vector<VectorField> symmetries{VectorField::dual(state, "dx"), VectorField::dual(state, "dy"),
                                      VectorField::dual(state, "dt")};
  VectorField x = desk.field(state, {"cos(al)", "-sin(al)/v", "0", "-v*cos(al)/sin(al)/(f*g*cos(i))", "0"});
  VectorField y = desk.field(state, {"sin(al)", "cos(al)/v", "0", "-v/(f*g*cos(i))", "0"});
  VectorField t = desk.field(state, {"0", "0", "1/(g*sin(i))", "-cos(al)/sin(al)/(g*sin(i))", "0"});
  VectorField u =
      desk.field(state, {"0", "0", "-f*cos(i)/sin(i)/v", "(f*cos(i)/sin(i)*cos(al) - 1)/(v*sin(al))", "0"});
  Form pi(const VectorField& field) { return interior(field, omega); }
  Point at{desk, "g = 9.81, f = 0.3, i = 0.5, v = 2, al = 1.2, x = 0, y = 0, t = 0"};
};

TEST_F(Incline, four_forms) {
  CATALOGUE_ROW("G6.III.I-forms");
  for (const VectorField& symmetry : symmetries) EXPECT_PROVED(vanishes(lie(symmetry, omega)));
  EXPECT_PROVED(equal(
      pi(x), desk.form(state, "1: dx; v*cos(al)/(f*g*cos(i)): dv; v^2*cos(al)^2/sin(al)/(f*g*cos(i)): dal")));
  EXPECT_PROVED(
      equal(pi(y), desk.form(state, "1: dy; v*sin(al)/(f*g*cos(i)): dv; v^2*cos(al)/(f*g*cos(i)): dal")));
  EXPECT_PROVED(equal(pi(t), desk.form(state, "1: dt; v/(g*sin(i)*sin(al)): dal")));
  EXPECT_PROVED(equal(pi(u), desk.form(state, "1/v: dv; (cos(al) - f*cos(i)/sin(i))/sin(al): dal")));
  EXPECT_PROVED(vanishes(d(pi(u))));
  for (const VectorField& field : {x, y, t}) EXPECT_PROVED(closed_modulo(pi(field), {pi(u)}));
  expect_coefficients(at, pi(x), {0.280601060649086, 0.218183919046826, 1, 0, 0});
  expect_coefficients(at, pi(y), {0.721748473318911, 0.561202121298171, 0, 1, 0});
  expect_coefficients(at, pi(t), {0, 0.45625296330604, 0, 0, 1});
  expect_coefficients(at, pi(u), {0.5, -0.200408507378445, 0, 0, 0});
  expect_components(at, u, {0, 0, -0.274573158256868, -0.429709754627776, 0});
  const Form change = lie(e, pi(x));
  EXPECT_PROVED(vanishes(wedge(change, pi(u))));
  EXPECT_NUMBER(at(change.coefficient({"dv"}) / pi(u).coefficient({"dv"})), 4.12022482245342);
}

TEST_F(Incline, misprint_of_the_field_u) {
  CATALOGUE_ROW("G6.III.I-forms");
  const VectorField printed = desk.field(state, {"0", "0", "f*cos(i)/sin(i)/(v*sin(al))",
                                                 "1/(v*sin(al)) - f*cos(i)/sin(i)*cos(al)/(v*sin(al))", "0"});
  const Form pair = interior(symmetries[2], interior(printed, omega));
  test::refute(
      {"G6.III.I-forms", "The field u of a point on a rough incline",
       "u = (0, 0, f cot(i)/(v sin(alpha)), 1/(v sin(alpha)) - f cot(i) cos(alpha)/(v sin(alpha)), 0)",
       "u = -(0, 0, f cot(i)/v, 1/(v sin(alpha)) - f cot(i) cos(alpha)/(v sin(alpha)), 0)",
       "i(d/dt)i(u)Omega of the printed u == 0"},
      test::sides_at(at, simplified(desk.algebra, pair).terms().front().second, desk("0")));
}

TEST_F(CompleteSystems, the_energy_of_a_charge) {
  CATALOGUE_ROW("G6.III.II-visviva");
  const CoframePtr state = desk.coordinates("v1 v2 v3 x1 x2 x3 t");
  const std::string h1 = "x2*x3", h2 = "x1^2", h3 = "(x1*x2 + 1)";
  const Form omega = desk.form(state,
                               "1: dv1 dx1; 1: dv2 dx2; 1: dv3 dx3; -v1: dv1 dt; -v2: dv2 dt; -v3: dv3 dt;"
                               "2*x1*x2 + c*(v2*" +
                                   h3 + " - v3*" + h2 + "): dx1 dt; x1^2 + c*(v3*" + h1 + " - v1*" + h3 +
                                   "): dx2 dt; -3*x3^2 + c*(v1*" + h2 + " - v2*" + h1 + "): dx3 dt");
  const VectorField e = motion(omega, state);
  const VectorField x = desk.field(state, {"-2*x1*x2", "-x1^2", "3*x3^2", "-v1", "-v2", "-v3", "0"});
  const Expr energy = desk("(v1^2 + v2^2 + v3^2)/2 - x1^2*x2 + x3^3");
  EXPECT_PROVED(equal(interior(x, omega), d(state, energy)));
  EXPECT_PROVED(desk.algebra.is_zero(apply(e, energy)));
  const Point at(desk, "c = 1.5, v1 = 1, v2 = 2, v3 = -1, x1 = 0.5, x2 = 3, x3 = 2");
  expect_components(at, e, {10.875, -12.5, -29.625, 1, 2, -1, 1});
  expect_components(at, x, {-3, -0.25, 12, -1, -2, 1, 0});
  EXPECT_NUMBER(at(energy), 10.25);
}

/// A charge in an azimuthal magnetic field V'(rho), V = log(rho), f = -rho^2/4, with gravity.
struct Cylindrical : CompleteSystems {
  CoframePtr state = desk.coordinates("p q r rho al z t");
  Form omega = desk.form(state,
                         "1: dp drho; 1: dq dal; 1: dr dz; -p: dp dt; -q/rho^2: dq dt; -r: dr dt;"
                         "q^2/rho^3 - rho/2 - c*r/rho: drho dt; -g + c*p/rho: dz dt");
  VectorField e = motion(omega, state);
  Expr second = desk("r - c*log(rho) + g*t"), energy = desk("p^2 + q^2/rho^2 + r^2 + rho^2/2 + 2*g*z");
  Form pi1 = desk.form(state, "1: dal; -q/(p*rho^2): drho"), pi2 = desk.form(state, "1: dz; -r/p: drho");
  Form pi3 = desk.form(state, "-1: dt; 1/p: drho");
  std::vector<Form> integrals() { return {d(state, desk("q")), d(state, second), d(state, energy)}; }
  Point at{desk, "c = 1.5, g = 9.81, p = 1, q = 2, r = 0.5, rho = 1.5, al = 0, z = 1, t = 0"};
};

TEST_F(Cylindrical, three_symmetries_and_three_integrals) {
  CATALOGUE_ROW("G6.III.II-cylindrical");
  expect_components(at, e, {-0.0648148148148148, 0, -8.81, 1, 0.888888888888889, 0.5, 1});
  for (const char* form : {"dal", "dz", "dt"})
    EXPECT_PROVED(vanishes(lie(VectorField::dual(state, form), omega)));
  EXPECT_PROVED(equal(interior(VectorField::dual(state, "dal"), omega), desk.form(state, "-1: dq")));
  const VectorField field = desk.field(state, {"-c/rho", "0", "0", "0", "0", "-1", "0"});
  EXPECT_PROVED(equal(interior(field, omega), d(state, second)));
  for (Expr kept : {desk("q"), second, energy}) EXPECT_PROVED(desk.algebra.is_zero(apply(e, kept)));
  EXPECT_NUMBER(at(second), -0.108197662162247);
  EXPECT_NUMBER(at(energy), 23.7727777777778);
  for (const Form& pi : {pi1, pi2, pi3}) EXPECT_PROVED(vanishes(interior(e, pi)));
  EXPECT_NUMBER(at(pi1.coefficient({"drho"})), -0.888888888888889);
  EXPECT_NUMBER(at(pi2.coefficient({"drho"})), -0.5);
  EXPECT_NUMBER(at(pi3.coefficient({"drho"})), 1);
}

TEST_F(Cylindrical, quadratures_are_there_without_gravity_alone) {
  CATALOGUE_ROW("G6.II-practical");  // 2n = 6, three symmetries, three integrals: nothing is left
  for (const Form& pi : {pi2, pi3}) EXPECT_REFUTED(closed_modulo(pi, integrals()));
  const Substitution weightless{{desk("g"), desk("0")}};
  const auto without = [&](const Form& form) {
    std::vector<Form::Term> terms = form.terms();
    for (auto& [indices, coefficient] : terms) coefficient = substitute(coefficient, weightless);
    return Form(state, form.degree(), std::move(terms));
  };
  std::vector<Form> kept;
  for (const Form& form : integrals()) kept.push_back(without(form));
  for (const Form& pi : {pi1, pi2, pi3}) EXPECT_PROVED(closed_modulo(pi, kept));
}

TEST_F(Cylindrical, misprint_of_the_second_form) {
  CATALOGUE_ROW("G6.III.II-cylindrical");
  const Form printed = desk.form(state, "1: dz; r/p: drho");
  test::refute(
      {"G6.III.II-cylindrical", "A form of a charge in an azimuthal field", "pi2 = dz + (r/p) drho",
       "pi2 = dz - (r/p) drho", "i(E)pi2 of the printed form == 0"},
      test::sides_at(at, simplified(desk.algebra, interior(e, printed)).terms().front().second, desk("0")));
}

}  // namespace
}  // namespace liaison
