#pragma once

#include <string>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// A point that can be drawn: a particle, or coordinates x, y of a model without places.
struct DrawnPoint {
  std::string name;
  std::vector<Expr> place;
};

struct DrawnRod {
  std::vector<Expr> from, to;
  bool is_rope = false;  ///< it may hang loose
};

/// Between points, and between a point and a fixed place: where one of both moves and the distance is proved
/// to stay, by itself or by a constraint k*(|P - Q|^2) = const; a rope where a gap k*(l^2 - |P - Q|^2) or
/// k*(l - |P - Q|), k > 0, keeps it from growing.
std::vector<DrawnRod> rods_between(Algebra& algebra, const System& system,
                                   const std::vector<DrawnPoint>& points);

/// Coordinates x, y and x, y, z, or x1, y1 and so on, as points.
std::vector<DrawnPoint> points_of_coordinates(const System& system);

}  // namespace liaison
