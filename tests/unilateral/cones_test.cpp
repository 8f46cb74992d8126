#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "liaison/unilateral/complementarity.hpp"
#include "liaison/unilateral/p_matrix.hpp"

namespace liaison {
namespace {

using Subset = std::vector<bool>;

/// The components of a drive in the cone of a hypothesis S: factors of what is kept, separations of the rest,
/// by elimination. Nothing where the minor of S vanishes.
std::optional<std::vector<Rational>> components(const RationalMatrix& r, const std::vector<Rational>& drive,
                                                const Subset& kept) {
  const std::size_t p = drive.size();
  std::vector<std::size_t> s;
  for (std::size_t i = 0; i < p; ++i) {
    if (kept[i]) s.push_back(i);
  }
  const std::size_t n = s.size();
  RationalMatrix rows(n, std::vector<Rational>(n + 1));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t h = 0; h < n; ++h) rows[k][h] = r[s[h]][s[k]];
    rows[k][n] = -drive[s[k]];
  }
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    while (pivot < n && rows[pivot][c].is_zero()) ++pivot;
    if (pivot == n) return {};
    std::swap(rows[pivot], rows[c]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == c || rows[i][c].is_zero()) continue;
      const Rational factor = rows[i][c] / rows[c][c];
      for (std::size_t j = c; j <= n; ++j) rows[i][j] += -(factor * rows[c][j]);
    }
  }
  std::vector<Rational> factors(p), result(p);
  for (std::size_t c = 0; c < n; ++c) factors[s[c]] = rows[c][n] / rows[c][c];
  for (std::size_t k = 0; k < p; ++k) {
    result[k] = factors[k];
    if (kept[k]) continue;
    result[k] = drive[k];
    for (const std::size_t h : s) result[k] += factors[h] * r[h][k];
  }
  return result;
}

std::string signs(const std::vector<Rational>& values) {
  std::string text;
  for (const Rational& value : values) text += value.sign() > 0 ? '+' : value.sign() < 0 ? '-' : '0';
  return text;
}

Subset subset(std::size_t p, std::size_t bits) {
  Subset result;
  for (std::size_t i = 0; i < p; ++i) result.push_back((bits >> i & 1) != 0);
  return result;
}

RationalMatrix random_matrix(std::mt19937& random, std::size_t p) {
  std::uniform_int_distribution<int> entry(-3, 3);
  RationalMatrix r(p, std::vector<Rational>(p));
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t k = 0; k < p; ++k) r[i][k] = Rational(entry(random) + (i == k ? 3 : 0));
  }
  return r;
}

const RationalMatrix unsymmetric{{2, -1, 3, 0}, {1, 2, 0, -1}, {-3, 1, 2, 1}, {0, 2, -1, 1}};

/// Row G5.II-lemma1: two cones that differ in two columns overlap because both products are positive; what
/// they have in common can be added without changing that.
TEST(Cones, ThatOverlapDoSoByTheColumnsInWhichTheyDiffer) {
  const RationalMatrix r{{1, 2, 0}, {2, 1, 0}, {1, -1, 1}};
  std::vector<Rational> drive{-1, -1, -50};
  EXPECT_EQ(components(r, drive, {true, false, false}), (std::vector<Rational>{1, 1, -50}));
  EXPECT_EQ(components(r, drive, {false, true, false}), (std::vector<Rational>{1, 1, -50}));
  EXPECT_TRUE(all_solutions({.r = r, .drive = drive}).size() < 2);
  drive[2] += Rational(100);
  EXPECT_GE(all_solutions({.r = r, .drive = drive}).size(), 2U);
}

