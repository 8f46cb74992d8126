/// Rows MO1-*, MO6-*, MO7-*: Morera on relations that may be used before differentiating: bilinear
/// covariants, brackets of the admissible fields, and how many combinations of the relations they leave.
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;

struct Morera : ::testing::Test {
  Desk desk;

  std::size_t dimension_of(const std::vector<VectorField>& fields) {
    Matrix matrix(desk.pool, fields.size(), fields.front().components().size());
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      for (std::size_t k = 0; k < matrix.columns; ++k) matrix(i, k) = fields[i].component(k);
    }
    // Independent at one point: then independent.
    Substitution point;
    long next = 2;
    for (Expr symbol : symbols_in(matrix.entries))
      point.emplace(symbol, desk.pool.number(Rational(++next, 7)));
    const Matrix there(matrix.rows, matrix.columns, substitute(matrix.entries, point));
    if (rank(desk.algebra, there).rank == fields.size()) return fields.size();
    const RankResult found = rank(desk.algebra, matrix);
    EXPECT_EQ(found.grade, Grade::proved);
    return found.rank;
  }
  /// m: the dimension of the fields with their first brackets.
  std::size_t with_brackets(std::vector<VectorField> fields) {
    const std::size_t count = fields.size();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) fields.push_back(bracket(fields[i], fields[j]));
    }
    return dimension_of(fields);
  }
  Expr value(const Form& form, const VectorField& field) {
    Expr sum = desk.pool.number(0);
    for (std::size_t k = 0; k < field.components().size(); ++k) {
      const std::size_t index[] = {k};
      sum += form.coefficient(index) * field.component(k);
    }
    return sum;
  }
  /// delta phi_d - d phi_delta = -dphi(d, delta) of a Pfaff form.
  Expr covariant(const Form& phi, const VectorField& d_field, const VectorField& delta) {
    const std::vector<VectorField> both{d_field, delta};
    return -evaluate_on(d(phi), both);
  }
};

struct KnifeEdge : Morera {
  CoframePtr state = desk.coordinates("x y th t");
  Form phi = desk.form(state, "sin(th): dx; -cos(th): dy");
  VectorField along = desk.field(state, {"cos(th)", "sin(th)", "0", "0"}),
              turn = VectorField::dual(state, "dth");
  VectorField motion = desk.field(state, {"u*cos(th)", "u*sin(th)", "w", "1"});
  Point at{desk, "al = 0.4, be = -0.7, t = 1/3, x = 0.2, y = -0.3, th = 0.7, u = 1.3, w = 0.9"};
};

TEST_F(KnifeEdge, two_kinds_of_variations) {
  CATALOGUE_ROW("MO1-two-variations");
  const VectorField delta = desk.field(state, {"al*cos(th)", "al*sin(th)", "be", "0"});
  EXPECT_PROVED(desk.algebra.are_equal(covariant(phi, motion, delta), desk("be*u - al*w")));
  EXPECT_NUMBER(at(covariant(phi, motion, delta)), -1.27);
  // Integrable relations: y' = 2 x x'.
  const Form integrable = desk.form(state, "-2*x: dx; 1: dy");
  const VectorField d_field = desk.field(state, {"u", "2*x*u", "w", "1"});
  const VectorField other = desk.field(state, {"al", "2*x*al", "be", "0"});
  EXPECT_PROVED(desk.algebra.is_zero(covariant(integrable, d_field, other)));
}

TEST_F(KnifeEdge, the_motions_of_dynamics_and_of_variations_coincide_where_the_covariants_vanish) {
  CATALOGUE_ROW("MO1-coincidence-criterion");
  // What the equations of Clebsch and Mayer have more than d'Alembert's, on each admissible direction.
  const Expr lambda = desk("1 + x*(u*cos(th))^2 + sin(t)*w");
  const Expr first = lambda * -covariant(phi, motion, along), second = lambda * -covariant(phi, motion, turn);
  EXPECT_PROVED(desk.algebra.are_equal(first, lambda * desk("w")));
  EXPECT_PROVED(desk.algebra.are_equal(second, -lambda * desk("u")));
  EXPECT_NUMBER(at(lambda), 1.49219967426668);
  EXPECT_NUMBER(at(first), 1.34297970684001);
  EXPECT_NUMBER(at(second), -1.93985957654668);
}

