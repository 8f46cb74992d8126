#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/mechanism/stability.hpp"
#include "liaison/report/map_plot.hpp"
#include "model_file.hpp"
#include "outputs.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

constexpr std::size_t longest = 300;  ///< characters of a formula that is still read

/// Before work begins: what would be written, and where.
void require_chart_outputs(const StabilityOptions& options) {
  std::vector<std::string> outputs = options.plots;
  if (!options.output.empty()) outputs.push_back(options.output);
  if (options.scan.empty() && !outputs.empty())
    refuse(Status::bad_input, outputs[0], Problem::bad_usage, "a file is written of a chart",
           "--scan \"v = 0:10:101\" makes one");
  for (const std::string& plot : options.plots) {
    if (!plot_format(plot))
      refuse(Status::bad_input, plot, Problem::bad_usage, "a plot ends in .svg, .png or .html",
             "--plot chart.svg");
  }
  if (!options.output.empty() && !options.output.ends_with(".csv"))
    refuse(Status::bad_input, options.output, Problem::bad_usage, "points are written as .csv",
           "-o chart.csv");
  require_outputs(options.model, outputs);
}

std::string names_of(const std::vector<Expr>& symbols) {
  std::string text;
  for (Expr symbol : symbols) text += (text.empty() ? "" : ", ") + to_infix(symbol);
  return text;
}

/// In a letter that the model does not have.
std::string polynomial_in_words(const System& system, const std::vector<Expr>& coefficients) {
  std::string text, x = "s";
  while (!system.pool->find_symbol(x).empty()) x += "_";
  for (std::size_t k = coefficients.size(); k-- > 0;) {
    if (coefficients[k].is_zero()) continue;
    const std::string power = k == 0 ? "" : k == 1 ? x : fmt::format("{}^{}", x, k);
    const std::string factor = to_infix(coefficients[k]);
    const bool is_one = coefficients[k].is_one() && k > 0;
    text += (text.empty() ? "" : " + ") +
            (is_one   ? ""
             : k == 0 ? "(" + factor + ")"
                      : "(" + factor + ")*") +
            power;
  }
  return text;
}

std::string verdict_in_words(const StabilityAnswer& answer) {
  const std::string kind = text_of(answer.sides);
  if (!answer.sides)
    return kind + ": an enclosure reaches the imaginary axis, or something that is divided by may vanish";
  const std::string how = word_for(answer.motion.grade);
  if (answer.sides->right > 0 || answer.sides->axis == 0)
    return fmt::format("{} (Lyapunov's first method; {})", kind, how);
  return fmt::format("{} ({}): the linear equations do not decide", kind, how);
}

void print_eigenvalues(const std::vector<Eigenvalue>& eigenvalues) {
  if (eigenvalues.empty()) fmt::print("    not enclosed: some are too near to each other\n");
  for (const Eigenvalue& value : eigenvalues) {
    const auto shown = [](const Ball& ball) {
      return ball.contains_zero() && ball.rad() < 1e-9 ? std::string("0")
                                                       : fmt::format("{:.10g}", ball.mid());
    };
    if (value.im.contains_zero()) {
      fmt::print("    {}\n", shown(value.re));
    } else if (value.im.is_positive()) {
      fmt::print("    {} +- {} i\n", shown(value.re), shown(value.im));
    }
  }
}

void print_chart(const StabilityChart& chart) {
  std::vector<std::size_t> counts(chart.kinds.size(), 0);
  for (const std::size_t kind : chart.at) ++counts[kind];
  fmt::print("\n  {:>9}  over", "points");
  for (std::size_t k = 0; k < chart.ranges.size(); ++k) {
    const ScanRange& range = chart.ranges[k];
    fmt::print("{} {} from {:.9g} to {:.9g}", k == 0 ? "" : ",", range.name(), range.begin, range.end);
  }
  fmt::print("\n");
  for (std::size_t k = 0; k < counts.size(); ++k)
    fmt::print("  {:>9}  {}{}\n", counts[k], text_of(chart.kinds[k]),
               counts[k] == 0 ? " (between points)" : "");
  if (chart.ranges.size() == 2) {
    fmt::print("\n  {} points of boundaries between neighbours of the grid, by halving\n",
               chart.boundaries.size());
    return;
  }
  fmt::print("  between two points of the grid there may be other kinds\n");
  for (const StabilityBoundary& boundary : chart.boundaries)
    fmt::print("\n  at {} = {:.12g}\n    from {}\n    to   {}\n", chart.ranges[0].name(),
               boundary.after.to_double(), text_of(chart.kinds[boundary.kind_before]),
               text_of(chart.kinds[boundary.kind_after]));
}

