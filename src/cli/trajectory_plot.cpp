#include "trajectory_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "liaison/expr/error.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/message.hpp"
#include "liaison/model/dimension_of.hpp"
#include "liaison/report/plane_plot.hpp"
#include "liaison/report/trajectory_plot.hpp"
#include "liaison/simulate/output_file.hpp"
#include "problems.hpp"

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

[[noreturn]] void refuse_plot(const std::string& option, const std::string& message,
                              const std::string& hint) {
  refuse(Status::bad_input, option, Problem::bad_usage, message, hint);
}

/// "a, b" as two names without blanks around them.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names(1);
  int open = 0;  // a comma inside brackets belongs to a name
  for (const char c : text) {
    if (c == '(') ++open;
    if (c == ')') --open;
    if (c == ',' && open == 0) {
      names.emplace_back();
    } else if (c != ' ') {
      names.back() += c;
    }
  }
  return names;
}

/// Where a message of a figure belongs: the option that asked for it.
template <class Make>
decltype(auto) with_refusals(const std::string& option, Make make) {
  try {
    return make();
  } catch (const Error& error) {
    refuse_plot(option, error.what(), error.hint());
  }
}

class RunTable {
 public:
  explicit RunTable(const DrawnRun& run)
      : run_(run), system_(*run.equations->system), units_(has_units(system_)) {}

  TrajectoryTable make() {
    const std::vector<std::vector<double>>& rows = run_.rows->rows;
    table_.title = system_.name;
    table_.subtitle = run_.subtitle;
    table_.time_unit = units_ ? "s" : "";
    for (const std::vector<double>& row : rows) table_.t.push_back(row.front());
    const AssembledEquations& equations = *run_.equations;
    const std::size_t coordinates = equations.positions.size() - 4 * system_.rotations.size();
    for (std::size_t i = 0; i < coordinates; ++i)
      add(ColumnKind::coordinate, unit_of(system_, equations.positions[i], false));
    for (Expr parameter : equations.parameters) add(ColumnKind::velocity, unit_of(system_, parameter, true));
    for (std::size_t i = coordinates; i < equations.positions.size(); ++i) add(ColumnKind::quaternion, "");
    for (std::size_t h = 0; h < equations.names.size(); ++h)
      add(ColumnKind::multiplier, units_ ? unit_of_factor(system_, equations.names[h], run_.dimensions) : "");
    add(ColumnKind::kinetic, units_ ? "J" : "");
    add(ColumnKind::potential, units_ ? "J" : "");
    for (const std::string& name : run_.observations->output_names)
      add(ColumnKind::output, units_ ? unit_of_output(name) : "");
    add_orientations();
    for (const EventRecord& record : run_.result->events)
      table_.events.push_back({record.t, system_.events[record.event].name});
    table_.contacts = bars_of(*run_.result, run_.contacts);
    return std::move(table_);
  }

 private:
  void add(ColumnKind kind, const std::string& unit) {
    TrajectoryColumn next{run_.rows->columns[column_], kind, unit, {}};
    for (const std::vector<double>& row : run_.rows->rows) next.values.push_back(row[column_]);
    table_.columns.push_back(std::move(next));
    ++column_;
  }

  std::string unit_of_output(const std::string& name) const {
    for (const Output& output : system_.outputs)
      if (output.name == name) return liaison::unit_of_output(system_, output, run_.dimensions);
    return {};
  }

  /// In place of quaternions, which nobody reads.
  void add_orientations() {
    std::vector<TrajectoryColumn> added;
    for (const Rotation& rotation : system_.rotations) {
      std::array<const std::vector<double>*, 4> parts{};
      for (std::size_t k = 0; k < 4; ++k)
        parts[k] = &find_column(table_, rotation.quaternion[k].symbol().name).values;
      Orientation angles = orientation_of(parts);
      const auto name = [&](const std::string& what) {
        return rotation.name.empty() ? what : fmt::format("{}({})", what, rotation.name);
      };
      added.push_back({name("tilt"), ColumnKind::orientation, "rad", std::move(angles.tilt)});
      added.push_back({name("heading"), ColumnKind::orientation, "rad", std::move(angles.heading)});
    }
    table_.columns.insert(table_.columns.end(), std::make_move_iterator(added.begin()),
                          std::make_move_iterator(added.end()));
  }

