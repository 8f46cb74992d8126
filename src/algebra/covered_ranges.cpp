#include "covered_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "liaison/expr/print.hpp"

namespace liaison {

CoveredRanges::CoveredRanges(const Slots& slots)
    : slots_(slots),
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
    result += written++ == 0 ? "" : ", ";
    result += least_[i] == largest_[i] ? fmt::format("{} = {:.3g}", name, least_[i])
                                       : fmt::format("{:.3g} <= {} <= {:.3g}", least_[i], name, largest_[i]);
  }
  if (left_out > 0) result += fmt::format(", and {} more", left_out);
  return result;
}

}  // namespace liaison
