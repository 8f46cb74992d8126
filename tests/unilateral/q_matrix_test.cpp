#include "liaison/unilateral/q_matrix.hpp"

#include <gtest/gtest.h>

#include "brute_force.hpp"
#include "matrices.hpp"

namespace liaison {
namespace {

QVerdict verdict_of(const std::string& r) {
  return q_matrix(matrix_of(r)).verdict;
}

TEST(QMatrix, classes_that_are_known) {
  // One without negative entries is Q where its diagonal is positive, and only there (Murty 1972).
  EXPECT_EQ(verdict_of("1 2; 3 1"), QVerdict::is_q);
  EXPECT_EQ(verdict_of("1 2 0; 3 1 5; 0 7 2"), QVerdict::is_q);
  EXPECT_EQ(verdict_of("0 2; 3 1"), QVerdict::is_not_q);
  EXPECT_EQ(verdict_of("1 2 0; 3 0 5; 0 7 2"), QVerdict::is_not_q);
  // All principal minors negative: Q where some entry is positive (Kojima and Saigal 1979).
  EXPECT_EQ(verdict_of("-1 2; 2 -1"), QVerdict::is_q);
  EXPECT_EQ(verdict_of("-1 -2; -2 -1"), QVerdict::is_not_q);
  EXPECT_EQ(verdict_of("0"), QVerdict::is_not_q);
  EXPECT_EQ(verdict_of("-4/5"), QVerdict::is_not_q);  // the sliding rod
  EXPECT_EQ(verdict_of("1 -1; -1 1"), QVerdict::is_not_q);
  EXPECT_EQ(verdict_of("2 -1; -1 2"), QVerdict::is_q);
}

TEST(QMatrix, random_matrices_without_negative_entries) {
  std::mt19937_64 random(31);
  for (int i = 0; i < 60; ++i) {
    const std::size_t p = 1 + random() % 4;
    RationalMatrix r = random_matrix(random, p, 4);
    bool has_diagonal = true;
    for (std::size_t k = 0; k < p; ++k) {
      for (Rational& entry : r[k]) entry = abs(entry);
      has_diagonal = has_diagonal && r[k][k].sign() > 0;
    }
    EXPECT_EQ(q_matrix(r).verdict, has_diagonal ? QVerdict::is_q : QVerdict::is_not_q) << "matrix " << i;
  }
}

TEST(QMatrix, what_is_no_p_matrix_has_a_drive_with_several_and_one_with_none_where_it_is_not_q) {
  std::mt19937_64 random(32);
  int without = 0, with = 0;
  for (int tried = 0; tried < 150;) {
    const std::size_t p = 1 + random() % 4;
    RationalMatrix r = random_matrix(random, p, tried % 2 == 0 ? 2 : 9);
    if (tried % 3 == 0)  // diagonals that are positive: more of them are Q
      for (std::size_t k = 0; k < p; ++k) r[k][k] = abs(r[k][k]) + Rational(1);
    const PMatrixAnswer p_answer = p_matrix(r);
    if (p_answer.is_p) continue;
    ++tried;
    const SeveralMotions several = drive_with_several(r, *p_answer.failing);
    EXPECT_TRUE(solves({r, several.drive}, several.first));
    EXPECT_TRUE(solves({r, several.drive}, several.second));
    EXPECT_NE(several.first.factors, several.second.factors);
    const QMatrixAnswer answer = q_matrix(r);
    ASSERT_NE(answer.verdict, QVerdict::undecided);
    if (answer.verdict == QVerdict::is_not_q) {
      ++without;
      EXPECT_TRUE(brute_force({r, answer.drive}).empty()) << "matrix " << tried;
      continue;
    }
    ++with;
    for (int i = 0; i < 60; ++i)
      EXPECT_FALSE(brute_force({r, random_vector(random, p, 9)}).empty()) << "matrix " << tried;
  }
  EXPECT_GT(without, 60);
  EXPECT_GT(with, 10);
}

TEST(QMatrix, a_p_matrix_is_one) {
  std::mt19937_64 random(33);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(q_matrix(random_p_matrix_of_kind(random, 1 + random() % 6, i % p_matrix_kinds)).verdict,
              QVerdict::is_q);
}

TEST(QMatrix, says_where_it_ends) {
  EXPECT_EQ(q_matrix(matrix_of("1 2; 3 1"), 0).verdict, QVerdict::undecided);
}

}  // namespace
}  // namespace liaison
