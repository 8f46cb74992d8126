/// Rows G4.II-formula-II2, G5.I-V1, G4.III-discontinuity: derivatives of any order along E + lambda_h e^h by
/// those along E; rows G6.III.III-*: a plane solid on a line, its forms and its symmetries.
#include "misprint.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/model/kinematics.hpp"
#include "mechanics/mechanics_support.hpp"
#include "unknown_function.hpp"

namespace liaison {
namespace {

using test::derive;
using test::Derived;
using test::Desk;
using test::Point;
using test::unknown;

/// The fields of the two rows, at x0 = 2, x1 = 1/2, x2 = -1.
struct FieldsOfConstraints : ::testing::Test {
  Desk desk;
  CoframePtr space = desk.coordinates("x0 x1 x2");
  VectorField free = desk.field(space, {"x1", "-x0*x2", "1"});
  std::vector<VectorField> e{desk.field(space, {"0", "1 + x0", "0"}), desk.field(space, {"x2", "0", "x1"})};
  std::vector<Expr> lambda{desk("x0*x1 - x2"), desk("x0 + x2")};
  Expr f = desk("x0^2*x1 + x2^2*x0");
  Point at{desk, "x0 = 2, x1 = 1/2, x2 = -1"};

  Expr along(const VectorField& field, Expr g, int times = 1) {
    for (; times > 0; --times) g = interior(field, d(space, g)).coefficient({});
    return g;
  }
  Expr phi(std::size_t h, int p, int exponent) { return along(e[h], along(free, f, p + exponent)); }
  /// With the first `count` constraints.
  VectorField motion(std::size_t count) {
    VectorField sum = free;
    for (std::size_t h = 0; h < count; ++h) sum = sum + lambda[h] * e[h];
    return sum;
  }
  /// (lambda_h phi_p^h)^(n - p + 1)
  Expr term(std::size_t count, int n, int p, int exponent = -1) {
    Expr sum = desk("0");
    for (std::size_t h = 0; h < count; ++h) sum = sum + lambda[h] * phi(h, p, exponent);
    return along(motion(count), sum, n - p + 1);
  }
  Expr formula(std::size_t count, int n, int exponent = -1) {
    Expr sum = along(free, f, n + 1);
    for (int p = 1; p <= n + 1; ++p) sum = sum + term(count, n, p, exponent);
    return sum;
  }
};

TEST_F(FieldsOfConstraints, derivatives_along_the_motion_by_those_along_the_free_one) {
  CATALOGUE_ROW("G4.II-formula-II2");
  for (int n = 0; n <= 2; ++n)
    EXPECT_PROVED(desk.algebra.are_equal(along(motion(1), f, n + 1), formula(1, n)));
  EXPECT_NUMBER(at(along(motion(1), f, 3)), 2537.25);
  EXPECT_NUMBER(at(term(1, 2, 1)), 1737);
  EXPECT_NUMBER(at(term(1, 2, 2)), 611.75);
  EXPECT_NUMBER(at(term(1, 2, 3)), 153);
  EXPECT_NUMBER(at(along(free, f, 3)), 35.5);
  EXPECT_NUMBER(at(phi(0, 1, -1)), 12);
  EXPECT_NUMBER(at(phi(0, 2, -1)), 15);
  EXPECT_NUMBER(at(phi(0, 3, -1)), 76.5);
}

TEST_F(FieldsOfConstraints, of_the_first_factor_that_does_not_vanish_one_term_is_left) {
  CATALOGUE_ROW("G4.II-formula-II2");  // (II.3): lambda, ..., lambda^(n-1) are zero at the point
  for (int n = 1; n <= 2; ++n) {
    lambda[0] = pow(desk("x0*x1 - 1"), n);
    for (int k = 0; k < n; ++k) EXPECT_EQ(at(along(motion(1), lambda[0], k)), 0);
    const double rest = at(along(motion(1), f, n + 1) - along(motion(1), lambda[0], n) * phi(0, 1, -1));
    EXPECT_NE(at(along(motion(1), lambda[0], n)), 0);
    EXPECT_NUMBER(rest, at(along(free, f, n + 1)));
  }
}

TEST_F(FieldsOfConstraints, with_several_constraints) {
  CATALOGUE_ROW("G5.I-V1");
  for (int n = 0; n <= 2; ++n)
    EXPECT_PROVED(desk.algebra.are_equal(along(motion(2), f, n + 1), formula(2, n)));
  EXPECT_NUMBER(at(along(motion(2), f, 3)), 1282.25);
  EXPECT_NUMBER(at(term(2, 2, 1)), 576);
  EXPECT_NUMBER(at(term(2, 2, 2)), 531.75);
  EXPECT_NUMBER(at(term(2, 2, 3)), 139);
  EXPECT_NUMBER(at(along(free, f, 3)), 35.5);
}

TEST_F(FieldsOfConstraints, misprint_of_the_exponents) {
  CATALOGUE_ROW("G4.II-formula-II2");
  const std::string objects =
      ", n = 1, for E = (x1, -x0 x2, 1), e = (0, 1 + x0, 0), lambda = x0 x1 - x2, f = x0^2 x1 + x2^2 x0";
  test::refute({"G4.II-formula-II2", "Derivatives along a constrained motion",
                "phi_p = i(e) d f_E^(p+1) in (II.2)", "phi_p = i(e) d f_E^(p-1)",
                "f'' == (lambda phi_1)' + lambda phi_2 + f_E'' with the printed phi_p" + objects},
               sides_at(at, along(motion(1), f, 2), formula(1, 1, 1)));
  test::refute({"G5.I-V1", "Derivatives along a motion with several constraints",
                "phi_p^h = i(e^h) d f_E^(p) in (V.1)", "phi_p^h = i(e^h) d f_E^(p-1)",
                "f'' == (lambda phi_1)' + lambda phi_2 + f_E'' with the printed phi_p" + objects},
               sides_at(at, along(motion(1), f, 2), formula(1, 1, 0)));
}

/// A point on a curve, kept by it and free, from the same state.
struct CurveTakenAway : ::testing::Test {
  const std::string free_text =
      "param g, v0, c, d\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
      "let slope = -g*x/v0^2 + c*x^2/2 + d*x^3/6\n";
  const Derived kept = derive(free_text + "constraint c1: y' - slope*x' = 0\n");
  const Derived free = derive(free_text);

