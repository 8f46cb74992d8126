/// Rows MP3.3-intrinsic, MP3.3-extrinsic, MP-F1-sleigh2 ... MP-F5-rotating-polar, MP-Ex3.1-disc,
/// MP-fn1-positional-vs-kinetic: the motion on A, and the same motion with multipliers.
#include "liaison/mechanics/formulation.hpp"
#include "liaison/model/language.hpp"
#include "massa_pagani_support.hpp"

namespace liaison {
namespace {

using test::Mechanism;
using test::State;

const std::vector<std::string> models{"f1_sleigh2",         "f2_appell_hamel",   "f3_speed",
                                      "f4_pursuit",         "f5_rotating_polar", "f6_disc",
                                      "pendulum_positional"};

/// q'' along the motion on A.
std::vector<Expr> accelerations(const Mechanism& f) {
  const VectorField flow = f.space().flow(f.ideal_flow());
  std::vector<Expr> result;
  for (Expr psi : f.space().psi) result.push_back(apply(flow, psi));
  return result;
}

std::vector<Expr> factors_on(const Mechanism& f) {
  return solve_reactive_part(*f.algebra, *f.motion, f.space(), *f.dynamics).factors;
}

TEST(MassaPaganiModels, are_read_and_printed) {
  CATALOGUE_ROW("MP3.3-intrinsic");
  for (const std::string& name : models) {
    SCOPED_TRACE(name);
    const System system = test::read_system(test::model_text(name));
    EXPECT_FALSE(system.claims.empty());
    EXPECT_FALSE(system.intrinsic.velocities.empty());
    const std::string printed = to_lia(system);
    EXPECT_EQ(to_lia(test::read_system(printed)), printed);
  }
}

TEST(IntrinsicEquations, numbers) {
  CATALOGUE_ROW("MP3.3-intrinsic");
  const auto rates = [](const std::string& name, std::string_view at) {
    const Mechanism f = Mechanism::file(name);
    return f.numbers(f.ideal_flow(), f.state(at));
  };
  EXPECT_NUMBERS(rates("f1_sleigh2", test::f1_state), {0.318727756175987, -1.73773185196325});
  EXPECT_NUMBERS(rates("f2_appell_hamel", test::f2_state), {-2.96232113874546, -0.252343771985915});
  EXPECT_NUMBERS(rates("f3_speed", test::f3_state), {-3.92852537007318});
  EXPECT_NUMBERS(rates("f4_pursuit", test::f4_state), {0.337726821470540});
  EXPECT_NUMBERS(rates("f5_rotating_polar", test::f5_state), {2.29869756131387});
  EXPECT_NUMBERS(rates("f6_disc", test::f6_state), {3.33333333333333, 0.834219798794330});
}

TEST(IntrinsicEquations, the_motion_is_the_inertial_flow_and_the_forces) {
  CATALOGUE_ROW("MP3.3-intrinsic");
  for (const std::string& name : models) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const std::vector<Expr> inertial = inertial_flow(*f.algebra, *f.geometry, *f.dynamics),
                            flow = f.ideal_flow();
    const std::vector<Expr> work = on_variations(f.space(), f.dynamics->forces);
    for (std::size_t a = 0; a < flow.size(); ++a) {
      Expr expected = inertial[a];
      for (std::size_t b = 0; b < flow.size(); ++b) {
        expected += f.geometry->inverse_fibre_metric(a, b) * work[b];
      }
      EXPECT_PROVED(f.equal(flow[a], expected));
    }
    const OmegaSplit split = split_omega(*f.algebra, *f.motion, *f.geometry, *f.dynamics).value();
    EXPECT_PROVED(f.equal(interior(f.space().flow(flow), split.virtual_part),
                          virtual_work(*f.geometry, f.dynamics->forces)));
  }
}

TEST(ExtrinsicEquations, give_the_same_motion_on_the_constraint_manifold) {
  CATALOGUE_ROW("MP3.3-extrinsic");
  for (const std::string& name : models) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const std::vector<Expr> intrinsic = accelerations(f), factors = factors_on(f);
    ASSERT_EQ(f.motion->status, FactorStatus::determined);
    for (std::size_t i = 0; i < intrinsic.size(); ++i) {
      EXPECT_PROVED(f.equal(intrinsic[i], f.space().restricted(f.motion->acceleration[i])));
    }
    for (std::size_t h = 0; h < factors.size(); ++h) {
      EXPECT_PROVED(f.equal(factors[h], f.space().restricted(f.motion->factors[h])));
    }
  }
}

