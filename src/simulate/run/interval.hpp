#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// Numbers between two bounds. Bounds are not rounded outwards: an enclosure says where a function may have
/// features, to rounding, and decides nothing exactly.
struct Interval {
  double low = 0, high = 0;
  double width() const { return high - low; }
};

/// With 0 * infinity = 0: what is zero stays so beside what has no bound.
Interval times(Interval a, Interval b);
/// The smallest interval that contains both.
inline Interval hull_of(Interval a, Interval b) {
  return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/// The ranges of expressions over a box of their variables, at most too wide; other symbols have values. What
/// has no value somewhere reaches from -infinity to infinity.
class IntervalProgram {
 public:
  IntervalProgram() = default;
  IntervalProgram(std::span<const Expr> outputs, std::span<const Expr> variables,
                  std::span<const std::pair<Expr, double>> values);
  /// One interval a variable; of an output by its place.
  void run(std::span<const Interval> variables);
  Interval output(std::size_t k) const { return values_[outputs_[k]]; }
  /// The ranges of their rates over the box of the last run, from those of the variables.
  void run_slopes(std::span<const Interval> slopes);
  Interval slope(std::size_t k) const { return slopes_[outputs_[k]]; }
  std::size_t size() const { return steps_.size(); }

 private:
  struct Step {
    Op op;
    std::vector<std::size_t> args;        ///< earlier steps
    double value = 0;                     ///< of a constant; the exponent of a power
    std::optional<std::size_t> variable;  ///< its place
  };
  Interval slope_of(const Step& step, std::span<const Interval> slopes) const;

  std::vector<Step> steps_;
  std::vector<std::size_t> moving_;  ///< steps that are no constants
  std::vector<Interval> values_, slopes_;
  std::vector<std::size_t> outputs_;
};

/// One expression in one variable.
class IntervalFunction {
 public:
  IntervalFunction(Expr e, Expr variable, std::span<const std::pair<Expr, double>> values)
      : program_({&e, 1}, {&variable, 1}, values) {}
  Interval operator()(Interval variable) {
    program_.run({&variable, 1});
    return program_.output(0);
  }

 private:
  IntervalProgram program_;
};

}  // namespace liaison
