#include "liaison/mechanics/state.hpp"

#include <cmath>

#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

StateValues evaluate_start(const Derived& model) {
  const CompletedState state = complete_state(*model.motion, {});
  EXPECT_TRUE(state.ok());
  return evaluate_state(*model.algebra, *model.motion, state.values);
}

double value(const Derived& model, const CompletedState& state, const std::string& name) {
  return state.values.at(model.system->pool->find_symbol(name));
}

/// What vanishes there but for rounding leaves its relation without a direction, whatever it is multiplied
/// by.
TEST(State, RoundingIsNoDirection) {
  const struct {
    const char *brake, *start;
  } cases[] = {
      {"(x - 3)*y'", "3"},
      {"1e-9*(x - 3)*y'", "3"},
      {"cos(x)*y'", "pi/2"},
      {"1e9*sin(x)*y'", "3*pi"},
      {"(x - 0.3)^2*y'", "0.3"},
      {"x*(x - 0.1 - 0.2)*y'", "0.3"},
      {"(3*x - 0.9)*cos(x)*y'", "0.3"},
  };
  for (const auto& [brake, start] : cases) {
    const StateValues values = evaluate_start(
        derive(std::string("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint brake: ") + brake +
               " = 0\nconstraint other: z' = x'\nstart x = " + start + "\n"));
    EXPECT_FALSE(values.compatible) << brake;
    EXPECT_EQ(values.open.size(), 1u) << brake << values.failure << values.remark;
  }
  for (const char* start : {"3 + 1e-9", "3 - 1e-12"}) {  // that near it is one
    const StateValues values = evaluate_start(
        derive(std::string("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint brake: (x - 3)*y' = 0\n"
                           "constraint other: z' = x'\nstart x = ") +
               start + "\n"));
    EXPECT_TRUE(values.compatible) << start;
  }
}

/// A body of 1e12 and more beside one of 1, and a relation written times 1e7: regular as any other.
TEST(State, NeitherMassesNorFactorsOfRelationsMakeItSingular) {
  for (const char* heavy : {"1", "1e12", "1e16"}) {
    for (const char* times : {"1", "10^7"}) {
      const Derived model = derive(std::string("param m = ") + heavy + ", k = " + times + "\n" +
                                   "coord x, y, u, v\nkinetic m/2*(x'^2 + y'^2) + (u'^2 + v'^2)/2\n"
                                   "potential m*981/100*y + 981/100*v\nconstraint a: x^2 + y^2 = 1\n"
                                   "constraint b: k*((u - x)^2 + (v - y)^2) = 4*k\n"
                                   "start x = 3/5, y = 4/5, u = 3/5, v = -6/5, x' = 4/5, y' = -3/5, "
                                   "u' = 9/5, v' = -3/5\n");
      const StateValues values = evaluate_start(model);
      ASSERT_EQ(values.motions.size(), 1u) << heavy << ", " << times << values.failure << values.remark;
      EXPECT_TRUE(values.compatible) << heavy << ", " << times;
      if (heavy[1] == '\0') continue;
      // against 60 digits
      const double expected[] = {4.1088, -4.3316, 0, -3.8316};
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(values.motions[0].acceleration[i], expected[i], 1e-9) << heavy << ", " << times << i;
    }
  }
}

TEST(State, NumbersAgreeWithClosedForms) {  // factorisation and exact algebra are two roads
  for (const char* path :
       {"classics/rolling_disc.lia", "classics/sphere_sliding.lia", "classics/servo_cart.lia",
        "classics/tilting_disc.lia", "classics/chaplygin_sleigh.lia", "classics/spinning_top.lia"}) {
    const Derived model = derive_file(path);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const auto state = random_state(*model.motion, seed);
      ASSERT_TRUE(state) << path;
      const StateValues values = evaluate_state(*model.algebra, *model.motion, *state);
      ASSERT_EQ(values.motions.size(), 1u) << path;
      for (std::size_t a = 0; a < model.motion->acceleration.size(); ++a) {
        const double exact = evaluate(model.motion->acceleration[a], *state);
        EXPECT_NEAR(values.motions[0].acceleration[a], exact, 1e-9 * std::max(1.0, std::abs(exact))) << path;
      }
      for (std::size_t h = 0; h < model.motion->factors.size(); ++h) {
        const double exact = evaluate(model.motion->factors[h], *state);
        EXPECT_NEAR(values.motions[0].factors[h], exact, 1e-9 * std::max(1.0, std::abs(exact))) << path;
      }
    }
  }
}

