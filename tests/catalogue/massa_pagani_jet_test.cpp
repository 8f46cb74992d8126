/// Rows MP2.1-fibre-metric, MP2.2-contact, MP2.2-J, MP2.2-dv: the jet space of a system.
#include "liaison/expr/differentiate.hpp"
#include "liaison/model/language.hpp"
#include "massa_pagani_support.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::Mechanism;
using test::State;

const std::string polar =
    "param m > 0 = 1, om = 0.3\ncoord r, alpha\nparticle P mass m at [r*cos(alpha), r*sin(alpha)]\n";
const std::string rotating =
    "param m > 0 = 1, om = 0.3\ncoord r, alpha\n"
    "particle P mass m at [r*cos(alpha - om*t), r*sin(alpha - om*t)]\n";
const std::string accelerated =
    "param m > 0 = 1, om = 0.3\ncoord r, alpha\nparticle P mass m at [r*cos(alpha) - t^2, r*sin(alpha)]\n";

Expr gram_value(const Matrix& gram, const std::vector<Expr>& x, const std::vector<Expr>& y) {
  Expr sum = x[0].pool().number(0);
  for (std::size_t h = 0; h < x.size(); ++h) {
    for (std::size_t k = 0; k < y.size(); ++k) sum += gram(h, k) * x[h] * y[k];
  }
  return sum;
}

void expect_gram(const std::string& model, std::initializer_list<std::string_view> expected) {
  const Mechanism mechanism(model);
  const Matrix gram = space_time_gram(*mechanism.algebra, *mechanism.system);
  const std::vector<Expr> entries = mechanism.list(expected);
  for (std::size_t i = 0; i < entries.size(); ++i)
    EXPECT_PROVED(mechanism.equal(gram.entries[i], entries[i]));
  const std::vector<Expr> jet = mechanism.list({"1", "r'", "alpha'"});
  EXPECT_PROVED(mechanism.equal(mechanism.system->kinetic, gram_value(gram, jet, jet) / 2));
  // The metric of the jets is its vertical block.
  const JetGeometry geometry = derive_jet_geometry(*mechanism.algebra, *mechanism.motion);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_PROVED(mechanism.equal(geometry.metric(i, j), gram(i + 1, j + 1)));
    }
  }
}

TEST(MassaPaganiJet, the_vertical_metric_is_the_same_in_all_frames) {
  CATALOGUE_ROW("MP2.1-fibre-metric");
  expect_gram(polar, {"0", "0", "0", "0", "m", "0", "0", "0", "m*r^2"});
  expect_gram(rotating, {"m*om^2*r^2", "0", "-m*om*r^2", "0", "m", "0", "-m*om*r^2", "0", "m*r^2"});
  expect_gram(accelerated, {"4*m*t^2", "-2*m*t*cos(alpha)", "2*m*r*t*sin(alpha)", "-2*m*t*cos(alpha)", "m",
                            "0", "2*m*r*t*sin(alpha)", "0", "m*r^2"});
}

TEST(MassaPaganiJet, the_kinetic_energy_depends_on_the_frame) {
  CATALOGUE_ROW("MP2.1-fibre-metric");
  const std::string_view at = "t = 0.25, r = 2, alpha = 1/3, r' = 0.5, alpha' = 0.8";
  const Mechanism fixed(polar), turning(rotating);
  EXPECT_NUMBER(fixed.number(fixed.system->kinetic, fixed.state(at)), 1.405);
  EXPECT_NUMBER(turning.number(turning.system->kinetic, turning.state(at)), 0.625);
  const Matrix gram = space_time_gram(*turning.algebra, *turning.system);
  EXPECT_NUMBERS(turning.numbers({gram(1, 1), gram(2, 2), gram(0, 0), gram(0, 2)}, turning.state(at)),
                 {1, 4, 0.36, -1.2});
  EXPECT_REFUTED(turning.equal(turning.system->kinetic, "m/2*(r'^2 + r^2*alpha'^2)"));
}

TEST(MassaPaganiJet, misprint_of_the_quadratic_form) {
  CATALOGUE_ROW("MP2.1-fibre-metric");
  const Mechanism turning(rotating);
  const Matrix gram = space_time_gram(*turning.algebra, *turning.system);
  const std::vector<Expr> jet = turning.list({"1", "r'", "alpha'"}), other = turning.list({"1", "0", "0"});
  EXPECT_PROVED(turning.equal(turning.system->kinetic, gram_value(gram, jet, jet) / 2));
  test::refute({"MP2.1-fibre-metric", "Quadratic form of a frame of reference",
                "(X, Y) as the quadratic form of the scalar product, after (2.7)", "(X, X)",
                "T == (Z, Y)/2 with the jet Z = (1, r', alpha') and Y = (1, 0, 0), for a particle in polar "
                "coordinates "
                "seen from a frame that turns at the rate om"},
               turning.equal(turning.system->kinetic, gram_value(gram, jet, other) / 2));
}

