#ifndef LIAISON_REPORT_MAP_PLOT_HPP
#define LIAISON_REPORT_MAP_PLOT_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "liaison/report/plot.hpp"

/// Regions of a plane, or of a line, by what holds in each: a picture with a legend.
namespace liaison {

enum class RegionTone {
  calm,     ///< as it should be: blue, green
  twofold,  ///< two things at once: orange, purple
  bad,      ///< red
  due,      ///< grey
  empty,    ///< light grey
};
struct MapRegion {
  std::string name = {};
  RegionTone tone = RegionTone::calm;
};

/// Names of a model as in a figure.
struct MapAxis {
  std::string label = {};
  std::string unit = {};
  std::vector<double> values = {};  ///< of the grid, in order, up or down
};

/// A change between two neighbours of the grid.
struct MapCrossing {
  std::size_t axis = 0;      ///< along which
  std::size_t i = 0, j = 0;  ///< the grid point before it
  double value = 0;          ///< on that axis
  std::size_t after = 0;     ///< region behind it
};

struct RegionMap {
  std::string title = {};
  std::string subtitle = {};
  MapAxis x, y;  ///< y without values: a strip
  std::vector<MapRegion> regions = {};
  std::vector<std::size_t> at = {};  ///< region at (i, j): i + j * x.values.size()
  std::vector<MapCrossing> crossings = {};
};

/// Boundaries run straight from crossing to crossing. Throws missing_value where there is nothing to draw,
/// not_square where `at` has another size than the grid.
std::string render_map(const RegionMap& map, PlotFormat format);

}  // namespace liaison

#endif  // LIAISON_REPORT_MAP_PLOT_HPP
