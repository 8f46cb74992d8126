/// Rows G1.II-structure and G1.II-trihedron-*: rotation forms, and the kinetic form of a solid in a trihedron
/// that moves in the body and in space.
#include <array>

#include "liaison/expr/coefficients.hpp"
#include "liaison/forms/two_form.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;

struct RotationForms : ::testing::Test {
  Desk desk;
  CoframePtr angles = desk.coordinates("psi theta phi");

  Matrix about(std::string_view axis, const std::string& angle) {
    const std::string c = "cos(" + angle + ")", s = "sin(" + angle + ")", ms = "-sin(" + angle + ")";
    if (axis == "z") return Matrix(3, 3, desk.list({c, ms, "0", s, c, "0", "0", "0", "1"}));
    return Matrix(3, 3, desk.list({"1", "0", "0", "0", c, ms, "0", s, c}));
  }
  /// The entry (i, j) of A dB or dA B for matrices of functions.
  Form entry(const Matrix& a, const Matrix& b, std::size_t i, std::size_t j, bool d_first) {
    Form sum(angles, 1);
    for (std::size_t k = 0; k < 3; ++k)
      sum = sum + (d_first ? b(k, j) * d(angles, a(i, k)) : a(i, k) * d(angles, b(k, j)));
    return sum;
  }
};

TEST_F(RotationForms, body_and_space_forms_have_opposite_structure) {
  CATALOGUE_ROW("G1.II-structure");
  const Matrix q = about("z", "psi") * about("x", "theta") * about("z", "phi");
  const std::array<std::array<std::size_t, 2>, 3> axis{{{2, 1}, {0, 2}, {1, 0}}};
  std::vector<Form> body, space;
  for (const auto& [i, j] : axis) {
    body.push_back(entry(transpose(q), q, i, j, false));
    space.push_back(entry(q, transpose(q), i, j, true));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const Form plane_body = wedge(body[(i + 1) % 3], body[(i + 2) % 3]);
    const Form plane_space = wedge(space[(i + 1) % 3], space[(i + 2) % 3]);
    EXPECT_PROVED(are_equal(desk.algebra, d(body[i]), -plane_body));
    EXPECT_PROVED(are_equal(desk.algebra, d(space[i]), plane_space));
    // The body signs on space forms are wrong, though d d = 0 would not show it.
    EXPECT_REFUTED(are_equal(desk.algebra, d(space[i]), -plane_space));
  }
}

/// Forms dp, dq, dr, w1..w3 (rotation of the body), W1..W3 (rotation of the trihedron), dt, all components on
/// the trihedron.
struct TrihedronRows : ::testing::Test {
  Desk desk;
  CoframePtr all = Coframe::make(desk.algebra,
                                 {{"dp", {}},
                                  {"dq", {}},
                                  {"dr", {}},
                                  {"w1", {}},
                                  {"w2", {}},
                                  {"w3", {}},
                                  {"W1", {}},
                                  {"W2", {}},
                                  {"W3", {}},
                                  {"dt", {}}},
                                 {});
  CoframePtr few = Coframe::make(
      desk.algebra, {{"dp", {}}, {"dq", {}}, {"dr", {}}, {"w1", {}}, {"w2", {}}, {"w3", {}}, {"dt", {}}}, {});

  const Point at{desk,
                 "a = 0.5, b = 0.75, c = 1, D = 0.1, E = -0.05, F = 0.15, L1 = 0.2, L2 = -0.3, L3 = 0.7, p = "
                 "0.5, q = -1.2, r = 0.8, P1 = 0.2, P2 = 0.3, P3 = -0.5"};

  using Vector = std::vector<Form>;  ///< three components
  Form pfaff(std::string_view text) { return desk.form(all, text); }
  Verdict equal(const Form& a, const Form& b) { return are_equal(desk.algebra, a, b); }