TEST(MassaPaganiJet, a_singular_metric_is_refused) {
  CATALOGUE_ROW("MP2.1-fibre-metric");
  EXPECT_LIAISON_ERROR(
      Mechanism("coord x, y\nkinetic (x' + y')^2/2\n"), ErrorCode::not_a_basis,
      "the kinetic energy is singular",
      "every velocity needs an inertia, and every parameter of the velocities must change them");
  const Source without("test.lia", "coord x, y\nkinetic x'^2/2\n");
  const ParsedModel parsed = parse_model(without);
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  EXPECT_EQ(parsed.diagnostics[0].code, "L0416");
}

/// Two coordinates with a metric that is neither constant nor diagonal.
struct MassaPaganiJets : ::testing::Test {
  Mechanism jets{"coord q1, q2\nkinetic (1 + q2^2)*q1'^2/2 + q1*q1'*q2'/3 + (2 + q1^2)*q2'^2/2 + t*q2'\n"};
  JetGeometry jet = derive_jet_geometry(*jets.algebra, *jets.motion);
  CoframePtr coframe = jet.space.coframe;
  State at = jets.state("q1' = 1.2, q2' = 0.7");

  Form basis(const char* name) { return Form::basis(coframe, name); }
  Expr value_on(const VectorField& x, const Form& a) {
    return interior(x, a).coefficient(std::span<const std::size_t>{});
  }
  std::vector<VectorField> semi_sprays() {
    return {jet.space.motion_field(jets.list({"0", "0"})),
            jet.space.motion_field(jets.list({"sin(q1*q2')*t", "q1'^2 - q2"}))};
  }
};

TEST_F(MassaPaganiJets, contact_forms_vanish_on_every_semi_spray) {
  CATALOGUE_ROW("MP2.2-contact");
  for (const VectorField& z : semi_sprays()) {
    for (const Form& om : jet.contact) EXPECT_PROVED(jets.zero(value_on(z, om)));
  }
}

TEST_F(MassaPaganiJets, misprint_of_the_contact_forms) {
  CATALOGUE_ROW("MP2.2-contact");
  const Form printed = basis("dq1") - jets("q1") * basis("dt");
  for (const VectorField& z : semi_sprays()) EXPECT_REFUTED(jets.zero(value_on(z, printed)));
  test::refute({"MP2.2-contact", "Contact forms", "dq^i - q^i dt in (2.9)", "dq^i - q'^i dt",
                "dq1 - q1 dt on d/dt + q1' d/dq1 + ... == 0, as for every contact form"},
               jets.zero(value_on(semi_sprays()[0], printed)));
}

TEST_F(MassaPaganiJets, push_forward_and_pull_back) {
  CATALOGUE_ROW("MP2.2-contact");
  const VectorField x(coframe, jets.list({"2", "-1", "5", "0", "1"}));
  EXPECT_NUMBERS(jets.numbers(vertical_push_forward(jet, x), at), {0.8, -1.7});
  const Form nu = jets("3") * basis("dt") + jets("4") * basis("dq1") - jets("2") * basis("dq2");
  const Form pulled = contact_pull_back(jet, nu);
  EXPECT_NUMBER(jets.number(pulled.coefficient({"dt"}), at), -3.4);
  EXPECT_NUMBER(jets.number(pulled.coefficient({"dq1"}), at), 4);
  EXPECT_NUMBER(jets.number(pulled.coefficient({"dq2"}), at), -2);
  EXPECT_PROVED(jets.zero(contact_pull_back(jet, basis("dt"))));
  // It differs from nu by <z, nu> dt.
  EXPECT_REFUTED(jets.zero(pulled - nu));
  const Expr on_jet = value_on(semi_sprays()[1], nu);
  EXPECT_PROVED(jets.zero(pulled - nu + on_jet * basis("dt")));
  EXPECT_PROVED(jets.equal(pairing(jet, pulled, jets.list({"V1", "V2"})), "4*V1 - 2*V2"));
}