  static Expr along(const Derived& model, Expr e, int times) {
    for (; times > 0; --times) {
      Substitution accelerations;
      for (std::size_t a = 0; a < model.system->directions.size(); ++a)
        accelerations.emplace(acceleration_symbol(model.system->directions[a].velocity),
                              model.motion->acceleration[a]);
      e = substitute(time_derivative(*model.system, e), accelerations);
    }
    return e;
  }
  static double value(const Derived& model, Expr e, const std::string& speed) {
    const Substitution at{{model("x"), model("0")},  {model("y"), model("0")},  {model("x'"), model(speed)},
                          {model("y'"), model("0")}, {model("g"), model("10")}, {model("v0"), model("2")},
                          {model("c"), model("3")},  {model("d"), model("7")}};
    return substitute(e, at).number().to_double();
  }
  double jump(const std::string& of, int order, const std::string& speed) const {
    return value(kept, along(kept, kept(of), order), speed) -
           value(free, along(free, free(of), order), speed);
  }
};

TEST_F(CurveTakenAway, derivatives_jump_from_the_order_of_the_factor_on) {
  CATALOGUE_ROW("G4.III-discontinuity");
  EXPECT_NUMBER(value(kept, kept.factor("c1"), "1"), 7.5);
  EXPECT_NUMBER(jump("y'", 1, "1"), 7.5);
  // Where the factor vanishes its derivative decides, one order later; places another order later still.
  EXPECT_EQ(value(kept, kept.factor("c1"), "2"), 0);
  EXPECT_EQ(jump("y'", 1, "2"), 0);
  EXPECT_NUMBER(jump("y'", 2, "2"), 24);
  EXPECT_NUMBER(value(kept, along(kept, kept.factor("c1"), 1), "2"), 24);
  EXPECT_EQ(jump("y", 2, "2"), 0);
  EXPECT_NUMBER(jump("y", 3, "2"), 24);
  EXPECT_EQ(jump("x'", 2, "2"), 0);  // i(e)dx' = 0 there
}

TEST(PlaneSolid, symmetries_of_the_free_one) {
  CATALOGUE_ROW("G6.III.III-free");
  const std::string arguments = "(xi, eta, alpha, t)";
  const Derived solid = derive(
      "param M > 0, k > 0\nfunction X(a, b, c, d)\nfunction Y(a, b, c, d)\nfunction G(a, b, c, d)\n"
      "function a(s)\ncoord xi, eta, alpha\n"
      "kinetic M/2*(xi'^2 + eta'^2 + k^2*alpha'^2)\nforce xi = X" +
      arguments + "\nforce eta = Y" + arguments + "\nforce alpha = G" + arguments + "\n");
  const StateSpace& space = solid.motion->space;
  EXPECT_TRUE(solid.equal(solid.acceleration("xi'"), "X" + arguments + "/M"));
  EXPECT_TRUE(solid.equal(solid.acceleration("eta'"), "Y" + arguments + "/M"));
  EXPECT_TRUE(solid.equal(solid.acceleration("alpha'"), "G" + arguments + "/(M*k^2)"));
  const auto unit = [&](std::size_t k) {
    std::vector<Expr> components(space.coframe->dimension(), solid("0"));
    components[k] = solid("1");
    return VectorField(space.coframe, components);
  };
  const Form dt = Form::basis(space.coframe, space.time_form());
  // l = eta' + a(alpha) alpha'
  const Form dl = d(space.coframe, solid("eta' + a(alpha)*alpha'"));
  const std::pair<std::size_t, std::string> fields[] = {
      {space.time_form(), "t"}, {space.configuration_form(0), "xi"}, {space.configuration_form(1), "eta"}};
  for (const auto& [place, name] : fields) {
    Form expected(space.coframe, 2);
    const char* const forces[] = {"X", "Y", "G"};
    for (std::size_t i = 0; i < 3; ++i) {
      const Expr by = derivative(solid(forces[i] + arguments), solid(name));
      expected = expected + by * wedge(Form::basis(space.coframe, space.configuration_form(i)), dt);
    }
    EXPECT_PROVED(are_equal(*solid.algebra, lie(unit(place), solid.motion->omega.omega), expected)) << name;
    EXPECT_PROVED(is_zero(*solid.algebra, lie(unit(place), dl))) << name;
  }
}

/// The solid on a smooth line, reduced to (xi', alpha', xi, alpha, t), with forces that depend on alpha.
struct SmoothLine : ::testing::Test {
  Desk desk;
  CoframePtr space = desk.coordinates("u w x s t");  // xi', alpha', xi, alpha
  Expr X = unknown(desk, "X(s)"), Y = unknown(desk, "Y(s)"), G = unknown(desk, "G(s)"),
       a = unknown(desk, "a(s)");
  Expr M = desk("M"), J = desk("k^2") + pow(a, 2), slope = derivative(a, desk("s"));
  Expr u = desk("u"), w = desk("w");

