#pragma once

#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "moment.hpp"
#include "step_breaks.hpp"
#include "stepper.hpp"
#include "time_features.hpp"

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
  /// Whether it may go back to where nothing is known any more.
  bool has_forgotten() const { return has_forgotten_; }

 private:
  static constexpr std::size_t most = 100'000;
  bool has_forgotten_ = false;
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
  /// From one state to another between which no step was made; what could not be summed is no number.
  static std::vector<double> over(Evaluator& evaluator, Quantities& outputs,
                                  const IntegralHistory::Entry& first, double t,
                                  const std::vector<double>& y);

  /// What is known at samples alone, or has no integral, in words; empty: nothing.
  const std::string& doubt() const { return doubt_; }
  void recall_doubt(const std::string& text) { doubt_ = text; }

  std::vector<double> memory() const;
  bool recall(std::span<const double> memory);

 private:
  using Values = std::vector<double>;
  bool is_asked() const { return !outputs_.integrals().empty(); }
  void lose(double t);
  /// Of integrals, and behind them of their sizes.
  struct Part {
    double from, to;
    Values whole, first, second;
    int depth;
    bool is_left = false;  ///< it could not be cut
    double change(std::size_t i) const { return std::abs(first[i] + second[i] - whole[i]); }
    double size(std::size_t i, std::size_t count) const { return first[count + i] + second[count + i]; }
  };
  std::optional<Part> part(double from, double to, Values whole, int depth);
  void add(std::span<const double> ends);  ///< of pieces of the present step
  std::optional<Values> sum_over(double from, double to);
  void tell();

  Evaluator& evaluator_;
  Quantities& outputs_;
  Stepper& stepper_;
  Moment moment_;
  std::shared_ptr<IntegralHistory> history_;
  TimeFeatures features_;  ///< of what is integrated
  StepBreaks breaks_;
  std::string doubt_;
  double last_ = 0;
  Values values_, sizes_;
  bool lost_ = false;  ///< somewhere there was no integrand
};

}  // namespace liaison
