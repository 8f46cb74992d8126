/// Rows MP3.2-* and MP3.3-Cor3.2, MP3.3-determinism, MP3.3-ideal, MP3.3-Gauss: forces on particles,
/// reactions.
#include "massa_pagani_support.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Mechanism;
using test::State;

std::vector<Expr> row_of(const Matrix& a, std::size_t i) {
  std::vector<Expr> result;
  for (std::size_t j = 0; j < a.columns; ++j) result.push_back(a(i, j));
  return result;
}

Expr contract(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  Expr sum = a[0].pool().number(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(VirtualDisplacements, satisfy_chetaevs_conditions) {
  CATALOGUE_ROW("MP3.2-virtual-displacement");
  for (const char* name : {"f2_appell_hamel", "f3_speed"}) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const std::vector<Expr> l = row_of(f.geometry->relation_gradient, 0);
    for (Expr contraction : on_variations(f.space(), l)) EXPECT_PROVED(f.zero(contraction));
    // d_v-hat v is the displacement of the particle: here its coordinates are the q.
    const ForceMeasure velocities = particle_velocities(f.space());
    for (std::size_t c = 0; c < velocities[0].size(); ++c) {
      const Form displaced =
          fibre_differential(f.geometry->tensor, Form::function(f.space().coframe, velocities[0][c]));
      EXPECT_PROVED(f.equal(displaced, f.geometry->virtual_contact[c]));
    }
  }
  // Without relations there is no condition: the virtual part of a contact form is the form.
  const Mechanism free("coord x, y\nkinetic x'^2 + y'^2\n");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_PROVED(free.equal(free.geometry->virtual_contact[i], free.space().contact[i]));
  }
}

TEST(VirtualDisplacements, the_actual_displacement_need_not_be_virtual) {
  CATALOGUE_ROW("MP3.2-virtual-displacement");
  const auto actual = [](const Mechanism& f) {
    return contract(row_of(f.geometry->relation_gradient, 0), f.space().psi);
  };
  const auto power = [&](const Mechanism& f) {
    return solve_reactive_part(*f.algebra, *f.motion, f.space(), *f.dynamics).factors[0] * actual(f);
  };
  const Mechanism speed = Mechanism::file("f3_speed"), cone = Mechanism::file("f2_appell_hamel");
  EXPECT_PROVED(speed.equal(actual(speed), "2*(v0 + acc*t)^2"));
  EXPECT_NUMBER(speed.number(actual(speed), speed.state(test::f3_state)), 10.58);
  EXPECT_NUMBER(speed.number(power(speed), speed.state(test::f3_state)), 29.8093381725302);
  EXPECT_PROVED(cone.zero(actual(cone)));
  EXPECT_PROVED(cone.zero(power(cone)));
}

/// The sleigh F1 with a force on each particle.
struct SleighForces : ::testing::Test {
  Mechanism f = Mechanism::file("f1_sleigh2");
  State at = f.state(test::f1_state);
  ForceMeasure active{f.list({"f1x", "f1y"}), f.list({"f2x", "f2y"})};
  ForceMeasure imposed{f.list({"0.3", "0.2"}), f.list({"-0.4", "0.5"})};
  Form work(const ForceMeasure& forces) {
    return virtual_work(*f.geometry, lagrangian_components(f.space(), forces));
  }
  void expect_same(const ForceMeasure& a, const ForceMeasure& b) {
    for (std::size_t p = 0; p < a.size(); ++p) {
      for (std::size_t c = 0; c < a[p].size(); ++c) EXPECT_PROVED(f.equal(a[p][c], b[p][c]));
    }
  }
};

