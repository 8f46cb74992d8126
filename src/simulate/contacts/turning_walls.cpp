#include "turning_walls.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

std::optional<double> time_behind(ContactFrame& frame, double t, const std::vector<double>& y,
                                  const std::vector<std::pair<std::size_t, double>>& rates) {
  constexpr double same = 1e-6;
  constexpr double most_roundings = 1024;
  const double rounding = std::nextafter(t, INFINITY) - t;
  for (double roundings = 1; roundings <= most_roundings; roundings *= 2) {
    const double behind = t + roundings * rounding;
    if (!frame.take(behind, y.data())) return {};
    const bool turned = std::all_of(rates.begin(), rates.end(), [&](const auto& one) {
      return std::abs(frame.rate(one.first).value - one.second) <= same * std::abs(one.second);
    });
    if (turned) return behind;
  }
  return {};
}

}  // namespace liaison
