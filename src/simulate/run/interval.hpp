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

 private:
  struct Step {
    Op op;
    std::vector<std::size_t> args;        ///< earlier steps
    double value = 0;                     ///< of a constant; the exponent of a power
    std::optional<std::size_t> variable;  ///< its place
  };
  std::vector<Step> steps_;
  std::vector<Interval> values_;
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
