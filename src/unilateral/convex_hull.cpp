#include "convex_hull.hpp"

#include <utility>

#include "algebra/feasibility.hpp"

namespace liaison {

bool is_in_hull(const std::vector<Rational>& point, const std::vector<std::vector<Rational>>& vertices,
                const std::vector<std::vector<Rational>>& rays) {
  std::vector<std::vector<Rational>> rows;
  std::vector<Rational> sides;
  const auto add = [&](std::vector<Rational> row, const Rational& side) {
    if (side.sign() < 0)
      for (Rational& entry : row) entry = -entry;
    rows.push_back(std::move(row));
    sides.push_back(abs(side));
  };
  std::vector<Rational> weights(vertices.size(), Rational(1));
  weights.resize(vertices.size() + rays.size());
  add(std::move(weights), Rational(1));
  for (std::size_t k = 0; k < point.size(); ++k) {
    std::vector<Rational> row;
    for (const auto& vertex : vertices) row.push_back(vertex[k]);
    for (const auto& ray : rays) row.push_back(ray[k]);
    add(std::move(row), point[k]);
  }
  return Feasibility(std::move(rows), std::move(sides)).has_solution();
}

}  // namespace liaison
