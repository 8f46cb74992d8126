/// Rows G6.II-E-minors and G6.II-power-identity: the characteristic field of a 2-form, and powers of a 2-form
/// under fields in involution.
#include "liaison/forms/two_form.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;

struct CharacteristicRows : ::testing::Test {
  Desk desk;
  CoframePtr five = desk.coordinates("x1 x2 x3 x4 t");
  Form omega = desk.form(
      five,
      "2: dx1 dx2; -1: dx1 dx3; 3: dx1 dx4; 1: dx1 dt; 4: dx2 dx3; 1: dx2 dx4; -2: dx2 dt; 2: dx3 dx4;"
      "5: dx3 dt; 1: dx4 dt");

  /// The minor of the coefficient matrix without one row and one column, with alternating sign.
  Expr minor(const Matrix& k, std::size_t row, std::size_t column) {
    std::vector<Expr> entries;
    for (std::size_t i = 0; i < k.rows; ++i)
      for (std::size_t j = 0; j < k.columns; ++j)
        if (i != row && j != column) entries.push_back(k(i, j));
    const Expr value = determinant(desk.algebra, Matrix(k.rows - 1, k.columns - 1, entries)).value;
    return column % 2 == 0 ? value : -value;
  }
};

TEST_F(CharacteristicRows, the_field_of_a_constant_form) {
  CATALOGUE_ROW("G6.II-E-minors");
  const CharacteristicField e = characteristic_field(desk.algebra, omega, Form::basis(five, "dt"));
  ASSERT_EQ(e.status, CharacteristicStatus::found) << e.explanation;
  EXPECT_EQ(e.rank, 4U);
  EXPECT_EQ(e.field->components(), desk.list({"-5/17", "14/17", "9/17", "-12/17", "1"}));
  EXPECT_PROVED(is_zero(desk.algebra, interior(*e.field, omega)));
  const std::vector<double> expected{-0.294117647059, 0.823529411765, 0.529411764706, -0.705882352941, 1};
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(e.field->component(i).number().to_double(), expected[i], 5e-13);  // printed to 12 decimals
}

TEST_F(CharacteristicRows, the_components_are_minors_whichever_row_is_left_out) {
  CATALOGUE_ROW("G6.II-E-minors");
  const VectorField e = *characteristic_field(desk.algebra, omega, Form::basis(five, "dt")).field;
  const Matrix k = coefficient_matrix(omega);
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_PROVED(desk.algebra.are_equal(minor(k, row, i), e.component(i) * minor(k, row, 4)));
}

TEST_F(CharacteristicRows, the_minors_rule_holds_for_a_general_form) {
  CATALOGUE_ROW("G6.II-E-minors");
  const CoframePtr three = desk.coordinates("x y t");
  const Form general = desk.form(three, "k12: dx dy; k13: dx dt; k23: dy dt");
  const VectorField e = *characteristic_field(desk.algebra, general, Form::basis(three, "dt")).field;
  const Matrix k = coefficient_matrix(general);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_PROVED(desk.algebra.are_equal(minor(k, row, i), e.component(i) * minor(k, row, 2)));
}

TEST_F(CharacteristicRows, failures_are_reported_with_their_reason) {
  CATALOGUE_ROW("G6.II-E-minors");
  // No t-component: dt stands in a pair that has rank by itself.
  const Form no_time = desk.form(five, "1: dx1 dt; 1: dx2 dx3");
  const CharacteristicField other = characteristic_field(desk.algebra, no_time, Form::basis(five, "dt"));
  EXPECT_EQ(other.status, CharacteristicStatus::not_normalisable);
  EXPECT_EQ(characteristic_field(desk.algebra, no_time, Form::basis(five, "dx4")).status,
            CharacteristicStatus::found);
  const CharacteristicField low =
      characteristic_field(desk.algebra, desk.form(five, "1: dx1 dx2"), Form::basis(five, "dt"));
  EXPECT_EQ(low.status, CharacteristicStatus::rank_too_low);
  EXPECT_EQ(low.rank, 2U);
}

/// Integrals of Omega = dp_i^dq^i - dH^dt, each with its field X = (f_q, -f_p, 0): i(X)Omega = df.
struct InvolutionRows : ::testing::Test {
  Desk desk;
  Verdict equal(const Form& a, const Form& b) { return are_equal(desk.algebra, a, b); }
};

