#include <algorithm>
#include <cmath>
#include <queue>

#include "geometry.hpp"

namespace liaison {

namespace {

/// What a change of each column moves in the picture.
std::vector<double> weights_of(const MovingScene& scene, double size) {
  std::vector<double> weights(scene.columns.size(), 0);
  const auto raise = [&](const SceneValue& value, double weight) {
    if (value.column) weights[*value.column] = std::max(weights[*value.column], weight);
  };
  const auto raise_point = [&](const ScenePoint& point, double weight) {
    for (const SceneValue& value : point) raise(value, weight);
  };
  for (const SceneSolid& solid : scene.solids) {
    double radius = 0;
    for (const Vector3& v : solid.mesh.vertices) radius = std::max(radius, scene::length(v));
    if (solid.between) {
      for (const ScenePoint& end : *solid.between) raise_point(end, 1);
      continue;
    }
    raise_point(solid.pose.at, 1);
    for (const SceneTurn& turn : solid.pose.turns) {
      raise(turn.angle, radius);
      if (turn.quaternion)
        for (const SceneValue& part : *turn.quaternion) raise(part, 2 * radius);
    }
  }
  for (const SceneTrack& track : scene.tracks) raise_point(track.at, 1);
  for (const SceneContact& contact : scene.contacts) raise_point(contact.at, 1);
  for (double& weight : weights) weight /= size;
  // arrows are drawn with the longest of their kind a fifth of the picture
  for (const bool reaction : {false, true}) {
    double largest = 0;
    for (const SceneArrow& arrow : scene.arrows) {
      if (arrow.reaction != reaction) continue;
      for (const SceneValue& value : arrow.vector)
        if (value.column)
          for (const double x : scene.columns[*value.column])
            if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    }
    if (largest == 0) continue;
    for (const SceneArrow& arrow : scene.arrows)
      if (arrow.reaction == reaction)
        for (const SceneValue& value : arrow.vector) raise(value, 0.2 / largest);
  }
  return weights;
}

/// Rows between two that are kept, and the one that the straight line misses most.
struct Gap {
  std::size_t begin, end, worst;
  double error;
  bool operator<(const Gap& other) const {
    return error != other.error ? error < other.error : begin > other.begin;
  }
};

Gap widest_between(const MovingScene& scene, const std::vector<double>& weights, std::size_t begin,
                   std::size_t end) {
  Gap gap{begin, end, begin, 0};
  if (end <= begin + 1) return gap;
  std::vector<double> misses(end - begin, 0);
  const double width = scene.t[end] - scene.t[begin];
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (weights[c] == 0) continue;
    const std::vector<double>& column = scene.columns[c];
    const double from = column[begin];
    const double slope = width > 0 ? (column[end] - from) / width : 0;
    for (std::size_t i = begin + 1; i < end; ++i) {
      const double miss = weights[c] * std::abs(column[i] - from - slope * (scene.t[i] - scene.t[begin]));
      misses[i - begin] = std::max(misses[i - begin], miss);  // false where there is no number
    }
  }
  for (std::size_t i = 1; i < misses.size(); ++i) {
    if (!(misses[i] > gap.error)) continue;
    gap.error = misses[i];
    gap.worst = begin + i;
  }
  return gap;
}

}  // namespace

ThinnedScene thinned(MovingScene scene, const std::vector<std::size_t>& kept, std::size_t most_numbers) {
  const std::size_t rows = scene.t.size();
  if (rows < 3) return {std::move(scene), 0};
  const std::size_t most =
      std::max<std::size_t>(64, most_numbers / std::max<std::size_t>(1, scene.columns.size() + 1));
  const scene::Bounds bounds = scene::bounds_of(scene);
  const std::vector<double> weights = weights_of(scene, std::max(bounds.size(), 1e-300));
  std::vector<bool> stays(rows, false);
  stays.front() = stays.back() = true;
  for (const std::size_t row : kept)
    if (row < rows) stays[row] = true;
  for (std::size_t i = 0; i + 1 < rows; ++i)
    if (scene.t[i] == scene.t[i + 1]) stays[i] = stays[i + 1] = true;  // a jump
  for (const std::vector<double>& column : scene.columns)
    for (std::size_t i = 0; i + 1 < rows; ++i)
      if (std::isfinite(column[i]) != std::isfinite(column[i + 1])) stays[i] = stays[i + 1] = true;
  std::priority_queue<Gap> gaps;
  std::size_t count = 0, before = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    if (!stays[i]) continue;
    if (++count > 1) gaps.push(widest_between(scene, weights, before, i));
    before = i;
  }
  constexpr double good_enough = 1e-3;
  while (!gaps.empty() && count < most && gaps.top().error > good_enough) {
    const Gap gap = gaps.top();
    gaps.pop();
    stays[gap.worst] = true;
    ++count;
    gaps.push(widest_between(scene, weights, gap.begin, gap.worst));
    gaps.push(widest_between(scene, weights, gap.worst, gap.end));
  }
  const double error = gaps.empty() ? 0 : gaps.top().error;
  const auto keep = [&](std::vector<double>& values) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < rows; ++i)
      if (stays[i]) values[to++] = values[i];
    values.resize(to);
  };
  keep(scene.t);
  for (std::vector<double>& column : scene.columns) keep(column);
  return {std::move(scene), error};
}

}  // namespace liaison
