/// Rows G1.ex1 to G1.ex3 and G1.II-*: Omega of a material set, in Lagrange's and in Hamilton's form, on any
/// Pfaff forms; the models beside them hold their numbers.
#include "misprint.hpp"

#include "liaison/forms/ideal.hpp"
#include "liaison/forms/two_form.hpp"
#include "liaison/mechanics/jet_geometry.hpp"
#include "mechanics/mechanics_support.hpp"
#include "support/random_forms.hpp"
#include "unknown_function.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;
using test::unknown;

struct EnergyRows : ::testing::Test {
  Desk desk;
  Verdict equal(const Form& a, const Form& b) { return are_equal(desk.algebra, a, b); }
};

TEST_F(EnergyRows, the_resisted_throw_is_a_product_of_closed_forms) {
  CATALOGUE_ROW("G1.ex1");
  const CoframePtr state = desk.coordinates("z v t");
  unknown(desk, "f(v)");
  const Form omega = desk.form(state, "1: dv dz; -v: dv dt; -(g + f(v)): dz dt");
  const Form time = desk.form(state, "1/(g + f(v)): dv; 1: dt");
  const Form height = desk.form(state, "1: dz; v/(g + f(v)): dv");
  EXPECT_PROVED(equal(omega, desk("g + f(v)") * wedge(time, height)));
  EXPECT_PROVED(is_closed(desk.algebra, time));
  EXPECT_PROVED(is_closed(desk.algebra, height));
  // Only together with the factor g + f: the form itself is not closed.
  EXPECT_REFUTED(is_closed(desk.algebra, omega));
}

TEST_F(EnergyRows, the_heavy_point_projected_on_tangent_and_normal) {
  CATALOGUE_ROW("G1.ex2");
  const CoframePtr state = desk.coordinates("x y z v th psi t");
  const auto pfaff = [&](std::string_view text) { return desk.form(state, text); };
  unknown(desk, "f(v)");
  const Form rest = pfaff("f(v)*sin(th)*cos(psi): dx; f(v)*sin(th)*sin(psi): dy; f(v)*cos(th): dz; g: dz");
  const Form omega = wedge(d(state, desk("v*sin(th)*cos(psi)")), pfaff("1: dx")) +
                     wedge(d(state, desk("v*sin(th)*sin(psi)")), pfaff("1: dy")) +
                     wedge(d(state, desk("v*cos(th)")), pfaff("1: dz")) -
                     wedge(pfaff("v: dv") + rest, pfaff("1: dt"));
  const Form tangent = wedge(pfaff("1: dv; f(v) + g*cos(th): dt"),
                             pfaff("sin(th)*cos(psi): dx; sin(th)*sin(psi): dy; cos(th): dz; -v: dt"));
  const Form normal = wedge(pfaff("v: dth; -g*sin(th): dt"),
                            pfaff("cos(th)*cos(psi): dx; cos(th)*sin(psi): dy; -sin(th): dz"));
  const Form across = wedge(pfaff("v: dpsi"), pfaff("-sin(th)*sin(psi): dx; sin(th)*cos(psi): dy"));
  EXPECT_PROVED(equal(omega, tangent + normal + across));
  // The chart is singular at the poles: there two of the six forms disappear.
  const TwoFormRank rank = rank_and_class(desk.algebra, omega);
  EXPECT_EQ(rank.rank, 6U);
  const Form volume = wedge(power(omega, 3), pfaff("1: dt"));
  EXPECT_PROVED(is_zero(desk.algebra, Point(desk, "th = 0")(volume)));
  EXPECT_REFUTED(is_zero(desk.algebra, volume));
}

struct SlidingPoint : EnergyRows {
  CoframePtr state = desk.coordinates("x y v al t");
  Form pfaff(std::string_view text) { return desk.form(state, text); }
  Form kinetic = d(pfaff("v*cos(al): dx; v*sin(al): dy; -v^2/2: dt"));
  Form dynamic = wedge(pfaff("g*sin(i) - f*g*cos(i)*cos(al): dx; -f*g*cos(i)*sin(al): dy"), pfaff("1: dt"));
};

