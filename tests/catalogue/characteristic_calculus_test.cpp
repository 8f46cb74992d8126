/// Rows G1.III-*: the characteristic field of Omega, the module of its characteristic forms, and derivatives
/// along the motion.
#include "form_at_a_point.hpp"

#include <cmath>

#include "liaison/forms/two_form.hpp"
#include "mechanics/mechanics_support.hpp"
#include "unknown_function.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::FormAtAPoint;
using test::Point;
using test::unknown;

/// Omega = dp_i^dq^i - dH^dt + Q_i dq^i^dt with H and Q_i unknown functions of everything.
struct HamiltonianForm : ::testing::Test {
  Desk desk;
  CoframePtr state = desk.coordinates("p1 p2 q1 q2 t");
  Expr energy = unknown(desk, "H(p1, p2, q1, q2, t)");
  std::vector<Expr> force = {unknown(desk, "Q1(p1, p2, q1, q2, t)"), unknown(desk, "Q2(p1, p2, q1, q2, t)")};

  Form basis(std::string_view name) { return Form::basis(state, name); }
  Expr slope(std::string_view form) { return apply(VectorField::dual(state, form), energy); }
  Form work() { return force[0] * basis("dq1") + force[1] * basis("dq2"); }
  Form omega() {
    return desk.form(state, "1: dp1 dq1; 1: dp2 dq2") - wedge(d(state, energy), basis("dt")) +
           wedge(work(), basis("dt"));
  }
  /// dq^i - H_pi dt and dp_i + H_qi dt - Q_i dt.
  std::vector<Form> equations() {
    const Form dt = basis("dt");
    return {basis("dq1") - slope("dp1") * dt, basis("dq2") - slope("dp2") * dt,
            basis("dp1") + (slope("dq1") - force[0]) * dt, basis("dp2") + (slope("dq2") - force[1]) * dt};
  }
  Verdict equal(const Form& a, const Form& b) { return are_equal(desk.algebra, a, b); }
};

TEST_F(HamiltonianForm, the_contraction_with_any_field) {
  CATALOGUE_ROW("G1.III-iHam");
  const VectorField x = desk.field(state, {"x1", "x2", "y1", "y2", "x0"});
  const std::vector<Form> by = equations();
  const Form time_part = d(state, energy) - slope("dt") * basis("dt") - work();
  const Form expected = desk("x1") * by[0] + desk("x2") * by[1] - desk("y1") * by[2] - desk("y2") * by[3] +
                        desk("x0") * time_part;
  EXPECT_PROVED(equal(interior(x, omega()), expected));
  // With the forces of the other sign it is another form.
  EXPECT_REFUTED(equal(interior(x, omega()), expected - Rational(2) * desk("y1") * (force[0] * basis("dt"))));
}

TEST_F(HamiltonianForm, independent_fields_give_equivalent_equations) {
  CATALOGUE_ROW("G1.III-iHam");
  const std::vector<Form> by = equations();
  EXPECT_PROVED(equal(interior(VectorField::dual(state, "dp1"), omega()), by[0]));
  EXPECT_PROVED(equal(interior(VectorField::dual(state, "dq2"), omega()), -by[3]));

  const CharacteristicField motion = characteristic_field(desk.algebra, omega(), basis("dt"));
  ASSERT_EQ(motion.status, CharacteristicStatus::found) << motion.explanation;
  for (const Form& equation : by) EXPECT_PROVED(is_zero(desk.algebra, interior(*motion.field, equation)));

  // Fields with coefficients that depend on the state; independent, so their contractions have the rank 4.
  const std::vector<VectorField> fields{
      desk.field(state, {"1", "q1", "0", "p2^2", "0"}), desk.field(state, {"0", "1", "t", "0", "0"}),
      desk.field(state, {"0", "0", "1", "p1", "0"}), desk.field(state, {"q2", "0", "0", "1", "0"})};
  const auto rank_of = [&](const std::vector<VectorField>& xs) {
    std::vector<Expr> rows;
    for (const VectorField& x : xs)
      for (std::size_t i = 0; i < 5; ++i) {
        const std::size_t index[] = {i};
        rows.push_back(interior(x, omega()).coefficient(index));
      }
    return rank(desk.algebra, Matrix(xs.size(), 5, rows)).rank;
  };
  EXPECT_EQ(rank_of(fields), 4U);
  for (const VectorField& x : fields)
    EXPECT_PROVED(is_zero(desk.algebra, interior(*motion.field, interior(x, omega()))));
  // A field that is a combination of two others, or of them and E, gives nothing new.
  EXPECT_EQ(rank_of({fields[0], fields[1], fields[2], fields[0] + desk("q1") * fields[1]}), 3U);
  EXPECT_EQ(rank_of({fields[0], fields[1], fields[2], fields[0] + *motion.field}), 3U);
}

