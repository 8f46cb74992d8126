/// Rows MP3.1-*: kinetic energy, momenta and the 2-form Omega on the constraint manifold A.
#include <cmath>

#include "liaison/expr/differentiate.hpp"
#include "liaison/forms/two_form.hpp"
#include "massa_pagani_support.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Mechanism;
using test::State;

/// 10 digits are given of these numbers.
::testing::AssertionResult agrees_to_ten_digits(double value, double expected) {
  if (std::abs(value - expected) <= 1e-9 * std::abs(expected)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << value << " is not " << expected;
}

OmegaSplit split_of(const Mechanism& f) {
  return split_omega(*f.algebra, *f.motion, *f.geometry, *f.dynamics).value();
}

Form combination(const Mechanism& f, const std::vector<Expr>& coefficients, const std::vector<Form>& forms) {
  Form sum(f.space().coframe, 1);
  for (std::size_t k = 0; k < forms.size(); ++k) sum = sum + coefficients[k] * forms[k];
  return sum;
}

TEST(MomentaOnA, numbers) {
  CATALOGUE_ROW("MP3.1-momenta");
  const Mechanism f1 = Mechanism::file("f1_sleigh2"), f5 = Mechanism::file("f5_rotating_polar"),
                  f6 = Mechanism::file("f6_disc");
  const State at1 = f1.state(test::f1_state), at5 = f5.state(test::f5_state), at6 = f6.state(test::f6_state);
  EXPECT_NUMBERS(f1.numbers(f1.dynamics->momenta, at1), {4.94803816803167, 4.99137438865307, 2.853});
  EXPECT_NUMBER(f1.number(f1.dynamics->kinetic, at1), 6.22135);
  EXPECT_NUMBERS(f6.numbers(f6.dynamics->momenta, at6),
                 {0.811714285919491, -0.963701155978455, 0.078, -0.252});
  EXPECT_NUMBER(f6.number(f6.dynamics->kinetic, at6), 0.8445);
  EXPECT_NUMBERS(f5.numbers(f5.dynamics->momenta, at5), {1, 3.95714123560836});
  EXPECT_NUMBER(f5.number(f5.dynamics->kinetic, at5), 2.96857061780418);
}

TEST(MomentaOnA, identities) {
  CATALOGUE_ROW("MP3.1-momenta");
  for (const char* name : {"f1_sleigh2", "f2_appell_hamel", "f5_rotating_polar", "f6_disc"}) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const ConstraintSpace& space = f.space();
    const std::vector<Expr> slopes = on_variations(space, f.dynamics->momenta);
    for (std::size_t a = 0; a < space.freedom(); ++a) {
      EXPECT_PROVED(f.equal(derivative(f.dynamics->kinetic, space.fibre[a]), slopes[a]));
      for (std::size_t k = 0; k < space.size(); ++k) {
        Expr expected = f("0");
        for (std::size_t r = 0; r < space.size(); ++r)
          expected += f.geometry->metric(k, r) * space.tangent(r, a);
        EXPECT_PROVED(f.equal(derivative(f.dynamics->momenta[k], space.fibre[a]), expected));
      }
    }
  }
}

// With the restricted energy, in which no velocity is left, there would be no momentum at all.
TEST(MomentaOnA, misprint_of_the_kinetic_energy_in_them) {
  CATALOGUE_ROW("MP3.1-momenta");
  for (const char* name : {"f2_appell_hamel", "f5_rotating_polar", "f6_disc"}) {
    const Mechanism f = Mechanism::file(name);
    const Expr printed = derivative(f.dynamics->kinetic, f.system->directions[0].velocity);
    EXPECT_REFUTED(f.equal(f.dynamics->momenta[0], printed));
  }
  const Mechanism f = Mechanism::file("f1_sleigh2");
  test::refute(
      {"MP3.1-momenta", "Momenta on the constraint manifold",
       "p_k = dT/dq'^k in (3.6) with the T that is restricted to the constraint manifold",
       "with the full kinetic energy, restricted after the derivative",
       "p_x of two masses on a rod with a blade (f1_sleigh2.lia) == the derivative of the restricted T by "
       "x'"},
      f.equal(f.dynamics->momenta[0], derivative(f.dynamics->kinetic, f.system->directions[0].velocity)));
}

