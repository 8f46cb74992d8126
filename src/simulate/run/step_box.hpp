#pragma once

#include <optional>
#include <vector>

#include "interval.hpp"
#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// What a step may have passed, number by number: the time, then the state.
class StepBox {
 public:
  explicit StepBox(const Evaluator& evaluator);

  const std::vector<Expr>& variables() const { return variables_; }
  void begin() { earlier_rates_.assign(earlier_rates_.size(), 0.0); }
  template <class Memory>
  void remember(Memory& memory) {
    memory(earlier_rates_);
  }
  /// Between the ends of a step, and beyond by what it turned.
  const std::vector<Interval>& around(double before, double time, const std::vector<double>& first,
                                      const std::vector<double>& last);

 private:
  std::vector<Expr> variables_;
  std::vector<std::optional<std::size_t>> rate_places_;  ///< of each number of the state: where its rate is
  std::vector<double> rates_, earlier_rates_;            ///< over this step and the one before
  std::vector<Interval> box_;
};

}  // namespace liaison
