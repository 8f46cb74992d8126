#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "liaison/expr/error.hpp"
#include "liaison/report/trajectory_plot.hpp"
#include "plot_groups.hpp"

namespace liaison {

namespace {

using Columns = std::vector<const TrajectoryColumn*>;

/// Columns that may share a scale: the same unit, and none so small beside another that it looks flat.
std::vector<Columns> group_columns(const Columns& columns) {
  std::vector<std::string> units;
  for (const TrajectoryColumn* column : columns)
    if (std::find(units.begin(), units.end(), column->unit) == units.end()) units.push_back(column->unit);
  std::vector<Columns> groups;
  for (const std::string& unit : units) {
    Columns same;
    std::vector<const std::vector<double>*> values;
    for (const TrajectoryColumn* column : columns) {
      if (column->unit != unit) continue;
      same.push_back(column);
      values.push_back(&column->values);
    }
    for (const std::vector<std::size_t>& members : plot::group_by_magnitude(values)) {
      Columns group;
      for (const std::size_t member : members) group.push_back(same[member]);
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

Columns columns_of(const TrajectoryTable& table, ColumnKind kind) {
  Columns columns;
  for (const TrajectoryColumn& column : table.columns)
    if (column.kind == kind) columns.push_back(&column);
  return columns;
}

/// The names, where they are short; else what they are.
std::string scale_label(const Columns& columns, const std::string& what) {
  constexpr std::size_t room = 18;
  std::string names;
  for (const TrajectoryColumn* column : columns) names += (names.empty() ? "" : ", ") + column->name;
  return names.size() <= room ? names : what;
}

/// So many panels that none has more than `most` curves, all about the same number.
void add_panels(Figure& figure, const Columns& chosen, const std::string& title, const std::string& what,
                std::size_t most) {
  bool first = true;
  for (const Columns& group : group_columns(chosen)) {
    const std::size_t count = group.size();
    const std::size_t panels = (count + most - 1) / most;
    for (std::size_t p = 0; p < panels; ++p) {
      const Columns columns(group.begin() + static_cast<std::ptrdiff_t>(p * count / panels),
                            group.begin() + static_cast<std::ptrdiff_t>((p + 1) * count / panels));
      Panel panel{std::exchange(first, false) ? title : "", scale_label(columns, what), columns[0]->unit, {}};
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

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

/// (E - E0)/|E0|; where E0 is next to nothing beside the kinetic energy, the change as part of that.
Panel drift_panel(Series total, double largest_kinetic) {
  const auto first = std::find_if(total.values.begin(), total.values.end(),
                                  [](double value) { return std::isfinite(value); });
  const double start = first == total.values.end() ? 0 : *first;
  constexpr double enough = 1e-3;
  const bool by_start = std::abs(start) > enough * largest_kinetic;
  const double scale = by_start ? std::abs(start) : largest_kinetic;
  for (double& value : total.values) value = (value - start) / scale;
  total.name = by_start ? "(E − E₀)/|E₀|" : "(E − E₀)/max T";
  total.unit = "";
  return {"Energy balance, E = T + V", total.name, "", {total}};
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
    figure.panels.push_back(drift_panel(std::move(total), largest_of(kinetic->values)));
}

Columns chosen_columns(const TrajectoryTable& table, const std::vector<std::string>& names) {
  Columns chosen;
  for (const std::string& name : names) chosen.push_back(&find_column(table, name));
  return chosen;
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
  if (!options.columns.empty()) {
    add_panels(figure, chosen_columns(table, options.columns), "", "columns", most);
    return figure;
  }
  add_panels(figure, columns_of(table, ColumnKind::coordinate), "Coordinates", "coordinates", most);
  add_panels(figure, columns_of(table, ColumnKind::orientation), "Orientation", "angles", most);
  if (options.velocities)
    add_panels(figure, columns_of(table, ColumnKind::velocity), "Velocities", "velocities", most);
  add_panels(figure, columns_of(table, ColumnKind::multiplier), "Reactions", "reactions", most);
  add_energies(figure, table);
  add_panels(figure, columns_of(table, ColumnKind::output), "Outputs", "outputs", most);
  return figure;
}

}  // namespace liaison