TEST(CharacteristicField, a_regular_mass_matrix_gives_one_field_with_a_time_component) {
  CATALOGUE_ROW("G1.III-E");
  for (std::size_t n : {2U, 3U, 4U})
    for (std::uint64_t seed : test::seeds(5)) {
      SCOPED_TRACE(test::seed_note(seed));
      FormAtAPoint point(n, seed);
      const CharacteristicField e = characteristic_field(point.desk.algebra, point.omega, point.dt());
      ASSERT_EQ(e.status, CharacteristicStatus::found) << e.explanation;
      EXPECT_EQ(e.rank, 2 * n);
      EXPECT_EQ(null_space(point.desk.algebra, coefficient_matrix(point.omega)).basis.size(), 1U);
      EXPECT_TRUE(e.field->component("dt").is_one());
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_PROVED(point.desk.algebra.are_equal(e.field->component(i), point.velocity[i]));
    }
}

TEST(CharacteristicField, a_singular_mass_matrix_is_reported) {
  CATALOGUE_ROW("G1.III-E");
  for (std::size_t n : {2U, 3U, 4U})
    for (std::uint64_t seed : test::seeds(5)) {
      SCOPED_TRACE(test::seed_note(seed));
      FormAtAPoint point(n, seed, FormAtAPoint::Mass::singular);
      const CharacteristicField e = characteristic_field(point.desk.algebra, point.omega, point.dt());
      EXPECT_FALSE(e.field);
      // The kernel is a velocity direction alone, or has dimension 3 and more.
      const std::size_t kernel = null_space(point.desk.algebra, coefficient_matrix(point.omega)).basis.size();
      EXPECT_EQ(e.status,
                kernel == 1 ? CharacteristicStatus::not_normalisable : CharacteristicStatus::rank_too_low);
      EXPECT_EQ(e.rank, 2 * n + 1 - kernel);
      EXPECT_FALSE(e.explanation.empty());
    }
}

TEST(CharacteristicField, lower_ranks_are_told_apart) {
  CATALOGUE_ROW("G1.III-E");
  Desk desk;
  const CoframePtr state = desk.coordinates("q1 q2 v1 v2 t");
  const auto status = [&](std::string_view form) {
    const Form omega = desk.form(state, form);
    EXPECT_EQ(rank_and_class(desk.algebra, omega).rank % 2, 0U);
    return characteristic_field(desk.algebra, omega, Form::basis(state, "dt")).status;
  };
  EXPECT_EQ(status("1: dv1 dq1; 1: dv2 dq2; -v1: dv1 dt; -v2: dv2 dt"), CharacteristicStatus::found);
  EXPECT_EQ(status("1: dv1 dq1; -v1: dv1 dt"), CharacteristicStatus::rank_too_low);  // kernel 3
  EXPECT_EQ(status("0: dv1 dq1"), CharacteristicStatus::rank_too_low);               // kernel 5
  EXPECT_EQ(status("1: dv1 dq1; 1: dq2 dt; -v1: dv1 dt"), CharacteristicStatus::not_normalisable);
  // A model whose velocities enter the energy by their sum only.
  const test::Derived sum = test::derive("coord x, y\nkinetic (x' + y')^2/2\n");
  EXPECT_EQ(sum.motion->status, FactorStatus::singular_mass);
}

