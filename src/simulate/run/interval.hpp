#pragma once

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

/// The range of an expression in one symbol over an interval of it, at most too wide; other symbols have
/// values. What has no value somewhere reaches from -infinity to infinity.
class IntervalFunction {
 public:
  IntervalFunction(Expr e, Expr variable, std::span<const std::pair<Expr, double>> values);
  Interval operator()(Interval variable);

 private:
  struct Step {
    Op op;
    std::vector<std::size_t> args;  ///< earlier steps
    double value = 0;               ///< of a constant; the exponent of a power
    bool is_variable = false;
  };
  std::vector<Step> steps_;
  std::vector<Interval> values_;
};

}  // namespace liaison
