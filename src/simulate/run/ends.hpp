#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"
#include "moment.hpp"
#include "rank_watch.hpp"

namespace liaison {

/// A jump of the rates between two states that are as near as doubles allow.
struct RateJump {
  std::size_t component = 0;  ///< of y, that with the largest jump
  double before = 0, after = 0;
};
/// Halves the way from one state to the other, always towards the greater change of the rates. The rates jump
/// where their change does not become smaller with the way; nothing where they do not, or have no value.
std::optional<RateJump> find_jump(Evaluator& evaluator, double t0, std::span<const double> y0, double t1,
                                  std::span<const double> y1);

/// Whether a motion slides along a jump of its equations: steps that cross one again and again while the
/// state stays where it is. Looked at now and then, for a stretch of steps; nothing depends on how long the
/// run is.
class SlideWatch {
 public:
  SlideWatch(Evaluator& evaluator, const Tolerance& tolerance)
      : evaluator_(evaluator), tolerance_(tolerance) {}
  /// A step from the state that was given last.
  std::optional<RateJump> after_step(double t, std::span<const double> y);
  template <class Memory>
  void remember(Memory& memory) {
    memory(steps_, crossings_, begin_time_, last_time_, ranges_, last_, least_, greatest_);
  }

 private:
  std::optional<RateJump> find_jump_ahead(double t, std::span<const double> y);

  Evaluator& evaluator_;
  std::size_t steps_ = 0, crossings_ = 0;
  double begin_time_ = 0, last_time_ = 0;
  Tolerance tolerance_;
  RunRanges ranges_;
  std::vector<double> last_, least_, greatest_;
};

/// What a run that has no way on has come to, by what is tested at its last state.
class EndFinder {
 public:
  explicit EndFinder(Evaluator& evaluator) : evaluator_(evaluator) {}
  void begin(double t, std::span<const double> y);
  /// The length of a step that was taken.
  void see_step(double length) { longest_ = std::max(longest_, length); }
  /// Empty where nothing is found.
  std::string describe(double t, std::span<const double> y, RankWatch& ranks) const;
  template <class Memory>
  void remember(Memory& memory) {
    memory(first_, first_rates_, first_time_, first_mass_, longest_);
  }

 private:
  double least_mass(double t, std::span<const double> y) const;
  std::string divergence(double t, std::span<const double> y, std::span<const double> dy) const;
  double expected_size(std::size_t component, double elapsed) const;
  bool grows(double t, std::span<const double> y, std::span<const double> dy, std::size_t component,
             double size) const;
  std::string name(std::size_t component) const;

  Evaluator& evaluator_;
  std::vector<double> first_, first_rates_;
  double first_time_ = 0, first_mass_ = 0, longest_ = 0;
};

/// "the rate of `x'` jumps from 2.94 to -2.94"
std::string in_words(const Evaluator& evaluator, const RateJump& jump);

}  // namespace liaison
