#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "local_parts.hpp"
#include "motion_enclosure.hpp"
#include "simulate/equations/runner.hpp"

namespace liaison {

/// Where a step is cut so that functions of the motion are told by samples in between. Each function and its
/// rate are enclosed along pieces of the step, which are halved until on each the function is away from zero,
/// goes one way, or bends as its values show; there samples overlook nothing. What cannot be enclosed, as
/// with factors that relations leave open, is cut around parts that move over many of their own lengths.
/// Switches of the functions end pieces too.
class StepBreaks {
 public:
  StepBreaks() = default;
  /// The switches of the equations themselves end steps already.
  StepBreaks(const Evaluator& evaluator, std::span<const Expr> functions);
  /// The same without the switches of the functions.
  static StepBreaks without_switches(const Evaluator& evaluator, std::span<const Expr> functions);
  /// For functions whose values matter where they are away from zero too: with samples in each piece.
  static StepBreaks of_values(const Evaluator& evaluator, std::span<const Expr> functions);

  bool empty() const { return functions_.empty(); }
  /// Whether a function is enclosed.
  bool has(std::size_t function) const { return functions_[function].is_enclosed; }
  /// What samples of the functions passed in a step: where by that no function can be zero, breaks are not
  /// needed.
  void begin_step() {
    seen_.clear();
    overlooked_.clear();
  }
  void see(const double* y);
  bool are_needed(double begin, double end);
  using StateAt = std::function<void(double t, double* y)>;
  /// In order, all inside of the step.
  std::vector<double> in_step(double begin, double end, const StateAt& state_at);
  /// Functions of which the last breaks do not tell all: they were followed at samples alone.
  const std::set<std::size_t>& overlooked() const { return overlooked_; }

  template <class Memory>
  void remember(Memory& memory) {
    memory(budget_);
  }

 private:
  struct Function {
    bool is_enclosed = false;
    std::vector<std::size_t> parts, arguments;  ///< that are in it
    // Of the pieces of a step so far.
    bool is_away = true;  ///< from zero
    bool goes_up = true, goes_down = true;
  };
  struct Piece {
    double low, high;
    std::vector<double> first, last;
    std::vector<double> beyond;  ///< how far each number may leave what is between first and last
  };

  StepBreaks(const Evaluator& evaluator, std::span<const Expr> functions, std::vector<Expr> arguments);
  std::size_t given() const { return functions_.size() - arguments_; }
  std::vector<Piece> quarters(double begin, double end, const StateAt& state_at) const;
  void enclose(std::span<const Piece> pieces);
  void enclose_slopes(const Piece& piece);
  double value_at(std::size_t function, double t, std::span<const double> y);
  void measure_parts();
  void measure_values(std::span<const Piece> pieces);
  bool may_be_zero(std::size_t function) const;
  bool bends_as_shown(std::size_t function, const Piece& piece, std::span<const double> middle,
                      Interval slope);
  std::vector<std::size_t> to_be_cut(const Piece& piece, std::vector<double>& middle, const StateAt& state_at,
                                     bool all);
  bool has_long_parts() const;
  void see_changes();
  void add_changes(std::size_t argument, double begin, double end, const StateAt& state_at,
                   std::vector<double>& breaks);

  std::vector<Function> functions_;  ///< what was given, then the arguments of switches
  std::size_t arguments_ = 0;
  bool all_values_ = false;
  std::vector<double> scales_;  ///< of values of a step, where all matter
  MotionEnclosure enclosure_;   ///< of the same
  LocalParts parts_;            ///< of those that are not enclosed
  std::vector<double> slack_;   ///< of each part: changes that are none
  std::vector<bool> changes_;   ///< of each argument: whether it may change its sign
  std::vector<Interval> box_, slopes_;
  std::vector<Interval> seen_;  ///< of each number of the state
  std::size_t state_size_ = 0;
  std::size_t budget_ = most_pieces;  ///< of pieces; less where many were in vain
  std::set<std::size_t> overlooked_;
  Runner values_;  ///< of the arguments, then the sizes of their terms
  std::vector<double> inputs_;

  static constexpr std::size_t most_pieces = 2000, fewest_pieces = 32;
};

/// Both in order, each time once.
void add_breaks(std::vector<double>& breaks, std::span<const double> further);

}  // namespace liaison
