#include "plot_regions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace liaison::plot {

namespace {

/// A stretch of the border of a cell: it begins at a point and is of one region.
struct Stretch {
  Point from;
  std::size_t region = 0;
};

class RegionFinder {
 public:
  explicit RegionFinder(const RegionMap& map) : map_(map), columns_(map.x.values.size()) {
    for (const MapCrossing& crossing : map.crossings)
      crossings_[{crossing.axis, crossing.i, crossing.j}].push_back(&crossing);
  }

  Regions plane() {
    for (std::size_t j = 0; j + 1 < map_.y.values.size(); ++j) {
      for (std::size_t i = 0; i + 1 < columns_; ++i) add_cell(i, j);
      end_run();
    }
    result_.boundaries = joined();
    return std::move(result_);
  }

  Regions strip() {
    std::vector<Stretch> all;
    for (std::size_t i = 0; i + 1 < columns_; ++i) {
      const std::vector<Stretch> edge = stretches(0, i, 0, 0);
      all.insert(all.end(), edge.begin(), edge.end());
    }
    const double end = map_.x.values.back();
    for (std::size_t k = 0, next = 0; k < all.size(); k = next) {
      while (next < all.size() && all[next].region == all[k].region) ++next;
      const double a = all[k].from.x, b = next < all.size() ? all[next].from.x : end;
      result_.pieces.push_back({all[k].region, {{a, 0}, {b, 0}, {b, 1}, {a, 1}}});
      if (next < all.size()) result_.boundaries.push_back({{b, 0}, {b, 1}});
    }
    return std::move(result_);
  }

 private:
  std::size_t region(std::size_t i, std::size_t j) const { return map_.at[i + j * columns_]; }
  Point corner(std::size_t i, std::size_t j) const { return {map_.x.values[i], map_.y.values[j]}; }

  /// From a grid point to the next one along an axis; `across` is the other value.
  std::vector<Stretch> stretches(std::size_t axis, std::size_t i, std::size_t j, double across) const {
    const auto place = [&](double value) { return axis == 0 ? Point{value, across} : Point{across, value}; };
    std::vector<Stretch> all{{place(axis == 0 ? map_.x.values[i] : map_.y.values[j]), region(i, j)}};
    const auto found = crossings_.find({axis, i, j});
    if (found == crossings_.end()) return all;
    for (const MapCrossing* crossing : found->second)
      all.push_back({place(crossing->value), crossing->after});
    return all;
  }

  /// Around a cell, against the clock.
  std::vector<Stretch> border(std::size_t i, std::size_t j) const {
    std::vector<Stretch> all;
    const auto forward = [&](const std::vector<Stretch>& edge) {
      all.insert(all.end(), edge.begin(), edge.end());
    };
    const auto backward = [&](const std::vector<Stretch>& edge, Point end) {
      for (std::size_t k = edge.size(); k-- > 0;) {
        all.push_back({end, edge[k].region});
        end = edge[k].from;
      }
    };
    forward(stretches(0, i, j, map_.y.values[j]));
    forward(stretches(1, i + 1, j, map_.x.values[i + 1]));
    backward(stretches(0, i, j + 1, map_.y.values[j + 1]), corner(i + 1, j + 1));
    backward(stretches(1, i, j, map_.x.values[i]), corner(i, j + 1));
    return all;
  }

  void add_cell(std::size_t i, std::size_t j) {
    const std::vector<Stretch> around = border(i, j);
    const std::size_t n = around.size();
    std::vector<std::size_t> changes;
    for (std::size_t k = 0; k < n; ++k) {
      if (around[k].region != around[(k + n - 1) % n].region) changes.push_back(k);
    }
    if (changes.empty()) {
      add_whole(i, j, around[0].region);
      return;
    }
    end_run();
    Point centre;
    for (const std::size_t k : changes) {
      centre.x += around[k].from.x / static_cast<double>(changes.size());
      centre.y += around[k].from.y / static_cast<double>(changes.size());
    }
    const bool straight = changes.size() == 2;
    for (std::size_t c = 0; c < changes.size(); ++c) {
      RegionPiece piece{around[changes[c]].region, {}};
      const std::size_t end = changes[(c + 1) % changes.size()];
      for (std::size_t k = changes[c]; k != end; k = (k + 1) % n) piece.points.push_back(around[k].from);
      piece.points.push_back(around[end].from);
      if (!straight) piece.points.push_back(centre);
      result_.pieces.push_back(std::move(piece));
      if (!straight) segments_.push_back({around[changes[c]].from, centre});
    }
    if (straight) segments_.push_back({around[changes[0]].from, around[changes[1]].from});
  }

  /// Cells of one region, one beside the other, are one piece.
  void add_whole(std::size_t i, std::size_t j, std::size_t region) {
    if (run_ && run_->region == region) {
      run_->points[1] = corner(i + 1, j);
      run_->points[2] = corner(i + 1, j + 1);
      return;
    }
    end_run();
    run_ = RegionPiece{region, {corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)}};
  }
  void end_run() {
    if (run_) result_.pieces.push_back(std::move(*run_));
    run_.reset();
  }

  /// Segments that meet, as curves.
  std::vector<std::vector<Point>> joined() const {
    using Key = std::pair<double, double>;
    const auto key = [](Point p) { return Key{p.x, p.y}; };
    std::multimap<Key, std::size_t> at;
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      at.emplace(key(segments_[s][0]), s);
      at.emplace(key(segments_[s][1]), s);
    }
    std::vector<bool> used(segments_.size(), false);
    std::vector<std::vector<Point>> curves;
    const auto extend = [&](std::vector<Point>& curve) {
      for (bool grows = true; grows;) {
        grows = false;
        const auto [begin, end] = at.equal_range(key(curve.back()));
        for (auto each = begin; each != end && !grows; ++each) {
          if (used[each->second]) continue;
          used[each->second] = true;
          const auto& segment = segments_[each->second];
          curve.push_back(key(segment[0]) == key(curve.back()) ? segment[1] : segment[0]);
          grows = true;
        }
      }
    };
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      if (used[s]) continue;
      used[s] = true;
      std::vector<Point> curve{segments_[s][0], segments_[s][1]};
      extend(curve);
      std::reverse(curve.begin(), curve.end());
      extend(curve);
      curves.push_back(std::move(curve));
    }
    return curves;
  }

  const RegionMap& map_;
  std::size_t columns_;
  std::map<std::array<std::size_t, 3>, std::vector<const MapCrossing*>> crossings_;
  std::vector<std::array<Point, 2>> segments_;
  std::optional<RegionPiece> run_;
  Regions result_;
};

}  // namespace

Regions find_regions(const RegionMap& map) {
  return RegionFinder(map).plane();
}
Regions find_strip(const RegionMap& map) {
  return RegionFinder(map).strip();
}

}  // namespace liaison::plot