struct TwoIntegrals : InvolutionRows {
  CoframePtr state = desk.coordinates("p1 p2 q1 q2 t");
  const Expr h = desk("(p1^2 + p2^2 + q1^2 + 4*q2^2)/2");
  const Form omega =
      desk.form(state, "1: dp1 dq1; 1: dp2 dq2") - wedge(d(state, h), Form::basis(state, "dt"));
  const VectorField x1 = desk.field(state, {"q1", "0", "-p1", "0", "0"});
  const VectorField x2 = desk.field(state, {"0", "4*q2", "0", "-p2", "0"});
  const Form pi1 = d(state, desk("(p1^2 + q1^2)/2")), pi2 = d(state, desk("(p2^2 + 4*q2^2)/2"));
  const Form twice = interior(x1, interior(x2, power(omega, 2)));
  const Point at{desk, "q1 = 1, q2 = 2, p1 = 3, p2 = -1"};
};

TEST_F(TwoIntegrals, powers_of_the_form) {
  CATALOGUE_ROW("G6.II-power-identity");
  EXPECT_PROVED(equal(interior(x1, omega), pi1));
  EXPECT_PROVED(equal(interior(x2, omega), pi2));
  EXPECT_PROVED(is_zero(desk.algebra, interior(x1, pi2)));
  EXPECT_PROVED(equal(twice, Rational(2) * wedge(pi1, pi2)));
  const Form thrice = interior(x1, interior(x2, power(omega, 3)));
  EXPECT_PROVED(equal(thrice, Rational(6) * wedge(wedge(pi1, pi2), omega)));
  EXPECT_PROVED(is_zero(desk.algebra, wedge(wedge(pi1, pi2), omega)));
  EXPECT_EQ(at(twice.coefficient({"dp1", "dp2"})), -6);
  EXPECT_EQ(at(Rational(2) * wedge(pi1, pi2).coefficient({"dp1", "dp2"})), -6);
  EXPECT_EQ(at(twice.coefficient({"dp1", "dq2"})), 48);
}

TEST_F(TwoIntegrals, misprint_of_the_coefficient) {
  CATALOGUE_ROW("G6.II-power-identity");
  const auto printed = [](long q, long n) {
    Rational product(n % 2 == 0 ? -1 : 1);
    for (long k = 0; k <= n + 1; ++k) product = product * Rational(q - k);
    return product;
  };
  test::refute({"G6.II-power-identity", "Power of a form under fields in involution",
                "i(X1)...i(Xn) Omega^q = (-1)^(n-1) q (q-1)...(q-n-1) pi1^...^pin^Omega^(q-n)",
                "with the coefficient q (q-1)...(q-n+1), sign +",
                "for n = q = 2 and the two partial energies of H = (p1^2 + p2^2 + q1^2 + 4 q2^2)/2, the "
                "coefficient of "
                "dp1^dp2 in i(X1)i(X2)Omega^2 == the printed multiple of that in pi1^pi2"},
               sides_at(at, twice.coefficient({"dp1", "dp2"}),
                        printed(2, 2) * wedge(pi1, pi2).coefficient({"dp1", "dp2"})));
}

TEST_F(InvolutionRows, powers_of_the_form_under_three_fields) {
  CATALOGUE_ROW("G6.II-power-identity");
  const CoframePtr state = desk.coordinates("p1 p2 p3 q1 q2 q3 t");
  const Form omega =
      desk.form(state, "1: dp1 dq1; 1: dp2 dq2; 1: dp3 dq3") -
      wedge(d(state, desk("(p1^2 + p2^2 + p3^2 + q1^2 + 4*q2^2 + 9*q3^2)/2")), Form::basis(state, "dt"));
  const VectorField x1 = desk.field(state, {"q1", "0", "0", "-p1", "0", "0", "0"});
  const VectorField x2 = desk.field(state, {"0", "4*q2", "0", "0", "-p2", "0", "0"});
  const VectorField x3 = desk.field(state, {"0", "0", "9*q3", "0", "0", "-p3", "0"});
  const Form product = wedge(wedge(interior(x1, omega), interior(x2, omega)), interior(x3, omega));
  const auto contracted = [&](unsigned q) {
    return interior(x1, interior(x2, interior(x3, power(omega, q))));
  };
  // Each contraction puts its pi in front of those already there: pi1^pi2^pi3, sign +.
  EXPECT_PROVED(equal(contracted(3), Rational(6) * product));
  EXPECT_PROVED(equal(contracted(4), Rational(24) * wedge(product, omega)));
  EXPECT_PROVED(is_zero(desk.algebra, wedge(product, omega)));
}

}  // namespace
}  // namespace liaison