/// The two-parameter system of row G1.II-Lagrange.
struct TwoParameters : ::testing::Test {
  test::Derived model = test::derive_file("gallissot/two_parameters_full_mass.lia");
  Algebra& algebra = *model.algebra;
  const Form& omega = model.motion->omega.omega;
  CoframePtr state = model.motion->space.coframe;
  Form dt = Form::basis(state, "dt");
};

TEST_F(TwoParameters, rank_four_and_one_field) {
  CATALOGUE_ROW("G1.III-E");
  const CharacteristicField e = characteristic_field(algebra, omega, dt);
  ASSERT_EQ(e.status, CharacteristicStatus::found) << e.explanation;
  EXPECT_EQ(e.rank, 4U);
  EXPECT_EQ(null_space(algebra, coefficient_matrix(omega)).basis.size(), 1U);
  EXPECT_TRUE(e.field->component("dt").is_one());
  EXPECT_PROVED(algebra.are_equal(e.field->component("dq1'"), model.acceleration("q1'")));
  EXPECT_PROVED(algebra.are_equal(e.field->component("dq2'"), model.acceleration("q2'")));
}

TEST_F(TwoParameters, the_field_does_not_depend_on_the_chart) {
  CATALOGUE_ROW("G1.III-E");
  Pool& pool = *model.system->pool;
  std::vector<Expr> symbols;
  for (const char* name : {"a1", "a2", "b1", "b2"})
    symbols.push_back(pool.symbol(name, SymbolKind::auxiliary));
  symbols.push_back(model("t"));
  const CoframePtr chart = Coframe::coordinates(pool, symbols);
  // Positions and velocities mixed with the time; not a prolongation of a change of positions.
  const SmoothMap map(algebra, chart, state,
                      {{model("q1"), model("a1 + t*a2")},
                       {model("q2"), model("a2 - t^2")},
                       {model("q1'"), model("b1 + a1*a2")},
                       {model("q2'"), model("2*b2 - b1*t")},
                       {model("t"), model("t")}});
  const CharacteristicField there =
      characteristic_field(algebra, map.pull_back(omega), Form::basis(chart, "dt"));
  const CharacteristicField here = characteristic_field(algebra, omega, dt);
  ASSERT_TRUE(there.field && here.field) << there.explanation;
  const char* coordinates[] = {"q1", "q2", "q1'", "q2'", "t"};
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_PROVED(algebra.are_equal(apply(*there.field, map.pull_back(model(coordinates[i]))),
                                    map.pull_back(here.field->component(i))))
        << coordinates[i];
}

/// The pendulum q'' = -w2 sin q.
struct PendulumRows : ::testing::Test {
  Desk desk;
  CoframePtr state = desk.coordinates("q v t");
  Form omega = desk.form(state, "1: dv dq; -v: dv dt; -w2*sin(q): dq dt");
  Form dt = Form::basis(state, "dt");
  VectorField e = *characteristic_field(desk.algebra, omega, dt).field;
  Point at{desk, "w2 = 6.54, q = 0.6, v = 0.9"};

  Expr along(Expr f, int times = 1) {
    for (int i = 0; i < times; ++i) f = apply(e, f);
    return f;
  }
};

/// x with i(x)Omega = pi, or the reason why there is none.
SolveResult field_of(Algebra& algebra, const Form& omega, const Form& pi) {
  std::vector<Expr> right;
  for (std::size_t i = 0; i < omega.coframe()->dimension(); ++i) {
    const std::size_t index[] = {i};
    right.push_back(pi.coefficient(index));
  }
  return solve(algebra, transpose(coefficient_matrix(omega)), right);
}

