#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "liaison/unilateral/impact.hpp"

namespace liaison {
namespace {

constexpr ImpactLaw laws[] = {ImpactLaw::energetic, ImpactLaw::newton, ImpactLaw::poisson};

/// r = B B^T of random rows, and random velocities before.
ImpactProblem random_rows(std::mt19937_64& random, std::size_t n) {
  std::uniform_real_distribution uniform(-1.0, 1.0);
  std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1));
  for (auto& row : rows) {
    for (double& x : row) x = uniform(random);
  }
  ImpactProblem problem;
  for (const auto& a : rows) {
    problem.velocity.push_back(uniform(random));
    for (const auto& b : rows) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
      problem.r.push_back(sum);
    }
  }
  return problem;
}

/// Row 0 the normal, rows 1 and 2 the slip.
ImpactProblem random_contact(std::mt19937_64& random, ImpactLaw law) {
  std::uniform_real_distribution uniform(0.0, 1.0);
  ImpactProblem problem = random_rows(random, 3);
  problem.velocity[0] = -0.1 - uniform(random);
  const double mu = 1.5 * uniform(random);
  problem.contacts = {{0, {{{1, 2}, mu, mu}}, uniform(random)}};
  problem.law = law;
  return problem;
}

/// The path in small steps of the impulse, the friction of each by Coulomb's law at its end.
std::vector<double> by_small_steps(const ImpactProblem& problem, double step) {
  const auto& r = problem.r;
  std::vector<double> v = problem.velocity;
  const double mu = problem.contacts[0].resisted[0].slipping, e = problem.contacts[0].restitution;
  const bool energetic = problem.law == ImpactLaw::energetic;
  double in = 0, out = 0;
  while (v[0] < 0 || out < (energetic ? e * e : e) * in) {
    const double x = v[1] + step * r[1], y = v[2] + step * r[2];
    double fx = 0, fy = 0;  // (r + a) f = -(x, y), with the least a that keeps f within mu
    const auto length = [&](double a) {
      const double det = (r[4] + a) * (r[8] + a) - r[5] * r[5];
      fx = (-(r[8] + a) * x + r[5] * y) / det;
      fy = (-(r[4] + a) * y + r[5] * x) / det;
      return std::hypot(fx, fy);
    };
    if (length(0) > mu * step) {
      double low = 0, high = std::hypot(x, y) / (mu * step);
      for (int i = 0; i < 60; ++i) (length(0.5 * (low + high)) > mu * step ? low : high) = 0.5 * (low + high);
      length(high);
    }
    const double before = v[0];
    for (std::size_t k = 0; k < 3; ++k) v[k] += step * r[k] + fx * r[3 + k] + fy * r[6 + k];
    const double mean = 0.5 * (before + v[0]);
    (mean < 0 ? in : out) += energetic ? std::abs(mean) * step : step;
  }
  return v;
}

TEST(ImpactInSpace, paths_are_those_of_small_steps) {
  std::mt19937_64 random(41);
  int stuck = 0, slid = 0;
  for (int i = 0; i < 60; ++i) {
    const ImpactProblem problem =
        random_contact(random, i % 2 == 0 ? ImpactLaw::energetic : ImpactLaw::poisson);
    const Impacts found = simultaneous_impacts(problem);
    ASSERT_EQ(found.all.size(), 1u) << i << found.remark;
    EXPECT_TRUE(found.complete) << found.remark;
    const Impact& impact = found.all[0];
    const std::vector<double> v = by_small_steps(problem, impact.impulses[0] / 2000);
    double scale = 1;
    for (const double x : v) scale = std::max(scale, std::abs(x));
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(v[k], impact.velocities[k], 1e-2 * scale) << i << impact.how;
    (impact.velocities[1] == 0 && impact.velocities[2] == 0 ? stuck : slid) += 1;
  }
  EXPECT_GT(stuck, 5);
  EXPECT_GT(slid, 5);
}

