#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulate/contacts/contact_frame.hpp"

namespace liaison {

/// One step of time after another. The motion with all contacts open is carried on by Runge and Kutta's
/// method of order four; contacts whose gaps would then be closed press with one impulse each, so that at
/// the end of the step the velocities obey their laws. What they change acts on the positions as a force that
/// is constant in the step. Constraints that cannot open are kept by projection, and gaps that are negative
/// by the curvature of their surfaces, or by an impact within the step, are closed by the least change of the
/// positions in the mass metric.
class ContactStepping {
 public:
  ContactStepping(Evaluator& open, ContactFrame& frame, const ContactModes& modes, double tolerance);

  /// False where something has no value or the state violates a contact: failure() says what.
  bool begin(double t, const std::vector<double>& y);
  bool step(double end);
  const std::string& failure() const { return failure_; }

  double time() const { return t_; }
  const std::vector<double>& state() const { return y_; }
  /// Of the last step: impulses over its length, of all rows of the closed system.
  const std::vector<double>& forces() const { return forces_; }
  const std::vector<ContactStep>& steps() const { return steps_; }
  std::size_t evaluations() const { return evaluations_; }

  struct Depth {
    double depth = 0, size = 0, t = 0;  ///< size: the largest of the terms of the gap
    std::size_t contact = 0;
  };
  const Depth& deepest() const { return deepest_; }  ///< that a step ended with
  double worst_residual() const { return worst_residual_; }
  std::size_t not_converged() const { return not_converged_; }  ///< steps
  /// When a contact first allowed several impulses.
  const std::optional<double>& first_ambiguous() const { return first_ambiguous_; }

 private:
  bool fail(const std::string& why);
  bool move_freely(double end);
  bool see(double t, const std::vector<double>& y);  ///< the frame is of this state
  int sign_of_gap(std::size_t contact) const;
  bool rates(double t, const std::vector<double>& y, std::vector<double>& into);
  bool is_place(std::size_t contact) const { return modes_.laws()[contact].held.holonomic; }
  bool press(double end, std::vector<double>& next);
  bool move_positions(double t, const std::vector<double>& velocities, double length, std::vector<double>& y);
  bool project(double t, std::vector<double>& y);
  bool close_gaps(double end, std::vector<double>& next);
  void remember(double end);

  Evaluator& open_;
  ContactFrame& frame_;
  const ContactModes& modes_;
  ManyContactsOptions options_;
  double t_ = 0;
  std::vector<double> y_, free_;
  std::vector<double> before_;  ///< rate of each gap where the step begins
  std::vector<double> widest_;  ///< the largest that the terms of each gap were
  std::vector<std::size_t> active_;
  std::vector<double> forces_;
  std::vector<ContactStep> steps_;
  std::string failure_;
  std::size_t evaluations_ = 0, not_converged_ = 0;
  Depth deepest_;
  double worst_residual_ = 0;
  std::optional<double> first_ambiguous_;
};

}  // namespace liaison