TEST_F(SleighForces, lagrangian_components_and_virtual_work) {
  CATALOGUE_ROW("MP3.2-forces");
  const std::vector<Expr> q = lagrangian_components(f.space(), active);
  EXPECT_NUMBERS(f.numbers(q, at), {0.5, 1, -3.69960997072349});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_PROVED(f.equal(q[k], f.dynamics->forces[k]));
  const std::vector<Expr> on_z = on_variations(f.space(), q);
  EXPECT_NUMBERS(f.numbers(on_z, at), {1.02663878087994, -3.69960997072349});
  EXPECT_PROVED(f.equal(on_z[0], "(f1x + f2x)*cos(theta) + (f1y + f2y)*sin(theta)"));
  EXPECT_PROVED(f.equal(on_z[1],
                        "(length + growth*t + speeding*t^2/2)*(-f1x*sin(theta) + f1y*cos(theta))"
                        " - l2*(-f2x*sin(theta) + f2y*cos(theta))"));
  EXPECT_PROVED(f.equal(work(active), on_z[0] * f.geometry->sigma[0] + on_z[1] * f.geometry->sigma[1]));
  Form all(f.space().coframe, 1);
  for (std::size_t k = 0; k < 3; ++k) all = all + q[k] * f.space().contact[k];
  EXPECT_PROVED(f.equal(all, work(active) + split(*f.geometry, q).chetaev_part));
  EXPECT_REFUTED(f.equal(all, work(active)));
}

TEST_F(SleighForces, every_measure_splits) {
  CATALOGUE_ROW("MP3.2-Thm3.2");
  const MeasureSplit parts = split(*f.geometry, active);
  EXPECT_NUMBERS(f.numbers(parts.vertical, at), {0.205327756175987, -1.16706939139542});
  EXPECT_NUMBERS(f.numbers(parts.reactive[0], at), {-0.968149497463166, -0.300778951157964});
  EXPECT_NUMBERS(f.numbers(parts.reactive[1], at), {0.156640125824414, 1.26423682433033});
  EXPECT_PROVED(f.zero(work(parts.reactive)));
  EXPECT_PROVED(f.equal(work(vertical_rates(f.space(), parts.vertical)), lower(*f.geometry, parts.vertical)));
  EXPECT_PROVED(f.equal(work(active), lower(*f.geometry, parts.vertical)));
}

TEST_F(SleighForces, the_splitting_is_linear_idempotent_and_unique) {
  CATALOGUE_ROW("MP3.2-Thm3.2");
  const MeasureSplit first = split(*f.geometry, active), second = split(*f.geometry, imposed);
  expect_same(split(*f.geometry, active + imposed).reactive, first.reactive + second.reactive);
  expect_same(split(*f.geometry, first.reactive).reactive, first.reactive);
  const std::vector<Expr> other = f.list({"1", "-2"});
  const Form left = work(active - vertical_rates(f.space(), other));
  EXPECT_REFUTED(f.zero(left));
  EXPECT_PROVED(
      f.equal(left, lower(*f.geometry, {first.vertical[0] - other[0], first.vertical[1] - other[1]})));
}

TEST_F(SleighForces, newton_for_each_particle) {
  CATALOGUE_ROW("MP3.3-Cor3.2");
  const std::vector<Expr> inertial = inertial_flow(*f.algebra, *f.geometry, *f.dynamics),
                          flow = f.ideal_flow();
  const ForceMeasure bare = momentum_rates(f.space(), inertial);
  EXPECT_NUMBERS(f.numbers(bare[0], at), {-2.46796000512613, 0.515974545617633});
  EXPECT_NUMBERS(f.numbers(bare[1], at), {-1.62316778835002, 4.34118351137338});
  const ForceMeasure reaction = bare - split(*f.geometry, active).reactive;  // no unknown flow in it
  EXPECT_NUMBERS(f.numbers(reaction[0], at), {-1.49981050766297, 0.816753496775596});
  EXPECT_NUMBERS(f.numbers(reaction[1], at), {-1.77980791417443, 3.07694668704305});
  EXPECT_NUMBERS(f.numbers(flow, at), {0.318727756175987, -1.73773185196325});
  expect_same(momentum_rates(f.space(), flow), active + reaction);
  EXPECT_PROVED(f.zero(work(reaction)));
  const ReactivePart reactive = solve_reactive_part(*f.algebra, *f.motion, f.space(), *f.dynamics);
  EXPECT_NUMBER(f.number(reactive.factors[0], at), 5.09085435996009);
  const std::vector<Expr> components = lagrangian_components(f.space(), reaction),
                          direction = f.list({"-sin(theta)", "cos(theta)", "0"});
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_PROVED(f.equal(components[k], reactive.factors[0] * direction[k]));
}

