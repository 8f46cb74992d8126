#include "liaison/unilateral/many_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "liaison/unilateral/impact.hpp"
#include "liaison/unilateral/lemke.hpp"

namespace liaison {
namespace {

double uniform(std::mt19937_64& random, double low = -1, double high = 1) {
  return std::uniform_real_distribution(low, high)(random);
}

SparseRows of_dense(const std::vector<std::vector<double>>& rows) {
  SparseRows sparse;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) sparse.add(i, row[i]);
    sparse.end_row();
  }
  return sparse;
}

SparseRows unit_matrix(std::size_t n) {
  SparseRows sparse;
  for (std::size_t i = 0; i < n; ++i) {
    sparse.add(i, 1);
    sparse.end_row();
  }
  return sparse;
}

std::vector<double> velocities_of_rows(const ManyContacts& problem, const std::vector<double>& u) {
  std::vector<double> v(problem.rows.size());
  for (std::size_t k = 0; k < v.size(); ++k) {
    for (std::size_t i = problem.rows.begins[k]; i < problem.rows.begins[k + 1]; ++i)
      v[k] += problem.rows.values[i] * u[problem.rows.columns[i]];
  }
  return v;
}

double energy(const std::vector<double>& u) {
  double sum = 0;
  for (const double x : u) sum += 0.5 * x * x;
  return sum;
}

/// Contacts with `tangents` rows each behind the normal, random rows of a system of mass 1.
ManyContacts random_contacts(std::mt19937_64& random, std::size_t contacts, std::size_t tangents, double mu,
                             std::size_t freedoms) {
  std::vector<std::vector<double>> rows(contacts * (1 + tangents), std::vector<double>(freedoms));
  for (auto& row : rows) {
    for (double& x : row) x = uniform(random);
  }
  ManyContacts problem;
  problem.rows = of_dense(rows);
  problem.responses = product(problem.rows, unit_matrix(freedoms));
  for (std::size_t i = 0; i < freedoms; ++i) problem.free.push_back(uniform(random));
  for (std::size_t c = 0; c < contacts; ++c) {
    ManyContacts::Contact contact{.normal = c * (1 + tangents)};
    if (tangents > 0) contact.resisted = {{c * (1 + tangents) + 1, tangents, mu, mu}};
    problem.contacts.push_back(contact);
  }
  return problem;
}

/// r and velocities of the same contacts, dense.
ImpactProblem dense(const ManyContacts& problem) {
  ImpactProblem result;
  result.law = ImpactLaw::newton;
  result.velocity = velocities_of_rows(problem, problem.free);
  const std::size_t n = problem.rows.size();
  for (std::size_t h = 0; h < n; ++h) {
    std::vector<double> response(problem.free.size());
    for (std::size_t i = problem.responses.begins[h]; i < problem.responses.begins[h + 1]; ++i)
      response[problem.responses.columns[i]] = problem.responses.values[i];
    const std::vector<double> rates = velocities_of_rows(problem, response);
    result.r.insert(result.r.end(), rates.begin(), rates.end());
  }
  for (const auto& contact : problem.contacts) {
    ImpactContact added{contact.normal, {}, contact.restitution};
    for (const auto& resisted : contact.resisted) {
      ImpactResistance& resistance = added.resisted.emplace_back();
      for (std::size_t k = 0; k < resisted.components; ++k) resistance.rows.push_back(resisted.row + k);
      resistance.slipping = resisted.slipping;
      resistance.sticking = resisted.sticking;
    }
    result.contacts.push_back(added);
  }
  return result;
}

TEST(ManyContacts, WithoutFrictionAgreesWithLemke) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t contacts = 1 + random() % 12;
    const ManyContacts problem = random_contacts(random, contacts, 0, 0, contacts + 1 + random() % 4);
    const ManyImpulses found = solve(problem);
    ASSERT_TRUE(found.converged) << trial << " residual " << found.residual;
    const ImpactProblem full = dense(problem);
    const auto expected = lemke(DoubleComplementarity{full.r, full.velocity});
    ASSERT_TRUE(expected) << trial;
    const std::vector<double> v = velocities_of_rows(problem, found.velocities);
    for (std::size_t k = 0; k < contacts; ++k) EXPECT_NEAR(v[k], expected->separations[k], 1e-8) << trial;
  }
}

