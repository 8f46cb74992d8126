#pragma once

#include <vector>

#include "liaison/report/map_plot.hpp"
#include "plot_scene.hpp"

namespace liaison::plot {

/// A part of a region, in places of the grid.
struct RegionPiece {
  std::size_t region = 0;
  std::vector<Point> points;
};
struct Regions {
  std::vector<RegionPiece> pieces;
  std::vector<std::vector<Point>> boundaries;  ///< curves
};

/// In the values of the axes. In a cell with two crossings the boundary is straight between them; with more
/// it runs from each to their mean.
Regions find_regions(const RegionMap& map);
/// Of a map without y: from 0 to 1.
Regions find_strip(const RegionMap& map);

}  // namespace liaison::plot
