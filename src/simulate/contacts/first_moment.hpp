#pragma once

#include <vector>

#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// The moment within which a slip in space finds its direction: the state at its ends is known, and in
/// between the velocities go in a straight line and the places with them.
class FirstMoment {
 public:
  /// `open`: without contacts, for the rates of the places.
  FirstMoment(Evaluator& open, double begin, const std::vector<double>& first, double end,
              const std::vector<double>& last);

  double begin() const { return begin_; }
  double end() const { return end_; }
  std::vector<double> at(double t) const;

 private:
  std::size_t positions_;
  double begin_, end_;
  std::vector<double> first_, last_, first_rates_, last_rates_;
};

}  // namespace liaison
