/// Rows G2.I-* to G2.V-*: one constraint, its field and its factor; the
/// models beside them hold their numbers.
#include "form_at_a_point.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/forms/two_form.hpp"
#include "liaison/mechanics/formulation.hpp"
#include "liaison/mechanics/reduction.hpp"
#include "liaison/mechanics/state.hpp"
#include "mechanics/mechanics_support.hpp"
#include "misprint.hpp"
#include "unknown_function.hpp"

namespace liaison {
namespace {

using test::derive;
using test::Derived;
using test::Desk;
using test::FormAtAPoint;
using test::on;
using test::unknown;

const std::string cart_without_relation =
    "param m1 > 0, m2 > 0, l > 0, g\ncoord x, th\n"
    "kinetic (m1 + m2)*x'^2/2 + m2*l*cos(th)*x'*th' + m2*l^2*th'^2/2\npotential -m2*g*l*cos(th)\n";

/// l_i (theta^i - v^i dt) of a constraint.
Form contact_of(const Motion& motion, std::size_t h) {
  const StateSpace& space = motion.space;
  Form sum(space.coframe, 1);
  for (std::size_t i = 0; i < space.size(); ++i)
    sum = sum + motion.constraints[h].direction[i] *
                    (Form::basis(space.coframe, space.configuration_form(i)) -
                     space.velocities[i] * Form::basis(space.coframe, space.time_form()));
  return sum;
}

TEST(OneConstraint, the_field_of_a_force_is_its_contact_form_turned_by_omega) {
  CATALOGUE_ROW("G2.I-def");
  const std::string systems[] = {
      cart_without_relation + "constraint c: th' = 0 by x'\n",
      "function a(x, y, t)\nfunction b(x, y, t)\nfunction c(x, y)\nfunction A(x, y, v, w, t)\nfunction F(x, "
      "v)\ncoord x, y\n"
      "kinetic a(x, y, t)/2*x'^2 + b(x, y, t)*x'*y' + c(x, y)/2*y'^2\nforce x = F(x, y')\n"
      "constraint c: A(x, y, x', y', t) = 0\n",
      "param M > 0, k > 0, a > 0, f\ncoord x, y, z\nrotation (p, q, r) in space\n"
      "kinetic M/2*(x'^2 + y'^2 + z'^2) + M*k^2/2*(p^2 + q^2 + r^2)\nforce z = -M\n"
      "constraint c: z' = 0 power z' - f*sqrt((x' - a*q)^2 + (y' + a*p)^2)\n"};
  for (const std::string& text : systems) {
    const Derived model = derive(text);
    const VectorField e = model.motion->space.velocity_field(model.motion->fields[0]);
    EXPECT_PROVED(
        are_equal(*model.algebra, interior(e, model.motion->omega.omega), contact_of(*model.motion, 0)));
    EXPECT_TRUE(e.component(model.motion->space.time_form()).is_zero());
  }
}

TEST(OneConstraint, the_contact_form_of_a_force_has_one_field_at_any_point) {
  CATALOGUE_ROW("G2.I-def");
  for (std::uint64_t seed : test::seeds(5)) {
    SCOPED_TRACE(test::seed_note(seed));
    FormAtAPoint point(3, seed);
    const Form pi = point.contact({point.number(), point.number(), point.factor()});
    std::vector<Expr> right;
    for (std::size_t i = 0; i < 7; ++i) {
      const std::size_t index[] = {i};
      right.push_back(pi.coefficient(index));
    }
    // i(e)Omega = pi has the solutions e + E; i(e)dt = 0 chooses one, with velocity components only.
    const SolveResult x = solve(point.desk.algebra, transpose(coefficient_matrix(point.omega)), right);
    ASSERT_EQ(x.kernel.size(), 1U);
    const VectorField particular(point.space, x.x), kernel(point.space, x.kernel[0]);
    const VectorField e = particular - (on(particular, point.dt()) / on(kernel, point.dt())) * kernel;
    EXPECT_PROVED(are_equal(point.desk.algebra, interior(e, point.omega), pi));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_PROVED(point.desk.algebra.is_zero(e.component(i)));
  }
}

TEST(OneConstraint, the_power_is_not_simplified_by_the_relation) {
  CATALOGUE_ROW("G2.I-def");
  const Derived model = derive(
      "param m > 0, f\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nforce y = -m\n"
      "constraint floor: y' = 0 power y' - f*abs(x')\n");
  const ConstraintField& floor = model.motion->constraints[0];
  EXPECT_TRUE(model.equal(floor.relation, "y'"));
  EXPECT_TRUE(model.equal(floor.direction[1], "1"));  // y' = 0 has not taken it away
  EXPECT_TRUE(model.equal(floor.direction[0], "-f*sign(x')"));
}

TEST(OneConstraint, a_relation_without_velocities_is_differentiated_once) {
  CATALOGUE_ROW("G2.I-def");
  const Derived model = derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = t^2\n");
  EXPECT_TRUE(model.equal(model.motion->constraints[0].relation, "2*x*x' + 2*y*y' - 2*t"));
  EXPECT_TRUE(model.equal(model.motion->constraints[0].level, "x^2 + y^2 - t^2"));
  EXPECT_TRUE(model.equal(model.motion->constraints[0].direction[0], "2*x"));
  const Derived already = derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x*x' + y*y' = t\n");
  EXPECT_TRUE(already.equal(already.motion->constraints[0].relation, "x*x' + y*y' - t"));
  EXPECT_TRUE(already.motion->constraints[0].level.empty());
}

TEST(OneConstraint, a_relation_in_which_nothing_moves_is_refused) {
  CATALOGUE_ROW("G2.I-def");
  for (const char* relation : {"t = 1", "k = 2", "sin(t)*k = t"}) {
    const Source source("test.lia",
                        std::string("param k\ncoord x\nkinetic x'^2/2\nconstraint c: ") + relation + "\n");
    const ParsedModel model = parse_model(source);
    ASSERT_EQ(model.diagnostics.size(), 1U) << relation;
    EXPECT_EQ(model.diagnostics[0].code, "L0418") << relation;
  }
}

TEST(OneConstraint, rolling_is_three_constraints_and_sliding_one) {
  CATALOGUE_ROW("G2.I-sphere");
  const Derived sliding = test::derive_file("gallissot/sphere_sliding_contact.lia");
  const Derived rolling = test::derive_file("gallissot/sphere_rolling_contact.lia");
  EXPECT_EQ(sliding.motion->relation_count, 1U);
  EXPECT_EQ(rolling.motion->relation_count, 3U);
  // The velocity of the lowest point, V_G + rotation x (0, 0, -a), is what each force of rolling works on.
  EXPECT_TRUE(rolling.equal(rolling.motion->constraints[0].relation, "xi' - a*q"));
  EXPECT_TRUE(rolling.equal(rolling.motion->constraints[1].relation, "eta' + a*p"));
}

TEST(OneConstraint, relation_and_force_are_tied_in_momenta) {
  CATALOGUE_ROW("G2.II-relation");
  const Derived cart = derive(cart_without_relation + "constraint hold: th' = 0 by x'\n");
  const FormulationResult hamilton = derive_formulation(*cart.algebra, *cart.motion, Formulation::hamilton);
  ASSERT_TRUE(hamilton.applicable) << hamilton.reason;
  EXPECT_PROVED(agrees(*cart.algebra, *cart.motion, hamilton));
  // i(E + lambda e)da = 0, and not without the force.
  const VectorField e = cart.motion->space.motion_field(cart.motion->free_acceleration);
  const VectorField force = cart.motion->space.velocity_field(cart.motion->fields[0]);
  const Expr a = cart.motion->constraints[0].relation;
  EXPECT_PROVED(cart.algebra->is_zero(apply(e + cart.factor("hold") * force, a)));
  EXPECT_REFUTED(cart.algebra->is_zero(apply(e, a)));
}

TEST(OneConstraint, a_function_of_the_relation_gives_the_same_force) {
  CATALOGUE_ROW("G2.II-viewpoint1");
  const Derived cart = derive(cart_without_relation + "constraint hold: th' = 0 by x'\n");
  const std::string expected = "-(m1 + m2)*g*tan(th) - m2*l*th'^2*sin(th)";
  EXPECT_TRUE(cart.equal(cart.factor("hold"), expected));
  for (const char* relation : {"sinh(2*th')", "th' + 5*th'^3", "F(th')"}) {
    const Derived other =
        derive("function F(s)\n" + cart_without_relation + "constraint hold: " + relation + " = 0 by x'\n");
    EXPECT_TRUE(other.equal(other.factor("hold"), expected)) << relation;
    EXPECT_FALSE(other.equal(other.motion->drive[0], "0")) << relation;
  }
}

TEST(OneConstraint, the_square_of_the_relation_is_degenerate_on_it) {
  CATALOGUE_ROW("G2.II-viewpoint1");
  const Derived square = test::derive_file("gallissot/cart_with_servo_pendulum_square.lia");
  const DoublePoint at{{square("m1"), 3},   {square("m2"), 0.5},   {square("l"), 0.8},
                       {square("g"), 9.81}, {square("x"), 0.2},    {square("theta"), 0.3},
                       {square("x'"), 0.7}, {square("theta'"), 0}, {square("t"), 0}};
  const StateValues values = evaluate_state(*square.algebra, *square.motion, at);
  EXPECT_FALSE(values.compatible);
  EXPECT_EQ(values.r[0][0], 0);
  EXPECT_EQ(values.drive[0], 0);
  ASSERT_EQ(values.motions.size(), 1U) << values.failure;  // a double root
  EXPECT_NUMBER(values.motions[0].factors[0], -10.62106013034641);
}

TEST(OneConstraint, forces_that_keep_a_relation_fill_a_hyperplane) {
  CATALOGUE_ROW("G2.II-viewpoint2");
  for (std::uint64_t seed : test::seeds(5)) {
    SCOPED_TRACE(test::seed_note(seed));
    FormAtAPoint point(3, seed);
    Algebra& algebra = point.desk.algebra;
    const VectorField e = *characteristic_field(algebra, point.omega, point.dt()).field;
    const Form da = point.any_form();
    // i(E_l)da is linear in the force L: one row of coefficients, so L fills a plane of dimension n - 1.
    std::vector<Expr> row;
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<Expr> unit(3, point.desk("0"));
      unit[i] = point.desk("1");
      const Form omega = point.omega + wedge(point.contact(unit), point.dt());
      const VectorField pushed = *characteristic_field(algebra, omega, point.dt()).field;
      row.push_back(algebra.canonical(on(pushed, da) - on(e, da)).value);
    }
    const SolveResult forces = solve(algebra, Matrix(1, 3, row), {-on(e, da)});
    ASSERT_NE(forces.status, SolveStatus::inconsistent);
    EXPECT_EQ(forces.kernel.size(), 2U);
    for (const std::vector<Expr>& along : forces.kernel) {
      const Form omega = point.omega + wedge(point.contact(forces.x) + point.contact(along), point.dt());
      EXPECT_PROVED(algebra.is_zero(on(*characteristic_field(algebra, omega, point.dt()).field, da)));
    }
  }
}

/// The drive i(E)da of a point with the relation, and how it vanishes.
TEST(OneConstraint, a_first_integral_is_told_from_a_constraint) {
  CATALOGUE_ROW("G2.III-first-integral");
  const auto model = [](const std::string& text) {
    return derive("param k > 0, g > 0, c\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n" + text);
  };
  const auto on_relation = [](const Derived& system) {
    return are_equal_on(*system.algebra, *system.motion, system.motion->drive[0], system("0"));
  };
  // Everywhere: a first integral, no force.
  const Derived central = model("force x = -k*x\nforce y = -k*y\nconstraint a: x*y' - y*x' = c\n");
  EXPECT_PROVED(central.algebra->is_zero(central.motion->drive[0]));
  EXPECT_PROVED(central.algebra->is_zero(central.factor("a")));
  // On a = 0 only.
  const Derived resisted = model("force y = -k*y'\nconstraint a: y' = 0\n");
  EXPECT_REFUTED(resisted.algebra->is_zero(resisted.motion->drive[0]));
  EXPECT_PROVED(on_relation(resisted));
  // At some points only: a constraint.
  const Derived heavy = model("force y = -g\nconstraint a: x*y' - y*x' = c\n");
  EXPECT_TRUE(heavy.equal(heavy.motion->drive[0], "-g*x"));
  EXPECT_REFUTED(on_relation(heavy));
}

TEST(OneConstraint, the_servo_is_incompatible_where_the_cosine_vanishes) {
  CATALOGUE_ROW("G2.IV-lambda");
  const Derived cart = test::derive_file("gallissot/cart_with_servo_pendulum.lia");
  const DoublePoint at{{cart("m1"), 3},   {cart("m2"), 0.5},   {cart("l"), 0.8},
                       {cart("g"), 9.81}, {cart("x"), 0.2},    {cart("theta"), 0.3},
                       {cart("x'"), 0.7}, {cart("theta'"), 0}, {cart("t"), 0}};
  const StateValues values = evaluate_state(*cart.algebra, *cart.motion, at);
  EXPECT_TRUE(values.compatible);
  EXPECT_LT(values.r[0][0], 0);  // not ideal, so not positive
  // i(e)da vanishes with cos(theta), i(E)da does not: no factor.
  const Substitution upright{{cart("theta"), cart("pi/2")}};
  EXPECT_PROVED(cart.algebra->is_zero(substitute(cart.motion->r(0, 0), upright)));
  EXPECT_REFUTED(cart.algebra->is_zero(substitute(cart.motion->drive[0], upright)));
}

/// Generic fields and functions on a state space of one parameter: E with i(E)dt = 1, e along v.
struct SecondDerivative : ::testing::Test {
  Desk desk;
  CoframePtr state = desk.coordinates("q v t");
  VectorField free = VectorField(state, {desk("v"), unknown(desk, "X(q, v, t)"), desk("1")});
  VectorField e = VectorField(state, {desk("0"), unknown(desk, "Y(q, v, t)"), desk("0")});
  Expr a = unknown(desk, "a(q, v, t)"), factor = unknown(desk, "L(q, v, t)");
};

TEST_F(SecondDerivative, along_the_motion_with_a_factor) {
  CATALOGUE_ROW("G2.IV-degenerate");
  const VectorField motion = free + factor * e;
  const Expr second = apply(motion, apply(motion, a)), ea = apply(e, a), free_a = apply(free, a);
  const Expr mixed = apply(e, free_a) + apply(free, ea);
  const Expr start = factor * factor * apply(e, ea) + factor * (apply(e, factor) * ea + mixed);
  const Expr right = start + apply(free, factor) * ea + apply(free, free_a);
  EXPECT_PROVED(desk.algebra.are_equal(second, right));
  // The last term along e: a misprint of two_motions_from_one_state.lia.
  EXPECT_REFUTED(desk.algebra.are_equal(second, right - apply(free, free_a) + apply(e, ea)));
}

TEST_F(SecondDerivative, misprint_of_the_term_with_the_rate_of_the_factor) {
  CATALOGUE_ROW("G2.IV-degenerate");
  const VectorField swing = desk.field(state, {"v", "-q", "1"}), push = desk.field(state, {"0", "1", "0"});
  const Expr relation = desk("q*v"), rate = desk("q*t");
  const VectorField motion = swing + rate * push;
  const Expr ea = apply(push, relation), free_a = apply(swing, relation);
  const Expr inside =
      apply(push, rate) * ea + apply(push, free_a) + apply(swing, ea) + apply(swing, rate) * ea;
  const Expr printed = rate * rate * apply(push, ea) + rate * inside + apply(swing, free_a);
  test::refute({"G2.IV-degenerate", "Second derivative of a relation along the motion",
                "lambda [(e lambda)(e a) + e(E a) + E(e a) + (E lambda)(e a)], with (E lambda)(e a) inside "
                "the bracket",
                "(E lambda)(e a) stands outside, without the factor lambda",
                "the second derivative of a = q*v along E + lambda*e == the printed sum, for E = (v, -q, 1), "
                "e = (0, 1, "
                "0) on (q, v, t), lambda = q*t"},
               desk.algebra.are_equal(apply(motion, apply(motion, relation)), printed));
}

TEST(OneConstraint, two_motions_leave_a_degenerate_state) {
  CATALOGUE_ROW("G2.IV-degenerate");
  const Derived point = test::derive_file("gallissot/two_motions_from_one_state.lia");
  const DoublePoint at{{point("m"), 2}, {point("F_x"), 3}, {point("F_y"), 0},   {point("x"), 0},
                       {point("y"), 0}, {point("x'"), 0},  {point("y'"), 1.25}, {point("t"), 0}};
  const StateValues values = evaluate_state(*point.algebra, *point.motion, at);
  ASSERT_EQ(values.motions.size(), 2U) << values.failure;
  EXPECT_NUMBER(values.motions[0].factors[0], -3);
  EXPECT_NUMBER(values.motions[0].acceleration[0], 0);
  EXPECT_NUMBER(values.motions[1].factors[0], -0.5);
  EXPECT_NUMBER(values.motions[1].acceleration[0], 1.25);

  // Both are motions on the relation, not only at the start: x = 0 and x = w t^2/2 with y' = w, F_y = 0.
  const Expr relation = point.motion->constraints[0].relation;
  const auto along = [&](const char* x, const char* velocity) {
    return substitute(relation,
                      {{point("x"), point(x)}, {point("x'"), point(velocity)}, {point("y'"), point("w")}});
  };
  EXPECT_PROVED(point.algebra->is_zero(along("0", "0")));
  EXPECT_PROVED(point.algebra->is_zero(along("w*t^2/2", "w*t")));
  EXPECT_REFUTED(point.algebra->is_zero(along("w*t^2", "2*w*t")));
}

TEST(OneConstraint, real_power_has_the_index_zero) {
  CATALOGUE_ROW("G2.V-rheonomic");
  const Derived bead = test::derive_file("gallissot/bead_on_turning_wire.lia");
  const ConstraintField& wire = bead.motion->constraints[0];
  const Expr relative = wire.direction[0] * bead("x'") + wire.direction[1] * bead("y'");
  EXPECT_TRUE(bead.equal(wire.relation - relative, "-w*(x*cos(w*t) + y*sin(w*t))"));  // l_0
  // Omega_s has -l_0 for P_u: dx and dy go through -l_0 dt.
  const auto reduced = derive_omega_s(*bead.algebra, *bead.motion);
  ASSERT_TRUE(reduced);
  for (Formulation road : {Formulation::omega_s, Formulation::omega_r, Formulation::lagrange}) {
    const FormulationResult result = derive_formulation(*bead.algebra, *bead.motion, road);
    ASSERT_TRUE(result.applicable) << result.reason;
    EXPECT_PROVED(agrees(*bead.algebra, *bead.motion, result)) << name_of(road);
  }
}

/// Whether l = da/dv gives zero power on the relation.
Verdict zero_power(const Derived& model) {
  const Motion& motion = *model.motion;
  Expr power = model("0");
  for (std::size_t i = 0; i < motion.space.size(); ++i)
    power = power + motion.constraints[0].direction[i] * motion.space.velocities[i];
  return are_equal_on(*model.algebra, motion, power, model("0"));
}

TEST(OneConstraint, homogeneous_relations_have_zero_power_and_others_need_not) {
  CATALOGUE_ROW("G2.V-particular");
  const auto with = [](const std::string& relation) {
    return derive("param k > 0, c > 0\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: " +
                  relation + "\n");
  };
  EXPECT_PROVED(zero_power(with("x'^2 + y'^2 - k^2*z'^2 = 0")));  // Appell, degree 2
  EXPECT_PROVED(zero_power(with("x'*sin(z) - y'*cos(z) = 0")));   // linear, not holonomic
  EXPECT_PROVED(zero_power(with("x^2 + y^2 = c^2")));             // holonomic, replaced by its derivative
  EXPECT_PROVED(zero_power(with("x'*y'*z' - k*z'^3 = 0")));       // degree 3
  EXPECT_REFUTED(zero_power(with("x'^2 + y'^2 = c^2")));          // not homogeneous
  EXPECT_REFUTED(zero_power(with("x' = c")));                     // linear with a free term: l_0 is missing
  // Euler's identity l_i v^i = m a on and off the relation.
  const Derived cone = with("x'^2 + y'^2 - k^2*z'^2 = 0");
  const auto& l = cone.motion->constraints[0].direction;
  EXPECT_PROVED(cone.algebra->are_equal(l[0] * cone("x'") + l[1] * cone("y'") + l[2] * cone("z'"),
                                        Rational(2) * cone.motion->constraints[0].relation));
}

TEST(OneConstraint, ideal_constraints_have_a_gram_matrix) {
  CATALOGUE_ROW("G2.V-Appell");
  CATALOGUE_ROW("G2.V-lambda");
  const Derived model = derive(
      "param m > 0, J > 0, k > 0\ncoord x, y, th\nkinetic m/2*(x'^2 + y'^2) + J/2*th'^2 + k*x'*th'\n"
      "constraint a: x'^2 - y'*th' = 0\nconstraint b: x'*sin(th) - y'*cos(th) = 0\n");
  const Motion& motion = *model.motion;
  // r^hk = (da^k/dv^j) l^hj with l^hj = g^ij l^h_i: symmetric where l = da/dv.
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t k = 0; k < 2; ++k) {
      Expr sum = model("0");
      for (std::size_t j = 0; j < 3; ++j) sum = sum + motion.constraints[k].gradient[j] * motion.fields[h][j];
      EXPECT_PROVED(model.algebra->are_equal(motion.r(h, k), sum));
      EXPECT_PROVED(model.algebra->are_equal(motion.r(h, k), motion.r(k, h)));
    }
  const DoublePoint at{{model("m"), 2},     {model("J"), 0.5},  {model("k"), 0.3},  {model("x"), 0},
                       {model("y"), 0},     {model("th"), 0.7}, {model("x'"), 0.4}, {model("y'"), -0.2},
                       {model("th'"), 0.9}, {model("t"), 0}};
  EXPECT_GT(evaluate(motion.r(0, 0), at), 0);
  EXPECT_GT(evaluate(motion.determinant, at), 0);
}

