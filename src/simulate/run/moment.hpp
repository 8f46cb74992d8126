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
