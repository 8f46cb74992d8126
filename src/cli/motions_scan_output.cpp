#include "motions_scan_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/report/map_plot.hpp"

namespace liaison::cli {

namespace {

/// Of a kind that was met at a boundary alone.
constexpr const char* between = " (between points)";

std::vector<std::size_t> counts_of(const MotionsScan& scan) {
  std::vector<std::size_t> counts(scan.kinds.size(), 0);
  for (const std::size_t kind : scan.at) ++counts[kind];
  return counts;
}

/// The place of a boundary: the value of each range.
std::vector<double> place_of(const MotionsScan& scan, const ScanBoundary& boundary) {
  std::vector<double> place{scan.ranges[0].value(boundary.i)};
  if (scan.ranges.size() == 2) place.push_back(scan.ranges[1].value(boundary.j));
  place[boundary.axis] = boundary.value;
  return place;
}

/// A field of a CSV file; quotes are doubled.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string unit_of(const System& system, Expr symbol) {
  for (const Direction& direction : system.directions) {
    if (!direction.unit) continue;
    if (direction.coordinate == symbol) return direction.unit->text;
    if (direction.velocity == symbol) return direction.unit->text + "/s";
  }
  return {};
}

RegionTone tone_of(ScanVerdict verdict) {
  switch (verdict) {
    case ScanVerdict::unique: return RegionTone::calm;
    case ScanVerdict::several: return RegionTone::twofold;
    case ScanVerdict::none: return RegionTone::bad;
    case ScanVerdict::impact: return RegionTone::due;
    case ScanVerdict::not_found:
    case ScanVerdict::no_state: break;
  }
  return RegionTone::empty;
}

/// Most states are none, because a gap is negative.
bool most_are_violated(const MotionsScan& scan) {
  const std::vector<std::size_t> counts = counts_of(scan);
  std::size_t none = 0;
  for (std::size_t k = 0; k < counts.size(); ++k)
    none += scan.kinds[k].reason.ends_with("is violated") ? counts[k] : 0;
  return 2 * none > scan.at.size();
}

}  // namespace

void print_scan(const System& system, const MotionsScan& scan) {
  if (!system.name.empty()) fmt::print("{}\n\n", system.name);
  for (const ScanRange& range : scan.ranges)
    fmt::print("  {} from {:.9g} to {:.9g}, {} values\n", range.name(), range.begin, range.end, range.count);
  fmt::print("\n  {:>9}  what is possible\n", "points");
  const std::vector<std::size_t> counts = counts_of(scan);
  for (std::size_t k = 0; k < counts.size(); ++k)
    fmt::print("  {:>9}  {}{}\n", counts[k], text_of(scan.kinds[k]), counts[k] == 0 ? between : "");
  if (scan.ranges.size() == 1) {
    for (const ScanBoundary& boundary : scan.boundaries)
      fmt::print("\n  at {} = {:.12g}\n    from {}\n    to   {}\n", scan.ranges[0].name(), boundary.value,
                 text_of(scan.kinds[boundary.before]), text_of(scan.kinds[boundary.after]));
  } else {
    fmt::print("\n  {} points of boundaries between neighbours of the grid, by bisection\n",
               scan.boundaries.size());
  }
  fmt::print("  {} states in doubles, {} of them exactly, where doubles do not decide\n", scan.evaluations,
             scan.exact);
  if (scan.open > 0)
    fmt::print("  points at which the list of motions is not the last word: {}\n", scan.open);
  if (most_are_violated(scan))
    fmt::print(
        "  at most points a gap is negative: --touching NAMES completes each state on contacts that are "
        "closed\n");
}

Json json_of(const System& system, const MotionsScan& scan) {
  Json out{{"schema", 1}, {"system", system.name}, {"ranges", Json::array()}, {"kinds", Json::array()}};
  for (const ScanRange& range : scan.ranges) {
    Json values = Json::array();
    for (std::size_t i = 0; i < range.count; ++i) values.push_back(range.value(i));
    out["ranges"].push_back({{"name", range.name()}, {"values", std::move(values)}});
  }
  const std::vector<std::size_t> counts = counts_of(scan);
  for (std::size_t k = 0; k < scan.kinds.size(); ++k) {
    const ScanKind& kind = scan.kinds[k];
    Json one{{"verdict", word_for(kind.verdict)}, {"motions", kind.motions}, {"points", counts[k]}};
    if (!kind.reason.empty()) one["reason"] = kind.reason;
    out["kinds"].push_back(std::move(one));
  }
  out["at"] = Json::array();
  const std::size_t columns = scan.ranges[0].count;
  for (std::size_t j = 0; j < scan.rows(); ++j) {
    const auto begin = scan.at.begin() + static_cast<std::ptrdiff_t>(j * columns);
    out["at"].push_back(std::vector<std::size_t>(begin, begin + static_cast<std::ptrdiff_t>(columns)));
  }
  out["boundaries"] = Json::array();
  for (const ScanBoundary& boundary : scan.boundaries)
    out["boundaries"].push_back({{"at", place_of(scan, boundary)},
                                 {"along", scan.ranges[boundary.axis].name()},
                                 {"from", boundary.before},
                                 {"to", boundary.after}});
  out["evaluations"] = scan.evaluations;
  out["exact"] = scan.exact;
  out["open"] = scan.open;
  return out;
}

std::string csv_of(const MotionsScan& scan) {
  std::string out;
  for (const ScanRange& range : scan.ranges) out += range.name() + ",";
  out += "verdict,motions,modes\n";
  for (std::size_t j = 0; j < scan.rows(); ++j) {
    for (std::size_t i = 0; i < scan.ranges[0].count; ++i) {
      const ScanKind& kind = scan.kind(i, j);
      out += fmt::format("{},", scan.ranges[0].value(i));
      if (scan.ranges.size() == 2) out += fmt::format("{},", scan.ranges[1].value(j));
      const std::string words =
          kind.reason.empty() ? fmt::format("{}", fmt::join(kind.motions, " | ")) : kind.reason;
      out += fmt::format("{},{},{}\n", word_for(kind.verdict), kind.motions.size(), quoted(words));
    }
  }
  return out;
}

std::string plot_of(const System& system, const MotionsScan& scan, const MotionsOptions& options,
                    const std::string& file) {
  RegionMap map;
  map.title = system.name;
  map.subtitle = "Which motions the contacts allow";
  for (const std::string& given : {options.at, options.set})
    if (!given.empty()) map.subtitle += fmt::format("; {}", given);
  if (!options.touching.empty())
    map.subtitle += fmt::format("; touching {}", fmt::join(options.touching, ", "));
  for (std::size_t k = 0; k < scan.ranges.size(); ++k) {
    const ScanRange& range = scan.ranges[k];
    MapAxis& axis = k == 0 ? map.x : map.y;
    axis.label = range.name();
    axis.unit = unit_of(system, range.symbol);
    for (std::size_t i = 0; i < range.count; ++i) axis.values.push_back(range.value(i));
  }
  const std::vector<std::size_t> counts = counts_of(scan);
  for (std::size_t k = 0; k < counts.size(); ++k)
    map.regions.push_back(
        {text_of(scan.kinds[k]) + (counts[k] == 0 ? between : ""), tone_of(scan.kinds[k].verdict)});
  map.at = scan.at;
  for (const ScanBoundary& boundary : scan.boundaries)
    map.crossings.push_back({boundary.axis, boundary.i, boundary.j, boundary.value, boundary.after});
  return render_map(map, *plot_format(file));
}

}  // namespace liaison::cli
