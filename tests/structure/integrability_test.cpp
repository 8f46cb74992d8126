#include "liaison/structure/integrability.hpp"

#include <algorithm>
#include <cmath>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

struct Judged {
  Derived model;
  FirstIntegrals integrals;
  Integrability told;
};

Judged judge(Derived model, unsigned degree = 2) {
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  IntegralOptions options;
  options.degree = degree;
  FirstIntegrals found = find_first_integrals(*model.algebra, *flow.flow, options);
  std::optional<InvariantMeasure> measure;
  if (model.motion->relation_count > 0) measure = find_invariant_measure(*model.algebra, *flow.flow);
  Integrability told = judge_integrability(*model.algebra, *flow.flow, found, measure ? &*measure : nullptr);
  return {std::move(model), std::move(found), std::move(told)};
}

/// With integrals that are given.
Integrability judge_given(const Derived& model, const std::vector<std::string>& integrals) {
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  FirstIntegrals known;
  for (const std::string& text : integrals)
    known.found.push_back({model(text), Verdict::of(Grade::proved), "given", false, false});
  return judge_integrability(*model.algebra, *flow.flow, known, nullptr);
}

TEST(Integrability, ThreeIntegralsOfTodaAreInInvolution) {  // row G6.II-thmIV
  const Judged toda = judge(derive_file("classics/toda.lia"), 3);
  EXPECT_EQ(toda.told.by, IntegrableBy::involution);
  EXPECT_EQ(toda.told.grade, Grade::proved);
  EXPECT_EQ(toda.told.brackets.size(), 3u);
  for (const PoissonBracket& bracket : toda.told.brackets) EXPECT_TRUE(bracket.zero.is_proved());
  ASSERT_TRUE(toda.told.separation);
  EXPECT_TRUE(toda.told.separation->separable.is_refuted());  // in these coordinates
  // Without the cubic one two of three are known.
  const Judged two = judge(derive_file("classics/toda.lia"), 2);
  EXPECT_EQ(two.told.by, IntegrableBy::nothing_known);
  EXPECT_EQ(two.told.grade, Grade::unknown);
  EXPECT_EQ(two.told.involution.size(), 2u);
}

