#include "plot_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot_bars.hpp"
#include "plot_legend.hpp"
#include "plot_marks.hpp"
#include "plot_text.hpp"

namespace liaison::plot {

namespace {

constexpr double margin = 14;
constexpr double title_size = 15, subtitle_size = 11, panel_title_size = 11, label_size = 10.5,
                 tick_size = 9.5;
constexpr double tick_length = 4;
constexpr double panel_gap = 15;
constexpr double panel_header = 17;
constexpr double strip_gap = 3;

struct Range {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  void add(double value) {
    if (!std::isfinite(value)) return;
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }
  bool empty() const { return smallest > largest; }
};

Range range_of(const std::vector<double>& values) {
  Range range;
  for (const double value : values) range.add(value);
  return range;
}

Range range_of(const Panel& panel) {
  Range range;
  for (const Series& series : panel.series)
    for (const double value : series.values) range.add(value);
  return range;
}

class Drawing {
 public:
  Drawing(const Figure& figure, double plot_width)
      : figure_(figure), plot_width_(plot_width), bars_(choose_bars(figure)) {}

  Layout draw() {
    make_axes();
    make_columns();
    assign_looks(figure_, layout_.boxes);
    items().emplace_back(Rectangle{});  // below everything, so that the picture has a ground of its own
    double y = draw_titles(margin);
    y = make_boxes(y);
    layout_.scene.height = std::ceil(y);
    layout_.scene.title = figure_.title;
    std::get<Rectangle>(items().front()) = {{0, 0}, layout_.scene.width, layout_.scene.height, Paint::paper};
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) draw_grid(p);
    draw_marks(strip_, strip_bottom_, layout_.boxes.front().top,
               layout_.boxes.back().top + layout_.boxes.back().height, items());
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      draw_curves(p, figure_.panels[p], figure_.x, layout_.boxes[p], items());
      plain();
      draw_axes(p);
      draw_legend(p, figure_.panels[p], figure_.x, layout_.boxes[p], legend_width_, items());
      plain();
    }
    if (!bars_.bars.empty()) draw_bar_strip();
    draw_x_label();
    return std::move(layout_);
  }

 private:
  std::vector<Item>& items() { return layout_.scene.items; }
  void plain() { items().emplace_back(Group{}); }

  void line(Point a, Point b, const Stroke& stroke) { items().emplace_back(Line{a, b, stroke}); }

  static double panel_height(std::size_t panels, std::size_t series) {
    const double height = panels == 1 ? 270 : panels == 2 ? 190 : 150;
    return std::max(height, legend_spacing * static_cast<double>(series));
  }

  void make_axes() {
    Range x = range_of(figure_.x);
    for (const Panel& panel : figure_.panels)
      for (const Series& series : panel.series)
        for (const double value : series.x) x.add(value);
    const Axis x_axis = make_axis(x.smallest, x.largest, {.ticks = 5});
    for (const Panel& panel : figure_.panels) {
      PanelBox box;
      box.x = x_axis;
      box.width = plot_width_;
      box.height = panel_height(figure_.panels.size(), panel.series.size());
      Range y = range_of(panel);
      if (y.empty()) y = {0, 1};
      const auto ticks = static_cast<std::size_t>(box.height / 50);
      box.y = make_axis(y.smallest, y.largest, {.ticks = ticks, .margin = 0.06});
      layout_.boxes.push_back(box);
    }
  }

