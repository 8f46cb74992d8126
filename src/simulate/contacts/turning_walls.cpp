#include "turning_walls.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

std::vector<TurningWall> find_walls(const ContactModes& modes, const std::vector<bool>& closed,
                                    const std::vector<JumpOfRate>& jumps) {
  std::vector<TurningWall> walls;
  const auto& relations = modes.closed().constraints;
  for (const JumpOfRate& jump : jumps) {
    const auto found = std::find_if(relations.begin(), relations.end(),
                                    [&](const Constraint& one) { return one.name == jump.relation; });
    const auto row = static_cast<std::size_t>(found - relations.begin()) - modes.bilateral_count();
    const std::size_t known = walls.size();
    for (std::size_t c = 0; c < modes.size(); ++c) {
      if (!closed[c]) continue;
      const ContactModes::Rows& own = modes.rows()[c];
      if (own.normal == row) walls.push_back({c, jump.by});
      for (std::size_t k = 0; k < own.resisted.size(); ++k) {
        if (std::find(own.resisted[k].begin(), own.resisted[k].end(), row) != own.resisted[k].end())
          walls.push_back({c, jump.by, k});
      }
    }
    if (walls.size() == known) return {};
  }
  return walls;
}

std::optional<double> time_behind(ContactFrame& frame, double t, const std::vector<double>& y,
                                  const std::vector<TurningWall>& walls) {
  constexpr double same = 1e-6;
  constexpr double most_roundings = 1024;
  const double rounding = std::nextafter(t, INFINITY) - t;
  for (double roundings = 1; roundings <= most_roundings; roundings *= 2) {
    const double behind = t + roundings * rounding;
    if (!frame.take(behind, y.data())) return {};
    const bool turned = std::all_of(walls.begin(), walls.end(), [&](const TurningWall& wall) {
      const double slack = same * std::abs(wall.jump);
      // The slip along a surface in space is longer than each of its components.
      if (wall.resistance) return frame.speed(wall.contact, *wall.resistance) >= std::abs(wall.jump) - slack;
      return std::abs(frame.rate(wall.contact).value - wall.jump) <= slack;
    });
    if (turned) return behind;
  }
  return {};
}

}  // namespace liaison
