#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "crossings.hpp"
#include "moment.hpp"

namespace liaison {

/// The changes of form of the equations along a run. Between two of them the sides of all switches are held;
/// a step ends where an argument changes its sign, and the motion begins again on the other side.
class Kinks {
 public:
  Kinks(Evaluator& evaluator, const SimulationOptions& options);
  ~Kinks();
  Kinks(const Kinks&) = delete;
  Kinks& operator=(const Kinks&) = delete;

  bool empty() const { return sides_.empty(); }
  /// The sides at a state where the motion begins. Where arguments are zero, every choice of their sides is
  /// tried: the motion is determined if one choice leads to where it says.
  MaybeEnd begin(double t, const std::vector<double>& y);
  /// The first change in the step that was taken, if any.
  using StateAt = std::function<void(double t, double* y)>;
  MaybeEnd after_step(double before, double time, const std::vector<double>& first, const StateAt& state_at,
                      std::optional<double>& change);
  /// Whether the equations beyond the change that was found are not smooth as they are held.
  bool is_rough() const;
  /// The last step is taken again.
  void look_again() { search_ = before_step_; }
  /// Goes on to the other side at the change that was found.
  MaybeEnd pass(double t, const std::vector<double>& y);

  std::vector<double> memory() const;
  bool recall(std::span<const double> memory);
  template <class Memory>
  void remember(Memory& memory) {
    memory(tried_, tried_at_);
  }

 private:
  /// Where a choice of sides leads.
  struct Trial {
    std::vector<double> sides;
    bool known = false;
    double length = 0;
    std::vector<double> rates, end;         ///< at the beginning; the state after the step
    std::vector<std::vector<double>> path;  ///< of each argument at zero: from near to far
  };

  struct Change {
    std::size_t argument;
    double side;  ///< afterwards
  };

  void hold();
  std::string text_of(std::size_t argument) const;
  std::string texts_of(std::span<const std::size_t> arguments) const;
  MaybeEnd decide(double t, const std::vector<double>& y, std::vector<std::size_t> zeros);
  Trial attempt(double t, const std::vector<double>& y, const std::vector<double>& sides,
                std::span<const std::size_t> zeros);
  bool matters(double t, const std::vector<double>& y, std::size_t argument);
  CrossingSearch::Found look(double before, double time, const CrossingSearch::Values& values);
  double side_left_to(std::size_t argument, const CrossingSearch::Found& found) const;
  bool may_try_other_side(std::size_t argument, double t);
  double last_zero(std::size_t argument, double low, double high, const StateAt& state_at);

  Evaluator& evaluator_;
  const SimulationOptions& options_;
  CrossingSearch search_, before_step_;
  std::vector<double> sides_;
  std::vector<bool> sure_;  ///< whether a side was found by trial or by a change; else it made no difference
  std::vector<bool> of_time_;  ///< whether an argument has the time alone in it
  std::vector<double> values_, sizes_;
  std::vector<Change> changing_;            ///< at the change that was found
  std::vector<std::vector<double>> tried_;  ///< sides with which the motion came back to zero
  double tried_at_ = 0;                     ///< from this time
  bool left_zero_ = false;                  ///< there an argument leaves zero where it stayed
};

}  // namespace liaison