TEST(ExtrinsicEquations, numbers_of_the_sleigh) {
  CATALOGUE_ROW("MP3.3-extrinsic");
  const Mechanism f = Mechanism::file("f1_sleigh2");
  const State at = f.state(test::f1_state);
  const auto on_a = [&](const std::vector<Expr>& es) {
    return f.numbers(substitute(es, f.space().inclusion), at);
  };
  EXPECT_NUMBERS(on_a(f.motion->free_acceleration),
                 {0.166890073266461, 0.296612761940974, -1.50572677045465});
  EXPECT_NUMBERS(on_a(f.motion->fields[0]), {-0.132953780504133, 0.157848289953895, -0.0455729166666667});
  EXPECT_NUMBERS(on_a({f.motion->r(0, 0), f.motion->drive[0], f.motion->factors[0]}),
                 {0.206380208333333, -1.05065158340322, 5.09085435996009});
  EXPECT_NUMBERS(on_a(f.motion->acceleration), {-0.509958259886180, 1.10019541706501, -1.73773185196325});
}

TEST(ExtrinsicEquations, numbers_of_the_other_fixtures) {
  CATALOGUE_ROW("MP3.3-extrinsic");
  const auto factors = [](const std::string& name, std::string_view at) {
    const Mechanism f = Mechanism::file(name);
    return f.numbers(substitute(f.motion->factors, f.space().inclusion), f.state(at));
  };
  EXPECT_NUMBERS(factors("f2_appell_hamel", test::f2_state), {-4.34773261032034});
  EXPECT_NUMBERS(factors("f3_speed", test::f3_state), {2.81751778568339});
  EXPECT_NUMBERS(factors("f4_pursuit", test::f4_state), {-1.28202213259850});
  EXPECT_NUMBERS(factors("f5_rotating_polar", test::f5_state), {1.58388976761474});
  EXPECT_NUMBERS(factors("f6_disc", test::f6_state), {0.630360013115687, 1.83805646904687});
  const Mechanism disc = Mechanism::file("f6_disc");
  EXPECT_NUMBERS(disc.numbers(disc.motion->r.entries, disc.state(test::f6_state)),
                 {1.22002190473317, -0.656966486658973, -0.656966486658973, 1.44664476193349});
  EXPECT_PROVED(disc.equal(disc.motion->determinant, "3/m^2"));
  EXPECT_NUMBER(disc.number(disc.motion->determinant, disc.state(test::f6_state)), 1.33333333333333);
}

TEST(ExtrinsicEquations, r_is_the_gram_matrix_of_the_chetaev_forms) {
  CATALOGUE_ROW("MP3.3-extrinsic");
  for (const std::string& name : models) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const std::vector<Form>& nu = f.geometry->chetaev;
    for (std::size_t s = 0; s < nu.size(); ++s) {
      for (std::size_t t = 0; t < nu.size(); ++t) {
        EXPECT_PROVED(
            f.equal(inner_product(*f.geometry, nu[s], nu[t]), f.space().restricted(f.motion->r(s, t))));
      }
    }
  }
}

TEST(MassaPaganiFixtures, sleigh) {
  CATALOGUE_ROW("MP-F1-sleigh2");
  const Mechanism f = Mechanism::file("f1_sleigh2");
  const State at = f.state(test::f1_state);
  const std::vector<Expr> rates = f.ideal_flow();
  const Expr l1 = f("length + growth*t + speeding*t^2/2"), l1_rate = f("growth + speeding*t"), m1 = f("m1");
  const Expr M = f("m1 + m2"), S1 = m1 * l1 - f("m2*l2"), J = m1 * l1 * l1 + f("m2*l2^2"), w = f("w");
  const Expr Fe = f("(f1x + f2x)*cos(theta) + (f1y + f2y)*sin(theta)");
  const Expr Fn = f("-(f1x + f2x)*sin(theta) + (f1y + f2y)*cos(theta)");
  EXPECT_NUMBERS(f.numbers({S1, J}, at), {0.7, 3.17});
  EXPECT_PROVED(f.equal(M * rates[0], S1 * w * w - f("m1*speeding") + Fe));
  EXPECT_PROVED(f.equal(J * rates[1], -(2 * m1 * l1 * l1_rate * w) - S1 * f("u*w") + f.dynamics->forces[2]));
  EXPECT_PROVED(f.equal(factors_on(f)[0], M * f("u*w") + 2 * m1 * l1_rate * w + S1 * rates[1] - Fn));
  EXPECT_NUMBERS(f.numbers(rates, at), {0.318727756175987, -1.73773185196325});
  EXPECT_NUMBERS(f.numbers(factors_on(f), at), {5.09085435996009});
}