  const DrawnRun& run_;
  const System& system_;
  bool units_;
  TrajectoryTable table_;
  std::size_t column_ = 1;
};

/// Curves of the same names from earlier runs, over their own times.
RowTable rows_to_compare(const std::string& file) {
  const char* hint = "name a file that -o FILE.csv wrote";
  try {
    RowTable rows = read_trajectory(file);
    if (rows.rows.empty()) refuse_plot("--compare", fmt::format("{} has no rows", file), hint);
    return rows;
  } catch (const FileProblem& problem) {
    refuse_plot("--compare", fmt::format("{} cannot be read: {}", file, problem.reason), hint);
  }
}

void add_earlier_runs(Figure& figure, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const RowTable rows = rows_to_compare(file);
    const std::string label = std::filesystem::path(file).stem().string();
    bool any = false;
    for (Panel& panel : figure.panels) {
      const std::size_t own = panel.series.size();
      for (std::size_t s = 0; s < own; ++s) {
        const auto found = std::find(rows.columns.begin(), rows.columns.end(), panel.series[s].name);
        if (found == rows.columns.end()) continue;
        any = true;
        Series other{fmt::format("{} ({})", panel.series[s].name, label), panel.series[s].unit, {}, {}};
        const auto column = static_cast<std::size_t>(found - rows.columns.begin());
        for (const std::vector<double>& row : rows.rows) {
          other.x.push_back(row.front());
          other.values.push_back(row[column]);
        }
        if (!other.x.empty()) panel.series.push_back(std::move(other));
      }
    }
    if (!any)
      refuse_plot("--compare", fmt::format("{} has none of the columns that are drawn", file),
                  "name the rows of a run of the same model");
  }
}

struct Section {
  std::size_t equals = 0, end = 0;  ///< of the equation in the text
  Passage kind = Passage::rising;
};

/// "x' = 0, falling"
Section section_in(const std::string& text) {
  Section section{text.find('='), text.size()};
  if (section.equals == std::string::npos)
    refuse_plot("--section", "a section is an equation",
                "--section \"x' = 0\"; \", falling\" behind it turns it");
  int open = 0;  // a comma inside brackets belongs to the equation
  for (std::size_t i = 0; i < text.size() && section.end == text.size(); ++i) {
    open += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] == ',' && open == 0) section.end = i;
  }
  if (section.end == text.size()) return section;
  const std::vector<std::string> words = names_in(text.substr(section.end + 1));
  for (const auto& [word, kind] :
       {std::pair{"rising", Passage::rising}, std::pair{"falling", Passage::falling},
        std::pair{"either", Passage::either}}) {
    section.kind = kind;
    if (section.equals < section.end && words == std::vector<std::string>{word}) return section;
  }
  refuse_plot("--section", fmt::format("`{}` is no direction", fmt::join(words, ", ")),
              "write rising, falling or either behind the comma, or nothing");
}

/// Left side minus right side.
Expr value_of(const Section& section, const std::string& text, Pool& pool) {
  const Source source("--section", text);
  const auto side = [&](std::size_t begin, std::size_t end) {
    const ParsedExpression parsed =
        parse_expression(pool, source, Span{begin, end}, {.declare_unknown = true});
    if (!parsed.diagnostics.empty()) refuse_text(parsed.diagnostics, source);
    return parsed.value;
  };
  const Expr left = side(0, section.equals);
  return left - side(section.equals + 1, section.end);
}