TEST(MomentaOnA, the_contact_differential_of_a_position_splits) {
  CATALOGUE_ROW("MP3.1-momenta");
  const Mechanism f = Mechanism::file("f1_sleigh2");
  const CoframePtr& coframe = f.space().coframe;
  const Form dt = Form::basis(coframe, "dt");
  const ForceMeasure velocities = particle_velocities(f.space());
  for (std::size_t p = 0; p < velocities.size(); ++p) {
    for (std::size_t c = 0; c < 2; ++c) {
      const Form dx = d(coframe, f.system->particles[p].position[c]);
      const std::vector<Expr> slope = configuration_components(dx, 3);
      const Form displaced =
          fibre_differential(f.geometry->tensor, Form::function(coframe, velocities[p][c]));
      EXPECT_PROVED(f.equal(displaced, combination(f, slope, f.geometry->virtual_contact)));
      EXPECT_PROVED(f.equal(dx - velocities[p][c] * dt, displaced + combination(f, slope, f.geometry->chi)));
      EXPECT_REFUTED(f.equal(dx - velocities[p][c] * dt, displaced));
    }
  }
}

/// [dp_k + (p_r dpsi^r/dq^k - dT/dq^k) dt]^omt^k.
Form third_writing(const Mechanism& f) {
  const CoframePtr& coframe = f.space().coframe;
  const Form dt = Form::basis(coframe, "dt");
  Form result(coframe, 2);
  for (std::size_t k = 0; k < f.space().size(); ++k) {
    const Expr q = f.system->directions[k].coordinate;
    Expr slope = -derivative(f.dynamics->kinetic, q);
    for (std::size_t r = 0; r < f.space().size(); ++r) {
      slope += f.dynamics->momenta[r] * derivative(f.space().psi[r], q);
    }
    result = result + wedge(d(coframe, f.dynamics->momenta[k]) + slope * dt, f.space().contact[k]);
  }
  return result;
}

/// i^*[d(dT/dq'^k) - dT/dq^k dt]^omt^k, T the full kinetic energy.
Form fourth_writing(const Mechanism& f) {
  const SmoothMap inclusion = inclusion_map(*f.algebra, f.space(), f.motion->space);
  const CoframePtr& jets = f.motion->space.coframe;
  const Form dt = Form::basis(jets, "dt");
  Form result(f.space().coframe, 2);
  for (std::size_t k = 0; k < f.space().size(); ++k) {
    const Direction& direction = f.system->directions[k];
    const Form lagrange = d(jets, derivative(f.system->kinetic, direction.velocity)) -
                          derivative(f.system->kinetic, direction.coordinate) * dt;
    result = result + wedge(inclusion.pull_back(lagrange), f.space().contact[k]);
  }
  return result;
}

TEST(OmegaOnA, four_writings) {
  CATALOGUE_ROW("MP3.1-Omega");
  for (const char* name : {"f1_sleigh2", "f2_appell_hamel", "f5_rotating_polar", "f6_disc"}) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const Form& omega = f.dynamics->omega;
    EXPECT_PROVED(f.equal(omega, third_writing(f)));
    EXPECT_PROVED(f.equal(omega, fourth_writing(f)));
    if (!f.system->particles.empty()) {
      EXPECT_PROVED(f.equal(omega, particle_omega(*f.geometry).omega));
    }
    // The backbone's form, pulled back.
    const SmoothMap inclusion = inclusion_map(*f.algebra, f.space(), f.motion->space);
    EXPECT_PROVED(f.equal(omega, inclusion.pull_back(f.motion->omega.kinetic)));
  }
}

