/// Rows MP2.3-*: the geometry of the constraint manifold A.
#include "liaison/expr/differentiate.hpp"
#include "massa_pagani_support.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Mechanism;
using test::State;

const std::vector<std::string> fixtures{"f1_sleigh2", "f2_appell_hamel",   "f3_speed",
                                        "f4_pursuit", "f5_rotating_polar", "f6_disc"};

std::vector<Expr> column(const Matrix& a, std::size_t j) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < a.rows; ++i) result.push_back(a(i, j));
  return result;
}

std::vector<Expr> row_of(const Matrix& a, std::size_t i) {
  std::vector<Expr> result;
  for (std::size_t j = 0; j < a.columns; ++j) result.push_back(a(i, j));
  return result;
}

std::string reason_against(const std::string& text) {
  const System system = test::read_system(text);
  Algebra algebra(*system.pool);
  const Motion motion = derive_motion(algebra, system);
  const ConstraintSpaceResult result = make_constraint_space(algebra, motion);
  return result.space ? "" : result.reason;
}

TEST(ConstraintEmbedding, both_descriptions_have_full_rank_and_agree) {
  CATALOGUE_ROW("MP2.3-embedding");
  for (const std::string& name : fixtures) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const std::size_t n = f.space().size(), r = f.space().freedom();
    const EmbeddingRanks ranks = embedding_ranks(*f.algebra, *f.motion, f.space());
    EXPECT_EQ(ranks.psi, r);
    EXPECT_EQ(ranks.relations, n - r);
    for (std::size_t s = 0; s < n - r; ++s) {
      EXPECT_PROVED(f.zero(f.space().restricted(f.motion->constraints[s].relation)));
      for (Expr contraction : on_variations(f.space(), row_of(f.geometry->relation_gradient, s))) {
        EXPECT_PROVED(f.zero(contraction));
      }
    }
  }
}

TEST(ConstraintEmbedding, the_cone_loses_rank_at_its_vertex) {
  CATALOGUE_ROW("MP2.3-embedding");
  const Mechanism f = Mechanism::file("f2_appell_hamel");
  const Matrix& G = f.geometry->fibre_metric;
  EXPECT_NUMBER(f.number(G(0, 0) * G(1, 1) - G(0, 1) * G(1, 0), f.state(test::f2_state)), 14.3325);
  const EmbeddingRanks regular = embedding_ranks(*f.algebra, *f.motion, f.space(), f.state(test::f2_state));
  EXPECT_EQ(regular.psi, 2u);
  EXPECT_EQ(regular.relations, 1u);
  const EmbeddingRanks vertex =
      embedding_ranks(*f.algebra, *f.motion, f.space(), f.state("phi = 0.6, u = 0"));
  EXPECT_EQ(vertex.psi, 1u);
  EXPECT_EQ(vertex.relations, 0u);
  EXPECT_PROVED(f.equal(G(1, 1), "m*k^2*u^2"));
}

TEST(ConstraintEmbedding, relations_without_a_gradient_are_refused) {
  CATALOGUE_ROW("MP2.3-embedding");
  const std::string circle =
      "param m = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nconstraint c: (x*x' + y*y')^2 = 0\n";
  EXPECT_EQ(
      reason_against(circle + "intrinsic w: x' = -y*w, y' = x*w\n"),
      "the relations lose their rank where they hold: their derivatives by the velocities are dependent");
  EXPECT_EQ(reason_against(circle),
            "the relations lose their rank where they hold: give the velocities with `intrinsic`");
}

TEST(ConstraintEmbedding, intrinsic_velocities_that_do_not_fit_are_refused) {
  CATALOGUE_ROW("MP2.3-embedding");
  const std::string disc = "coord x, y\nkinetic x'^2 + y'^2\nconstraint c: x*x' + y*y' = 0\n";
  EXPECT_EQ(reason_against(disc + "intrinsic w: x' = -y*w, y' = x*w\n"), "");
  EXPECT_NE(reason_against(disc + "intrinsic w: x' = y*w, y' = x*w\n").find("do not satisfy `c`"),
            std::string::npos);
  EXPECT_EQ(reason_against("coord x, y, z\nkinetic x'^2 + y'^2 + z'^2\nconstraint c: x' - y' = 0\n"
                           "intrinsic u, w: x' = u + w, y' = u + w, z' = u + w\n"),
            "the parameters of the intrinsic velocities are not independent");
  EXPECT_EQ(reason_against("coord x, y, z\nkinetic x'^2 + y'^2 + z'^2\nconstraint c: x' - y' = 0\n"
                           "intrinsic u: x' = u, y' = u, z' = u\n"),
            "1 parameters do not fit 1 relations between 3 velocities");
}

