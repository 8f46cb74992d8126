#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "liaison/report/plot.hpp"

namespace liaison {

namespace {

/// A column as it may be drawn: the same unit, the same panel.
struct UnitGroup {
  std::string unit;
  std::vector<const TrajectoryColumn*> columns;
};

std::vector<UnitGroup> group_by_unit(const TrajectoryTable& table, ColumnKind kind) {
  std::vector<UnitGroup> groups;
  for (const TrajectoryColumn& column : table.columns) {
    if (column.kind != kind) continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&column](const UnitGroup& g) { return g.unit == column.unit; });
    if (group == groups.end()) group = groups.insert(groups.end(), {column.unit, {}});
    group->columns.push_back(&column);
  }
  return groups;
}

/// The names, where they are short; else what they are.
std::string scale_label(const std::vector<const TrajectoryColumn*>& columns, const std::string& what) {
  constexpr std::size_t room = 18;
  std::string names;
  for (const TrajectoryColumn* column : columns) names += (names.empty() ? "" : ", ") + column->name;
  return names.size() <= room ? names : what;
}

/// So many panels that none has more than `most` curves, all about the same number.
void add_panels(Figure& figure, const TrajectoryTable& table, ColumnKind kind, const std::string& title,
                const std::string& what, std::size_t most) {
  const std::vector<UnitGroup> groups = group_by_unit(table, kind);
  bool first = true;
  for (const UnitGroup& group : groups) {
    const std::size_t count = group.columns.size();
    const std::size_t panels = (count + most - 1) / most;
    for (std::size_t p = 0; p < panels; ++p) {
      const std::vector<const TrajectoryColumn*> columns(
          group.columns.begin() + static_cast<std::ptrdiff_t>(p * count / panels),
          group.columns.begin() + static_cast<std::ptrdiff_t>((p + 1) * count / panels));
      Panel panel{std::exchange(first, false) ? title : "", scale_label(columns, what), group.unit, {}};
      for (const TrajectoryColumn* column : columns)
        panel.series.push_back({column->name, column->unit, column->values});
      figure.panels.push_back(std::move(panel));
    }
  }
}

const TrajectoryColumn* find(const TrajectoryTable& table, ColumnKind kind) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [kind](const TrajectoryColumn& c) { return c.kind == kind; });
  return found == table.columns.end() ? nullptr : &*found;
}

/// Largest less smallest of the finite values.
double extent(const std::vector<double>& values) {
  double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }
  return smallest <= largest ? largest - smallest : 0;
}

void add_energies(Figure& figure, const TrajectoryTable& table) {
  const TrajectoryColumn* kinetic = find(table, ColumnKind::kinetic);
  const TrajectoryColumn* potential = find(table, ColumnKind::potential);
  if (kinetic == nullptr && potential == nullptr) return;
  const std::string unit = kinetic != nullptr ? kinetic->unit : potential->unit;
  Panel panel{"Energy", "energy", unit, {}};
  for (const TrajectoryColumn* column : {kinetic, potential})
    if (column != nullptr) panel.series.push_back({column->name, column->unit, column->values});
  if (panel.series.size() < 2 || kinetic->values.size() != potential->values.size()) {
    figure.panels.push_back(std::move(panel));
    return;
  }
  Series total{kinetic->name + " + " + potential->name, unit, kinetic->values};
  for (std::size_t i = 0; i < total.values.size(); ++i) total.values[i] += potential->values[i];
  const double change = extent(total.values);
  const double scale = std::max(extent(kinetic->values), extent(potential->values));
  panel.series.push_back(total);
  figure.panels.push_back(std::move(panel));
  // Too little to be seen beside the others: on a scale of its own.
  constexpr double visible = 0.02;
  if (change > 0 && change < visible * scale)
    figure.panels.push_back({"Energy balance", total.name, unit, {total}});
}

}  // namespace

Figure make_trajectory_figure(const TrajectoryTable& table, const TrajectoryPlotOptions& options) {
  Figure figure{.title = table.title,
                .subtitle = table.subtitle,
                .x_label = "t",
                .x_unit = table.time_unit,
                .x = table.t,
                .panels = {},
                .marks = table.events,
                .bars = table.contacts};
  const std::size_t most = std::max<std::size_t>(1, options.series_per_panel);
  add_panels(figure, table, ColumnKind::coordinate, "Coordinates", "coordinates", most);
  if (options.velocities) add_panels(figure, table, ColumnKind::velocity, "Velocities", "velocities", most);
  add_panels(figure, table, ColumnKind::multiplier, "Reactions", "reactions", most);
  add_energies(figure, table);
  add_panels(figure, table, ColumnKind::output, "Outputs", "outputs", most);
  return figure;
}

}  // namespace liaison
