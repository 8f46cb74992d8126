#ifndef LIAISON_SIMULATE_RUNGE_KUTTA_HPP
#define LIAISON_SIMULATE_RUNGE_KUTTA_HPP

#include <span>
#include <vector>

#include "liaison/simulate/integrator.hpp"

namespace liaison {

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
class DormandPrince final : public Integrator {
 public:
  /// `step_length` > 0: every step has this length, whatever its error; 0: the tolerance decides.
  DormandPrince(Rates rates, std::size_t size, Tolerance tolerance, double step_length = 0);

  /// An absolute tolerance for each component, in the place of one for all.
  void set_absolute(std::vector<double> of_components) { absolute_ = std::move(of_components); }

  bool begin(double t, std::span<const double> y, double end) override;
  StepOutcome step(double end) override;
  bool restart(std::span<const double> y) override;
  double time() const override { return t_; }
  std::span<const double> state() const override { return y_; }
  void interpolate(double t, double* y) override { dense().evaluate(t, y); }
  bool may_step_again() const override { return step_length_ <= 0; }
  double fixed_length() const override { return step_length_; }
  std::vector<double> memory() const override;
  void recall(std::span<const double> memory) override;
  std::size_t evaluations() const override { return evaluations_; }
  std::size_t rejected() const override { return rejected_; }

  /// The polynomial of the last step; its three further evaluations are made at the first call.
  const DenseStep& dense();
  double error_estimate() const { return error_; }  ///< of the last step, relative to the tolerance

 private:
  StepOutcome adaptive_step(double end);
  StepOutcome fixed_step(double end);
  void take_over();
  void remember_sizes();
  bool compute_stages(double h);
  double error_norm(double h) const;
  /// What an error of a component may be that is as large as this.
  double allowed(std::size_t component, double size) const {
    const double absolute = absolute_.empty() ? tolerance_.absolute : absolute_[component];
    return absolute + tolerance_.relative * size;
  }
  bool evaluate(double t, const double* y, double* dy);

  Rates rates_;
  std::size_t n_;
  Tolerance tolerance_;
  std::vector<double> absolute_;  ///< empty: that of the tolerance for all
  double step_length_;
  StepClock clock_;
  double t_ = 0, h_ = 0, previous_ = 0, error_ = 0;
  bool rejected_last_ = false, dense_is_made_ = false, last_is_first_ = false;
  std::size_t evaluations_ = 0, rejected_ = 0;
  std::vector<double> y_, size_, old_, next_;
  std::vector<double> k_;  ///< stage after stage
  DenseStep dense_;
};

}  // namespace liaison

#endif  // LIAISON_SIMULATE_RUNGE_KUTTA_HPP
