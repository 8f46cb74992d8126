#include "liaison/mechanics/motion_kind.hpp"

#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

constexpr const char* plane = "param m > 0\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nforce x = 1\n";

std::string described(const std::string& constraints) {
  return describe_kind(*derive(plane + constraints).motion);
}

TEST(MotionKind, OneMotionAndOneSetOfFactorsIsRegular) {
  EXPECT_EQ(described(""), "regular");
  EXPECT_EQ(described("constraint c: x' = 0\n"), "regular");
}

TEST(MotionKind, ARelationSaidTwiceIsRedundantButConsistent) {
  EXPECT_EQ(described("constraint c: x' = 0\nconstraint d: 2*x' = 0\nconstraint e: y' = 0\n"),
            "redundant but consistent: the motion is unique, lambda(c) and lambda(d) are open");
}

TEST(MotionKind, GradientsThatAreParallelWhereTheRelationsHoldMoveNothing) {
  const std::string both = "redundant but consistent: the motion is unique, lambda(c) and lambda(d) are open";
  EXPECT_EQ(described("constraint c: x = y\nconstraint d: x^3 = y^3\n"), both);
  EXPECT_EQ(described("constraint c: y = 0\nconstraint d: x*y = 0\n"), both);
  EXPECT_EQ(described("constraint c: y = 0\nconstraint d: y = x^2*y\n"), both);
  const Derived line = derive(std::string(plane) + "constraint c: y = 0\nconstraint d: x*y = 0\n");
  EXPECT_TRUE(line.equal(line.motion->acceleration[0], "1/m"));
}

TEST(MotionKind, WhatNoFactorsKeepIsContradictory) {
  EXPECT_EQ(described("constraint c: x' = 0 along dy\n"), "contradictory: no factors keep a(c)");
}

TEST(MotionKind, AForceThatNothingDeterminesLeavesTheMotionUndetermined) {
  EXPECT_EQ(described("constraint c: y' = 0\nreaction push: x'\n"),
            "undetermined motion: lambda(push) is open, and so is the motion");
}

TEST(MotionKind, NoRealStateHasNoMotion) {
  const Derived never = derive(std::string(plane) + "constraint c: x^2 + y^2 = -1\n");
  EXPECT_TRUE(has_no_motion(*never.algebra, *never.motion));
  const Derived circle = derive(std::string(plane) + "constraint c: x^2 + y^2 = 1\n");
  EXPECT_FALSE(has_no_motion(*circle.algebra, *circle.motion));
}

}  // namespace
}  // namespace liaison::test
