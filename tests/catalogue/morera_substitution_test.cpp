/// Rows MO2-* to MO5-*, MO6-count-frozen, MO7-*: what may be added to the kinetic energy, or put into it,
/// before it is differentiated. Everything is asked of the expressions of Lagrange, contracted with the
/// admissible directions, at velocities and accelerations that satisfy the relations. Row MO-not-tested has
/// no formula: two remarks on what could be done with function groups and with further integrals.
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Desk;
using test::Point;

/// Functions of t, q, q', q''.
class Jet {
 public:
  Jet(Desk& desk, std::vector<std::string> names) : desk_(desk), names_(std::move(names)) {}

  /// d/dt.
  Expr rate(Expr f) const {
    Expr sum = derivative(f, desk_("t"));
    for (const std::string& name : names_) {
      for (const std::string dots : {"", "'"})
        sum = sum + desk_(name + dots + "'") * derivative(f, desk_(name + dots));
    }
    return sum;
  }
  /// d/dt dF/dq'_i - dF/dq_i.
  std::vector<Expr> lagrange(Expr f) const {
    std::vector<Expr> result;
    for (const std::string& name : names_)
      result.push_back(rate(derivative(f, desk_(name + "'"))) - derivative(f, desk_(name)));
    return result;
  }
  Expr contracted(Expr f, const std::vector<std::string>& direction) const {
    const std::vector<Expr> expressions = lagrange(f);
    Expr sum = desk_("0");
    for (std::size_t i = 0; i < direction.size(); ++i) sum = sum + desk_(direction[i]) * expressions[i];
    return sum;
  }
  /// Velocities as functions of t, q and parameters, and the accelerations that follow: each parameter u has
  /// u'.
  Substitution motion(const std::vector<std::string>& velocities,
                      const std::vector<std::string>& parameters) const {
    Substitution first, result;
    for (std::size_t i = 0; i < names_.size(); ++i)
      first.emplace(desk_(names_[i] + "'"), desk_(velocities[i]));
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Expr velocity = desk_(velocities[i]);
      Expr acceleration = rate(velocity);
      for (const std::string& parameter : parameters)
        acceleration = acceleration + desk_(parameter + "'") * derivative(velocity, desk_(parameter));
      result.emplace(desk_(names_[i] + "'"), velocity);
      result.emplace(desk_(names_[i] + "''"), substitute(acceleration, first));
    }
    return result;
  }

 private:
  Desk& desk_;
  std::vector<std::string> names_;
};

struct Additions : ::testing::Test {
  Desk desk;
  Jet plane{desk, {"x", "y", "th"}};
  std::vector<std::string> along{"cos(th)", "sin(th)", "0"}, turn{"0", "0", "1"};
  Substitution edge = plane.motion({"u*cos(th)", "u*sin(th)", "w"}, {"u", "w"});
  Point at{desk, "t = 1/3, x = 0.2, y = -0.3, th = 0.7, u = 1.3, w = 0.9, u' = 0.4, w' = -0.6"};

  Expr on_edge(Expr f, const std::vector<std::string>& direction) {
    return substitute(plane.contracted(f, direction), edge);
  }
};

TEST_F(Additions, lagranges_principle_in_redundant_coordinates) {
  CATALOGUE_ROW("MO2-principle-III");
  const Expr px = desk("x + (1 + t/4)*cos(th)"), py = desk("y + (1 + t/4)*sin(th)"),
             qx = desk("x - cos(th)/2"), qy = desk("y - sin(th)/2");
  const auto square = [&](Expr e) { return plane.rate(e) * plane.rate(e); };
  const Expr kinetic = square(px) + square(py) + desk("3/2") * (square(qx) + square(qy));
  const std::vector<Expr> delta = desk.list({"1/3", "-2/5", "7/4"});
  const char* names[] = {"x", "y", "th"};
  const auto varied = [&](Expr e, const char* dots) {
    Expr sum = desk("0");
    for (std::size_t k = 0; k < 3; ++k)
      sum = sum + delta[k] * derivative(e, desk(std::string(names[k]) + dots));
    return sum;
  };
  const Expr particles = desk("2") * (plane.rate(px) * varied(px, "") + plane.rate(py) * varied(py, "")) +
                         desk("3") * (plane.rate(qx) * varied(qx, "") + plane.rate(qy) * varied(qy, ""));
  EXPECT_PROVED(desk.algebra.are_equal(varied(kinetic, "'"), particles));
  const Point there(desk, "t = 0.4, x = 0.2, y = -0.3, th = 0.7, u = 1.3, w = 0.9, u' = 0, w' = 0");
  EXPECT_NUMBER(there(substitute(particles, edge)), 4.64554630054933);
}