TEST(State, TheSecondDerivativeDecidesWhereTheFirstIsSilent) {  // G2.IV-degenerate
  const Derived point = derive(
      "param m > 0 = 2\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nforce x = 3\n"
      "constraint c: x'^2/2 - y'*x = 0 power x'\nstart x = 0, y = 0, x' = 0, y' = 1.25\n");
  const StateValues values = evaluate_start(point);
  ASSERT_EQ(values.motions.size(), 2u);
  EXPECT_DOUBLE_EQ(values.motions[0].factors[0], -3);
  EXPECT_DOUBLE_EQ(values.motions[1].factors[0], -0.5);
  EXPECT_DOUBLE_EQ(values.motions[1].acceleration[0], 1.25);
  EXPECT_FALSE(values.compatible);
}

/// At x = 0 the relation x*y' = 0 has no direction: 0 = 0 is no contradiction.
TEST(State, ARelationWithoutDirectionIsContradictoryWhereADerivativeSaysSo) {
  const struct {
    const char *forces, *start;
    MotionKind kind;
    const char* says;
  } cases[] = {
      {"", "x = 0", MotionKind::redundant, "asks nothing here up to its derivative 6"},
      {"", "x = 0, y' = 1", MotionKind::redundant, "asks nothing here up to its derivative 6"},
      {"", "x = 0, x' = 1", MotionKind::redundant, "derivative 3 of the relation is the first that asks"},
      {"force x = 1\n", "x = 0", MotionKind::redundant,
       "derivative 5 of the relation is the first that asks"},
      {"force y = 1\n", "x = 0", MotionKind::redundant, "asks nothing here up to its derivative 6"},
      {"", "x = 0, x' = 1, y' = 1", MotionKind::contradictory, "no factors keep the relations"},
      {"force y = 1\n", "x = 0, x' = 1", MotionKind::contradictory, "the second derivative gives"},
      {"force x = 1\n", "x = 0, y' = 1", MotionKind::contradictory, "the second derivative gives"},
      // x = t^2/2, y' = t: x*y' = t^3/2
      {"force x = 1\nforce y = 1\n", "x = 0", MotionKind::contradictory, "derivative 3 of the relation is 3"},
  };
  for (const auto& [forces, start, kind, says] : cases) {
    const StateValues values =
        evaluate_start(derive(std::string("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x*y' = 0\n") +
                              forces + "start " + start));
    EXPECT_EQ(kind_of(values), kind) << forces << start;
    EXPECT_EQ(values.motions.size(), kind == MotionKind::contradictory ? 0u : 1u) << forces << start;
    EXPECT_NE(values.remark.find(says), std::string::npos) << forces << start << ": " << values.remark;
  }
}

TEST(State, FrictionThatDependsOnItsReactionMayHaveTwoMotions) {
  // r(N) N + drive = 0 with l = (1, -f N): N (1 - f N) = m g has two roots where 4 f m g < 1
  const Derived block = derive(
      "param m > 0 = 1, f = 0.1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nforce y = -2\n"
      "constraint floor: y' + x' = 1 power y' - f*lambda(floor)*x'\n");
  const StateValues values = evaluate_start(block);
  ASSERT_EQ(values.motions.size(), 2u) << values.remark;
  for (const StateMotion& motion : values.motions) {
    const double n = motion.factors[0];
    EXPECT_NEAR(n * (1 - 0.1 * n), 2, 1e-10);
  }
}

