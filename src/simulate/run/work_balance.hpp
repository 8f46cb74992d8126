#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "monitors.hpp"
#include "stepper.hpp"

namespace liaison {

/// The name of its monitor.
inline constexpr const char* work_balance = "T + V - work";

/// T + V minus the work of everything that works, along a run: kept where the drives are counted too.
class WorkBalance {
 public:
  /// The monitors see the states within steps too, at which the power is taken.
  WorkBalance(Evaluator& evaluator, Observations& observations, Stepper& stepper, Monitors& monitors);

  void begin(double t, const double* y);
  /// Adds the work from where it was taken last up to a time of the present step.
  void until(double t);
  /// The state was changed at a time: what that took or gave is no work.
  void jump(double t, const double* before, const double* after);
  std::optional<Monitor> verdict() const;

  std::vector<double> memory() const;
  bool recall(std::span<const double> memory);

 private:
  bool is_watched() const { return observations_.work_values.size() > 0 && !lost_; }
  bool take(double t, const double* y);
  double time_on_side(double t, double side) const;
  void add_switched(std::vector<double>& y);
  std::optional<double> work(double from, double to, std::size_t parts);

  Evaluator& evaluator_;
  Observations& observations_;
  Stepper& stepper_;
  Monitors& monitors_;
  Moment moment_;
  double values_[5] = {};  ///< T + V, power, T, V, p_0 at the last state
  double last_ = 0, first_ = 0, work_ = 0, lowest_ = 0, highest_ = 0, difference_ = 0, size_ = 0;
  double begin_ = -INFINITY;
  double rest_ = 0, moved_ = 0;  ///< V at the start; the largest T, work, or change of V
  double usual_ = 0;             ///< what a step leaves of the balance, however fine the sum
  bool lost_ = false;            ///< somewhere there was no power
};

}  // namespace liaison
