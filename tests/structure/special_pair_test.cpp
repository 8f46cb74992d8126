#include "liaison/structure/special_pair.hpp"

#include "liaison/expr/print.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

struct Asked {
  Derived model;
  SpecialPair special;

  /// "b = 16*a" or "a = 1, b = 16" with how many integrals; a condition that is not solved as it is.
  static std::string text(const SpecialCondition& condition) {
    std::string result;
    for (const auto& [parameter, value] : condition.solved)
      result += (result.empty() ? "" : ", ") + to_infix(parameter) + " = " + to_infix(value);
    if (condition.solved.empty()) result = to_infix(condition.conditions.front());
    return result + ": " + std::to_string(condition.integrals.size());
  }
  static std::set<std::string> texts(const std::vector<SpecialCondition>& conditions) {
    std::set<std::string> result;
    for (const SpecialCondition& condition : conditions) result.insert(text(condition));
    return result;
  }
  std::set<std::string> curves() const { return texts(special.curves); }
  std::set<std::string> points() const { return texts(special.points); }
};

Asked ask(const std::string& text, const std::string& first, const std::string& second, unsigned degree = 2,
          unsigned function_degree = 6) {
  Derived model = derive(text);
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  IntegralOptions options;
  options.degree = degree;
  options.function_degree = function_degree;
  const FirstIntegrals known = find_first_integrals(*model.algebra, *flow.flow, options);
  SpecialPair special =
      find_special_pairs_of(*model.algebra, *flow.flow, {model(first), model(second)}, known, options);
  for (const auto* conditions : {&special.curves, &special.points}) {
    for (const SpecialCondition& condition : *conditions) {
      for (const FirstIntegral& integral : condition.integrals) EXPECT_TRUE(integral.verdict.holds());
    }
  }
  return {std::move(model), std::move(special)};
}

using Names = std::set<std::string>;

const char* const henon_heiles =
    "param b = 2, e = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + b*y^2)/2 + x^2*y + e/3*y^3\n";

// Bountis, Segur, Vivaldi (1982): e = 6 for every b, b = e = 1, b = e = 16.
TEST(SpecialPair, HenonHeilesWithASpring) {
  const Asked two = ask(henon_heiles, "b", "e");
  EXPECT_EQ(two.curves(), (Names{"e = 6: 1"}));
  EXPECT_EQ(two.points(), (Names{"b = 1, e = 1: 1"}));
  EXPECT_EQ(two.special.searched.none_else, Grade::proved);
  const Asked four = ask(henon_heiles, "b", "e", 4);
  EXPECT_EQ(four.curves(), (Names{"e = 6: 1"}));
  EXPECT_EQ(four.points(), (Names{"b = 1, e = 1: 1", "b = 16, e = 16: 1"}));
  EXPECT_EQ(four.special.searched.none_else, Grade::proved);
}

// x'' = -a*x, y'' = -b*y: in resonance where a and b are squares in ratio.
TEST(SpecialPair, TwoOscillatorsInResonance) {
  const Asked two =
      ask("param a > 0 = 2, b > 0 = 3\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (a*x^2 + b*y^2)/2\n",
          "a", "b", 2);
  EXPECT_EQ(two.curves(), (Names{"b = a: 1", "b = 4*a: 1", "b = a/4: 1"}));
  EXPECT_TRUE(two.points().empty());
  EXPECT_EQ(two.special.searched.none_else, Grade::proved);
}

// (a^2 + b^2) is 1/4, 1 or 4: circles are not solved; a = b = 0 is a point by itself, and nothing is new
// there.
TEST(SpecialPair, AConditionThatIsNotSolved) {
  const Asked circles =
      ask("param a = 2, b = 3\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + (a^2 + b^2)*y^2)/2\n",
          "a", "b");
  EXPECT_EQ(circles.curves(),
            (Names{"a^2 + b^2: 0", "a^2 + b^2 - 1: 0", "a^2 + b^2 - 4: 0", "4*a^2 + 4*b^2 - 1: 0"}));
  for (const SpecialCondition& curve : circles.special.curves)
    EXPECT_EQ(curve.reason, "the condition is not solved for a parameter");
}

// e = 1 and b^2 - 1 = 1: a root that is no fraction.
TEST(SpecialPair, ARootThatIsNotDecided) {
  const Asked root =
      ask("param b = 2, e = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n"
          "potential (x^2 + (b^2 - 1)*y^2)/2 + x^2*y + e/3*y^3\n",
          "b", "e");
  EXPECT_EQ(root.curves(), (Names{"e = 6: 1"}));
  ASSERT_EQ(root.special.undecided.size(), 1u);
  EXPECT_EQ(to_infix(root.special.undecided[0][0]), "b^2 - 2");
  EXPECT_EQ(root.special.searched.none_else, Grade::unknown);
}

// y'' = -y/(a - b): where a = b the mass matrix is singular, and nothing is asked.
TEST(SpecialPair, WhatIsDividedByIsNoCondition) {
  const Asked masses = ask(
      "param a = 3, b = 1\ncoord x, y\nkinetic (x'^2 + (a - b)*y'^2)/2\npotential (x^2 + y^2)/2\n", "a", "b");
  EXPECT_EQ(masses.curves(), (Names{"b = a - 1: 1", "b = a - 4: 1", "b = a - 1/4: 1", "b = a: 0"}));
  for (const SpecialCondition& curve : masses.special.curves)
    EXPECT_EQ(curve.is_asked, !curve.integrals.empty());
  EXPECT_TRUE(masses.points().empty());
  EXPECT_EQ(masses.special.searched.none_else, Grade::proved);
}

// A = B = 2 C, A = C = 2 B (Kovalevskaya); B = C (Lagrange): the centre of mass is on the first axis.
TEST(SpecialPair, KovalevskayasTops) {
  const Asked tops =
      ask("param A > 0 = 3, B > 0 = 2\nrotation R (p, q, r) in body\nkinetic (A*p^2 + B*q^2 + "
          "r^2)/2\npotential R31\n",
          "A", "B", 4, 2);
  EXPECT_EQ(tops.curves(), (Names{"B = 1: 1"}));
  EXPECT_EQ(tops.points(), (Names{"A = 1, B = 1/2: 1", "A = 2, B = 2: 1"}));
  EXPECT_TRUE(tops.special.undecided.empty());
}

TEST(SpecialPair, WhatIsNotWrittenOutIsSaid) {
  const Asked bound =
      ask("param a = 3, b = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential a*x + b*y\nconstraint c: x^4 + "
          "y^4 = 1\n"
          "start x = 1\n",
          "a", "b");
  EXPECT_EQ(bound.special.searched.reason,
            "relations bind the coordinates, and are not solved by rational functions: one parameter can be "
            "asked about");
  const Asked root =
      ask("param a > 0 = 3, b = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential sqrt(a)*x^2 + b*y^2\n", "a",
          "b");
  EXPECT_EQ(root.special.searched.reason, "`sqrt(a)` is not rational in a");
}

// V vanishes where a is 2 or -2: cos(a*y) is not independent of cos(y) there.
TEST(SpecialPair, AnAngleThatHoldsAParameterIsNotWrittenOut) {
  const Asked angle =
      ask("param a = 3, b = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential b*x*(cos(a*y) + 1 - "
          "2*cos(y)^2)\n",
          "a", "b");
  EXPECT_EQ(angle.special.searched.reason, "`cos(a*y)` is not rational in a");
  EXPECT_EQ(angle.special.searched.none_else, Grade::unknown);
}

}  // namespace
}  // namespace liaison::test
