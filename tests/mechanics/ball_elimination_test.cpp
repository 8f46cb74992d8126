#include "mechanics/ball_elimination.hpp"

#include <gtest/gtest.h>

#include "expr/raw.hpp"

namespace liaison::test {
namespace {

constexpr long bits = 128;

BallEntry entry(std::size_t row, std::size_t column, const Rational& value) {
  return {row, column, Ball(value, bits)};
}

TEST(BallElimination, a_pivot_may_stand_anywhere) {
  EXPECT_TRUE(is_certainly_regular(2, {entry(0, 1, 2), entry(1, 0, 3)}, bits));
  EXPECT_TRUE(is_certainly_regular(
      3, {entry(0, 2, 1), entry(1, 1, 5), entry(2, 0, 1), entry(2, 2, 7), entry(0, 1, 1)}, bits));
}

TEST(BallElimination, what_is_or_may_be_singular_is_not_certain) {
  EXPECT_FALSE(
      is_certainly_regular(2, {entry(0, 0, 1), entry(0, 1, 2), entry(1, 0, 2), entry(1, 1, 4)}, bits));
  EXPECT_FALSE(is_certainly_regular(2, {entry(0, 0, 1), entry(1, 0, 2)}, bits));
  BallEntry wide = entry(1, 1, 5);
  arb_add_error_2exp_si(wide.value.raw(), 0);  // 4 among others
  EXPECT_FALSE(is_certainly_regular(2, {entry(0, 0, 1), entry(0, 1, 2), entry(1, 0, 2), wide}, bits));
  EXPECT_TRUE(
      is_certainly_regular(2, {entry(0, 0, 1), entry(0, 1, 2), entry(1, 0, 2), entry(1, 1, 5)}, bits));
}

TEST(BallElimination, a_long_chain_takes_few_steps) {
  constexpr std::size_t size = 400;
  std::vector<BallEntry> entries;
  for (std::size_t i = 0; i < size; ++i) {
    entries.push_back(entry(i, i, 3));
    if (i > 0) entries.push_back(entry(i, i - 1, 1));
    if (i + 1 < size) entries.push_back(entry(i, i + 1, 1));
  }
  EXPECT_TRUE(is_certainly_regular(size, entries, bits));
}

}  // namespace
}  // namespace liaison::test
