#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "liaison/unilateral/impact.hpp"

namespace liaison {
namespace {

constexpr ImpactLaw laws[] = {ImpactLaw::energetic, ImpactLaw::newton, ImpactLaw::poisson};

/// Rows of contacts as velocities of masses: r = J M^-1 J^T with M = 1.
ImpactProblem of_rows(const std::vector<std::vector<double>>& rows, const std::vector<double>& before) {
  ImpactProblem problem;
  for (const auto& a : rows) {
    double v = 0;
    for (std::size_t i = 0; i < a.size(); ++i) v += a[i] * before[i];
    problem.velocity.push_back(v);
    for (const auto& b : rows) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
      problem.r.push_back(sum);
    }
  }
  return problem;
}

/// Velocities of the masses after.
std::vector<double> after(const std::vector<std::vector<double>>& rows, std::vector<double> before,
                          const Impact& impact) {
  for (std::size_t h = 0; h < rows.size(); ++h) {
    for (std::size_t i = 0; i < before.size(); ++i) before[i] += impact.impulses[h] * rows[h][i];
  }
  return before;
}

double energy(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += 0.5 * x * x;
  return sum;
}

std::vector<std::vector<double>> cradle(std::size_t balls) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i + 1 < balls; ++i) {
    rows.emplace_back(balls);
    rows[i][i] = -1;
    rows[i][i + 1] = 1;
  }
  return rows;
}

ImpactProblem cradle_problem(std::size_t balls, const std::vector<double>& before, double e, ImpactLaw law) {
  ImpactProblem problem = of_rows(cradle(balls), before);
  for (std::size_t i = 0; i + 1 < balls; ++i) problem.contacts.push_back({i, {}, e});
  problem.law = law;
  return problem;
}

TEST(SeveralImpacts, the_cradle_in_sequence_sends_one_ball) {
  for (const std::size_t balls : {3u, 5u, 9u}) {
    std::vector<double> before(balls);
    before[0] = 1;
    for (const ImpactLaw law : laws) {
      const Impacts found = sequential_impacts(cradle_problem(balls, before, 1, law));
      ASSERT_EQ(found.all.size(), 1u) << word_for(law);
      EXPECT_TRUE(found.complete) << found.remark;
      const std::vector<double> v = after(cradle(balls), before, found.all[0]);
      for (std::size_t i = 0; i < balls; ++i) EXPECT_NEAR(v[i], i + 1 == balls, 1e-12);
    }
  }
  // Two balls fall on three: two leave.
  const Impacts found = sequential_impacts(cradle_problem(5, {1, 1, 0, 0, 0}, 1, ImpactLaw::energetic));
  ASSERT_EQ(found.all.size(), 1u);
  const std::vector<double> v = after(cradle(5), {1, 1, 0, 0, 0}, found.all[0]);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(v[i], i >= 3, 1e-12);
}

TEST(SeveralImpacts, the_cradle_at_once_throws_the_rest_together) {
  for (const std::size_t balls : {3u, 4u, 6u}) {
    std::vector<double> before(balls);
    before[0] = 1;
    for (const ImpactLaw law : laws) {
      const Impacts found = simultaneous_impacts(cradle_problem(balls, before, 1, law));
      ASSERT_EQ(found.all.size(), 1u) << word_for(law) << found.remark;
      EXPECT_TRUE(found.complete);
      const std::vector<double> v = after(cradle(balls), before, found.all[0]);
      double momentum = 0;
      for (const double x : v) momentum += x;
      EXPECT_NEAR(momentum, 1, 1e-12);
      EXPECT_NEAR(energy(v) - 0.5, found.all[0].energy, 1e-12);
      if (law == ImpactLaw::poisson) continue;  // its expansion opens the other contacts too
      const double rest = 2.0 / static_cast<double>(balls);
      for (std::size_t i = 0; i < balls; ++i) EXPECT_NEAR(v[i], i == 0 ? rest - 1 : rest, 1e-12);
      EXPECT_NEAR(energy(v), 0.5, 1e-12);
    }
  }
}

