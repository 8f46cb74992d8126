/// Rows G6.I-* and G1.III-i: the operators d, i, theta, epsilon and how they compose.
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;

/// The test objects of all operator rows, on R^3, at x = 1, y = 2, z = 3.
struct CartanRows : ::testing::Test {
  Desk desk;
  CoframePtr space = desk.coordinates("x y z");
  VectorField x = desk.field(space, {"y*z", "x^2", "1 + x*y"});
  VectorField y = desk.field(space, {"z^2", "x - y", "x*z"});
  Form f = desk.form(space, "x*y^2 + z");
  Form w = desk.form(space, "y^2*z: dx; x*z: dy; x + y^2: dz");
  Form om = desk.form(space, "x*y: dx dy; x*z^2: dy dz; y*(x + z): dx dz");
  Point at{desk, "x = 1, y = 2, z = 3"};

  /// The value at the point, exactly.
  void expect_value(const Form& a, std::string_view expected) {
    EXPECT_EQ(to_infix(at(a)), to_infix(desk.form(space, expected)));
  }
  Verdict equal(const Form& a, const Form& b) { return are_equal(desk.algebra, a, b); }
  /// Forms of every degree to try an identity on.
  std::vector<Form> every_degree() { return {f, w, om, desk.form(space, "x^2*y - z*sin(x): dx dy dz")}; }
  std::vector<Form> degrees_from_one() { return {w, om, desk.form(space, "x^2*y - z*sin(x): dx dy dz")}; }
};

TEST_F(CartanRows, d_on_the_test_forms) {
  CATALOGUE_ROW("G6.I-d");
  expect_value(d(w), "-9: dx dy; -3: dx dz; 3: dy dz");
  expect_value(d(om), "5: dx dy dz");
  for (const Form& a : every_degree()) EXPECT_PROVED(is_zero(desk.algebra, d(d(a))));
  EXPECT_PROVED(equal(d(wedge(w, w + d(f))), wedge(d(w), w + d(f)) - wedge(w, d(w + d(f)))));
  EXPECT_PROVED(equal(d(wedge(f, w)), wedge(d(f), w) + wedge(f, d(w))));
}

struct CompositionRows : CartanRows {
  const Form a = w, b = desk.form(space, "x*z: dx; y: dy; sin(x): dz");
  Form mixed(const Form& c) { return lie(x, interior(y, c)) - interior(y, lie(x, c)); }
  Form symmetric(const Form& c) { return d(interior(x, c)) + interior(x, d(c)); }
};

TEST_F(CompositionRows, of_derivations_and_antiderivations) {
  CATALOGUE_ROW("G6.I-composition");
  const auto two_lies = [&](const Form& c) { return lie(x, lie(y, c)) - lie(y, lie(x, c)); };
  EXPECT_PROVED(equal(two_lies(wedge(a, b)), wedge(two_lies(a), b) + wedge(a, two_lies(b))));

  // The bracket of a derivation and an antiderivation is an antiderivation, the symmetric composition of two
  // antiderivations a derivation.
  EXPECT_PROVED(equal(mixed(wedge(a, b)), wedge(mixed(a), b) - wedge(a, mixed(b))));
  EXPECT_PROVED(equal(symmetric(wedge(a, b)), wedge(symmetric(a), b) + wedge(a, symmetric(b))));

  // (d + i(x))^2 = d d + (d i + i d) + i i = theta(x).
  EXPECT_PROVED(is_zero(desk.algebra, interior(x, interior(x, om))));
  EXPECT_PROVED(equal(symmetric(om), lie(x, om)));
}

TEST_F(CompositionRows, misprints_of_the_compositions) {
  CATALOGUE_ROW("G6.I-composition");
  const std::string objects =
      ", for X = (y z, x^2, 1 + x y), Y = (z^2, x - y, x z), a = " + to_infix(a) + ", b = " + to_infix(b);
  const auto first = [&](const Form& form) { return form.coefficient({"dx"}); };
  test::refute(
      {"G6.I-composition", "Bracket of a derivation and an antiderivation", "it is a derivation",
       "it is an antiderivation",
       "with D = [theta(X), i(Y)], the coefficient of dx in D(a^b) == that in D(a)^b + a^D(b)" + objects},
      desk.algebra.are_equal(first(mixed(wedge(a, b))), first(wedge(mixed(a), b) + wedge(a, mixed(b)))));
  const auto plane = [&](const Form& form) { return form.coefficient({"dx", "dy"}); };
  test::refute(
      {"G6.I-composition", "Symmetric composition of two antiderivations", "it is an antiderivation",
       "it is a derivation",
       "with D = d i(X) + i(X) d, the coefficient of dx^dy in D(a^b) == that in D(a)^b - a^D(b)" + objects},
      desk.algebra.are_equal(plane(symmetric(wedge(a, b))),
                             plane(wedge(symmetric(a), b) - wedge(a, symmetric(b)))));
}

