#pragma once

#include <optional>
#include <vector>

#include "liaison/simulate/simulation.hpp"

namespace liaison {

/// The times of the impacts of each contact: infinitely many of them may come to an end in a finite time.
class ImpactHistory {
 public:
  explicit ImpactHistory(std::size_t contacts = 0) : times_(contacts), approaches_(contacts) {}

  void add(std::size_t contact, double t, double approach);
  /// With an impact at t the intervals have shrunk, one by about the same ratio as the other, to so little
  /// that the rest of them is less than a tolerance of the time that they all took, or that what happens
  /// between them `is_rounding`, and the rate at which the gap closes has shrunk with them. Their end is that
  /// of the geometric series; its error is from how much the ratio still changes, and that of the method from
  /// its tolerance.
  std::optional<Accumulation> accumulates(std::size_t contact, double t, double approach, double tolerance,
                                          bool is_rounding);
  /// They came to an end at t, by what is seen there.
  Accumulation ends(std::size_t contact, double t);
  /// Since the last impact; infinite where there was none.
  double interval(std::size_t contact, double t) const;

 private:
  std::vector<std::vector<double>> times_, approaches_;
};

}  // namespace liaison
