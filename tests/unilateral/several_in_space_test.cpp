#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "liaison/expr/error.hpp"
#include "liaison/unilateral/onset_in_space.hpp"

// Contacts at rest along surfaces in space, several of them.
namespace liaison {
namespace {

/// Rows of contact c: x and y along the surface at 3c and 3c + 1, the normal at 3c + 2.
struct Problem {
  ContactNumbers numbers;
  std::vector<ContactRows> contacts;
};

ContactRows rows_at(std::size_t first, const Rational& friction) {
  ContactRows rows;
  rows.normal = first + 2;
  rows.resisted = {{.row = first, .slipping = friction, .sticking = friction},
                   {.row = first + 1, .slipping = friction, .sticking = friction, .second = true}};
  return rows;
}

/// r = B B^T with small integers, regular as a rule; `coupled`: between contacts too.
Problem random_problem(std::mt19937_64& random, std::size_t count, bool coupled) {
  std::uniform_int_distribution<int> entry(-3, 3), drive(-9, 9), friction(1, 9);
  const std::size_t n = 3 * count;
  Problem problem;
  RationalMatrix factor(n, std::vector<Rational>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k)
      if (coupled || i / 3 == k / 3) factor[i][k] = Rational(entry(random)) + Rational(i == k ? 5 : 0);
    problem.numbers.drive.emplace_back(drive(random));
  }
  problem.numbers.r.assign(n, std::vector<Rational>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) problem.numbers.r[i][k] += factor[i][j] * factor[k][j];
  }
  problem.numbers.fields.assign(n, {});
  problem.numbers.bilateral_response.assign(n, {});
  for (std::size_t c = 0; c < count; ++c)
    problem.contacts.push_back(rows_at(3 * c, Rational(friction(random), 10)));
  return problem;
}

/// Coulomb's law, contact by contact, to the digits of a double.
void expect_law(const Problem& problem, const PossibleMotion& motion) {
  ASSERT_EQ(motion.vertices.size(), 1u);
  const MotionNumbers& at = motion.vertices[0];
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const double N = at.factors[c].to_double(), gap = at.separations[c].to_double();
    const double x = at.slip_rates[c][0].to_double(), y = at.slip_rates[c][1].to_double();
    const double X = at.resistances[c][0].to_double(), Y = at.resistances[c][1].to_double();
    const double limit = problem.contacts[c].resisted[0].slipping.to_double() * N;
    EXPECT_GE(N, 0);
    EXPECT_GE(gap, 0);
    EXPECT_EQ(N * gap, 0);
    EXPECT_LE(std::hypot(X, Y), limit * (1 + 1e-12));
    const double speed = std::hypot(x, y);
    if (motion.modes[c] != ContactMode::slips || speed == 0) continue;
    EXPECT_NEAR(X, -limit * x / speed, 1e-9 * (1 + N));
    EXPECT_NEAR(Y, -limit * y / speed, 1e-9 * (1 + N));
  }
}

TEST(SeveralInSpace, one_is_as_by_its_polynomial) {
  std::mt19937_64 random(5);
  int slips = 0, sticks = 0;
  for (int i = 0; i < 60; ++i) {
    const Problem problem = random_problem(random, 1, true);
    SpaceMotions several, one;
    try {
      one = motions_in_space(problem.numbers, problem.contacts[0]);
    } catch (const Error&) {
      continue;  // r is singular
    }
    several = motions_in_space(problem.numbers, problem.contacts);
    EXPECT_EQ(several.left_out, "");
    ASSERT_EQ(several.motions.size(), one.motions.size()) << i;
    for (const PossibleMotion& motion : several.motions) {
      expect_law(problem, motion);
      slips += motion.modes[0] == ContactMode::slips;
      sticks += motion.modes[0] == ContactMode::sticks;
      const double factor = motion.vertices[0].factors[0].to_double();
      EXPECT_TRUE(std::any_of(one.motions.begin(), one.motions.end(), [&](const PossibleMotion& other) {
        return other.modes == motion.modes &&
               std::abs(other.vertices[0].factors[0].to_double() - factor) <= 1e-9 * (1 + factor);
      }));
    }
  }
  EXPECT_GT(slips, 5);
  EXPECT_GT(sticks, 2);
}

TEST(SeveralInSpace, contacts_that_do_not_feel_each_other_have_each_their_own_motions) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 15; ++i) {
    const Problem problem = random_problem(random, 2, false);
    std::size_t product = 1;
    try {
      for (const ContactRows& contact : problem.contacts)
        product *= motions_in_space(problem.numbers, contact).motions.size();
    } catch (const Error&) {
      continue;
    }
    const SpaceMotions both = motions_in_space(problem.numbers, problem.contacts);
    EXPECT_EQ(both.left_out, "");
    EXPECT_EQ(both.motions.size(), product) << i;
    for (const PossibleMotion& motion : both.motions) expect_law(problem, motion);
  }
}