TEST_F(SlidingPoint, in_four_forms) {
  CATALOGUE_ROW("G1.ex3");
  const Form y =
      wedge(d(state, desk("v*sin(al)")) + pfaff("f*g*cos(i)*sin(al): dt"), pfaff("1: dy; -v*sin(al): dt"));
  const Form x = wedge(d(state, desk("v*cos(al)")) + pfaff("f*g*cos(i)*cos(al) - g*sin(i): dt"),
                       pfaff("1: dx; -v*cos(al): dt"));
  EXPECT_PROVED(equal(kinetic + dynamic, x + y));
}

TEST_F(SlidingPoint, misprint_of_the_label_of_the_forces) {
  CATALOGUE_ROW("G1.ex3");
  test::refute({"G1.ex3", "Forces of a point that slides on an incline",
                "the part of Omega with the forces carries the label of the kinetic part, Omega_c",
                "it is the dynamic part; Omega is the sum of both",
                "the coefficient of dx^dt in Omega == that in Omega_c"},
               sides_at(Point(desk, "g = 9.81, i = 0.4, f = 0.3, al = 0.7"),
                        (kinetic + dynamic).coefficient({"dx", "dt"}), kinetic.coefficient({"dx", "dt"})));
}

/// Positions f(q, t) and velocities V(q, s, t) in the plane, given apart from each other, unknown functions.
struct MaterialSet : EnergyRows {
  CoframePtr state = desk.coordinates("s1 s2 q1 q2 t");
  std::vector<Expr> f = {unknown(desk, "f1(q1, q2, t)"), unknown(desk, "f2(q1, q2, t)")};
  std::vector<Expr> v = {unknown(desk, "V1(q1, q2, s1, s2, t)"), unknown(desk, "V2(q1, q2, s1, s2, t)")};

  std::vector<Expr> slope(const std::vector<Expr>& u, const std::string& symbol) {
    const VectorField by = VectorField::dual(state, "d" + symbol);
    return {apply(by, u[0]), apply(by, u[1])};
  }
  static Expr dot(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return a[0] * b[0] + a[1] * b[1];
  }
  Form kinetic() {
    const Form dt = Form::basis(state, "dt");
    Form sum(state, 2);
    for (std::size_t i = 0; i < 2; ++i)
      sum = sum + wedge(d(state, v[i]), d(state, f[i])) - wedge(v[i] * d(state, v[i]), dt);
    return sum;
  }
};

TEST_F(MaterialSet, coefficients_of_the_kinetic_form) {
  CATALOGUE_ROW("G1.II-omega-c");
  const Form omega = kinetic();
  const auto coefficient = [&](const std::string& a, const std::string& b) {
    return omega.coefficient({"d" + a, "d" + b});
  };
  for (const std::string s : {"s1", "s2"}) {
    for (const std::string q : {"q1", "q2"})
      EXPECT_PROVED(desk.algebra.are_equal(coefficient(s, q), dot(slope(v, s), slope(f, q))));
    EXPECT_PROVED(
        desk.algebra.are_equal(-coefficient(s, "t"), dot(v, slope(v, s)) - dot(slope(v, s), slope(f, "t"))));
  }
  EXPECT_PROVED(desk.algebra.are_equal(
      coefficient("q1", "q2"), dot(slope(v, "q1"), slope(f, "q2")) - dot(slope(v, "q2"), slope(f, "q1"))));
  for (const std::string q : {"q1", "q2"}) {
    const Expr mixed = dot(slope(v, "t"), slope(f, q)) - dot(slope(v, q), slope(f, "t"));
    EXPECT_PROVED(desk.algebra.are_equal(-coefficient(q, "t"), dot(v, slope(v, q)) + mixed));
    // The misprints of point_in_turning_cylinder.lia: a minus, and a derivative by the velocity parameter.
    EXPECT_REFUTED(desk.algebra.are_equal(-coefficient(q, "t"), dot(v, slope(v, q)) - mixed));
    EXPECT_REFUTED(desk.algebra.are_equal(-coefficient(q, "t"), dot(v, slope(v, "s1")) + mixed));
  }
}

TEST_F(MaterialSet, the_kinetic_form_is_exact) {
  CATALOGUE_ROW("G1.II-omega-c");
  const Form momentum =
      v[0] * d(state, f[0]) + v[1] * d(state, f[1]) - dot(v, v) / Rational(2) * Form::basis(state, "dt");
  EXPECT_PROVED(equal(d(momentum), kinetic()));
  EXPECT_PROVED(is_closed(desk.algebra, kinetic()));
}

