#pragma once

#include <vector>

#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// The state between two that are known, by cubics where its rates at both are known, else in a straight
/// line.
class StateBetween {
 public:
  /// `smooth`: of the rates that `evaluator` has, how many are those of the motion, from the first on.
  StateBetween(Evaluator& evaluator, double begin, const std::vector<double>& first, double end,
               const std::vector<double>& last, std::size_t smooth);

  double begin() const { return begin_; }
  double end() const { return end_; }
  std::vector<double> at(double t) const;

 private:
  std::size_t smooth_;
  double begin_, end_;
  std::vector<double> first_, last_, first_rates_, last_rates_;
};

/// The moment within which a slip in space finds its direction: the velocities go in a straight line, and the
/// places with them. `open`: without contacts.
inline StateBetween first_moment(Evaluator& open, double begin, const std::vector<double>& first, double end,
                                 const std::vector<double>& last) {
  return {open, begin, first, end, last, open.position_count()};
}

}  // namespace liaison