TEST_F(Additions, a_linear_function_of_the_velocities) {
  CATALOGUE_ROW("MO3-identity-IV");
  const Expr phi = desk("y*x' - x*y' + t*x*th'");
  EXPECT_NUMBER(at(on_edge(phi, along)), -0.229452656185347);
  EXPECT_NUMBER(at(on_edge(phi, turn)), 0.531431614489945);
  // Minus the bilinear covariant: dphi(motion, xi).
  const CoframePtr state = desk.coordinates("x y th t");
  const Form form = d(desk.form(state, "y: dx; -x: dy; t*x: dth"));
  const VectorField motion = desk.field(state, {"u*cos(th)", "u*sin(th)", "w", "1"});
  for (const auto& direction : {along, turn}) {
    const std::vector<VectorField> both{motion,
                                        desk.field(state, {direction[0], direction[1], direction[2], "0"})};
    EXPECT_PROVED(desk.algebra.are_equal(on_edge(phi, direction), evaluate_on(form, both)));
  }
}

TEST_F(Additions, a_total_derivative) {
  CATALOGUE_ROW("MO3-exact");
  for (Expr e : plane.lagrange(plane.rate(desk("sin(x*y) + t*th^2*x + exp(t)*y"))))
    EXPECT_PROVED(desk.algebra.is_zero(e));
}

TEST_F(Additions, a_multiple_of_the_derivative_of_an_integral) {
  CATALOGUE_ROW("MO4-multiplier");
  // x x' + y y' = t: velocities (-y, x) k + (x, y) t/(x^2 + y^2), and th' = w.
  const Substitution moves =
      plane.motion({"-y*k + x*t/(x^2 + y^2)", "x*k + y*t/(x^2 + y^2)", "w"}, {"k", "w"});
  const Expr lambda = desk("1 + x*x'^2 + sin(t*th)*th'*y'");
  for (const std::vector<std::string>& direction : {std::vector<std::string>{"-y", "x", "0"}, turn})
    EXPECT_PROVED(desk.algebra.is_zero(
        substitute(plane.contracted(lambda * desk("x*x' + y*y' - t"), direction), moves)));
  // The relation of a knife edge has no integral: what is added changes the equations.
  const Expr added = desk("(1 + x*x'^2 + sin(t)*th')*(x'*sin(th) - y'*cos(th))");
  EXPECT_NUMBER(at(on_edge(added, along)), 1.34297970684001);
  EXPECT_NUMBER(at(on_edge(added, turn)), -1.93985957654668);
}

TEST_F(Additions, misprint_of_a_partial_derivative) {
  CATALOGUE_ROW("MO4-general");
  const Substitution moves =
      plane.motion({"-y*k + x*t/(x^2 + y^2)", "x*k + y*t/(x^2 + y^2)", "w"}, {"k", "w"});
  const Expr lambda = desk("1 + x*x'^2 + sin(t*th)*th'*y'"), df = desk("x*x' + y*y' - t");
  const Expr u = plane.rate(desk("sin(x*y) + t*th^2*x + exp(t)*y"));
  for (const std::vector<std::string>& direction : {std::vector<std::string>{"-y", "x", "0"}, turn})
    EXPECT_PROVED(desk.algebra.is_zero(substitute(plane.contracted(u + lambda * df, direction), moves)));
  const Verdict printed =
      desk.algebra.is_zero(substitute(plane.contracted(lambda * desk("-t"), turn), moves));
  test::refute(
      {"MO4-general", "What may be added to the kinetic energy",
       "Omega = T + dU/dt + sum lambda df/dt with partial derivatives df/dt", "with total derivatives df/dt",
       "E_th(lambda*(partial df/dt)) == 0 for f = (x^2 + y^2 - t^2)/2, lambda = 1 + x*x'^2 + "
       "sin(t*th)*th'*y'"},
      printed);
}

