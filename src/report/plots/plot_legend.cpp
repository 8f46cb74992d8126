#include "plot_legend.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "plot_curve.hpp"
#include "plot_text.hpp"

namespace liaison::plot {

namespace {

constexpr double legend_size = 10.5;
constexpr double leader = 14, swatch = 18, swatch_gap = 5;
constexpr double widest_name = 230;

/// More series than colours go on with dashes.
Stroke curve_stroke(std::size_t look) {
  Stroke stroke{series_paint(look), 1.5};
  const std::size_t round = look / series_colours;
  if (round == 1) stroke.dashes = {5, 2.5};
  if (round >= 2) stroke.dashes = {1.5, 2};
  return stroke;
}

std::vector<TextRun> entry_label(const Panel& panel, const Series& series) {
  auto label = make_label(series.name);
  if (std::none_of(series.values.begin(), series.values.end(), [](double v) { return std::isfinite(v); }))
    label.push_back({" (no finite value)"});
  return series.unit == panel.unit ? label : with_unit(std::move(label), series.unit);
}

std::string plain_text(const std::vector<TextRun>& runs) {
  std::string out;
  for (const TextRun& run : runs) out += (run.subscript ? "_" : "") + run.text;
  return out;
}

std::span<const double> x_of(const Series& series, std::span<const double> x) {
  return series.x.empty() ? x : std::span<const double>(series.x);
}

/// The last value of a series, and whether the curve reaches the right side.
struct End {
  double y = 0;
  bool there = false;
  bool at_the_side = false;
};

End end_of(const Series& series, std::span<const double> x, const PanelBox& box) {
  for (std::size_t i = x.size(); i-- > 0;) {
    if (!std::isfinite(x[i]) || !std::isfinite(series.values[i])) continue;
    const Point p = box.place(x[i], series.values[i]);
    return {p.y, true, p.x >= box.left + box.width - 1};
  }
  return {box.top + box.height, false, false};
}

}  // namespace

void assign_looks(const Figure& figure, std::vector<PanelBox>& boxes) {
  std::map<std::string, std::size_t> known;
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    std::set<std::size_t> used;
    const std::vector<Series>& series = figure.panels[p].series;
    for (const Series& one : series)
      if (const auto found = known.find(one.name); found != known.end()) used.insert(found->second);
    std::set<std::size_t> taken;  // two of the same name in one panel still differ
    for (const Series& one : series) {
      const auto found = known.find(one.name);
      const bool again = found != known.end() && !taken.contains(found->second);
      std::size_t look = again ? found->second : 0;
      while (!again && used.contains(look)) ++look;
      used.insert(look);
      taken.insert(look);
      known.emplace(one.name, look);
      boxes[p].looks.push_back(look);
    }
  }
}

double wanted_legend_width(const Panel& panel) {
  double width = 0;
  for (const Series& series : panel.series)
    width = std::max(width, text_width(entry_label(panel, series), legend_size));
  return leader + swatch + swatch_gap + std::min(width, widest_name) + 4;
}

void draw_curves(std::size_t panel_index, const Panel& panel, std::span<const double> x, const PanelBox& box,
                 std::vector<Item>& items) {
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    items.emplace_back(Group{"curve", panel_index, s});
    const Stroke stroke = curve_stroke(box.looks[s]);
    const auto pieces = make_curve(x_of(panel.series[s], x), panel.series[s].values,
                                   [&box](double px, double py) { return box.place(px, py); });
    for (const std::vector<Point>& piece : pieces) {
      if (piece.size() == 1) {
        items.emplace_back(Disc{piece.front(), 2.2, stroke.paint});
      } else {
        items.emplace_back(Polyline{piece, stroke});
      }
    }
  }
}

void draw_legend(std::size_t panel_index, const Panel& panel, std::span<const double> x, const PanelBox& box,
                 double width, std::vector<Item>& items) {
  std::vector<End> ends;
  for (const Series& series : panel.series) ends.push_back(end_of(series, x_of(series, x), box));
  std::vector<std::size_t> order(ends.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Ends that cannot be told apart stand in the order of the series.
  std::stable_sort(order.begin(), order.end(), [&ends](std::size_t a, std::size_t b) {
    return std::round(ends[a].y) < std::round(ends[b].y);
  });
  std::vector<double> wanted;
  for (const std::size_t s : order) wanted.push_back(ends[s].y);
  const std::vector<double> at = spread(wanted, legend_spacing, box.top + 4, box.top + box.height - 4);
  const double right = box.left + box.width;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t s = order[i];
    const auto full = entry_label(panel, panel.series[s]);
    const double room = width - leader - swatch - swatch_gap;
    items.emplace_back(Group{"legend", panel_index, s, plain_text(full)});
    const Stroke stroke = curve_stroke(box.looks[s]);
    if (ends[s].at_the_side)
      items.emplace_back(Line{{right + 1, ends[s].y}, {right + leader, at[i]}, {stroke.paint, 0.6}});
    items.emplace_back(
        Line{{right + leader, at[i]}, {right + leader + swatch, at[i]}, {stroke.paint, 2.2, stroke.dashes}});
    items.emplace_back(Text{.at = {right + leader + swatch + swatch_gap, at[i] + 0.36 * legend_size},
                            .runs = shorten(full, legend_size, room),
                            .size = legend_size});
  }
}

/// Least squares under an order: with i * spacing taken off this is a monotone fit, solved by pooling
/// neighbours that violate it.
std::vector<double> spread(std::vector<double> wanted, double spacing, double low, double high) {
  struct Pool {
    double sum = 0;
    std::size_t count = 0;
    double mean() const { return sum / static_cast<double>(count); }
  };
  const std::size_t n = wanted.size();
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < n; ++i) {
    pools.push_back({wanted[i] - spacing * static_cast<double>(i), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  const double highest = std::max(low, high - spacing * (static_cast<double>(n) - 1));
  std::vector<double> out;
  for (const Pool& pool : pools) {
    for (std::size_t k = 0; k < pool.count; ++k)
      out.push_back(std::clamp(pool.mean(), low, highest) + spacing * static_cast<double>(out.size()));
  }
  return out;
}

}  // namespace liaison::plot