TEST_F(Morera, the_canonical_form_of_clebsch_and_mayer) {
  CATALOGUE_ROW("MO1-ClebschMayer");
  // [[M, A^T], [A, 0]] (p', lambda) = (q, -phi_0).
  const Matrix bordered(4, 4,
                        desk.list({"2", "1/2", "0", "1", "1/2", "1", "1/3", "2/5", "0", "1/3", "3/2", "-1",
                                   "1", "2/5", "-1", "0"}));
  const SolveResult solution = solve(desk.algebra, bordered, desk.list({"q1", "q2", "q3", "-7/10"}));
  ASSERT_EQ(solution.status, SolveStatus::unique);
  const std::vector<Expr>& x = solution.x;
  const Expr kinetic = desk("2/2") * x[0] * x[0] + desk("1/2") * x[0] * x[1] + desk("1/2") * x[1] * x[1] +
                       desk("1/3") * x[1] * x[2] + desk("3/4") * x[2] * x[2];
  const Expr h = desk("q1") * x[0] + desk("q2") * x[1] + desk("q3") * x[2] - kinetic;
  for (std::size_t i = 0; i < 3; ++i) {  // p' = d[H]/dq
    const CoframePtr momenta = desk.coordinates("q1 q2 q3");
    EXPECT_PROVED(desk.algebra.are_equal(apply(VectorField::dual(momenta, i), h), x[i]));
  }
  const Point at(desk, "q1 = 3/2, q2 = -4/5, q3 = 1/3");
  EXPECT_NUMBER(at(x[3]), 5599.0 / 11588);
  EXPECT_NUMBER(at(x[0]), 2765.0 / 2897);
  EXPECT_NUMBER(at(x[1]), -10337.0 / 5794);
  EXPECT_NUMBER(at(x[2]), 5451.0 / 5794);
  EXPECT_NUMBER(at(h), 328439.0 / 231760);
}

TEST_F(Morera, a_hidden_finite_relation) {
  CATALOGUE_ROW("MO6-basis");
  // p1' + p2' = t and p1' + p2' = p1: dependent in the velocities.
  const Matrix homogeneous(2, 2, desk.list({"1", "1", "1", "1"}));
  EXPECT_EQ(rank(desk.algebra, homogeneous).rank, 1u);
  const NullSpaceResult left = null_space(desk.algebra, transpose(homogeneous));
  ASSERT_EQ(left.basis.size(), 1u);
  const Expr rest = left.basis[0][0] * desk("-t") + left.basis[0][1] * desk("-p1");
  EXPECT_TRUE(desk.algebra.are_equal(rest, desk("t - p1")).holds() ||
              desk.algebra.are_equal(rest, desk("p1 - t")).holds())
      << to_infix(rest);
}

struct FiveCoordinates : Morera {
  CoframePtr state = desk.coordinates("p1 p2 p3 p4 p5 t");
  VectorField x1 = desk.field(state, {"1", "0", "p1*p2 + t", "p3*p1", "p4 + t^2", "0"});
  VectorField x2 = desk.field(state, {"0", "1", "p2^2/3", "t*p2 + p1", "p1*p2*p3", "0"});
  VectorField x0 = desk.field(state, {"0", "0", "p1*p3", "t*p2", "p1^2", "1"});
  std::vector<Form> phi{desk.form(state, "1: dp3; -(p1*p2 + t): dp1; -p2^2/3: dp2; -p1*p3: dt"),
                        desk.form(state, "1: dp4; -p3*p1: dp1; -(t*p2 + p1): dp2; -t*p2: dt"),
                        desk.form(state, "1: dp5; -(p4 + t^2): dp1; -p1*p2*p3: dp2; -p1^2: dt")};
  Point at{desk, "t = 2/7, p1 = 3/5, p2 = -4/7, p3 = 1/3, p4 = 5/4, p5 = -1/6"};
};