TEST_F(PendulumRows, characteristic_forms_are_those_that_vanish_on_the_field) {
  CATALOGUE_ROW("G1.III-ThI");
  const std::vector<Form> members{desk.form(state, "1: dv; w2*sin(q): dt"), desk.form(state, "1: dq; -v: dt"),
                                  d(state, desk("v^2/2 - w2*cos(q)"))};
  for (const Form& pi : members) {
    EXPECT_PROVED(is_zero(desk.algebra, interior(e, pi)));
    const SolveResult x = field_of(desk.algebra, omega, pi);
    ASSERT_EQ(x.status, SolveStatus::underdetermined);
    EXPECT_EQ(x.kernel.size(), 1U);  // modulo E
    EXPECT_PROVED(are_equal(desk.algebra, interior(VectorField(state, x.x), omega), pi));
    EXPECT_PROVED(are_equal(desk.algebra, interior(VectorField(state, x.x) + desk("q*t") * e, omega), pi));
  }
  const Form dq = Form::basis(state, "dq");
  EXPECT_EQ(at(interior(e, dq).coefficient({})), 0.9);
  const SolveResult none = field_of(desk.algebra, omega, dq);
  ASSERT_EQ(none.status, SolveStatus::inconsistent);
  // What forbids it is E itself.
  EXPECT_PROVED(is_zero(desk.algebra, interior(VectorField(state, none.certificate), omega)));
}

TEST_F(TwoParameters, membership_and_contraction_agree_for_any_form) {
  CATALOGUE_ROW("G1.III-ThI");
  const VectorField e = *characteristic_field(algebra, omega, dt).field;
  for (const char* function : {"q1*q2' + t", "sin(q2)*q1'", "q1 - 3*q2", "q1'^2*t"}) {
    const Form any = d(state, model(function));
    EXPECT_REFUTED(is_zero(algebra, interior(e, any)));
    EXPECT_EQ(field_of(algebra, omega, any).status, SolveStatus::inconsistent) << function;
    const Form member = any - interior(e, any).coefficient({}) * dt;
    const SolveResult x = field_of(algebra, omega, member);
    ASSERT_EQ(x.status, SolveStatus::underdetermined) << function;
    EXPECT_PROVED(are_equal(algebra, interior(VectorField(state, x.x), omega), member));
  }
}

TEST_F(PendulumRows, iterated_derivatives_are_taylor_coefficients) {
  CATALOGUE_ROW("G1.III-ThII");
  const double expected[] = {
      0.9, -3.692761776003531, -4.857925429358366, 22.92353852324077, -6.662002725745638, -136.5406185634994};
  double sum = 0.6, power_of_step = 1;
  for (int n = 1; n <= 6; ++n) {
    const double value = at(along(desk("q"), n));
    EXPECT_NUMBER(value, expected[n - 1]) << "derivative " << n;
    power_of_step *= 0.01 / n;
    sum += value * power_of_step;
  }
  EXPECT_NEAR(sum, 0.608814561802699, 1e-14);  // the motion at t = 0.01
  EXPECT_GT(std::abs(sum - power_of_step * at(along(desk("q"), 6)) - 0.608814561802699), 1e-13);
}

TEST_F(PendulumRows, the_time_component_acts_on_explicit_time) {
  CATALOGUE_ROW("G1.III-ThII");
  EXPECT_PROVED(desk.algebra.are_equal(along(desk("t*q")), desk("q + t*v")));
  EXPECT_PROVED(desk.algebra.are_equal(along(desk("t*q"), 2), desk("2*v - t*w2*sin(q)")));
  const Expr f = unknown(desk, "f(q, v, t)");
  EXPECT_PROVED(desk.algebra.are_equal(along(f), interior(e, d(state, f)).coefficient({})));
}