TEST_F(CartanRows, misprint_of_the_exchanged_bracket) {
  CATALOGUE_ROW("G6.I-VI3");
  const Form printed = lie(x, interior(y, w)) - interior(x, lie(y, w));
  test::refute({"G6.I-VI3", "Bracket of theta and i with the fields exchanged",
                "[theta(Y), i(X)] = theta(X)i(Y) - i(X)theta(Y) = i([Y, X]) in (VI.3')",
                "[theta(Y), i(X)] = theta(Y)i(X) - i(X)theta(Y) = i([Y, X])",
                "i([Y, X])w == theta(X)i(Y)w - i(X)theta(Y)w, for X = (y z, x^2, 1 + x y), Y = (z^2, x - y, "
                "x z), w = " +
                    to_infix(w)},
               sides_at(at, interior(bracket(y, x), w).coefficient({}), printed.coefficient({})));
}

TEST_F(CartanRows, interior_on_the_test_forms) {
  CATALOGUE_ROW("G6.I-i");
  expect_value(interior(x, w), "90");
  expect_value(interior(x, om), "-26: dx; -15: dy; 57: dz");
  expect_value(interior(y, interior(x, om)), "-48");
  EXPECT_PROVED(is_zero(desk.algebra, interior(x, interior(x, om))));
  EXPECT_PROVED(equal(interior(y, interior(x, om)), -interior(x, interior(y, om))));
}

TEST_F(CartanRows, lie_and_its_powers_on_the_test_forms) {
  CATALOGUE_ROW("G6.I-theta");
  const auto i_d = [&](const Form& a) { return interior(x, d(a)); };
  const auto d_i = [&](const Form& a) { return d(interior(x, a)); };
  expect_value(lie(x, f), "31");
  expect_value(lie(x, w), "40: dx; 62: dy; 34: dz");
  expect_value(lie(x, om), "3: dx dy; 40: dx dz; 92: dy dz");
  expect_value(lie(x, lie(x, w)), "521: dx; 378: dy; 199: dz");
  expect_value(i_d(i_d(w)), "18: dx; -159: dy; 17: dz");
  expect_value(d_i(d_i(w)), "503: dx; 537: dy; 182: dz");
  for (const Form& a : every_degree()) EXPECT_PROVED(equal(lie(x, d(a)), d(lie(x, a))));
  for (const Form& a : degrees_from_one()) {
    EXPECT_PROVED(equal(lie(x, lie(x, a)), i_d(i_d(a)) + d_i(d_i(a))));
    EXPECT_PROVED(equal(lie(x, lie(x, lie(x, a))), i_d(i_d(i_d(a))) + d_i(d_i(d_i(a)))));
  }
}

TEST_F(CartanRows, epsilon_on_the_test_forms) {
  CATALOGUE_ROW("G6.I-epsilon");
  expect_value(epsilon(x, w), "4: dx; 188: dy; 64: dz");
  expect_value(epsilon(x, om), "-27: dx dy; 50: dx dz; 32: dy dz");
  expect_value(epsilon(x, d(w)), "-24: dx dy; 2: dx dz; 5: dy dz");
  expect_value(d(epsilon(x, w)), "24: dx dy; -2: dx dz; -5: dy dz");
  for (const Form& a : every_degree()) EXPECT_PROVED(equal(epsilon(x, d(a)), -d(epsilon(x, a))));
  // Not a derivation: the Leibniz rule fails.
  EXPECT_REFUTED(
      equal(epsilon(x, wedge(w, w + d(f))), wedge(epsilon(x, w), w + d(f)) + wedge(w, epsilon(x, w + d(f)))));
}

TEST_F(CartanRows, lie_and_interior_commute_to_the_bracket) {
  CATALOGUE_ROW("G6.I-VI3");
  const VectorField xy = bracket(x, y);
  EXPECT_EQ(at(xy.component(0)), 15);
  EXPECT_EQ(at(xy.component(1)), -13);
  EXPECT_EQ(at(xy.component(2)), 4);
  const auto commutator = [&](const Form& a) { return lie(x, interior(y, a)) - interior(y, lie(x, a)); };
  expect_value(commutator(w), "161");
  expect_value(interior(xy, w), "161");
  expect_value(commutator(om), "-6: dx; -6: dy; 3: dz");
  expect_value(interior(xy, om), "-6: dx; -6: dy; 3: dz");
  for (const Form& a : degrees_from_one()) {
    EXPECT_PROVED(equal(commutator(a), interior(xy, a)));
    // VI.3', right: [theta(y), i(x)] = theta(y)i(x) - i(x)theta(y) = i([y, x]).
    EXPECT_PROVED(equal(lie(y, interior(x, a)) - interior(x, lie(y, a)), interior(bracket(y, x), a)));
    // The printed middle member is not i([y, x]); it is epsilon(x^y).
    const Form printed = lie(x, interior(y, a)) - interior(x, lie(y, a));
    EXPECT_REFUTED(equal(printed, interior(bracket(y, x), a)));
    EXPECT_PROVED(equal(printed, epsilon(x, y, a)));
  }
}

