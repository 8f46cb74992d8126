#pragma once

#include <limits>
#include <span>
#include <vector>

#include "liaison/simulate/simulation.hpp"

namespace liaison {

/// What a change of an energy is measured by. A large constant in V says nothing about how well the energy is
/// kept, unless its rounding is all that changes. `moved`: the largest T, work, or change of V.
double size_beside(double size, double moved, double change);

/// The largest residuals, changes and powers of a run.
class Monitors {
 public:
  Monitors(Evaluator& evaluator, Observations& observations, bool constraints_are_kept);

  void begin(double t, const double* y, const double* accelerations);
  /// At a row or after a step. Accelerations and factors are those of the evaluator's last rates at this
  /// state.
  void watch(double t, const double* y, const double* accelerations) { watch(t, t, y, accelerations); }
  /// What the time switches is taken beside it, relations at the time itself.
  void watch(double t, double beside, const double* y, const double* accelerations);
  /// Within a step: what is not kept and what works, so that the largest of them is that of the motion and
  /// not of its steps. What should stay is asked of the steps alone.
  void watch_between(double t, const double* y, const double* accelerations);
  /// Around a change of the state by resets: what they took or gave is counted apart; what is kept from there
  /// on is what it is then. Returns the change of the energy.
  void before_jump(double t, const double* y, const double* accelerations);
  double after_jump(double t, const double* y, const double* accelerations);
  std::vector<Monitor> verdicts() const;
  /// Whether the energy of a motion is too small for doubles: nothing is said about it then.
  bool loses_energy() const;

  std::vector<double> memory() const;
  void recall(std::span<const double> memory);

 private:
  bool has_lost_products(double t, const double* y);

  Evaluator& evaluator_;
  Observations& observations_;
  bool constraints_are_kept_;
  std::vector<double> values_, first_, size_, before_;  ///< of kept quantities
  std::vector<double> lowest_, highest_, last_;         ///< changes since the start, without those by resets
  std::vector<double> by_resets_, resets_;              ///< sums and counts
  std::vector<double> power_values_, power_, power_size_;
  double level_ = 0, relation_ = 0;
  double rest_ = std::numeric_limits<double>::quiet_NaN();  ///< V at the start
  double moved_ = 0;                                        ///< the largest T, or change of V
  bool moves_without_energy_ = false;  ///< products of masses and velocities vanish, none of them is zero
};

}  // namespace liaison