  static Vector cross(const std::vector<Expr>& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static Vector cross(const Vector& a, const std::vector<Expr>& b) {
    return {b[2] * a[1] - b[1] * a[2], b[0] * a[2] - b[2] * a[0], b[1] * a[0] - b[0] * a[1]};
  }
  static std::vector<Expr> cross(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static Vector add(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

  /// The integral over the body: x^2 -> a, y^2 -> b, z^2 -> c, yz -> D, zx -> E, xy -> F.
  Expr over_the_body(Expr e) {
    const std::vector<Expr> xyz = desk.list({"x", "y", "z"});
    Expr sum = desk("0");
    const std::vector<Monomial> monomials = polynomial_coefficients(e, xyz).value();
    for (const Monomial& monomial : monomials) {
      const auto& n = monomial.exponents;
      const char* moment = n[0] == 2   ? "a"
                           : n[1] == 2 ? "b"
                           : n[2] == 2 ? "c"
                           : n[0] == 0 ? "D"
                           : n[1] == 0 ? "E"
                                       : "F";
      sum = sum + monomial.coefficient * desk(moment);
    }
    return sum;
  }

  /// Int dV.^dM - V.dV^dt for V = omega x M, dM = w x M, dV = d'V + W x V, where d' sees dM' = (w - W) x M on
  /// the trihedron.
  Form derived() {
    const std::vector<Expr> point = desk.list({"x", "y", "z"}), rates = desk.list({"p", "q", "r"});
    const Vector w{pfaff("1: w1"), pfaff("1: w2"), pfaff("1: w3")};
    const Vector trihedron{pfaff("1: W1"), pfaff("1: W2"), pfaff("1: W3")};
    const Vector relative{w[0] - trihedron[0], w[1] - trihedron[1], w[2] - trihedron[2]};
    const Vector d_rates{pfaff("1: dp"), pfaff("1: dq"), pfaff("1: dr")};
    const std::vector<Expr> velocity = cross(rates, point);
    const Vector displacement = cross(w, point);
    const Vector d_velocity =
        add(add(cross(d_rates, point), cross(rates, cross(relative, point))), cross(trihedron, velocity));
    Form sum(all, 2);
    for (std::size_t i = 0; i < 3; ++i)
      sum = sum + wedge(d_velocity[i], displacement[i]) - wedge(velocity[i] * d_velocity[i], pfaff("1: dt"));
    std::vector<Form::Term> terms;
    for (const auto& [key, coefficient] : sum.terms()) terms.emplace_back(key, over_the_body(coefficient));
    return Form(all, 2, std::move(terms));
  }

  /// The general formula; `sign` = +1 for the right dt brackets of D, E, F, -1 for the printed ones.
  Form general(const std::string& sign = "1") {
    const Form space = pfaff(
        "a+c: dq w2; a+b: dr w3; b+c: dp w1; 2*a*p: w2 w3; 2*b*q: w3 w1; 2*c*r: w1 w2;"
        "-a*p - b*p: W2 w3; a*q + b*q: W1 w3; -a*r - c*r: W1 w2; a*p + c*p: W3 w2; -b*q - c*q: W3 w1; b*r + "
        "c*r: W2 w1;"
        "-D: dq w3; -D: dr w2; 2*D*q: w1 w2; 2*D*r: w3 w1; D*p: W2 w2; -D*p: W3 w3; -D*q: W1 w2; D*r: W1 w3;"
        "-E: dr w1; -E: dp w3; 2*E*r: w2 w3; 2*E*p: w1 w2; E*q: W3 w3; -E*q: W1 w1; -E*r: W2 w3; E*p: W2 w1;"
        "-F: dp w2; -F: dq w1; 2*F*p: w3 w1; 2*F*q: w2 w3; F*r: W1 w1; -F*r: W2 w2; -F*p: W3 w1; F*q: W3 w2");
    const auto delta = [&](const std::string& c, int i) {
      const std::string n = std::to_string(i);
      return pfaff(c + ": w" + n + "; -(" + c + "): W" + n);
    };
    const std::string s = sign + "*";
    const Form time = pfaff("-(a+c)*q + D*r + F*p: dq; -(a+b)*r + D*q + E*p: dr; -(b+c)*p + E*r + F*q: dp") +
                      delta("-a*p*r + c*r*p", 2) + delta("a*p*q - b*q*p", 3) + delta("b*q*r - c*r*q", 1) +
                      delta(s + "D*(r^2 - q^2)", 1) + delta(s + "D*p*q", 2) + delta("-" + s + "D*r*p", 3) +
                      delta(s + "E*(p^2 - r^2)", 2) + delta(s + "E*q*r", 3) + delta("-" + s + "E*p*q", 1) +
                      delta(s + "F*(q^2 - p^2)", 3) + delta(s + "F*r*p", 1) + delta("-" + s + "F*q*r", 2);
    return space + wedge(time, pfaff("1: dt"));
  }

  /// The form on dp, dq, dr, w, dt with W given there.
  Form with_trihedron(const Form& a, const std::vector<Form>& trihedron) {
    std::vector<Form> images;
    for (const char* name : {"dp", "dq", "dr", "w1", "w2", "w3"}) images.push_back(Form::basis(few, name));
    images.insert(images.end(), trihedron.begin(), trihedron.end());
    images.push_back(Form::basis(few, "dt"));
    return SmoothMap(desk.algebra, few, all, {}, images).pull_back(a);
  }
  std::vector<Form> turning() {
    return {desk.form(few, "P1: dt"), desk.form(few, "P2: dt"), desk.form(few, "P3: dt")};
  }
  std::vector<Form> fixed_in_body() {
    return {desk.form(few, "1: w1"), desk.form(few, "1: w2"), desk.form(few, "1: w3")};
  }
  std::vector<Form> fixed_in_space() { return std::vector<Form>(3, Form(few, 1)); }

  /// p', q', r' from the characteristics of the form with the moment (L1, L2, L3).
  std::vector<Expr> accelerations(const Form& kinetic) {
    const Form omega = kinetic + desk.form(few, "L1: w1 dt; L2: w2 dt; L3: w3 dt");
    const CharacteristicField e = characteristic_field(desk.algebra, omega, Form::basis(few, "dt"));
    if (!e.field) {
      ADD_FAILURE() << e.explanation;
      return std::vector<Expr>(3, desk("0"));
    }
    EXPECT_PROVED(desk.algebra.are_equal(e.field->component("w1"), desk("p")));
    EXPECT_PROVED(desk.algebra.are_equal(e.field->component("w2"), desk("q")));
    EXPECT_PROVED(desk.algebra.are_equal(e.field->component("w3"), desk("r")));
    return {e.field->component(0), e.field->component(1), e.field->component(2)};
  }
  /// J (w' + P x w) + w x J w - L.
  std::vector<Expr> euler_residual(const std::vector<Expr>& acceleration,
                                   const std::vector<Expr>& trihedron) {
    const std::vector<Expr> w = desk.list({"p", "q", "r"}), turned = cross(trihedron, w);
    const auto inertia = [&](const std::vector<Expr>& u) -> std::vector<Expr> {
      return {desk("b+c") * u[0] - desk("F") * u[1] - desk("E") * u[2],
              desk("c+a") * u[1] - desk("F") * u[0] - desk("D") * u[2],
              desk("a+b") * u[2] - desk("E") * u[0] - desk("D") * u[1]};
    };
    const std::vector<Expr> first =
        inertia({acceleration[0] + turned[0], acceleration[1] + turned[1], acceleration[2] + turned[2]});
    const std::vector<Expr> gyroscopic = cross(w, inertia(w));
    std::vector<Expr> residual;
    for (std::size_t i = 0; i < 3; ++i)
      residual.push_back(first[i] + gyroscopic[i] - desk("L" + std::to_string(i + 1)));
    return residual;
  }
};

TEST_F(TrihedronRows, the_general_formula_is_the_derived_one) {
  CATALOGUE_ROW("G1.II-trihedron-general");
  EXPECT_PROVED(equal(general(), derived()));
  const Expr off = general("-1").coefficient({"w1", "dt"}) - derived().coefficient({"w1", "dt"});
  EXPECT_PROVED(desk.algebra.are_equal(off, desk("2*(D*(q^2 - r^2) + E*p*q - F*r*p)")));
}

TEST_F(TrihedronRows, the_general_form_gives_eulers_equations) {
  CATALOGUE_ROW("G1.II-trihedron-general");
  const std::vector<Expr> rates = desk.list({"P1", "P2", "P3"});
  for (Expr residual : euler_residual(accelerations(with_trihedron(general(), turning())), rates))
    EXPECT_PROVED(desk.algebra.is_zero(residual));
  for (Expr residual : euler_residual(accelerations(with_trihedron(general("-1"), turning())), rates))
    EXPECT_REFUTED(desk.algebra.is_zero(residual));
}

TEST_F(TrihedronRows, misprint_of_the_general_form) {
  CATALOGUE_ROW("G1.II-trihedron-general");
  test::refute(
      {"G1.II-trihedron-general", "Kinetic form of a solid in a moving trihedron, time terms",
       "+ D [(q^2 - r^2) (w1 - W1) - p q (w2 - W2) + r p (w3 - W3)]^dt and its cyclic companions in E and F "
       "(D = Int yz, E = Int zx, F = Int xy)",
       "the opposite sign in all three brackets",
       "the coefficient of w1^dt in Omega_c == (b - c)*q*r + D*(q^2 - r^2) + E*p*q - F*r*p, where b = Int "
       "y^2, c = Int z^2, w the rotation of the body, W that of the trihedron"},
      sides_at(at, derived().coefficient({"w1", "dt"}), general("-1").coefficient({"w1", "dt"})));
}

TEST_F(TrihedronRows, numbers_of_the_general_form) {
  CATALOGUE_ROW("G1.II-trihedron-general");
  const std::vector<Expr> acceleration = accelerations(with_trihedron(general(), turning()));
  EXPECT_NUMBER(at(acceleration[0]), 0.324959601036069);
  EXPECT_NUMBER(at(acceleration[1]), 0.021571113774307);
  EXPECT_NUMBER(at(acceleration[2]), 0.651127305060502);
  const Form form = derived();
  EXPECT_NUMBER(at(form.coefficient({"w2", "w3"})), 0.06);
  EXPECT_NUMBER(at(form.coefficient({"w3", "w1"})), -1.49);
  EXPECT_NUMBER(at(form.coefficient({"w1", "w2"})), 1.31);
  EXPECT_NUMBER(at(form.coefficient({"W2", "w3"})), -0.585);
  EXPECT_NUMBER(at(form.coefficient({"w1", "dt"})), 0.19);
}

/// A, B, C as moments of inertia: a = (B + C - A)/2 and cyclic.
struct InertiaRows : TrihedronRows {
  const Point at_space{
      desk,
      "A = 1.75, B = 1.5, C = 1.25, D = 0.1, E = -0.05, F = 0.15, L1 = 0.2, L2 = -0.3, L3 = 0.7, "
      "p = 0.5, q = -1.2, r = 0.8"};

  Form in_inertia(const Form& a) {
    const std::vector<std::pair<Expr, Expr>> moments{{desk("a"), desk("(B + C - A)/2")},
                                                     {desk("b"), desk("(C + A - B)/2")},
                                                     {desk("c"), desk("(A + B - C)/2")}};
    std::vector<Form> same;
    for (std::size_t i = 0; i < a.coframe()->dimension(); ++i) same.push_back(Form::basis(a.coframe(), i));
    return SmoothMap(desk.algebra, a.coframe(), a.coframe(), moments, same).pull_back(a);
  }
  Form axes_in_body() {
    return desk.form(
        few,
        "A: dp w1; B: dq w2; C: dr w3; -A*p: w2 w3; -B*q: w3 w1; -C*r: w1 w2; -D: dq w3; -D: dr w2; D*q: w1 "
        "w2; D*r: w3 w1;"
        "-E: dr w1; -E: dp w3; E*r: w2 w3; E*p: w1 w2; -F: dp w2; -F: dq w1; F*p: w3 w1; F*q: w2 w3;"
        "-A*p + E*r + F*q: dp dt; -B*q + D*r + F*p: dq dt; -C*r + D*q + E*p: dr dt");
  }
  Form axes_in_space(const std::string& sign = "1") {
    const std::string s = sign + "*";
    return desk.form(
        few,
        "A: dp w1; B: dq w2; C: dr w3; (B + C - A)*p: w2 w3; (C + A - B)*q: w3 w1; (A + B - C)*r: w1 w2;"
        "-D: dq w3; -D: dr w2; 2*D*q: w1 w2; 2*D*r: w3 w1; -E: dr w1; -E: dp w3; 2*E*r: w2 w3; 2*E*p: w1 w2;"
        "-F: dp w2; -F: dq w1; 2*F*p: w3 w1; 2*F*q: w2 w3;"
        "-A*p + E*r + F*q: dp dt; -B*q + D*r + F*p: dq dt; -C*r + D*q + E*p: dr dt;"
        "-(B - C)*r*q - " +
            s +
            "(D*(q^2 - r^2) + E*p*q - F*r*p): w1 dt;"
            "-(C - A)*p*r - " +
            s +
            "(E*(r^2 - p^2) + F*q*r - D*p*q): w2 dt;"
            "-(A - B)*q*p - " +
            s + "(F*(p^2 - q^2) + D*r*p - E*q*r): w3 dt");
  }
};

TEST_F(InertiaRows, axes_fixed_in_the_body) {
  CATALOGUE_ROW("G1.II-trihedron-body");
  EXPECT_PROVED(equal(in_inertia(with_trihedron(general(), fixed_in_body())), axes_in_body()));
  const std::vector<Expr> acceleration = accelerations(axes_in_body());
  const Point at_body(
      desk,
      "A = 1.5, B = 2, C = 2.5, D = 0.25, E = -0.2, F = 0.3, L1 = 0.2, L2 = -0.3, L3 = 0.7, p = "
      "0.5, q = -1.2, r = 0.8");
  EXPECT_NUMBER(at_body(acceleration[0]), 0.572792287467134);
  EXPECT_NUMBER(at_body(acceleration[1]), 0.0503705521472393);
  EXPECT_NUMBER(at_body(acceleration[2]), 0.179613672217353);
}

TEST_F(InertiaRows, in_body_axes_the_form_is_the_derivative_of_the_momentum_form) {
  CATALOGUE_ROW("G1.II-trihedron-body");
  const char* momentum =
      "A*p - E*r - F*q: w1; B*q - D*r - F*p: w2; C*r - D*q - E*p: w3;"
      "-(A*p^2 + B*q^2 + C*r^2 - 2*D*q*r - 2*E*r*p - 2*F*p*q)/2: dt";
  const auto on = [&](Axes axes) {
    return desk.product_of(
        {desk.coordinates("p q r"), desk.rotation("w1 w2 w3", axes), desk.coordinates("t")});
  };
  const CoframePtr body = on(Axes::body);
  const Form kinetic(body, 2, axes_in_body().terms());
  EXPECT_PROVED(equal(d(desk.form(body, momentum)), kinetic));
  // With the structure of space axes the gyroscopic terms come out with the wrong sign: row G1.II-structure.
  const CoframePtr space = on(Axes::space);
  EXPECT_REFUTED(equal(d(desk.form(space, momentum)), Form(space, 2, axes_in_body().terms())));
}

TEST_F(InertiaRows, axes_fixed_in_space) {
  CATALOGUE_ROW("G1.II-trihedron-space");
  const Form right = in_inertia(with_trihedron(general(), fixed_in_space()));
  EXPECT_PROVED(equal(right, axes_in_space()));
  const std::vector<Expr> acceleration = accelerations(axes_in_space());
  EXPECT_NUMBER(at_space(acceleration[0]), -0.0350403989639309);
  EXPECT_NUMBER(at_space(acceleration[1]), -0.388428886225693);
  EXPECT_NUMBER(at_space(acceleration[2]), 0.261127305060502);
  // The balance J w' + ... = L stands in -i(e_w)Omega: a surplus in the coefficient of w^dt enters it with
  // the sign minus.
  const Form surplus = axes_in_space("-1") - right;
  EXPECT_NUMBER(at_space(-surplus.coefficient({"w1", "dt"})), -0.1);
  EXPECT_NUMBER(at_space(-surplus.coefficient({"w2", "dt"})), 0.207);
  EXPECT_NUMBER(at_space(-surplus.coefficient({"w3", "dt"})), 0.373);
}

TEST_F(InertiaRows, misprints_of_the_form_in_space_axes) {
  CATALOGUE_ROW("G1.II-trihedron-space");
  const Form right = in_inertia(with_trihedron(general(), fixed_in_space()));
  const auto refute = [&](const char* title, const char* printed, const char* is_right,
                          const std::string& form, std::initializer_list<std::string_view> key,
                          const char* formula) {
    test::refute({"G1.II-trihedron-space", title, printed, is_right,
                  "the coefficient of " + form + " in Omega_c == " + formula},
                 sides_at(at_space, right.coefficient(key), desk(formula)));
  };
  refute("Kinetic form of a solid in space axes, products of inertia",
         "- {(B - C) r q - D (q^2 - r^2) - E p q + F r p} w1^dt and cyclic",
         "+ D + E + F with the same brackets", "w1^dt", {"w1", "dt"},
         "-(B - C)*r*q + D*(q^2 - r^2) + E*p*q - F*r*p");
  refute("Kinetic form of a solid in space axes, rates", "(B + C - A) w2^w3 and cyclic, without the rates",
         "(B + C - A) p w2^w3 and cyclic", "w2^w3", {"w2", "w3"}, "B + C - A + 2*E*r + 2*F*q");
  refute("Kinetic form of a solid in space axes, second moment", "C + B - A in the term of w3^w1",
         "C + A - B", "w3^w1", {"w3", "w1"}, "(C + B - A)*q + 2*D*r + 2*F*p");
  refute("Kinetic form of a solid in space axes, first time term", "(B - C) r p w1 in the time terms",
         "(B - C) r q w1", "w1^dt", {"w1", "dt"}, "-(B - C)*r*p - (D*(q^2 - r^2) + E*p*q - F*r*p)");
}

TEST_F(InertiaRows, a_sphere_in_space_axes) {
  CATALOGUE_ROW("G1.II-trihedron-space");
  const CoframePtr space = desk.product_of(
      {desk.coordinates("p q r"), desk.rotation("w1 w2 w3", Axes::space), desk.coordinates("t")});
  const Form momentum =
      desk.form(space, "M*k^2*p: w1; M*k^2*q: w2; M*k^2*r: w3; -M*k^2*(p^2 + q^2 + r^2)/2: dt");
  const Form sphere =
      desk.form(space,
                "M*k^2: dp w1; M*k^2: dq w2; M*k^2: dr w3; M*k^2*p: w2 w3; M*k^2*q: w3 w1; M*k^2*r: w1 w2;"
                "-M*k^2*p: dp dt; -M*k^2*q: dq dt; -M*k^2*r: dr dt");
  EXPECT_PROVED(equal(d(momentum), sphere));
}

struct RevolutionRows : InertiaRows {
  const Point at_spin{desk, "A = 2, C = 1, L1 = 3, L2 = 0, L3 = 0, p = 0.25, q = -0.6, r = 5, n = 0.7"};

  Form revolution(const Form& a) {
    std::vector<Form> same;
    for (std::size_t i = 0; i < a.coframe()->dimension(); ++i) same.push_back(Form::basis(a.coframe(), i));
    return SmoothMap(desk.algebra, a.coframe(), a.coframe(),
                     {{desk("a"), desk("C/2")},
                      {desk("b"), desk("C/2")},
                      {desk("c"), desk("A - C/2")},
                      {desk("D"), desk("0")},
                      {desk("E"), desk("0")},
                      {desk("F"), desk("0")}},
                     same)
        .pull_back(a);
  }
  /// With `sign` before the term of W2^w3: "-" is right.
  Form formula(const char* sign) {
    return pfaff("A: dp w1; A: dq w2; C: dr w3; C*p: w2 w3; C*q: w3 w1; (2*A - C)*r: w1 w2; -A*r: W1 w2; " +
                 std::string(sign) +
                 "C*p: W2 w3; -A*q: W3 w1; C*q: W1 w3; A*r: W2 w1; A*p: W3 w2;"
                 "-A*p: dp dt; -A*q: dq dt; -C*r: dr dt; -(C - A)*p*r: w2 dt; (C - A)*p*r: W2 dt; (C - "
                 "A)*q*r: w1 dt; -(C - A)*q*r: W1 dt");
  }
};

TEST_F(RevolutionRows, misprint_of_a_body_of_revolution) {
  CATALOGUE_ROW("G1.II-trihedron-revolution");
  test::refute(
      {"G1.II-trihedron-revolution", "Kinetic form of a body of revolution", "+ C p W2^w3", "- C p W2^w3",
       "the coefficient of W2^w3 in Omega_c == C*p, w the rotation of the body, W that of the trihedron"},
      sides_at(at_spin, revolution(general()).coefficient({"W2", "w3"}),
               formula("+").coefficient({"W2", "w3"})));
}

TEST_F(RevolutionRows, the_spin_of_a_body_of_revolution) {
  CATALOGUE_ROW("G1.II-trihedron-revolution");
  EXPECT_PROVED(equal(revolution(general()), formula("-")));

  // Oz in the body: W1 = w1, W2 = w2; first with W3 left, then W3 = n dt.
  const std::vector<Form> third{desk.form(few, "1: w1"), desk.form(few, "1: w2"), desk.form(few, "n: dt")};
  const Form reduced = with_trihedron(formula("-"), third);
  EXPECT_PROVED(
      equal(reduced, desk.form(few,
                               "A: dp w1; A: dq w2; C: dr w3; -C*r: w1 w2; -n*A*p: w2 dt; n*A*q: w1 dt;"
                               "-A*p: dp dt; -A*q: dq dt; -C*r: dr dt")));
  const std::vector<Expr> acceleration = accelerations(reduced);
  EXPECT_PROVED(desk.algebra.is_zero(desk("A") * acceleration[0] + desk("(C*r - A*n)*q - L1")));
  EXPECT_PROVED(desk.algebra.is_zero(desk("A") * acceleration[1] - desk("(C*r - A*n)*p + L2")));
  EXPECT_PROVED(desk.algebra.is_zero(desk("C") * acceleration[2] - desk("L3")));
  // The printed sign destroys r' = 0.
  const std::vector<Expr> printed = accelerations(with_trihedron(formula("+"), third));
  EXPECT_REFUTED(desk.algebra.is_zero(desk("C") * printed[2] - desk("L3")));
  EXPECT_NUMBER(at_spin(acceleration[0]), 2.58);
  EXPECT_NUMBER(at_spin(acceleration[1]), 0.45);
  EXPECT_NUMBER(at_spin(acceleration[2]), 0.0);
}

}  // namespace
}  // namespace liaison
