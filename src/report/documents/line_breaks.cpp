#include "line_breaks.hpp"

#include <algorithm>

namespace liaison::report {

namespace {

constexpr double cost_of_an_empty_line = 10;

/// The unit that begins the next line; units.size() if the rest fits.
std::size_t end_of_line(std::span<const Unit> units, std::size_t start, double width) {
  double filled = units[start].width;
  double best_cost = 0;
  std::size_t best = start;
  for (std::size_t i = start + 1; i < units.size(); ++i) {
    if (units[i].penalty == always) return filled <= width || best == start ? i : best;
    if (units[i].penalty != never) {
      const double empty = 1 - std::min(1.0, filled / width);
      const double cost = units[i].penalty + cost_of_an_empty_line * empty * empty;
      if (best == start || (filled <= width && cost <= best_cost)) {
        best = i;
        best_cost = cost;
      }
      if (filled > width) return best;
    }
    filled += units[i].gap + units[i].width;
  }
  return filled <= width || best == start ? units.size() : best;
}

}  // namespace

std::vector<std::size_t> line_starts(std::span<const Unit> units, LineWidths widths) {
  std::vector<std::size_t> starts;
  for (std::size_t start = 0; start < units.size();) {
    const int levels = std::min(units[start].depth, max_levels);
    const double width = starts.empty() ? widths.first : widths.rest - widths.each_level * levels;
    starts.push_back(start);
    start = end_of_line(units, start, width);
  }
  return starts;
}

void start_lines_at_relations(std::vector<Unit>& units) {
  for (std::size_t i = 1; i < units.size(); ++i)
    if (units[i].relation && units[i].penalty != never) units[i].penalty = always;
}

std::vector<double> fit_columns(std::span<const ColumnWish> wishes, double available) {
  std::vector<double> widths(wishes.size());
  std::vector<bool> settled(wishes.size(), false);
  double left = available;
  std::size_t open = wishes.size();
  // Each round settles the columns on one side of the fair share: small wishes first, then large needs.
  for (bool again = true; again && open > 0;) {
    again = false;
    for (const bool small : {true, false}) {
      const double share = left / static_cast<double>(open);
      for (std::size_t i = 0; i < wishes.size() && !again; ++i) {
        if (settled[i] || (small ? wishes[i].natural > share : wishes[i].least <= share)) continue;
        widths[i] = small ? wishes[i].natural : wishes[i].least;
        left -= widths[i];
        --open;
        settled[i] = again = true;
      }
      if (again) break;
    }
  }
  for (std::size_t i = 0; i < wishes.size(); ++i)
    if (!settled[i]) widths[i] = left / static_cast<double>(open);
  return widths;
}

}  // namespace liaison::report