TEST(State, ARoundedZeroOfRIsIncompatible) {
  const Derived cart = derive_file("classics/servo_cart.lia");
  StateRequest request;
  request.given = {{cart.system->pool->find_symbol("theta"), std::acos(-1.0) / 2}};
  const CompletedState state = complete_state(*cart.motion, request);
  const StateValues values = evaluate_state(*cart.algebra, *cart.motion, state.values);
  EXPECT_FALSE(values.compatible);
  EXPECT_TRUE(values.motions.empty());
}

TEST(State, ASingularMassMatrixIsSaid) {
  const Derived point =
      derive("param m > 0 = 1\ncoord r, phi\nkinetic m/2*(r'^2 + r^2*phi'^2)\nstart r = 0\n");
  EXPECT_EQ(evaluate_start(point).failure,
            "the mass matrix is singular at this state: the accelerations are not determined");
}

/// M = [1 1; 1 1], a'' = 0 by the relation: b'' = -b, and the factor keeps a: 0 = a'' + b'' - lambda.
TEST(State, ConstraintsMayDetermineWhatASingularMassMatrixLeavesOpen) {
  const Derived pair =
      derive("coord a, b\nkinetic 500*(a' + b')^2\npotential 500*b^2\nconstraint c: a = 1\nstart b = 1/2\n");
  const StateValues values = evaluate_start(pair);
  EXPECT_EQ(values.failure, "");
  ASSERT_EQ(values.motions.size(), 1U);
  EXPECT_NEAR(values.motions[0].acceleration[0], 0, 1e-12);
  EXPECT_NEAR(values.motions[0].acceleration[1], -0.5, 1e-12);
  EXPECT_NEAR(values.motions[0].factors[0], -500, 1e-9);
  EXPECT_TRUE(values.compatible);
  EXPECT_NE(values.remark.find("the constraints determine the accelerations"), std::string::npos);
}

TEST(State, ARelationThatHoldsSomethingElseDoesNotHelp) {
  const Derived pair = derive("coord a, b, d\nkinetic (a' + b')^2/2 + d'^2/2\nconstraint c: d = 1\n");
  EXPECT_EQ(evaluate_start(pair).failure,
            "the mass matrix is singular at this state: the accelerations are not determined");
}

TEST(InitialState, WhatTheConstraintsDetermineIsFound) {
  const Derived disc = derive_file("classics/rolling_disc.lia");
  const CompletedState state = complete_state(*disc.motion, {});
  EXPECT_DOUBLE_EQ(value(disc, state, "x'"), 0);
  EXPECT_DOUBLE_EQ(value(disc, state, "y'"), 1);
  EXPECT_DOUBLE_EQ(value(disc, state, "y"), 0);
}

TEST(InitialState, TheProjectionIsTheLeastChangeInTheMassMetric) {
  const Derived pair = derive(
      "param m > 0 = 1, M > 0 = 3\ncoord x, y\nkinetic m/2*x'^2 + M/2*y'^2\nconstraint together: x' - y' = "
      "0\n");
  StateRequest request;
  request.given = {{pair.system->pool->find_symbol("x'"), 4.0}, {pair.system->pool->find_symbol("y'"), 0.0}};
  const CompletedState refused = complete_state(*pair.motion, request);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.problems[0].message, "the state is not on `together`: x' - y' = 4, not 0");
  request.project = true;
  const CompletedState moved = complete_state(*pair.motion, request);
  ASSERT_TRUE(moved.ok());
  EXPECT_NEAR(value(pair, moved, "x'"), 1, 1e-14);  // the momentum 4 is kept: (m + M) v = 4
  EXPECT_NEAR(value(pair, moved, "y'"), 1, 1e-14);
}