TEST_F(FiveCoordinates, covariants_on_the_admissible_directions) {
  CATALOGUE_ROW("MO6-Prs");
  const double expected[3][3] = {{-3.0 / 10, 368.0 / 525, -16.0 / 245},
                                 {229.0 / 490, 3.0 / 25, -6.0 / 7},
                                 {-319.0 / 1050, -194.0 / 245, -12.0 / 175}};
  for (std::size_t nu = 0; nu < 3; ++nu) {
    for (const VectorField& field : {x0, x1, x2}) EXPECT_PROVED(desk.algebra.is_zero(value(phi[nu], field)));
    EXPECT_NUMBER(at(Rational(1, 2) * value(phi[nu], bracket(x1, x2))), expected[nu][0]);
    EXPECT_NUMBER(at(value(phi[nu], bracket(x0, x1))), expected[nu][1]);
    EXPECT_NUMBER(at(value(phi[nu], bracket(x0, x2))), expected[nu][2]);
    // phi([X, Y]) = -dphi(X, Y) where phi vanishes on both.
    EXPECT_PROVED(desk.algebra.are_equal(value(phi[nu], bracket(x0, x1)), covariant(phi[nu], x0, x1)));
  }
  EXPECT_EQ(with_brackets({x0, x1, x2}), 6u);  // H = N + 1 - m = 0
  const CoframePtr plane = desk.coordinates("x y th");
  const VectorField along = desk.field(plane, {"cos(th)", "sin(th)", "0"}),
                    turn = VectorField::dual(plane, "dth");
  EXPECT_PROVED(desk.algebra.are_equal(
      Rational(1, 2) * value(desk.form(plane, "sin(th): dx; -cos(th): dy"), bracket(along, turn)),
      desk("1/2")));
}

TEST_F(Morera, how_many_combinations_without_time) {
  CATALOGUE_ROW("MO6-count-scleronomic");
  const CoframePtr knife = desk.coordinates("x y th");
  EXPECT_EQ(
      3 - with_brackets({desk.field(knife, {"cos(th)", "sin(th)", "0"}), VectorField::dual(knife, "dth")}),
      0u);
  const CoframePtr disc = desk.coordinates("x y ph th");
  EXPECT_EQ(4 - with_brackets({VectorField::dual(disc, "dph"),
                               desk.field(disc, {"-R*sin(ph)", "R*cos(ph)", "0", "1"})}),
            1u);
  // A sphere: x' = R q, y' = -R p, in space axes; without pivoting r = 0.
  const CoframePtr sphere =
      desk.product_of({desk.coordinates("x y"), desk.rotation("wp wq wr", Axes::space)});
  const VectorField about_p = desk.field(sphere, {"0", "-R", "1", "0", "0"});
  const VectorField about_q = desk.field(sphere, {"R", "0", "0", "1", "0"});
  EXPECT_EQ(5 - with_brackets({about_p, about_q}), 2u);
  EXPECT_EQ(5 - with_brackets({about_p, about_q, VectorField::dual(sphere, "wr")}), 0u);
  // Relations with quadratic coefficients, chosen without a pattern: N - n(n + 1)/2.
  const CoframePtr four = desk.coordinates("a b c e");
  EXPECT_EQ(4 - with_brackets({desk.field(four, {"1", "0", "a*b + c^2", "b^2 - 3*e*c"}),
                               desk.field(four, {"0", "1", "e*a - 2*b", "a^2 + c*b"})}),
            1u);
  const CoframePtr five = desk.coordinates("a b c e f");
  EXPECT_EQ(5 - with_brackets({desk.field(five, {"1", "0", "a*b + c^2", "b^2 - 3*e*c", "f*a + e^2"}),
                               desk.field(five, {"0", "1", "e*a - 2*b", "a^2 + c*b", "c*e - f*b"})}),
            2u);
  const CoframePtr seven = desk.coordinates("a b c e f g h");
  EXPECT_EQ(7 - with_brackets(
                    {desk.field(seven, {"1", "0", "0", "a*b + h^2", "b^2 - 3*e*c", "f*a + e^2", "g*c"}),
                     desk.field(seven, {"0", "1", "0", "e*a - 2*c", "a^2 + g*b", "c*e - f*b", "h*a + c^2"}),
                     desk.field(seven, {"0", "0", "1", "b*g + f", "a*h - e*b", "a^2 + c*h", "e*f + b*a"})}),
            1u);
}