TEST_F(Additions, an_integral_without_velocities_is_one_of_the_relations) {
  CATALOGUE_ROW("MO4-integrals-of-motion");
  const std::vector<Expr> added = plane.lagrange(desk("x*y'"));  // f = y, lambda = x on the motions y = 0
  EXPECT_PROVED(desk.algebra.are_equal(added[1], desk("x'")));
  EXPECT_PROVED(desk.algebra.are_equal(added[0], desk("-y'")));
  const Point free(desk, "x' = 1.3, y' = 0");
  EXPECT_NUMBER(free(added[1]), 1.3);
  EXPECT_NUMBER(free(added[0]) + 1, 1);
}

TEST_F(Additions, integrals_at_frozen_time) {
  CATALOGUE_ROW("MO5-frozen-integrals");
  Jet two(desk, {"x", "y"});
  const Substitution moves = two.motion({"-sin(t)*k - x*y*cos(t)", "cos(t)*k - x*y*sin(t)"}, {"k"});
  const std::vector<std::string> direction{"-sin(t)", "cos(t)"};
  const Point there(desk, "t = 0.4, x = 0.6, y = -0.8, k = 1.1, k' = 0.25");
  const Expr q = desk("x*cos(t) + y*sin(t)"), rate = two.rate(q);
  const auto left = [&](Expr f) { return substitute(two.contracted(f, direction), moves); };
  EXPECT_NUMBER(there(substitute(rate, moves)), -0.490499800587498);
  EXPECT_PROVED(desk.algebra.is_zero(left((q * q + desk("t")) * rate)));
  EXPECT_PROVED(desk.algebra.is_zero(left(desk("(1 + t^2)*sin(x*cos(t) + y*sin(t))"))));
  EXPECT_NUMBER(there(left(desk("x") * rate)), -0.191009619247507);
  EXPECT_NUMBER(there(left(desk("x"))), 0.389418342308650);
}

TEST_F(Additions, relations_that_are_integrable_at_frozen_time) {
  CATALOGUE_ROW("MO6-count-frozen");
  Jet three(desk, {"p1", "p2", "p3"});
  const Substitution moves = three.motion({"v", "p1", "p1^2"}, {"v"});
  const Point there(desk, "t = 1/3, p1 = 0.6, p2 = 0.25, p3 = -0.4, v = 0.9, v' = 0.8");
  const std::vector<std::string> first{"1", "0", "0"};
  const Expr mu = desk("1 + p2*p1'^2 + t");
  EXPECT_PROVED(
      desk.algebra.is_zero(substitute(three.contracted(mu * desk("p3' - 2*p1*p2' + p1^2"), first), moves)));
  EXPECT_NUMBER(there(substitute(three.contracted(mu * desk("p2' - p1"), first), moves)), 1.53583333333333);
  EXPECT_NUMBER(there(substitute(mu, moves)), 1.53583333333333);
  // Five coordinates: the ratios of the multipliers vanish on the brackets [X0, X1], [X0, X2].
  Jet five(desk, {"p1", "p2", "p3", "p4", "p5"});
  const CoframePtr state = desk.coordinates("p1 p2 p3 p4 p5 t");
  const VectorField x0 = desk.field(state, {"0", "0", "p1*p2 + t", "p1^2 - p2", "t*p2 + p1^2*p2", "1"});
  const std::vector<Expr> ratios = desk.list({"-2*p1*(p1^2 + p2 + t)", "p2*(t - p1^2)", "2*p1^2 + p2"});
  for (const char* name : {"dp1", "dp2"}) {
    const VectorField commutator = bracket(x0, VectorField::dual(state, name));
    Expr sum = desk("0");
    for (std::size_t nu = 0; nu < 3; ++nu) sum = sum + ratios[nu] * commutator.component(nu + 2);
    EXPECT_PROVED(desk.algebra.is_zero(sum));
  }
  const Point at_five(
      desk, "t = 2/7, p1 = 3/5, p2 = -4/7, p3 = 1/3, p4 = 5/4, p5 = -1/6, v = 0.9, w = -0.4, v' = 0, w' = 0");
  EXPECT_NUMBER(at_five(ratios[0] / ratios[2]), -0.6);
  EXPECT_NUMBER(at_five(ratios[1] / ratios[2]), 2.0 / 7);
  const Substitution run = five.motion({"v", "w", "p1*p2 + t", "p1^2 - p2", "t*p2 + p1^2*p2"}, {"v", "w"});
  const Expr alone = desk("(1 + p3*p1'^2)*(p3' - p1*p2 - t)");
  EXPECT_NUMBER(at_five(substitute(five.contracted(alone, {"1", "0", "0", "0", "0"}), run)),
                -0.725714285714286);
  EXPECT_NUMBER(at_five(substitute(five.contracted(alone, {"0", "1", "0", "0", "0"}), run)), 0.762);
}

