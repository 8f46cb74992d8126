#include "arrows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry.hpp"

namespace liaison::scene {

double ArrowScale::part(double size) const {
  return longest > 0 ? std::pow(size / longest, 1.0 / root) : 0;
}

std::string ArrowScale::in_words(const std::string& unit) const {
  return fmt::format("longest {}{}", size_in_words(longest, unit),
                     root == 3   ? ", lengths by the cube root"
                     : root == 2 ? ", lengths by the square root"
                                 : "");
}

ArrowScale arrow_scale(const MovingScene& scene, bool reactions) {
  ArrowScale scale;
  std::vector<std::vector<double>> lengths;
  const std::size_t rows = std::max<std::size_t>(scene.t.size(), 1);
  const auto number = [&](const SceneValue& value, std::size_t row) {
    return value.column ? scene.columns[*value.column][row] : value.constant;
  };
  for (const SceneArrow& arrow : scene.arrows) {
    if (arrow.reaction != reactions) continue;
    std::vector<double>& own = lengths.emplace_back();
    for (std::size_t i = 0; i < rows; ++i) {
      const double size =
          length({number(arrow.vector[0], i), number(arrow.vector[1], i), number(arrow.vector[2], i)});
      if (!(size > 0) || !std::isfinite(size)) continue;
      scale.longest = std::max(scale.longest, size);
      own.push_back(size);
    }
  }
  double least = scale.longest;
  for (std::vector<double>& own : lengths) {
    if (own.empty()) continue;
    const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
    std::nth_element(own.begin(), middle, own.end());
    if (*middle > 1e-4 * scale.longest) least = std::min(least, *middle);
  }
  const double ratio = scale.longest > 0 ? scale.longest / least : 1;
  scale.root = ratio > 60 ? 3 : ratio > 6 ? 2 : 1;
  return scale;
}

std::string size_in_words(double size, const std::string& unit) {
  return fmt::format("{:.3g}{}{}", size, unit.empty() ? "" : " ", unit);
}

std::string unit_of_arrows(const MovingScene& scene, bool reactions) {
  return scene.time_unit.empty() ? "" : reactions ? "N" : "m/s";
}

}  // namespace liaison::scene