TEST(ConstraintEmbedding, every_chart_gives_the_same_motion) {
  CATALOGUE_ROW("MP2.3-embedding");
  const Mechanism f = Mechanism::file("f2_appell_hamel");
  const State at = f.state(test::f2_state);
  const VectorField polar = f.space().flow(f.ideal_flow());
  const std::vector<double> expected{-3.51775549577168, -2.72766021948911, -2.96232113874546};
  std::vector<Expr> accelerations;
  for (Expr psi : f.space().psi) accelerations.push_back(apply(polar, psi));
  EXPECT_NUMBERS(f.numbers(accelerations, at), {expected[0], expected[1], expected[2]});

  const VelocityChart flat{f.list({"x'", "y'"}), f.list({"x'", "y'", "sqrt(x'^2 + y'^2)/k"})};
  ConstraintSpaceResult charted = make_constraint_space(*f.algebra, *f.motion, flat);
  ASSERT_TRUE(charted.space) << charted.reason;
  ConstraintSpaceResult implicit = solve_constraint_space(*f.algebra, *f.motion);
  ASSERT_TRUE(implicit.space) << implicit.reason;
  EXPECT_EQ(implicit.space->chart, ConstraintChart::implicit);
  const State velocities = f.state("x' = 1.05*cos(0.6), y' = 1.05*sin(0.6), z' = 0.7");
  for (ConstraintSpace* space : {&*charted.space, &*implicit.space}) {
    const ConstraintDynamics dynamics = derive_constraint_dynamics(*f.motion, *space);
    const Matrix metric = derive_metric_on(*f.algebra, *f.motion, *space);
    const std::vector<Expr> rates = solve_flow(*f.algebra, derive_fibre_metric(*f.algebra, metric, *space),
                                               *space, dynamics, dynamics.forces);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NUMBER(f.number(apply(space->flow(rates), space->psi[i]), velocities), expected[i]);
    }
  }
}

TEST(ChetaevForms, of_the_cone) {
  CATALOGUE_ROW("MP2.3-chetaev");
  const Mechanism f = Mechanism::file("f2_appell_hamel");
  const State at = f.state(test::f2_state);
  const Form nu = f.form("cos(phi): dx; sin(phi): dy; -k: dz");
  EXPECT_PROVED(f.equal(f.geometry->chetaev[0], f("2*k*u") * nu));
  EXPECT_NUMBERS(f.numbers(f("1/(2*k*u)") * f.geometry->chetaev[0], at),
                 {0.825335614909678, 0.564642473395035, -1.5});
  EXPECT_PROVED(f.zero(f.geometry->chetaev[0].coefficient({"dt"})));
  const std::vector<Expr> components = configuration_components(nu, 3);
  for (Expr contraction : on_variations(f.space(), components)) EXPECT_PROVED(f.zero(contraction));
  // omt^z alone is none.
  const std::vector<Expr> third = on_variations(f.space(), f.list({"0", "0", "1"}));
  EXPECT_PROVED(f.equal(third[0], "1"));
  EXPECT_REFUTED(f.zero(third[0]));
}

TEST(ChetaevForms, of_the_speed_and_of_the_disc) {
  CATALOGUE_ROW("MP2.3-chetaev");
  const Mechanism speed = Mechanism::file("f3_speed");
  const Expr w = speed("v0 + acc*t");
  const Form nu = speed.form("cos(phi): dx; sin(phi): dy; -(v0 + acc*t): dt");
  EXPECT_PROVED(speed.equal(speed.geometry->chetaev[0], (2 * w) * nu));
  const Mechanism disc = Mechanism::file("f6_disc");
  EXPECT_PROVED(disc.equal(disc.geometry->chetaev[0], disc.form("1: dx; R*sin(varphi): dtheta")));
  EXPECT_PROVED(disc.equal(disc.geometry->chetaev[1], disc.form("1: dy; -R*cos(varphi): dtheta")));
}