TEST_F(SleighForces, another_constitutive_law) {
  CATALOGUE_ROW("MP3.3-Cor3.2");
  const MeasureSplit parts = split(*f.geometry, imposed);
  EXPECT_NUMBERS(f.numbers(parts.vertical, at), {0.0748936324675870, -0.114946574086597});
  // Lambda(Phi) = Lambda(W) adds V_W to the flow and V_W(v) m to the reactions; Phi_perp stays.
  std::vector<Expr> flow = f.ideal_flow();
  const ForceMeasure ideal = momentum_rates(f.space(), flow) - active;
  for (std::size_t a = 0; a < 2; ++a) flow[a] += parts.vertical[a];
  const ForceMeasure driven = momentum_rates(f.space(), flow) - active;
  EXPECT_PROVED(f.equal(work(driven), work(imposed)));
  expect_same(driven - ideal, vertical_rates(f.space(), parts.vertical));
  expect_same(split(*f.geometry, driven).reactive, split(*f.geometry, ideal).reactive);
  EXPECT_REFUTED(f.equal(driven[0][0], ideal[0][0]));
}

TEST_F(SleighForces, least_constraint) {
  CATALOGUE_ROW("MP3.3-Gauss");
  const std::vector<Expr> flow = f.ideal_flow();
  const std::vector<Expr> beside{flow[0] + f("0.3"), flow[1] - f("0.2")};
  const Expr least = constraint_measure(f.space(), active, flow),
             more = constraint_measure(f.space(), active, beside);
  EXPECT_NUMBER(f.number(least, at), 2.83501564605838);
  EXPECT_NUMBER(f.number(more, at), 3.12341564605838);
  EXPECT_NUMBER(f.number(more - least, at), 0.2884);
  EXPECT_NUMBER(f.number(gauss_function(f.space(), active, flow), at), 0.0433489793917111);
  // At Lagrangian level C is the same up to a function of the state.
  const Expr lagrangian =
      gauss_function(*f.geometry, *f.dynamics, beside) - gauss_function(*f.geometry, *f.dynamics, flow);
  EXPECT_PROVED(f.equal(lagrangian, more - least));
}

TEST_F(SleighForces, the_excess_is_half_the_square) {
  CATALOGUE_ROW("MP3.3-Gauss");
  const std::vector<Expr> flow = f.ideal_flow(), v = f.list({"v1", "v2"});
  const std::vector<Expr> beside{flow[0] + v[0], flow[1] + v[1]};
  const Expr excess = gauss_function(f.space(), active, beside) - gauss_function(f.space(), active, flow);
  Expr square = f("0");
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) square += f.geometry->fibre_metric(a, b) * v[a] * v[b];
  }
  EXPECT_PROVED(f.equal(excess, square / 2));
}

TEST_F(SleighForces, misprint_of_the_excess) {
  CATALOGUE_ROW("MP3.3-Gauss");
  const std::vector<Expr> flow = f.ideal_flow(), v = f.list({"v1", "v2"});
  const std::vector<Expr> beside{flow[0] + v[0], flow[1] + v[1]};
  const Expr least = constraint_measure(f.space(), active, flow),
             more = constraint_measure(f.space(), active, beside);
  const std::string where = std::string(test::f1_state) + ", v1 = 0.3, v2 = -0.2";
  const State at_v = f.state(where);
  Expr square = f("0");
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) square += f.geometry->fibre_metric(a, b) * v[a] * v[b];
  }
  EXPECT_NUMBER(f.number(square, at_v), 0.5768);
  test::refute({"MP3.3-Gauss", "Excess of the constraint of a varied motion",
                "V.(Z m - F) + |V|^2 m in the proof of Theorem 3.3", "V.(Z m - F) + |V|^2 m/2",
                "C(Z + V) - C(Z) == |V|^2 for the ideal motion Z of two masses on a rod with a blade "
                "(f1_sleigh2.lia), where the first term vanishes"},
               test::Sides{"at " + where, f.number(more - least, at_v), f.number(square, at_v)});
}