TEST(InitialState, AParameterWithoutAValueIsNamed) {
  const Derived point = derive("param m\ncoord x\nkinetic m/2*x'^2\n");
  const CompletedState state = complete_state(*point.motion, {});
  ASSERT_EQ(state.problems.size(), 1u);
  EXPECT_EQ(state.problems[0].message, "the parameter `m` has no value");
}

const std::string circle =
    "param m > 0 = 1, l > 0 = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nconstraint rod: x^2 + y^2 = l^2\n";

/// The state with these values given.
CompletedState completed(const Derived& model, const std::vector<std::pair<std::string, double>>& given) {
  StateRequest request;
  request.name_choices = true;
  for (const auto& [name, number] : given) {
    request.given.emplace_back(model.system->pool->find_symbol(name), number);
  }
  return complete_state(*model.motion, request);
}

TEST(InitialState, ABranchThatWasChosenIsNamed) {
  const Derived model = derive(circle);
  const CompletedState state = completed(model, {{"x", 0.6}});
  ASSERT_TRUE(state.ok());
  EXPECT_NEAR(value(model, state, "y"), 0.8, 1e-15);
  EXPECT_EQ(state.choices, std::vector<std::string>{"y = 0.8 was chosen on `rod`: -0.8 is possible too"});
}

/// p = 0 is one of two assemblies of the rods; w is free, and says nothing about them.
TEST(InitialState, AChoiceIsNamedBesideALargeCoordinate) {
  const Derived rods = derive(
      "coord u, v, p, w\nkinetic (u'^2 + v'^2 + p'^2 + w'^2)/2\n"
      "constraint c: cos(u) + 2*cos(p) - cos(v) = 2\nconstraint e: sin(u) + 2*sin(p) - sin(v) = 0\n");
  for (double w : {1.0, 1e5})
    EXPECT_FALSE(completed(rods, {{"u", 2.0 / 3}, {"v", 2.0 / 3}, {"w", w}}).choices.empty()) << w;
}

TEST(InitialState, NothingIsChosenWhereTheConstraintsDetermineAll) {
  const Derived disc = derive_file("classics/rolling_disc.lia");
  EXPECT_TRUE(completed(disc, {{"phi'", 2}, {"theta'", 3}}).choices.empty());
  const Derived model = derive(circle);
  EXPECT_TRUE(completed(model, {{"x", 0.6}, {"y", -0.8}}).choices.empty());
}

TEST(InitialState, APointOfACircleWithNothingGivenIsNamed) {
  const Derived model = derive(circle);
  const CompletedState state = completed(model, {});
  ASSERT_TRUE(state.ok());
  EXPECT_NEAR(value(model, state, "x"), 1, 1e-15);
  EXPECT_EQ(value(model, state, "y"), 0);
  EXPECT_EQ(state.choices, std::vector<std::string>{"x = 1 was chosen on `rod`: -1 is possible too"});
}

TEST(InitialState, ValuesThatTheConstraintsLeaveOpenAreNamed) {
  const Derived model = derive("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint sum: x + y = 1\n");
  const CompletedState state = completed(model, {});
  EXPECT_EQ(state.choices, (std::vector<std::string>{"x = 0.5 was chosen on `sum`, which leaves it open",
                                                     "y = 0.5 was chosen on `sum`, which leaves it open"}));
}

TEST(InitialState, TheStartOfTheModelGivesWayToWhatIsGiven) {
  const Derived model = derive(circle + "start x = 0, y = 1, x' = 2\n");
  const CompletedState end = completed(model, {{"x", 1}});
  ASSERT_TRUE(end.ok()) << end.problems.front().message;
  EXPECT_EQ(value(model, end, "x"), 1);
  EXPECT_EQ(value(model, end, "y"), 0);
  EXPECT_EQ(value(model, end, "x'"), 0);  // the start 2 is not possible there
  const CompletedState lower = completed(model, {{"y", -0.8}});
  ASSERT_TRUE(lower.ok());
  EXPECT_NEAR(std::abs(value(model, lower, "x")), 0.6, 1e-14);
  EXPECT_EQ(value(model, lower, "x'"), 2);  // it is here
}

