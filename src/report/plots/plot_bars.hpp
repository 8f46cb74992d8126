#pragma once

#include <vector>

#include "liaison/report/plot.hpp"
#include "plot_layout.hpp"

namespace liaison::plot {

/// Bars of modes over the same x as the panels, one below the other.
struct BarStrip {
  std::vector<const ModeBar*> bars;  ///< that are drawn
  std::vector<std::string> modes;    ///< in the order of the legend
  bool has_ticks = false;
  std::size_t left_out = 0;  ///< too many to be told apart
};
BarStrip choose_bars(const Figure& figure);

double bars_height(const BarStrip& strip);  ///< of the bars, without a title
double bars_legend_height(const BarStrip& strip);
double bar_names_width(const BarStrip& strip);
double bars_legend_width(const BarStrip& strip);
/// From `top` on, over the x of the box.
void draw_bars(const BarStrip& strip, const std::string& x_label, const PanelBox& box, double top,
               std::vector<Item>& items);

}  // namespace liaison::plot