TEST(SeveralImpacts, orders_that_differ_are_all_given) {
  // A ball between two others that close from both sides, with masses 1: the order matters for e < 1.
  const Impacts found = sequential_impacts(cradle_problem(3, {1, 0, -0.5}, 0.2, ImpactLaw::newton));
  EXPECT_GE(found.all.size(), 2u);
  for (const Impact& impact : found.all) {
    for (const double v : impact.velocities) EXPECT_GE(v, -1e-12);
    EXPECT_LE(impact.energy, 0);
    EXPECT_FALSE(impact.how.empty());
  }
}

TEST(SeveralImpacts, a_block_on_many_feet_has_one_velocity) {
  // Feet at x = -1, -1/2, 0, 1/2, 1 of a block that falls flat: J of its mass and turn.
  const double feet[] = {-1, -0.5, 0, 0.5, 1};
  std::vector<std::vector<double>> rows;
  for (const double x : feet) rows.push_back({1, std::sqrt(3) * x});
  for (const ImpactLaw law : laws) {
    ImpactProblem problem = of_rows(rows, {-2, 0});
    for (std::size_t i = 0; i < 5; ++i) problem.contacts.push_back({i, {}, 0.25});
    problem.law = law;
    const Impacts found = simultaneous_impacts(problem);
    ASSERT_EQ(found.all.size(), 1u) << word_for(law) << found.remark;
    EXPECT_TRUE(found.complete) << found.remark;
    const Impact& impact = found.all[0];
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(impact.velocities[i], 0.5, 1e-12);
      EXPECT_NEAR(impact.impulses[i], 0.5, 1e-10) << word_for(law);  // the least sum of squares
      sum += impact.impulses[i];
    }
    EXPECT_NEAR(sum, 2.5, 1e-12);
  }
}

TEST(SeveralImpacts, forty_feet_have_one_velocity) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 40; ++i) rows.push_back({1, (i - 19.5) / 19.5});
  ImpactProblem problem = of_rows(rows, {-2, 0});
  for (std::size_t i = 0; i < 40; ++i) problem.contacts.push_back({i, {}, 0.25});
  for (const ImpactLaw law : laws) {
    problem.law = law;
    const Impacts found = simultaneous_impacts(problem);
    ASSERT_EQ(found.all.size(), 1u) << found.remark;
    EXPECT_TRUE(found.complete) << found.remark;
    for (std::size_t i = 0; i < 40; ++i) {
      EXPECT_NEAR(found.all[0].velocities[i], 0.5, 1e-11);
      EXPECT_NEAR(found.all[0].impulses[i], 2.5 / 40, 1e-10) << word_for(law);
    }
  }
}

TEST(SeveralImpacts, a_groove_that_jams) {
  // A particle falls into a groove with walls of normals (+-c, s): friction mu > s/c holds it. Newton asks
  // for a speed upwards, against which friction is stronger than any push of the walls.
  const double s = 0.28, c = 0.96;
  const std::vector<std::vector<double>> rows = {{c, s}, {-s, c}, {-c, s}, {s, c}};
  for (const double mu : {0.2, 0.5}) {
    ImpactProblem problem = of_rows(rows, {0, -1});
    problem.contacts = {{0, {{{1}, mu, mu}}, 0.5, "left"}, {2, {{{3}, mu, mu}}, 0.5, "right"}};
    problem.law = ImpactLaw::newton;
    const Impacts newton = simultaneous_impacts(problem);
    EXPECT_TRUE(newton.complete) << newton.remark;
    EXPECT_EQ(newton.all.empty(), mu == 0.5);
    EXPECT_EQ(newton.remark.empty(), mu == 0.2) << newton.remark;
    for (const ImpactLaw law : {ImpactLaw::energetic, ImpactLaw::poisson}) {
      problem.law = law;
      const Impacts found = simultaneous_impacts(problem);
      ASSERT_EQ(found.all.size(), 1u) << word_for(law) << found.remark;
      const std::vector<double> v = after(rows, {0, -1}, found.all[0]);
      EXPECT_NEAR(v[0], 0, 1e-12) << word_for(law);
      EXPECT_LE(found.all[0].energy, 0);
      EXPECT_EQ(std::abs(v[1]) < 1e-12, mu == 0.5) << word_for(law) << v[1];
    }
  }
}