/// Fourth order in s with dp = abs(slip) ds, in which directions are smooth: the velocities when p is
/// reached.
std::vector<double> to_impulse(const ImpactProblem& problem, double p, double& in, double& out) {
  const double mu = problem.contacts[0].resisted[0].slipping;
  const auto rate = [&](const std::array<double, 5>& y) {  // velocities, p, work
    const double slip = std::hypot(y[1], y[2]);
    std::array<double, 5> d = {};
    for (std::size_t k = 0; k < 3; ++k)
      d[k] = slip * problem.r[k] - mu * (y[1] * problem.r[3 + k] + y[2] * problem.r[6 + k]);
    d[3] = slip;
    d[4] = slip * y[0];
    return d;
  };
  std::array<double, 5> y = {problem.velocity[0], problem.velocity[1], problem.velocity[2], 0, 0};
  in = out = 0;
  bool crossed = false;
  const double largest = *std::max_element(problem.r.begin(), problem.r.end());
  for (int steps = 0; steps < 200'000; ++steps) {
    const auto plus = [](std::array<double, 5> a, const std::array<double, 5>& b, double h) {
      for (std::size_t i = 0; i < 5; ++i) a[i] += h * b[i];
      return a;
    };
    const auto after = [&](double h) {
      const auto k1 = rate(y), k2 = rate(plus(y, k1, h / 2)), k3 = rate(plus(y, k2, h / 2)),
                 k4 = rate(plus(y, k3, h));
      return plus(plus(plus(plus(y, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
    };
    const auto passes = [&](double h) { return (!crossed && after(h)[0] > 0) || after(h)[3] > p; };
    double low = 0, high = std::min(1e-3 * p / std::hypot(y[1], y[2]), 0.01 / ((1 + mu) * largest));
    if (passes(high)) {  // through v_n = 0, and the last step
      for (int i = 0; i < 100; ++i) (passes(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
    }
    const std::array<double, 5> next = after(high);
    (next[4] < y[4] ? in : out) += std::abs(next[4] - y[4]);
    y = next;
    crossed = crossed || y[0] > 0;
    if (y[3] >= p) return {y[0], y[1], y[2]};
  }
  return {NAN, NAN, NAN};
}

TEST(ImpactInSpace, a_slip_that_turns_is_followed_to_ten_digits) {
  std::mt19937_64 random(46);
  int tried = 0;
  while (tried < 15) {
    const ImpactProblem problem = random_contact(random, ImpactLaw::energetic);
    const Impact impact = simultaneous_impacts(problem).all.at(0);
    const double e = problem.contacts[0].restitution;
    if (impact.how.find("sticks") != std::string::npos || impact.how.find("begins") != std::string::npos)
      continue;
    ++tried;
    double in = 0, out = 0;
    const std::vector<double> v = to_impulse(problem, impact.impulses[0], in, out);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(v[k], impact.velocities[k], 1e-10) << tried << impact.how;
    EXPECT_NEAR(out, e * e * in, 1e-10) << tried << impact.how;
  }
}

TEST(ImpactInSpace, random_impacts_keep_their_laws) {
  std::mt19937_64 random(42);
  for (int i = 0; i < 900 && !::testing::Test::HasFailure(); ++i) {
    const ImpactProblem problem = random_contact(random, laws[i % 3]);
    const Impacts found = simultaneous_impacts(problem);
    ASSERT_FALSE(found.all.empty()) << i << found.remark;
    EXPECT_TRUE(found.complete) << i << found.remark;
    for (const Impact& impact : found.all) {
      const double p = impact.impulses[0], size = 1e-10 * (1 + p);
      const double mu = problem.contacts[0].resisted[0].slipping;
      EXPECT_GE(impact.velocities[0], -1e-12) << i;
      EXPECT_LE(std::hypot(impact.impulses[1], impact.impulses[2]), mu * p + size) << i;
      for (std::size_t k = 0; k < 3; ++k) {
        double sum = problem.velocity[k];
        for (std::size_t h = 0; h < 3; ++h) sum += impact.impulses[h] * problem.r[3 * h + k];
        EXPECT_NEAR(sum, impact.velocities[k], 1e-12 * (1 + p)) << i;
      }
      if (problem.law == ImpactLaw::energetic) {
        EXPECT_LE(impact.energy, 1e-12) << i << impact.how;
      }
      if (problem.law != ImpactLaw::newton) continue;
      const double speed = std::hypot(impact.velocities[1], impact.velocities[2]);
      EXPECT_NEAR(impact.velocities[0], -problem.contacts[0].restitution * problem.velocity[0], size);
      if (speed < 1e-9) continue;
      EXPECT_NEAR(impact.impulses[1], -mu * p * impact.velocities[1] / speed, size / speed) << i;
      EXPECT_NEAR(impact.impulses[2], -mu * p * impact.velocities[2] / speed, size / speed) << i;
    }
  }
}

/// Newton's law for one contact by a scan of all directions of slip.
std::size_t count_by_scan(const ImpactProblem& problem) {
  const auto& r = problem.r;
  const double mu = problem.contacts[0].resisted[0].slipping;
  const double drive = -(1 + problem.contacts[0].restitution) * problem.velocity[0];
  std::size_t count = 0;
  double before = NAN;
  const int steps = 10'000;
  for (int i = 0; i <= steps; ++i) {
    const double s = 2 * M_PI * i / steps, cx = std::cos(s), cy = std::sin(s);
    const double p = drive / (r[0] - mu * (cx * r[3] + cy * r[6]));
    const double x = problem.velocity[1] + p * (r[1] - mu * (cx * r[4] + cy * r[7]));
    const double y = problem.velocity[2] + p * (r[2] - mu * (cx * r[5] + cy * r[8]));
    const double across = p > 0 && cx * x + cy * y > 0 ? cx * y - cy * x : NAN;
    count += across * before < 0;
    before = across;
  }
  return count;
}

TEST(ImpactInSpace, newton_finds_every_direction_of_slip) {
  std::mt19937_64 random(43);
  int several = 0;
  for (int i = 0; i < 200; ++i) {
    ImpactProblem problem = random_contact(random, ImpactLaw::newton);
    problem.contacts[0].resisted[0].slipping = problem.contacts[0].resisted[0].sticking =
        i % 2 == 0 ? 0.5 : 3.0;
    // Servo constraints push otherwise than they feel: r need not be symmetric, and then there may be
    // several.
    std::uniform_real_distribution uniform(-2.0, 2.0);
    for (double& entry : problem.r) entry += i % 4 < 2 ? 0 : uniform(random);
    const Impacts found = simultaneous_impacts(problem);
    std::size_t slips = 0;
    for (const Impact& impact : found.all)
      slips += std::hypot(impact.velocities[1], impact.velocities[2]) > 1e-9;
    EXPECT_EQ(slips, count_by_scan(problem)) << i;
    several += found.all.size() > 1;
  }
  EXPECT_GT(several, 0);
}

TEST(ImpactInSpace, a_contact_along_a_line_is_that_of_the_plane) {
  std::mt19937_64 random(44);
  for (int i = 0; i < 300; ++i) {
    ImpactProblem plane = random_rows(random, 2);
    plane.velocity[0] = -std::abs(plane.velocity[0]) - 0.1;
    plane.law = laws[i % 3];
    plane.contacts = {{0, {{{1}, 0.4, 0.4}}, 0.6}};
    // Turned by 0.7 about the normal; across the line nothing couples.
    const double c = std::cos(0.7), s = std::sin(0.7), nt = plane.r[1], tt = plane.r[3], across = 0.5;
    ImpactProblem space;
    space.r = {plane.r[0],
               nt * c,
               nt * s,
               nt * c,
               tt * c * c + across * s * s,
               (tt - across) * c * s,
               nt * s,
               (tt - across) * c * s,
               tt * s * s + across * c * c};
    space.velocity = {plane.velocity[0], plane.velocity[1] * c, plane.velocity[1] * s};
    space.law = plane.law;
    space.contacts = {{0, {{{1, 2}, 0.4, 0.4}}, 0.6}};
    const Impacts flat = simultaneous_impacts(plane), found = simultaneous_impacts(space);
    ASSERT_EQ(found.all.size(), flat.all.size()) << i << found.remark;
    EXPECT_NEAR(found.all[0].impulses[0], flat.all[0].impulses[0], 1e-10 * (1 + flat.all[0].impulses[0]))
        << i;
    EXPECT_NEAR(found.all[0].velocities[1], c * flat.all[0].velocities[1], 1e-10) << i;
    EXPECT_NEAR(found.all[0].velocities[2], s * flat.all[0].velocities[1], 1e-10) << i;
  }
}

TEST(ImpactInSpace, the_tangential_impact_is_that_of_the_plane) {
  // The rod without motion, turned about the vertical.
  const double c = std::cos(0.4), s = std::sin(0.4), nn = 2.08, nt = -1.44, tt = 2.92, across = 1;
  ImpactProblem problem;
  problem.r = {nn,
               nt * c,
               nt * s,
               nt * c,
               tt * c * c + across * s * s,
               (tt - across) * c * s,
               nt * s,
               (tt - across) * c * s,
               tt * s * s + across * c * c};
  problem.velocity = {0, -c, -s};
  problem.contacts = {{0, {{{1, 2}, 2, 2}}, 0.5}};
  for (const ImpactLaw law : laws) {
    problem.law = law;
    ImpactProblem plane{{nn, nt, nt, tt}, {0, -1}, {{0, {{{1}, 2, 2}}, 0.5}}, law};
    const Impacts found = tangential_impact(problem, 0);
    ASSERT_EQ(found.all.size(), 1u) << word_for(law) << found.remark;
    EXPECT_NEAR(found.all[0].impulses[0], tangential_impact(plane, 0).all.at(0).impulses[0], 1e-10);
  }
}

TEST(ImpactInSpace, a_ball_stops_to_turn_about_its_normal) {
  // Solid sphere, m = 1, radius 1, J = 2/5: slip (x' - q, y' + p), pivoting r with a length of its own.
  ImpactProblem problem;
  problem.r = {1, 0, 0, 0, 0, 3.5, 0, 0, 0, 0, 3.5, 0, 0, 0, 0, 2.5};
  problem.velocity = {-1, 2, 1, 0.3};
  problem.contacts = {{0, {{{1, 2}, 0.3, 0.3}, {{3}, 0.05, 0.05}}, 0.5}};
  for (const ImpactLaw law : laws) {
    problem.law = law;
    const Impacts found = simultaneous_impacts(problem);
    ASSERT_EQ(found.all.size(), 1u) << found.remark;
    const Impact& impact = found.all[0];
    EXPECT_NEAR(impact.impulses[0], 1.5, 1e-10);
    EXPECT_NEAR(impact.velocities[3], 0.3 - 2.5 * 0.05 * 1.5, 1e-10);
    const double speed = std::sqrt(5.0);
    EXPECT_NEAR(impact.velocities[1], 2 * (1 - 3.5 * 0.45 / speed), 1e-9);
  }
}

TEST(ImpactInSpace, several_contacts_make_no_energy) {
  std::mt19937_64 random(45);
  int ended = 0, incomplete = 0;
  for (int i = 0; i < 40; ++i) {
    ImpactProblem problem = random_rows(random, 6);
    problem.velocity[0] = -0.5;
    problem.law = laws[i % 3];
    problem.contacts = {{0, {{{1, 2}, 0.3, 0.3}}, 0.5}, {3, {{{4, 5}, 0.3, 0.3}}, 0.2}};
    const Impacts found = simultaneous_impacts(problem);
    EXPECT_EQ(found.complete, found.remark.empty()) << found.remark;
    incomplete += !found.complete;
    for (const Impact& impact : found.all) {
      ++ended;
      for (const std::size_t normal : {0, 3}) {
        EXPECT_GE(impact.velocities[normal], -1e-9) << i;
        EXPECT_LE(std::hypot(impact.impulses[normal + 1], impact.impulses[normal + 2]),
                  0.3 * impact.impulses[normal] + 1e-9)
            << i;
      }
      if (problem.law == ImpactLaw::energetic) {
        EXPECT_LE(impact.energy, 1e-9) << i << impact.how;
      }
    }
  }
  EXPECT_GE(ended, 36);
  EXPECT_GT(incomplete, 10);
}

}  // namespace
}  // namespace liaison