TEST(OmegaOnA, the_energy_of_a_rheonomic_system_is_not_t) {
  CATALOGUE_ROW("MP3.1-Omega");
  const Mechanism sleigh = Mechanism::file("f1_sleigh2"), disc = Mechanism::file("f6_disc");
  const auto with_energy_t = [](const Mechanism& f) {
    Form action = -(f.dynamics->kinetic * Form::basis(f.space().coframe, "dt"));
    for (std::size_t k = 0; k < f.space().size(); ++k) {
      action = action + f.dynamics->momenta[k] * Form::basis(f.space().coframe, k);
    }
    return d(action);
  };
  EXPECT_PROVED(disc.equal(with_energy_t(disc), disc.dynamics->omega));
  EXPECT_REFUTED(sleigh.equal(with_energy_t(sleigh), sleigh.dynamics->omega));
}

TEST(OmegaOnA, signs_of_forces) {
  CATALOGUE_ROW("MP3.1-Omega");
  const Mechanism f = Mechanism::file("f1_sleigh2");
  const VectorField flow = f.space().flow(f.list({"1/3", "u*w"}));
  Form forces(f.space().coframe, 2), work(f.space().coframe, 1);
  const Form dt = Form::basis(f.space().coframe, "dt");
  for (std::size_t k = 0; k < 3; ++k) {
    forces = forces + f.dynamics->forces[k] * wedge(Form::basis(f.space().coframe, k), dt);
    work = work + f.dynamics->forces[k] * f.space().contact[k];
  }
  const Form backbone = interior(flow, f.dynamics->omega + forces);
  EXPECT_PROVED(f.equal(backbone, interior(flow, f.dynamics->omega) - work));
  EXPECT_REFUTED(f.equal(backbone, interior(flow, f.dynamics->omega) + work));
}

TEST(OmegaOnA, of_the_disc) {
  CATALOGUE_ROW("MP3.1-Omega");
  const Mechanism f = Mechanism::file("f6_disc");
  const State at = f.state(test::f6_state);
  const Form& omega = f.dynamics->omega;
  EXPECT_PROVED(f.equal(
      omega, f.form("m*R^2*z1/4: dt dz1; 3/2*m*R^2*z2: dt dz2; m*R*z2*cos(varphi): dx dvarphi;"
                    "m*R*z2*sin(varphi): dy dvarphi; m*R*sin(varphi): dx dz2; -m*R*cos(varphi): dy dz2;"
                    "-m*R^2/4: dvarphi dz1; -m*R^2/2: dtheta dz2")));
  EXPECT_NUMBER(f.number(omega.coefficient({"dt", "dz1"}), at), 0.078);
  EXPECT_NUMBER(f.number(omega.coefficient({"dt", "dz2"}), at), -0.756);
  EXPECT_NUMBER(f.number(omega.coefficient({"dx", "dvarphi"}), at), -0.963701155978455);
  EXPECT_NUMBER(f.number(omega.coefficient({"dy", "dvarphi"}), at), -0.811714285919491);
  EXPECT_NUMBER(f.number(omega.coefficient({"dx", "dz2"}), at), 0.386530612342615);
  EXPECT_NUMBER(f.number(omega.coefficient({"dy", "dz2"}), at), -0.458905312370693);
  EXPECT_NUMBER(f.number(omega.coefficient({"dvarphi", "dz1"}), at), -0.06);
  EXPECT_NUMBER(f.number(omega.coefficient({"dtheta", "dz2"}), at), -0.12);
}

