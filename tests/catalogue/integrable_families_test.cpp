/// Rows of G6.II about integrable families: linear and quadratic integrals, Delassus, Staeckel, Liouville,
/// Riccati, spiral surfaces.
#include "canonical.hpp"

namespace liaison {
namespace {

using test::Canonical;
using test::Desk;
using test::Point;

struct Families : ::testing::Test {
  Desk desk;
  void expect_in_involution(const Canonical& system, const std::vector<Expr>& integrals) {
    for (std::size_t i = 0; i < integrals.size(); ++i) {
      EXPECT_PROVED(system.is_kept(integrals[i])) << i;
      for (std::size_t j = i + 1; j < integrals.size(); ++j)
        EXPECT_PROVED(system.commute(integrals[i], integrals[j])) << i << ", " << j;
    }
  }
  Expr dp(const Canonical& system, std::size_t i) { return system.motion().component(i - 1); }
  Expr dq(const Canonical& system, std::size_t i) { return system.motion().component(system.n + i - 1); }
};

TEST_F(Families, integrals_linear_in_the_momenta) {
  CATALOGUE_ROW("G6.II-exI-linear");
  const std::string p1 = "(p1 - 2*q1*q2*t)", p2 = "(p2 - q1^2*t - 3*q2^2)";
  const Canonical system(desk, 2,
                         "((1 + t^2)*" + p1 + "^2 + 2*t*" + p1 + "*" + p2 + " + (2 + t)*" + p2 +
                             "^2 + sin(t)*" + p1 + " + t^2*" + p2 + " + t - 2*q1^2*q2)/2");
  const Expr r1 = desk(p1), r2 = desk(p2);
  expect_in_involution(system, {r1, r2});
  const Point at(desk, "q1 = 1, q2 = 1/2, p1 = 2, p2 = -1, t = 1/3");
  EXPECT_NUMBER(at(system.h), 5.27304804979926);
  EXPECT_NUMBER(at(r1), 1.66666666666667);
  EXPECT_NUMBER(at(r2), -2.08333333333333);
  EXPECT_NUMBER(at(dq(system, 1)), 1.32100475580548);
  EXPECT_NUMBER(at(dp(system, 1)), -1.39299841473151);
  EXPECT_NUMBER(at(dp(system, 2)), -10.8693301627963);
}

struct LinearQuadratic : Families {
  std::string p1 = "(p1 - q3*t - q2^2)", p2 = "(p2 - 2*q1*q2)", p3 = "(p3 - q1*t)";
  std::string r3 = "((2 + q3^2)*" + p1 + "^2 + 2*q3*" + p1 + "*" + p2 + " + 2*" + p1 + "*" + p3 + " + 3*" +
                   p2 + "^2 + q3*" + p2 + "*" + p3 + " + (1 + q3^2)*" + p3 + "^2 + 2*(q3*" + p1 + " + " + p2 +
                   " + q3^2*" + p3 + ") + q3^3)";
  /// The sums over A stop at n - 1, as printed.
  std::string short_r3 = "((2 + q3^2)*" + p1 + "^2 + 2*q3*" + p1 + "*" + p2 + " + 3*" + p2 + "^2 + 2*(q3*" +
                         p1 + " + " + p2 + ") + q3^3)";
  std::string with(const std::string& r) const {
    return "((1 + t)*" + p1 + "^2 + 2*t^2*" + p1 + "*" + p2 + " + cos(t)*" + p2 + "^2 + 2*(t*" + p1 +
           " + 2*t*" + p2 + ") + t^2 + (2 + t)*" + r + " - 2*q1*q3)/2";
  }
  Point at{desk, "q1 = 1, q2 = 2, q3 = 1/2, p1 = 1, p2 = -1, p3 = 2, t = 1/3"};
};

TEST_F(LinearQuadratic, two_linear_integrals_and_a_quadratic_one) {
  CATALOGUE_ROW("G6.II-exII-linear-quadratic");
  const Canonical system(desk, 3, with(r3));
  expect_in_involution(system, {desk(p1), desk(p2), desk(r3)});
  EXPECT_NUMBER(at(system.h), 120.350156273379);
  EXPECT_NUMBER(at(desk(p1)), -3.16666666666667);
  EXPECT_NUMBER(at(desk(p2)), -5);
  EXPECT_NUMBER(at(desk(p3)), 1.66666666666667);
  EXPECT_NUMBER(at(desk(r3)), 89.9375);
  EXPECT_NUMBER(at(dp(system, 3)), -45.8194444444444);
  // The two roots of r3 as a quadratic in P3: the second is P3 here.
  const Expr a = desk("1 + q3^2"), b = desk(p1 + " + q3/2*" + p2 + " + q3^2");
  const Expr c = desk(short_r3), root = sqrt(b * b - a * (c - desk(r3)));
  EXPECT_NUMBER(at((-b + root) / a), 5);
  EXPECT_NUMBER(at((-b - root) / a), 1.66666666666667);
}

TEST_F(LinearQuadratic, misprint_of_the_sums) {
  CATALOGUE_ROW("G6.II-exII-linear-quadratic");
  const Canonical printed(desk, 3, with(short_r3));
  test::refute({"G6.II-exII-linear-quadratic", "H with n - 1 linear integrals and a quadratic one",
                "the sums over A^ij and A^i stop at n - 1", "they run to n; else H does not contain p_n",
                "for n = 3 and the data of the row, dH/dp3 == that of the sums to 3"},
               test::sides_at(at, derivative(printed.h, desk("p3")),
                              derivative(Canonical(desk, 3, with(r3)).h, desk("p3"))));
}

TEST_F(Families, a_pair_that_is_not_of_the_printed_form) {
  CATALOGUE_ROW("G6.II-exII-gap");
  const Canonical system(desk, 2, "p1*p2 + p2^2/2 + (q2 - p1*t)^2/2 + p1^2");
  const Expr r1 = desk("p1"), r2 = desk("p2^2/2 + (q2 - p1*t)^2/2");
  expect_in_involution(system, {r1, r2});
  const Point at(desk, "q1 = 0, q2 = 1, p1 = 2, p2 = -1, t = 1/2");
  EXPECT_NUMBER(at(system.h), 2.5);
  EXPECT_NUMBER(at(r2), 0.5);
}

TEST_F(Families, the_case_of_delassus) {
  CATALOGUE_ROW("G6.II-delassus");
  const Canonical system(desk, 2, "((2 + q2^2)*p1^2 + 2*q2*p1*p2 + 3*p2^2 + q2^3)/2");
  expect_in_involution(system, {desk("p1"), system.h});
  const Point at(desk, "q1 = 1, q2 = 1/2, p1 = 2, p2 = -1");
  EXPECT_NUMBER(at(system.h), 5.0625);
  EXPECT_NUMBER(at(dq(system, 1)), 4);
  EXPECT_NUMBER(at(dq(system, 2)), -2);
  EXPECT_NUMBER(at(dp(system, 2)), -0.375);
}

TEST_F(Families, one_linear_integral_and_two_quadratic_ones) {
  CATALOGUE_ROW("G6.II-exIII-h-quadratic");
  const std::string r1 = "(p1 - q2*t)";
  const Expr right2 = desk("(p2 - q1*t)^2/2 - q2 - q2^2*" + r1 + "^2/4"),
             right3 = desk("p3^2/2 - 1 - " + r1 + "*q3");
  const Matrix phi(2, 2, desk.list({"q2^2", "1", "2", "1 + q3^2"}));
  const std::vector<Expr> r = solve(desk.algebra, phi, {right2, right3}).x;
  const Expr h =
      -desk("q1*q2") - (desk("(1 + t)/2*" + r1 + "^2 + t*" + r1) + desk("2*t") * r[0] - r[1] + desk("t^3"));
  const Canonical system(desk, 3, to_infix(h));
  expect_in_involution(system, {desk(r1), r[0], r[1]});
  const Point at(desk, "q1 = 1, q2 = 1/2, q3 = 2, p1 = 1, p2 = -2, p3 = 1/3, t = 1/3");
  EXPECT_NUMBER(at(desk(r1)), 0.833333333333333);
  EXPECT_NUMBER(at(r[0]), -18.0069444444444);
  EXPECT_NUMBER(at(r[1]), 6.68055555555556);
  EXPECT_NUMBER(at(h), 17.4074074074074);
}

TEST_F(Families, the_case_of_staeckel) {
  CATALOGUE_ROW("G6.II-staeckel");
  const Matrix phi(3, 3, desk.list({"q1^2", "1", "q1", "1 + q2", "q2^3", "2", "3", "q3", "q3^2 + 1"}));
  const std::vector<Expr> right = desk.list({"p1^2/2 - q1", "p2^2/2 - q2^2", "p3^2/2 - 1/(1 + q3)"});
  const std::vector<Expr> r = solve(desk.algebra, phi, right).x;
  const Canonical system(desk, 3, to_infix(r[2]));
  expect_in_involution(system, r);
  const Point at(desk, "q1 = 1/2, q2 = 3/2, q3 = 2, p1 = 1, p2 = -2, p3 = 1/3");
  EXPECT_NUMBER(at(r[0]), -0.156268568033274);
  EXPECT_NUMBER(at(r[1]), 0.0249554367201426);
  EXPECT_NUMBER(at(r[2]), 0.0282234105763518);
  EXPECT_NUMBER(at(dp(system, 1)), 0.7647090597704);
  EXPECT_NUMBER(at(dq(system, 1)), 0.877005347593583);
}

struct Liouville : Families {
  std::string sum = "(1 + q1^2 + q2^2 + exp(q3))", kinetic = "(p1^2/2 + p2^2/(2*(1 + q2^2)) + p3^2/4)",
              c = "(q1^3 + q2 + q3^2)";
  Canonical system{desk, 3, "(" + kinetic + " + " + c + ")/" + sum};
  /// p_1^2/(2 B_1) + C_1 - A_1 H, and the next two.
  std::vector<Expr> integrals(Expr h) {
    return {desk("p1^2/2 + q1^3") - desk("1 + q1^2") * h, desk("p2^2/(2*(1 + q2^2)) + q2") - desk("q2^2") * h,
            desk("p3^2/4 + q3^2") - desk("exp(q3)") * h};
  }
  Point at{desk, "q1 = 1, q2 = 2, q3 = 1/2, p1 = 1, p2 = -2, p3 = 3"};
};

TEST_F(Liouville, three_integrals_with_the_sum_zero) {
  CATALOGUE_ROW("G6.II-liouville");
  const std::vector<Expr> r = integrals(system.h);
  expect_in_involution(system, r);
  EXPECT_PROVED(desk.algebra.is_zero(r[0] + r[1] + r[2]));
  EXPECT_NUMBER(at(system.h), 0.836741171954639);
  EXPECT_NUMBER(at(r[0]), -0.173482343909278);
  EXPECT_NUMBER(at(r[1]), -0.946964687818556);
  EXPECT_NUMBER(at(r[2]), 1.12044703172783);
  EXPECT_NUMBER(at(dq(system, 2)), -0.0522963232471649);
  EXPECT_NUMBER(at(Rational(2) * desk(kinetic) / desk(sum)), 0.823667091142848);
}

TEST_F(Liouville, misprint_of_the_potential) {
  CATALOGUE_ROW("G6.II-liouville");
  const Canonical printed(desk, 3, "(" + kinetic + " + " + c + "/2)/" + sum);  // 2H with sum C
  test::refute(
      {"G6.II-liouville", "H of Liouville's case", "2H = (sum p_i^2/B_i + sum C_i)/sum A_i",
       "2H = (sum p_i^2/B_i + 2 sum C_i)/sum A_i",
       "for the data of the row, the rate of r1 = p1^2/(2 B1) + C1 - A1 H along the printed motion == 0"},
      test::sides_at(at, printed.rate(integrals(printed.h)[0]), desk("0")));
}

struct RiccatiOne : Families {
  Canonical system{desk, 1, "q1*(1 + p1^2) + p1^2"};
  Point at{desk, "q1 = 2, p1 = 1/2, t = 1/4"};
};

TEST_F(RiccatiOne, an_integral_that_is_free_of_q) {
  CATALOGUE_ROW("G6.II-exIV-riccati");
  const Expr phi = desk("atan(p1) + t");
  EXPECT_PROVED(system.is_kept(phi));
  EXPECT_NUMBER(at(dp(system, 1)), -1.25);
  EXPECT_NUMBER(at(phi), 0.713647609000806);
  EXPECT_NUMBER(at(system.rate(desk("atan(p1) - t"))), -2);
}

TEST_F(RiccatiOne, misprint_of_the_sign) {
  CATALOGUE_ROW("G6.II-exIV-riccati");
  test::refute(
      {"G6.II-exIV-riccati", "Riccati's equation of the momenta", "dp_i/dt = a_i p_i^2 + 2 b_i p_i + c_i",
       "dp_i/dt = -(a_i p_i^2 + 2 b_i p_i + c_i)", "for H = q (1 + p^2) + p^2, dp/dt == 1 + p^2"},
      test::sides_at(at, dp(system, 1), desk("1 + p1^2")));
}

struct RiccatiThree : Families {
  Point at{desk, "q1 = 1, q2 = 2, q3 = 1/2, p1 = 1, p2 = -2, p3 = 1/3, t = 1/4"};
  Expr s3 = desk("t/2 + atan(p3/sqrt(2))/sqrt(2)");  // the primitive of 1/(p^2 + 2)
  /// asinh(p3/sqrt(2)), the primitive of (p3^2 + 2)^(-1/2) that vanishes at 0.
  std::string arc = "log(p3/sqrt(2) + sqrt(p3^2/2 + 1))";
  void expect_kept(const Canonical& system, Expr f) {
    EXPECT_TRUE(system.is_kept(f).holds()) << to_infix(f) << ": " << describe(system.is_kept(f));
  }
};

struct FirstRiccati : RiccatiThree {
  Canonical system{desk, 3, "(p1^2*q1/3 - p2^2*q2/2 + p1*p3*q1 + 3*p2*p3*q2 + (p3^2 + 2)*q3)/2"};
  Expr r1 = desk("-q1*p1^2/sqrt(p3^2 + 2)"), r2 = desk("-q2*p2^2/sqrt(p3^2 + 2)^3");
};

TEST_F(FirstRiccati, five_integrals) {
  CATALOGUE_ROW("G6.II-riccati-ex1");
  const Expr s1 = desk("sqrt(p3^2 + 2)/p1 + " + arc + "/3");
  const Expr s2 = desk("sqrt(p3^2 + 2)^3/p2 - (p3*sqrt(p3^2 + 2)/2 + " + arc + ")/2");
  for (Expr f : {s1, s2, s3, r1, r2, system.h}) expect_kept(system, f);
  EXPECT_NUMBER(at(system.h), -3.13888888888889);
  EXPECT_NUMBER(at(s1), 1.5308238658641);
  EXPECT_NUMBER(at(s2), -1.77155351855515);
  EXPECT_NUMBER(at(s3), 0.2886792137545);
  EXPECT_NUMBER(at(r1), -0.688247201611685);
  EXPECT_NUMBER(at(r2), -2.60809465873902);
  EXPECT_NUMBER(at(dp(system, 1)), -0.333333333333333);
  EXPECT_NUMBER(at(dp(system, 3)), -1.05555555555556);
}

TEST_F(FirstRiccati, misprint_of_the_coordinates) {
  CATALOGUE_ROW("G6.II-riccati-ex1");
  test::refute({"G6.II-riccati-ex1", "Coordinates by the integrals of Riccati's case",
                "q^i = -r_i (p_n^2 + alpha)^beta_i/p_i", "q^i = -r_i (p_n^2 + alpha)^beta_i/p_i^2",
                "for the data of the row, the rate of r1 = -q1 p1 (p3^2 + alpha)^(-1/2) == 0"},
               test::sides_at(at, system.rate(desk("-q1*p1/sqrt(p3^2 + 2)")), desk("0")));
}

struct SecondRiccati : RiccatiThree {
  Canonical system{desk, 3, "(p1^2/3 - p2^2/2 - p1*p3*q1 - 3*p2*p3*q2 + (p3^2 + 2)*q3)/2"};
  /// The primitives of (p^2 + 2)^-2 and (p^2 + 2)^-4 that vanish at 0.
  std::string two = "(p3/(4*(p3^2 + 2)) + atan(p3/sqrt(2))/(4*sqrt(2)))";
  std::string four = "(p3/(12*(p3^2 + 2)^3) + 5/12*(p3/(8*(p3^2 + 2)^2) + 3/8*" + two + "))";
  Expr psi = desk("-(p1^2/3*(p3^2 + 2)*" + two + " - p2^2/2*(p3^2 + 2)^3*" + four + ")");
  Expr s1 = desk("p1*sqrt(p3^2 + 2)"), s2 = desk("p2*sqrt(p3^2 + 2)^3");
  /// -(p_n^2 + alpha) psi_(p_n) + 2 sum beta_i p_i p_n psi_(p_i)
  Expr equation(Expr of) {
    return desk("-(p3^2 + 2)") * derivative(of, desk("p3")) + desk("p1*p3") * derivative(of, desk("p1")) +
           desk("3*p2*p3") * derivative(of, desk("p2"));
  }
};

TEST_F(SecondRiccati, five_integrals) {
  CATALOGUE_ROW("G6.II-riccati-ex2");
  const Expr r1 = (desk("q1") - derivative(psi, desk("p1"))) / desk("sqrt(p3^2 + 2)");
  const Expr r2 = (desk("q2") - derivative(psi, desk("p2"))) / desk("sqrt(p3^2 + 2)^3");
  EXPECT_PROVED(desk.algebra.are_equal(equation(psi), desk("p1^2/3 - p2^2/2")));
  for (Expr f : {s1, s2, s3, r1, r2}) expect_kept(system, f);
  EXPECT_NUMBER(at(system.h), 1.52777777777778);
  EXPECT_NUMBER(at(s1), 1.45296631451356);
  EXPECT_NUMBER(at(s2), -6.13474666127947);
  EXPECT_NUMBER(at(s3), 0.2886792137545);
  EXPECT_NUMBER(at(psi), 0.30866125791353);
  EXPECT_NUMBER(at(r1), 0.766119887918671);
  EXPECT_NUMBER(at(r2), 0.771094417917691);
}

TEST_F(SecondRiccati, misprint_of_psi) {
  CATALOGUE_ROW("G6.II-riccati-ex2");
  test::refute(
      {"G6.II-riccati-ex2", "The function psi of Riccati's case",
       "psi = + sum gamma^i p_i^2 (p_n^2 + alpha)^(2 beta_i) int dp_n/(p_n^2 + alpha)^(2 beta_i + 1)",
       "with the sign -",
       "for the data of the row, -(p_n^2 + alpha) psi_(p_n) + 2 sum beta_i p_i p_n psi_(p_i) of the "
       "printed psi == sum gamma^i p_i^2"},
      test::sides_at(at, equation(-psi), desk("p1^2/3 - p2^2/2")));
}

TEST_F(Families, spiral_surfaces) {
  CATALOGUE_ROW("G6.II-spiral");
  const Canonical system(desk, 2, "(2*p1^2 - 3/2*p1*p2*q1 + q2*p2^2)/2");  // beta = 3/4, gamma = 2
  const Expr psi = desk("p1^2/(2*p2)"), s1 = desk("p1*sqrt(p2)^3"), s2 = desk("t/2 - 1/p2");
  const Expr r1 = (desk("q1") - derivative(psi, desk("p1"))) / desk("sqrt(p2)^3");
  for (Expr f : {s1, s2, r1, system.h}) EXPECT_PROVED(system.is_kept(f));
  const Point at(desk, "q1 = 1, q2 = 3, p1 = 1, p2 = 1/2, t = 1/4");
  EXPECT_NUMBER(at(system.h), 1);
  EXPECT_NUMBER(at(s1), 0.353553390593274);
  EXPECT_NUMBER(at(s2), -1.875);
  EXPECT_NUMBER(at(r1), -2.82842712474619);
  EXPECT_NUMBER(at(desk("2*q2 - 9/16*q1^2")), 5.4375);
  EXPECT_NUMBER(at(dp(system, 1)), 0.375);
  EXPECT_NUMBER(at(dp(system, 2)), -0.125);
  // (q1, q2) -> (L q1, L^2 q2) with (p1, p2) -> (p1/L, p2/L^2) divides H by L^2.
  const Substitution scaled{{desk("q1"), desk("L*q1")},
                            {desk("q2"), desk("L^2*q2")},
                            {desk("p1"), desk("p1/L")},
                            {desk("p2"), desk("p2/L^2")}};
  EXPECT_PROVED(desk.algebra.are_equal(substitute(system.h, scaled), system.h / desk("L^2")));
}

}  // namespace
}  // namespace liaison