TEST(ChetaevForms, do_not_depend_on_how_the_relation_is_written) {
  CATALOGUE_ROW("MP2.3-chetaev");
  const std::string sphere =
      "coord x, y, z\nkinetic x'^2 + y'^2 + z'^2\nlet s = x*x' + y*y' + z*z'\n"
      "intrinsic a, b: x' = a, y' = b, z' = -(x*a + y*b)/z\n";
  const Mechanism linear(sphere + "constraint c: s = 0\n");
  const Mechanism cubic(sphere + "constraint c: s^3 + s*(1 + x'^2) = 0\n");
  EXPECT_PROVED(linear.equal(linear.geometry->chetaev[0], linear.form("x: dx; y: dy; z: dz")));
  EXPECT_PROVED(
      cubic.equal(cubic.geometry->chetaev[0], cubic("1 + a^2") * cubic.form("x: dx; y: dy; z: dz")));
}

TEST(FibreMetric, of_the_fixtures) {
  CATALOGUE_ROW("MP2.3-G-PA");
  const auto expect_diagonal = [](const Mechanism& f, std::initializer_list<std::string_view> expected) {
    const std::vector<Expr> diagonal = f.list(expected);
    for (std::size_t a = 0; a < diagonal.size(); ++a) {
      for (std::size_t b = 0; b < diagonal.size(); ++b) {
        EXPECT_PROVED(f.equal(f.geometry->fibre_metric(a, b), a == b ? diagonal[a] : f("0")));
      }
    }
  };
  const Mechanism f1 = Mechanism::file("f1_sleigh2"), f2 = Mechanism::file("f2_appell_hamel"),
                  f3 = Mechanism::file("f3_speed"), f5 = Mechanism::file("f5_rotating_polar"),
                  f6 = Mechanism::file("f6_disc");
  expect_diagonal(f1, {"m1 + m2", "m1*(length + growth*t + speeding*t^2/2)^2 + m2*l2^2"});
  expect_diagonal(f2, {"m*(1 + k^2)", "m*k^2*u^2"});
  expect_diagonal(f3, {"m*(v0 + acc*t)^2"});
  expect_diagonal(f6, {"m*R^2/4", "3/2*m*R^2"});
  const auto entry = [](const Mechanism& f, std::size_t a, std::string_view at) {
    return f.number(f.geometry->fibre_metric(a, a), f.state(at));
  };
  EXPECT_NUMBER(entry(f1, 0, test::f1_state), 5);
  EXPECT_NUMBER(entry(f1, 1, test::f1_state), 3.17);
  EXPECT_NUMBER(entry(f2, 0, test::f2_state), 6.5);
  EXPECT_NUMBER(entry(f2, 1, test::f2_state), 2.205);
  EXPECT_NUMBER(entry(f5, 0, test::f5_state), 2.07272727272727);
  EXPECT_NUMBER(entry(f6, 0, test::f6_state), 0.06);
  EXPECT_NUMBER(entry(f6, 1, test::f6_state), 0.36);
}

TEST(FibreMetric, misprint_of_the_indices) {
  CATALOGUE_ROW("MP2.3-G-PA");
  const Mechanism f = Mechanism::file("f1_sleigh2");
  Expr printed = f("0");
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      printed += f.geometry->metric(i, j) * f.space().tangent(i, 1) * f.space().tangent(i, 1);
    }
  }
  test::refute({"MP2.3-G-PA", "Fibre metric of the constraint manifold",
                "g_ij (dpsi^i/dz^A) (dpsi^i/dz^B) in (2.34), and again before (2.37)",
                "g_ij (dpsi^i/dz^A) (dpsi^j/dz^B)",
                "G_ww of two masses on a rod with a blade (f1_sleigh2.lia) == the printed sum over i and j"},
               f.equal(f.geometry->fibre_metric(1, 1), printed));
}

TEST(FibreMetric, misprint_of_its_arguments) {
  CATALOGUE_ROW("MP2.3-prop2.1");
  const Mechanism f = Mechanism::file("f5_rotating_polar");
  std::string metric;
  for (Expr entry : f.geometry->inverse_metric.entries) {
    metric += (metric.empty() ? "" : ", ") + to_infix(entry);
    for (Expr z : f.space().fibre) EXPECT_PROVED(f.zero(derivative(entry, z)));
  }
  if (::testing::Test::HasFailure()) return;
  test::record(
      {"MP2.3-prop2.1", "Arguments of the metric of contact forms", "g^ij(t, q, z) in (2.44)", "g^ij(t, q)",
       "the metric of contact forms varies along the fibres of the constraint manifold"},
      "g^ij of f5_rotating_polar.lia, row by row, is `" + metric +
          "`: its derivatives by the fibre "
          "coordinate z1 vanish");
}

