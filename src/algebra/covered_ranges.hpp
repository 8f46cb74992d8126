#pragma once

#include <span>
#include <string>
#include <vector>

#include "natural_units.hpp"
#include "slots.hpp"

namespace liaison {

/// The least and the largest value that each slot has had.
class CoveredRanges {
 public:
  /// Values are told as they are in the units of the text.
  CoveredRanges(const Slots& slots, const NaturalUnits* units);
  void add(std::span<const double> values);
  /// "-3.1 <= x <= 10, 0 < m <= 40"
  std::string describe() const;

 private:
  const Slots& slots_;
  const NaturalUnits* units_;
  std::vector<double> least_, largest_;
};

}  // namespace liaison
