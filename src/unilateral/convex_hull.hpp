#pragma once

#include <vector>

#include "liaison/expr/rational.hpp"

namespace liaison {

/// Whether a point is a mean of the vertices plus multiples of the rays, none of them negative: decided
/// exactly. All points have the same number of components.
bool is_in_hull(const std::vector<Rational>& point, const std::vector<std::vector<Rational>>& vertices,
                const std::vector<std::vector<Rational>>& rays);

}  // namespace liaison
