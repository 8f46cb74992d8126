#include <gtest/gtest.h>

#include <algorithm>

#include "brute_force.hpp"
#include "liaison/expr/error.hpp"
#include "matrices.hpp"

namespace liaison {
namespace {

TEST(Complementarity, equals_brute_force_on_random_problems) {
  std::mt19937_64 random(11);
  std::size_t families = 0, none = 0, several = 0;
  for (int i = 0; i < 1500; ++i) {
    const Complementarity problem = random_problem(random, i < 1400 ? 5 : 8);
    const auto found = all_solutions(problem);
    EXPECT_EQ(difference_from_brute_force(problem, found), "") << "problem " << i;
    families += std::any_of(found.begin(), found.end(), [](const auto& set) { return !set.is_point(); });
    none += found.empty();
    several += found.size() > 1;
  }
  // Each kind is met.
  EXPECT_GT(families, 100u);
  EXPECT_GT(none, 100u);
  EXPECT_GT(several, 100u);
}

TEST(Complementarity, the_comparison_with_brute_force_sees_what_is_wrong) {
  std::mt19937_64 random(21);
  int seen = 0;
  for (int i = 0; i < 200; ++i) {
    const Complementarity problem = random_problem(random, 4);
    const auto found = all_solutions(problem);
    if (found.empty()) continue;
    auto wrong = found;
    wrong.pop_back();
    EXPECT_NE(difference_from_brute_force(problem, wrong), "");
    wrong = found;
    wrong.push_back(found[0]);
    EXPECT_NE(difference_from_brute_force(problem, wrong), "");
    wrong = found;
    wrong[0].vertices[0].factors[0] += Rational(1, 7);
    EXPECT_NE(difference_from_brute_force(problem, wrong), "");
    for (std::size_t s = 0; s < found.size(); ++s) {
      if (found[s].is_point()) continue;
      wrong = found;
      auto& set = wrong[s];
      (set.rays.empty() ? set.vertices : set.rays).pop_back();
      EXPECT_NE(difference_from_brute_force(problem, wrong), "");
      ++seen;
    }
  }
  EXPECT_GT(seen, 20);
}

TEST(Complementarity, p_matrices_have_one_motion_for_every_drive) {  // row G5.II-thmII
  std::mt19937_64 random(12);
  for (int i = 0; i < 60; ++i) {
    const std::size_t p = 1 + random() % 6;
    const RationalMatrix r = random_p_matrix_of_kind(random, p, i % p_matrix_kinds);
    ASSERT_TRUE(p_matrix(r).is_p);
    for (const int largest : {1, 9}) {
      const Complementarity problem{r, random_vector(random, p, largest)};
      const auto found = all_solutions(problem);
      ASSERT_EQ(found.size(), 1u) << "problem " << i;
      EXPECT_TRUE(found[0].is_point());
      const auto by_lemke = lemke(problem);
      ASSERT_TRUE(by_lemke.has_value());
      EXPECT_EQ(by_lemke->factors, found[0].vertices[0].factors);
    }
  }
}

TEST(Complementarity, other_matrices_have_a_drive_with_several) {  // row G5.II-thmII
  std::mt19937_64 random(13);
  int tried = 0;
  while (tried < 150) {
    const std::size_t p = 1 + random() % 5;
    const RationalMatrix r = random_matrix(random, p, tried % 2 == 0 ? 2 : 9);
    const PMatrixAnswer answer = p_matrix(r);
    if (answer.is_p) continue;
    ++tried;
    EXPECT_LE(answer.failing->value.sign(), 0);
    EXPECT_EQ(principal_minor(r, answer.failing->indices), answer.failing->value);
    const SeveralMotions several = drive_with_several(r, *answer.failing);
    const Complementarity problem{r, several.drive};
    EXPECT_TRUE(solves(problem, several.first));
    EXPECT_TRUE(solves(problem, several.second));
    EXPECT_NE(several.first.factors, several.second.factors);
    const auto found = all_solutions(problem);
    EXPECT_TRUE(found.size() > 1 || !found.at(0).is_point());
  }
}

TEST(Complementarity, the_p_verdict_is_that_of_all_minors) {
  std::mt19937_64 random(14);
  int yes = 0;
  for (int i = 0; i < 400; ++i) {
    const std::size_t p = 1 + random() % 5;
    RationalMatrix r = random_matrix(random, p, 3);
    for (std::size_t k = 0; k < p; ++k) r[k][k] = Rational(static_cast<long>(random() % 6));
    bool expected = true;
    for (std::size_t set = 1; set < (std::size_t{1} << p); ++set) {
      std::vector<std::size_t> indices;
      for (std::size_t k = 0; k < p; ++k) {
        if (set >> k & 1) indices.push_back(k);
      }
      if (principal_minor(r, indices).sign() <= 0) expected = false;
    }
    const PMatrixAnswer answer = p_matrix(r);
    EXPECT_EQ(answer.is_p, expected);
    yes += expected;
    if (!answer.failing) continue;
    const std::vector<std::size_t>& failing = answer.failing->indices;
    for (std::size_t set = 1; set < (std::size_t{1} << failing.size()); ++set) {
      std::vector<std::size_t> indices;
      for (std::size_t k = 0; k < failing.size(); ++k) {
        if (set >> k & 1) indices.push_back(failing[k]);
      }
      EXPECT_EQ(principal_minor(r, indices).sign() > 0, indices != failing);  // nothing inside it fails
    }
  }
  EXPECT_GT(yes, 20);
}

TEST(Complementarity, a_definite_symmetric_part_decides_for_many) {  // row G5.II-reduced-cases
  std::mt19937_64 random(15);
  EXPECT_TRUE(p_matrix(random_p_matrix(random, 40)).is_p);
  EXPECT_TRUE(p_matrix(matrix_of("2 -3; 4 1")).is_p);
  EXPECT_TRUE(p_matrix(matrix_of("1 -3; 0 1")).is_p);    // without it
  EXPECT_FALSE(p_matrix(matrix_of("1 2; -2 -1")).is_p);  // a positive chain of leading minors is not enough
}

TEST(Complementarity, minors_below_the_precision_of_doubles_decide) {
  // det = 10^-40, then -10^-40, then 0.
  const Rational tiny = power(Rational(10), -40);
  for (const int sign : {1, 0, -1}) {
    const RationalMatrix r = {{Rational(1), Rational(1)}, {Rational(1), Rational(1) + Rational(sign) * tiny}};
    const PMatrixAnswer answer = p_matrix(r);
    EXPECT_EQ(answer.is_p, sign > 0);
    if (answer.failing) {
      EXPECT_EQ(answer.failing->value, Rational(sign) * tiny);
    }
  }
}

TEST(Complementarity, redundant_contacts_are_a_family_by_its_ends) {
  // A table on two equal legs one above the other: only the sum of the factors is determined.
  const auto found = all_solutions({matrix_of("1 1; 1 1"), vector_of("-3 -3")});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kept, (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(found[0].vertices.size(), 2u);
  EXPECT_TRUE(found[0].rays.empty());
  EXPECT_EQ(found[0].vertices[0].factors, vector_of("0 3"));
  EXPECT_EQ(found[0].vertices[1].factors, vector_of("3 0"));
}

TEST(Complementarity, a_jam_is_a_ray) {
  // r = 0 with a drive of zero: any factor.
  const auto found = all_solutions({matrix_of("0"), vector_of("0")});
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].vertices.size(), 1u);
  ASSERT_EQ(found[0].rays.size(), 1u);
  EXPECT_EQ(found[0].rays[0].factors, vector_of("1"));
  // Wedged between two walls: equal factors of any size beside what the push asks for.
  const auto wedge = all_solutions({matrix_of("1 -1; -1 1"), vector_of("-2 2")});
  ASSERT_EQ(wedge.size(), 1u);
  EXPECT_EQ(wedge[0].vertices.at(0).factors, vector_of("2 0"));
  EXPECT_EQ(wedge[0].rays.at(0).factors, vector_of("1 1"));
}

TEST(Complementarity, a_vanishing_drive_is_undecided) {
  const auto found = all_solutions({matrix_of("2 1; 1 2"), vector_of("0 -2")});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kept, (std::vector<std::size_t>{1}));
  EXPECT_EQ(found[0].vertices[0].separations, vector_of("1 0"));
  const auto both = all_solutions({matrix_of("2 1; 1 2"), vector_of("-1 -2")});
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].kept, (std::vector<std::size_t>{1}));
  EXPECT_EQ(both[0].undecided, (std::vector<std::size_t>{0}));  // row G5.III-degenerate-general
}

