#include "liaison/structure/steady_motion.hpp"

#include "liaison/expr/print.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

RootSides sides(const std::vector<Rational>& c) {
  return count_root_sides(c);
}
RootSides expected(std::size_t left, std::size_t axis, std::size_t right, std::size_t zero = 0) {
  RootSides result;
  result.left = left;
  result.axis = axis;
  result.right = right;
  result.zero = zero;
  return result;
}

TEST(RootSides, AreCountedWithTheirMultiplicities) {
  EXPECT_EQ(sides({2, 3, 1}), expected(2, 0, 0));         // (x + 1)(x + 2)
  EXPECT_EQ(sides({1, 0, 1}), expected(0, 2, 0));         // x^2 + 1
  EXPECT_EQ(sides({1, 0, 2, 0, 1}), expected(0, 4, 0));   // (x^2 + 1)^2
  EXPECT_EQ(sides({-1, 0, 1}), expected(1, 0, 1));        // x^2 - 1
  EXPECT_EQ(sides({1, 0, 0, 0, 1}), expected(2, 0, 2));   // x^4 + 1
  EXPECT_EQ(sides({0, 0, -1, 1}), expected(0, 2, 1, 2));  // x^2 (x - 1)
  EXPECT_EQ(sides({1, 1, 1, 1}), expected(1, 2, 0));      // (x + 1)(x^2 + 1)
  EXPECT_EQ(sides({-1, -1, 1, 1}), expected(2, 0, 1));    // (x + 1)^2 (x - 1)
  EXPECT_EQ(sides({1}), RootSides{});
}

TEST(RootSides, NearTheAxisAreDecided) {
  const Rational tiny = Rational(1, 1'000'000'000'000'000'000) * Rational(1, 1'000'000'000'000'000'000);
  EXPECT_EQ(sides({tiny, 1, tiny, 1}), expected(1, 2, 0));    // (x + tiny)(x^2 + 1)
  EXPECT_EQ(sides({-tiny, 1, -tiny, 1}), expected(0, 2, 1));  // (x - tiny)(x^2 + 1)
  EXPECT_EQ(sides({1, tiny, 1}), expected(2, 0, 0));          // a very weak damping
  EXPECT_EQ(sides({1, -tiny, 1}), expected(0, 0, 2));
}

TEST(RootSides, HaveNames) {
  EXPECT_EQ(name_of(expected(2, 0, 0)), "asymptotically stable");
  EXPECT_EQ(name_of(expected(1, 1, 0)), "neutral");
  EXPECT_EQ(name_of(expected(1, 1, 1)), "unstable");
}

SteadyMotion steady(const Derived& model, const std::vector<std::pair<std::string, std::string>>& at) {
  const StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  Substitution state;
  for (const auto& [symbol, value] : at) state.emplace(model(symbol), model(value));
  return linearise_steady_motion(*model.algebra, *flow.flow, state, {}, {});
}

TEST(SteadyMotion, ADiscThatRollsUpright) {  // stable where R phi'^2 > g/3 (Routh)
  const Derived disc = derive_file("classics/tilting_disc.lia");
  const SteadyMotion motion = steady(disc, {{"phi'", "phi'"}});
  ASSERT_TRUE(motion.reason.empty()) << motion.reason;
  EXPECT_EQ(motion.variables.size(), 4u);
  EXPECT_EQ(motion.ignored.size(), 4u);
  EXPECT_EQ(motion.zeros, 2u);
  EXPECT_TRUE(disc.equal(motion.polynomial[2], "12/5*phi'^2 - 4/5*g/R")) << to_infix(motion.polynomial[2]);
  EXPECT_TRUE(motion.hurwitz.empty());  // even
}

TEST(SteadyMotion, TheConstraintsAreKept) {  // x' is given, and phi' follows from it
  const Derived disc = derive_file("classics/tilting_disc.lia");
  const SteadyMotion motion = steady(disc, {{"x'", "R*7"}});
  ASSERT_TRUE(motion.reason.empty()) << motion.reason;
  EXPECT_TRUE(disc.equal(motion.polynomial[2], "12/5*49 - 4/5*g/R")) << to_infix(motion.polynomial[2]);
  EXPECT_FALSE(steady(disc, {{"x'", "R*7"}, {"phi'", "1"}}).reason.empty());
}

TEST(SteadyMotion, WhatIsNotSteadyIsTold) {
  const Derived disc = derive_file("classics/tilting_disc.lia");
  EXPECT_NE(steady(disc, {{"theta", "1/5"}}).reason.find("not steady"), std::string::npos);
  const Derived pendulum = derive("param g > 0\ncoord a\nkinetic a'^2/2\npotential -g*cos(a)\n");
  EXPECT_TRUE(steady(pendulum, {}).reason.empty());
  EXPECT_FALSE(steady(pendulum, {{"a'", "1"}}).reason.empty());
}

TEST(SteadyMotion, HurwitzInTheParameters) {
  const Derived model = derive("param c, k\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\nforce x = -c*x'\n");
  const SteadyMotion motion = steady(model, {});
  ASSERT_EQ(motion.hurwitz.size(), 2u);
  EXPECT_TRUE(model.equal(motion.hurwitz[0], "c"));
  EXPECT_TRUE(model.equal(motion.hurwitz[1], "c*k"));
}

}  // namespace
}  // namespace liaison::test