struct DiscSubstitution : ::testing::Test {
  Desk desk;
  Jet jet{desk, {"x", "y", "ph", "th"}};
  Substitution rolls = jet.motion({"-R*sin(ph)*b", "R*cos(ph)*b", "a", "b"}, {"a", "b"});
  std::vector<std::string> turn{"0", "0", "1", "0"}, roll{"-R*sin(ph)", "R*cos(ph)", "0", "1"};
  Point at{desk,
           "m = 1.5, R = 0.4, x = 0.1, y = 0.2, ph = 0.7, th = 0.25, a = 1.3, b = -2.1, a' = 0.4, b' = 0.6"};
  Expr kinetic = desk("m*(x'^2 + y'^2)/2 + m*R^2*ph'^2/8 + m*R^2*th'^2/4");
  Expr reduced = desk("m*(x'^2 + y'^2)/2 + m*R^2*ph'^2/8 + m/4*(-sin(ph)*x' + cos(ph)*y')^2");

  Expr left(Expr f, const std::vector<std::string>& direction) {
    return substitute(jet.contracted(f, direction), rolls);
  }
};

TEST_F(DiscSubstitution, the_relation_along_the_disc_may_be_used) {
  CATALOGUE_ROW("MO7-disc-reduction");
  for (const auto& direction : {turn, roll})
    EXPECT_PROVED(desk.algebra.are_equal(left(kinetic, direction), left(reduced, direction)));
  EXPECT_NUMBER(at(left(kinetic, turn)), 0.024);
  EXPECT_NUMBER(at(left(kinetic, roll)), 0.216);
  // The one across it may not: x' = -tan(ph) y'.
  const Expr wrong = substitute(kinetic, {{desk("x'"), desk("-tan(ph)*y'")}});
  EXPECT_NUMBER(at(left(wrong, turn)), -0.867478021882123);
  EXPECT_NUMBER(at(left(wrong, roll)), -0.335867346879410);
  // At the accelerations of the motion with forces.
  const Point moving(desk,
                     "m = 1.5, R = 0.4, x = 0.1, y = 0.2, ph = 0.7, th = 0.25, a = 1.3, b = -2.1, a' = 10/3, "
                     "b' = 0.834219798794330");
  const double expected[] = {1.39554001967353, 2.15708470357030, 0.2};
  const std::vector<Expr> expressions = jet.lagrange(reduced);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(moving(substitute(expressions[i], rolls)), expected[i], 1e-12);
  EXPECT_TRUE(expressions[3].is_zero());
}

TEST_F(DiscSubstitution, a_multiplier_that_takes_an_equation_away) {
  CATALOGUE_ROW("MO7-disc-12prime");
  Jet with(desk, {"x", "y", "ph", "th", "mu"});
  const Expr omega = kinetic + desk("mu*(-sin(ph)*x' + cos(ph)*y' - R*th')");
  const std::vector<Expr> e = with.lagrange(omega);
  // m R^2/2 th'' - R mu' = Q_th.
  EXPECT_PROVED(desk.algebra.are_equal(e[3], desk("m*R^2/2*th'' - R*mu'")));
  const Expr mu_rate = desk("(m*R^2/2*b' - F)/R");
  const Substitution moves = with.motion({"-R*sin(ph)*b", "R*cos(ph)*b", "a", "b", "0"}, {"a", "b"});
  Substitution all = moves;
  all.insert_or_assign(desk("mu'"), mu_rate);
  for (const char* mu : {"0", "7/3"}) {
    const Point moving(
        desk,
        std::string("m = 1.5, R = 0.4, x = 0.1, y = 0.2, ph = 0.7, th = 0.25, a = 1.3, b = -2.1, a' = 10/3, "
                    "b' = 0.834219798794330, F = 0.5, X = 0.3, Y = -0.4, P = 0.2, mu = ") +
            mu);
    EXPECT_NEAR(moving(mu_rate), -0.999734060361701, 1e-12);
    const Expr rolling = desk("-sin(ph)") * (e[0] - desk("X")) + desk("cos(ph)") * (e[1] - desk("Y"));
    EXPECT_NEAR(moving(substitute(rolling, all)), 0, 1e-12);
    EXPECT_NEAR(moving(substitute(e[2] - desk("P"), all)), 0, 1e-12);
  }
}

