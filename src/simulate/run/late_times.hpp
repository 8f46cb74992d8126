#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"
#include "moment.hpp"

namespace liaison {

/// What late times do to a run: a double tells the time t to |t|*2^-52 and no better, whatever the tolerance.
/// Lengths of steps are what the clock says, and a motion that does not ask for the time loses nothing. What
/// the equations do by the time, and what happens at a time, is known as far as the time is.
class LateTimes {
 public:
  LateTimes(Evaluator& evaluator, const Tolerance& tolerance);

  /// An end where the equations change by the time alone, within what it is told to, by far more than the
  /// tolerance.
  MaybeEnd after_step(double before, const std::vector<double>& first, double time,
                      std::span<const double> last);
  /// The equations changed their form at a time that the state told.
  void see_change() { changes_ = true; }
  /// Of a run in which something happens at a time, or by it; empty where that is known as well as the rest.
  std::string note(bool has_events) const;
  template <class Memory>
  void remember(Memory& memory) {
    memory(changes_, latest_, lost_, ranges_);
  }

 private:
  double lost_part() const;
  bool is_blurred(double t, const std::vector<double>& y, double length);

  Evaluator& evaluator_;
  Tolerance tolerance_;
  bool asks_for_time_;
  bool changes_ = false;
  double latest_ = 0;         ///< time of a step
  std::vector<double> lost_;  ///< by how much each number may change while the time is not told apart
  RunRanges ranges_;
};

/// The digits that such a note tells; nothing of any other.
std::optional<double> late_digits_in(const std::string& note);

}  // namespace liaison