TEST(OmegaSplitting, from_the_energy_and_from_the_particles) {
  CATALOGUE_ROW("MP3.1-split-Omega");
  for (const char* name : {"f1_sleigh2", "f2_appell_hamel", "f5_rotating_polar"}) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const OmegaSplit split = split_of(f);
    const ParticleOmega particles = particle_omega(*f.geometry);
    EXPECT_PROVED(f.equal(split.virtual_part, particles.virtual_part));
    EXPECT_PROVED(f.equal(split.chetaev_part, particles.chetaev_part));
    EXPECT_PROVED(f.equal(split.virtual_part + split.chetaev_part, f.dynamics->omega));
    for (std::size_t k = 0; k < f.space().size(); ++k) {  // S_kr = sum m v.(d2x/dq^k dq^r)
      for (std::size_t r = 0; r < f.space().size(); ++r) {
        const ForceMeasure velocities = particle_velocities(f.space());
        Expr expected = f("0");
        for (std::size_t p = 0; p < velocities.size(); ++p) {
          for (std::size_t c = 0; c < velocities[p].size(); ++c) {
            const Particle& particle = f.system->particles[p];
            const Expr second =
                derivative(derivative(particle.position[c], f.system->directions[k].coordinate),
                           f.system->directions[r].coordinate);
            expected += particle.mass * velocities[p][c] * second;
          }
        }
        EXPECT_PROVED(f.equal(split.second(k, r), expected));
      }
    }
  }
}

TEST(OmegaSplitting, without_the_second_terms_it_is_wrong) {
  CATALOGUE_ROW("MP3.1-split-Omega");
  const Mechanism f1 = Mechanism::file("f1_sleigh2"), f2 = Mechanism::file("f2_appell_hamel"),
                  f5 = Mechanism::file("f5_rotating_polar");
  const OmegaSplit s1 = split_of(f1), s2 = split_of(f2), s5 = split_of(f5);
  EXPECT_REFUTED(f1.equal(s1.naive, s1.virtual_part));
  EXPECT_TRUE(
      agrees_to_ten_digits(f1.largest(s1.naive - s1.virtual_part, f1.state(test::f1_state)), 0.2465831910));
  EXPECT_REFUTED(f5.equal(s5.naive, s5.virtual_part));
  EXPECT_TRUE(
      agrees_to_ten_digits(f5.largest(s5.naive - s5.virtual_part, f5.state(test::f5_state)), 2.882204376));
  EXPECT_PROVED(f2.equal(s2.naive, s2.virtual_part));
  // On flows and vertical vectors it makes no difference.
  const VectorField flow = f1.space().flow(f1.list({"a", "b"})),
                    vertical = f1.space().vertical(f1.list({"a", "b"}));
  EXPECT_PROVED(f1.zero(interior(flow, s1.naive - s1.virtual_part)));
  EXPECT_PROVED(f1.zero(interior(vertical, s1.naive - s1.virtual_part)));
}

TEST(OmegaSplitting, of_the_disc_and_of_the_cone) {
  CATALOGUE_ROW("MP3.1-split-Omega");
  const Mechanism disc = Mechanism::file("f6_disc"), cone = Mechanism::file("f2_appell_hamel");
  const OmegaSplit split = split_of(disc);
  for (Expr entry : split.second.entries) EXPECT_PROVED(disc.zero(entry));
  EXPECT_PROVED(disc.equal(split.chetaev_part,
                           disc.form("m*R*z2*cos(varphi): dx dvarphi; m*R*z2*sin(varphi): dy dvarphi")));
  EXPECT_PROVED(cone.zero(split_of(cone).chetaev_part));
}

TEST(TheoremThreeOne, omega_chi_is_blind_to_vertical_vectors) {
  CATALOGUE_ROW("MP3.1-Thm3.1");
  for (const char* name : {"f1_sleigh2", "f2_appell_hamel", "f5_rotating_polar", "f6_disc"}) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const std::vector<Expr> v = f.space().freedom() == 2 ? f.list({"3/7", "-11/5"}) : f.list({"3/7"});
    const VectorField vertical = f.space().vertical(v);
    const OmegaSplit split = split_of(f);
    const Form lowered = lower(*f.geometry, v);
    EXPECT_PROVED(f.zero(interior(vertical, split.chetaev_part)));
    EXPECT_PROVED(f.equal(interior(vertical, split.virtual_part), lowered));
    EXPECT_PROVED(f.equal(interior(vertical, f.dynamics->omega), lowered));
  }
}

