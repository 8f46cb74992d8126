#include "plot_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace liaison::plot {

namespace {

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  double size() const { return low <= high ? high - low : 0; }
  bool empty() const { return low > high; }
  Extent with(const Extent& other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
};

Extent extent_of(const std::vector<double>& values) {
  Extent extent;
  for (const double value : values)
    if (std::isfinite(value)) extent = extent.with({value, value});
  return extent;
}

/// No more than what rounding leaves of a constant.
bool is_constant(const Extent& extent) {
  const double size = extent.empty() ? 0 : std::max(std::abs(extent.low), std::abs(extent.high));
  return extent.size() <= 1e-12 * size;
}

struct Group {
  Extent extent;
  double smallest = std::numeric_limits<double>::infinity();  ///< extent of a curve in it that moves
  std::vector<std::size_t> members;

  bool takes(const Extent& one, bool constant) const {
    const double least = constant ? smallest : std::min(smallest, one.size());
    return extent.with(one).size() <= most_extent * least;
  }
  void add(std::size_t member, const Extent& one, bool constant) {
    extent = extent.with(one);
    if (!constant) smallest = std::min(smallest, one.size());
    members.push_back(member);
  }
};

}  // namespace

std::vector<std::vector<std::size_t>> group_by_magnitude(
    const std::vector<const std::vector<double>*>& columns) {
  std::vector<Extent> extents;
  for (const std::vector<double>* values : columns) extents.push_back(extent_of(*values));
  std::vector<std::size_t> order(columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // What moves most first, constants last: a group that has a curve of its size takes it.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool constant_a = is_constant(extents[a]), constant_b = is_constant(extents[b]);
    if (constant_a != constant_b) return constant_b;
    return !constant_a && extents[a].size() > extents[b].size();
  });
  std::vector<Group> groups;
  for (const std::size_t i : order) {
    const bool constant = is_constant(extents[i]);
    // Of the groups that take it the one that it widens to the smallest.
    auto place = groups.end();
    for (auto group = groups.begin(); group != groups.end(); ++group) {
      if (!group->takes(extents[i], constant)) continue;
      const auto widened = [&](const Group& one) { return one.extent.with(extents[i]).size(); };
      if (place == groups.end() || widened(*group) < widened(*place)) place = group;
    }
    if (place == groups.end()) place = groups.insert(groups.end(), Group{});
    place->add(i, extents[i], constant);
  }
  std::vector<std::vector<std::size_t>> result;
  for (Group& group : groups) {
    std::sort(group.members.begin(), group.members.end());
    result.push_back(std::move(group.members));
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace liaison::plot