void print_answer(const System& system, const StabilityAnswer& answer) {
  const SteadyMotion& motion = answer.motion;
  if (!system.name.empty()) fmt::print("{}\n\n", system.name);
  fmt::print("  small deviations of {}\n", names_of(motion.variables));
  if (!motion.ignored.empty()) fmt::print("  any value of {}\n", names_of(motion.ignored));
  const auto shown = [](const std::string& text) {
    return text.size() > longest ? std::string("(long: --json has it)") : text;
  };
  fmt::print("\n  characteristic polynomial{}\n    {}\n",
             motion.for_values ? ", for the parameters as given" : "",
             shown(polynomial_in_words(system, motion.polynomial)));
  if (!motion.hurwitz.empty()) {
    fmt::print("  all roots{} on the left exactly where these are positive (Hurwitz)\n",
               motion.zeros > 0 ? fmt::format(" but {} that are zero", motion.zeros) : "");
    for (Expr determinant : motion.hurwitz) fmt::print("    {}\n", shown(to_infix(determinant)));
  }
  if (!motion.conditions.empty()) {
    fmt::print("  where these are not zero\n");
    for (Expr condition : motion.conditions) fmt::print("    {}\n", shown(to_infix(condition)));
  }
  if (!motion.left_out.empty())
    fmt::print(
        "  outputs with positions that the motion ignores, with the time or without a closed form, left out: "
        "{}\n",
        fmt::join(motion.left_out, ", "));
  fmt::print("\n  eigenvalues for the values as given\n");
  print_eigenvalues(answer.eigenvalues);
  fmt::print("  {}\n", verdict_in_words(answer));
  if (answer.has_energy_minimum)
    fmt::print("  stable: the energy is kept and has a strict minimum there (Lagrange, Dirichlet; proved)\n");
  if (answer.chart) print_chart(*answer.chart);
}

Json matrix_of(const Matrix& matrix, const Matrix& valued) {
  Json exact = Json::array(), numbers = Json::array();
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    Json texts = Json::array(), row = Json::array();
    for (std::size_t j = 0; j < matrix.columns; ++j) {
      texts.push_back(to_infix(matrix(i, j)));
      const Expr entry[] = {valued(i, j)};
      const BallValues at = evaluate_balls(entry, {}, 128);
      row.push_back(at.status == EvaluationStatus::ok ? Json(at.values[0].mid()) : Json());
    }
    exact.push_back(std::move(texts));
    numbers.push_back(std::move(row));
  }
  return {{"exact", std::move(exact)}, {"value", std::move(numbers)}};
}

Json kind_of(const std::optional<RootSides>& sides) {
  if (!sides) return {{"stability", nullptr}};
  return {
      {"stability", name_of(*sides)}, {"left", sides->left}, {"axis", sides->axis}, {"right", sides->right}};
}

Json chart_of(const StabilityChart& chart) {
  Json out{{"ranges", Json::array()},
           {"kinds", Json::array()},
           {"at", Json::array()},
           {"boundaries", Json::array()}};
  for (const ScanRange& range : chart.ranges) {
    Json values = Json::array();
    for (std::size_t i = 0; i < range.count; ++i) values.push_back(range.value(i));
    out["ranges"].push_back({{"name", range.name()}, {"values", std::move(values)}});
  }
  for (const auto& kind : chart.kinds) out["kinds"].push_back(kind_of(kind));
  const std::size_t columns = chart.ranges[0].count;
  for (std::size_t j = 0; j * columns < chart.at.size(); ++j) {
    const auto begin = chart.at.begin() + static_cast<std::ptrdiff_t>(j * columns);
    out["at"].push_back(std::vector<std::size_t>(begin, begin + static_cast<std::ptrdiff_t>(columns)));
  }
  for (const StabilityBoundary& boundary : chart.boundaries) {
    Json place = Json::array();
    for (std::size_t k = 0; k < chart.ranges.size(); ++k)
      place.push_back(k == boundary.axis ? boundary.after.to_double()
                                         : chart.ranges[k].value(k == 0 ? boundary.i : boundary.j));
    out["boundaries"].push_back({{"at", std::move(place)},
                                 {"along", chart.ranges[boundary.axis].name()},
                                 {"between", {boundary.before.to_double(), boundary.after.to_double()}},
                                 {"from", boundary.kind_before},
                                 {"to", boundary.kind_after}});
  }
  return out;
}