TEST(SeveralImpacts, a_block_that_rocks) {
  // One edge strikes while the other, where it turned, is at rest. At once: Newton's problem keeps that edge.
  const double b = 0.5;  // half of the width, in units of the radius of gyration
  const std::vector<std::vector<double>> rows = {{1, -2 * b}, {1, 2 * b}};
  for (const ImpactLaw law : laws) {
    ImpactProblem problem = of_rows(rows, {-1, -1});  // row 0: 0, row 1: -2
    ASSERT_EQ(problem.velocity[0], 0);
    problem.contacts = {{0, {}, 0.5}, {1, {}, 0.5}};
    problem.law = law;
    for (const Impacts& found : {simultaneous_impacts(problem), sequential_impacts(problem)}) {
      ASSERT_EQ(found.all.size(), 1u) << found.remark;
      for (const double v : found.all[0].velocities) EXPECT_GE(v, -1e-12);
      EXPECT_LT(found.all[0].energy, 0);
    }
  }
}

/// Every hypothesis of Newton's problem of two contacts in the plane on its own: none, stick, slip + or -.
std::vector<std::vector<double>> brute_force(const ImpactProblem& problem) {
  const std::size_t n = problem.velocity.size(), contacts = problem.contacts.size();
  std::vector<std::vector<double>> found;
  std::size_t hypotheses = 1;
  for (std::size_t c = 0; c < contacts; ++c) hypotheses *= 4;
  for (std::size_t hypothesis = 0; hypothesis < hypotheses; ++hypothesis) {
    // Unknowns: impulses of all rows; one equation for each.
    std::vector<std::vector<double>> a(n, std::vector<double>(n + 1));
    const auto mode = [&](std::size_t c) { return hypothesis >> (2 * c) & 3; };
    const auto velocity_is = [&](std::size_t row, double value) {
      for (std::size_t h = 0; h < n; ++h) a[row][h] = problem.r[h * n + row];
      a[row][n] = value - problem.velocity[row];
    };
    for (std::size_t c = 0; c < contacts; ++c) {
      const ImpactContact& contact = problem.contacts[c];
      const std::size_t normal = contact.normal, slip = contact.resisted[0].rows[0];
      if (mode(c) == 0) {
        a[normal][normal] = a[slip][slip] = 1;
        continue;
      }
      velocity_is(normal, -contact.restitution * std::min(0.0, problem.velocity[normal]));
      if (mode(c) == 1) {
        velocity_is(slip, 0);
      } else {
        a[slip][slip] = 1;
        a[slip][normal] = (mode(c) == 2 ? 1 : -1) * contact.resisted[0].slipping;
      }
    }
    for (std::size_t column = 0; column < n; ++column) {
      std::size_t pivot = column;
      for (std::size_t i = column; i < n; ++i) {
        if (std::abs(a[i][column]) > std::abs(a[pivot][column])) pivot = i;
      }
      std::swap(a[pivot], a[column]);
      for (std::size_t i = 0; i < n; ++i) {
        const double factor = i == column ? 0 : a[i][column] / a[column][column];
        for (std::size_t j = 0; j <= n; ++j) a[i][j] -= factor * a[column][j];
      }
    }
    std::vector<double> p, v = problem.velocity;
    for (std::size_t i = 0; i < n; ++i) p.push_back(a[i][n] / a[i][i]);
    for (std::size_t h = 0; h < n; ++h) {
      for (std::size_t k = 0; k < n; ++k) v[k] += p[h] * problem.r[h * n + k];
    }
    bool holds = true;
    for (std::size_t c = 0; c < contacts; ++c) {
      const ImpactContact& contact = problem.contacts[c];
      const std::size_t normal = contact.normal, slip = contact.resisted[0].rows[0];
      const double wanted = -contact.restitution * std::min(0.0, problem.velocity[normal]);
      holds = holds && p[normal] >= -1e-11 && v[normal] >= wanted - 1e-11 &&
              std::abs(p[slip]) <= contact.resisted[0].sticking * p[normal] + 1e-11;
      if (mode(c) >= 2) holds = holds && (mode(c) == 2 ? v[slip] : -v[slip]) >= -1e-11;
    }
    if (holds) found.push_back(v);
  }
  return found;
}