TEST(MassaPaganiFixtures, cone) {
  CATALOGUE_ROW("MP-F2-AppellHamel");
  const Mechanism f = Mechanism::file("f2_appell_hamel");
  const State at = f.state(test::f2_state),
              falling = f.state(std::string(test::f2_state) + ", Fx = 0, Fy = 0");
  const std::vector<Expr> rates = f.ideal_flow(), q = accelerations(f);
  const Expr lambda = factors_on(f)[0];
  EXPECT_PROVED(f.equal(rates[0], "(k*(Fx*cos(phi) + Fy*sin(phi)) - m*g)/(m*(1 + k^2))"));
  EXPECT_PROVED(f.equal(rates[1], "(-Fx*sin(phi) + Fy*cos(phi))/(m*k*u)"));
  EXPECT_PROVED(f.equal(lambda, -(f("m") * rates[0] + f("m*g")) / f("2*k^2*u")));
  EXPECT_NUMBERS(f.numbers(rates, at), {-2.96232113874546, -0.252343771985915});
  EXPECT_NUMBERS(f.numbers({lambda, q[0], q[1]}, at),
                 {-4.34773261032034, -3.51775549577168, -2.72766021948911});
  EXPECT_NUMBERS(f.numbers({rates[0], lambda}, falling), {-3.01846153846154, -4.31208791208791});
  EXPECT_NUMBER(f.number(rates[1], falling), 0);
  EXPECT_PROVED(f.equal(f.motion->r(0, 0), "4*(x'^2 + y'^2 + k^4*z'^2)/m"));
  const Expr energy = f.dynamics->kinetic + f("m*g*z - Fx*x - Fy*y");
  EXPECT_PROVED(f.zero(apply(f.space().flow(rates), energy)));
}

TEST(MassaPaganiFixtures, speed) {
  CATALOGUE_ROW("MP-F3-speed");
  const Mechanism f = Mechanism::file("f3_speed");
  const State at = f.state(test::f3_state);
  const std::vector<Expr> rates = f.ideal_flow(), q = accelerations(f);
  const Expr w = f("v0 + acc*t"), lambda = factors_on(f)[0], power = 2 * lambda * w * w;
  EXPECT_PROVED(f.equal(rates[0] * w, "-g*cos(phi)"));
  EXPECT_PROVED(f.equal(2 * w * lambda, "m*(acc + g*sin(phi))"));
  EXPECT_PROVED(f.equal(power, w * f("m*(acc + g*sin(phi))")));
  EXPECT_REFUTED(f.zero(power));
  EXPECT_NUMBERS(
      f.numbers({rates[0], lambda, power, q[0], q[1]}, at),
      {-3.92852537007318, 2.81751778568339, 29.8093381725302, 3.97916212286360, -8.12763723819352});
}

TEST(MassaPaganiFixtures, pursuit) {
  CATALOGUE_ROW("MP-F4-pursuit");
  const Mechanism f = Mechanism::file("f4_pursuit");
  const State at = f.state(test::f4_state);
  const std::vector<Expr> rates = f.ideal_flow(), q = accelerations(f);
  const Expr rho = f("sqrt((x - c*t)^2 + y^2)"), lambda = factors_on(f)[0];
  EXPECT_PROVED(f.equal(rates[0] * f("m") * rho, "Qx*(c*t - x) - Qy*y"));
  EXPECT_PROVED(f.equal(lambda * rho * rho, f("m*c") * f.space().psi[1] - f("(x - c*t)*Qy - y*Qx")));
  EXPECT_NUMBERS(f.numbers({rates[0], lambda, q[0], q[1]}, at),
                 {0.337726821470540, -1.28202213259850, 0.726909959669324, 0.355112172929174});
  const Form nu = f.form("x - c*t: dy; -y: dx");
  EXPECT_PROVED(f.equal(f.geometry->chetaev[0], nu));
  EXPECT_PROVED(f.equal(wedge(d(nu), nu), f.form("-c*y: dt dx dy")));
  EXPECT_NUMBER(f.number(wedge(d(nu), nu).coefficient({"dt", "dx", "dy"}), at), -1.35);
  // The reaction is across the velocity: no power.
  EXPECT_PROVED(f.zero(interior(f.space().flow(rates), f.form("-y: dx; x - c*t: dy"))));
}