  Form basis(std::size_t k) const { return Form::basis(space, k); }
  Form omega() const {
    const Form energy = u * basis(0) + J * w * basis(1) + a * slope * pow(w, 2) * basis(3);
    return M * wedge(basis(0), basis(2)) + M * J * wedge(basis(1), basis(3)) - M * wedge(energy, basis(4)) +
           wedge(X * basis(2) + (G - a * Y) * basis(3), basis(4));
  }
  VectorField field(std::vector<Expr> components) const { return VectorField(space, std::move(components)); }
  Form of_alpha() const {
    return J * w * basis(1) + a * slope * pow(w, 2) * basis(3) - (G - a * Y) / M * basis(3);
  }
  Form of_xi() const { return basis(0) - X / (M * w) * basis(3); }
};

TEST_F(SmoothLine, fields_give_its_forms) {
  CATALOGUE_ROW("G6.III.III-A-ode");
  const Expr zero = desk("0");
  const auto expect = [&](const VectorField& by, const Form& form) {
    EXPECT_PROVED(are_equal(desk.algebra, interior(by, omega()), form));
  };
  expect(field({pow(M, -1), -u / (M * J * w), zero, zero, zero}), basis(2) - u / w * basis(3));
  expect(field({zero, -pow(M * J * w, -1), zero, zero, zero}), basis(4) - pow(w, -1) * basis(3));
  expect(field({zero, (M * a * slope * pow(w, 2) - G + a * Y) / (pow(M, 2) * J), zero, -w / M, zero}),
         of_alpha());
  expect(field({zero, -X / (pow(M, 2) * J * w), -pow(M, -1), zero, zero}), of_xi());
  // The second is integrated: half the derivative of w^2 J - (2/M) int (G - a Y).
  const Form twice = d(space, pow(w, 2) * J) - desk("2") * (G - a * Y) / M * basis(3);
  EXPECT_PROVED(are_equal(desk.algebra, twice, desk("2") * of_alpha()));
}

TEST_F(SmoothLine, misprint_of_the_fields) {
  CATALOGUE_ROW("G6.III.III-A-ode");
  const Expr zero = desk("0");
  const VectorField printed = field({zero, -X / (M * J * w), -pow(M, -1), zero, zero});
  const std::size_t dt[] = {4};
  test::refute({"G6.III.III-A-ode", "A field of the solid on a smooth line",
                "v = (0, -X/(M(k^2 + a^2)alpha'), -1/M, 0, 0) in the table of case A",
                "v = (0, -X/(M^2(k^2 + a^2)alpha'), -1/M, 0, 0)",
                "the coefficient of dt in i(v)Omega_s == 0, as in dxi' - X/(M alpha') dalpha"},
               desk.algebra.are_equal(interior(printed, omega()).coefficient(dt), zero));
}

/// The solid that slips on a rough line, its rolling resisted, on (xi', eta', alpha', xi, eta, alpha, t),
/// with the force of the contact in the form.
struct RoughLine : ::testing::Test {
  Desk desk;
  CoframePtr space = desk.coordinates("u n w x y s t");
  Expr X = unknown(desk, "X(s)"), Y = unknown(desk, "Y(s)"), G = unknown(desk, "G(s)"),
       a = unknown(desk, "a(s)"), b = unknown(desk, "b(s)");
  Expr M = desk("M"), inertia = M * desk("k^2"), slope = derivative(a, desk("s")), u = desk("u"),
       n = desk("n"), w = desk("w"), zero = desk("0");
  Expr loss = desk("eps*f"), c = a - loss * b + desk("eps1*delta");
  /// From l = eta' + a alpha' = 0 along the motion.
  Expr N = -(desk("k^2") * (Y + M * slope * pow(w, 2)) + a * G) / (desk("k^2") + a * c);