TEST_F(Morera, how_many_combinations_with_time) {
  CATALOGUE_ROW("MO6-count-general");
  const CoframePtr six = desk.coordinates("a b c e f g t");
  const std::size_t of_six =
      with_brackets({desk.field(six, {"0", "0", "a*t + e^2", "b*c - t^2", "a*g + t", "f*b + c", "1"}),
                     desk.field(six, {"1", "0", "a*b + t*c", "b^2 - 3*e*c", "f*a + e^2", "g*c + t*b", "0"}),
                     desk.field(six, {"0", "1", "e*a - 2*t", "a^2 + g*b", "c*e - f*b", "t*a + c^2", "0"})});
  EXPECT_EQ(of_six, 6u);  // attained: (n + 1)(n + 2)/2
  EXPECT_EQ(6 + 1 - of_six, 1u);
  const CoframePtr five = desk.coordinates("a b c e f t");
  const std::size_t of_five =
      with_brackets({desk.field(five, {"0", "0", "a*t + e^2", "b*c - t^2", "a*f + t", "1"}),
                     desk.field(five, {"1", "0", "a*b + t*c", "b^2 - 3*e*c", "f*a + e^2", "0"}),
                     desk.field(five, {"0", "1", "e*a - 2*t", "a^2 + f*b", "c*e - f*b", "0"})});
  EXPECT_EQ(of_five, 6u);
  EXPECT_EQ(5 + 1 - of_five, 0u);
  const CoframePtr three = desk.coordinates("a b c t");
  EXPECT_EQ(3 + 1 -
                with_brackets({desk.field(three, {"0", "a*t + c^2", "b^2", "1"}),
                               desk.field(three, {"1", "b*c + t", "a*c - t^2", "0"})}),
            1u);
  const CoframePtr ten = desk.coordinates("a b c e f g h k l m t");
  const std::size_t of_ten =
      with_brackets({desk.field(ten, {"0", "0", "0", "a*t + e^2", "b*c - t^2", "a*g + t", "f*b + c",
                                      "k*a - t*c", "m^2 + b*t", "a*b + l*t", "1"}),
                     desk.field(ten, {"1", "0", "0", "a*b + h^2", "b^2 - 3*e*c", "f*a + e^2", "g*c",
                                      "t*b - k*l", "c*m + a", "h*t + b*c", "0"}),
                     desk.field(ten, {"0", "1", "0", "e*a - 2*c", "a^2 + g*b", "c*e - f*b", "h*a + c^2",
                                      "l*a + t^2", "k*c - a*t", "m*b + t", "0"}),
                     desk.field(ten, {"0", "0", "1", "b*g + f", "a*h - e*b", "a^2 + c*h", "e*f + b*a",
                                      "a*c + t*m", "l*b + k^2", "a*t - g^2", "0"})});
  EXPECT_EQ(of_ten, 10u);
  EXPECT_EQ(10 + 1 - of_ten, 1u);
}