TEST_F(MaterialSet, the_characteristics_tie_the_velocities_to_the_positions) {
  CATALOGUE_ROW("G1.II-omega-c");
  // On a line through one mass: q' = (V - f_t)/f_q, whatever the parameter of V.
  const CoframePtr line = desk.coordinates("s q t");
  const Expr position = unknown(desk, "F(q, t)"), velocity = unknown(desk, "W(q, s, t)");
  const Form omega = wedge(d(line, velocity), d(line, position)) -
                     wedge(velocity * d(line, velocity), Form::basis(line, "dt"));
  const CharacteristicField e = characteristic_field(desk.algebra, omega, Form::basis(line, "dt"));
  ASSERT_TRUE(e.field) << e.explanation;
  EXPECT_PROVED(desk.algebra.are_equal(apply(*e.field, position), velocity));
  EXPECT_PROVED(desk.algebra.is_zero(apply(*e.field, velocity)));  // no force
}

/// A point with one parameter and a T with terms of all three degrees, g's unknown functions of q and t.
struct RheonomicForm : ::testing::Test {
  test::Derived model = test::derive(
      "function g(q, t)\nfunction h(q, t)\nfunction k(q, t)\nfunction Q(q, v, t)\ncoord q\n"
      "kinetic g(q, t)/2*q'^2 + h(q, t)*q' + k(q, t)/2\nforce q = Q(q, q', t)\n");
  Algebra& algebra = *model.algebra;
  const OmegaForm& omega = model.motion->omega;
  CoframePtr state = model.motion->space.coframe;
  Form dt = Form::basis(state, "dt");
  Form force = omega.forces[0] * wedge(Form::basis(state, "dq"), dt);
};

TEST_F(RheonomicForm, only_the_difference_of_the_even_parts_appears) {
  CATALOGUE_ROW("G1.II-Hamilton");
  EXPECT_TRUE(model.equal(omega.momenta[0], "g(q, t)*q' + h(q, t)"));
  EXPECT_TRUE(model.equal(omega.energy, "g(q, t)/2*q'^2 - k(q, t)/2"));
  const Form momentum = omega.momenta[0] * Form::basis(state, "dq");
  EXPECT_PROVED(
      are_equal(algebra, omega.omega, d(momentum - model("g(q, t)/2*q'^2 - k(q, t)/2") * dt) + force));
  const CharacteristicField right = characteristic_field(algebra, omega.omega, dt);
  ASSERT_TRUE(right.field) << right.explanation;
  EXPECT_PROVED(algebra.are_equal(right.field->component("dq"), model("q'")));

  // With T in place of T2 - T0 the link q' = v is lost as soon as T1 is there.
  const Form naive = d(momentum - model("g(q, t)/2*q'^2 + h(q, t)*q' + k(q, t)/2") * dt) + force;
  const CharacteristicField wrong = characteristic_field(algebra, naive, dt);
  ASSERT_TRUE(wrong.field) << wrong.explanation;
  EXPECT_REFUTED(algebra.are_equal(wrong.field->component("dq"), model("q'")));
  EXPECT_TRUE(model.equal(wrong.field->component("dq"), "q' + h(q, t)/g(q, t)"));
}

TEST_F(RheonomicForm, hamiltons_form_is_lagranges_in_other_variables) {
  CATALOGUE_ROW("G1.II-Hamilton");
  CATALOGUE_ROW("G1.II-Lagrange");
  Pool& pool = *model.system->pool;
  const Expr p = pool.symbol("p", SymbolKind::auxiliary), x = pool.symbol("x", SymbolKind::auxiliary);
  const CoframePtr phase = Coframe::coordinates(pool, std::vector<Expr>{x, p, model("t")});
  const SmoothMap legendre(algebra, state, phase,
                           {{x, model("q")}, {p, omega.momenta[0]}, {model("t"), model("t")}});
  const Expr energy = model("(p - h(x, t))^2/(2*g(x, t)) - k(x, t)/2");
  const Form dx = Form::basis(phase, "dx"), time = Form::basis(phase, "dt");
  const Form hamilton = wedge(Form::basis(phase, "dp"), dx) - wedge(d(phase, energy), time) +
                        model("Q(x, (p - h(x, t))/g(x, t), t)") * wedge(dx, time);
  EXPECT_PROVED(are_equal(algebra, legendre.pull_back(hamilton), omega.omega));
  const CharacteristicField e = characteristic_field(algebra, hamilton, time);
  ASSERT_TRUE(e.field) << e.explanation;
  EXPECT_PROVED(algebra.are_equal(e.field->component("dx"), apply(VectorField::dual(phase, "dp"), energy)));
  EXPECT_PROVED(algebra.are_equal(
      e.field->component("dp"),
      model("Q(x, (p - h(x, t))/g(x, t), t)") - apply(VectorField::dual(phase, "dx"), energy)));
}

