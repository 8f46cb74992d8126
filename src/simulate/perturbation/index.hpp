#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace liaison {

/// A size as Eigen counts.
inline Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

}  // namespace liaison
