#pragma once

#include <cstddef>
#include <vector>

namespace liaison {

/// Rows and columns of a square matrix that are solved together.
struct SolvedPart {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
};

/// The parts of a square matrix, given by the columns of each row, in an order in which each has its own
/// columns and those of earlier parts alone (the fine decomposition of Dulmage and Mendelsohn). Nothing where
/// no choice of entries, one in each row and column, exists: such a matrix is singular.
std::vector<SolvedPart> solved_one_after_another(const std::vector<std::vector<std::size_t>>& columns_of_row);

}  // namespace liaison