TEST(TheoremThreeOne, numbers) {
  CATALOGUE_ROW("MP3.1-Thm3.1");
  const Mechanism f1 = Mechanism::file("f1_sleigh2"), f6 = Mechanism::file("f6_disc");
  const Form on_f1 = interior(f1.space().vertical(f1.list({"3/7", "-11/5"})), f1.dynamics->omega);
  EXPECT_NUMBERS(f1.numbers(on_f1, f1.state(test::f1_state)), {2.63104278252709, 0.202609504234083, -6.974});
  const Form on_f6 = interior(f6.space().vertical(f6.list({"3/7", "-11/5"})), f6.dynamics->omega);
  EXPECT_NUMBERS(f6.numbers(on_f6, f6.state(test::f6_state)),
                 {0.850367347153752, -1.00959168721553, 0.0257142857142857, -0.264});
  // A vector that is not vertical.
  const Form other = interior(VectorField::dual(f1.space().coframe, "dx"), split_of(f1).chetaev_part);
  EXPECT_TRUE(agrees_to_ten_digits(f1.largest(other, f1.state(test::f1_state)), 4.301829654));
}

TEST(CorollaryThreeOne, the_chetaev_part_does_not_depend_on_the_flow) {
  CATALOGUE_ROW("MP3.1-Cor3.1");
  for (const char* name : {"f1_sleigh2", "f6_disc"}) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const OmegaSplit split = split_of(f);
    const std::vector<Expr> rates = f.list({"a1", "a2"}), others = f.list({"b1", "b2"});
    const std::vector<Expr> b = balance(f.space(), *f.dynamics, rates);
    const VectorField flow = f.space().flow(rates), other = f.space().flow(others);
    EXPECT_PROVED(
        f.equal(interior(flow, split.virtual_part), combination(f, b, f.geometry->virtual_contact)));
    EXPECT_PROVED(f.equal(interior(flow, split.chetaev_part), combination(f, b, f.geometry->chi)));
    EXPECT_PROVED(f.zero(interior(flow, split.chetaev_part) - interior(other, split.chetaev_part)));
    const Form difference = interior(flow, split.virtual_part) - interior(other, split.virtual_part);
    EXPECT_PROVED(f.equal(difference, lower(*f.geometry, f.list({"a1 - b1", "a2 - b2"}))));
    EXPECT_REFUTED(f.zero(difference));
    for (std::size_t k = 0; k < f.space().size(); ++k) {  // B_k = Z(p_k) - dT/dq^k + p_r dpsi^r/dq^k
      const Expr q = f.system->directions[k].coordinate;
      Expr expected = apply(flow, f.dynamics->momenta[k]) - derivative(f.dynamics->kinetic, q);
      for (std::size_t r = 0; r < f.space().size(); ++r) {
        expected += f.dynamics->momenta[r] * derivative(f.space().psi[r], q);
      }
      EXPECT_PROVED(f.equal(b[k], expected));
    }
  }
}

TEST(CorollaryThreeOne, numbers) {
  CATALOGUE_ROW("MP3.1-Cor3.1");
  const Mechanism f1 = Mechanism::file("f1_sleigh2"), f5 = Mechanism::file("f5_rotating_polar"),
                  f6 = Mechanism::file("f6_disc");
  const auto reactive = [](const Mechanism& f, std::string_view at) {
    return f.numbers(interior(f.space().flow(f.ideal_flow()), split_of(f).chetaev_part), f.state(at));
  };
  EXPECT_NUMBERS(reactive(f1, test::f1_state), {-4.09112779347615, 4.85715805699101, 0});
  EXPECT_NUMBERS(reactive(f6, test::f6_state), {1.25281150277199, 1.05522857169534, 0, 0});
  EXPECT_NUMBERS(reactive(f5, test::f5_state), {-0.547660652766938, 3.44634803049963});
  const Form lateral = interior(f6.space().flow(f6.list({"a1", "a2"})), split_of(f6).chetaev_part);
  EXPECT_PROVED(f6.equal(lateral, f6.form("-m*R*z1*z2*cos(varphi): dx; -m*R*z1*z2*sin(varphi): dy")));
}

