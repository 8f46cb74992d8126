#include "plot_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot_legend.hpp"
#include "plot_text.hpp"

namespace liaison::plot {

namespace {

constexpr double bar_height = 11, bar_gap = 4;
constexpr double name_size = 9.5, legend_size = 10.5;
constexpr double widest_name = 110;
constexpr double leader = 14, swatch = 18, swatch_gap = 5;
constexpr const char* tick_name = "impact";
constexpr std::size_t most_bars = 24;
constexpr double visible = 0.25;  ///< of a pixel

struct Fill {
  Paint paint = Paint::grid;
  double strength = 1;
};

/// What contacts do has colours of its own; other modes have those of curves.
Fill fill_of(const std::string& mode, std::size_t place) {
  if (mode == "open") return {};
  if (mode == "slips") return {series_paint(4), 0.85};
  if (mode == "sticks") return {series_paint(0), 0.85};
  if (mode == "rolls") return {series_paint(1), 0.85};
  if (mode == "closed") return {series_paint(2), 0.85};
  if (mode == "touches") return {series_paint(5), 0.6};
  return {series_paint(place), 0.4};
}

class BarDrawing {
 public:
  BarDrawing(const BarStrip& strip, const std::string& x_label, const PanelBox& box, std::vector<Item>& items)
      : strip_(strip), x_label_(plain_label(x_label)), box_(box), items_(items) {}

  void bar(const ModeBar& bar, double top) {
    items_.emplace_back(Group{"mark", 0, 0, bar.name});
    items_.emplace_back(Text{.at = {box_.left - 7, top + 0.5 * bar_height + 0.36 * name_size},
                             .runs = shorten({{bar.name}}, name_size, widest_name),
                             .size = name_size,
                             .anchor = Anchor::end,
                             .paint = Paint::soft});
    double hidden = -1;  // spans that are too short to be seen stand behind one that is not
    for (const ModeSpan& span : bar.spans) {
      const double left = place(span.begin), right = place(span.end);
      if (right - left < visible && right - hidden < visible) continue;
      hidden = right;
      const std::string note =
          fmt::format("{} {}, {} = {:.6g} to {:.6g}", bar.name, span.mode, x_label_, span.begin, span.end);
      items_.emplace_back(Group{"span", 0, 0, note, left});
      items_.emplace_back(area(left, right, top, span.mode));
    }
    draw_ticks(bar, top);
  }

  void legend(double top) {
    const double left = box_.left + box_.width + leader;
    items_.emplace_back(Group{});
    for (const std::string& mode : strip_.modes) {
      items_.emplace_back(area(left, left + swatch, top, mode));
      items_.emplace_back(
          Text{.at = {left + swatch + swatch_gap, top + 0.5 * bar_height + 0.36 * legend_size},
               .runs = {{mode}},
               .size = legend_size});
      top += legend_spacing;
    }
    if (strip_.has_ticks) {
      items_.emplace_back(Line{
          {left + swatch / 2, top - 1.5}, {left + swatch / 2, top + bar_height + 1.5}, {Paint::ink, 0.8}});
      items_.emplace_back(
          Text{.at = {left + swatch + swatch_gap, top + 0.5 * bar_height + 0.36 * legend_size},
               .runs = {{tick_name}},
               .size = legend_size});
      top += legend_spacing;
    }
    if (strip_.left_out == 0) return;
    items_.emplace_back(Text{.at = {left, top + 0.5 * bar_height + 0.36 * legend_size},
                             .runs = {{fmt::format("{} more", strip_.left_out)}},
                             .size = legend_size,
                             .paint = Paint::soft});
  }

 private:
  double place(double x) const { return box_.left + box_.width * std::clamp(box_.x.position(x), 0.0, 1.0); }

  Area area(double left, double right, double top, const std::string& mode) const {
    const auto found = std::find(strip_.modes.begin(), strip_.modes.end(), mode);
    const Fill fill = fill_of(mode, static_cast<std::size_t>(found - strip_.modes.begin()));
    const double bottom = top + bar_height;
    return {{{{left, top}, {right, top}, {right, bottom}, {left, bottom}}}, fill.paint, fill.strength};
  }

  void draw_ticks(const ModeBar& bar, double top) {
    double previous = -1;
    for (const double tick : bar.ticks) {
      if (box_.x.position(tick) < 0 || box_.x.position(tick) > 1) continue;
      const double x = place(tick);
      if (std::abs(x - previous) < visible) continue;
      previous = x;
      items_.emplace_back(Group{"mark", 0, 0, fmt::format("{}, {} = {:.9g}", bar.name, x_label_, tick), x});
      items_.emplace_back(Line{{x, top - 1.5}, {x, top + bar_height + 1.5}, {Paint::ink, 0.8}});
    }
  }

  const BarStrip& strip_;
  std::string x_label_;
  const PanelBox& box_;
  std::vector<Item>& items_;
};

}  // namespace

BarStrip choose_bars(const Figure& figure) {
  BarStrip strip;
  for (const ModeBar& bar : figure.bars) {
    // Where there is no room for all, those that change.
    const bool changes = bar.spans.size() > 1 || !bar.ticks.empty();
    if (strip.bars.size() >= most_bars || (figure.bars.size() > most_bars && !changes)) {
      ++strip.left_out;
    } else {
      strip.bars.push_back(&bar);
    }
  }
  for (const char* known : {"open", "touches", "closed", "sticks", "rolls", "slips"}) {
    const auto has = [&](const ModeBar* bar) {
      return std::any_of(bar->spans.begin(), bar->spans.end(),
                         [&](const ModeSpan& span) { return span.mode == known; });
    };
    if (std::any_of(strip.bars.begin(), strip.bars.end(), has)) strip.modes.emplace_back(known);
  }
  for (const ModeBar* bar : strip.bars) {
    strip.has_ticks = strip.has_ticks || !bar->ticks.empty();
    for (const ModeSpan& span : bar->spans) {
      if (std::find(strip.modes.begin(), strip.modes.end(), span.mode) == strip.modes.end())
        strip.modes.push_back(span.mode);
    }
  }
  return strip;
}

double bars_height(const BarStrip& strip) {
  return strip.bars.empty() ? 0 : static_cast<double>(strip.bars.size()) * (bar_height + bar_gap) - bar_gap;
}

double bars_legend_height(const BarStrip& strip) {
  return static_cast<double>(strip.modes.size() + (strip.has_ticks ? 1 : 0) + (strip.left_out > 0 ? 1 : 0)) *
         legend_spacing;
}

double bar_names_width(const BarStrip& strip) {
  double width = 0;
  for (const ModeBar* bar : strip.bars) width = std::max(width, text_width({{bar->name}}, name_size));
  return std::min(width, widest_name) + 7;
}

double bars_legend_width(const BarStrip& strip) {
  double width = text_width({{tick_name}}, legend_size);
  for (const std::string& mode : strip.modes) width = std::max(width, text_width({{mode}}, legend_size));
  return leader + swatch + swatch_gap + width + 4;
}

void draw_bars(const BarStrip& strip, const std::string& x_label, const PanelBox& box, double top,
               std::vector<Item>& items) {
  BarDrawing drawing(strip, x_label, box, items);
  double y = top;
  for (const ModeBar* bar : strip.bars) {
    drawing.bar(*bar, y);
    y += bar_height + bar_gap;
  }
  drawing.legend(top);
}

}  // namespace liaison::plot