/// Row G5.II-lemma2: the component of the vector that is exchanged is a quotient of principal minors.
TEST(Cones, ThatDifferInOneColumnAreTurnedByAQuotientOfMinors) {
  const auto minor = [](const RationalMatrix& r, std::vector<std::size_t> indices) {
    const Rational value = principal_minor(r, indices);
    return indices.size() % 2 == 0 ? value : -value;  // of -r
  };
  EXPECT_EQ(minor(unsymmetric, {0, 1}), Rational(5));
  EXPECT_EQ(minor(unsymmetric, {0, 1, 2}), Rational(-31));
  // a^3, the drive (0, 0, 1, 0), on A^1, A^2, A^3, a^4.
  const auto xi = components(unsymmetric, {0, 0, 1, 0}, {true, true, true, false});
  ASSERT_TRUE(xi.has_value());
  EXPECT_EQ((*xi)[2], Rational(5) / Rational(-31));
  EXPECT_NEAR((*xi)[0].to_double(), -0.225806451613, 1e-12);
  EXPECT_NEAR((*xi)[1].to_double(), -0.0322580645161, 1e-12);
  EXPECT_NEAR((*xi)[3].to_double(), -0.129032258065, 1e-12);
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const RationalMatrix r = random_matrix(random, 4);
    const std::size_t k = random() % 4;
    std::vector<std::size_t> below;
    for (std::size_t i = 0; i < k; ++i) below.push_back(i);
    std::vector<std::size_t> with = below;
    with.push_back(k);
    const Rational whole = principal_minor(r, with);
    if (whole.is_zero()) continue;
    std::vector<Rational> drive(4);
    drive[k] = Rational(1);
    Subset kept(4, false);
    for (const std::size_t i : with) kept[i] = true;
    const auto found = components(r, drive, kept);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ((*found)[k], -(below.empty() ? Rational(1) : principal_minor(r, below)) / whole);
  }
}

/// Row G5.II-lemma3: the first minor that is not positive gives a drive inside two adjacent cones.
TEST(Cones, OverlapWhereAMinorFails) {
  std::mt19937 random(3);
  int tried = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const std::size_t p = 2 + random() % 3;
    const RationalMatrix r = random_matrix(random, p);
    const PMatrixAnswer answer = p_matrix(r);
    if (answer.is_p || answer.failing->value.is_zero()) continue;
    const std::vector<std::size_t>& indices = answer.failing->indices;
    const std::size_t last = indices.back();
    std::vector<Rational> drive(p);
    for (std::size_t j = 0; j < p; ++j) {
      const bool in = std::find(indices.begin(), indices.end(), j) != indices.end();
      if (!in) drive[j] += Rational(1);
      if (j == last) drive[j] += Rational(1, 100000);
      if (!in || j == last) continue;
      for (std::size_t k = 0; k < p; ++k) drive[k] += -r[j][k];
    }
    EXPECT_GE(all_solutions({.r = r, .drive = drive}).size(), 2U) << "trial " << trial;
    ++tried;
  }
  EXPECT_GT(tried, 100);
}

/// Row G5.II-thmIII: for a P-matrix the hypotheses have all the sign patterns, each once, and one is all
/// plus.
TEST(Cones, OfAPMatrixCoverTheSpaceOnce) {
  const std::vector<Rational> drive{-1, 2, -3, Rational(5, 3)};
  std::set<std::string> patterns;
  for (std::size_t bits = 0; bits < 16; ++bits)
    patterns.insert(signs(*components(unsymmetric, drive, subset(4, bits))));
  EXPECT_EQ(patterns.size(), 16U);
  EXPECT_EQ(signs(*components(unsymmetric, drive, {true, false, true, false})), "++++");
  EXPECT_EQ(signs(*components(unsymmetric, drive, {false, false, false, false})), "-+-+");
  EXPECT_EQ(signs(*components(unsymmetric, drive, {true, true, true, true})), "+++-");
  const auto found = all_solutions({.r = unsymmetric, .drive = drive});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kept, (std::vector<std::size_t>{0, 2}));
  // Not for [[1, 2], [2, 1]]: three hypotheses share a pattern.
  const RationalMatrix other{{1, 2}, {2, 1}};
  int all_plus = 0;
  for (std::size_t bits = 0; bits < 4; ++bits)
    all_plus += signs(*components(other, {-1, -1}, subset(2, bits))) == "++" ? 1 : 0;
  EXPECT_EQ(all_plus, 3);
}

}  // namespace
}  // namespace liaison
