#include "trajectory_plot.hpp"

#include <algorithm>

namespace liaison::cli {

namespace {

/// The unit of the coordinate behind a symbol of the state; "" if it has none.
std::string unit_of(const System& system, Expr symbol, bool velocity) {
  for (const Direction& direction : system.directions) {
    if (!direction.unit || (velocity ? direction.velocity : direction.coordinate) != symbol) continue;
    return direction.unit->text + (velocity ? "/s" : "");
  }
  return {};
}

bool has_units(const System& system) {
  return std::any_of(system.directions.begin(), system.directions.end(),
                     [](const Direction& direction) { return direction.unit.has_value(); }) ||
         std::any_of(system.parameters.begin(), system.parameters.end(),
                     [](const Parameter& parameter) { return parameter.unit.has_value(); });
}

std::vector<ModeBar> bars_of(const SimulationResult& result, const std::vector<std::string>& contacts) {
  std::vector<ModeBar> bars;
  for (const std::string& name : contacts) bars.push_back({name, {}, {}});
  for (const ContactSpan& span : result.contact_spans)
    bars[span.contact].spans.push_back({span.begin, span.end, span.mode});
  for (const ImpactRecord& impact : result.impacts) {
    for (const std::size_t contact : impact.contacts) bars[contact].ticks.push_back(impact.t);
  }
  return bars;
}

}  // namespace

Figure figure_of(const AssembledEquations& equations, const Observations& observations, const RowTable& rows,
                 const SimulationResult& result, const std::vector<std::string>& contacts,
                 const std::string& subtitle) {
  const System& system = *equations.system;
  const bool units = has_units(system);
  TrajectoryTable table;
  table.title = system.name;
  table.subtitle = subtitle;
  table.time_unit = units ? "s" : "";
  for (const std::vector<double>& row : rows.rows) table.t.push_back(row.front());
  std::size_t column = 1;
  const auto add = [&](ColumnKind kind, const std::string& unit) {
    TrajectoryColumn next{rows.columns[column], kind, unit, {}};
    for (const std::vector<double>& row : rows.rows) next.values.push_back(row[column]);
    table.columns.push_back(std::move(next));
    ++column;
  };
  const std::size_t coordinates = equations.positions.size() - 4 * system.rotations.size();
  for (std::size_t i = 0; i < coordinates; ++i)
    add(ColumnKind::coordinate, unit_of(system, equations.positions[i], false));
  for (Expr parameter : equations.parameters) add(ColumnKind::velocity, unit_of(system, parameter, true));
  for (std::size_t i = coordinates; i < equations.positions.size(); ++i) add(ColumnKind::coordinate, "");
  for (std::size_t h = 0; h < equations.names.size(); ++h) add(ColumnKind::multiplier, "");
  add(ColumnKind::kinetic, units ? "J" : "");
  add(ColumnKind::potential, units ? "J" : "");
  for (std::size_t i = 0; i < observations.output_names.size(); ++i) add(ColumnKind::output, "");
  for (const EventRecord& record : result.events)
    table.events.push_back({record.t, system.events[record.event].name});
  table.contacts = bars_of(result, contacts);
  return make_trajectory_figure(table);
}

}  // namespace liaison::cli