TEST(InitialState, StartValuesThatDoNotConflictAreKept) {
  const Derived model = derive(
      "coord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\nconstraint rod: x^2 + y^2 = 1\n"
      "constraint other: z^2 + w^2 = 1\nstart x = 0, y = 1, z = 0.6, w = 0.8\n");
  const CompletedState state = completed(model, {{"x", 0.8}});
  ASSERT_TRUE(state.ok());
  EXPECT_NEAR(value(model, state, "y"), 0.6, 1e-14);
  EXPECT_EQ(value(model, state, "z"), 0.6);
  EXPECT_EQ(value(model, state, "w"), 0.8);
}

TEST(InitialState, AContradictionInTheStartOfTheModelIsNotMended) {
  const Derived model = derive(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint rod: x^2 + y^2 = 1\nstart x = 1, y = 1\n");
  EXPECT_FALSE(completed(model, {}).ok());
  EXPECT_FALSE(completed(model, {{"z", 2}}).ok());
}

const std::string top = "param A > 0 = 1\nrotation R (p, q, r) in body\nkinetic A/2*(p^2 + q^2 + r^2)\n";

TEST(InitialState, AQuaternionIsCompletedByItsScalarPart) {
  const Derived model = derive(top);
  const CompletedState state = completed(model, {{"R_e1", 0.5}});
  ASSERT_TRUE(state.ok());
  EXPECT_NEAR(value(model, state, "R_e0"), std::sqrt(0.75), 1e-15);
  EXPECT_EQ(value(model, state, "R_e2"), 0);
  EXPECT_EQ(value(model, state, "R_e3"), 0);
  EXPECT_EQ(state.choices, std::vector<std::string>{"R_e0 = 0.866025 was chosen on `length of the quaternion "
                                                    "R_e0`: -0.866025 is possible too"});
  EXPECT_TRUE(completed(model, {}).choices.empty());
  EXPECT_EQ(value(model, completed(model, {}), "R_e0"), 1);
}

TEST(InitialState, AQuaternionWithItsScalarPartIsCompletedByTheFirstPartThatIsNotGiven) {
  const Derived model = derive(top);
  const CompletedState state = completed(model, {{"R_e0", 0.6}, {"R_e1", 0}});
  ASSERT_TRUE(state.ok());
  EXPECT_NEAR(value(model, state, "R_e2"), 0.8, 1e-15);
  EXPECT_EQ(value(model, state, "R_e3"), 0);
}

TEST(InitialState, AQuaternionOfAnotherLengthIsRefusedWithItsResidual) {
  const Derived model = derive(top);
  const CompletedState whole = completed(model, {{"R_e0", 1}, {"R_e1", 1}, {"R_e2", 0}, {"R_e3", 0}});
  ASSERT_EQ(whole.problems.size(), 1u);
  EXPECT_DOUBLE_EQ(whole.problems[0].residual, 1);
  const CompletedState part = completed(model, {{"R_e1", 2}});
  ASSERT_EQ(part.problems.size(), 1u);
  EXPECT_DOUBLE_EQ(part.problems[0].residual, 3);
}

TEST(InitialState, AQuaternionTurnsWhereAConstraintAsksForIt) {
  const Derived model = derive(top + "constraint level: R33 = 1/2\n");
  const CompletedState state = completed(model, {});
  ASSERT_TRUE(state.ok()) << state.problems.front().message;
  double length = 0;
  for (const char* part : {"R_e0", "R_e1", "R_e2", "R_e3"}) length += std::pow(value(model, state, part), 2);
  EXPECT_NEAR(length, 1, 1e-14);
  EXPECT_FALSE(state.choices.empty());
}

}  // namespace
}  // namespace liaison::test