Json json_of(const System& system, const StabilityAnswer& answer) {
  const SteadyMotion& motion = answer.motion;
  Json out{{"schema", 1}, {"system", system.name}, {"variables", Json::array()}, {"ignored", Json::array()}};
  for (Expr variable : motion.variables) out["variables"].push_back(to_infix(variable));
  for (Expr position : motion.ignored) out["ignored"].push_back(to_infix(position));
  out["inputs"] = motion.inputs;
  out["outputs"] = motion.outputs;
  out["outputs_left_out"] = motion.left_out;
  out["A"] = matrix_of(*motion.a, *answer.a);
  out["B"] = matrix_of(*motion.b, *answer.b);
  out["C"] = matrix_of(*motion.c, *answer.c);
  out["D"] = matrix_of(*motion.d, *answer.d);
  out["for_values"] = motion.for_values;
  out["grade"] = word_for(motion.grade);
  for (const auto& [name, list] : {std::pair{"polynomial", &motion.polynomial},
                                   {"hurwitz", &motion.hurwitz},
                                   {"conditions", &motion.conditions}}) {
    out[name] = Json::array();
    for (Expr e : *list) out[name].push_back(to_infix(e));
  }
  out["eigenvalues"] = Json::array();
  for (const Eigenvalue& value : answer.eigenvalues)
    out["eigenvalues"].push_back({value.re.mid(), value.im.mid()});
  out.update(kind_of(answer.sides));
  out["energy_minimum"] = answer.has_energy_minimum;
  if (answer.chart) out["chart"] = chart_of(*answer.chart);
  return out;
}

std::string csv_of(const StabilityChart& chart) {
  std::string out;
  for (const ScanRange& range : chart.ranges) out += range.name() + ",";
  out += "stability,left,axis,right\n";
  for (std::size_t k = 0; k < chart.at.size(); ++k) {
    const std::size_t columns = chart.ranges[0].count;
    out += fmt::format("{},", chart.ranges[0].value(k % columns));
    if (chart.ranges.size() == 2) out += fmt::format("{},", chart.ranges[1].value(k / columns));
    const std::optional<RootSides>& kind = chart.kinds[chart.at[k]];
    out += kind ? fmt::format("{},{},{},{}\n", name_of(*kind), kind->left, kind->axis, kind->right)
                : std::string("not decided,,,\n");
  }
  return out;
}

RegionTone tone_of(const std::optional<RootSides>& kind) {
  if (!kind) return RegionTone::empty;
  if (kind->right > 0) return RegionTone::bad;
  return kind->axis > 0 ? RegionTone::twofold : RegionTone::calm;
}

std::string plot_of(const System& system, const StabilityChart& chart, const std::string& file) {
  RegionMap map;
  map.title = system.name;
  map.subtitle = "Stability of the steady motion, by the roots of its linear equations";
  for (std::size_t k = 0; k < chart.ranges.size(); ++k) {
    MapAxis& axis = k == 0 ? map.x : map.y;
    axis.label = chart.ranges[k].name();
    for (std::size_t i = 0; i < chart.ranges[k].count; ++i) axis.values.push_back(chart.ranges[k].value(i));
  }
  for (const auto& kind : chart.kinds) map.regions.push_back({text_of(kind), tone_of(kind)});
  map.at = chart.at;
  for (const StabilityBoundary& boundary : chart.boundaries)
    map.crossings.push_back(
        {boundary.axis, boundary.i, boundary.j, boundary.after.to_double(), boundary.kind_after});
  return render_map(map, *plot_format(file));
}

}  // namespace

int run_stability(const StabilityOptions& options) {
  const InterruptScope interrupt;
  try {
    require_chart_outputs(options);
    const auto parts = read_model(options.model);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    const GivenState given = read_given_state(*parts, options.at, options.set, false);
    std::vector<ScanRange> ranges;
    if (!options.scan.empty()) ranges = read_scan(*parts, given, options.scan);
    const StabilityAnswer answer = judge_stability(*parts, given, options.inputs, ranges);
    if (!options.output.empty()) write_output(options.output, csv_of(*answer.chart));
    for (const std::string& plot : options.plots)
      write_output(plot, plot_of(parts->system(), *answer.chart, plot));
    if (options.json) {
      print_json(json_of(parts->system(), answer));
    } else {
      print_answer(parts->system(), answer);
    }
    return done;
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