bool equal(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (std::abs(a[k] - b[k]) > 1e-7 * (1 + std::abs(a[k]))) return false;
  }
  return true;
}

ImpactProblem random_problem(std::mt19937_64& random, std::size_t contacts, double largest_mu) {
  std::uniform_real_distribution uniform(-1.0, 1.0);
  const std::size_t n = 2 * contacts;
  std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1));
  for (auto& row : rows) {
    for (double& x : row) x = uniform(random);
  }
  std::vector<double> before(n + 1);
  for (double& x : before) x = uniform(random);
  ImpactProblem problem = of_rows(rows, before);
  for (std::size_t c = 0; c < contacts; ++c) {
    const double mu = largest_mu * std::abs(uniform(random));
    problem.contacts.push_back({2 * c, {{{2 * c + 1}, mu, mu}}, std::abs(uniform(random))});
  }
  return problem;
}

TEST(SeveralImpacts, newton_equals_brute_force_over_all_modes) {
  std::mt19937_64 random(31);
  int several = 0;
  for (int i = 0; i < 200; ++i) {
    ImpactProblem problem = random_problem(random, 1 + i % 3, 6);
    problem.law = ImpactLaw::newton;
    if (std::none_of(problem.contacts.begin(), problem.contacts.end(),
                     [&](const ImpactContact& contact) { return problem.velocity[contact.normal] < 0; }))
      continue;
    const Impacts found = simultaneous_impacts(problem);
    const auto expected = brute_force(problem);
    EXPECT_TRUE(found.complete) << found.remark;
    for (const Impact& impact : found.all) {
      EXPECT_TRUE(std::any_of(expected.begin(), expected.end(),
                              [&](const auto& v) { return equal(v, impact.velocities); }))
          << i << impact.how;
    }
    for (const auto& v : expected) {
      EXPECT_TRUE(std::any_of(found.all.begin(), found.all.end(), [&](const Impact& impact) {
        return equal(v, impact.velocities);
      })) << i;
    }
    several += found.all.size() > 1;
  }
  EXPECT_GT(several, 0);
}

TEST(SeveralImpacts, the_energetic_law_makes_no_energy) {
  std::mt19937_64 random(32);
  int ended = 0;
  for (int i = 0; i < 300; ++i) {
    const ImpactProblem problem = random_problem(random, 2 + i % 3, 1.5);
    const Impacts found = simultaneous_impacts(problem);
    for (const Impact& impact : found.all) {
      ++ended;
      EXPECT_LE(impact.energy, 1e-12) << i << impact.how;
      for (const ImpactContact& contact : problem.contacts) {
        const double p = impact.impulses[contact.normal];
        EXPECT_GE(p, 0) << i;
        EXPECT_GE(impact.velocities[contact.normal], -1e-11) << i << impact.how;
        EXPECT_LE(std::abs(impact.impulses[contact.resisted[0].rows[0]]),
                  contact.resisted[0].slipping * p * (1 + 1e-9) + 1e-12)
            << i;
      }
    }
    EXPECT_FALSE(found.all.empty()) << i << found.remark;
  }
  EXPECT_GE(ended, 300);
}