TEST_F(Morera, misprint_of_the_bound) {
  CATALOGUE_ROW("MO6-count-general");
  const CoframePtr five = desk.coordinates("a b c e f t");
  const std::size_t m =
      with_brackets({desk.field(five, {"0", "0", "a*t + e^2", "b*c - t^2", "a*f + t", "1"}),
                     desk.field(five, {"1", "0", "a*b + t*c", "b^2 - 3*e*c", "f*a + e^2", "0"}),
                     desk.field(five, {"0", "1", "e*a - 2*t", "a^2 + f*b", "c*e - f*b", "0"})});
  EXPECT_EQ(m, 6u);
  test::record({"MO6-count-general", "Fields with their brackets", "n < m < (n + 1)(n + 2)/2",
                "m <= (n + 1)(n + 2)/2, attained in general", "for n = 2, m < 6"},
               "for relations with quadratic coefficients in five coordinates m = 6");
}

struct Disc : Morera {
  CoframePtr state = desk.coordinates("x y ph th");
  VectorField x1 = VectorField::dual(state, "dph"),
              x2 = desk.field(state, {"-R*sin(ph)", "R*cos(ph)", "0", "1"});
  Form phi1 = desk.form(state, "1: dx; R*sin(ph): dth"), phi2 = desk.form(state, "1: dy; -R*cos(ph): dth");
  Form longitudinal = desk.form(state, "-sin(ph): dx; cos(ph): dy; -R: dth"),
       lateral = desk.form(state, "cos(ph): dx; sin(ph): dy");
  VectorField motion = desk.field(state, {"-R*sin(ph)*z2", "R*cos(ph)*z2", "z1", "z2"});
  Point at{desk, "R = 0.4, ph = 0.7, x = 0.1, y = 0.2, z1 = 1.3, z2 = -2.1"};
};

TEST_F(Disc, the_derived_system) {
  CATALOGUE_ROW("MO7-derived-system");
  const VectorField commutator = bracket(x1, x2);
  EXPECT_NUMBER(at(commutator.component(0)), -0.305936874913795);
  EXPECT_NUMBER(at(commutator.component(1)), -0.257687074895076);
  EXPECT_NUMBER(at(Rational(1, 2) * value(phi1, commutator)), -0.152968437456898);
  EXPECT_NUMBER(at(Rational(1, 2) * value(phi2, commutator)), -0.128843537447538);
  // lambda1 phi1 + lambda2 phi2 vanishes on the bracket.
  EXPECT_NUMBER(at(-value(phi2, commutator) / value(phi1, commutator)), -0.842288380463079);
  EXPECT_PROVED(desk.algebra.are_equal(-value(phi2, commutator) / value(phi1, commutator), desk("-tan(ph)")));
  for (const VectorField& field : {x1, x2, commutator})
    EXPECT_PROVED(desk.algebra.is_zero(value(longitudinal, field)));
}

TEST_F(Disc, which_combinations_have_no_covariant) {
  CATALOGUE_ROW("MO7-theorem");
  const Expr mu = desk("1 + x*(-R*sin(ph)*z2) + z1^2*z2");
  EXPECT_NUMBER(at(mu), -2.49488571427203);
  for (const VectorField& xi : {x1, x2})
    EXPECT_PROVED(desk.algebra.is_zero(mu * covariant(longitudinal, motion, xi)));
  EXPECT_NUMBER(at(mu * -covariant(lateral, motion, x1)), -2.09570399998851);
  EXPECT_NUMBER(at(mu * -covariant(lateral, motion, x2)), -1.29734057142146);
  EXPECT_PROVED(desk.algebra.are_equal(-covariant(lateral, motion, x1), desk("-R*z2")));
  EXPECT_PROVED(desk.algebra.are_equal(-covariant(lateral, motion, x2), desk("R*z1")));
}

}  // namespace
}  // namespace liaison
