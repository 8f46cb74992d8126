#include "structure/rank_loss.hpp"

#include <gtest/gtest.h>

namespace liaison::test {
namespace {

// (x - k)*c_k = (y - k)*c_k = 0: each unknown is free where x = y = k, and nowhere else.
TEST(RankLoss, ManyPointsAreAllFound) {
  constexpr long points = 60;
  Pool pool;
  Algebra algebra(pool);
  DeterminingEquations equations;
  equations.ring = std::make_unique<PolyRing>(2, budget_of(algebra, 1'000'000'000));
  equations.columns = points;
  for (long k = 1; k <= points; ++k) {
    for (const std::size_t variable : {std::size_t{0}, std::size_t{1}}) {
      DeterminingEquations::Row row;
      row.emplace(static_cast<std::size_t>(k - 1),
                  Poly::variable(*equations.ring, variable, 1) - Poly(*equations.ring, Rational(k)));
      equations.rows.push_back(std::move(row));
    }
  }
  const RankLoss loss = find_rank_loss(equations, {false, false});
  EXPECT_EQ(loss.refusal, "");
  EXPECT_EQ(loss.rank, static_cast<std::size_t>(points));
  EXPECT_TRUE(loss.curves.empty());
  EXPECT_TRUE(loss.undecided.empty());
  std::vector<std::vector<Rational>> expected;
  for (long k = 1; k <= points; ++k) expected.push_back({Rational(k), Rational(k)});
  EXPECT_EQ(loss.points, expected);
}

}  // namespace
}  // namespace liaison::test
