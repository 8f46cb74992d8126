#pragma once

#include <cstddef>
#include <vector>

#include "dictionary.hpp"

namespace liaison {

/// Vertices and rays of { y >= 0 : constant + coefficients * y >= 0 for each row }, by the double description
/// method: vectors (s, y) with s = 1 for a vertex and s = 0 for a ray. Throws limit_reached.
std::vector<std::vector<Rational>> generators(std::size_t dimension, const std::vector<Dictionary::Row>& rows,
                                              std::size_t limit);

}  // namespace liaison
