#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/report/trajectory_plot.hpp"

/// Columns of a trajectory: found by name, and angles made of quaternions.
namespace liaison {

namespace {

std::string hint_for(const TrajectoryTable& table, const std::string& name) {
  std::vector<std::string> names;
  for (const TrajectoryColumn& column : table.columns) names.push_back(column.name);
  if (const auto nearest = nearest_name(name, names)) return fmt::format("did you mean `{}`?", *nearest);
  std::string all;
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(table.columns.size(), most); ++i)
    all += (i > 0 ? ", " : "") + table.columns[i].name;
  return "the columns are " + all + (table.columns.size() > most ? ", ..." : "");
}

}  // namespace

const TrajectoryColumn& find_column(const TrajectoryTable& table, const std::string& name) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const TrajectoryColumn& column) { return column.name == name; });
  if (found == table.columns.end())
    throw Error(ErrorCode::missing_value, fmt::format("the run has no column `{}`", name),
                hint_for(table, name));
  return *found;
}

/// R = R(e) of a unit quaternion; its third row and first column.
Orientation orientation_of(const std::array<const std::vector<double>*, 4>& quaternion) {
  Orientation result;
  double turns = 0, before = 0;
  bool begun = false;
  for (std::size_t i = 0; i < quaternion[0]->size(); ++i) {
    const double e0 = (*quaternion[0])[i], e1 = (*quaternion[1])[i], e2 = (*quaternion[2])[i],
                 e3 = (*quaternion[3])[i];
    const double r33 = e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3;
    result.tilt.push_back(std::atan2(2 * std::hypot(e1 * e3 + e0 * e2, e2 * e3 - e0 * e1), r33));
    const double heading = std::atan2(2 * (e1 * e2 + e0 * e3), e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3);
    if (!std::isfinite(heading)) {
      result.heading.push_back(heading);
      continue;
    }
    if (begun) turns -= std::round((heading - before) / (2 * std::numbers::pi));
    before = heading;
    begun = true;
    result.heading.push_back(heading + 2 * std::numbers::pi * turns);
  }
  return result;
}

}  // namespace liaison
