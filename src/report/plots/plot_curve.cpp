#include "plot_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace liaison::plot {

namespace {

constexpr double columns_per_pixel = 2;

double distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length2 = dx * dx + dy * dy;
  const double s = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

/// Of the points in one column only those that change the picture, in their order.
class ColumnReducer {
 public:
  void add(const Point& p) {
    const double column = std::floor(p.x * columns_per_pixel);
    if (count_ > 0 && column != column_) flush();
    column_ = column;
    const Numbered now{p, count_};
    if (count_ == 0) first_ = lowest_ = highest_ = now;
    if (p.y < lowest_.point.y) lowest_ = now;
    if (p.y > highest_.point.y) highest_ = now;
    last_ = now;
    ++count_;
  }

  std::vector<Point> take() {
    flush();
    return std::exchange(points_, {});
  }

 private:
  struct Numbered {
    Point point;
    std::size_t number = 0;
  };

  void flush() {
    if (count_ == 0) return;
    std::array<Numbered, 4> kept{first_, lowest_, highest_, last_};
    std::sort(kept.begin(), kept.end(),
              [](const Numbered& a, const Numbered& b) { return a.number < b.number; });
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (i == 0 || kept[i].number != kept[i - 1].number) points_.push_back(kept[i].point);
    count_ = 0;
  }

  std::vector<Point> points_;
  double column_ = 0;
  std::size_t count_ = 0;
  Numbered first_, lowest_, highest_, last_;
};

/// Douglas and Peucker: a point stays where the chord of its neighbours that stay misses it.
std::vector<Point> straighten(const std::vector<Point>& points) {
  if (points.size() < 3) return points;
  std::vector<bool> keep(points.size(), false);
  keep.front() = keep.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, points.size() - 1}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    double largest = curve_tolerance;
    std::size_t farthest = a;
    for (std::size_t i = a + 1; i < b; ++i) {
      const double distance = distance_to_segment(points[i], points[a], points[b]);
      if (distance > largest) {
        largest = distance;
        farthest = i;
      }
    }
    if (farthest == a) continue;
    keep[farthest] = true;
    open.emplace_back(a, farthest);
    open.emplace_back(farthest, b);
  }
  std::vector<Point> out;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (keep[i]) out.push_back(points[i]);
  return out;
}

}  // namespace

std::vector<std::vector<Point>> make_curve(std::span<const double> x, std::span<const double> y,
                                           const std::function<Point(double x, double y)>& place) {
  std::vector<std::vector<Point>> pieces;
  ColumnReducer piece;
  bool inside = false;
  for (std::size_t i = 0; i <= x.size(); ++i) {
    if (i < x.size() && std::isfinite(x[i]) && std::isfinite(y[i])) {
      piece.add(place(x[i], y[i]));
      inside = true;
    } else if (inside) {
      pieces.push_back(straighten(piece.take()));
      inside = false;
    }
  }
  return pieces;
}

std::vector<std::vector<Point>> make_path(std::span<const double> x, std::span<const double> y,
                                          const std::function<Point(double x, double y)>& place) {
  std::vector<std::vector<Point>> pieces;
  std::vector<Point> piece;
  for (std::size_t i = 0; i <= x.size(); ++i) {
    if (i < x.size() && std::isfinite(x[i]) && std::isfinite(y[i])) {
      piece.push_back(place(x[i], y[i]));
    } else if (!piece.empty()) {
      pieces.push_back(straighten(piece));
      piece.clear();
    }
  }
  return pieces;
}

}  // namespace liaison::plot
