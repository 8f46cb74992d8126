#pragma once

#include <optional>
#include <span>
#include <vector>

#include "crossings.hpp"
#include "interval.hpp"
#include "simulate/equations/runner.hpp"
#include "time_zeros.hpp"

namespace liaison {

/// What expressions do by the time alone: the times at which an argument of abs, sign, min, max or atan2
/// changes its sign, and how far one may look ahead so that nothing of the rest is overlooked. Time is cut
/// into cells, each the largest of the form [k 2^j, (k + 1) 2^j] on which every part that has only the time
/// in it follows a polynomial of moderate degree and stays, by enclosures, near the values at its samples: a
/// short pulse far ahead has small cells around it.
class TimeFeatures {
 public:
  TimeFeatures() = default;
  TimeFeatures(std::span<const Expr> expressions, Expr time,
               std::span<const std::pair<Expr, double>> parameters, std::span<const Parameter> declared);

  bool empty() const { return parts_.empty() && arguments_ == 0; }
  /// The farthest time at which a step from t may end: the next change of an argument, the beginning of
  /// smaller cells, or a part of the length of the cell; `end` where nothing is near.
  double limit(double t, double end, double part = 1);
  /// The first change of an argument after t, or `end`.
  double next_change(double t, double end);
  /// The ends of cells and the changes between two times.
  std::vector<double> between(double from, double to);

 private:
  struct Part {
    IntervalFunction value, slope;
  };
  struct Cell {
    double low, high;
    std::vector<double> changes;
  };
  const Cell& cell_at(double t, double end);
  bool is_resolved(double low, double high);
  std::vector<double> changes_in(double low, double high);
  double value(std::size_t output, double t);

  std::vector<Part> parts_;
  Runner program_;  ///< parts, then arguments, then sizes of their terms
  std::size_t arguments_ = 0;
  std::vector<TimeZeros> zeros_;  ///< of arguments
  std::vector<double> inputs_;
  std::optional<Cell> cells_[2];  ///< the last two that were asked for
};

}  // namespace liaison