TEST_F(PendulumRows, leibniz_rule_for_iterated_derivatives) {
  CATALOGUE_ROW("G1.III-Leibniz");
  const Expr u = unknown(desk, "u(q, v, t)"), w = unknown(desk, "w(q, v, t)");
  const long binomial[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
  const auto leibniz = [&](Expr a, Expr b, int n) {
    Expr sum = desk("0");
    for (int k = 0; k <= n; ++k) sum = sum + Rational(binomial[n][k]) * (along(a, n - k) * along(b, k));
    return sum;
  };
  for (int n = 1; n <= 3; ++n) EXPECT_PROVED(desk.algebra.are_equal(along(u * w, n), leibniz(u, w, n)));
  EXPECT_REFUTED(desk.algebra.are_equal(along(u * w, 2), along(u, 2) * w + u * along(w, 2)));

  const Expr v = desk("v"), s = desk("sin(q)");
  EXPECT_PROVED(desk.algebra.are_equal(along(v * s, 4), leibniz(v, s, 4)));
  EXPECT_NUMBER(at(along(v * s, 4)), 170.2582597630122);
}

TEST_F(PendulumRows, the_order_of_two_fields_counts) {
  CATALOGUE_ROW("G1.III-Leibniz");
  const VectorField up = VectorField::dual(state, "dv");
  const Expr f = unknown(desk, "f(q, v, t)");
  const Expr difference = apply(e, apply(up, f)) - apply(up, apply(e, f));
  EXPECT_PROVED(desk.algebra.are_equal(difference, apply(bracket(e, up), f)));
  EXPECT_REFUTED(desk.algebra.is_zero(difference));
  const Expr q = desk("q");
  EXPECT_EQ(at(apply(e, apply(up, q)) - apply(up, apply(e, q))), -1);
}

TEST_F(PendulumRows, the_motion_in_other_functions) {
  CATALOGUE_ROW("G1.III-application");
  const Expr h = desk("v^2/2 - w2*cos(q)"), q = desk("q");
  // Independent except where v = 0.
  const Form volume = wedge(wedge(d(state, h), d(state, q)), dt);
  EXPECT_PROVED(desk.algebra.are_equal(volume.coefficient({"dv", "dq", "dt"}), desk("v")));
  EXPECT_PROVED(desk.algebra.is_zero(along(h)));

  // The same motion as a system for h, q alone.
  const CoframePtr chart = desk.coordinates("h th s");
  const SmoothMap map(
      desk.algebra, chart, state,
      {{desk("q"), desk("th")}, {desk("v"), desk("sqrt(2*(h + w2*cos(th)))")}, {desk("t"), desk("s")}});
  EXPECT_PROVED(desk.algebra.are_equal(map.pull_back(h), desk("h")));
  const CharacteristicField there =
      characteristic_field(desk.algebra, map.pull_back(omega), Form::basis(chart, "ds"));
  ASSERT_TRUE(there.field) << there.explanation;
  EXPECT_PROVED(desk.algebra.is_zero(there.field->component("dh")));
  EXPECT_PROVED(desk.algebra.are_equal(there.field->component("dth"), desk("sqrt(2*(h + w2*cos(th)))")));
  EXPECT_PROVED(
      desk.algebra.are_equal(apply(*there.field, there.field->component("dth")), desk("-w2*sin(th)")));
}

TEST_F(PendulumRows, dependent_functions_are_refused) {
  CATALOGUE_ROW("G1.III-application");
  const Expr h = desk("v^2/2 - w2*cos(q)");
  const auto frame = [&](Expr first, Expr second) {
    const std::vector<std::string> names{"f1", "f2", "f0"};
    std::vector<Expr> rows;
    for (Expr f : {first, second, desk("t")})
      for (std::size_t i = 0; i < 3; ++i) rows.push_back(apply(VectorField::dual(state, i), f));
    return moving_frame(desk.algebra, state, names, Matrix(3, 3, rows));
  };
  EXPECT_PROVED(is_zero(desk.algebra, wedge(wedge(d(state, h), d(state, h * h)), dt)));
  EXPECT_NO_THROW(frame(h, desk("q")));
  try {
    frame(h, h * h);
    ADD_FAILURE() << "two functions of one another were taken for independent";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_a_basis);
  }
}

}  // namespace
}  // namespace liaison
