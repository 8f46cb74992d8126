#include "liaison/unilateral/step_motions.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace liaison {
namespace {

constexpr double weight = 20, mass = 2, height = 0.4;
constexpr std::array<double, 3> inertia = {0.1, 0.2, 0.25};

struct Leg {
  double a, b, mu;
};
struct Push {
  double x, y, turn;  ///< forces at the centre, and a moment about the vertical
};

/// A table at rest on its legs, in a step of time one.
ManyContacts table(const std::vector<Leg>& legs, const Push& push) {
  ManyContacts problem;
  const std::array<double, 6> inverse = {1 / mass,       1 / mass,       1 / mass,
                                         1 / inertia[0], 1 / inertia[1], 1 / inertia[2]};
  problem.free = {push.x / mass, push.y / mass, -weight / mass, 0, 0, push.turn / inertia[2]};
  std::size_t next = 0;
  for (const Leg& leg : legs) {
    const std::array<std::array<double, 6>, 3> rows = {
        {{0, 0, 1, leg.b, -leg.a, 0}, {1, 0, 0, 0, -height, -leg.b}, {0, 1, 0, height, 0, leg.a}}};
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < 6; ++i) {
        problem.rows.add(i, row[i]);
        problem.responses.add(i, row[i] * inverse[i]);
      }
      problem.rows.end_row();
      problem.responses.end_row();
    }
    problem.contacts.push_back({.normal = next, .resisted = {{next + 1, 2, leg.mu, leg.mu}}});
    next += 3;
  }
  return problem;
}

/// By how much the law is broken, beside the weight.
double broken(const ManyContacts& problem, const StepMotion& motion) {
  std::vector<double> u = problem.free;
  for (std::size_t h = 0; h < motion.impulses.size(); ++h) {
    for (std::size_t i = problem.responses.begins[h]; i < problem.responses.begins[h + 1]; ++i)
      u[problem.responses.columns[i]] += motion.impulses[h] * problem.responses.values[i];
  }
  double worst = 0;
  for (const auto& contact : problem.contacts) {
    const double n = motion.impulses[contact.normal], v = problem.rows.times(contact.normal, u);
    worst = std::max({worst, -n / weight, -v, std::abs(n * v) / weight});
    const std::size_t row = contact.resisted[0].row;
    const double mu = contact.resisted[0].slipping;
    const double tx = motion.impulses[row], ty = motion.impulses[row + 1];
    const double vx = problem.rows.times(row, u), vy = problem.rows.times(row + 1, u);
    const double speed = std::hypot(vx, vy);
    worst = std::max(worst, (std::hypot(tx, ty) - mu * n) / weight);
    if (speed > 1e-9)
      worst = std::max(worst, std::hypot(tx + mu * n * vx / speed, ty + mu * n * vy / speed) / weight);
  }
  return worst;
}

const std::vector<Leg> four = {{0.5, 0.3, 0.3}, {0.5, -0.3, 0.3}, {-0.5, 0.3, 0.3}, {-0.5, -0.3, 0.3}};
const std::vector<Leg> three = {{0.6, 0, 0.3}, {-0.3, 0.5, 0.3}, {-0.3, -0.5, 0.3}};

/// However four legs share the weight, friction brakes a push through the centre by mu W, against it.
TEST(StepMotions, ATableThatIsPushedSlidesWithoutTurning) {
  for (const auto& legs : {three, four}) {
    for (const double more : {1.0, 1e-3, 1e-5}) {
      const double force = 0.3 * weight * (1 + more);
      const ManyContacts problem = table(legs, {0.6 * force, 0.8 * force, 0});
      const auto found = step_motions(problem);
      ASSERT_EQ(found.size(), 1U);
      EXPECT_FALSE(found[0].is_open);
      EXPECT_LT(broken(problem, found[0]), 1e-10);
      EXPECT_NEAR(found[0].velocities[0], 0.6 * 0.3 * weight * more / mass, 1e-11);
      EXPECT_NEAR(found[0].velocities[1], 0.8 * 0.3 * weight * more / mass, 1e-11);
      EXPECT_NEAR(found[0].velocities[5], 0, 1e-10);
    }
  }
}

TEST(StepMotions, ATableThatIsPushedTooLittleRests) {
  for (const auto& legs : {three, four}) {
    const auto found = step_motions(table(legs, {3, 4, 0}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_FALSE(found[0].is_open);
    for (const double velocity : found[0].velocities) EXPECT_NEAR(velocity, 0, 1e-11);
  }
}

/// About the middle of a rectangle all legs have one arm: friction has the moment mu W rho in every way.
TEST(StepMotions, ATableOnFourLegsTurnsAboutItsMiddle) {
  const double arm = std::hypot(0.5, 0.3), moment = 0.3 * weight * arm + 0.1;
  const auto found = step_motions(table(four, {0, 0, moment}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].is_open);
  EXPECT_NEAR(found[0].velocities[5], 0.1 / inertia[2], 1e-10);
}

/// On three legs the pressures are determined, and the motion is; on four it depends on them where it turns.
TEST(StepMotions, WhatTurnsOnFourLegsDependsOnTheirLoads) {
  const Push aside{8, 1, -2};
  const auto on_three = step_motions(table(three, aside));
  ASSERT_FALSE(on_three.empty());
  for (const StepMotion& motion : on_three) EXPECT_FALSE(motion.is_open);
  const auto found = step_motions(table(four, aside));
  ASSERT_FALSE(found.empty());
  for (const StepMotion& motion : found) EXPECT_TRUE(motion.is_open);
}

/// Random tables: every motion that is found satisfies the law, and some motion is found.
TEST(StepMotions, MotionsSatisfyTheLaw) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 60; ++i) {
    std::vector<Leg> legs;
    const int count = 3 + i % 3;
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * M_PI * (k + 0.3 * uniform(random)) / count, far = 0.6 + 0.3 * uniform(random);
      legs.push_back({far * std::cos(angle), far * std::sin(angle), 0.3 + 0.2 * uniform(random)});
    }
    const ManyContacts problem =
        table(legs, {12 * uniform(random), 12 * uniform(random), 4 * uniform(random)});
    const auto found = step_motions(problem);
    ASSERT_FALSE(found.empty()) << i;
    for (const StepMotion& motion : found) EXPECT_LT(broken(problem, motion), 1e-9) << i;
  }
}

}  // namespace
}  // namespace liaison