TEST(FibreMetric, projection) {
  CATALOGUE_ROW("MP2.3-G-PA");
  for (const std::string& name : fixtures) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    for (std::size_t a = 0; a < f.space().freedom(); ++a) {  // the identity on vertical vectors of A
      const std::vector<Expr> same = project(*f.geometry, column(f.space().tangent, a));
      for (std::size_t b = 0; b < same.size(); ++b) EXPECT_PROVED(f.equal(same[b], a == b ? "1" : "0"));
    }
    for (std::size_t s = 0; s < f.motion->relation_count; ++s) {  // 0 on g^-1 of the Chetaev forms
      std::vector<Expr> raised;
      for (std::size_t i = 0; i < f.space().size(); ++i) {
        Expr sum = f("0");
        for (std::size_t k = 0; k < f.space().size(); ++k) {
          sum += f.geometry->inverse_metric(i, k) * f.geometry->relation_gradient(s, k);
        }
        raised.push_back(sum);
      }
      for (Expr component : project(*f.geometry, raised)) EXPECT_PROVED(f.zero(component));
    }
  }
  const Mechanism cone = Mechanism::file("f2_appell_hamel");
  EXPECT_NUMBERS(
      cone.numbers(project(*cone.geometry, cone.list({"1", "0", "0"})), cone.state(test::f2_state)),
      {0.380924129958313, -0.537754736566700});
}

TEST(VirtualForms, sigma_of_the_fixtures) {
  CATALOGUE_ROW("MP2.3-Jhat");
  const Mechanism f1 = Mechanism::file("f1_sleigh2"), f2 = Mechanism::file("f2_appell_hamel"),
                  f5 = Mechanism::file("f5_rotating_polar"), f6 = Mechanism::file("f6_disc");
  const State at1 = f1.state(test::f1_state), at2 = f2.state(test::f2_state);
  EXPECT_NUMBERS(f1.numbers(f1.geometry->sigma[0], at1), {0.764842187284488, 0.644217687237691, 0});
  EXPECT_NUMBERS(f1.numbers(f1.geometry->sigma[1], at1), {-0.142256271629774, 0.168892596561244, 1});
  EXPECT_NUMBERS(f2.numbers(f2.geometry->sigma[0], at2),
                 {0.380924129958313, 0.260604218490016, 0.307692307692308});
  EXPECT_NUMBERS(f2.numbers(f2.geometry->sigma[1], at2), {-0.537754736566700, 0.786033918961598, 0});
  EXPECT_NUMBERS(f5.numbers(f5.geometry->sigma[0], f5.state(test::f5_state)),
                 {0.964912280701754, 0.220801862772663});
  EXPECT_NUMBERS(f6.numbers(f6.geometry->sigma[1], f6.state(test::f6_state)),
                 {-1.07369614539615, 1.27473697880748, 0, 0.333333333333333});
  EXPECT_PROVED(f2.equal(f2.geometry->sigma[0],
                         f2.contact({"k*cos(phi)/(1 + k^2)", "k*sin(phi)/(1 + k^2)", "1/(1 + k^2)"})));
  EXPECT_PROVED(f2.equal(f2.geometry->sigma[1], f2.contact({"-sin(phi)/(k*u)", "cos(phi)/(k*u)", "0"})));
  EXPECT_PROVED(f6.equal(f6.geometry->sigma[0], f6.contact({"0", "0", "1", "0"})));
  EXPECT_PROVED(f6.equal(f6.geometry->sigma[1],
                         f6.contact({"-2*sin(varphi)/(3*R)", "2*cos(varphi)/(3*R)", "0", "1/3"})));
}