std::string polar_model(const std::string& angle, const std::string& rest) {
  return "param m > 0 = 2, om = 0.3\ncoord r, alpha\nparticle P mass m at [r*cos(" + angle + "), r*sin(" +
         angle + ")]\n" + rest;
}

TEST(InertialFlow, of_a_free_particle_in_two_frames) {
  CATALOGUE_ROW("MP3.1-ZI");
  const std::string_view at = "t = 0.25, r = 2, alpha = 1/3, r' = 0.5, alpha' = 0.8";
  const Mechanism inertial(polar_model("alpha", "")), rotating(polar_model("alpha - om*t", ""));
  const std::vector<Expr> one = inertial_flow(*inertial.algebra, *inertial.geometry, *inertial.dynamics);
  const std::vector<Expr> two = inertial_flow(*rotating.algebra, *rotating.geometry, *rotating.dynamics);
  EXPECT_PROVED(inertial.equal(one[0], "r*alpha'^2"));
  EXPECT_PROVED(inertial.equal(one[1], "-2*r'*alpha'/r"));
  EXPECT_PROVED(rotating.equal(two[0], "r*(alpha' - om)^2"));
  EXPECT_PROVED(rotating.equal(two[1], "-2*r'*(alpha' - om)/r"));
  EXPECT_NUMBERS(inertial.numbers(one, inertial.state(at)), {1.28, -0.4});
  EXPECT_NUMBERS(rotating.numbers(two, rotating.state(at)), {0.5, -0.25});
  // The metric is the same, the flow is not.
  EXPECT_PROVED(rotating.equal(rotating.geometry->fibre_metric(1, 1), "m*r^2"));
  EXPECT_REFUTED(rotating.equal(two[0], "r*alpha'^2"));
}

TEST(InertialFlow, of_two_frames_differ_by_the_inertia_forces) {
  CATALOGUE_ROW("MP3.1-ZI");
  const Mechanism f(polar_model("alpha - om*t", ""));
  const std::vector<Expr>& x = f.system->particles[0].position;
  const std::vector<Expr> v = particle_velocities(f.space())[0];
  const Expr m = f("m"), om = f("om");
  // Centrifugal and Coriolis force in a frame that turns at the rate om.
  const ForceMeasure inertia{
      {m * om * om * x[0] + 2 * m * om * v[1], m * om * om * x[1] - 2 * m * om * v[0]}};
  const std::vector<Expr> forces = lagrangian_components(f.space(), inertia);
  const std::vector<Expr> flow =
      solve_flow(*f.algebra, f.geometry->fibre_metric, f.space(), *f.dynamics, forces);
  EXPECT_PROVED(f.equal(flow[0], "r*alpha'^2"));
  EXPECT_PROVED(f.equal(flow[1], "-2*r'*alpha'/r"));
}

TEST(InertialFlow, with_a_kinetic_constraint) {
  CATALOGUE_ROW("MP3.1-ZI");
  const std::string spiral =
      "constraint spiral: r' - r*alpha'/2 = 0\nintrinsic z1: r' = r*z1/2, alpha' = z1\n";
  const Mechanism inertial(polar_model("alpha", spiral)), rotating(polar_model("alpha - om*t", spiral));
  const auto rate = [](const Mechanism& f) {
    return f.number(inertial_flow(*f.algebra, *f.geometry, *f.dynamics)[0],
                    f.state("t = 0.25, r = 2, alpha = 1/3, z1 = 0.8"));
  };
  EXPECT_NUMBER(rate(inertial), -0.32);
  EXPECT_NUMBER(rate(rotating), -0.284);
}

