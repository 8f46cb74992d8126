#pragma once

#include <span>
#include <string>
#include <vector>

#include "slots.hpp"

namespace liaison {

/// The least and the largest value that each slot has had.
class CoveredRanges {
 public:
  explicit CoveredRanges(const Slots& slots);
  void add(std::span<const double> values);
  /// "-3.1 <= x <= 10, 0 < m <= 40"
  std::string describe() const;

 private:
  const Slots& slots_;
  std::vector<double> least_, largest_;
};

}  // namespace liaison