TEST(OneConstraint, zero_power_does_not_fix_the_direction) {
  CATALOGUE_ROW("G2.V-zero-power");
  const Derived cone = test::derive_file("gallissot/velocity_on_a_cone.lia");
  const Motion& motion = *cone.motion;
  const std::vector<Expr> l{cone("2*x' - c*y'"), cone("2*y' + c*x'"), cone("-2*k^2*z'")};
  std::vector<Expr> components;
  Expr power = cone("0");
  for (std::size_t i = 0; i < 3; ++i) {
    components.push_back(l[i] / cone("m"));
    power = power + l[i] * motion.space.velocities[i];
  }
  const VectorField e = motion.space.velocity_field(components);
  const VectorField free = motion.space.motion_field(motion.free_acceleration);
  const Expr a = motion.constraints[0].relation;
  EXPECT_PROVED(cone.algebra->are_equal(power, Rational(2) * a));
  const Expr factor = -apply(free, a) / apply(e, a);
  EXPECT_PROVED(cone.algebra->are_equal(apply(e, a), motion.r(0, 0)));
  EXPECT_PROVED(cone.algebra->are_equal(factor, cone.factor("cone")));
  EXPECT_REFUTED(cone.algebra->are_equal(factor * components[0], cone.acceleration("x'")));
  const DoublePoint at{{cone("m"), 2},    {cone("k"), 0.75}, {cone("g"), 9.81}, {cone("c"), 1},
                       {cone("x'"), 1.8}, {cone("y'"), 2.4}, {cone("z'"), 4}};
  EXPECT_NUMBER(evaluate(apply(e, a), at), 28.125);
  EXPECT_NUMBER(evaluate(factor, at), -1.5696);
  EXPECT_NUMBER(evaluate(factor * components[0], at), -0.94176);
  EXPECT_NUMBER(evaluate(factor * components[1], at), -5.17968);
  EXPECT_NUMBER(evaluate(free.component("dz'") + factor * components[2], at), -6.2784);
}

}  // namespace
}  // namespace liaison
