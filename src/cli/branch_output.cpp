#include "branch_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/report/plot.hpp"
#include "liaison/simulate/trajectory_file.hpp"
#include "outputs.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

Json to_json(const BranchPoint& point, const BranchAnswer& answer, const std::string& name, bool rest) {
  Json out;
  out[name] = point.parameter;
  if (!rest) out["period"] = point.period;
  for (std::size_t i = 0; i < answer.state_names.size(); ++i)
    out["state"][answer.state_names[i]] = point.y[i];
  out["stability"] = name_of(point.stability);
  out[rest ? "exponents" : "multipliers"] = Json::array();
  for (const Multiplier& one : point.spectrum)
    out[rest ? "exponents" : "multipliers"].push_back({{"re", one.value.real()}, {"im", one.value.imag()}});
  return out;
}

std::size_t shown_place(const OrbitsOptions& options, const BranchAnswer& answer) {
  if (options.shown.empty()) return 0;
  const auto& names = answer.state_names;
  const auto found = std::find(names.begin(), names.end(), options.shown);
  if (found == names.end())
    refuse(Status::bad_input, "--show", Problem::bad_usage,
           fmt::format("`{}` is no value of the state", options.shown), "name a coordinate or a velocity");
  return static_cast<std::size_t>(found - names.begin());
}

Figure figure_of(const OrbitsOptions& options, const System& system, const std::string& name,
                 const BranchAnswer& answer) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  const std::size_t place = shown_place(options, answer);
  Figure figure;
  figure.title = system.name;
  figure.subtitle = options.rest ? "places of rest" : "periodic motions, by their start";
  figure.x_label = name;
  Panel panel;
  panel.label = answer.state_names[place];
  Series good, bad;
  good.name = "not unstable";
  bad.name = "unstable";
  for (const FamilyBranch& branch : answer.branches.branches) {
    for (std::size_t k = 0; k < branch.points.size(); ++k) {
      const BranchPoint& point = branch.points[k];
      const bool grows = point.stability == OrbitStability::unstable;
      figure.x.push_back(point.parameter);
      good.values.push_back(grows ? gap : point.y[place]);
      bad.values.push_back(grows ? point.y[place] : gap);
      for (const SpecialPoint& special : branch.special) {
        if (special.after != k) continue;  // of both lines, so that they meet there
        figure.x.push_back(special.at.parameter);
        good.values.push_back(special.at.y[place]);
        bad.values.push_back(special.at.y[place]);
      }
    }
    if (branch.points.empty()) continue;
    figure.x.push_back(branch.points.back().parameter);  // no line to the next branch
    good.values.push_back(gap);
    bad.values.push_back(gap);
    for (const SpecialPoint& special : branch.special)
      figure.marks.push_back({special.at.parameter, name_of(special.kind)});
  }
  panel.series = {good, bad};
  figure.panels.push_back(std::move(panel));
  return figure;
}

void write_points(const OrbitsOptions& options, const std::string& name, const BranchAnswer& answer) {
  std::vector<std::string> columns{"branch", name};
  if (!options.rest) columns.push_back("period");
  columns.insert(columns.end(), answer.state_names.begin(), answer.state_names.end());
  columns.push_back("unstable");
  TrajectoryWriter writer(options.output, columns);
  for (std::size_t b = 0; b < answer.branches.branches.size(); ++b) {
    for (const BranchPoint& point : answer.branches.branches[b].points) {
      std::vector<double> row{static_cast<double>(b + 1), point.parameter};
      if (!options.rest) row.push_back(point.period);
      row.insert(row.end(), point.y.begin(), point.y.end());
      row.push_back(point.stability == OrbitStability::unstable ? 1 : 0);
      writer.write(row);
    }
  }
  writer.flush();
}

/// A value of the state; zero where it is rounding beside what it is on the branch.
double beside(const FamilyBranch& branch, const std::vector<double>& y, std::size_t i) {
  double largest = 0;
  for (const BranchPoint& point : branch.points) largest = std::max(largest, std::abs(point.y[i]));
  return std::abs(y[i]) <= 1e-9 * largest ? 0.0 : y[i];
}

