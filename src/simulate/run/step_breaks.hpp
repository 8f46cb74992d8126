#pragma once

#include <functional>
#include <span>
#include <vector>

#include "local_parts.hpp"
#include "simulate/equations/runner.hpp"

namespace liaison {

/// Where a step is cut so that functions of the state are told by samples in between: around parts of them
/// that move over many of their own lengths, by enclosures of the parts and of the functions along the step,
/// and where switches of the functions change their form. A piece on which no function comes to zero, as its
/// enclosure says, is not cut.
class StepBreaks {
 public:
  StepBreaks() = default;
  /// A function with accelerations, factors or energies in it has the features of the equations. The
  /// switches of the equations themselves end steps already.
  StepBreaks(const Evaluator& evaluator, std::span<const Expr> functions);
  /// The same without the switches of the functions.
  static StepBreaks of_parts(const Evaluator& evaluator, std::span<const Expr> functions);

  bool empty() const { return parts_.empty() && arguments_ == 0; }
  /// What samples of the functions passed in a step: where by that no feature and no switch can be, breaks
  /// are not needed.
  void begin_step() { seen_.clear(); }
  void see(const double* y);
  bool are_needed(double begin, double end);
  using StateAt = std::function<void(double t, double* y)>;
  /// In order, all inside of the step.
  std::vector<double> in_step(double begin, double end, const StateAt& state_at);

 private:
  struct Function {
    bool is_enclosed = false;
    std::vector<std::size_t> parts, arguments;  ///< that are in it
  };
  struct Piece {
    double low, high;
    std::vector<double> first, last;
    std::vector<double> beyond;  ///< how far each number may leave what is between first and last
  };

  StepBreaks(const Evaluator& evaluator, std::span<const Expr> functions, std::vector<Expr> arguments);
  std::vector<Piece> quarters(double begin, double end, const StateAt& state_at) const;
  void enclose(std::span<const Piece> pieces);
  void measure_parts();
  bool may_be_zero(std::size_t function) const;
  void see_changes();
  bool is_to_be_cut() const;
  void add_changes(std::size_t argument, double begin, double end, const StateAt& state_at,
                   std::vector<double>& breaks);

  std::vector<Function> functions_;  ///< what was given, then the arguments of switches
  std::size_t arguments_ = 0;
  LocalParts parts_;
  std::vector<double> slack_;  ///< of each part: changes that are none
  std::vector<bool> changes_;  ///< of each argument: whether it may change its sign
  std::vector<Interval> box_;
  std::vector<Interval> seen_;  ///< of each number of the state
  std::size_t state_size_ = 0;
  Runner values_;  ///< of the arguments, then the sizes of their terms
  std::vector<double> inputs_;
};

/// Both in order, each time once.
void add_breaks(std::vector<double>& breaks, std::span<const double> further);

}  // namespace liaison