TEST(VirtualForms, the_tensor_of_the_constraint_manifold) {
  CATALOGUE_ROW("MP2.3-Jhat");
  for (const std::string& name : fixtures) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const ConstraintSpace& space = f.space();
    const Matrix j = matrix_of(f.geometry->tensor), square = j * j;
    for (Expr entry : square.entries) EXPECT_PROVED(f.zero(entry));
    const VectorField on_flow = apply(f.geometry->tensor, space.flow(f.ideal_flow()));
    for (Expr component : on_flow.components()) EXPECT_PROVED(f.zero(component));
    for (std::size_t a = 0; a < space.freedom(); ++a) {
      const std::vector<Expr> sigma = configuration_components(f.geometry->sigma[a], space.size());
      const std::vector<Expr> dual = on_variations(space, sigma);
      for (std::size_t b = 0; b < dual.size(); ++b) EXPECT_PROVED(f.equal(dual[b], a == b ? "1" : "0"));
      // g-hat(d/dz^A) is the pull-back of g(dpsi/dz^A).
      std::vector<Expr> unit(space.freedom(), f("0"));
      unit[a] = f("1");
      Form pulled(space.coframe, 1);
      for (std::size_t i = 0; i < space.size(); ++i) {
        for (std::size_t k = 0; k < space.size(); ++k) {
          pulled = pulled + (f.geometry->metric(i, k) * space.tangent(i, a)) * space.contact[k];
        }
      }
      EXPECT_PROVED(f.equal(lower(*f.geometry, unit), pulled));
    }
  }
}

TEST(VirtualForms, the_tensor_is_the_same_in_two_charts) {
  CATALOGUE_ROW("MP2.3-Jhat");
  const Mechanism f = Mechanism::file("f2_appell_hamel");
  const VelocityChart flat{f.list({"x'", "y'"}), f.list({"x'", "y'", "sqrt(x'^2 + y'^2)/k"})};
  ConstraintSpaceResult charted = make_constraint_space(*f.algebra, *f.motion, flat);
  ASSERT_TRUE(charted.space) << charted.reason;
  const ConstraintGeometry other = derive_constraint_geometry(*f.algebra, *f.motion, *charted.space);
  // Basis of A: x, y, z, u, phi, t and x, y, z, x', y', t.
  const std::vector<Expr> from = f.list({"x", "y", "z", "u", "phi", "t"}),
                          to = f.list({"x", "y", "z", "k*u*cos(phi)", "k*u*sin(phi)", "t"});
  Matrix jacobian_matrix(*f.system->pool, 6, 6);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) jacobian_matrix(i, j) = derivative(to[i], from[j]);
  }
  Matrix renamed = matrix_of(other.tensor);
  const Substitution velocities{{f("x'"), to[3]}, {f("y'"), to[4]}};
  for (Expr& entry : renamed.entries) entry = substitute(entry, velocities);
  const Matrix left = jacobian_matrix * matrix_of(f.geometry->tensor), right = renamed * jacobian_matrix;
  const State at = f.state(test::f2_state);
  EXPECT_TRUE(test::are_near(f.numbers(left.entries, at), f.numbers(right.entries, at)));
}

TEST(VirtualForms, the_tensor_depends_on_the_masses) {
  CATALOGUE_ROW("MP2.3-Jhat");
  const Mechanism f = Mechanism::file("f1_sleigh2");
  const std::vector<Expr> sigma = configuration_components(f.geometry->sigma[1], 3);
  EXPECT_REFUTED(f.zero(derivative(sigma[0], f("m2"))));
  const JetGeometry jet = derive_jet_geometry(*f.algebra, *f.motion);
  const Matrix j = matrix_of(jet.tensor);
  for (Expr entry : j.entries) EXPECT_PROVED(f.zero(derivative(entry, f("m2"))));
}

/// d_v-hat f and d_v-hat df for a function of the state.
void expect_fibre_rules(const Mechanism& f, std::string_view text) {
  const CoframePtr& coframe = f.space().coframe;
  const FibreTensor& tensor = f.geometry->tensor;
  const Form function = Form::function(coframe, f(text));
  Form expected(coframe, 1);
  for (std::size_t a = 0; a < f.space().freedom(); ++a) {
    expected = expected + derivative(f(text), f.space().fibre[a]) * f.geometry->sigma[a];
  }
  EXPECT_PROVED(f.equal(fibre_differential(tensor, function), expected));
  const Form dt = Form::basis(coframe, "dt");
  EXPECT_PROVED(f.equal(fibre_differential(tensor, d(function)), -d(expected - f(text) * dt)));
}

