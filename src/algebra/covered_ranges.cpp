#include "covered_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "liaison/expr/print.hpp"

namespace liaison {

CoveredRanges::CoveredRanges(const Slots& slots, const NaturalUnits* units)
    : slots_(slots),
      units_(units),
      least_(slots.size(), std::numeric_limits<double>::infinity()),
      largest_(slots.size(), -std::numeric_limits<double>::infinity()) {}

void CoveredRanges::add(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    least_[i] = std::min(least_[i], values[i]);
    largest_[i] = std::max(largest_[i], values[i]);
  }
}

std::string CoveredRanges::describe() const {
  constexpr std::size_t most_written = 8;
  std::string result;
  std::size_t left_out = 0, written = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (least_[i] > largest_[i]) continue;
    if (written == most_written) {
      ++left_out;
      continue;
    }
    const std::string name = to_infix(slots_[i].original);
    const double unit = units_ != nullptr ? units_->unit_of(slots_[i].original).to_double() : 1;
    const double least = unit * least_[i], largest = unit * largest_[i];
    result += written++ == 0 ? "" : ", ";
    result += least == largest ? fmt::format("{} = {:.3g}", name, least)
                               : fmt::format("{:.3g} <= {} <= {:.3g}", least, name, largest);
  }
  if (left_out > 0) result += fmt::format(", and {} more", left_out);
  return result;
}

}  // namespace liaison