TEST(ManyContacts, OneImpulseOfOneContactIsNewtonsLaw) {
  std::mt19937_64 random(2);
  int slips = 0, sticks = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const std::size_t tangents = 1 + static_cast<std::size_t>(trial % 2);
    ManyContacts problem = random_contacts(random, 1, tangents, uniform(random, 0, 1), 4);
    const double before = velocities_of_rows(problem, problem.free)[0];
    if (before >= 0) continue;
    problem.contacts[0].restitution = uniform(random, 0, 1);
    problem.contacts[0].before = before;
    const ManyImpulses found = solve(problem);
    ASSERT_TRUE(found.converged) << trial << " residual " << found.residual;
    const Impacts expected = simultaneous_impacts(dense(problem));
    ASSERT_TRUE(expected.complete) << expected.remark;
    const std::vector<double> v = velocities_of_rows(problem, found.velocities);
    EXPECT_TRUE(std::any_of(expected.all.begin(), expected.all.end(), [&](const Impact& impact) {
      for (std::size_t k = 0; k < v.size(); ++k) {
        if (std::abs(v[k] - impact.velocities[k]) > 1e-7) return false;
      }
      return true;
    })) << trial;
    EXPECT_NEAR(v[0], -problem.contacts[0].restitution * before, 1e-9);
    (found.steps[0] == ContactStep::slips ? slips : sticks) += 1;
  }
  EXPECT_GT(slips, 50);
  EXPECT_GT(sticks, 50);
}

/// Small friction: the solution is one, and all modes of the plane are looked at by the other program.
TEST(ManyContacts, InThePlaneAgreesWithAllModes) {
  std::mt19937_64 random(3);
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t contacts = 2 + random() % 2;
    ManyContacts problem = random_contacts(random, contacts, 1, 0.3, 2 * contacts + 2);
    const std::vector<double> before = velocities_of_rows(problem, problem.free);
    bool closing = true;
    for (auto& contact : problem.contacts) {
      contact.restitution = 0.5;
      contact.before = before[contact.normal];
      closing = closing && contact.before < 0;
    }
    if (!closing) continue;
    const Impacts expected = simultaneous_impacts(dense(problem));
    if (!expected.complete || expected.all.size() != 1) continue;
    ++compared;
    const ManyImpulses found = solve(problem);
    ASSERT_TRUE(found.converged) << trial << " residual " << found.residual;
    const std::vector<double> v = velocities_of_rows(problem, found.velocities);
    for (std::size_t k = 0; k < v.size(); ++k)
      EXPECT_NEAR(v[k], expected.all[0].velocities[k], 1e-7) << trial;
  }
  EXPECT_GT(compared, 20);
}

/// v_n+ + e v_n- >= 0 with one coefficient: the kinetic energy changes by (1 - e)/2 sum p v_n- <= 0.
TEST(ManyContacts, EnergyNeverGrowsWithoutFriction) {
  std::mt19937_64 random(4);
  int pressed = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t contacts = 1 + random() % 10;
    ManyContacts problem = random_contacts(random, contacts, 0, 0, 1 + random() % 12);
    const std::vector<double> before = velocities_of_rows(problem, problem.free);
    const double e = trial % 5 == 0 ? 1 : uniform(random, 0, 1);
    for (auto& contact : problem.contacts) {
      contact.restitution = e;
      contact.before = before[contact.normal];
    }
    const ManyImpulses found = solve(problem);
    ASSERT_TRUE(found.converged) << trial << " residual " << found.residual;
    const double first = energy(problem.free), last = energy(found.velocities);
    EXPECT_LE(last, first * (1 + 1e-8)) << trial;
    if (e == 1) {
      EXPECT_NEAR(last, first, 1e-8 * first) << trial;
    }
    pressed += last < 0.999 * first ? 1 : 0;
  }
  EXPECT_GT(pressed, 100);
}

/// A wall of round stones, each on two of the row below, that is dropped on a floor. Velocities of a stone:
/// up, along the wall and, in space, across.
ManyContacts wall(std::mt19937_64& random, std::size_t width, std::size_t height, std::size_t tangents) {
  ManyContacts problem;
  SparseRows inverse_mass;
  const std::size_t each = tangents == 2 ? 3 : 2;
  for (std::size_t i = 0; i < width * height * each; ++i) {
    inverse_mass.add(i, 1);
    inverse_mass.end_row();
    problem.free.push_back((i % each == 0 ? -1 : 0) + uniform(random, -0.1, 0.1));
  }
  const auto touch = [&](std::size_t upper, std::optional<std::size_t> lower, double cosine, double sine) {
    const std::size_t first = problem.rows.size();
    ManyContacts::Contact contact{.normal = first};
    if (tangents > 0) contact.resisted = {{first + 1, tangents, 0.4, 0.4}};
    problem.contacts.push_back(contact);
    const double axes[3][3] = {{cosine, sine, 0}, {-sine, cosine, 0}, {0, 0, 1}};
    for (std::size_t k = 0; k <= tangents; ++k) {
      for (std::size_t j = 0; j < each; ++j) {
        problem.rows.add(upper * each + j, axes[k][j]);
        if (lower) problem.rows.add(*lower * each + j, -axes[k][j]);
      }
      problem.rows.end_row();
    }
  };
  for (std::size_t x = 0; x < width; ++x) touch(x, {}, 1, 0);
  for (std::size_t y = 1; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t left = x + y % 2;  // one more than its place
      if (left >= 1) touch(y * width + x, (y - 1) * width + left - 1, std::sqrt(0.75), 0.5);
      if (left < width) touch(y * width + x, (y - 1) * width + left, std::sqrt(0.75), -0.5);
    }
  }
  problem.responses = product(problem.rows, inverse_mass);
  return problem;
}