TEST_F(CartanRows, epsilon_of_a_product_of_fields) {
  CATALOGUE_ROW("G6.I-VI4");
  expect_value(lie(x, interior(y, om)) - interior(x, lie(y, om)), "-24: dx; 78: dy; -38: dz");
  expect_value(epsilon(x, y, om), "-24: dx; 78: dy; -38: dz");
  expect_value(lie(x, interior(y, w)) - interior(x, lie(y, w)), "180");
  expect_value(epsilon(x, y, w), "180");
  for (const Form& a : degrees_from_one())
    EXPECT_PROVED(equal(lie(x, interior(y, a)) - interior(x, lie(y, a)), epsilon(x, y, a)));
  EXPECT_PROVED(is_zero(desk.algebra, epsilon(x, y, d(om)) + d(epsilon(x, y, om))));
  EXPECT_PROVED(is_zero(desk.algebra, epsilon(x, y, d(w)) + d(epsilon(x, y, w))));
}

TEST_F(CartanRows, two_lie_interior_products) {
  CATALOGUE_ROW("G6.I-VI5");
  const auto left = [&](const Form& a) { return lie(x, interior(y, a)) - lie(y, interior(x, a)); };
  expect_value(left(om), "-30: dx; 72: dy; -35: dz");
  expect_value(epsilon(x, y, om) + interior(bracket(x, y), om), "-30: dx; 72: dy; -35: dz");
  expect_value(left(w), "341");
  for (const Form& a : degrees_from_one())
    EXPECT_PROVED(equal(left(a), epsilon(x, y, a) + interior(bracket(x, y), a)));
  // On a 1-form: x.w(y) - y.w(x) = dw(x, y) + w([x, y]).
  const std::vector<VectorField> fields{x, y};
  EXPECT_PROVED(desk.algebra.are_equal(
      apply(x, interior(y, w).coefficient({})) - apply(y, interior(x, w).coefficient({})),
      evaluate_on(d(w), fields) + interior(bracket(x, y), w).coefficient({})));
}

TEST_F(CartanRows, lies_commute_to_the_lie_of_the_bracket) {
  CATALOGUE_ROW("G6.I-VI6");
  const auto commutator = [&](const Form& a) { return lie(x, lie(y, a)) - lie(y, lie(x, a)); };
  expect_value(commutator(w), "-139: dx; 140: dy; -7: dz");
  expect_value(lie(bracket(x, y), w), "-139: dx; 140: dy; -7: dz");
  expect_value(commutator(om), "-190: dx dz; 224: dy dz");
  for (const Form& a : every_degree()) EXPECT_PROVED(equal(commutator(a), lie(bracket(x, y), a)));
}

TEST_F(CartanRows, the_interior_product_of_five_forms) {
  CATALOGUE_ROW("G1.III-i");
  const CoframePtr five =
      Coframe::make(desk.algebra, {{"e0", {}}, {"e1", {}}, {"e2", {}}, {"e3", {}}, {"e4", {}}}, {});
  const Form omega = desk.form(five, "2: e0 e1; -3: e1 e2; 1: e3 e4");
  const VectorField u = desk.field(five, {"1", "2", "-1", "3", "1/2"});
  EXPECT_EQ(interior(u, omega), desk.form(five, "-4: e0; -1: e1; -6: e2; -1/2: e3; 3: e4"));

  // Function, 1-form, product, anticommutation, and the rule on a general 2-form.
  const VectorField g = desk.field(five, {"g0", "g1", "g2", "g3", "g4"});
  const Form a = desk.form(five, "a0: e0; a1: e1; a3: e3");
  const Form b = desk.form(five, "b1: e1 e2; b2: e0 e4");
  EXPECT_TRUE(interior(g, desk.form(five, "h")).empty());
  EXPECT_PROVED(desk.algebra.are_equal(interior(g, a).coefficient({}), desk("a0*g0 + a1*g1 + a3*g3")));
  EXPECT_PROVED(equal(interior(g, wedge(a, b)), wedge(interior(g, a), b) - wedge(a, interior(g, b))));
  EXPECT_PROVED(equal(interior(g, wedge(b, a)), wedge(interior(g, b), a) + wedge(b, interior(g, a))));
  EXPECT_PROVED(equal(interior(u, interior(g, b)), -interior(g, interior(u, b))));
  EXPECT_PROVED(is_zero(desk.algebra, interior(g, interior(g, b))));
  EXPECT_PROVED(equal(interior(g, b), desk.form(five, "b1*g1: e2; -b1*g2: e1; b2*g0: e4; -b2*g4: e0")));
}

}  // namespace
}  // namespace liaison
