#pragma once

#include <vector>

#include "liaison/report/plot.hpp"
#include "plot_axis.hpp"
#include "plot_scene.hpp"

namespace liaison::plot {

/// Where the data of a panel are drawn.
struct PanelBox {
  double left = 0, top = 0, width = 0, height = 0;
  Axis x, y;
  std::vector<std::size_t> looks;  ///< colour and dashes, by series

  Point place(double x_value, double y_value) const {
    return {left + width * x.position(x_value), top + height * (1 - y.position(y_value))};
  }
};

struct Layout {
  Scene scene;
  std::vector<PanelBox> boxes;  ///< one a panel
  double axis_at = 0;           ///< y from which the labels of x hang
};

constexpr double usual_plot_width = 560;

/// Groups of the scene: "curve" and "legend" of a series, "grid" and "ticks" of a panel, "mark", "span" of a
/// bar, and "" for everything else.
Layout make_layout(const Figure& figure, double plot_width = usual_plot_width);
/// For a small screen: as wide as this where there is room for a plot, with letters of the same size.
Layout make_narrow_layout(const Figure& figure, double width);

}  // namespace liaison::plot
