#include "step_box.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

StepBox::StepBox(const Evaluator& evaluator)
    : variables_{evaluator.time_symbol()},
      rate_places_(evaluator.size()),
      rates_(evaluator.size()),
      earlier_rates_(evaluator.size()),
      box_(evaluator.size() + 1) {
  const std::vector<Expr>& state = evaluator.symbols();
  variables_.insert(variables_.end(), state.begin(), state.end());
  const std::vector<Expr>& rates = evaluator.equations().position_rates;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const auto place = std::find(state.begin(), state.end(), rates[i]);
    if (place != state.end()) rate_places_[i] = static_cast<std::size_t>(place - state.begin());
  }
}

/// A way whose rate goes evenly from v0 to v1 leaves the chord by h |v1 - v0|/8 at most.
const std::vector<Interval>& StepBox::around(double before, double time, const std::vector<double>& first,
                                             const std::vector<double>& last) {
  constexpr double of_the_turn = 0.25, of_the_way = 0.3;
  box_[0] = {before, time};
  const double h = time - before;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const double a = first[i], b = last[i];
    rates_[i] = std::abs(b - a) / h;
    const auto rate = rate_places_[i];
    const double beyond = rate ? of_the_turn * h * std::abs(last[*rate] - first[*rate])
                               : of_the_way * h * std::max(rates_[i], earlier_rates_[i]);
    box_[i + 1] = {std::min(a, b) - beyond, std::max(a, b) + beyond};
  }
  std::swap(rates_, earlier_rates_);
  return box_;
}

}  // namespace liaison