TEST(InertialFlow, of_the_sleigh) {
  CATALOGUE_ROW("MP3.1-ZI");
  const Mechanism f = Mechanism::file("f1_sleigh2");
  const std::vector<Expr> rates = inertial_flow(*f.algebra, *f.geometry, *f.dynamics);
  EXPECT_NUMBERS(f.numbers(rates, f.state(test::f1_state)), {0.1134, -0.570662460567823});
  const Expr l1 = f("length + growth*t + speeding*t^2/2"), l1_rate = f("growth + speeding*t");
  const Expr s1 = f("m1") * l1 - f("m2*l2"), j = f("m1") * l1 * l1 + f("m2*l2^2");
  EXPECT_PROVED(f.equal(f("m1 + m2") * rates[0], s1 * f("w^2") - f("m1*speeding")));
  EXPECT_PROVED(f.equal(j * rates[1], -(2 * f("m1") * l1 * l1_rate * f("w")) - s1 * f("u*w")));
  EXPECT_PROVED(f.zero(interior(f.space().flow(rates), split_of(f).virtual_part)));
}

std::size_t rank_of(const Mechanism& f, const Form& omega) {
  return rank_and_class(*f.algebra, omega).rank;
}

TEST(KernelOfOmega, is_not_the_motion) {
  CATALOGUE_ROW("MP3.1-kernel-caution");
  const Mechanism knife(
      "param m > 0 = 2, I > 0 = 0.75\ncoord x, y, theta\nkinetic m/2*(x'^2 + y'^2) + I/2*theta'^2\n"
      "constraint edge: x'*sin(theta) - y'*cos(theta) = 0\n"
      "intrinsic u, w: x' = u*cos(theta), y' = u*sin(theta), theta' = w\n");
  const Expr det = determinant(*knife.algebra, coefficient_matrix(knife.dynamics->omega)).value;
  EXPECT_PROVED(knife.equal(det, "I^2*m^4*u^2*w^2"));
  EXPECT_NUMBER(knife.number(det, knife.state("u = 1.3, w = 0.9")), 12.3201);
  const CharacteristicField none =
      characteristic_field(*knife.algebra, knife.dynamics->omega, knife.form("1: dt"));
  EXPECT_EQ(none.status, CharacteristicStatus::rank_full);

  const Mechanism disc = Mechanism::file("f6_disc");
  EXPECT_EQ(rank_of(disc, disc.dynamics->omega), 6u);
  const VectorField kernel(disc.space().coframe,
                           disc.list({"R/2*sin(varphi)", "-R/2*cos(varphi)", "0", "1", "0", "0", "0"}));
  EXPECT_PROVED(disc.zero(interior(kernel, disc.dynamics->omega)));
  const CharacteristicField timeless =
      characteristic_field(*disc.algebra, disc.dynamics->omega, disc.form("1: dt"));
  EXPECT_EQ(timeless.status, CharacteristicStatus::not_normalisable);
}

TEST(KernelOfOmega, of_the_virtual_part_holds_the_motion) {
  CATALOGUE_ROW("MP3.1-kernel-caution");
  struct Ranks {
    const char* name;
    std::size_t omega, virtual_part;
  };
  for (const Ranks& expected : {Ranks{"f1_sleigh2", 6, 4}, Ranks{"f2_appell_hamel", 4, 4},
                                Ranks{"f5_rotating_polar", 4, 2}, Ranks{"f6_disc", 6, 4}}) {
    SCOPED_TRACE(expected.name);
    const Mechanism f = Mechanism::file(expected.name);
    EXPECT_EQ(rank_of(f, f.dynamics->omega), expected.omega);
    const Form hat = split_of(f).virtual_part;
    EXPECT_EQ(rank_of(f, hat), expected.virtual_part);
    const Form with_forces =
        hat + wedge(virtual_work(*f.geometry, f.dynamics->forces), Form::basis(f.space().coframe, "dt"));
    EXPECT_EQ(rank_of(f, with_forces), 2 * f.space().freedom());
    EXPECT_PROVED(f.zero(interior(f.space().flow(f.ideal_flow()), with_forces)));
    // No other flow: the difference is vertical, and the form is regular on vertical vectors.
    std::vector<Expr> faster = f.ideal_flow();
    faster[0] += f("1");
    EXPECT_REFUTED(f.zero(interior(f.space().flow(faster), with_forces)));
  }
}

}  // namespace
}  // namespace liaison