  /// The columns of all panels have the same widths: label, ticks, data, legend.
  void make_columns() {
    double gutter = 0, note = 0;
    bool labelled = false;
    for (std::size_t p = 0; p < layout_.boxes.size(); ++p) {
      const Axis& axis = layout_.boxes[p].y;
      for (const Tick& tick : axis.ticks) gutter = std::max(gutter, text_width({{tick.label}}, tick_size));
      note = std::max(note, text_width({{axis.note()}}, tick_size));
      const Panel& panel = figure_.panels[p];
      labelled = labelled || !panel.label.empty() || !panel.unit.empty();
      legend_width_ = std::max(legend_width_, wanted_legend_width(panel));
    }
    const double labels = labelled ? label_size * 1.7 : 0;
    double column = std::max(labels + gutter + tick_length + 4, note > 0 ? note + tick_length + 4 : 0.0);
    if (!bars_.bars.empty()) {
      column = std::max(column, bar_names_width(bars_));
      legend_width_ = std::max(legend_width_, bars_legend_width(bars_));
    }
    const double left = margin + column;
    for (PanelBox& box : layout_.boxes) box.left = std::ceil(left);
    label_at_ = std::ceil(left) - tick_length - 3 - gutter - label_size * 0.75;
    layout_.scene.width = std::ceil(left + plot_width_ + legend_width_ + margin);
  }

  double draw_titles(double y) {
    const double width = layout_.scene.width - 2 * margin;
    for (const std::string& words : wrap(figure_.title, title_size, true, width)) {
      y += title_size;
      items().emplace_back(Text{.at = {margin, y}, .runs = {{words}}, .size = title_size, .bold = true});
      y += 5;
    }
    for (const std::string& words : wrap(figure_.subtitle, subtitle_size, false, width)) {
      y += subtitle_size + 1;
      items().emplace_back(
          Text{.at = {margin, y}, .runs = {{words}}, .size = subtitle_size, .paint = Paint::soft});
      y += 3;
    }
    if (y > margin) y += 9;
    return y;
  }

  double header_height(std::size_t p) const {
    return figure_.panels[p].title.empty() && layout_.boxes[p].y.note().empty() ? 4 : panel_header;
  }

  double make_boxes(double y) {
    strip_ = place_marks(figure_, layout_.boxes.front(), margin, layout_.scene.width - margin);
    if (strip_.rows > 0) y += mark_row_height * static_cast<double>(strip_.rows) + strip_gap;
    strip_bottom_ = y - strip_gap;
    for (std::size_t p = 0; p < layout_.boxes.size(); ++p) {
      PanelBox& box = layout_.boxes[p];
      y += header_height(p);
      box.top = y;
      y += box.height + panel_gap;
    }
    axis_at_ = y - panel_gap;
    double legend_end = 0;
    if (!bars_.bars.empty()) {
      bars_at_ = y + panel_header;
      axis_at_ = bars_at_ + bars_height(bars_) + 3;
      legend_end = bars_at_ + bars_legend_height(bars_);
    }
    return std::max(axis_at_ + tick_length + tick_size + label_size + 12, legend_end) + margin;
  }

  void draw_grid(std::size_t p) {
    const PanelBox& box = layout_.boxes[p];
    const double right = box.left + box.width, bottom = box.top + box.height;
    items().emplace_back(Group{"grid", p, 0});
    for (const Tick& tick : box.x.ticks) {
      const double x = box.left + box.width * ratio(tick, box.x);
      line({x, box.top}, {x, bottom}, {Paint::grid, 0.7});
    }
    for (const Tick& tick : box.y.ticks) {
      const double y = bottom - box.height * ratio(tick, box.y);
      const bool zero = tick.value == 0 && box.y.offset == 0;
      line({box.left, y}, {right, y}, zero ? Stroke{Paint::soft, 0.5} : Stroke{Paint::grid, 0.7});
    }
    plain();
  }

  static double ratio(const Tick& tick, const Axis& axis) {
    return static_cast<double>((tick.value - axis.low) / (axis.high - axis.low));
  }

  void draw_axes(std::size_t p) {
    const PanelBox& box = layout_.boxes[p];
    const Panel& panel = figure_.panels[p];
    const double bottom = box.top + box.height;
    const bool last = p + 1 == layout_.boxes.size();
    const Stroke stroke{Paint::soft, 0.9};
    line({box.left, box.top}, {box.left, bottom}, stroke);
    line({box.left, bottom}, {box.left + box.width, bottom}, stroke);
    items().emplace_back(Group{"ticks", p, 0});
    for (const Tick& tick : box.y.ticks) {
      const double y = bottom - box.height * ratio(tick, box.y);
      line({box.left - tick_length, y}, {box.left, y}, stroke);
      tick_text({box.left - tick_length - 3, y + 0.36 * tick_size}, tick.label, Anchor::end);
    }
    for (const Tick& tick : box.x.ticks) {
      const double x = box.left + box.width * ratio(tick, box.x);
      line({x, bottom}, {x, bottom + tick_length}, stroke);
      if (last) tick_text({x, axis_at_ + tick_length + tick_size + 1}, tick.label, Anchor::middle);
    }
    if (const std::string note = box.y.note(); !note.empty())
      tick_text({box.left - tick_length - 3, box.top - 6.5}, note, Anchor::end);
    plain();
    draw_panel_texts(panel, box);
  }

