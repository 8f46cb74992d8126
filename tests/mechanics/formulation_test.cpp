#include "liaison/mechanics/formulation.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/reduction.hpp"
#include "liaison/model/kinematics.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

constexpr Formulation all_roads[] = {
    Formulation::characteristic,
    Formulation::omega_r,
    Formulation::omega_s,
    Formulation::lagrange,
    Formulation::hamilton,
    Formulation::intrinsic,
    Formulation::gauss,
    Formulation::gibbs_appell,
    Formulation::extended,
    Formulation::dalembert,
    Formulation::extended_hamilton,
    Formulation::extended_form,
    Formulation::extended_gauss,
    Formulation::extended_gibbs_appell,
    Formulation::reactions,
    Formulation::perturbation,
};

FormulationResult derive_road(const Derived& system, Formulation road) {
  return derive_formulation(*system.algebra, *system.motion, road, system.extended.get());
}

Verdict agreement(const Derived& system, const FormulationResult& result) {
  return agrees(*system.algebra, *system.motion, result, system.extended.get());
}

/// Whether a road must be gone, so that none is left out in silence. The intrinsic road says for itself.
bool must_apply(const Derived& derived, Formulation road) {
  const Motion& motion = *derived.motion;
  const System& system = *derived.system;
  const bool linear_in_factors =
      std::none_of(motion.constraints.begin(), motion.constraints.end(),
                   [](const ConstraintField& field) { return field.depends_on_factor; });
  const bool solvable = linear_in_factors &&
                        (motion.status == FactorStatus::none || motion.status == FactorStatus::determined ||
                         motion.status == FactorStatus::undetermined);
  const bool linear = motion.relation_count == 0 || solve_relations(*derived.algebra, motion).has_value();
  switch (road) {
    case Formulation::characteristic:
    case Formulation::lagrange: return true;
    case Formulation::omega_r: return solvable && linear;
    case Formulation::omega_s: return solvable && linear && system.reactions.empty();
    case Formulation::gauss:
    case Formulation::hamilton: return solvable;
    case Formulation::dalembert:
    case Formulation::gibbs_appell: return !system.particles.empty() || !system.bodies.empty();
    case Formulation::extended_hamilton:
    case Formulation::extended_form: return false;  // where the tensor with the drives has an inverse
    case Formulation::reactions: return false;      // where coordinates are places of particles
    case Formulation::perturbation:
      return motion.constraints.empty() && system.rotations.empty() && system.chart.parameters.empty() &&
             !motion.acceleration.empty();
    case Formulation::extended_gauss: return !system.rheonomic.empty() && system.chart.parameters.empty();
    case Formulation::extended_gibbs_appell:
      return !system.rheonomic.empty() && must_apply(derived, Formulation::gibbs_appell);
    case Formulation::extended: return !system.rheonomic.empty();
    case Formulation::intrinsic: return false;
  }
  return false;
}

/// Every road that must be gone is gone and agrees. Proved, unless named in `only_checked`; those are
/// printed.
void expect_roads_agree(const Derived& system, const std::set<Formulation>& only_checked = {},
                        const std::set<Formulation>& closed = {}) {
  for (Formulation road : all_roads) {
    SCOPED_TRACE(name_of(road));
    const FormulationResult result = derive_road(system, road);
    if (closed.contains(road)) {
      EXPECT_FALSE(result.applicable);
      EXPECT_FALSE(result.reason.empty());
      continue;
    }
    EXPECT_TRUE(result.applicable || !must_apply(system, road)) << result.reason;
    if (!result.applicable) {
      EXPECT_FALSE(result.reason.empty());
      continue;
    }
    const Verdict verdict = agreement(system, result);
    EXPECT_TRUE(verdict.holds()) << describe(verdict);
    EXPECT_TRUE(verdict.is_proved() || only_checked.contains(road)) << describe(verdict);
    if (!verdict.is_proved()) std::cout << name_of(road) << ": " << describe(verdict) << '\n';
  }
}

// ---- the models ----