TEST_F(MassaPaganiJets, contact_differential_and_vertical_lift) {
  CATALOGUE_ROW("MP2.2-contact");
  const Expr f = jets("sin(q1*t) + q2^3*q1");
  const Form expected = jets("t*cos(q1*t) + q2^3") * jet.contact[0] + jets("3*q2^2*q1") * jet.contact[1];
  EXPECT_PROVED(jets.zero(contact_differential(jet, f) - expected));
  EXPECT_REFUTED(jets.zero(contact_differential(jet, f) - d(coframe, f)));
  const VectorField lifted = vertical_lift(jet, jets.list({"V1", "V2"}));
  EXPECT_PROVED(
      are_equal(*jets.algebra, lifted, VectorField(coframe, jets.list({"0", "0", "V1", "V2", "0"}))));
}

TEST_F(MassaPaganiJets, the_fundamental_tensor) {
  CATALOGUE_ROW("MP2.2-J");
  const Matrix j = matrix_of(jet.tensor);
  // Rows of q1', q2'; the basis here is q1, q2, q1', q2', t.
  EXPECT_NUMBERS(jets.numbers({j(2, 4), j(2, 0), j(2, 1), j(2, 2), j(2, 3)}, at), {-1.2, 1, 0, 0, 0});
  EXPECT_NUMBERS(jets.numbers({j(3, 4), j(3, 0), j(3, 1), j(3, 2), j(3, 3)}, at), {-0.7, 0, 1, 0, 0});
  const Matrix square = j * j;
  for (Expr entry : square.entries) EXPECT_PROVED(jets.zero(entry));
  for (const VectorField& z : semi_sprays()) {
    const VectorField image = apply(jet.tensor, z);
    for (Expr component : image.components()) EXPECT_PROVED(jets.zero(component));
  }
  const VectorField other = apply(jet.tensor, VectorField::dual(coframe, "dq1"));
  EXPECT_PROVED(are_equal(*jets.algebra, other, VectorField::dual(coframe, "dq1'")));
}

TEST_F(MassaPaganiJets, j_is_a_tensor) {
  CATALOGUE_ROW("MP2.2-J");
  const std::vector<Expr> symbols = jets.list({"q1", "q2", "q1'", "q2'", "t"});
  std::vector<Expr> image = jets.list({"q1 + t*q2^2", "q2*exp(t)/2 + q1^3"});
  const VectorField spray = semi_sprays()[0];
  image.push_back(apply(spray, image[0]));  // the prolongation to the jets
  image.push_back(apply(spray, image[1]));
  image.push_back(jets("t"));
  Matrix jacobian_matrix(*jets.system->pool, 5, 5), renamed = matrix_of(jet.tensor);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t k = 0; k < 5; ++k) jacobian_matrix(i, k) = derivative(image[i], symbols[k]);
  }
  const Substitution new_velocities{{symbols[2], image[2]}, {symbols[3], image[3]}};
  for (Expr& entry : renamed.entries) entry = substitute(entry, new_velocities);
  const Matrix left = jacobian_matrix * matrix_of(jet.tensor), right = renamed * jacobian_matrix;
  const Matrix wrong = matrix_of(jet.tensor) * jacobian_matrix;
  for (std::size_t i = 0; i < 25; ++i) EXPECT_PROVED(jets.equal(left.entries[i], right.entries[i]));
  EXPECT_REFUTED(jets.equal(left(2, 4), wrong(2, 4)));
}

TEST_F(MassaPaganiJets, indices_are_lowered_onto_contact_forms) {
  CATALOGUE_ROW("MP2.2-J");
  const std::vector<std::vector<Expr>> unit{jets.list({"1", "0"}), jets.list({"0", "1"})};
  for (std::size_t i = 0; i < 2; ++i) {
    const Form lowered = lower(jet, unit[i]);
    EXPECT_PROVED(jets.zero(lowered - jet.metric(i, 0) * jet.contact[0] - jet.metric(i, 1) * jet.contact[1]));
    const std::vector<Expr> back = raise(jet, lowered);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_PROVED(jets.equal(back[j], unit[i][j]));
      EXPECT_PROVED(jets.equal(inner_product(jet, jet.contact[i], jet.contact[j]), jet.inverse_metric(i, j)));
      const Expr product =
          jet.metric(i, 0) * jet.inverse_metric(0, j) + jet.metric(i, 1) * jet.inverse_metric(1, j);
      EXPECT_PROVED(jets.equal(product, i == j ? "1" : "0"));
    }
  }
}

struct FibreDifferentiation : MassaPaganiJets {
  Form dv(const Form& a) { return fibre_differential(jet.tensor, a); }
  Form v(const Form& a) { return fibre_derivation(jet.tensor, a); }
  /// dv - vd, without the term r dt^a.
  Form bare(const Form& a) { return d(v(a)) - v(d(a)); }
  Form function(std::string_view text) { return Form::function(coframe, jets(text)); }

