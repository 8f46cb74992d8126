#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"
#include "step_contacts.hpp"

namespace liaison {

/// One step of time after another. The motion with all contacts open is carried on by Runge and Kutta's
/// method of order four; contacts whose gaps would then be closed press with one impulse each, so that at
/// the end of the step the velocities obey their laws. What they change acts on the positions as a force that
/// is constant in the step. Constraints that cannot open are kept by projection, and gaps that are negative
/// by the curvature of their surfaces, or by an impact within the step, are closed by the least change of the
/// positions in the mass metric. That lifts what lies on them, and the energy that it brings is told.
class ContactStepping {
 public:
  ContactStepping(Evaluator& open, StepContacts& contacts, double tolerance);

  /// False where something has no value or the state violates a contact: failure() says what.
  bool begin(double t, const std::vector<double>& y);
  bool step(double end);
  /// As `begin`, with what was remembered of a run before.
  bool go_on();
  const std::string& failure() const { return failure_; }

  double time() const { return t_; }
  const std::vector<double>& state() const { return y_; }
  /// Of the last step: impulses over its length, of all forces.
  const std::vector<double>& forces() const { return forces_; }
  /// What each contact did in the last step.
  const std::vector<ContactStep>& steps() const { return steps_; }
  std::size_t evaluations() const { return evaluations_; }

  struct Depth {
    double depth = 0, size = 0, t = 0;  ///< size: the largest of the terms of the gap
    std::size_t contact = 0;
  };
  const Depth& deepest() const { return deepest_; }  ///< that a step ended with
  double worst_residual() const { return worst_residual_; }
  std::size_t not_converged() const { return not_converged_; }  ///< steps
  /// What the law of impact created: in so many steps, altogether, and the most in one of them, at its end.
  struct Gain {
    std::size_t steps = 0;
    double energy = 0, most = 0, t = 0;
  };
  const Gain& gain() const { return gain_; }
  /// What closing the gaps at the ends of steps brought, where it did not take.
  double lifted() const { return lifted_; }
  /// When a contact first allowed several impulses.
  const std::optional<double>& first_ambiguous() const { return first_ambiguous_; }

  /// For checkpoints, between two steps.
  template <class Memory>
  void remember(Memory& memory) {
    std::vector<std::size_t> did;
    for (const ContactStep step : pressed_.steps) did.push_back(static_cast<std::size_t>(step));
    std::vector<double> ambiguous;
    if (first_ambiguous_) ambiguous.push_back(*first_ambiguous_);
    memory(t_, y_, widest_, forces_, pressed_.contacts, pressed_.first_row, pressed_.rests, pressed_.forces,
           did, evaluations_, not_converged_, worst_residual_, deepest_.depth, deepest_.size, deepest_.t,
           deepest_.contact, ambiguous, gain_.steps, gain_.energy, gain_.most, gain_.t, lifted_);
    pressed_.steps.clear();
    for (const std::size_t step : did) pressed_.steps.push_back(static_cast<ContactStep>(step));
    if (!ambiguous.empty()) first_ambiguous_ = ambiguous.front();
  }

 private:
  bool fail(const std::string& why);
  bool move_freely(double end);
  bool see(double t, const std::vector<double>& y);  ///< the frame is of this state
  /// Gaps of some contacts, in order; those of others may be of another state.
  bool see_some(double t, const std::vector<double>& y, const std::vector<std::size_t>& some);
  /// All gaps, and the contacts that close in the free motion; those that its impulses may close.
  bool look_ahead(double end);
  /// To the contacts that press; how many.
  bool add_closed(double end, const std::vector<std::size_t>& among, std::size_t& added);
  int sign_of_gap(std::size_t contact) const {
    const double gap = contacts_.gaps()[contact];
    if (std::abs(gap) <= closed_beside * widest_[contact]) return 0;
    return gap > 0 ? 1 : -1;
  }
  bool rates(double t, const std::vector<double>& y, std::vector<double>& into);
  enum class Effort { scout, draft, solve };
  bool press(double end, Effort effort, std::vector<double>& next);
  bool move_positions(double t, const std::vector<double>& velocities, double length, std::vector<double>& y);
  bool project(double t, std::vector<double>& y);
  bool close_gaps(double end, std::vector<double>& next);
  bool has_negative_gap(const std::vector<std::size_t>& among) const;
  bool move_apart(double end, const std::vector<std::size_t>& near, std::vector<double>& next);
  std::vector<std::size_t> within_reach() const;
  std::vector<std::size_t> resting_contacts() const;
  void end_step(double end);
  static double speed_before(const ManyContacts& problem, std::size_t row,
                             std::span<const double> velocities);
  double created_by(const ManyContacts& problem, const ManyImpulses& found) const;
  void start_from_last(double h, const ManyContacts& problem, ManyImpulses& start) const;

  /// A gap smaller than this part of the largest that its terms were is closed, a speed beside its terms
  /// zero.
  static constexpr double closed_beside = 1e-9;

  Evaluator& open_;
  StepContacts& contacts_;
  ManyContactsOptions options_;
  double t_ = 0;
  std::vector<double> y_, free_;
  std::vector<char> is_place_;                       ///< of each contact whether its gap is no speed
  std::vector<double> widest_;                       ///< the largest that the terms of each gap were
  std::vector<std::size_t> active_, places_, near_;  ///< places_: all that are no speeds
  std::vector<double> gaps_before_;                  ///< at the begin of the step
  /// Those of the last solution in order, and the forces of their rows.
  struct Pressed {
    std::vector<std::size_t> contacts, first_row;
    std::vector<double> forces;
    std::vector<ContactStep> steps;
    std::vector<std::size_t> rests;  ///< 1 where no rebound is asked for, else 0
  };
  Pressed pressed_, pressed_before_;  ///< where the next iteration begins, and began
  std::vector<double> forces_;
  std::vector<ContactStep> steps_;
  std::string failure_;
  std::size_t evaluations_ = 0, not_converged_ = 0;
  Depth deepest_;
  Gain gain_;
  double lifted_ = 0;
  double created_ = 0;   ///< by the impulses of the step
  double residual_ = 0;  ///< of the last solution, which is that of the step in the end
  bool converged_ = true;
  double worst_residual_ = 0;
  std::optional<double> first_ambiguous_;
};

}  // namespace liaison