TEST(GaussFunction, of_a_rigid_body_under_a_concentrated_force) {
  CATALOGUE_ROW("MP3.3-Gauss");
  const Mechanism f = Mechanism::file("f6_disc");
  const State at = f.state(test::f6_state);
  const std::vector<Expr> flow = f.ideal_flow();
  const std::vector<Expr> beside{flow[0] + f("0.3"), flow[1] - f("0.2")};
  const Expr least = gauss_function(*f.geometry, *f.dynamics, flow);
  EXPECT_NUMBER(f.number(least, at), 0.466580570811610);
  EXPECT_NUMBER(f.number(gauss_function(*f.geometry, *f.dynamics, beside) - least, at), 0.0099);
}

TEST(IdealReactions, are_those_without_virtual_work) {
  CATALOGUE_ROW("MP3.3-ideal");
  const Mechanism f = Mechanism::file("f2_appell_hamel");
  const State at = f.state(test::f2_state);
  const ReactivePart reactive = solve_reactive_part(*f.algebra, *f.motion, f.space(), *f.dynamics);
  EXPECT_NUMBERS(f.numbers(reactive.reaction, at), {-7.53551099154336, -5.15532043897822, 13.6953577225091});
  for (Expr contraction : on_variations(f.space(), reactive.reaction)) EXPECT_PROVED(f.zero(contraction));
  for (const char* name : {"f1_sleigh2", "f3_speed", "f4_pursuit", "f5_rotating_polar", "f6_disc"}) {
    SCOPED_TRACE(name);
    const Mechanism other = Mechanism::file(name);
    const ReactivePart part =
        solve_reactive_part(*other.algebra, *other.motion, other.space(), *other.dynamics);
    for (Expr contraction : on_variations(other.space(), part.reaction))
      EXPECT_PROVED(other.zero(contraction));
  }
}

TEST(IdealReactions, a_servo_is_not_ideal_and_yet_deterministic) {
  CATALOGUE_ROW("MP3.3-ideal");
  std::string text = test::model_text("f2_appell_hamel");
  text = text.substr(0, text.find("start"));
  const std::string relation = "x'^2 + y'^2 - k^2*z'^2 = 0";
  text.insert(text.find(relation) + relation.size(), "  by z'");
  const Mechanism f(text);
  EXPECT_PROVED(f.equal(on_variations(f.space(), f.motion->constraints[0].direction)[0], "1"));
  const ReactivePart reactive = solve_reactive_part(*f.algebra, *f.motion, f.space(), *f.dynamics);
  EXPECT_EQ(reactive.determinism, Determinism::deterministic);
  EXPECT_PROVED(f.equal(reactive.matrix(0, 0), "-2*k^2*u/m"));
  EXPECT_REFUTED(f.zero(on_variations(f.space(), reactive.reaction)[0]));
}

ReactivePart reactive_part(const Mechanism& f) {
  return solve_reactive_part(*f.algebra, *f.motion, f.space(), *f.dynamics);
}

