#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace liaison {

/// y' = f(t, y); false where f has no value.
using Rates = std::function<bool(double t, const double* y, double* dy)>;

struct Tolerance {
  double relative = 1e-9;
  double absolute = 1e-12;
};

/// One step taken, with its polynomial: y(t) for t between begin and end, to order 7.
class DenseStep {
 public:
  double begin = 0, end = 0;
  void evaluate(double t, double* y) const;

 private:
  friend class DormandPrince;
  std::vector<double> start_;
  std::vector<double> coefficients_;  ///< seven a component, component by component of the polynomial
};

/// The method of Dormand and Prince of order 8 with step control and dense output of order 7.
class DormandPrince {
 public:
  DormandPrince(Rates rates, std::size_t size, Tolerance tolerance);

  /// Begins at a state; the first step is estimated unless one is given.
  bool begin(double t, std::span<const double> y, double end, double first_step = 0);
  enum class Outcome {
    stepped,
    too_small,  ///< the step fell below what the time can tell apart: a singularity is near
    no_value,   ///< the rates have no value at the beginning of the step
  };
  /// One step that the tolerance accepts, not beyond `end`.
  Outcome step(double end);
  /// One step of the given length, whatever its error.
  Outcome fixed_step(double length);
  /// The state was changed from outside, by a projection or an event: the rates are computed anew.
  bool restart(std::span<const double> y);

  double time() const { return t_; }
  std::span<const double> state() const { return y_; }
  /// The polynomial of the last step; its three further evaluations are made at the first call.
  const DenseStep& dense();
  std::size_t evaluations() const { return evaluations_; }
  std::size_t rejected() const { return rejected_; }
  double error_estimate() const { return error_; }  ///< of the last step, relative to the tolerance

 private:
  void take_over();
  bool compute_stages(double h);
  double error_norm(double h) const;
  bool evaluate(double t, const double* y, double* dy);

  Rates rates_;
  std::size_t n_;
  Tolerance tolerance_;
  double t_ = 0, h_ = 0, previous_ = 0, error_ = 0;
  bool rejected_last_ = false, dense_is_made_ = false, last_is_first_ = false;
  std::size_t evaluations_ = 0, rejected_ = 0;
  std::vector<double> y_, old_, next_;
  std::vector<double> k_;  ///< stage after stage
  DenseStep dense_;
};

}  // namespace liaison
