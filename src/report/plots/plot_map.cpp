#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/error.hpp"
#include "liaison/report/map_plot.hpp"
#include "plot_axis.hpp"
#include "plot_html.hpp"
#include "plot_png.hpp"
#include "plot_regions.hpp"
#include "plot_svg.hpp"
#include "plot_text.hpp"

namespace liaison {

namespace plot {

namespace {

constexpr double margin = 14;
constexpr double map_width = 480, map_height = 360, strip_height = 46;
constexpr double title_size = 15, subtitle_size = 11, label_size = 10.5, tick_size = 9.5, legend_size = 10.5;
constexpr double tick_length = 4;
constexpr double swatch = 13, swatch_gap = 6, legend_gap = 16, legend_line = 13.5, legend_space = 5;
constexpr double widest_legend = 250;

struct Fill {
  Paint paint = Paint::grid;
  double strength = 1;
};

/// The k-th region of a tone.
Fill fill_of(RegionTone tone, std::size_t k) {
  static const std::vector<Paint> calm{series_paint(0), series_paint(2), series_paint(5)};
  static const std::vector<Paint> twofold{series_paint(4), series_paint(3)};
  static const std::vector<Paint> bad{series_paint(1)};
  static const std::vector<Paint> due{Paint::soft};
  static const std::vector<Paint> empty{Paint::grid};
  const std::vector<Paint>& paints = tone == RegionTone::calm      ? calm
                                     : tone == RegionTone::twofold ? twofold
                                     : tone == RegionTone::bad     ? bad
                                     : tone == RegionTone::due     ? due
                                                                   : empty;
  constexpr double strengths[] = {0.72, 0.42, 0.2};
  const double strength = strengths[k / paints.size() % 3];
  const bool full = tone == RegionTone::empty || tone == RegionTone::bad;
  return {paints[k % paints.size()], full ? strength / strengths[0] : strength};
}

class MapDrawing {
 public:
  explicit MapDrawing(const RegionMap& map) : map_(map), strip_(map.y.values.empty()) {
    height_ = strip_ ? strip_height : map_height;
    x_ = axis_of(map.x, 5);
    if (!strip_) y_ = axis_of(map.y, 5);
    std::vector<std::size_t> counts(5, 0);
    for (const MapRegion& region : map.regions)
      fills_.push_back(fill_of(region.tone, counts[static_cast<std::size_t>(region.tone)]++));
  }

  Scene draw() {
    scene_.title = map_.title;
    make_columns();
    scene_.items.emplace_back(Rectangle{});
    top_ = draw_titles(margin);
    draw_regions();
    draw_axes();
    const double legend_end = draw_legend();
    const double below = top_ + height_ + tick_length + tick_size + label_size + 12;
    scene_.height = std::ceil(std::max(below, legend_end) + margin);
    std::get<Rectangle>(scene_.items.front()) = {{0, 0}, scene_.width, scene_.height, Paint::paper};
    return std::move(scene_);
  }

 private:
  static Axis axis_of(const MapAxis& axis, std::size_t ticks) {
    const auto [low, high] = std::minmax_element(axis.values.begin(), axis.values.end());
    return make_axis(*low, *high, {.ticks = ticks});
  }

  Point place(Point p) const {
    return {left_ + map_width * x_.position(p.x), top_ + height_ * (1 - (strip_ ? p.y : y_.position(p.y)))};
  }

  void make_columns() {
    double gutter = 0;
    if (!strip_) {
      for (const Tick& tick : y_.ticks) gutter = std::max(gutter, text_width({{tick.label}}, tick_size));
      gutter += label_size * 1.7 + tick_length + 4;
    }
    left_ = std::ceil(margin + gutter);
    double widest = 0;
    for (const MapRegion& region : map_.regions) {
      const auto lines = wrap(region.name, legend_size, false, widest_legend);
      for (const std::string& line : lines) widest = std::max(widest, text_width({{line}}, legend_size));
    }
    scene_.width = std::ceil(left_ + map_width + legend_gap + swatch + swatch_gap + widest + margin);
  }

  double draw_titles(double y) {
    const double width = scene_.width - 2 * margin;
    for (const std::string& words : wrap(map_.title, title_size, true, width)) {
      y += title_size;
      scene_.items.emplace_back(Text{.at = {margin, y}, .runs = {{words}}, .size = title_size, .bold = true});
      y += 5;
    }
    for (const std::string& words : wrap(map_.subtitle, subtitle_size, false, width)) {
      y += subtitle_size + 1;
      scene_.items.emplace_back(
          Text{.at = {margin, y}, .runs = {{words}}, .size = subtitle_size, .paint = Paint::soft});
      y += 3;
    }
    return y + 9;
  }