struct Sphere : ::testing::Test {
  Desk desk;
  Jet jet{desk, {"x", "y", "ps", "v", "f"}};  // v the nutation, f the spin of Euler's angles
  std::string wx = "(v'*cos(ps) + f'*sin(v)*sin(ps))", wy = "(v'*sin(ps) - f'*sin(v)*cos(ps))",
              wz = "(ps' + f'*cos(v))";
  Expr turning = desk("m*R^2/5*(" + wx + "^2 + " + wy + "^2 + " + wz + "^2)");
  Expr kinetic = desk("m*(x'^2 + y'^2)/2") + turning;
  Expr substituted = desk("m*R^2/2*(" + wx + "^2 + " + wy + "^2)") + turning;
  std::vector<std::string> about_x{"0", "-R", "-sin(ps)*cos(v)/sin(v)", "cos(ps)", "sin(ps)/sin(v)"},
      about_y{"R", "0", "cos(ps)*cos(v)/sin(v)", "sin(ps)", "-cos(ps)/sin(v)"},
      about_z{"0", "0", "1", "0", "0"};

  Substitution rolls(bool pivots) {
    std::vector<std::string> velocities;
    for (std::size_t i = 0; i < 5; ++i)
      velocities.push_back("p*(" + about_x[i] + ") + q*(" + about_y[i] + ")" +
                           (pivots ? " + r*(" + about_z[i] + ")" : ""));
    return jet.motion(velocities,
                      pivots ? std::vector<std::string>{"p", "q", "r"} : std::vector<std::string>{"p", "q"});
  }
};

TEST_F(Sphere, without_pivoting_the_rolling_may_be_used) {
  CATALOGUE_ROW("MO7-sphere");
  const Substitution moves = rolls(false), pivots = rolls(true);
  const Point at(desk,
                 "m = 2, R = 0.5, ps = 0.3, v = 1.1, f = -0.4, p = 1.3, q = -0.7, p' = 0.4, q' = 0.6, x = "
                 "0.1, r = 0.8, r' = 0.2");
  const auto left = [&](Expr f, const std::vector<std::string>& direction, const Substitution& on) {
    return at(substitute(jet.contracted(f, direction), on));
  };
  for (Expr f : {kinetic, substituted}) {
    EXPECT_NUMBER(left(f, about_x, moves), 0.28);
    EXPECT_NUMBER(left(f, about_y, moves), 0.42);
  }
  EXPECT_NUMBER(left(kinetic, about_x, pivots), 0.28);
  EXPECT_NUMBER(left(kinetic, about_y, pivots), 0.42);
  EXPECT_NUMBER(left(kinetic, about_z, pivots), 0.04);
  EXPECT_NEAR(left(substituted, about_x, pivots), 0, 1e-14);
  EXPECT_NUMBER(left(substituted, about_y, pivots), -0.1);
  EXPECT_NUMBER(left(substituted, about_z, pivots), 0.04);
  // The relation against pivoting has no arbitrary multiplier.
  const Expr mu = desk("1 + x*x' + v'^2");
  EXPECT_NUMBER(at(substitute(mu, moves)), 2.03637671815632);
  EXPECT_NUMBER(left(mu * desk(wz), about_x, moves), 1.42546370270943);
  EXPECT_NUMBER(left(mu * desk(wz), about_y, moves), 2.64728973360322);
  // P_rs = phi([X_r, X_s])/2 on the frame of space: only the pivoting, or with it the rolling.
  const CoframePtr frame = desk.product_of({desk.coordinates("x y"), desk.rotation("wp wq wr", Axes::space)});
  const VectorField x1 = desk.field(frame, {"0", "-R", "1", "0", "0"}),
                    x2 = desk.field(frame, {"R", "0", "0", "1", "0"}), x3 = VectorField::dual(frame, "wr");
  const auto on = [&](const VectorField& z, const std::vector<std::string>& phi) {
    Expr sum = desk("0");
    for (std::size_t k = 0; k < 5; ++k) sum = sum + desk(phi[k]) * z.component(k);
    return at(Rational(1, 2) * sum);
  };
  const std::vector<std::string> phi1{"1", "0", "0", "-R", "0"}, phi2{"0", "1", "R", "0", "0"},
      phi3{"0", "0", "0", "0", "1"};
  EXPECT_NEAR(on(bracket(x1, x2), phi1), 0, 1e-15);
  EXPECT_NEAR(on(bracket(x1, x2), phi2), 0, 1e-15);
  EXPECT_NUMBER(on(bracket(x1, x2), phi3), -0.5);
  EXPECT_NUMBER(on(bracket(x1, x3), phi1), -0.25);
  EXPECT_NUMBER(on(bracket(x2, x3), phi2), -0.25);
}

