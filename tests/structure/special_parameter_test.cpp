#include "liaison/structure/special_parameter.hpp"

#include "liaison/expr/print.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

struct Asked {
  Derived model;
  SpecialParameter special;

  std::vector<std::string> values() const {
    std::vector<std::string> result;
    for (const SpecialValue& value : special.values) result.push_back(value.value.to_string());
    return result;
  }
};

Asked ask(const std::string& text, const std::string& parameter, unsigned degree = 2,
          unsigned function_degree = 6) {
  Derived model = derive(text);
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  IntegralOptions options;
  options.degree = degree;
  options.function_degree = function_degree;
  const FirstIntegrals known = find_first_integrals(*model.algebra, *flow.flow, options);
  SpecialParameter special =
      find_special_values_of(*model.algebra, *flow.flow, model(parameter), known, options);
  for (const SpecialValue& value : special.values) {
    for (const FirstIntegral& integral : value.integrals) EXPECT_TRUE(integral.verdict.holds());
  }
  return {std::move(model), std::move(special)};
}

using Names = std::vector<std::string>;

TEST(SpecialParameter, HenonHeilesIsAskedForItsRatios) {
  const std::string text = "param e = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2*y + e/3*y^3\n";
  const Asked two = ask(text, "e");
  EXPECT_EQ(two.values(), (Names{"1", "6"}));
  EXPECT_EQ(two.special.searched.none_else, Grade::proved);
  for (const SpecialValue& value : two.special.values) EXPECT_EQ(value.integrals.size(), 1u);
}

// x'' = -x, y'' = -k*y: z^m times the conjugate of w^n is kept where m = n*sqrt(k); its real or imaginary
// part has the degree m + n - 1 or m + n in the velocities, whichever is even or odd.
TEST(SpecialParameter, TwoOscillatorsInResonance) {
  const auto text = [](const std::string& k) {
    return "param " + k + "\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + k*y^2)/2\n";
  };
  EXPECT_EQ(ask(text("k > 0 = 2"), "k", 2).values(), (Names{"1/4", "1", "4"}));
  const Asked three = ask(text("k = 2"), "k", 3);
  EXPECT_EQ(three.values(), (Names{"0", "1/9", "1/4", "1", "4", "9"}));
  EXPECT_TRUE(three.special.values[0].integrals.empty());  // y' is a function of its energy
  EXPECT_EQ(three.special.values[0].reason, "");
}

TEST(SpecialParameter, ADenominatorIsCleared) {
  EXPECT_EQ(
      ask("param k > 0 = 1\ncoord x, y\nkinetic (x'^2 + k/(k + 1)*y'^2)/2\npotential (x^2 + y^2)/2\n", "k")
          .values(),
      (Names{"1/3"}));  // y'' = -(1 + 1/k)*y: 1 + 1/k = 4; it is never 1 or 1/4
}

// Each acceleration has a denominator of its own, whose roots are no values; cleared of both the equations
// have the degree eight. k^4 + 4 = 4*(k^4 + 1) at k = 0; 4*(k^4 + 4) = k^4 + 1 at four complex values.
TEST(SpecialParameter, SeveralDenominators) {
  const Asked found =
      ask("param k = 1\ncoord x, y\nkinetic ((k^4 + 1)*x'^2 + (k^4 + 4)*y'^2)/2\npotential (x^2 + y^2)/2\n",
          "k", 2, 3);
  EXPECT_EQ(found.values(), (Names{"0"}));
  EXPECT_EQ(found.special.others, 0u);
  EXPECT_EQ(found.special.searched.none_else, Grade::proved);
}

TEST(SpecialParameter, WhatIsNoFractionIsToldAsARoot) {
  const Asked roots =
      ask("param k = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + (k^2 - 1)*y^2)/2\n", "k");
  EXPECT_EQ(roots.values(),
            (Names{"-1", "1"}));  // k^2 - 1 = 0; 1, 4 and 1/4 have roots that are not rational
  Names conditions;
  for (Expr e : roots.special.roots_of) conditions.push_back(to_infix(e));
  std::sort(conditions.begin(), conditions.end());
  EXPECT_EQ(conditions, (Names{"4*k^2 - 5", "k^2 - 2", "k^2 - 5"}));
  EXPECT_EQ(roots.special.searched.none_else, Grade::unknown);
}

// At k = 0 integrals for all values depend on each other: what is new is told beside those that do not.
TEST(SpecialParameter, IntegralsForAllValuesMayDependOnEachOtherAtOne) {
  const Asked sheet = ask(
      "param k = 3\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: z' = k*y*x'\n", "k", 1, 2);
  ASSERT_EQ(sheet.values(), (Names{"0"}));
  EXPECT_FALSE(sheet.special.values[0].integrals.empty());  // z, and the moment
}

TEST(SpecialParameter, WhatWasInterruptedIsNotProved) {
  const Derived model =
      derive("param e = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2*y + e/3*y^3\n");
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  ASSERT_TRUE(flow.flow);
  const FirstIntegrals known = find_first_integrals(*model.algebra, *flow.flow, {});
  const std::atomic<bool> stop = true;
  AlgebraOptions options;
  options.interrupt = &stop;
  Algebra interrupted(model.algebra->pool(), options);
  const SpecialParameter special = find_special_values_of(interrupted, *flow.flow, model("e"), known, {});
  EXPECT_EQ(special.searched.none_else, Grade::unknown);
  EXPECT_EQ(special.searched.reason, "interrupted");
}

TEST(SpecialParameter, WhatIsNotRationalIsRefused) {
  const Asked root =
      ask("param k > 0 = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + sqrt(k)*y^2\n", "k");
  EXPECT_TRUE(root.special.searched.form.empty());
  EXPECT_EQ(root.special.searched.reason, "`sqrt(k)` is not rational in k");
  // V vanishes where k = 2: exp(k*y) is not independent of exp(2*y) there.
  const Asked exponential =
      ask("param k = 3\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x*(exp(k*y) - exp(2*y))\n", "k");
  EXPECT_TRUE(exponential.special.searched.form.empty());
  EXPECT_EQ(exponential.special.searched.reason, "`exp(k*y)` is not rational in k");
}

TEST(SpecialParameter, AParameterThatChangesNothing) {
  const Asked none =
      ask("param k = 1, m = 3\ncoord x, y\nkinetic k^2*0 + (x'^2 + y'^2)/2\npotential x^4*y + m*y^2\n", "k");
  EXPECT_TRUE(none.values().empty());
  EXPECT_EQ(none.special.searched.none_else, Grade::proved);
}

}  // namespace
}  // namespace liaison::test