/// Its value in each row.
std::vector<double> along_rows(const DrawnRun& run, const TrajectoryTable& table, Expr value) {
  const System& system = *run.equations->system;
  DoublePoint point = run.values;
  std::vector<std::pair<Expr, const std::vector<double>*>> inputs{{system.time, &table.t}};
  for (Expr symbol : symbols_in(value)) {
    const std::string& name = symbol.symbol().name;
    if (symbol == system.time ||
        (point.contains(symbol) &&
         std::none_of(table.columns.begin(), table.columns.end(),
                      [&](const TrajectoryColumn& column) { return column.name == name; })))
      continue;
    inputs.emplace_back(symbol, &with_refusals("--section", [&]() -> const TrajectoryColumn& {
                                   return find_column(table, name);
                                 }).values);
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < table.t.size(); ++i) {
    for (const auto& [symbol, values] : inputs) point[symbol] = (*values)[i];
    const Expr asked[] = {value};
    const DoubleValues found = evaluate(asked, point);
    result.push_back(found.status == EvaluationStatus::ok ? found.values[0] : NAN);
  }
  return result;
}

/// The two columns of a picture without time: of --xy, or a coordinate and its velocity.
std::vector<std::string> plane_of(const SimulateOptions& options) {
  if (!options.phase.empty()) return {options.phase, options.phase + "'"};
  return options.xy.empty() ? std::vector<std::string>{} : names_in(options.xy);
}

bool may_share_scale(const TrajectoryColumn& x, const TrajectoryColumn& y) {
  const auto is_place = [](const TrajectoryColumn& column) {
    return column.kind == ColumnKind::coordinate || column.kind == ColumnKind::output;
  };
  if (x.unit != y.unit) return false;
  if (x.unit.empty()) return x.kind == y.kind && (is_place(x) || x.kind == ColumnKind::velocity);
  return (is_place(x) && is_place(y)) || x.kind == y.kind;
}

/// Neither is a stroke; what is rounding beside the other is drawn as nothing.
bool are_alike(const std::vector<PlaneCurve>& curves) {
  constexpr double most = 4, rounding = 1e-9;
  const auto extent = [&](std::vector<double> PlaneCurve::* values) {
    double low = INFINITY, high = -INFINITY;
    for (const PlaneCurve& curve : curves)
      for (const double value : curve.*values)
        if (std::isfinite(value)) {
          low = std::min(low, value);
          high = std::max(high, value);
        }
    return std::max(0.0, high - low);
  };
  const double x = extent(&PlaneCurve::x), y = extent(&PlaneCurve::y);
  const double small = std::min(x, y), large = std::max(x, y);
  return small * most >= large || small <= rounding * large;
}

void require_velocity_of(const TrajectoryColumn& x, const TrajectoryTable& table) {
  const auto has = [&](const std::string& name) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [&](const TrajectoryColumn& column) { return column.name == name; });
  };
  if (has(x.name + "'")) return;
  std::vector<std::string> coordinates;
  for (const TrajectoryColumn& column : table.columns)
    if (has(column.name + "'")) coordinates.push_back(column.name);
  const std::string other = fmt::format(
      "--xy \"{}, {}\" draws any two columns", x.name,
      table.columns.empty() || table.columns.front().name == x.name ? "T" : table.columns.front().name);
  refuse_plot(
      "--phase", fmt::format("the run has no column `{}'`: a phase is of a coordinate", x.name),
      coordinates.empty() ? other : fmt::format("--phase {}; {}", fmt::join(coordinates, ", "), other));
}