TEST(Complementarity, values_below_the_precision_of_doubles_decide) {
  // One solution, by construction, with factors and separations of 10^-40 or zero beside others of one.
  std::mt19937_64 random(22);
  const Rational tiny = power(Rational(10), -40);
  for (int i = 0; i < 60; ++i) {
    const std::size_t p = 4 + random() % 5;
    Complementarity problem{random_p_matrix_of_kind(random, p, i % p_matrix_kinds), {}};
    ComplementaryPoint point{std::vector<Rational>(p), std::vector<Rational>(p)};
    std::vector<std::size_t> kept, undecided;
    for (std::size_t k = 0; k < p; ++k) {
      const auto size = random() % 3;
      const Rational value = size == 0 ? Rational(0) : size == 1 ? tiny : Rational(3);
      const bool keeps = random() % 2 == 0;
      (keeps ? point.factors : point.separations)[k] = value;
      if (size == 0) undecided.push_back(k);
      if (size != 0 && keeps) kept.push_back(k);
    }
    for (std::size_t k = 0; k < p; ++k) {
      Rational drive = point.separations[k];
      for (std::size_t h = 0; h < p; ++h) drive += -(problem.r[h][k] * point.factors[h]);
      problem.drive.push_back(drive);
    }
    const auto found = all_solutions(problem);
    ASSERT_EQ(found.size(), 1u) << "problem " << i;
    EXPECT_EQ(found[0].kept, kept);
    EXPECT_EQ(found[0].undecided, undecided);
    ASSERT_TRUE(found[0].is_point());
    EXPECT_EQ(found[0].vertices[0].factors, point.factors);
  }
}