  void draw_regions() {
    const Regions found = strip_ ? find_strip(map_) : find_regions(map_);
    for (std::size_t r = 0; r < map_.regions.size(); ++r) {
      Area area{{}, fills_[r].paint, fills_[r].strength};
      for (const RegionPiece& piece : found.pieces) {
        if (piece.region != r) continue;
        std::vector<Point>& polygon = area.polygons.emplace_back();
        for (const Point& point : piece.points) polygon.push_back(place(point));
      }
      if (area.polygons.empty()) continue;
      scene_.items.emplace_back(Group{"region", 0, r, map_.regions[r].name});
      scene_.items.emplace_back(std::move(area));
    }
    scene_.items.emplace_back(Group{});
    for (const std::vector<Point>& curve : found.boundaries) {
      Polyline line{{}, {Paint::ink, 0.9}};
      for (const Point& point : curve) line.points.push_back(place(point));
      scene_.items.emplace_back(std::move(line));
    }
  }

  void line(Point a, Point b) { scene_.items.emplace_back(Line{a, b, {Paint::soft, 0.9}}); }
  void tick_text(Point at, const std::string& label, Anchor anchor) {
    scene_.items.emplace_back(
        Text{.at = at, .runs = {{label}}, .size = tick_size, .anchor = anchor, .paint = Paint::soft});
  }
  static double ratio(const Tick& tick, const Axis& axis) {
    return static_cast<double>((tick.value - axis.low) / (axis.high - axis.low));
  }
  static std::vector<TextRun> label_of(const MapAxis& axis, const Axis& scale) {
    auto runs = with_unit(make_label(axis.label), axis.unit);
    if (const std::string note = scale.note(); !note.empty()) runs.push_back({"   " + note});
    return runs;
  }

  void draw_axes() {
    const double right = left_ + map_width, bottom = top_ + height_;
    line({left_, top_}, {left_, bottom});
    line({left_, bottom}, {right, bottom});
    line({left_, top_}, {right, top_});
    line({right, top_}, {right, bottom});
    for (const Tick& tick : x_.ticks) {
      const double x = left_ + map_width * ratio(tick, x_);
      line({x, bottom}, {x, bottom + tick_length});
      tick_text({x, bottom + tick_length + tick_size + 1}, tick.label, Anchor::middle);
    }
    scene_.items.emplace_back(
        Text{.at = {left_ + map_width / 2, bottom + tick_length + tick_size + label_size + 9},
             .runs = shorten(label_of(map_.x, x_), label_size, map_width),
             .size = label_size,
             .anchor = Anchor::middle});
    if (strip_) return;
    for (const Tick& tick : y_.ticks) {
      const double y = bottom - height_ * ratio(tick, y_);
      line({left_ - tick_length, y}, {left_, y});
      tick_text({left_ - tick_length - 3, y + 0.36 * tick_size}, tick.label, Anchor::end);
    }
    scene_.items.emplace_back(Text{.at = {margin + label_size * 0.75, top_ + height_ / 2},
                                   .runs = shorten(label_of(map_.y, y_), label_size, height_),
                                   .size = label_size,
                                   .anchor = Anchor::middle,
                                   .upward = true});
  }

  double draw_legend() {
    const double left = left_ + map_width + legend_gap;
    double y = top_;
    for (std::size_t r = 0; r < map_.regions.size(); ++r) {
      const std::vector<Point> square{
          {left, y}, {left + swatch, y}, {left + swatch, y + swatch}, {left, y + swatch}};
      scene_.items.emplace_back(Area{{square}, fills_[r].paint, fills_[r].strength});
      double line_y = y + 0.5 * swatch + 0.36 * legend_size;
      for (const std::string& words : wrap(map_.regions[r].name, legend_size, false, widest_legend)) {
        scene_.items.emplace_back(
            Text{.at = {left + swatch + swatch_gap, line_y}, .runs = {{words}}, .size = legend_size});
        line_y += legend_line;
        y += legend_line;
      }
      y += legend_space;
    }
    return y;
  }

  const RegionMap& map_;
  bool strip_;
  double height_ = 0, left_ = 0, top_ = 0;
  Axis x_, y_;
  std::vector<Fill> fills_;
  Scene scene_;
};

void require_map(const RegionMap& map) {
  const std::size_t rows = std::max<std::size_t>(map.y.values.size(), 1);
  if (map.x.values.size() < 2 || map.y.values.size() == 1)
    throw Error(ErrorCode::missing_value, "a map needs at least two values on each axis", "take more points");
  if (map.at.size() != map.x.values.size() * rows)
    throw Error(ErrorCode::not_square, fmt::format("{} regions on a grid of {} x {} points", map.at.size(),
                                                   map.x.values.size(), rows));
}

}  // namespace

}  // namespace plot

std::string render_map(const RegionMap& map, PlotFormat format) {
  plot::require_map(map);
  const plot::Scene scene = plot::MapDrawing(map).draw();
  switch (format) {
    case PlotFormat::svg: return plot::write_svg(scene, plot::SvgPlace::file);
    case PlotFormat::png: return plot::write_png(scene, 2);
    case PlotFormat::html: return plot::write_page(scene);
  }
  return {};
}

}  // namespace liaison