TEST(ManyContacts, TenThousandInAWall) {
  std::mt19937_64 random(5);
  for (const std::size_t tangents : {0U, 1U, 2U}) {
    const ManyContacts problem = wall(random, tangents == 2 ? 500 : 2'000, 3, tangents);
    EXPECT_EQ(problem.contacts.size(), tangents == 2 ? 2'498U : 9'998U);
    const ManyImpulses found = solve(problem);
    EXPECT_TRUE(found.converged) << tangents << " residual " << found.residual << " sweeps " << found.sweeps;
    const std::vector<double> v = velocities_of_rows(problem, found.velocities);
    std::size_t closed = 0;
    for (const auto& contact : problem.contacts) {
      const double p = found.impulses[contact.normal];
      EXPECT_GE(p, 0);
      EXPECT_GE(v[contact.normal], -1e-8);
      EXPECT_LE(std::min(p, v[contact.normal]), 1e-8);
      closed += p > 0 ? 1 : 0;
      if (tangents == 0) continue;
      double square = 0;
      for (std::size_t k = 0; k < tangents; ++k)
        square += found.impulses[contact.resisted[0].row + k] * found.impulses[contact.resisted[0].row + k];
      EXPECT_LE(std::sqrt(square), 0.4 * p + 1e-8);
    }
    EXPECT_GT(closed, problem.contacts.size() / 2);
    // The next step begins where this one ended.
    const ManyImpulses again = solve(problem, found);
    EXPECT_TRUE(again.converged);
    EXPECT_EQ(again.sweeps, 1U);
  }
}

/// What is good enough is taken, and is not called converged.
TEST(ManyContacts, PatienceEnds) {
  std::mt19937_64 random(5);
  const ManyContacts problem = wall(random, 200, 3, 1);
  const ManyImpulses exact = solve(problem);
  ASSERT_TRUE(exact.converged);
  const ManyImpulses soon = solve(problem, {}, {.tolerance = 1e-300, .patience = 16, .enough = 0.5});
  EXPECT_FALSE(soon.converged);
  EXPECT_LE(soon.sweeps, 32U);
  EXPECT_LE(soon.residual, 0.5);
  EXPECT_GT(soon.residual, exact.residual);
}

TEST(ManyContacts, UnitsChangeNothing) {
  std::mt19937_64 random(6);
  for (const double scale : {1e-12, 1e12}) {
    ManyContacts problem = random_contacts(random, 6, 2, 0.5, 20);
    const ManyImpulses found = solve(problem);
    for (double& u : problem.free) u *= scale;
    const ManyImpulses scaled = solve(problem);
    ASSERT_TRUE(found.converged && scaled.converged);
    for (std::size_t h = 0; h < found.impulses.size(); ++h)
      EXPECT_NEAR(scaled.impulses[h] / scale, found.impulses[h], 1e-7);
  }
}

/// A particle between two walls that close on it: no velocity satisfies both.
TEST(ManyContacts, WhatHasNoSolutionIsSaid) {
  ManyContacts problem;
  problem.rows = of_dense({{1}, {-1}});
  problem.responses = problem.rows;
  problem.bias = {-1, -1};
  problem.free = {0};
  problem.contacts = {{.normal = 0}, {.normal = 1}};
  const ManyImpulses found = solve(problem, {}, {.most_sweeps = 500});
  EXPECT_FALSE(found.converged);
  EXPECT_GT(found.residual, 0.1);
  for (const double p : found.impulses) EXPECT_TRUE(std::isfinite(p));
}

/// Friction so large that a slipping contact may also open: r_nn < mu r_tn.
TEST(ManyContacts, SeveralImpulsesOfOneContactAreCounted) {
  ManyContacts problem;
  problem.rows = of_dense({{1, 0}, {0.8, 0.6}});
  problem.responses = problem.rows;
  problem.contacts = {{.normal = 0, .resisted = {{1, 1, 2, 2}}}};
  problem.free = {0.1, 1};
  const std::vector<double> v = velocities_of_rows(problem, problem.free);
  ASSERT_GT(v[1], 0);
  const ManyImpulses found = solve(problem);
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.steps[0], ContactStep::open);
  EXPECT_EQ(found.ambiguous, 1U);
}

}  // namespace
}  // namespace liaison
