#pragma once

#include <functional>
#include <string>
#include <vector>

#include "liaison/compile/multiprecision.hpp"

namespace liaison {

/// y' = f(t, y) in long numbers; false where f has no value.
using LongRates =
    std::function<bool(const LongReal& t, const std::vector<LongReal>& y, std::vector<LongReal>& dy)>;

struct ExtrapolationOptions {
  long bits = 192;
  double tolerance = 1e-32;  ///< of one step, relative to the size of each component
  double floor = 1e-5;       ///< the least size of a component
  std::size_t columns = 0;   ///< 0: chosen step by step
  double step = 0;           ///< 0: chosen
  std::size_t max_steps = 20000;
};

enum class ExtrapolationOutcome {
  finished,
  no_value,   ///< at the beginning of a step
  too_small,  ///< steps fell to nothing
  step_limit,
};

/// The midpoint rule with 2, 4, 6, ... parts of a step, whose error has even powers of the step only,
/// extrapolated by the scheme of Aitken and Neville: k columns have order 2k (Gragg, Bulirsch and Stoer).
class Extrapolation {
 public:
  Extrapolation(LongRates rates, const ExtrapolationOptions& options);

  ExtrapolationOutcome run(LongReal t, std::vector<LongReal> y, const LongReal& end);

  const LongReal& time() const { return t_; }
  const std::vector<LongReal>& state() const { return y_; }
  /// The largest absolute value that each component had.
  const std::vector<double>& sizes() const { return size_; }
  std::size_t steps() const { return steps_; }
  std::size_t rejected() const { return rejected_; }
  std::size_t evaluations() const { return evaluations_; }

 private:
  enum class Attempt { accepted, refused, no_value };
  void prepare(const LongReal& end);
  bool evaluate(const LongReal& t, const std::vector<LongReal>& y, std::vector<LongReal>& dy);
  bool midpoint_row(std::size_t row, const LongReal& step);
  void extrapolate(std::size_t row);
  double error_of_row() const;
  Attempt attempt(const LongReal& step);
  bool is_hopeless(std::size_t column, double error) const;
  void choose_next(double taken, bool accepted);
  double work(std::size_t column) const { return cost_[column] / next_step_[column]; }

  LongRates rates_;
  ExtrapolationOptions options_;
  std::vector<std::vector<LongReal>> factor_;  ///< n_l^2/(n_j^2 - n_l^2)
  std::vector<double> cost_;                   ///< evaluations up to a column
  LongReal t_, work_time_, end_time_, part_;
  std::vector<LongReal> y_, rate_, before_, now_, derivative_;
  std::vector<std::vector<LongReal>> table_;  ///< the last row: table_[0] has the highest order
  std::vector<double> size_;
  std::vector<double> next_step_;  ///< that a column suggests
  double step_ = 0;
  std::size_t target_ = 0;   ///< the column in which convergence is expected
  std::size_t reached_ = 0;  ///< the last column of the last attempt
  bool refused_last_ = false;
  std::size_t steps_ = 0, rejected_ = 0, evaluations_ = 0;
};

}  // namespace liaison