  Form basis(std::size_t k) const { return Form::basis(space, k); }
  Form omega() const {
    const Form energy = M * (u * basis(0) + n * basis(1)) + inertia * w * basis(2);
    return M * wedge(basis(0), basis(3)) + M * wedge(basis(1), basis(4)) +
           inertia * wedge(basis(2), basis(5)) - wedge(energy, basis(6)) +
           wedge(X * basis(3) + Y * basis(4) + G * basis(5), basis(6)) +
           N * wedge(loss * basis(3) + basis(4) + c * basis(5), basis(6));
  }
  VectorField field(std::vector<Expr> components) const { return VectorField(space, std::move(components)); }
};

TEST_F(RoughLine, fields_give_its_forms) {
  CATALOGUE_ROW("G6.III.III-B-ode");
  const auto expect = [&](const VectorField& by, const Form& form) {
    EXPECT_PROVED(are_equal(desk.algebra, interior(by, omega()), form));
  };
  expect(field({zero, zero, (c * Y - G) / inertia, zero, c * w, -w, zero}),
         (c * Y - G) * basis(5) - M * c * w * basis(1) + inertia * w * basis(2));
  expect(field({zero, zero, -(X - loss * Y) / (inertia * w), -desk("1"), loss, zero, zero}),
         M * (basis(0) - loss * basis(1)) - (X - loss * Y) / w * basis(5));
  // With the value of N: the relation itself, dl.
  expect(field({zero, zero, slope * w / inertia, zero, -pow(M, -1), -a / inertia, zero}),
         basis(1) + a * basis(2) + slope * w * basis(5));
}

TEST_F(RoughLine, misprint_of_the_columns) {
  CATALOGUE_ROW("G6.III.III-B-ode");
  const VectorField printed =
      field({-desk("1"), loss, -(X - loss * Y) / (inertia * w), zero, zero, zero, zero});
  const std::size_t of_u[] = {0};
  test::refute({"G6.III.III-B-ode", "A field of the solid that slips on a line",
                "v has -1 and eps f in the columns dxi', deta' of the table of case B",
                "-1 and eps f stand in the columns dxi, deta",
                "the coefficient of dxi' in i(v)Omega == M, as in M d(xi' - eps f eta') - (X - eps f Y) "
                "dalpha/alpha'"},
               desk.algebra.are_equal(interior(printed, omega()).coefficient(of_u), M));
}

}  // namespace
}  // namespace liaison
