#include "liaison/structure/standing.hpp"

#include <algorithm>
#include <atomic>

#include "liaison/expr/print.hpp"
#include "liaison/structure/analysis.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

const std::string plane = "coord x, y\nkinetic (x'^2 + y'^2)/2\n";
const std::string space = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n";

Analysis analysis_of(const Derived& model, unsigned degree = 1) {
  AnalysisOptions options;
  options.degree = degree;
  options.parts = {AnalysisPart::constraints, AnalysisPart::symmetries, AnalysisPart::integrals};
  return analyze(*model.algebra, *model.motion, options);
}

/// Integrals that are called proved, as text.
std::vector<std::string> proved_integrals(const Analysis& analysis) {
  std::vector<std::string> result;
  if (!analysis.integrals) return result;
  for (const FirstIntegral& integral : analysis.integrals->found) {
    if (integral.verdict.is_proved()) result.push_back(to_infix(integral.expression));
  }
  return result;
}

/// What analyze calls proved, the claim of the same name proves.
void expect_claims_agree(const std::string& text) {
  const Derived model = derive(text);
  const Analysis analysis = analysis_of(model);
  if (!analysis.integrals) return;
  for (const FirstIntegral& integral : analysis.integrals->found) {
    if (integral.for_values) continue;
    const Verdict claim = is_conserved(*model.algebra, *model.motion, integral.expression);
    EXPECT_FALSE(claim.is_refuted()) << text << to_infix(integral.expression);
    if (integral.verdict.is_proved()) {
      EXPECT_TRUE(claim.is_proved()) << text << to_infix(integral.expression);
    }
  }
}

TEST(Standing, IntegralsAreProvedOnlyWhereTheClaimIs) {
  for (const std::string& text :
       {"param a = 0\n" + space + "potential z\nconstraint c: a*(z' - x') = 0\n",
        plane + "potential atan2(y, x)\n", space + "potential z\nconstraint c: y*(z' - x') = 0\n",
        plane + "constraint c: y'*x = 0\n", space + "constraint c: (x^2 + y^2)*z' = 0\n",
        space + "constraint a: x' = 0\nconstraint b: x'*z - y'*x = 0\n"})
    expect_claims_agree(text);
}

TEST(Standing, ARelationThatFactorsLosesItsRank) {
  const Derived model = derive(space + "potential z\nconstraint c: y*(z' - x') = 0\n");
  const Standing standing = standing_of(*model.algebra, *model.motion);
  EXPECT_NE(standing.rank_grade, Grade::proved);
  EXPECT_FALSE(standing.reason.empty());
  const Analysis analysis = analysis_of(model);
  // The energy by its power balance; z - x changes where y = 0.
  EXPECT_EQ(proved_integrals(analysis), (std::vector<std::string>{"x'^2/2 + y'^2/2 + z'^2/2 + z", "y'"}));
  ASSERT_TRUE(analysis.flag && analysis.flag->flag);
  EXPECT_EQ(analysis.flag->flag->grade, Grade::checked);
}

TEST(Standing, RanksAreThoseOfTheStates) {
  for (const std::string& text : {plane + "constraint a: x = 0\nconstraint b: x*(1 + y^2) = 0\n",
                                  plane + "constraint a: x' = 0\nconstraint b: x'*y' = 0\n",
                                  space + "constraint a: x = 0\nconstraint b: x*y' + x'*z = 0\n"}) {
    const Derived model = derive(text);
    const Standing standing = standing_of(*model.algebra, *model.motion);
    EXPECT_EQ(standing.rank_grade, Grade::unknown) << text;
  }
  const Derived rod = derive("param g, l > 0\n" + plane + "potential g*y\nconstraint rod: x^2 + y^2 = l^2\n");
  EXPECT_EQ(standing_of(*rod.algebra, *rod.motion).rank_grade, Grade::proved);
  const Derived twice = derive(plane + "constraint a: x' = 0\nconstraint b: 2*x' = 0\n");
  const Standing redundant = standing_of(*twice.algebra, *twice.motion);
  EXPECT_EQ(redundant.rank, 1u);
  EXPECT_EQ(redundant.rank_grade, Grade::proved);
}

TEST(Standing, WithoutAStateNothingElseIsSaid) {
  for (const std::string& text :
       {plane + "constraint a: x' = 0\nconstraint b: x' = 1\n", plane + "constraint c: x^2 + y^2 = -1\n"}) {
    const Derived model = derive(text);
    const Analysis analysis = analysis_of(model);
    ASSERT_TRUE(analysis.facts);
    EXPECT_FALSE(analysis.facts->no_state.empty()) << text;
    EXPECT_FALSE(analysis.flag || analysis.symmetries || analysis.integrals) << text;
  }
}

TEST(Standing, PiecesAreRefusedBeforeTheyAreDifferentiated) {
  for (const std::string& text :
       {plane + "potential abs(x)\n", plane + "potential max(x, 0)\n", plane + "potential asin(sin(x)) + y\n",
        plane + "force x = sign(x)\n", plane + "force x = sign(t)\n", plane + "potential atan2(y, x)\n",
        space + "constraint c: max(y, 0)*(z' - x') = 0\n"}) {
    const Derived model = derive(text);
    const Analysis analysis = analysis_of(model);
    ASSERT_TRUE(analysis.symmetries) << analysis.no_flow;
    EXPECT_TRUE(analysis.symmetries->form.empty()) << text;
    EXPECT_NE(analysis.symmetries->reason.find("not a function of one piece"), std::string::npos) << text;
    if (analysis.flag) {
      EXPECT_FALSE(analysis.flag->flag) << text;
    }
  }
  const Derived root_model = derive(plane + "potential sqrt(x^2)\n");
  const Analysis root = analysis_of(root_model);
  ASSERT_TRUE(root.symmetries);
  EXPECT_NE(root.symmetries->none_else, Grade::proved);
  for (const Symmetry& symmetry : root.symmetries->fields) EXPECT_FALSE(symmetry.verdict.is_proved());
}

