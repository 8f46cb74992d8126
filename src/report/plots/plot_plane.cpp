#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/expr/error.hpp"
#include "liaison/report/plane_plot.hpp"
#include "plot_axis.hpp"
#include "plot_curve.hpp"
#include "plot_html.hpp"
#include "plot_png.hpp"
#include "plot_svg.hpp"
#include "plot_text.hpp"

namespace liaison {

namespace plot {

namespace {

constexpr double margin = 14, plane_width = 440, plane_height = 380;
constexpr double title_size = 15, subtitle_size = 11, label_size = 10.5, tick_size = 9.5, legend_size = 10.5;
constexpr double tick_length = 4, legend_line = 14, swatch = 18, swatch_gap = 5;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double size() const { return high - low; }
  void widen_to(double size) {
    const double more = (size - (high - low)) / 2;
    low -= more;
    high += more;
  }
};

class PlaneDrawing {
 public:
  explicit PlaneDrawing(const PlaneFigure& figure) : figure_(figure) {
    Range x, y;
    for (const PlaneCurve& curve : figure.curves) {
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) continue;
        x.add(curve.x[i]);
        y.add(curve.y[i]);
      }
    }
    if (figure.same_scale) {
      const double unit = std::max(x.size() / plane_width, y.size() / plane_height);
      if (unit > 0) {
        x.widen_to(unit * plane_width);
        y.widen_to(unit * plane_height);
      }
    }
    x_ = make_axis(x.low, x.high, {.ticks = 5, .margin = 0.05});
    y_ = make_axis(y.low, y.high, {.ticks = 5, .margin = 0.05});
  }

  Scene draw() {
    scene_.title = figure_.title;
    double gutter = std::max(0.0, text_width({{y_.note()}}, tick_size) - label_size * 1.7);
    for (const Tick& tick : y_.ticks) gutter = std::max(gutter, text_width({{tick.label}}, tick_size));
    left_ = std::ceil(margin + label_size * 1.7 + gutter + tick_length + 4);
    scene_.width = std::ceil(left_ + plane_width + 2 * margin);
    scene_.items.emplace_back(Rectangle{});
    top_ = titles(margin) + (y_.note().empty() ? 0 : tick_size + 4);
    axes();
    for (std::size_t i = 0; i < figure_.curves.size(); ++i) curve(i);
    double bottom = top_ + plane_height + tick_length + tick_size + label_size + 12;
    if (figure_.curves.size() > 1) bottom = legend(bottom + 6);
    scene_.height = std::ceil(bottom + margin);
    std::get<Rectangle>(scene_.items.front()) = {{0, 0}, scene_.width, scene_.height, Paint::paper};
    return std::move(scene_);
  }

 private:
  Point place(double x, double y) const {
    return {left_ + plane_width * x_.position(x), top_ + plane_height * (1 - y_.position(y))};
  }

  void line(Point a, Point b, const Stroke& stroke) { scene_.items.emplace_back(Line{a, b, stroke}); }
  void words(Point at, std::vector<TextRun> runs, double size, Anchor anchor, Paint paint,
             bool upward = false) {
    scene_.items.emplace_back(Text{
        .at = at, .runs = std::move(runs), .size = size, .anchor = anchor, .paint = paint, .upward = upward});
  }

  double titles(double y) {
    const double width = scene_.width - 2 * margin;
    for (const std::string& part : wrap(figure_.title, title_size, true, width)) {
      y += title_size;
      scene_.items.emplace_back(Text{.at = {margin, y}, .runs = {{part}}, .size = title_size, .bold = true});
      y += 5;
    }
    for (const std::string& part : wrap(figure_.subtitle, subtitle_size, false, width)) {
      y += subtitle_size + 1;
      words({margin, y}, {{part}}, subtitle_size, Anchor::start, Paint::soft);
      y += 3;
    }
    return y + 9;
  }

