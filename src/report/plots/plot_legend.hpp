#pragma once

#include <span>
#include <vector>

#include "liaison/report/plot.hpp"
#include "plot_layout.hpp"

namespace liaison::plot {

constexpr double legend_spacing = 15;  ///< from one entry to the next, at least

/// A series has the look of its place in the panel, or the one it had in a panel before.
void assign_looks(const Figure& figure, std::vector<PanelBox>& boxes);
double wanted_legend_width(const Panel& panel);
void draw_curves(std::size_t panel_index, const Panel& panel, std::span<const double> x, const PanelBox& box,
                 std::vector<Item>& items);
/// To the right of the data: each entry as near as possible to where its curve ends, and tied to it.
void draw_legend(std::size_t panel_index, const Panel& panel, std::span<const double> x, const PanelBox& box,
                 double width, std::vector<Item>& items);

/// Places that keep their order, differ by at least `spacing`, lie between `low` and `high` where there is
/// room, and are as near as possible to those wanted, which are sorted.
std::vector<double> spread(std::vector<double> wanted, double spacing, double low, double high);

}  // namespace liaison::plot
