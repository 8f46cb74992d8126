#pragma once

#include <cstddef>
#include <vector>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// An entry of a matrix that has few of them.
struct BallEntry {
  std::size_t row;
  std::size_t column;
  Ball value;
};

/// No square matrix in these balls is singular, by elimination in balls: each pivot certainly differs from
/// zero. Pivots are chosen so that few entries are added; so a chain of hundreds of bodies takes about as
/// many steps as it has bodies. False says nothing: more bits may show it.
bool is_certainly_regular(std::size_t size, const std::vector<BallEntry>& entries, long bits);

}  // namespace liaison
