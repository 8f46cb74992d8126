#ifndef LIAISON_REPORT_TRAJECTORY_PLOT_HPP
#define LIAISON_REPORT_TRAJECTORY_PLOT_HPP

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "liaison/report/plot.hpp"

/// Trajectories as figures.
namespace liaison {

enum class ColumnKind {
  coordinate,
  quaternion,   ///< drawn only where it is chosen by name
  orientation,  ///< angles made of quaternions
  velocity,
  multiplier,  ///< named lambda(NAME)
  kinetic,     ///< T
  potential,   ///< V
  output,
};
struct TrajectoryColumn {
  std::string name = {};
  ColumnKind kind = ColumnKind::output;
  std::string unit = {};
  std::vector<double> values = {};
};
/// Column by column.
struct TrajectoryTable {
  std::string title = {};
  std::string subtitle = {};
  std::string time_unit = {};
  std::vector<double> t = {};
  std::vector<TrajectoryColumn> columns = {};
  std::vector<Mark> events = {};
  std::vector<ModeBar> contacts = {};
};

/// What a rotation looks like, from its unit quaternions, which take body axes to space axes.
struct Orientation {
  std::vector<double> tilt;     ///< of the third axis of the body against that of space, in [0, pi]
  std::vector<double> heading;  ///< of the first axis of the body about the third of space, without jumps
};
Orientation orientation_of(const std::array<const std::vector<double>*, 4>& quaternion);

struct TrajectoryPlotOptions {
  std::vector<std::string> columns = {};  ///< these alone, in this order; empty: all that belongs to a motion
  bool velocities = true;
  std::size_t series_per_panel = 6;
};
/// Panels for coordinates, orientations, velocities, reactions, energies T, V, T + V, and outputs; in one
/// panel one unit, and no curve that is flat beside another. Where T + V changes by less than can be seen
/// beside T and V its drift has a panel as well. Throws missing_value for a column that the table has not.
Figure make_trajectory_figure(const TrajectoryTable& table, const TrajectoryPlotOptions& options = {});

/// By its name as in the header of the rows; throws missing_value with the nearest ones as hint.
const TrajectoryColumn& find_column(const TrajectoryTable& table, const std::string& name);

}  // namespace liaison

#endif  // LIAISON_REPORT_TRAJECTORY_PLOT_HPP
