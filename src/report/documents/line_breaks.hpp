#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

/// Where lines end, in text and in LaTeX alike.
namespace liaison::report {

constexpr int never = std::numeric_limits<int>::max();
constexpr int always = -1;

/// What stands on one line always. Widths are in columns or in em.
struct Unit {
  std::string text;
  double width = 0;
  int penalty =
      0;  ///< of a line end before it: 0 at a piece of a formula, more inside brackets; `never`, `always`
  double gap = 0;                      ///< space before it, which vanishes at the start of a line
  std::string lead = {};               ///< stands before it at the start of a line
  int depth = 0;                       ///< brackets around it that may hold line ends
  bool relation = false;               ///< begins with one
  std::vector<std::string> tall = {};  ///< lines of equal width in place of `text`
};

struct LineWidths {
  double first;
  double rest;
  double each_level = 0;  ///< less for each bracket in which a line begins, up to max_levels
};
constexpr int max_levels = 3;

/// The first unit of each line. A line is longer than its width only if no end is allowed before that.
/// Among the ends that fit, the cheapest is taken: penalty, and up to ten more for a line left short.
std::vector<std::size_t> line_starts(std::span<const Unit> units, LineWidths widths);

/// For a formula that does not fit one line: each relation begins one, but where its line end is `never`.
void start_lines_at_relations(std::vector<Unit>& units);

struct ColumnWish {
  double natural;  ///< the widest cell on one line
  double least;    ///< what cannot be broken
};
/// Shares `available` among columns: those below the fair share keep what they want, the others share what is
/// left equally; none gets less than its least.
std::vector<double> fit_columns(std::span<const ColumnWish> wishes, double available);

}  // namespace liaison::report
