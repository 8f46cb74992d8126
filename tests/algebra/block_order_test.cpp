#include "algebra/block_order.hpp"

#include <gtest/gtest.h>

namespace liaison::test {
namespace {

using Rows = std::vector<std::vector<std::size_t>>;

std::vector<std::vector<std::size_t>> columns_of(const Rows& rows) {
  std::vector<std::vector<std::size_t>> result;
  for (const SolvedPart& part : solved_one_after_another(rows)) result.push_back(part.columns);
  return result;
}

TEST(BlockOrder, a_triangle_is_solved_one_after_another) {
  EXPECT_EQ(columns_of({{0, 1, 2}, {1, 2}, {2}}), (Rows{{2}, {1}, {0}}));
}

TEST(BlockOrder, what_is_coupled_stays_together) {
  EXPECT_EQ(columns_of({{0, 1}, {0, 1}, {1, 2}}).size(), 2U);
  EXPECT_EQ(columns_of({{0, 1}, {1, 2}, {2, 0}}).size(), 1U);
}

TEST(BlockOrder, a_part_has_its_own_columns_and_earlier_ones_alone) {
  const Rows rows{{3, 0}, {0, 1, 4}, {1, 0}, {3, 2}, {3}};
  std::vector<bool> known(rows.size());
  std::size_t count = 0;
  for (const SolvedPart& part : solved_one_after_another(rows)) {
    ASSERT_EQ(part.rows.size(), part.columns.size());
    for (std::size_t column : part.columns) known[column] = true;
    for (std::size_t row : part.rows) {
      ++count;
      for (std::size_t column : rows[row]) EXPECT_TRUE(known[column]) << row << " needs " << column;
    }
  }
  EXPECT_EQ(count, rows.size());
}

TEST(BlockOrder, a_singular_pattern_has_no_order) {
  EXPECT_TRUE(solved_one_after_another({{0}, {0}}).empty());
  EXPECT_TRUE(solved_one_after_another({{0, 1}, {}}).empty());
}

}  // namespace
}  // namespace liaison::test
