#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "moment.hpp"
#include "stepper.hpp"

namespace liaison {

/// What integrals were, and the states, at the ends of steps of a run that may go back to one of them.
class IntegralHistory {
 public:
  struct Entry {
    double t;
    std::vector<double> y;
    std::vector<std::string> names;
    std::vector<double> values;
    /// In another order; NaN for one that was not there.
    std::vector<double> of(const std::vector<std::string>& asked) const;
  };
  /// The last one up to a time; those behind it are forgotten.
  const Entry* back_to(double t);
  void add(Entry entry);

 private:
  static constexpr std::size_t most = 100'000;
  std::deque<Entry> entries_;
};

/// The integrals of the model along a run: quadratures over the states within its steps, finer where the
/// integrand has corners or jumps.
class Integrals {
 public:
  Integrals(Evaluator& evaluator, Observations& observations, Stepper& stepper);

  /// At the begin of a run: zero, or what they were at the end of the part before.
  void begin(double t, const std::vector<double>& y);
  /// Up to a time of the present step.
  void until(double t);
  /// At the end of a step, or where one was ended: the run may be taken up there.
  void keep(double t);
  /// From one state to another between which no step was made.
  static std::vector<double> over(Evaluator& evaluator, Quantities& outputs,
                                  const IntegralHistory::Entry& first, double t,
                                  const std::vector<double>& y);

  std::vector<double> memory() const;
  bool recall(std::span<const double> memory);

 private:
  using Values = std::vector<double>;
  bool is_asked() const { return !outputs_.integrals().empty(); }
  void add(double from, double to, const Values& whole, int depth);
  std::optional<Values> sum_over(double from, double to);
  void tell();

  Evaluator& evaluator_;
  Quantities& outputs_;
  Stepper& stepper_;
  Moment moment_;
  std::shared_ptr<IntegralHistory> history_;
  double last_ = 0;
  Values values_, sizes_, here_;
  std::size_t parts_ = 0;  ///< of the present quadrature
  bool lost_ = false;      ///< somewhere there was no integrand
};

}  // namespace liaison