TEST(FibreDifferentiationOnA, on_functions) {
  CATALOGUE_ROW("MP2.3-dvhat");
  expect_fibre_rules(Mechanism::file("f1_sleigh2"), "sin(u*x) + w^2*t*theta");
  expect_fibre_rules(Mechanism::file("f2_appell_hamel"), "u^2*cos(phi + x) + y*t*u");
  expect_fibre_rules(Mechanism::file("f5_rotating_polar"), "z1^3*rho + sin(alpha*z1)*t");
}

TEST(FibreDifferentiationOnA, its_square_vanishes_for_linear_relations) {
  CATALOGUE_ROW("MP2.3-dvhat");
  const Mechanism f = Mechanism::file("f1_sleigh2");
  const auto dv = [&](const Form& a) { return fibre_differential(f.geometry->tensor, a); };
  const Form function = Form::function(f.space().coframe, f("sin(u*x) + w^2*t*theta*u"));
  const Form pfaff = f.form("u*w*x: du; sin(theta*w): dx; u^2: dtheta; x*y: dw; w: dt");
  const State at = f.state(test::f1_state);
  for (const Form& twice : {dv(dv(function)), dv(dv(pfaff))}) {
    EXPECT_PROVED(f.zero(twice));
    EXPECT_NUMBER(f.largest(twice, at), 0);
  }
}

TEST(FibreDifferentiationOnA, its_square_does_not_vanish_on_the_cone) {
  CATALOGUE_ROW("MP2.3-dvhat");
  const Mechanism f = Mechanism::file("f2_appell_hamel");
  const auto dv = [&](const Form& a) { return fibre_differential(f.geometry->tensor, a); };
  const std::vector<Form>& sigma = f.geometry->sigma;
  const Form nu = f.form("cos(phi): dx; sin(phi): dy; -k: dz");
  EXPECT_PROVED(f.zero(dv(sigma[0])));
  const Expr coefficient = f("-1/(k*u*(1 + k^2))");
  EXPECT_PROVED(f.equal(dv(sigma[1]), coefficient * wedge(sigma[1], nu)));
  EXPECT_NUMBER(f.number(coefficient, f.state(test::f2_state)), -0.293040293040293);
  const Form phi = Form::function(f.space().coframe, f("phi"));
  EXPECT_REFUTED(f.zero(dv(dv(phi))));
}

TEST(FibreDifferentiationOnA, of_the_virtual_forms) {
  CATALOGUE_ROW("MP2.3-dvhat");
  for (const char* name : {"f1_sleigh2", "f2_appell_hamel", "f5_rotating_polar"}) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const ConstraintSpace& space = f.space();
    for (const Form& sigma : f.geometry->sigma) {
      Form expected(space.coframe, 2);
      const std::vector<Expr> components = configuration_components(sigma, space.size());
      for (std::size_t b = 0; b < space.freedom(); ++b) {
        for (std::size_t i = 0; i < space.size(); ++i) {
          expected = expected + derivative(components[i], space.fibre[b]) *
                                    wedge(f.geometry->sigma[b], f.geometry->chi[i]);
        }
      }
      EXPECT_PROVED(f.equal(fibre_differential(f.geometry->tensor, sigma), expected));
    }
  }
}

TEST(ContactFormsOnA, virtual_and_chetaev_forms_are_orthogonal) {
  CATALOGUE_ROW("MP2.3-prop2.1");
  for (const std::string& name : fixtures) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const ConstraintGeometry& geometry = *f.geometry;
    const std::size_t r = f.space().freedom();
    for (std::size_t a = 0; a < r; ++a) {
      for (std::size_t b = 0; b < r; ++b) {
        EXPECT_PROVED(f.equal(inner_product(geometry, geometry.sigma[a], geometry.sigma[b]),
                              geometry.inverse_fibre_metric(a, b)));
      }
      for (std::size_t i = 0; i < f.space().size(); ++i) {
        Expr expected = f("0");
        for (std::size_t b = 0; b < r; ++b) {
          expected += geometry.inverse_fibre_metric(a, b) * f.space().tangent(i, b);
        }
        EXPECT_PROVED(f.equal(inner_product(geometry, f.space().contact[i], geometry.sigma[a]), expected));
      }
      for (const Form& nu : geometry.chetaev)
        EXPECT_PROVED(f.zero(inner_product(geometry, nu, geometry.sigma[a])));
    }
  }
  const Mechanism f2 = Mechanism::file("f2_appell_hamel");
  const State at = f2.state(test::f2_state);
  const std::vector<Form>& sigma = f2.geometry->sigma;
  EXPECT_NUMBER(f2.number(inner_product(*f2.geometry, sigma[0], sigma[0]), at), 0.153846153846154);
  EXPECT_NUMBER(f2.number(inner_product(*f2.geometry, sigma[1], sigma[1]), at), 0.453514739229025);
  // (2.44) lets g^ij depend on z; it does not.
  for (Expr entry : f2.geometry->inverse_metric.entries) {
    for (Expr z : f2.space().fibre) EXPECT_PROVED(f2.zero(derivative(entry, z)));
  }
}

