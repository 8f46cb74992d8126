/// Rows of G6.II about symmetries and integrals of a closed Omega: time, brackets, involution, generating
/// functions, point transformations.
#include "canonical.hpp"

namespace liaison {
namespace {

using test::Canonical;
using test::Desk;
using test::Point;

struct CanonicalFields : ::testing::Test {
  Desk desk;
  void expect_components(const Point& at, const VectorField& field, const std::vector<double>& expected) {
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NUMBER(at(field.component(k)), expected[k]);
  }
};

TEST_F(CanonicalFields, time_is_a_symmetry_where_it_enters_alone) {
  CATALOGUE_ROW("G6.II-time-translation");
  const Point at(desk, "p1 = 1.5, q1 = 2, t = 0.5");
  const Canonical good(desk, 1, "p1^2/2 + q1^4/4 + t^2"), bad(desk, 1, "p1^2/2 + t*q1^2/2");
  const VectorField time = VectorField::dual(good.state, "dt");
  EXPECT_PROVED(is_zero(desk.algebra, lie(time, good.omega())));
  EXPECT_PROVED(good.is_kept(good.h - desk("t^2")));
  EXPECT_NUMBER(at(good.h - desk("t^2")), 5.125);
  const VectorField of_bad = VectorField::dual(bad.state, "dt");
  const Form change = lie(of_bad, bad.omega());
  EXPECT_PROVED(are_equal(desk.algebra, change, desk.form(bad.state, "-q1: dq1 dt")));
  EXPECT_NUMBER(at(change.coefficient({"dq1", "dt"})), -2);
  EXPECT_NUMBER(at(bad.rate(bad.h)), 2);
}

TEST_F(CanonicalFields, the_bracket_of_two_integrals) {
  CATALOGUE_ROW("G6.II-bracket");
  const Point at(desk, "q1 = 1, q2 = 2, q3 = 3, p1 = 0.5, p2 = -1, p3 = 2");
  const Canonical system(desk, 3, "(p1^2 + p2^2 + p3^2 + q1^2 + q2^2 + q3^2)/2");
  const Expr f = desk("q2*p3 - q3*p2"), g = desk("q3*p1 - q1*p3"), third = desk("q1*p2 - q2*p1");
  const VectorField x = system.field_of(f), y = system.field_of(g);
  expect_components(at, x, {0, 2, 1, 0, 3, -2, 0});
  expect_components(at, y, {-2, 0, 0.5, -3, 0, 1, 0});
  expect_components(at, bracket(x, y), {-1, -0.5, 0, 2, -1, 0, 0});
  EXPECT_PROVED(are_equal(desk.algebra, bracket(x, y), system.field_of(system.bracket_of(f, g))));
  const Form twice = interior(x, interior(y, system.omega()));
  EXPECT_PROVED(are_equal(desk.algebra, twice, Form::function(system.state, third)));
  EXPECT_PROVED(desk.algebra.are_equal(system.bracket_of(f, g), third));
  EXPECT_NUMBER(at(third), -2);
  for (Expr kept : {f, g, third}) EXPECT_PROVED(system.is_kept(kept));
  // Poisson's identity.
  const Expr a = desk("p1*q2^2"), b = desk("p2^2*q3"), c = desk("p3*q1*q2");
  EXPECT_PROVED(desk.algebra.is_zero(system.bracket_of(a, system.bracket_of(b, c)) +
                                     system.bracket_of(b, system.bracket_of(c, a)) +
                                     system.bracket_of(c, system.bracket_of(a, b))));
}

struct FreePair : CanonicalFields {
  Canonical system{desk, 2, "(p1^2 + p2^2)/2"};
  Expr f = desk("p1"), bad = desk("q1 - p1*t"), good = desk("p2");
  Form twice(Expr g) { return interior(system.field_of(f), interior(system.field_of(g), system.omega())); }
  Form product(Expr g) { return wedge(wedge(d(system.state, f), d(system.state, g)), system.omega()); }
};

TEST_F(FreePair, commuting_fields_are_not_in_involution) {
  CATALOGUE_ROW("G6.II-involution");
  const Point at(desk, "p1 = 1, p2 = 1, q1 = 1, q2 = 1, t = 1");
  for (Expr kept : {f, bad, good}) EXPECT_PROVED(system.is_kept(kept));
  const VectorField zero(system.state);
  EXPECT_PROVED(are_equal(desk.algebra, bracket(system.field_of(f), system.field_of(bad)), zero));
  EXPECT_NUMBER(at(system.bracket_of(f, bad)), -1);
  EXPECT_NUMBER(at(product(bad).coefficient({"dp1", "dp2", "dq1", "dq2"})), -1);
  EXPECT_PROVED(system.commute(f, good));
  EXPECT_PROVED(is_zero(desk.algebra, product(good)));
}

TEST_F(FreePair, misprint_of_involution) {
  CATALOGUE_ROW("G6.II-involution");
  test::refute({"G6.II-involution", "Integrals in involution", "they are in involution where [X, Y] = 0",
                "they are where i(X^Y)Omega = 0; commuting fields make it a constant",
                "for H = (p1^2 + p2^2)/2, f = p1 and g = q1 - p1 t, whose fields commute, i(X^Y)Omega == 0"},
               test::sides_at(Point(desk, "p1 = 1, q1 = 1, t = 1"), system.bracket_of(f, bad), desk("0")));
}

struct Rotated : CanonicalFields {
  Canonical system{desk, 2, "(p1^2 + p2^2)/2 + (q1^2 + q2^2)^2/4"};
  VectorField e = system.motion(), x0 = system.field_of(desk("q1*p2 - q2*p1")), x1 = x0 + desk("q1") * e;
  Point at{desk, "q1 = 1, q2 = 2, p1 = 3, p2 = -1"};
};

TEST_F(Rotated, symmetries_commute_with_the_motion_up_to_it) {
  CATALOGUE_ROW("G6.II-thmIII");
  for (const VectorField& x : {x0, x1}) EXPECT_PROVED(is_zero(desk.algebra, lie(x, system.omega())));
  EXPECT_PROVED(are_equal(desk.algebra, bracket(e, x0), VectorField(system.state)));
  EXPECT_PROVED(are_equal(desk.algebra, bracket(e, x1), desk("p1") * e));
  expect_components(at, e, {-5, -10, 3, -1, 1});
  expect_components(at, bracket(e, x1), {-15, -30, 9, -3, 3});
}

TEST_F(Rotated, misprint_of_the_commutator) {
  CATALOGUE_ROW("G6.II-thmIII");
  test::refute({"G6.II-thmIII", "Commutator of the motion and a symmetry", "[E, X] = 0 for every symmetry X",
                "[E, X] = (E.X^t) E, where X^t = i(X)dt",
                "for H = (p1^2 + p2^2)/2 + (q1^2 + q2^2)^2/4 and X = X0 + q1 E, X0 the rotation, the "
                "component of [E, X] along p1 == 0"},
               test::sides_at(at, bracket(e, x1).component(0), desk("0")));
}

TEST_F(CanonicalFields, a_generating_function) {
  CATALOGUE_ROW("G6.II-generating-f");
  const Canonical system(desk, 2, "(p1^2 + p2^2)/2 + g*q2");
  const Expr f = desk("r1*q1 - (r2 - r1^2/2)*p2/g + p2^3/(6*g) - r2*t");
  // p1 = df/dq1, q2 = -df/dp2, H = -df/dt, for the mixed primitive p1 dq1 - q2 dp2 - H dt.
  const Substitution integrals{{desk("r1"), desk("p1")}, {desk("r2"), system.h}};
  EXPECT_PROVED(desk.algebra.are_equal(substitute(derivative(f, desk("q1")), integrals), desk("p1")));
  EXPECT_PROVED(desk.algebra.are_equal(-substitute(derivative(f, desk("p2")), integrals), desk("q2")));
  EXPECT_PROVED(desk.algebra.are_equal(-substitute(derivative(f, desk("t")), integrals), system.h));
  const Expr s1 = substitute(derivative(f, desk("r1")), integrals);
  const Expr s2 = substitute(derivative(f, desk("r2")), integrals);
  EXPECT_PROVED(desk.algebra.are_equal(s1, desk("q1 + p1*p2/g")));
  EXPECT_PROVED(desk.algebra.are_equal(s2, desk("-p2/g - t")));
  const Form sum = wedge(d(system.state, desk("p1")), d(system.state, s1)) +
                   wedge(d(system.state, system.h), d(system.state, s2));
  EXPECT_PROVED(are_equal(desk.algebra, system.omega(), sum));
  const Point at(desk, "g = 10, q1 = 1, q2 = 2, p1 = 3, p2 = -1, t = 0.5");
  EXPECT_NUMBER(at(desk("p1")), 3);
  EXPECT_NUMBER(at(system.h), 25);
  EXPECT_NUMBER(at(s1), 0.7);
  EXPECT_NUMBER(at(s2), -0.4);
}

struct PointTransformation : CanonicalFields {
  CoframePtr state = desk.coordinates("p1 p2 s1 s2 t");
  Expr phi1 = desk("s1 + t*s2^2"), phi2 = desk("s2*exp(s1/3)"), gauge = desk("s1^2*s2*t");
  Point at{desk, "s1 = 1, s2 = 2, t = 0.5, p1 = 3, p2 = -1"};
  Expr by(std::string_view name, bool with_gauge = true) {
    const Expr s = desk(name);
    const Expr sum = desk("p1") * derivative(phi1, s) + desk("p2") * derivative(phi2, s);
    return with_gauge ? sum + derivative(gauge, s) : sum;
  }
  /// p dq - dr ds - (H - K) dt, differentiated: zero for a canonical change.
  Form defect(bool with_gauge) {
    const auto pair = [&](Expr a, Expr b) { return wedge(d(state, a), d(state, b)); };
    return pair(desk("p1"), phi1) + pair(desk("p2"), phi2) - pair(by("s1", with_gauge), desk("s1")) -
           pair(by("s2", with_gauge), desk("s2")) - pair(by("t"), desk("t"));
  }
};

TEST_F(PointTransformation, with_a_gauge_function) {
  CATALOGUE_ROW("G6.II-point-canonical");
  EXPECT_PROVED(is_zero(desk.algebra, defect(true)));
  EXPECT_NUMBER(at(phi1), 3);
  EXPECT_NUMBER(at(phi2), 2.79122485017218);
  EXPECT_NUMBER(at(by("s1")), 4.06959171660927);
  EXPECT_NUMBER(at(by("s2")), 5.10438757491391);
  EXPECT_NUMBER(at(by("t")), 14);
}

TEST_F(PointTransformation, misprint_of_the_momenta) {
  CATALOGUE_ROW("G6.II-point-canonical");
  test::refute({"G6.II-point-canonical", "Momenta of a point transformation", "r_j = p_i dphi^i/ds^j",
                "r_j = p_i dphi^i/ds^j + dphi0/ds^j",
                "for phi1 = s1 + t s2^2, phi2 = s2 exp(s1/3), phi0 = s1^2 s2 t, the coefficient of ds1^dt in "
                "dp^dq - dr^ds - d(H - K)^dt == 0"},
               test::sides_at(at, defect(false).coefficient({"ds1", "dt"}), desk("0")));
}

TEST_F(CanonicalFields, a_linear_integral_is_straightened) {
  CATALOGUE_ROW("G6.II-straighten");
  const Point at(desk, "q1 = 3, q2 = 4, p1 = 1, p2 = 2");
  const CoframePtr plane = desk.coordinates("q1 q2");
  const VectorField alpha = desk.field(plane, {"-q2", "q1"});
  const Expr radius = desk("sqrt(q1^2 + q2^2)"), angle = desk("atan2(q2, q1)");
  EXPECT_PROVED(desk.algebra.is_zero(apply(alpha, radius)));
  EXPECT_PROVED(desk.algebra.are_equal(apply(alpha, angle), desk("1")));
  EXPECT_NUMBER(at(radius), 5);
  EXPECT_NUMBER(at(angle), 0.927295218001612);
  // The momentum of the angle: p_i dq^i/d(angle), with dq/d(angle) = alpha.
  const Expr momentum = desk("p1") * alpha.component(0) + desk("p2") * alpha.component(1);
  EXPECT_PROVED(desk.algebra.are_equal(momentum, desk("q1*p2 - q2*p1")));
  EXPECT_NUMBER(at(momentum), 2);
}

}  // namespace
}  // namespace liaison