PlaneFigure plane_figure(const DrawnRun& run, const SimulateOptions& options, const TrajectoryTable& table) {
  const std::vector<std::string> names = plane_of(options);
  const std::string option = options.phase.empty() ? "--xy" : "--phase";
  const auto column = [&](std::size_t i) -> const TrajectoryColumn& {
    return with_refusals(option, [&]() -> const TrajectoryColumn& { return find_column(table, names[i]); });
  };
  if (!options.phase.empty()) require_velocity_of(column(0), table);
  const TrajectoryColumn &x = column(0), &y = column(1);
  PlaneFigure figure{.title = table.title,
                     .subtitle = table.subtitle,
                     .x = {x.name, x.unit},
                     .y = {y.name, y.unit},
                     .curves = {},
                     .dots = !options.section.empty(),
                     .same_scale = false};
  if (options.section.empty()) {
    figure.curves.push_back({"this run", x.values, y.values});
    for (const std::string& file : options.compare) {
      const RowTable rows = rows_to_compare(file);
      PlaneCurve other{std::filesystem::path(file).stem().string(), {}, {}};
      for (const auto& [name, values] : {std::pair{&x.name, &other.x}, std::pair{&y.name, &other.y}}) {
        const auto found = std::find(rows.columns.begin(), rows.columns.end(), *name);
        if (found == rows.columns.end())
          refuse_plot("--compare", fmt::format("{} has no column `{}`", file, *name),
                      "name the rows of a run of the same model");
        for (const std::vector<double>& row : rows.rows)
          values->push_back(row[static_cast<std::size_t>(found - rows.columns.begin())]);
      }
      figure.curves.push_back(std::move(other));
    }
    figure.same_scale = options.phase.empty() && may_share_scale(x, y) && are_alike(figure.curves);
    return figure;
  }
  const Section section = section_in(options.section);
  const Expr value = value_of(section, options.section, *run.equations->system->pool);
  const std::vector<double> times = crossings(table.t, along_rows(run, table, value), section.kind);
  if (times.empty())
    refuse_plot("--section", fmt::format("the run never goes through {}", options.section),
                "run until a later time; `, either` behind the equation takes both directions");
  figure.subtitle += fmt::format("{}section {}: {} points", figure.subtitle.empty() ? "" : "; ",
                                 options.section, times.size());
  figure.curves.push_back({"", sampled_at(table.t, x.values, times), sampled_at(table.t, y.values, times)});
  return figure;
}

}  // namespace

void check_plots(const SimulateOptions& options) {
  const auto require_plot = [&](bool given, const char* option) {
    if (given && options.plots.empty())
      refuse_plot(option, "there is no plot", "--plot run.svg, run.png or run.html names its file");
  };
  require_plot(!options.columns.empty(), "--columns");
  require_plot(!options.xy.empty(), "--xy");
  require_plot(!options.phase.empty(), "--phase");
  require_plot(!options.section.empty(), "--section");
  require_plot(!options.compare.empty(), "--compare");
  const auto require_names = [](const std::string& text, const char* option) {
    const std::vector<std::string> names = names_in(text);
    if (!text.empty() && std::any_of(names.begin(), names.end(), [](const auto& one) { return one.empty(); }))
      refuse_plot(option, "the name of a column is missing", "names stand with commas between them");
  };
  require_names(options.columns, "--columns");
  require_names(options.xy, "--xy");
  require_names(options.phase, "--phase");
  for (const std::string& file : options.compare) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
      refuse_plot("--compare", fmt::format("{} cannot be read", file), "name a file that -o FILE.csv wrote");
    if (is_same_file(file, options.output))
      refuse_plot("--compare", fmt::format("{} is written by this run", file),
                  "-o names another file; or keep the earlier run under another name");
  }
  const int kinds =
      (options.columns.empty() ? 0 : 1) + (options.xy.empty() ? 0 : 1) + (options.phase.empty() ? 0 : 1);
  if (kinds > 1)
    refuse_plot("--plot", "--columns, --xy and --phase are three kinds of picture", "give one of them");
  if (!options.section.empty() && plane_of(options).empty())
    refuse_plot("--section", "a section is drawn in a plane", "add --xy \"x, y\" or --phase x");
  if (!options.section.empty()) section_in(options.section);
  if (!options.xy.empty() && names_in(options.xy).size() != 2)
    refuse_plot("--xy", "a plane has two columns", "--xy \"x, y\"");
  if (!options.section.empty() && !options.compare.empty())
    refuse_plot("--compare", "a section is drawn of one run", "leave --compare or --section away");
}

std::string render_run(const DrawnRun& run, const SimulateOptions& options, PlotFormat format) {
  const TrajectoryTable table = RunTable(run).make();
  if (!plane_of(options).empty()) {
    const PlaneFigure figure = plane_figure(run, options, table);
    return with_refusals("--plot", [&] { return render_plane(figure, format); });
  }
  const std::vector<std::string> columns =
      options.columns.empty() ? std::vector<std::string>{} : names_in(options.columns);
  Figure figure =
      with_refusals("--columns", [&] { return make_trajectory_figure(table, {.columns = columns}); });
  add_earlier_runs(figure, options.compare);
  return with_refusals("--plot", [&] { return render_plot(figure, format); });
}

}  // namespace liaison::cli