  void axes() {
    const double right = left_ + plane_width, bottom = top_ + plane_height;
    const auto share = [](const Tick& tick, const Axis& axis) {
      return static_cast<double>((tick.value - axis.low) / (axis.high - axis.low));
    };
    for (const Tick& tick : x_.ticks) {
      const double x = left_ + plane_width * share(tick, x_);
      line({x, top_}, {x, bottom}, {Paint::grid, 0.7});
      line({x, bottom}, {x, bottom + tick_length}, {Paint::soft, 0.9});
      words({x, bottom + tick_length + tick_size + 1}, {{tick.label}}, tick_size, Anchor::middle,
            Paint::soft);
    }
    for (const Tick& tick : y_.ticks) {
      const double y = bottom - plane_height * share(tick, y_);
      line({left_, y}, {right, y}, {Paint::grid, 0.7});
      line({left_ - tick_length, y}, {left_, y}, {Paint::soft, 0.9});
      words({left_ - tick_length - 3, y + 0.36 * tick_size}, {{tick.label}}, tick_size, Anchor::end,
            Paint::soft);
    }
    line({left_, top_}, {left_, bottom}, {Paint::soft, 0.9});
    line({left_, bottom}, {right, bottom}, {Paint::soft, 0.9});
    if (!y_.note().empty()) words({left_ - 3, top_ - 6}, {{y_.note()}}, tick_size, Anchor::end, Paint::soft);
    auto below = with_unit(make_label(figure_.x.label), figure_.x.unit);
    if (!x_.note().empty()) below.push_back({"   " + x_.note()});
    words({left_ + plane_width / 2, bottom + tick_length + tick_size + label_size + 9},
          shorten(below, label_size, plane_width), label_size, Anchor::middle, Paint::ink);
    words({margin + label_size * 0.8, top_ + plane_height / 2},
          shorten(with_unit(make_label(figure_.y.label), figure_.y.unit), label_size, plane_height),
          label_size, Anchor::middle, Paint::ink, true);
  }

  void curve(std::size_t i) {
    const PlaneCurve& one = figure_.curves[i];
    const Paint paint = series_paint(i);
    if (!figure_.dots) {
      for (const std::vector<Point>&piece :
           make_path(one.x, one.y, [this](double x, double y) { return place(x, y); })) {
        if (piece.size() == 1) {
          scene_.items.emplace_back(Disc{piece.front(), 2.2, paint});
        } else {
          scene_.items.emplace_back(Polyline{piece, {paint, 1.4}});
        }
      }
      return;
    }
    const double radius = one.x.size() > 300 ? 1.1 : 1.8;
    for (std::size_t k = 0; k < one.x.size(); ++k)
      if (std::isfinite(one.x[k]) && std::isfinite(one.y[k]))
        scene_.items.emplace_back(Disc{place(one.x[k], one.y[k]), radius, paint});
  }

  double legend(double y) {
    for (std::size_t i = 0; i < figure_.curves.size(); ++i) {
      y += legend_line;
      line({left_, y - 0.36 * legend_size}, {left_ + swatch, y - 0.36 * legend_size}, {series_paint(i), 2.2});
      words({left_ + swatch + swatch_gap, y},
            shorten(make_label(figure_.curves[i].name), legend_size, plane_width - swatch - swatch_gap),
            legend_size, Anchor::start, Paint::ink);
    }
    return y;
  }

  const PlaneFigure& figure_;
  Scene scene_;
  Axis x_, y_;
  double left_ = 0, top_ = 0;
};

void require_data(const PlaneFigure& figure) {
  bool any = false;
  for (const PlaneCurve& curve : figure.curves) {
    if (curve.x.size() != curve.y.size())
      throw Error(ErrorCode::not_square,
                  fmt::format("'{}' has {} values over {}", curve.name, curve.y.size(), curve.x.size()));
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      any = any || (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]));
  }
  if (!any)
    throw Error(ErrorCode::missing_value,
                fmt::format("there is no point of {} over {} to draw", figure.y.label, figure.x.label),
                "run until a later time, or look at other columns");
}

}  // namespace

}  // namespace plot

std::string render_plane(const PlaneFigure& figure, PlotFormat format) {
  plot::require_data(figure);
  const plot::Scene scene = plot::PlaneDrawing(figure).draw();
  switch (format) {
    case PlotFormat::svg: return plot::write_svg(scene, plot::SvgPlace::file);
    case PlotFormat::png: return plot::write_png(scene, 2);
    case PlotFormat::html: return plot::write_page(scene);
  }
  return {};
}

}  // namespace liaison