TEST(SeveralImpacts, small_integers_end_without_nan) {
  // Rows that depend on each other, velocities of zero, limits of two modes.
  std::mt19937_64 random(34);
  for (int i = 0; i < 400; ++i) {
    const auto small = [&] { return static_cast<double>(random() % 5) - 2; };
    const std::size_t freedoms = 1 + random() % 4, contacts = 1 + random() % 3;
    std::vector<std::vector<double>> rows(2 * contacts, std::vector<double>(freedoms));
    for (auto& row : rows) std::generate(row.begin(), row.end(), small);
    std::vector<double> before(freedoms);
    std::generate(before.begin(), before.end(), small);
    ImpactProblem problem = of_rows(rows, before);
    problem.law = laws[i % 3];
    for (std::size_t c = 0; c < contacts; ++c) {
      const double mu = static_cast<double>(random() % 5) / 4;
      problem.contacts.push_back({2 * c, {{{2 * c + 1}, mu, mu}}, static_cast<double>(random() % 5) / 4});
    }
    const Impacts found = simultaneous_impacts(problem);
    EXPECT_FALSE(found.all.empty() && (problem.law != ImpactLaw::newton || found.remark.empty()))
        << i << found.remark;
    for (const Impact& impact : found.all) {
      const std::vector<double> v = after(rows, before, impact);
      EXPECT_NEAR(energy(v) - energy(before), impact.energy, 1e-9 * (1 + energy(before))) << i << impact.how;
      if (problem.law == ImpactLaw::energetic) {
        EXPECT_LE(impact.energy, 1e-9) << i << impact.how;
      }
      for (const ImpactContact& contact : problem.contacts) {
        const double p = impact.impulses[contact.normal];
        EXPECT_GE(p, 0) << i;
        EXPECT_GE(impact.velocities[contact.normal], -1e-9) << i << impact.how;
        EXPECT_LE(std::abs(impact.impulses[contact.normal + 1]), contact.resisted[0].sticking * p + 1e-9)
            << i;
      }
    }
  }
}

TEST(SeveralImpacts, between_two_walls_an_order_ends_at_rest) {
  // Both close: each impact sends it to the other wall, e times as fast.
  ImpactProblem problem{{1, -1, -1, 1}, {-1, 1}, {{0, {}, 0.5, "left"}, {1, {}, 0.5, "right"}}};
  const Impacts found = sequential_impacts(problem);
  ASSERT_EQ(found.all.size(), 1u) << found.remark;
  for (const double v : found.all[0].velocities) EXPECT_NEAR(v, 0, 1e-11);
}

TEST(SeveralImpacts, what_is_not_coupled_does_not_see_each_other) {
  std::mt19937_64 random(33);
  for (const ImpactLaw law : laws) {
    ImpactProblem one = random_problem(random, 1, 1), both;
    one.velocity[0] = -1;
    one.law = both.law = law;
    both.r.assign(16, 0);
    both.contacts = {one.contacts[0], one.contacts[0]};
    both.contacts[1].normal = 2;
    both.contacts[1].resisted[0].rows = {3};
    for (std::size_t copy = 0; copy < 2; ++copy) {
      for (std::size_t h = 0; h < 2; ++h) {
        for (std::size_t k = 0; k < 2; ++k) both.r[(2 * copy + h) * 4 + 2 * copy + k] = one.r[2 * h + k];
      }
    }
    both.velocity = {one.velocity[0], one.velocity[1], one.velocity[0], one.velocity[1]};
    const Impacts single = simultaneous_impacts(one), found = simultaneous_impacts(both);
    ASSERT_EQ(found.all.size(), single.all.size() * single.all.size());
    EXPECT_EQ(found.all[0].impulses[0], single.all[0].impulses[0]);
    EXPECT_EQ(found.all[0].impulses[3], single.all[0].impulses[1]);
  }
}

}  // namespace
}  // namespace liaison