TEST(MassaPaganiFixtures, rotating_polar) {
  CATALOGUE_ROW("MP-F5-rotating-polar");
  const Mechanism f = Mechanism::file("f5_rotating_polar");
  const State at = f.state(test::f5_state);
  const ConstraintGeometry& geometry = *f.geometry;
  EXPECT_NUMBERS(f.numbers(geometry.metric.entries, at), {2, 0, 0, 2.88});
  EXPECT_NUMBER(f.number(geometry.fibre_metric(0, 0), at), 2.07272727272727);
  EXPECT_NUMBER(f.number(inertial_flow(*f.algebra, geometry, *f.dynamics)[0], at), 1.99164518845335);
  const std::vector<Expr> q = accelerations(f);
  EXPECT_NUMBERS(f.numbers({q[0], q[1], factors_on(f)[0]}, at),
                 {2.29869756131387, 0.100436302215589, 1.58388976761474});
  const OmegaSplit split = split_omega(*f.algebra, *f.motion, geometry, *f.dynamics).value();
  EXPECT_NUMBERS(f.numbers(interior(f.space().flow(f.ideal_flow()), split.chetaev_part), at),
                 {-0.547660652766938, 3.44634803049963});
  EXPECT_NUMBERS(f.numbers(geometry.chi[0], at), {0.0350877192982456, -0.220801862772663});
  EXPECT_NUMBERS(f.numbers(geometry.chi[1], at), {-0.153334626925461, 0.964912280701754});
}

TEST(MassaPaganiFixtures, disc) {
  CATALOGUE_ROW("MP-Ex3.1-disc");
  const Mechanism f = Mechanism::file("f6_disc");
  const State at = f.state(test::f6_state);
  const std::vector<Expr> rates = f.ideal_flow(), q = accelerations(f), lambda = factors_on(f);
  EXPECT_PROVED(f.equal(rates[0], "4*Qvarphi/(m*R^2)"));
  EXPECT_PROVED(f.equal(rates[1], "2/(3*m*R^2)*(-R*sin(varphi)*Qx + R*cos(varphi)*Qy + Qtheta)"));
  EXPECT_PROVED(f.equal(f("m") * q[0], f("Qx") + lambda[0]));
  EXPECT_PROVED(f.equal(f("m") * q[1], f("Qy") + lambda[1]));
  EXPECT_PROVED(f.equal(f("m*R^2/4") * q[2], "Qvarphi"));
  EXPECT_PROVED(f.equal(f("m*R^2/2") * q[3],
                        f("Qtheta") + lambda[0] * f("R*sin(varphi)") - lambda[1] * f("R*cos(varphi)")));
  EXPECT_PROVED(
      f.equal(lambda[0], f("m") * (-(f("R*sin(varphi)") * rates[1]) - f("R*z1*z2*cos(varphi)")) - f("Qx")));
  EXPECT_PROVED(
      f.equal(lambda[1], f("m") * (f("R*cos(varphi)") * rates[1] - f("R*z1*z2*sin(varphi)")) - f("Qy")));
  EXPECT_PROVED(f.equal(f.dynamics->kinetic, "3/4*m*R^2*z2^2 + 1/8*m*R^2*z1^2"));
  const std::vector<Expr> p =
      f.list({"-m*R*z2*sin(varphi)", "m*R*z2*cos(varphi)", "m*R^2*z1/4", "m*R^2*z2/2"});
  for (std::size_t k = 0; k < 4; ++k) EXPECT_PROVED(f.equal(f.dynamics->momenta[k], p[k]));
  const std::vector<Form>& chi = f.geometry->chi;
  EXPECT_PROVED(
      f.equal(chi[0], f.contact({"1 - 2/3*sin(varphi)^2", "sin(2*varphi)/3", "0", "R/3*sin(varphi)"})));
  EXPECT_PROVED(f.zero(chi[2]));
  EXPECT_PROVED(f.equal(chi[3], f.contact({"2/(3*R)*sin(varphi)", "-2/(3*R)*cos(varphi)", "0", "2/3"})));
  EXPECT_NUMBERS(f.numbers({rates[0], rates[1], q[0], q[1], lambda[0], lambda[1], f.dynamics->kinetic}, at),
                 {3.33333333333333, 0.834219798794330, 0.620240008743791, 0.958704312697911,
                  0.630360013115687, 1.83805646904687, 0.8445});
}