std::vector<std::string> classics() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(LIAISON_SOURCE_DIR) + "/models/classics")) {
    if (entry.path().extension() == ".lia") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Classics : public ::testing::TestWithParam<std::string> {};

TEST_P(Classics, AllRoadsAgree) {
  // Two loop closures in three angles: the elimination has too many terms for a common denominator.
  const bool is_large = GetParam() == "four_bar";
  expect_roads_agree(
      derive_file("classics/" + GetParam() + ".lia"),
      is_large ? std::set<Formulation>{Formulation::omega_r, Formulation::omega_s} : std::set<Formulation>{});
}

INSTANTIATE_TEST_SUITE_P(Models, Classics, ::testing::ValuesIn(classics()),
                         [](const auto& model) { return model.param; });

// ---- parametrisations that contain the time ----

TEST(Formulation, PendulumOnAPivotThatMovesAsAnUnknownFunction) {  // G1.II-Hamilton
  const Derived pendulum = derive(
      "param m > 0, l > 0, g\nfunction a(t)\ncoord q\n"
      "particle P mass m at [a(t) + l*sin(q), -l*cos(q)]\ngravity [0, -g]\n");
  expect_roads_agree(pendulum);
  const FormulationResult hamilton = derive_road(pendulum, Formulation::hamilton);
  EXPECT_TRUE(pendulum.equal(hamilton.equations[0].second, "(p_q - m*l*a'(t)*cos(q))/(m*l^2)"));
}

TEST(Formulation, HamiltonsEquationsHaveTheNumbersOfTheCatalogue) {  // G1.II-Hamilton
  const Derived pendulum = derive(
      "param m > 0, l > 0, g\ncoord q\n"
      "particle P mass m at [3/10*sin(2*t) + l*sin(q), -l*cos(q)]\ngravity [0, -g]\n");
  const FormulationResult hamilton = derive_road(pendulum, Formulation::hamilton);
  const DoublePoint at{{pendulum("m"), 2},
                       {pendulum("l"), 1.5},
                       {pendulum("g"), 9.81},
                       {pendulum("q"), 0.6},
                       {pendulum("q'"), -0.8},
                       {pendulum("t"), 0.7},
                       {pendulum("p_q"), -3.34749611447998}};
  EXPECT_NEAR(evaluate(hamilton.equations[0].second, at), -0.8, 1e-12);
  EXPECT_NEAR(evaluate(hamilton.equations[1].second, at), -16.4792302301491, 1e-11);
  EXPECT_NEAR(evaluate(hamilton.acceleration[0], at), -3.04210036891345, 1e-11);
}

TEST(Formulation, ParticleInARotatingFrame) {  // T has terms of degree 2, 1 and 0
  expect_roads_agree(
      derive("param m > 0, w, k\ncoord x, y\n"
             "particle P mass m at [x*cos(w*t) - y*sin(w*t), x*sin(w*t) + y*cos(w*t)]\npotential k/2*(x^2 + "
             "y^2)\n"));
}

TEST(Formulation, RheonomicConstraintWithBlade) {  // MP-F1-sleigh2
  expect_roads_agree(
      derive("param m1 > 0, m2 > 0, l2 > 0\nfunction l(t)\ncoord x, y, theta\n"
             "particle P1 mass m1 at [x + l(t)*cos(theta), y + l(t)*sin(theta)]\n"
             "particle P2 mass m2 at [x - l2*cos(theta), y - l2*sin(theta)]\n"
             "constraint blade: y'*cos(theta) - x'*sin(theta) = 0\n"));
}

// ---- the rheonomic coordinate ----

TEST(Formulation, ExtendedEquationsGiveTheReactionOfTheCatalogue) {  // V6.extended-equations, V7.pend-moving
  const Derived pendulum = derive(
      "param m > 0, g\ncoord phi\nrheonomic s = t\n"
      "particle P mass m at [sin(3*s)/5 + (9/10 + s/10)*cos(phi), (9/10 + s/10)*sin(phi)]\ngravity [g, 0]\n");
  expect_roads_agree(pendulum);
  const FormulationResult extended = derive_road(pendulum, Formulation::extended);
  ASSERT_EQ(extended.equations.size(), 2u);
  const DoublePoint at{{pendulum("m"), 1.4},     {pendulum("g"), 9.81},
                       {pendulum("t"), 0.7},     {pendulum("phi"), 0.6},
                       {pendulum("phi'"), -1.1}, {acceleration_symbol(pendulum("phi'")), -6.388114508579}};
  EXPECT_NEAR(evaluate(extended.acceleration[0], at), -6.388114508579, 1e-11);
  EXPECT_NEAR(evaluate(extended.equations[1].first, at), 2.216059372571, 1e-11);
}

TEST(Formulation, PowerOfTheRheonomicReactionIsTheRateOfTheEnergy) {  // d(T + V)/dt = R_0 q0'
  const Derived bead = derive(
      "param m > 0, R > 0, g\nfunction a(t)\ncoord q\nrheonomic s = a(t)\n"
      "particle P mass m at [R*sin(q)*cos(s), R*sin(q)*sin(s), -R*cos(q)]\ngravity [0, 0, -g]\n");
  expect_roads_agree(bead);
  const FormulationResult extended = derive_road(bead, Formulation::extended);
  const Substitution motion{{acceleration_symbol(bead("q'")), extended.acceleration[0]}};
  const Expr energy = bead.system->kinetic + bead.system->potential;
  const Expr gain = substitute(time_derivative(*bead.system, energy), motion);
  const Expr power = substitute(extended.equations[1].first, motion) * bead("a'(t)");
  EXPECT_TRUE(bead.algebra->are_equal(gain, power).is_proved());
  EXPECT_TRUE(bead.algebra->are_equal(gain, -power).is_refuted());
}

TEST(Formulation, RheonomicCoordinateWithAConstraintAndAChart) {
  expect_roads_agree(
      derive("param m > 0, J > 0, w\ncoord x, y, phi\nrheonomic s = w*t\n"
             "velocity u, n: x' = u*cos(phi) - n*sin(phi), y' = u*sin(phi) + n*cos(phi)\n"
             "body B mass m inertia J at [x + s*cos(phi), y + s*sin(phi)] angle phi\n"
             "constraint blade: y'*cos(phi) - x'*sin(phi) = 0\n"));
}

TEST(Formulation, TopOnAPivotThatMoves) {
  expect_roads_agree(
      derive("param m > 0, A > 0, C > 0, w, g\nrotation R (p, q, r) in body\nrheonomic s = sin(w*t)\n"
             "body S mass m inertia [A, A, C] at [s + R13, R23, R33] rotation R\ngravity [0, 0, -g]\n"));
}

// ---- rotations ----

TEST(Formulation, AsymmetricTopUnderTwoPotentialsInBodyAxes) {
  expect_roads_agree(
      derive("param A > 0, B > 0, C > 0, a, b, c\nrotation R (p, q, r) in body\n"
             "kinetic (A*p^2 + B*q^2 + C*r^2)/2\npotential a*R31 + b*R32 + c*R33 + a*R11*R22\n"));
}

TEST(Formulation, AsymmetricBodyInSpaceAxes) {  // T depends on the orientation
  expect_roads_agree(
      derive("param m > 0, A > 0, B > 0, C > 0, g\ncoord x, y, z\nrotation R (p, q, r) in space\n"
             "body S mass m inertia [A, B, C] at [x, y, z] rotation R\ngravity [0, 0, -g]\n"));
}

TEST(Formulation, BodyWithProductsOfInertiaAndAParticleOnIt) {
  expect_roads_agree(
      derive("param M > 0, m > 0, A > 0, B > 0, C > 0, D, l > 0, g\nrotation R (p, q, r) in body\n"
             "body S mass M inertia [A, B, C, D, 0, 0] at [0, 0, 0] rotation R\n"
             "particle P mass m at [l*R13, l*R23, l*R33]\ngravity [0, 0, -g]\n"));
}

TEST(Formulation, SphereInSpaceAxesWithThreeRollingConstraints) {  // G3.ex3-roll
  expect_roads_agree(
      derive("param M > 0, a > 0, k > 0, X, Y, Z, w\ncoord xi, eta, zeta\nrotation (p, q, r) in space\n"
             "body S mass M inertia [M*k^2, M*k^2, M*k^2] at [xi, eta, zeta] rotation (p, q, r)\n"
             "force xi = X\nforce eta = Y\nforce zeta = Z\n"
             "constraint roll_x: xi' - a*q = -w*eta\nconstraint roll_y: eta' + a*p = w*xi\n"
             "constraint floor: zeta' = 0\n"));
}

TEST(Formulation, SuslovsBody) {  // a rate of the body is kept at zero
  expect_roads_agree(
      derive("param A > 0, B > 0, C > 0, D, E, b\nrotation R (p, q, r) in body\n"
             "kinetic (A*p^2 + B*q^2 + C*r^2)/2 - D*q*r - E*r*p\npotential b*R31\nconstraint hold: r = 0\n"));
}

// ---- constraints ----

TEST(Formulation, CartHeldByAServo) {  // G2.II-relation: the force does not act along what it keeps
  expect_roads_agree(
      derive("param m1 > 0, m2 > 0, l > 0, g, c\ncoord x, th\n"
             "kinetic (m1 + m2)*x'^2/2 + m2*l*cos(th)*x'*th' + m2*l^2*th'^2/2\npotential -m2*g*l*cos(th)\n"
             "force x = -c*x'\nconstraint hold: th' = sin(t) by x'\n"));
}

TEST(Formulation, PendulumInCartesianCoordinates) {  // a holonomic relation
  expect_roads_agree(
      derive("param m > 0, l > 0, g\ncoord x, y\nparticle P mass m at [x, y]\ngravity [0, -g]\n"
             "constraint rod: x^2 + y^2 = l^2\n"));
}

TEST(Formulation,
     ServoOnAConeOfVelocities) {  // MP3.3-ideal, negative case: a relation of degree two, not ideal
  expect_roads_agree(
      derive("param m > 0, k > 0, g\ncoord x, y, z\nparticle P mass m at [x, y, z]\ngravity [0, 0, -g]\n"
             "constraint cone: x'^2 + y'^2 - k^2*z'^2 = 0 by z'\n"));
}

TEST(Formulation, TwoForcesForOneRelation) {  // the motion is determined, the factors are not
  const Derived body = derive(
      "param m > 0\ncoord x, y\nparticle P mass m at [x, y]\nforce y = -m\n"
      "constraint floor: y' = 0\nreaction second: y'\n");
  ASSERT_EQ(body.motion->status, FactorStatus::undetermined);
  expect_roads_agree(body);
  FormulationResult wrong = derive_road(body, Formulation::lagrange);
  wrong.factors[0] += body("m");
  EXPECT_TRUE(agreement(body, wrong).is_refuted());
}

class FrictionOfItsFactor : public ::testing::TestWithParam<std::pair<std::string, FactorStatus>> {};

TEST_P(FrictionOfItsFactor, IsComparedTermByTerm) {
  const auto& [relation, status] = GetParam();
  const Derived block = derive(
      "param m > 0, g, c, b\ncoord x, y\nparticle P mass m at [x, y]\ngravity [0, -g]\n"
      "constraint floor: " +
      relation + " = 0 power y' - c*lambda(floor)*sqrt(x'^2)\n");
  ASSERT_EQ(block.motion->status, status);
  expect_roads_agree(block, {}, {Formulation::hamilton, Formulation::gauss, Formulation::omega_s});
  FormulationResult lagrange = derive_road(block, Formulation::lagrange);
  EXPECT_TRUE(lagrange.acceleration.empty());
  lagrange.equations[0].second += block("c*x'*lambda_floor");
  EXPECT_TRUE(agreement(block, lagrange).is_refuted());
}

INSTANTIATE_TEST_SUITE_P(Formulation, FrictionOfItsFactor,
                         ::testing::Values(std::pair("y'", FactorStatus::determined),
                                           std::pair("y' - b*x'", FactorStatus::implicit)));

// ---- velocity parameters ----

TEST(Formulation, QuasiVelocitiesWithTheEnergyWrittenInThem) {
  expect_roads_agree(
      derive("param m > 0, J > 0, a, F\ncoord x, y, phi\n"
             "velocity u, n, w: x' = u*cos(phi) - n*sin(phi), y' = u*sin(phi) + n*cos(phi), phi' = w\n"
             "kinetic m/2*(u^2 + (n + a*w)^2) + J/2*w^2\nforce phi = F\n"
             "constraint blade: y'*cos(phi) - x'*sin(phi) = 0\n"));
}

TEST(Formulation, PolarVelocitiesAreNotLinearButDetermineTheMotion) {
  const Derived point = derive(
      "param m > 0, g, c\ncoord x, y\nvelocity v, a: x' = v*cos(a), y' = v*sin(a)\n"
      "particle P mass m at [x, y]\ngravity [0, -g]\nforce x = -c*x'\n");
  expect_roads_agree(point, {}, {Formulation::hamilton});
}

// ---- what must be noticed ----

TEST(Formulation, WrongSignOfAGyroscopicTermIsRefuted) {
  const Derived top = derive(
      "param A > 0, B > 0, C > 0, c\nrotation R (p, q, r) in body\n"
      "kinetic (A*p^2 + B*q^2 + C*r^2)/2\npotential c*R33\n");
  for (Formulation road : {Formulation::lagrange, Formulation::hamilton, Formulation::gauss}) {
    FormulationResult wrong = derive_road(top, road);
    ASSERT_TRUE(agreement(top, wrong).is_proved());
    wrong.acceleration[0] -= top("2*(B - C)*q*r/A");
    EXPECT_TRUE(agreement(top, wrong).is_refuted()) << name_of(road);
  }
}

TEST(Formulation, WrongFactorIsRefutedAndARelationAddedIsNot) {
  const Derived disc = derive_file("classics/rolling_disc.lia");
  FormulationResult wrong = derive_road(disc, Formulation::lagrange);
  wrong.factors[1] = -wrong.factors[1];
  EXPECT_TRUE(agreement(disc, wrong).is_refuted());

  FormulationResult on_the_manifold = derive_road(disc, Formulation::lagrange);
  on_the_manifold.acceleration[2] += disc("x' + R*theta'*sin(phi)");
  EXPECT_TRUE(agreement(disc, on_the_manifold).is_proved());
  on_the_manifold.acceleration[2] += disc("phi'*(x' - R*theta'*sin(phi))");
  EXPECT_TRUE(agreement(disc, on_the_manifold).is_refuted());
}

// ---- a large system ----

std::string chain_of_pendulums(int links) {
  std::ostringstream model;
  model << "param m > 0, l > 0, g\ngravity [0, -g]\ncoord q1";
  for (int k = 2; k <= links; ++k) model << ", q" << k;
  std::string x, y;
  for (int k = 1; k <= links; ++k) {
    x += (k > 1 ? " + " : "") + ("l*sin(q" + std::to_string(k)) + ")";
    y += " - l*cos(q" + std::to_string(k) + ")";
    model << "\nparticle P" << k << " mass m at [" << x << ", " << y << "]";
  }
  model << "\n";
  return model.str();
}

TEST(Formulation, ChainOfTwelveLinksAgreesTermByTerm) {
  const Derived chain = derive(chain_of_pendulums(12));
  ASSERT_EQ(chain.motion->status, FactorStatus::not_solved);
  for (Formulation road : {Formulation::lagrange, Formulation::gibbs_appell}) {
    FormulationResult result = derive_road(chain, road);
    ASSERT_TRUE(result.acceleration.empty());
    ASSERT_EQ(result.equations.size(), 12u);
    EXPECT_TRUE(agreement(chain, result).is_proved()) << name_of(road);
    // The centrifugal term of the last link on the first with the other sign.
    result.equations[0].first -= chain("2*m*l^2*q12'^2*sin(q1 - q12)");
    EXPECT_TRUE(agreement(chain, result).is_refuted()) << name_of(road);
  }
}

TEST(Formulation, NamesAreReadBack) {
  for (Formulation road : all_roads) EXPECT_EQ(formulation_named(name_of(road)), road);
  EXPECT_FALSE(formulation_named("newton"));
}

}  // namespace
}  // namespace liaison::test