TEST(MovingPivot, the_naive_form_gives_the_wrong_numbers_of_the_catalogue) {
  CATALOGUE_ROW("G1.II-Hamilton");
  const test::Derived pendulum = test::derive_file("gallissot/pendulum_with_moving_pivot.lia");
  const OmegaForm& omega = pendulum.motion->omega;
  const CoframePtr state = pendulum.motion->space.coframe;
  const Form dt = Form::basis(state, "dt"), dq = Form::basis(state, "dq");
  const Form naive =
      d(omega.momenta[0] * dq - pendulum.system->kinetic * dt) + omega.forces[0] * wedge(dq, dt);
  const DoublePoint at{{pendulum("m"), 2},     {pendulum("l"), 1.5}, {pendulum("g"), 9.81},
                       {pendulum("A"), 0.3},   {pendulum("w"), 2},   {pendulum("q"), 0.6},
                       {pendulum("q'"), -0.8}, {pendulum("t"), 0.7}};
  const auto field = [&](const Form& form) {
    return *characteristic_field(*pendulum.algebra, form, dt).field;
  };
  EXPECT_NUMBER(evaluate(field(naive).component("dq"), at), -0.7438880254399954);
  EXPECT_NUMBER(evaluate(field(naive).component("dq'"), at), -3.072810982661635);
  EXPECT_NUMBER(evaluate(field(omega.omega).component("dq"), at), -0.8);
  EXPECT_NUMBER(evaluate(field(omega.omega).component("dq'"), at), -3.042100368913449);
}

TEST(MovingPivot, the_metric_of_configuration_and_time) {
  CATALOGUE_ROW("G1.II-metric");
  const test::Derived pendulum = test::derive_file("gallissot/pendulum_with_moving_pivot.lia");
  const Matrix g = space_time_gram(*pendulum.algebra, *pendulum.system);  // time first
  ASSERT_EQ(g.rows, 2U);
  EXPECT_TRUE(pendulum.equal(g(1, 1), "m*l^2"));
  EXPECT_TRUE(pendulum.equal(g(0, 1), "m*l*A*w*cos(w*t)*cos(q)"));
  EXPECT_TRUE(pendulum.equal(g(0, 0), "m*A^2*w^2*cos(w*t)^2"));
  const Expr v = pendulum("q'"), twice = Rational(2) * pendulum.motion->omega.energy;
  EXPECT_PROVED(pendulum.algebra->are_equal(twice, g(1, 1) * v * v - g(0, 0)));
  const Expr kinetic = Rational(2) * pendulum.system->kinetic;
  EXPECT_PROVED(pendulum.algebra->are_equal(kinetic, g(1, 1) * v * v + Rational(2) * g(0, 1) * v + g(0, 0)));
  EXPECT_REFUTED(pendulum.algebra->are_equal(kinetic, g(1, 1) * v * v + g(0, 1) * v + g(0, 0)));  // printed
  // Lowering and raising an index are inverse to each other.
  const JetGeometry jet = derive_jet_geometry(*pendulum.algebra, *pendulum.motion);
  EXPECT_PROVED(pendulum.algebra->are_equal(jet.metric(0, 0), g(1, 1)));
  EXPECT_PROVED(pendulum.algebra->are_equal(jet.metric(0, 0) * jet.inverse_metric(0, 0), pendulum("1")));
}

/// T with a full mass matrix of unknown functions, the forces given by lines of model text.
test::Derived two_parameters(const std::string& forces) {
  return test::derive(
      "function a(x, y, t)\nfunction b(x, y, t)\nfunction c(x, y, t)\nfunction U(x, y, t)\n"
      "function F(x, y, t)\nparam k > 0\ncoord x, y\n"
      "kinetic a(x, y, t)/2*x'^2 + b(x, y, t)*x'*y' + c(x, y, t)/2*y'^2\n" +
      forces);
}