TEST(MassaPaganiFixtures, positional_relation_kept_as_a_kinetic_one) {
  CATALOGUE_ROW("MP-fn1-positional-vs-kinetic");
  const Mechanism f = Mechanism::file("pendulum_positional");
  const State at = f.state("x = 0.6, y = -0.8, w = 1.3");
  const std::vector<Expr> rates = f.ideal_flow(), lambda = factors_on(f);
  EXPECT_PROVED(f.equal(f.geometry->fibre_metric(0, 0), "m*(x^2 + y^2)"));
  EXPECT_PROVED(f.equal(rates[0], "-g*x/(x^2 + y^2)"));
  EXPECT_PROVED(f.equal(lambda[0], "-m*w^2 + m*g*y/(x^2 + y^2)"));
  EXPECT_NUMBERS(f.numbers({rates[0], lambda[0]}, at), {-5.886, -19.076});
  EXPECT_PROVED(f.zero(apply(f.space().flow(rates), f("x^2 + y^2"))));
  EXPECT_PROVED(integrability(*f.algebra, *f.geometry).integrable);
  // With the angle as the coordinate: x = l sin(th), y = -l cos(th).
  const Mechanism angle(
      "param m > 0 = 2, g = 9.81, l > 0 = 1\ncoord th\nparticle P mass m at [l*sin(th), -l*cos(th)]\n"
      "gravity [0, -g]\n");
  EXPECT_PROVED(angle.equal(angle.ideal_flow()[0], "-g*(l*sin(th))/l^2"));
  EXPECT_PROVED(angle.equal(angle.geometry->fibre_metric(0, 0), "m*l^2"));
  EXPECT_NUMBER(angle.number(angle.ideal_flow()[0], angle.state("th = asin(0.6), th' = 1.3")), -5.886);
}

/// The road `intrinsic` against E + sum lambda e.
void expect_road(const std::string& text) {
  const System system = test::read_system(text);
  Algebra algebra(*system.pool);
  const Motion motion = derive_motion(algebra, system);
  const FormulationResult road = derive_formulation(algebra, motion, Formulation::intrinsic);
  ASSERT_TRUE(road.applicable) << road.reason;
  EXPECT_EQ(road.acceleration.size(), system.directions.size());
  EXPECT_FALSE(road.equations.empty());
  EXPECT_PROVED(agrees(algebra, motion, road));
}

TEST(IntrinsicRoad, agrees_with_the_characteristic_field) {
  CATALOGUE_ROW("MP3.3-intrinsic");
  for (const std::string& name : models) {
    SCOPED_TRACE(name);
    expect_road(test::model_text(name));
  }
}

TEST(IntrinsicRoad, goes_by_rotations_quasi_velocities_and_reactions_that_are_not_ideal) {
  CATALOGUE_ROW("MP3.3-intrinsic");
  for (const char* name : {"chaplygin_sleigh", "sphere_rolling", "servo_cart", "appell_hamel"}) {
    SCOPED_TRACE(name);
    expect_road(test::model_text(std::string("../classics/") + name));
  }
}

TEST(IntrinsicRoad, goes_without_relations_and_without_freedom) {
  CATALOGUE_ROW("MP3.3-intrinsic");
  expect_road(test::model_text("../classics/double_pendulum"));
  expect_road("param m > 0 = 1\ncoord x\nkinetic m/2*x'^2\nconstraint pull: x' = sin(t)\n");
}

TEST(IntrinsicRoad, says_why_it_cannot_be_gone) {
  CATALOGUE_ROW("MP3.3-determinism");
  const auto reason = [](const std::string& text) {
    const System system = test::read_system(text);
    Algebra algebra(*system.pool);
    const Motion motion = derive_motion(algebra, system);
    const FormulationResult road = derive_formulation(algebra, motion, Formulation::intrinsic);
    return road.applicable ? "" : road.reason;
  };
  EXPECT_EQ(reason("coord x, y\nkinetic x'^2 + y'^2\nconstraint c: y' = 0\nreaction push: x'\n"),
            "the reactions that stay open have virtual work");
  EXPECT_EQ(reason("coord x, y\nkinetic x'^2 + y'^2\nforce x = 1\nconstraint c: x' = 0  by y'\n"),
            "no factors satisfy the relations");
}

}  // namespace
}  // namespace liaison