TEST(Standing, RootsThatDependOnEachOtherAreNotIndependent) {
  const Derived flag_model = derive(
      "coord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\n"
      "constraint c: z' - (sqrt(x*y) - sqrt(x)*sqrt(y))*w' = 0\n");
  const Analysis flag = analysis_of(flag_model);
  ASSERT_TRUE(flag.flag);
  if (flag.flag->flag) {
    EXPECT_NE(flag.flag->flag->grade, Grade::proved);
  }
  const Derived zero = derive(space + "potential x^2*y^4\nforce z = sqrt(x*y) - sqrt(x)*sqrt(y)\n");
  const Analysis integrals = analysis_of(zero);
  ASSERT_TRUE(integrals.integrals);
  EXPECT_NE(integrals.integrals->generic.none_else, Grade::proved);
}

TEST(Standing, ValuesOfParametersStandInsideFunctions) {
  const Derived model = derive("param alpha = 0\n" + plane + "potential x*y*sin(alpha) + x^4 + y^4\n");
  const Analysis analysis = analysis_of(model, 2);
  ASSERT_TRUE(analysis.integrals);
  const auto& found = analysis.integrals->found;
  EXPECT_EQ(found.size(), 2u);  // the two energies, for this value alone
  EXPECT_TRUE(found.back().for_values);
  EXPECT_TRUE(found.back().verdict.is_proved());
}

TEST(Standing, ASymmetryKeepsTheConstraintsAtEveryTime) {
  const Derived model = derive(space + "force z = t\nconstraint c: x' - z*y' = 0\n");
  const Analysis analysis = analysis_of(model);
  ASSERT_TRUE(analysis.symmetries);
  for (const Symmetry& symmetry : analysis.symmetries->fields)
    EXPECT_EQ(to_infix(symmetry.field).find("t*"), std::string::npos) << to_infix(symmetry.field);
  EXPECT_FALSE(analysis.symmetries->fields.empty());
}

TEST(Standing, OnLevelsIndependenceIsNotClaimed) {
  const Derived model = derive("param g\n" + plane + "potential g*y\nconstraint c: y = 0\n");
  const Analysis analysis = analysis_of(model);
  ASSERT_TRUE(analysis.integrals);
  EXPECT_TRUE(analysis.integrals->found.size() < 2 || analysis.integrals->independence == Grade::unknown);
  ASSERT_FALSE(analysis.integrals->found.empty());
  EXPECT_EQ(analysis.integrals->found[0].origin, "energy");
  ASSERT_TRUE(analysis.flag);
  EXPECT_FALSE(analysis.flag->flag);
}

TEST(Standing, WhatIsZeroAtEveryStateIsNoIntegral) {
  const Derived model = derive(
      "coord y, z, w, u\nkinetic (y'^2 + z'^2 + w'^2 + u'^2)/2\nconstraint a: z = 0\n"
      "constraint b: w' - z*u*y' = 0\n");
  const Analysis analysis = analysis_of(model);
  ASSERT_TRUE(analysis.integrals);
  EXPECT_FALSE(analysis.integrals->found.empty());
  for (const FirstIntegral& integral : analysis.integrals->found)
    EXPECT_NE(to_infix(integral.expression), "u*z*y'");  // the momentum of w
}

TEST(Standing, EnergyWithoutClosedFormsIsAskedAsAClaim) {
  const Derived model = derive_file("classics/appell_hamel.lia");
  const Analysis analysis = analysis_of(model);
  EXPECT_FALSE(analysis.no_flow.empty());
  ASSERT_TRUE(analysis.integrals);
  EXPECT_LE(analysis.integrals->found.size(), 1u);
  for (const FirstIntegral& integral : analysis.integrals->found)
    EXPECT_TRUE(is_conserved(*model.algebra, *model.motion, integral.expression).holds());
}

TEST(Standing, ABudgetOfNothingTellsNoFacts) {
  const Derived model = derive("param m > 0\n" + plane + "constraint c: x'*sin(y) - y'*cos(x) = 0\n");
  AnalysisOptions options;
  options.budget = 1;
  const Analysis analysis = analyze(*model.algebra, *model.motion, options);
  if (analysis.facts) {
    EXPECT_NE(analysis.facts->freedom_grade, Grade::proved);
    EXPECT_LE(analysis.facts->degrees_of_freedom, 1u);  // "at least"
  }
  EXPECT_FALSE(analysis.limits.empty());
  if (analysis.symmetries) {
    EXPECT_NE(analysis.symmetries->none_else, Grade::proved);
  }
}

TEST(Standing, AnInterruptProvesNothing) {
  const Derived model = derive(plane);
  const std::atomic<bool> stop = true;
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  ASSERT_TRUE(flow.flow);
  AlgebraOptions options;
  options.interrupt = &stop;
  Algebra stopped(*model.system->pool, options);
  const Symmetries found = find_symmetries(stopped, *flow.flow);
  EXPECT_EQ(found.none_else, Grade::unknown);
  EXPECT_TRUE(found.derived_series.empty());
}

}  // namespace
}  // namespace liaison::test