TEST(LagrangianForm, coefficients_for_a_full_mass_matrix) {
  CATALOGUE_ROW("G1.II-Lagrange");
  const test::Derived model = two_parameters("force x = F(x, y, t)\n");
  const OmegaForm& omega = model.motion->omega;
  const CoframePtr state = model.motion->space.coframe;
  const Expr kinetic = model.system->kinetic;
  const auto by = [&](std::string_view form, Expr e) { return apply(VectorField::dual(state, form), e); };
  const char* q[] = {"dx", "dy"};
  const char* v[] = {"dx'", "dy'"};
  Algebra& algebra = *model.algebra;
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k)
      EXPECT_PROVED(algebra.are_equal(omega.omega.coefficient({v[k], q[i]}), by(v[i], by(v[k], kinetic))));
    EXPECT_PROVED(algebra.are_equal(omega.omega.coefficient({v[i], "dt"}), -by(v[i], kinetic)));
    // Euler's identity for a T of degree two; printed without the factor 2.
    const Expr sum = model("x'") * by(v[0], by(q[i], kinetic)) + model("y'") * by(v[1], by(q[i], kinetic));
    EXPECT_PROVED(algebra.are_equal(sum, Rational(2) * by(q[i], kinetic)));
    EXPECT_REFUTED(algebra.are_equal(sum, by(q[i], kinetic)));
  }
  EXPECT_PROVED(algebra.are_equal(omega.omega.coefficient({"dx", "dy"}),
                                  by("dy'", by("dx", kinetic)) - by("dx'", by("dy", kinetic))));
  // The time in the mass matrix adds d2T/(dv dt) to dT/dq.
  EXPECT_PROVED(algebra.are_equal(omega.omega.coefficient({"dx", "dt"}),
                                  model("F(x, y, t)") - by("dx", kinetic) - by("dt", by("dx'", kinetic))));
  const VectorField e = model.motion->space.motion_field(model.motion->acceleration);
  EXPECT_PROVED(algebra.are_equal(apply(e, by("dx'", kinetic)) - by("dx", kinetic), model("F(x, y, t)")));
  EXPECT_PROVED(algebra.are_equal(apply(e, by("dy'", kinetic)), by("dy", kinetic)));
}

TEST(HolonomicSystem, omega_is_closed_for_forces_with_a_force_function_only) {
  CATALOGUE_ROW("G1.II-holonomic-def");
  const auto closed = [](const std::string& forces) {
    const test::Derived model = two_parameters(forces);
    const OmegaForm& omega = model.motion->omega;
    const CoframePtr state = model.motion->space.coframe;
    EXPECT_PROVED(is_closed(*model.algebra, omega.kinetic));
    Form sum(state, 3);
    for (std::size_t i = 0; i < 2; ++i)
      sum = sum + wedge(wedge(d(state, omega.forces[i]), Form::basis(state, i)), Form::basis(state, "dt"));
    EXPECT_PROVED(are_equal(*model.algebra, d(omega.omega), sum));
    return is_closed(*model.algebra, omega.omega);
  };
  EXPECT_PROVED(closed(""));
  EXPECT_PROVED(closed("potential U(x, y, t)\n"));
  EXPECT_PROVED(closed("potential k/2*(x^2 + y^2)*sin(t)\n"));
  EXPECT_PROVED(closed("force x = k*y*t\nforce y = k*x*t\n"));  // not written as a potential
  EXPECT_REFUTED(closed("force x = -k*x'\n"));                  // resistance
  EXPECT_REFUTED(closed("force x = -k*y'\nforce y = k*x'\n"));  // without work, and not closed either
  EXPECT_REFUTED(closed("force x = k*y\nforce y = -k*x\n"));    // a curl
  EXPECT_REFUTED(closed("potential U(x, y, t)\nforce y = F(x, y, t)\n"));
}

TEST(HolonomicSystem, the_resistance_is_seen_in_the_derivative) {
  CATALOGUE_ROW("G1.II-holonomic-def");
  const test::Derived model = two_parameters("force x = -k*x'\n");
  const Form derivative = d(model.motion->omega.omega);
  // d Omega = -(dQ/dv) dq^dv^dt.
  EXPECT_TRUE(model.equal(derivative.coefficient({"dx", "dx'", "dt"}), "k"));
}

