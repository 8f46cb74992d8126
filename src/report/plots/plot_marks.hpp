#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot_layout.hpp"

namespace liaison::plot {

/// A mark with its label, which stands above the first panel where there is room for it.
struct PlacedMark {
  double x = 0;
  std::string note;  ///< in full, with the time
  std::vector<TextRun> label;
  std::optional<std::size_t> row = {};  ///< of the label, from below
  double label_left = 0, label_width = 0;
};
struct MarkStrip {
  std::vector<PlacedMark> marks;  ///< by x
  std::size_t rows = 0;
};
constexpr double mark_row_height = 13;

/// Labels lie between `low` and `high`. Where they are too many, marks with the same label share one at the
/// first of them, with their number.
MarkStrip place_marks(const Figure& figure, const PanelBox& box, double low, double high);
/// Lines from `top` to `bottom`; labels from `strip_bottom` upwards.
void draw_marks(const MarkStrip& strip, double strip_bottom, double top, double bottom,
                std::vector<Item>& items);

}  // namespace liaison::plot