  /// Forms of every degree with transcendental coefficients.
  std::vector<Form> samples() {
    const Form a = jets("exp(q1*q2')*sin(t)") * basis("dq1'") + jets("q2*q1'^2") * basis("dq2") +
                   jets("cos(q1' + q2)") * basis("dt");
    const Form b = jets("sin(q1*q1')") * basis("dq2'") + jets("t*q2'^3") * basis("dq1");
    const Form c = jets("exp(q2')") * basis("dq2'") - jets("q1*q2") * basis("dt");
    return {function("sin(q1*q2') + q1'^2*q2*t"), a, wedge(a, b), wedge(wedge(a, b), c)};
  }
};

TEST_F(FibreDifferentiation, on_basis_forms) {
  CATALOGUE_ROW("MP2.2-dv");
  EXPECT_PROVED(jets.zero(v(basis("dq1'")) + jet.contact[0]));
  EXPECT_PROVED(jets.zero(v(basis("dq1"))));
  EXPECT_PROVED(jets.zero(v(basis("dt"))));
  EXPECT_PROVED(jets.zero(dv(jet.contact[0])));
  EXPECT_PROVED(jets.zero(dv(jet.contact[1])));
  EXPECT_PROVED(jets.zero(dv(basis("dt"))));
  EXPECT_PROVED(jets.zero(dv(basis("dq1")) + wedge(basis("dt"), basis("dq1"))));
}

TEST_F(FibreDifferentiation, on_a_function_and_on_a_pfaff_form) {
  CATALOGUE_ROW("MP2.2-dv");
  const State state = jets.state("t = 0.4, q1 = 0.3, q2 = -0.5, q1' = 1.2, q2' = 0.7");
  const Form f = function("sin(q1*q2') + q1'^2*q2*t"), df = dv(f);
  EXPECT_PROVED(jets.zero(df + v(d(f))));
  EXPECT_NUMBER(jets.number(df.coefficient({"dq1"}), state), -0.48);
  EXPECT_NUMBER(jets.number(df.coefficient({"dq2"}), state), 0.293409274417244);
  EXPECT_NUMBER(jets.number(df.coefficient({"dt"}), state), 0.370613507907929);

  const Form sigma = jets("q2'") * basis("dt") + jets("q1*q1'") * basis("dq1'");
  const Form expected = -wedge(basis("dt"), basis("dq2")) -
                        jets("3*q1*q1'") * wedge(basis("dt"), basis("dq1'")) +
                        jets("q1") * wedge(basis("dq1"), basis("dq1'"));
  EXPECT_PROVED(jets.zero(dv(sigma) - expected));
  EXPECT_NUMBER(jets.number(dv(sigma).coefficient({"dt", "dq2"}), state), -1);
  EXPECT_NUMBER(jets.number(dv(sigma).coefficient({"dt", "dq1'"}), state), -1.08);
  EXPECT_NUMBER(jets.number(dv(sigma).coefficient({"dq1", "dq1'"}), state), 0.3);
  EXPECT_PROVED(jets.zero(dv(dv(sigma))));
}

TEST_F(FibreDifferentiation, it_is_an_antiderivation_of_square_zero) {
  CATALOGUE_ROW("MP2.2-dv");
  const Form dt = basis("dt");
  const std::vector<Form> forms = samples();
  for (const Form& a : forms) {
    EXPECT_PROVED(jets.zero(dv(dv(a))));
    EXPECT_PROVED(jets.zero(dv(d(a)) + d(dv(a)) + wedge(dt, d(a))));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const Form &a = forms[i], &b = forms[1];
    const Rational sign(a.degree() % 2 == 0 ? 1 : -1);
    EXPECT_PROVED(jets.zero(dv(wedge(a, b)) - wedge(dv(a), b) - sign * wedge(a, dv(b))));
  }
}

TEST_F(FibreDifferentiation, the_term_with_dt_is_essential) {
  CATALOGUE_ROW("MP2.2-dv");
  EXPECT_PROVED(jets.zero(bare(jet.contact[0]) - wedge(basis("dt"), basis("dq1"))));
  EXPECT_REFUTED(jets.zero(bare(jet.contact[0])));
  EXPECT_REFUTED(jets.zero(bare(bare(samples()[0]))));
  EXPECT_REFUTED(jets.zero(bare(bare(samples()[1]))));
}

}  // namespace
}  // namespace liaison
