#include "liaison/unilateral/shared_load.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

// Contacts that share a load: the margin against searches of its own.
namespace liaison {
namespace {

double slack(const ForceCone& cone, const std::vector<double>& forces) {
  double square = 0;
  for (const std::size_t h : cone.resisted) square += forces[h] * forces[h];
  return forces[cone.normal] - (cone.resisted.empty() ? 0 : std::sqrt(square) / cone.coefficient);
}
double least_slack(const std::vector<ForceCone>& cones, const std::vector<double>& forces) {
  double least = INFINITY;
  for (const ForceCone& cone : cones) least = std::min(least, slack(cone, forces));
  return least;
}
/// The largest force of the point, friction in units of pressure.
double load(const std::vector<ForceCone>& cones, const std::vector<double>& forces) {
  double largest = 0;
  for (const ForceCone& cone : cones) {
    largest = std::max(largest, std::abs(forces[cone.normal]));
    for (const std::size_t h : cone.resisted)
      largest = std::max(largest, std::abs(forces[h]) / cone.coefficient);
  }
  return largest;
}

/// Of a concave function on an interval, by sections.
double largest_of(const std::function<double(double)>& f, double from, double to) {
  for (int i = 0; i < 70; ++i) {
    const double third = (to - from) / 3;
    (f(from + third) < f(to - third) ? from : to) += (f(from + third) < f(to - third) ? third : -third);
  }
  return f((from + to) / 2);
}

/// Two feet, pressures 6 and 4, coefficient 1/2, pushed by `push`: how they share the friction is open.
ForceFamily two_feet(double push) {
  return {{6, push / 2, 4, push / 2}, {{0, 1, 0, -1}}};
}
const std::vector<ForceCone> feet{{0, {1}, 0.5}, {2, {3}, 0.5}};

/// The slacks are alike at the best: (10 - 2 push)/2 each, in units of the largest force.
TEST(SharedLoad, TwoFeetHoldUntilBothSlip) {
  for (const double push : {4.2, 4.6, 4.9, 4.999, 5.0, 5.001, 6.0}) {
    const SharedLoad shared = share_load(two_feet(push), feet);
    const double expected = std::min(SharedLoad::enough, (5 - push) / std::max(6.0, push));
    EXPECT_NEAR(shared.margin, expected, 1e-13) << push;
    EXPECT_NEAR(shared.forces[1] + shared.forces[3], push, 1e-12);
    if (push < 5) {
      EXPECT_GT(least_slack(feet, shared.forces), 0) << push;
    }
  }
}

TEST(SharedLoad, APointFarWithinItsConesIsKept) {
  const SharedLoad shared = share_load(two_feet(1), feet);
  EXPECT_EQ(shared.forces, two_feet(1).point);
  EXPECT_EQ(shared.margin, SharedLoad::enough);
}

/// What nothing moves is not looked at, even beyond its limit.
TEST(SharedLoad, DeterminedForcesAreLeftAlone) {
  ForceFamily family = two_feet(1);
  family.point.push_back(-3);
  family.directions[0].push_back(0);
  std::vector<ForceCone> cones = feet;
  cones.push_back({4});
  const SharedLoad shared = share_load(family, cones);
  EXPECT_EQ(shared.is_open, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(shared.margin, SharedLoad::enough);
  EXPECT_EQ(shared.forces[4], -3);
}

/// Walls that may press with any force: a wedge holds a load that its least squares do not.
TEST(SharedLoad, AWedgeHoldsByPressingHarder) {
  const ForceFamily family{{0, 5, 0, 5}, {{1, 0, 1, 0}}};
  const SharedLoad shared = share_load(family, feet);
  EXPECT_NEAR(shared.margin, SharedLoad::enough, 1e-6);
  EXPECT_GT(least_slack(feet, shared.forces), 0);
  EXPECT_LT(shared.forces[0], 100);
}

/// The forces shown go over from one way to the other without a jump.
TEST(SharedLoad, ForcesAreContinuous) {
  const ForceFamily begin{{6, 0, 2, 0}, {{0, 1, 0, -1}}};
  std::vector<double> before = begin.point;
  for (double push = 0; push < 4.2; push += 1e-3) {
    ForceFamily family = begin;
    family.point[1] = family.point[3] = push / 2;
    const SharedLoad shared = share_load(family, feet);
    for (std::size_t h = 0; h < 4; ++h) EXPECT_NEAR(shared.forces[h], before[h], 5e-3) << push;
    before = shared.forces;
  }
}

/// Random families of one and two directions, in the plane and in space, against sections.
TEST(SharedLoad, MarginsAreTheLargest) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> entry(-1, 1), friction(0.2, 1.5);
  int inside = 0, outside = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t components = 1 + static_cast<std::size_t>(trial % 2), count = 2 + trial % 3U;
    std::vector<ForceCone> cones;
    ForceFamily family;
    family.directions.resize(1 + static_cast<std::size_t>(trial / 2 % 2));
    for (std::size_t c = 0; c < count; ++c) {
      ForceCone cone{family.point.size(), {}, friction(random)};
      family.point.push_back(1 + 0.5 * entry(random));
      for (std::size_t k = 0; k < components; ++k) {
        cone.resisted.push_back(family.point.size());
        family.point.push_back(entry(random));
      }
      cones.push_back(cone);
    }
    for (auto& direction : family.directions) {
      for (std::size_t h = 0; h < family.point.size(); ++h) direction.push_back(entry(random));
    }
    const auto value = [&](double x, double y) {
      std::vector<double> forces = family.point;
      for (std::size_t h = 0; h < forces.size(); ++h) {
        forces[h] += x * family.directions[0][h];
        if (family.directions.size() > 1) forces[h] += y * family.directions[1][h];
      }
      return least_slack(cones, forces) / load(cones, family.point);
    };
    const auto best_at = [&](double x) {
      if (family.directions.size() == 1) return value(x, 0);
      return largest_of([&](double y) { return value(x, y); }, -20, 20);
    };
    const double best = std::min(SharedLoad::enough, largest_of(best_at, -20, 20));
    const SharedLoad shared = share_load(family, cones);
    EXPECT_NEAR(shared.margin, best, 2e-9) << trial;
    (best > 0 ? inside : outside) += 1;
    if (best > 1e-6) {
      EXPECT_GT(least_slack(cones, shared.forces), 0) << trial;
    }
  }
  EXPECT_GT(inside, 10);
  EXPECT_GT(outside, 10);
}

/// Units of the factors do not change what holds.
TEST(SharedLoad, UnitsDoNotDecide) {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    ForceFamily family = two_feet(4.999);
    std::vector<ForceCone> cones = feet;
    for (const std::size_t h : {0, 1}) {
      family.point[h] /= unit;
      family.directions[0][h] /= unit;
    }
    cones[0].unit = unit;
    EXPECT_NEAR(share_load(family, cones).margin, 0.001 / 6, 1e-12) << unit;
  }
}

}  // namespace
}  // namespace liaison