TEST_F(EnergyRows, equations_on_any_pfaff_forms) {
  CATALOGUE_ROW("G1.II-general");
  const CoframePtr state = desk.coordinates("x y vx vy t");
  const Form omega =
      desk.form(state,
                "m: dvx dx; m: dvy dy; -m*vx: dvx dt; -m*vy: dvy dt; k*x*t: dx dy; -c*vx: dx dt;"
                "x*y: dy dt");
  const Form dt = Form::basis(state, "dt");
  const CharacteristicField old = characteristic_field(desk.algebra, omega, dt);
  ASSERT_TRUE(old.field) << old.explanation;
  const std::vector<std::string> names{"w1", "w2", "w3", "w4", "w0"};
  for (std::uint64_t seed : test::seeds(3)) {
    SCOPED_TRACE(test::seed_note(seed));
    const Matrix matrix = test::random_frame_matrix(seed, state);
    const CoframePtr frame = moving_frame(desk.algebra, state, names, matrix);
    const Form there = change_coframe(desk.algebra, omega, frame, matrix);
    const Form time = change_coframe(desk.algebra, dt, frame, matrix);
    const CharacteristicField e = characteristic_field(desk.algebra, there, time);
    ASSERT_TRUE(e.field) << e.explanation;
    EXPECT_EQ(e.rank, 4U);
    EXPECT_PROVED(are_equal(desk.algebra, *e.field, change_coframe(desk.algebra, *old.field, frame, matrix)));
    for (std::size_t a = 0; a < 5; ++a)  // d Omega/d w^a = 0 along the motion
      EXPECT_PROVED(is_zero(desk.algebra, interior(*e.field, interior(VectorField::dual(frame, a), there))));
  }
}

TEST_F(EnergyRows, the_pfaffian_decides_the_rank) {
  CATALOGUE_ROW("G1.II-general");
  const CoframePtr frame =
      Coframe::make(desk.algebra, {{"w1", {}}, {"w2", {}}, {"w3", {}}, {"w4", {}}, {"dt", {}}}, {});
  const Form omega = desk.form(frame,
                               "k12: w1 w2; k13: w1 w3; k14: w1 w4; k23: w2 w3; k24: w2 w4; k34: w3 w4;"
                               "-k10: w1 dt; -k20: w2 dt; -k30: w3 dt; -k40: w4 dt");
  const Form volume = wedge(power(omega, 2), Form::basis(frame, "dt"));
  EXPECT_PROVED(desk.algebra.are_equal(volume.coefficient({"w1", "w2", "w3", "w4", "dt"}),
                                       desk("2*(k12*k34 - k13*k24 + k14*k23)")));
  const Point pfaffian_zero(desk, "k12 = 2, k34 = 3, k13 = 1, k24 = 10, k14 = 4, k23 = 1");
  EXPECT_EQ(characteristic_field(desk.algebra, pfaffian_zero(omega), Form::basis(frame, "dt")).status,
            CharacteristicStatus::not_normalisable);
  const Point regular(desk, "k12 = 2, k34 = 3, k13 = 1, k24 = 10, k14 = 4, k23 = 2");
  const CharacteristicField e = characteristic_field(desk.algebra, regular(omega), Form::basis(frame, "dt"));
  ASSERT_TRUE(e.field) << e.explanation;
  // dOmega/dw1 = k_1b w^b - k_10 dt.
  const Form first = interior(VectorField::dual(frame, "w1"), omega);
  EXPECT_PROVED(equal(first, desk.form(frame, "k12: w2; k13: w3; k14: w4; -k10: dt")));
}

TEST_F(EnergyRows, dependent_forms_are_refused_as_a_frame) {
  CATALOGUE_ROW("G1.II-general");
  const CoframePtr state = desk.coordinates("x v t");
  const std::vector<std::string> names{"w1", "w2", "w0"};
  const Matrix dependent(3, 3, desk.list({"1", "v", "0", "x", "x*v", "0", "0", "0", "1"}));
  try {
    moving_frame(desk.algebra, state, names, dependent);
    ADD_FAILURE() << "w1^w2^dt = 0 was taken for a frame";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_a_basis);
  }
  const Matrix independent(3, 3, desk.list({"1", "v", "0", "x", "x*v + 1", "0", "0", "0", "1"}));
  EXPECT_NO_THROW(moving_frame(desk.algebra, state, names, independent));
}

}  // namespace
}  // namespace liaison
