#include "plot_marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "plot_text.hpp"

namespace liaison::plot {

namespace {

constexpr double mark_size = 9.5;
constexpr double widest_label = 200;
constexpr std::size_t most_rows = 2;

/// Each label into the first row with room; false if one found none.
bool place_labels(MarkStrip& strip, double low, double high) {
  std::array<double, most_rows> free{};
  bool all = true;
  strip.rows = 0;
  for (PlacedMark& mark : strip.marks) {
    mark.row.reset();
    mark.label_width = text_width(mark.label, mark_size);
    if (mark.label.empty()) continue;
    mark.label_left = std::clamp(mark.x - mark.label_width / 2, low, std::max(low, high - mark.label_width));
    for (std::size_t row = 0; row < most_rows && !mark.row; ++row) {
      if (mark.label_left < free[row]) continue;
      free[row] = mark.label_left + mark.label_width + 8;
      mark.row = row;
      strip.rows = std::max(strip.rows, row + 1);
    }
    all = all && mark.row;
  }
  return all;
}

void share_labels(MarkStrip& strip, const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> count;
  for (const std::string& name : names) ++count[name];
  for (std::size_t i = 0; i < strip.marks.size(); ++i) {
    std::size_t& number = count[names[i]];
    if (number == 0) strip.marks[i].label.clear();
    if (number > 1) strip.marks[i].label.push_back({" (" + std::to_string(number) + "×)"});
    number = 0;
  }
}

}  // namespace

MarkStrip place_marks(const Figure& figure, const PanelBox& box, double low, double high) {
  std::vector<const Mark*> inside;
  for (const Mark& mark : figure.marks) {
    const double at = box.x.position(mark.x);
    if (at >= 0 && at <= 1) inside.push_back(&mark);
  }
  std::stable_sort(inside.begin(), inside.end(), [](const Mark* a, const Mark* b) { return a->x < b->x; });
  MarkStrip strip;
  std::vector<std::string> names;
  for (const Mark* mark : inside) {
    const std::string when = plain_label(figure.x_label) + " = " + number_text(mark->x);
    strip.marks.push_back({box.left + box.width * box.x.position(mark->x),
                           mark->label.empty() ? when : plain_label(mark->label) + ", " + when,
                           shorten(make_label(mark->label), mark_size, widest_label)});
    names.push_back(mark->label);
  }
  if (!place_labels(strip, low, high)) {
    share_labels(strip, names);
    place_labels(strip, low, high);
  }
  return strip;
}

void draw_marks(const MarkStrip& strip, double strip_bottom, double top, double bottom,
                std::vector<Item>& items) {
  const auto base = [&](const PlacedMark& mark) {
    return strip_bottom - 3 - mark_row_height * static_cast<double>(*mark.row);
  };
  double previous = -1;
  for (const PlacedMark& mark : strip.marks) {
    if (!mark.row && std::abs(mark.x - previous) < 0.5) continue;  // one line hides the other
    previous = mark.x;
    items.emplace_back(Group{"mark", 0, 0, mark.note, mark.x});
    items.emplace_back(
        Line{{mark.x, mark.row ? base(mark) + 3 : top}, {mark.x, bottom}, {Paint::soft, 0.7, {2, 2.5}}});
  }
  // Labels on top of the lines that pass behind them.
  for (const PlacedMark& mark : strip.marks) {
    if (!mark.row) continue;
    items.emplace_back(Group{"mark", 0, 0, mark.note, mark.x});
    items.emplace_back(Rectangle{
        {mark.label_left - 2, base(mark) - mark_size + 1}, mark.label_width + 4, mark_row_height - 1});
    items.emplace_back(Text{.at = {mark.label_left + mark.label_width / 2, base(mark)},
                            .runs = mark.label,
                            .size = mark_size,
                            .anchor = Anchor::middle,
                            .paint = Paint::soft});
  }
  if (!strip.marks.empty()) items.emplace_back(Group{});
}

}  // namespace liaison::plot