TEST(DeterminismCriterion, ideal_and_coulomb) {
  CATALOGUE_ROW("MP3.3-determinism");
  EXPECT_EQ(reactive_part(Mechanism::file("f1_sleigh2")).determinism, Determinism::deterministic);
  const Mechanism f(
      "param m > 0 = 2, g = 9.81, f = 0.3\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\nforce z = -m*g\n"
      "constraint floor: z' = 0  power z' - f*sqrt(x'^2 + y'^2)\n");
  const ReactivePart coulomb = reactive_part(f);
  EXPECT_EQ(coulomb.determinism, Determinism::deterministic);
  EXPECT_PROVED(f.equal(coulomb.factors[0], "m*g"));
  EXPECT_PROVED(f.equal(coulomb.reaction[0], "-f*m*g*x'/sqrt(x'^2 + y'^2)"));
  EXPECT_NUMBER(f.number(coulomb.reaction[0], f.state("x' = -1.7, y' = 0")), 5.886);
}

TEST(DeterminismCriterion, any_reaction_allowed) {
  CATALOGUE_ROW("MP3.3-determinism");
  const std::string plane =
      "param m > 0 = 2, g = 9.81\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\nforce z = -m*g\n"
      "constraint floor: z' = 0\n";
  EXPECT_EQ(reactive_part(Mechanism(plane + "reaction along_x: x'\nreaction along_y: y'\n")).determinism,
            Determinism::indeterminate);
  // A second normal reaction leaves the factors open, and not the motion.
  EXPECT_EQ(reactive_part(Mechanism(plane + "reaction second: z'\n")).determinism, Determinism::motion_only);
}

TEST(DeterminismCriterion, a_rod_that_slides_with_friction) {
  CATALOGUE_ROW("MP3.3-determinism");
  const Mechanism f(
      "param m > 0 = 2, l > 0 = 0.5, g = 9.81, f = 0.5\ncoord x, y, theta\n"
      "kinetic m/2*((x' - l*theta'*sin(theta))^2 + (y' + l*theta'*cos(theta))^2) + m*l^2/6*theta'^2\n"
      "potential m*g*(y + l*sin(theta))\n"
      "constraint table: y' = 0  power y' + f*x'\n");
  const ReactivePart part = reactive_part(f);
  EXPECT_EQ(part.determinism, Determinism::deterministic);
  const Expr r = part.matrix(0, 0), drive = -part.right[0];
  EXPECT_PROVED(f.equal(r, "(1 + 3*cos(theta)^2 - 3*f*sin(theta)*cos(theta))/m"));
  EXPECT_PROVED(f.equal(drive, "-g + l*theta'^2*sin(theta)"));
  const auto at = [&](const std::string& friction, const std::string& rate) {
    return f.state("theta = atan(2), theta' = " + rate + ", f = " + friction);
  };
  EXPECT_NUMBER(f.number(r, at("0.5", "3")), 0.5);
  EXPECT_NUMBER(f.number(r, at("4/3", "3")), 0);
  EXPECT_NUMBER(f.number(r, at("1.5", "3")), -0.1);
  EXPECT_NUMBER(f.number(drive, at("0.5", "3")), -5.78507764050038);
  EXPECT_NUMBER(f.number(part.factors[0], at("0.5", "3")), 11.5701552810008);
  // r < 0: no N > 0 where the rod would fall into the table; where it would leave, contact is possible as
  // well.
  EXPECT_NUMBER(f.number(part.factors[0], at("1.5", "3")), -57.8507764050038);
  EXPECT_NUMBER(f.number(drive, at("1.5", "5")), 1.37033988749895);
  EXPECT_GT(f.number(part.factors[0], at("1.5", "5")), 0);
  // The friction at which r vanishes is least, 4/3, at tan(theta) = 2.
  const Expr critical = f("(1 + 3*cos(theta)^2)/(3*sin(theta)*cos(theta))");
  for (const char* angle : {"atan(1.9)", "atan(2.1)", "0.3", "1.4"}) {
    EXPECT_GT(f.number(critical, f.state("theta = " + std::string(angle))), 4.0 / 3);
  }
  EXPECT_NUMBER(f.number(critical, f.state("theta = atan(2)")), 4.0 / 3);
}

}  // namespace
}  // namespace liaison