TEST(Integrability,
     BracketsHaveTheSignOfTheirDefinition) {  // row G6.II-bracket: (q, p) = 1, (f, g) of moments
  const Judged oscillator =
      judge(derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential (x^2 + y^2 + z^2)^2\n"));
  ASSERT_EQ(oscillator.integrals.found.size(), 4u);
  std::size_t found = 0;
  for (const PoissonBracket& bracket : oscillator.told.brackets) {
    if (bracket.zero.holds()) continue;
    EXPECT_NE(bracket.sign, 0) << to_infix(bracket.value);  // (Lx, Ly) = Lz
    const Derived& model = oscillator.model;
    const Expr f = oscillator.integrals.found[bracket.a].expression;
    const Expr g = oscillator.integrals.found[bracket.b].expression;
    std::vector<Expr> terms;  // p = q'
    for (const std::string q : {"x", "y", "z"}) {
      terms.push_back(derivative(f, model(q)) * derivative(g, model(q + "'")));
      terms.push_back(-(derivative(f, model(q + "'")) * derivative(g, model(q))));
    }
    EXPECT_TRUE(model.algebra->are_equal(bracket.value, model.algebra->pool().add(terms)).is_proved());
    ++found;
  }
  EXPECT_EQ(found, 3u);
  EXPECT_EQ(oscillator.told.by, IntegrableBy::isotropic_levels);
  EXPECT_EQ(oscillator.told.grade, Grade::proved);
}

TEST(Integrability, AMagneticFieldIsPartOfTheBrackets) {
  const Judged charge = judge(derive_file("classics/magnetic_field.lia"), 1);
  EXPECT_EQ(charge.told.by, IntegrableBy::involution);
  // The two momenta across the field are not in involution: (m x' - b y, m y' + b x) = +-b.
  std::size_t others = 0;
  for (const PoissonBracket& bracket : charge.told.brackets) {
    if (bracket.zero.holds()) continue;
    ++others;
    const Expr square = bracket.value * bracket.value;
    EXPECT_TRUE(charge.model.equal(square, "(charge*B)^2")) << to_infix(bracket.value);
  }
  EXPECT_EQ(others, 1u);
  // (x, x') = 1/m; (x', y') = charge B/m^2, for x'' = (x', m x'^2/2 + ...): so these have -charge B.
  const Integrability given = judge_given(charge.model, {"m*x' - charge*B*y", "m*y' + charge*B*x", "m*z'"});
  ASSERT_EQ(given.brackets.size(), 3u);
  EXPECT_TRUE(charge.model.equal(given.brackets[0].value, "-charge*B")) << to_infix(given.brackets[0].value);
}

TEST(Integrability, ForcesWithoutAPotentialHaveNoBrackets) {
  const Judged damped = judge(derive("param c > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -c*x'\n"));
  EXPECT_NE(damped.told.reason.find("no potential"), std::string::npos) << damped.told.reason;
  const Judged driven = judge(derive("coord x\nkinetic x'^2/2\npotential x*sin(t)\n"));
  EXPECT_NE(driven.told.reason.find("time"), std::string::npos) << driven.told.reason;
  EXPECT_EQ(driven.told.by, IntegrableBy::nothing_known);
}

TEST(Integrability, KeplerInPolarCoordinatesIsDelassusCase) {  // rows G6.II-thmIV, G6.II-delassus
  const Judged kepler = judge(derive("coord r, th\nkinetic (r'^2 + r^2*th'^2)/2\npotential -1/r\n"), 1);
  ASSERT_TRUE(kepler.told.separation);
  const Separation& separation = *kepler.told.separation;
  EXPECT_TRUE(separation.separable.is_proved());
  EXPECT_EQ(separation.family, "Delassus");
  ASSERT_EQ(separation.momenta.size(), 2u);
  EXPECT_TRUE(separation.momenta[0].two_signs);
  EXPECT_EQ(to_infix(separation.momenta[1].value), "F2");
  const Expr h = separation.constants[0], c = separation.constants[1];
  const Expr r = kepler.model("r"), p = separation.momenta[0].value;
  EXPECT_TRUE(kepler.model.algebra->are_equal(p * p, 2 * h + 2 / r - c * c / (r * r)).is_proved());
  // dr/p_r - dt and dth - c dr/(r^2 p_r): Gallissot's s2 and s1.
  ASSERT_EQ(separation.quadratures.size(), 2u);
  EXPECT_TRUE(separation.quadratures[0].rate.is_one());
  EXPECT_TRUE(kepler.model.algebra->are_equal(separation.quadratures[0].integrands[0].second, 1 / p).holds());
  EXPECT_TRUE(separation.quadratures[1].rate.is_zero());
}

TEST(Integrability, LiouvilleAndStaeckelAreToldApart) {  // rows G6.II-liouville, G6.II-staeckel
  const Judged liouville =
      judge(derive("coord a, b\nkinetic (1 + a^2 + b^2)*(a'^2 + (1 + b^2)*b'^2)/2\n"
                   "potential (a^3 + b)/(1 + a^2 + b^2)\n"));
  ASSERT_TRUE(liouville.told.separation);
  EXPECT_EQ(liouville.told.separation->family, "Liouville");
  // Spherical coordinates with a potential in all three: no sum of the form of Liouville.
  const Derived in_space = derive(
      "coord r, th, ph\nkinetic (r'^2 + r^2*th'^2 + r^2*sin(th)^2*ph'^2)/2\n"
      "potential r + cos(ph)/(r^2*sin(th)^2)\n");
  const Integrability staeckel_told = judge_given(
      in_space, {"(r'^2 + r^2*th'^2 + r^2*sin(th)^2*ph'^2)/2 + r + cos(ph)/(r^2*sin(th)^2)",
                 "r^4*th'^2 + r^4*sin(th)^2*ph'^2 + 2*cos(ph)/sin(th)^2", "r^4*sin(th)^4*ph'^2 + 2*cos(ph)"});
  EXPECT_EQ(staeckel_told.by, IntegrableBy::involution);
  ASSERT_TRUE(staeckel_told.separation);
  const Separation& staeckel = *staeckel_told.separation;
  EXPECT_TRUE(staeckel.separable.is_proved());
  EXPECT_EQ(staeckel.family, "Staeckel") << staeckel.reason;
  ASSERT_EQ(staeckel.momenta.size(), 3u);
  EXPECT_EQ(to_infix(staeckel.momenta[2].value), "sqrt(F3 - 2*cos(ph))");
  const Judged none = judge(derive("coord a, b\nkinetic (a'^2 + b'^2)/2\npotential a^2*b\n"));
  ASSERT_TRUE(none.told.separation);
  EXPECT_TRUE(none.told.separation->separable.is_refuted());
  EXPECT_EQ(none.told.by, IntegrableBy::nothing_known);
}

TEST(Integrability, TheMeasureOfChaplyginsBallIsTheLastMultiplier) {
  const Judged ball = judge(derive_file("classics/chaplygin_ball.lia"));
  EXPECT_EQ(ball.told.by, IntegrableBy::last_multiplier);
  EXPECT_EQ(ball.told.dimension, 6u);
  EXPECT_EQ(ball.told.ignored.size(), 2u);
}

TEST(Integrability, CoordinatesAreLeftOutOneAfterTheOther) {  // x and y of the sleigh, then its heading
  const Judged sleigh = judge(derive_file("classics/chaplygin_sleigh.lia"));
  EXPECT_EQ(sleigh.told.by, IntegrableBy::levels);
  EXPECT_EQ(sleigh.told.ignored.size(), 3u);
  EXPECT_EQ(sleigh.told.dimension, 2u);
}

TEST(Integrability, ABracketCanBeNew) {  // Poisson's theorem: energy and two moments give the third
  Derived model = derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential (x^2 + y^2 + z^2)^2\n");
  const Integrability told = judge_given(model, {"y*z' - z*y'", "z*x' - x*z'"});
  ASSERT_EQ(told.further.size(), 1u);
  EXPECT_TRUE(model.equal(told.brackets[told.further[0]].value, "x*y' - y*x'"));
  EXPECT_EQ(told.by, IntegrableBy::nothing_known);
}

TEST(Integrability, ConstantsHaveTheNumbersOfTheirIntegrals) {  // one with the time is left out before them
  const Derived falling = derive("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential y\n");
  const std::vector<std::string> known{"y' + t", "x'", "(x'^2 + y'^2)/2 + y"};
  const Integrability told = judge_given(falling, known);
  ASSERT_TRUE(told.separation);
  ASSERT_EQ(told.separation->momenta.size(), 2u) << told.separation->reason;
  EXPECT_EQ(to_infix(told.separation->momenta[0].value), "F2");
  EXPECT_EQ(told.involution, (std::vector<std::size_t>{1, 2}));
  // Again on the same pool, and with a model that has an F2 of its own.
  EXPECT_EQ(to_infix(judge_given(falling, known).separation->momenta[0].value), "F2");
  const Derived named = derive("param F2 = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential F2*y\n");
  const Integrability other = judge_given(named, {"(x'^2 + y'^2)/2 + F2*y", "x'"});
  EXPECT_EQ(to_infix(other.separation->momenta[0].value), "F2_");
}

TEST(Integrability, ForcesMayHaveAPotentialThatIsNotWritten) {
  for (const char* forces : {"force x = -k*x\nforce y = -y\n", "force x = -k*x - y\nforce y = -y - x\n"}) {
    const Judged judged =
        judge(derive("param k = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n" + std::string(forces)));
    EXPECT_EQ(judged.told.by, IntegrableBy::involution) << judged.told.reason;
  }
  const Judged whirl = judge(derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -y\nforce y = x\n"));
  EXPECT_FALSE(whirl.told.reason.empty());
}

TEST(Integrability, IntegralsForValuesAreAQuestionOfTheirOwn) {  // equal frequencies: the moment is kept, too
  const Judged judged =
      judge(derive("param a = 1, b = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential a*x^2/2 + b*y^2/2\n"));
  ASSERT_EQ(judged.integrals.found.size(), 3u);
  EXPECT_EQ(judged.told.by, IntegrableBy::involution);
  EXPECT_EQ(judged.told.counted, (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(judged.told.given.size(), 1u);
  const Integrability& given = judged.told.given[0];
  EXPECT_TRUE(given.for_values);
  EXPECT_EQ(given.independent, 3u);
  std::size_t others = 0;
  for (const PoissonBracket& bracket : given.brackets) others += bracket.zero.is_refuted() ? 1 : 0;
  EXPECT_EQ(others, 1u);
}

TEST(Integrability,
     HenonAndHeilesIsNotForOtherRatios) {        // 1, 6 and 16 are integrable, and no others of these
  for (const char* e : {"1", "2", "6", "16"}) {  // of 2 the theorem says nothing
    const Judged judged = judge(derive("param e = " + std::string(e) +
                                       "\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2*y + e/3*y^3\n"),
                                1);  // the further integral is not looked for
    EXPECT_EQ(judged.told.by, IntegrableBy::nothing_known);
    EXPECT_FALSE(judged.told.obstruction) << e;
  }
  for (const char* e : {"-1", "5", "7", "15", "100"}) {
    const Judged judged = judge(derive("param e = " + std::string(e) +
                                       "\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2*y + e/3*y^3\n"),
                                1);
    EXPECT_TRUE(judged.told.obstruction) << e;
  }
}

TEST(Integrability, SeparablePotentialsHaveNoObstruction) {
  for (const char* potential : {"x^4 + 6*x^2*y^2 + y^4", "(x^2 + y^2)^2", "x^4 + 3*y^4", "x^3 + 5*y^3",
                                "x^4 + 12*x^2*y^2 + 16*y^4", "x^4 + 6*x^2*y^2 + 8*y^4", "x^5 + y^5"}) {
    const Judged judged =
        judge(derive("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential " + std::string(potential) + "\n"), 1);
    EXPECT_FALSE(judged.told.obstruction) << potential;
  }
  // With other masses: x = 2 u makes x^4 + 6 x^2 y^2 + y^4 of this.
  const Judged scaled =
      judge(derive("coord u, y\nkinetic (4*u'^2 + y'^2)/2\npotential 16*u^4 + 24*u^2*y^2 + y^4\n"), 1);
  EXPECT_FALSE(scaled.told.obstruction);
  const Judged other =
      judge(derive("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^4 + 5*x^2*y^2 + y^4\n"), 1);
  EXPECT_TRUE(other.told.obstruction);
}

/// Along x = z = 0, y ~ -6/(e t^2): (r - 2)(r - 3) = 12/e of x, and 24/e of z.
Judged three_oscillators(const std::string& e) {
  return judge(derive("param e = " + e +
                      "\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                      "potential x^2*y + 2*z^2*y + e/3*y^3\n"),
               1);
}

TEST(Integrability, ExponentsThatAreNoFractionsAreEvidence) {
  const Judged judged = three_oscillators("-1");
  EXPECT_EQ(judged.told.by, IntegrableBy::nothing_known);
  ASSERT_TRUE(judged.told.exponents);
  EXPECT_EQ(judged.told.exponents->weights.size(), 6u);
  EXPECT_EQ(judged.told.exponents->weights[0].second, Rational(2));
  bool is_found = false;
  for (const KovalevskayaBalance& balance : judged.told.exponents->balances) {
    EXPECT_EQ(balance.exponents.size(), 6u);
    bool has_minus_one = false;
    for (const auto& [re, im] : balance.exponents) {
      has_minus_one = has_minus_one || (std::abs(re.mid() + 1) < 1e-20 && im.contains_zero());
      is_found = is_found || std::abs(std::abs(im.mid()) - std::sqrt(47.0) / 2) < 1e-12;
    }
    EXPECT_TRUE(has_minus_one);  // the time may begin elsewhere
  }
  EXPECT_TRUE(is_found);
}

TEST(Integrability, ExponentsMayBeRealAndNoFractions) {
  const Judged judged = three_oscillators("3");
  ASSERT_TRUE(judged.told.exponents);
  bool is_found = false;
  for (const KovalevskayaBalance& balance : judged.told.exponents->balances) {
    const bool has =
        std::any_of(balance.exponents.begin(), balance.exponents.end(), [](const auto& exponent) {
          return std::abs(exponent.first.mid() - (5 + std::sqrt(17.0)) / 2) < 1e-12;
        });
    if (!has) continue;
    is_found = true;
    EXPECT_EQ(balance.kind, ExponentKind::no_short_fraction);
  }
  EXPECT_TRUE(is_found);
}

TEST(Integrability, FieldsThatAreNotQuasiHomogeneousHaveNoExponents) {
  const Judged judged = judge(derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                     "potential x^2 + x^2*y + z^2*y + y^3/3 + y^4\n"),
                              1);
  EXPECT_FALSE(judged.told.exponents);
}

/// 2 H = g p_u^2 - 2 b p_u p_w u + (p_w^2 + a) w.
TEST(Integrability, RiccatisCaseIsNamed) {  // rows G6.II-exIV-riccati, G6.II-riccati-ex2
  const Judged judged =
      judge(derive("param a, b, g\ncoord u, w\nkinetic (w*u'^2 + 2*b*u*u'*w' + g*w'^2)/(2*(g*w - b^2*u^2))\n"
                   "potential a*w/2\n"),
            1);
  ASSERT_TRUE(judged.told.separation);
  ASSERT_EQ(judged.told.separation->riccati.size(), 2u);
  EXPECT_EQ(to_infix(judged.told.separation->riccati[0]), "p_w");
  EXPECT_EQ(to_infix(judged.told.separation->riccati[1]), "p_u");
  const Judged other = judge(derive("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x + 2*y\n"), 1);
  ASSERT_TRUE(other.told.separation);
  EXPECT_TRUE(other.told.separation->riccati.empty());  // linear: nothing is squared
}

}  // namespace
}  // namespace liaison::test