TEST(ContactFormsOnA, a_generic_form_splits) {
  CATALOGUE_ROW("MP2.3-split");
  const Mechanism f = Mechanism::file("f2_appell_hamel");
  const State at = f.state(test::f2_state);
  const ContactSplit parts = split(*f.geometry, f.list({"1", "2", "-1"}));
  EXPECT_NUMBERS(f.numbers(parts.virtual_part, at), {0.122701112132283, 1.39980753889246, 0.594440259246038});
  EXPECT_NUMBERS(f.numbers(parts.chetaev_part, at),
                 {0.877298887867717, 0.600192461107536, -1.59444025924604});
  const auto norm = [&](const Form& a) { return f.number(inner_product(*f.geometry, a, a), at); };
  EXPECT_NUMBER(norm(parts.virtual_part), 1.16393796533559);
  EXPECT_NUMBER(norm(parts.chetaev_part), 1.83606203466441);
  EXPECT_NUMBER(norm(f.contact({"1", "2", "-1"})), 3);
  const Form nu = f.form("cos(phi): dx; sin(phi): dy; -k: dz");
  EXPECT_NUMBER(f.number(parts.chetaev_part.coefficient({"dz"}) / nu.coefficient({"dz"}), at),
                1.06296017283069);
  EXPECT_PROVED(f.zero(wedge(parts.chetaev_part, nu)));
  EXPECT_PROVED(f.equal(parts.virtual_part + parts.chetaev_part, f.contact({"1", "2", "-1"})));
}

TEST(ContactFormsOnA, a_generic_form_is_neither_virtual_nor_of_chetaev) {
  CATALOGUE_ROW("MP2.3-prop2.1");
  const Mechanism f = Mechanism::file("f2_appell_hamel");
  const ContactSplit parts = split(*f.geometry, f.list({"1", "2", "-1"}));
  EXPECT_REFUTED(f.zero(parts.virtual_part));
  EXPECT_REFUTED(f.zero(parts.chetaev_part));
  EXPECT_PROVED(f.zero(inner_product(*f.geometry, parts.virtual_part, parts.chetaev_part)));
}

TEST(ContactFormsOnA, the_parts_satisfy_linear_relations) {
  CATALOGUE_ROW("MP2.3-split");
  for (const std::string& name : fixtures) {
    SCOPED_TRACE(name);
    const Mechanism f = Mechanism::file(name);
    const ConstraintGeometry& geometry = *f.geometry;
    const std::size_t n = f.space().size();
    for (std::size_t a = 0; a < f.space().freedom(); ++a) {
      Form sum(f.space().coframe, 1);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          sum = sum + (geometry.metric(i, j) * f.space().tangent(i, a)) * geometry.chi[j];
        }
      }
      EXPECT_PROVED(f.zero(sum));
    }
    for (std::size_t s = 0; s < f.motion->relation_count; ++s) {
      Form sum(f.space().coframe, 1);
      for (std::size_t k = 0; k < n; ++k)
        sum = sum + geometry.relation_gradient(s, k) * geometry.virtual_contact[k];
      EXPECT_PROVED(f.zero(sum));
    }
    Matrix chi(*f.system->pool, n, n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<Expr> components = configuration_components(geometry.chi[i], n);
      for (std::size_t j = 0; j < n; ++j) chi(i, j) = components[j];
    }
    EXPECT_EQ(rank(*f.algebra, chi).rank, f.motion->relation_count);
  }
}

}  // namespace
}  // namespace liaison