  void tick_text(Point at, const std::string& label, Anchor anchor) {
    items().emplace_back(
        Text{.at = at, .runs = {{label}}, .size = tick_size, .anchor = anchor, .paint = Paint::soft});
  }

  void draw_panel_texts(const Panel& panel, const PanelBox& box) {
    if (!panel.title.empty()) {
      const double room = (box.width + legend_width_) / 1.12;
      items().emplace_back(Text{.at = {box.left, box.top - 6},
                                .runs = shorten({{panel.title}}, panel_title_size, room),
                                .size = panel_title_size,
                                .bold = true});
    }
    const auto label = with_unit(make_label(panel.label), panel.unit);
    if (!label.empty()) {
      items().emplace_back(Text{.at = {label_at_, box.top + box.height / 2},
                                .runs = shorten(label, label_size, box.height + 8),
                                .size = label_size,
                                .anchor = Anchor::middle,
                                .upward = true});
    }
    if (range_of(panel).empty()) {
      items().emplace_back(Text{.at = {box.left + box.width / 2, box.top + box.height / 2},
                                .runs = {{"no finite values"}},
                                .size = label_size,
                                .anchor = Anchor::middle,
                                .paint = Paint::soft});
    }
  }

  void draw_bar_strip() {
    const PanelBox& box = layout_.boxes.back();
    items().emplace_back(
        Text{.at = {box.left, bars_at_ - 6}, .runs = {{"Contacts"}}, .size = panel_title_size, .bold = true});
    plain();
    draw_bars(bars_, figure_.x_label, box, bars_at_, items());
    plain();
    const Stroke stroke{Paint::soft, 0.9};
    line({box.left, axis_at_}, {box.left + box.width, axis_at_}, stroke);
    items().emplace_back(Group{"ticks", layout_.boxes.size(), 0});
    for (const Tick& tick : box.x.ticks) {
      const double x = box.left + box.width * ratio(tick, box.x);
      line({x, axis_at_}, {x, axis_at_ + tick_length}, stroke);
    }
    plain();
  }

  void draw_x_label() {
    const PanelBox& box = layout_.boxes.back();
    layout_.axis_at = axis_at_;
    auto runs = with_unit(make_label(figure_.x_label), figure_.x_unit);
    const std::string note = box.x.note();
    if (!note.empty()) runs.push_back({"   " + note});
    items().emplace_back(
        Text{.at = {box.left + box.width / 2, axis_at_ + tick_length + tick_size + label_size + 9},
             .runs = shorten(runs, label_size, box.width),
             .size = label_size,
             .anchor = Anchor::middle});
  }

  const Figure& figure_;
  double plot_width_;
  Layout layout_;
  double legend_width_ = 0;
  double label_at_ = 0;
  double strip_bottom_ = 0;
  double axis_at_ = 0;  ///< where the labels of x hang
  double bars_at_ = 0;
  BarStrip bars_;
  MarkStrip strip_;
};

}  // namespace

Layout make_layout(const Figure& figure, double plot_width) {
  return Drawing(figure, plot_width).draw();
}

Layout make_narrow_layout(const Figure& figure, double width) {
  constexpr double least = 200;
  Layout wide = make_layout(figure);
  const double narrow = usual_plot_width - (wide.scene.width - width);
  return narrow >= usual_plot_width ? std::move(wide) : make_layout(figure, std::max(least, narrow));
}

}  // namespace liaison::plot
