#pragma once

#include <vector>

namespace liaison {

/// The point of least length in the hull of vertices plus the cone of rays.
std::vector<double> least_of_hull(const std::vector<std::vector<double>>& vertices,
                                  const std::vector<std::vector<double>>& rays);

}  // namespace liaison
