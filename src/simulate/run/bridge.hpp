#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/integrator.hpp"

namespace liaison {

/// The method of a run, with one way for all methods over a singular configuration that the motion passes.
/// There the relations do not determine the accelerations, and next to it errors of a state come into them
/// divided by the distance; but on its branch of the constraints the motion is smooth. So Gauss's collocation
/// goes over it, with an even number of nodes around it, each moved onto the constraints before its rates are
/// taken, and the method begins again behind.
class BridgedMethod final : public Integrator {
 public:
  BridgedMethod(Integrator& method, Evaluator& evaluator, const Tolerance& tolerance);
  ~BridgedMethod() override;

  /// The next steps go over a bridge of this length, in one or in as many as their ends ask for. False where
  /// two numbers of nodes do not agree to the tolerance: then there is none.
  bool lay(double t, std::span<const double> y, double length);
  /// Whether the next step goes over one.
  bool is_on_bridge() const;

  bool begin(double t, std::span<const double> y, double end) override;
  StepOutcome step(double end) override;
  bool restart(std::span<const double> y) override;
  double time() const override { return bridge_ ? time_ : method_.time(); }
  std::span<const double> state() const override {
    return bridge_ ? std::span<const double>(state_) : method_.state();
  }
  void interpolate(double t, double* y) override;
  double fixed_length() const override { return method_.fixed_length(); }
  bool overlooks_time() const override { return !bridge_ && method_.overlooks_time(); }
  bool overlooks_quadratures() const override { return !bridge_ && method_.overlooks_quadratures(); }
  bool interpolates_to_its_order() const override { return bridge_ || method_.interpolates_to_its_order(); }
  bool keeps_constraints() const override { return method_.keeps_constraints(); }
  bool lives_on_its_past() const override { return method_.lives_on_its_past(); }
  bool may_step_again() const override { return !bridge_ && method_.may_step_again(); }
  std::vector<double> memory() const override;
  void recall(std::span<const double> memory) override;
  /// Whether numbers are as many as this method remembers, once it has begun.
  bool can_recall(std::span<const double> memory) const;
  std::size_t evaluations() const override { return evaluations_ + method_.evaluations(); }
  std::size_t rejected() const override { return method_.rejected(); }
  std::string failure() const override { return bridge_ ? std::string{} : method_.failure(); }

 private:
  /// A polynomial by its value at the beginning and its rates at Gauss's nodes.
  struct Bridge;
  std::unique_ptr<Bridge> solve(std::size_t nodes, double t, std::span<const double> y, double length);

  Integrator& method_;
  Evaluator& evaluator_;
  Tolerance tolerance_;
  double run_end_ = 0;
  std::unique_ptr<Bridge> bridge_;  ///< while the last step, or the next one, goes over it
  double time_ = 0;
  std::vector<double> state_;
  StepClock clock_;
  std::size_t evaluations_ = 0;
};

/// The state a time after one that is known: the velocities by their rates there, the positions by those of
/// the velocities half way. No acceleration is asked for on the way.
std::optional<std::vector<double>> predicted(Evaluator& evaluator, double t, std::span<const double> y,
                                             std::span<const double> rates, double after);

}  // namespace liaison
