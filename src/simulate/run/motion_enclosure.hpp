#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "interval.hpp"
#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// The ranges of functions along a piece of a motion, and those of their rates. Accelerations and factors are
/// enclosed by the linear equations that they solve, whose entries are enclosed.
class MotionEnclosure {
 public:
  MotionEnclosure() = default;
  MotionEnclosure(const Evaluator& evaluator, std::span<const Expr> functions);

  /// Whether the time, the state, accelerations and factors give a function its value, and the latter can be
  /// enclosed.
  bool has(std::size_t function) const { return is_enclosed_[function]; }
  /// Over a box: the time, then the state.
  void enclose(std::span<const Interval> box);
  Interval range(std::size_t function) const { return program_.output(function); }
  /// Over the same box; `slopes` of the velocity parameters are taken where accelerations are not enclosed.
  void enclose_slopes(std::span<const Interval> slopes);
  Interval slope(std::size_t function) const { return program_.slope(function); }

 private:
  /// [mass -directions^T; gradients 0] (du/dt, lambda) = (load, -bias), each with its rate.
  struct Rates {
    IntervalProgram entries;
    std::vector<std::pair<Eigen::Index, Eigen::Index>> places;  ///< of the entries of the matrix
    std::vector<double> signs;
    Eigen::Index size = 0, parameters = 0;
  };
  void make_rates(const Evaluator& evaluator);
  bool take_matrix();
  std::vector<Interval> solve(std::span<const Interval> right) const;

  std::vector<bool> is_enclosed_;
  bool needs_rates_ = false;
  std::size_t positions_ = 0, state_ = 0;
  Rates rates_;
  IntervalProgram position_rates_;
  IntervalProgram program_;  ///< of the functions, by time, state, accelerations and factors
  std::vector<Interval> inputs_, slopes_, found_;
  Eigen::MatrixXd inverse_;  ///< of the middle of the matrix, in doubles
  Eigen::MatrixXd spread_;   ///< |inverse * matrix - 1|, of all matrices within their ranges
  bool is_regular_ = false;
};

}  // namespace liaison