TEST_F(Additions, when_a_substitution_is_harmless) {
  CATALOGUE_ROW("MO7-substitution-criterion");
  const Point sleigh(
      desk,
      "m = 1, I = 0.5, b = 0.4, t = 1/3, x = 0.2, y = -0.3, th = 0.7, u = 1.3, w = 0.9, u' = 0.4, w' = -0.6");
  const Expr whole = desk("m*((x' - b*th'*sin(th))^2 + (y' + b*th'*cos(th))^2)/2 + I*th'^2/2");
  const Expr put = desk("m*(x'*cos(th) + y'*sin(th))^2/2 + (I + m*b^2)*th'^2/2");
  EXPECT_NUMBER(sleigh(on_edge(whole, along)), 0.076);
  EXPECT_NUMBER(sleigh(on_edge(whole, turn)), 0.072);
  EXPECT_NUMBER(sleigh(on_edge(put, along)), 0.4);
  EXPECT_NUMBER(sleigh(on_edge(put, turn)), -0.396);
  EXPECT_PROVED(desk.algebra.are_equal(on_edge(put - whole, along), desk("m*b*w^2")));
  EXPECT_PROVED(desk.algebra.are_equal(on_edge(put - whole, turn), desk("-m*b*u*w")));
  // With b = 0 the momentum across the edge vanishes on the relation: nothing is lost (a).
  const Substitution no_lead{{desk("b"), desk("0")}};
  for (const auto& direction : {along, turn})
    EXPECT_PROVED(desk.algebra.is_zero(substitute(on_edge(put - whole, direction), no_lead)));
  // y' = tan(th) x' put into T (c).
  const Point knife(
      desk, "m = 2, I = 0.75, t = 1/3, x = 0.2, y = -0.3, th = 0.7, u = 1.3, w = 0.9, u' = 0.4, w' = -0.6");
  const Expr kinetic = desk("m*(x'^2 + y'^2)/2 + I*th'^2/2"),
             wrong = desk("m*x'^2/(2*cos(th)^2) + I*th'^2/2");
  EXPECT_NUMBER(knife(on_edge(kinetic, along)), 0.8);
  EXPECT_NUMBER(knife(on_edge(kinetic, turn)), -0.45);
  EXPECT_NUMBER(knife(on_edge(wrong, along)), 2.77095481028361);
  EXPECT_NUMBER(knife(on_edge(wrong, turn)), -3.29693472596521);
}

TEST_F(DiscSubstitution, both_relations_at_once) {  // (d): right, for the momentum across the disc vanishes
  CATALOGUE_ROW("MO7-substitution-criterion");
  const Expr both = desk("3/4*m*R^2*th'^2 + m*R^2*ph'^2/8");
  for (const auto& direction : {turn, roll})
    EXPECT_PROVED(desk.algebra.are_equal(left(kinetic, direction), left(both, direction)));
}

}  // namespace
}  // namespace liaison
