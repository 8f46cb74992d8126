#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "liaison/simulate/simulation.hpp"

namespace liaison {

/// How and where a run ends.
struct RunEnd {
  SimulationOutcome outcome = SimulationOutcome::singular;
  double t = 0;
  std::vector<double> y;
  std::string message;
  std::optional<std::size_t> again = {};  ///< an event that comes back sooner than the time can tell
  std::vector<JumpOfRate> jumps = {};     ///< for which an impulse is missing
};
/// Nothing: the run goes on.
using MaybeEnd = std::optional<RunEnd>;

/// A run that has no way to go on from a state.
inline RunEnd no_way_on(double t, std::vector<double> y, const std::string& why) {
  return {SimulationOutcome::singular, t, std::move(y), why};
}

/// The largest positions and velocities of a run so far: what a change of one of them is measured by.
class RunSizes {
 public:
  explicit RunSizes(std::size_t positions) : positions_(positions) {}
  void see(std::span<const double> y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      double& largest = largest_[i < positions_ ? 0 : 1];
      largest = std::max(largest, std::abs(y[i]));
    }
  }
  double operator[](std::size_t component) const { return largest_[component < positions_ ? 0 : 1]; }
  template <class Memory>
  void remember(Memory& memory) {
    memory(largest_[0], largest_[1]);
  }

 private:
  std::size_t positions_;
  double largest_[2] = {0, 0};
};

/// How far each number of the state went since the run began, and how long its steps are: what tells a motion
/// that comes on from one that does not, wherever the origin is and however long the run.
class RunRanges {
 public:
  void see(std::span<const double> y) {
    if (least_.size() != y.size()) {
      least_.assign(y.begin(), y.end());
      greatest_ = least_;
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      least_[i] = std::min(least_[i], y[i]);
      greatest_[i] = std::max(greatest_[i], y[i]);
    }
  }
  void see_step(double length) { length_ = std::max(length, forgets * length_); }
  /// Whether no number differs by more than a part of its range, or by errors of the motion.
  bool are_same(std::span<const double> a, std::span<const double> b, double part,
                const Tolerance& tolerance) const {
    constexpr double errors = 100;
    if (a.size() != b.size() || a.size() != least_.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double size = std::max(std::abs(a[i]), std::abs(b[i]));
      const double error = errors * (tolerance.absolute + tolerance.relative * std::min(size, size_of(i)));
      if (std::abs(a[i] - b[i]) > std::max(part * (greatest_[i] - least_[i]), error)) return false;
    }
    return true;
  }
  /// The longest of the last steps, about a thousand.
  double usual_length() const { return length_; }
  /// Of a number of the state. What is far from the origin is as small as its way.
  double size_of(std::size_t i) const {
    return std::max(greatest_[i] - least_[i], std::min(std::abs(least_[i]), 1.0));
  }
  template <class Memory>
  void remember(Memory& memory) {
    memory(least_, greatest_, length_);
  }

 private:
  static constexpr double forgets = 0.999;
  std::vector<double> least_, greatest_;
  double length_ = 0;
};

/// The rates at a state, with the accelerations and factors that quantities ask for.
class Moment {
 public:
  explicit Moment(Evaluator& evaluator) : evaluator_(evaluator), rates_(evaluator.size()) {}

  bool take(double t, const double* y) { return evaluator_.rates(t, y, rates_.data()); }
  const double* accelerations() const { return rates_.data() + evaluator_.position_count(); }
  std::span<const double> factors() const { return evaluator_.factors(); }
  const std::string& failure() const { return evaluator_.failure(); }

 private:
  Evaluator& evaluator_;
  std::vector<double> rates_;
};

}  // namespace liaison