/// With little friction a definite r leaves one motion, as it does without.
TEST(SeveralInSpace, a_definite_matrix_has_a_motion) {
  std::mt19937_64 random(7);
  int both_slip = 0;
  for (int i = 0; i < 25; ++i) {
    Problem problem = random_problem(random, 2, true);
    for (ContactRows& contact : problem.contacts)
      for (ResistedRow& row : contact.resisted) row.slipping = row.sticking = Rational(1, 20);
    const SpaceMotions found = motions_in_space(problem.numbers, problem.contacts);
    if (!found.left_out.empty()) continue;
    EXPECT_GE(found.motions.size(), 1u) << i;
    for (const PossibleMotion& motion : found.motions) {
      expect_law(problem, motion);
      both_slip += motion.modes == std::vector{ContactMode::slips, ContactMode::slips};
    }
  }
  EXPECT_GT(both_slip, 2);
}

TEST(SeveralInSpace, a_sphere_that_is_spun_slips_and_begins_to_roll) {
  // Slip, rolling and pivoting at once, all at rest: a force along x and moments along y and z. Unknown in
  // units of m = a = 1, J = 2/5; rows: slip x' - q, y' + p; rolling p, q; pivoting r; the normal.
  Problem problem;
  const Rational j(5, 2), zero;
  problem.numbers.r = {{Rational(1) + j, zero, zero, -j, zero, zero},
                       {zero, Rational(1) + j, j, zero, zero, zero},
                       {zero, j, j, zero, zero, zero},
                       {-j, zero, zero, j, zero, zero},
                       {zero, zero, zero, zero, j, zero},
                       {zero, zero, zero, zero, zero, Rational(1)}};
  problem.numbers.fields.assign(6, {});
  problem.numbers.bilateral_response.assign(6, {});
  ContactRows rows;
  rows.normal = 5;
  const Rational mu(1, 2), delta(1, 10), varpi(1, 20);
  rows.resisted = {{.row = 0, .slipping = mu, .sticking = mu},
                   {.row = 1, .slipping = mu, .sticking = mu, .second = true},
                   {.row = 2, .slipping = delta, .sticking = delta},
                   {.row = 3, .slipping = delta, .sticking = delta, .second = true},
                   {.row = 4, .slipping = varpi, .sticking = varpi}};
  problem.contacts = {rows};
  // A moment along y of 3, and one along z of 1/4, the weight 10: it rolls, with q' (J + 1) = 3 - delta N,
  // and spins with r' J = 1/4 - varpi N < 0, so that it does not.
  problem.numbers.drive = {-(Rational(3) * j), zero,         zero, Rational(3) * j,
                           Rational(1, 4) * j, Rational(-10)};
  const SpaceMotions found = motions_in_space(problem.numbers, problem.contacts);
  EXPECT_EQ(found.left_out, "");
  ASSERT_EQ(found.motions.size(), 1u);
  const MotionNumbers& at = found.motions[0].vertices[0];
  EXPECT_EQ(at.factors[0], Rational(10));
  EXPECT_NEAR(at.slip_rates[0][3].to_double(), (3 - 1) / 1.4, 1e-12);
  EXPECT_EQ(at.slip_rates[0][0].to_double(), 0);
  EXPECT_EQ(at.slip_rates[0][4].to_double(), 0);
  EXPECT_NEAR(at.resistances[0][4].to_double(), -0.25, 1e-12);
}

TEST(SeveralInSpace, forces_that_hold_each_other_are_said) {
  // Two contacts on one body along one line: what sticks is not determined.
  Problem problem;
  problem.numbers.r.assign(6, std::vector<Rational>(6));
  for (std::size_t i = 0; i < 6; ++i) {
    problem.numbers.r[i][i] = Rational(1);
    if (i % 3 == 0) problem.numbers.r[i][(i + 3) % 6] = Rational(1);
  }
  problem.numbers.drive = {Rational(0), Rational(0), Rational(-1), Rational(0), Rational(0), Rational(-1)};
  problem.numbers.fields.assign(6, {});
  problem.numbers.bilateral_response.assign(6, {});
  problem.contacts = {rows_at(0, Rational(1, 2)), rows_at(3, Rational(1, 2))};
  EXPECT_NE(motions_in_space(problem.numbers, problem.contacts).left_out, "");
}

}  // namespace
}  // namespace liaison