/// Where its stability changes, and its special points.
void print_branch(const OrbitsOptions& options, const std::string& name, const BranchAnswer& answer,
                  const FamilyBranch& branch, std::size_t place) {
  const BranchPoint &first = branch.points.front(), &last = branch.points.back();
  fmt::print("    branch {}: {} = {:.9g} to {:.9g}, {} points: {}\n", place + 1, name, first.parameter,
             last.parameter, branch.points.size(), branch.end);
  const bool is_image = branch.likeness == Likeness::image;
  if (is_image)
    fmt::print("      mirror image of branch {}: the same {} at {} values of {}\n", branch.like + 1,
               options.rest ? "exponents" : "periods and multipliers",
               std::min(compared_points, branch.points.size()), name);
  std::string before;
  for (std::size_t k = 0; k < branch.points.size() && !is_image; ++k) {
    const std::string now = name_of(branch.points[k].stability);
    if (now == before) continue;
    double from = branch.points[k].parameter;
    for (const SpecialPoint& special : branch.special)
      if (special.after + 1 == k) from = special.at.parameter;
    fmt::print("      {} from {} = {:.6g} on\n", now, name, from);
    before = now;
  }
  for (const SpecialPoint& special : branch.special) {
    fmt::print("      {:<16} at {} = {:.9g}", name_of(special.kind), name, special.at.parameter);
    if (!options.rest) fmt::print(", period {:.9g}", special.at.period);
    for (std::size_t i = 0; i < answer.state_names.size() && i < 6; ++i)
      fmt::print(", {} = {:.6g}", answer.state_names[i], beside(branch, special.at.y, i));
    fmt::print("{}{}\n", special.note.empty() ? "" : "; ", special.note);
  }
}

/// The answer in the unit that was asked.
BranchAnswer in_unit(BranchAnswer answer, double scale) {
  for (FamilyBranch& branch : answer.branches.branches) {
    for (BranchPoint& point : branch.points) point.parameter /= scale;
    for (SpecialPoint& special : branch.special) special.at.parameter /= scale;
  }
  return answer;
}

}  // namespace

void require_branch_options(const OrbitsOptions& options) {
  const bool follows = options.follow.has_value();
  const bool asks =
      options.rest || !options.output.empty() || !options.plots.empty() || !options.shown.empty();
  if (asks && !follows)
    refuse(Status::bad_input, "--follow", Problem::bad_usage, "branches need a parameter to be followed over",
           "--follow \"w = 4 .. 9\"");
  std::vector<std::string> outputs = options.plots;
  for (const std::string& plot : options.plots)
    if (!plot_format(plot))
      refuse(Status::bad_input, plot, Problem::bad_usage, "a plot ends in .svg, .png or .html",
             "--plot b.svg");
  if (!options.output.empty()) {
    if (!options.output.ends_with(".csv"))
      refuse(Status::bad_input, options.output, Problem::bad_usage, "points are written as .csv", "-o b.csv");
    outputs.push_back(options.output);
  }
  require_outputs(options.model, outputs);
}

void tell_branches(const OrbitsOptions& options, const System& system, const FollowedParameter& over,
                   const BranchAnswer& in_si) {
  const BranchAnswer answer = in_unit(in_si, over.scale);
  const std::string name = over.symbol.symbol().name;
  const std::string label = over.unit.empty() ? name : fmt::format("{} [{}]", name, over.unit);
  if (!options.output.empty()) write_points(options, label, answer);
  for (const std::string& plot : options.plots)
    write_output(plot, render_plot(figure_of(options, system, label, answer), *plot_format(plot)));
  if (options.json) {
    Json out{{"schema", 1}, {"system", system.name}, {"parameter", name}, {"rest", options.rest}};
    if (!over.unit.empty()) out["unit"] = over.unit;
    if (!answer.chosen.empty()) out["chosen"] = answer.chosen;
    out["branches"] = Json::array();
    for (const FamilyBranch& branch : answer.branches.branches) {
      Json entry{{"end", branch.end}, {"special", Json::array()}, {"points", Json::array()}};
      for (const SpecialPoint& special : branch.special) {
        Json one = to_json(special.at, answer, name, options.rest);
        one["kind"] = name_of(special.kind);
        if (!special.note.empty()) one["note"] = special.note;
        entry["special"].push_back(std::move(one));
      }
      for (const BranchPoint& point : branch.points)
        entry["points"].push_back(to_json(point, answer, name, options.rest));
      if (branch.likeness == Likeness::image) entry["mirror_image_of"] = branch.like + 1;
      out["branches"].push_back(std::move(entry));
    }
    return print_json(out);
  }
  if (!system.name.empty()) fmt::print("{}\n\n", system.name);
  fmt::print("  {} over {}\n", options.rest ? "places of rest" : "periodic motions", label);
  for (const std::string& choice : answer.chosen) fmt::print("  note: {}\n", choice);
  for (std::size_t b = 0; b < answer.branches.branches.size(); ++b)
    print_branch(options, name, answer, answer.branches.branches[b], b);
  if (!options.output.empty()) fmt::print("  wrote {}\n", options.output);
  for (const std::string& plot : options.plots) fmt::print("  wrote {}\n", plot);
}

}  // namespace liaison::cli