TEST(Complementarity, units_do_not_matter) {
  // Rows and columns times powers of ten up to 10^30, and of 10^300: beyond what doubles hold.
  std::mt19937_64 random(23);
  for (int i = 0; i < 120; ++i) {
    Complementarity problem = random_problem(random, 6);
    const auto expected = all_solutions(problem).size();
    const std::size_t p = problem.drive.size();
    const long most = i % 2 == 0 ? 30 : 300;
    for (std::size_t k = 0; k < p; ++k) {
      const Rational relation = power(Rational(10), static_cast<long>(random() % 61) * most / 30 - most);
      const Rational force = power(Rational(10), static_cast<long>(random() % 61) * most / 30 - most);
      for (std::size_t h = 0; h < p; ++h) {
        problem.r[h][k] *= relation;
        problem.r[k][h] *= force;
      }
      problem.drive[k] *= relation;
    }
    const auto found = all_solutions(problem);
    EXPECT_EQ(found.size(), expected) << "problem " << i;
    EXPECT_EQ(difference_from_brute_force(problem, found), "") << "problem " << i;
  }
}

TEST(Complementarity, entries_with_noise_keep_the_sets_that_are_regular) {
  std::mt19937_64 random(24);
  std::uniform_real_distribution<double> error(-1e-14, 1e-14);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    const Complementarity problem = random_problem(random, 8);
    const auto expected = all_solutions(problem);
    if (!std::all_of(expected.begin(), expected.end(), [](const auto& set) { return set.is_regular(); }))
      continue;
    // What is infeasible by nothing becomes feasible with any change: small integers are left out.
    if (!p_matrix(problem.r).is_p) continue;
    Complementarity noisy = problem;
    noisy.noise = power(Rational(10), -12);
    for (auto& row : noisy.r) {
      for (Rational& entry : row) entry = Rational::from_double(entry.to_double() * (1 + error(random)));
    }
    for (Rational& entry : noisy.drive)
      entry = Rational::from_double(entry.to_double() * (1 + error(random)));
    const auto found = all_solutions(noisy);
    ASSERT_EQ(found.size(), expected.size()) << "problem " << i;
    for (std::size_t s = 0; s < found.size(); ++s) EXPECT_EQ(found[s].kept, expected[s].kept);
    ++compared;
  }
  EXPECT_GT(compared, 40);
}

TEST(Complementarity, sixteen_constraints) {
  std::mt19937_64 random(16);
  for (int kind = 0; kind < p_matrix_kinds; ++kind) {
    const RationalMatrix r = random_p_matrix_of_kind(random, 16, kind);
    const Complementarity problem{r, random_vector(random, 16, 9)};
    const auto found = all_solutions(problem);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(solves(problem, found[0].vertices[0]));
  }
}

TEST(Complementarity, says_where_it_ends) {
  std::mt19937_64 random(17);
  const Complementarity problem{random_p_matrix(random, 12), random_vector(random, 12, 9)};
  EnumerationLimits limits;
  limits.nodes = 3;
  EXPECT_THROW(all_solutions(problem, limits), Error);
}

TEST(Lemke, finds_one_of_all_motions) {
  std::mt19937_64 random(18);
  int solved = 0;
  for (int i = 0; i < 400; ++i) {
    const std::size_t p = 1 + random() % 6;
    const bool definite = i % 2 == 0;
    const Complementarity problem{definite ? random_p_matrix(random, p) : random_matrix(random, p, 4),
                                  random_vector(random, p, i % 3 == 0 ? 1 : 9)};
    const auto point = lemke(problem);
    ASSERT_TRUE(point.has_value() || !definite);
    if (!point) continue;
    ++solved;
    EXPECT_TRUE(solves(problem, *point));
    DoubleComplementarity rounded;
    for (const auto& row : problem.r) {
      for (const Rational& entry : row) rounded.r.push_back(entry.to_double());
    }
    for (const Rational& entry : problem.drive) rounded.drive.push_back(entry.to_double());
    const auto in_doubles = lemke(rounded);
    if (definite) {
      ASSERT_TRUE(in_doubles.has_value());
      for (std::size_t k = 0; k < p; ++k) {
        EXPECT_NEAR(in_doubles->factors[k], point->factors[k].to_double(),
                    1e-9 * (1 + point->factors[k].to_double()));
      }
    }
  }
  EXPECT_GT(solved, 220);
}

}  // namespace
}  // namespace liaison
