#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "crossings.hpp"
#include "implicit_factors.hpp"
#include "moment.hpp"
#include "step_breaks.hpp"
#include "time_zeros.hpp"

namespace liaison {

/// The changes of form of the equations along a run. Between two of them the sides of all switches are held;
/// a step ends where an argument changes its sign, and the motion begins again on the other side.
class Kinks {
 public:
  Kinks(Evaluator& evaluator, const SimulationOptions& options);
  ~Kinks();
  Kinks(const Kinks&) = delete;
  Kinks& operator=(const Kinks&) = delete;

  bool empty() const { return sides_.empty(); }
  /// The sides at a state where the motion begins. Where arguments are zero, every choice of their sides is
  /// tried: the motion is determined if one choice leads to where it says.
  MaybeEnd begin(double t, const std::vector<double>& y);
  /// The first change in the step that was taken, if any.
  using StateAt = std::function<void(double t, double* y)>;
  MaybeEnd after_step(double before, double time, const std::vector<double>& first, const StateAt& state_at,
                      std::optional<double>& change);
  /// With what is held now.
  HeldSides held() const { return {sides_, nudges_, {}}; }
  /// Whether the equations beyond the change that was found are not smooth as they are held.
  bool is_rough() const;
  /// Whether the time alone makes the change that was found.
  bool is_of_time() const;
  /// "`x`, `t - 1` changes its sign": the arguments at that change.
  std::string where() const;
  /// An argument that was followed at samples alone, in words; empty: none.
  const std::string& sampled() const { return sampled_; }
  /// The last step is taken again.
  void look_again() { search_ = before_step_; }
  /// Goes on to the other side at the change that was found.
  MaybeEnd pass(double t, const std::vector<double>& y);

  std::vector<double> memory() const;
  bool recall(std::span<const double> memory);
  template <class Memory>
  void remember(Memory& memory) {
    memory(tried_, tried_at_, breaks_, sampled_);
  }

 private:
  /// Sides where arguments are zero, with what follows from them.
  struct Choice {
    std::vector<double> sides, nudges;
    std::vector<double> noise;       ///< of arguments that are zero
    std::vector<std::size_t> zeros;  ///< with these sides
  };
  /// Where a choice of sides leads.
  struct Trial {
    Choice choice;
    bool known = false;
    double length = 0;
    std::vector<double> rates, end;         ///< at the beginning; the state after the step
    std::vector<std::vector<double>> path;  ///< of each argument at zero: from near to far
  };

  struct Change {
    std::size_t argument;
    double side;  ///< afterwards
  };

  void hold();
  std::string text_of(std::size_t argument) const;
  std::string texts_of(std::span<const std::size_t> arguments) const;
  MaybeEnd decide(double t, const std::vector<double>& y, std::vector<std::size_t> zeros);
  std::vector<Choice> choices(double t, const std::vector<double>& y, std::span<const std::size_t> zeros,
                              std::vector<std::size_t>& open);
  void choose(Choice& choice, std::size_t argument, double side) const;
  bool matters(double t, const std::vector<double>& y, const Choice& choice, std::size_t argument,
               std::span<const std::size_t> zeros);
  bool is_within(std::size_t argument, std::size_t other) const;
  bool leads_what_matters(double t, const std::vector<double>& y, const Choice& choice, std::size_t argument,
                          std::span<const std::size_t> zeros);
  double noise_at(double t, const std::vector<double>& y, std::size_t argument);
  void look_around(double t, const std::vector<double>& y);
  double side_at(double t, const std::vector<double>& y, std::size_t argument);
  Trial attempt(double t, const std::vector<double>& y, const Choice& choice,
                std::span<const std::size_t> zeros);
  MaybeEnd go_on(double t, const std::vector<double>& y, std::span<const std::size_t> zeros);
  MaybeEnd take_factors(double t, const std::vector<double>& y, std::span<const double> noise,
                        std::vector<std::size_t>& zeros);
  CrossingSearch::Found look(double before, double time, const StateAt& state_at,
                             const CrossingSearch::Values& values);
  double side_left_to(std::size_t argument, const CrossingSearch::Found& found) const;
  bool may_try_other_side(std::size_t argument, double t);
  double last_zero(std::size_t argument, double low, double high, const StateAt& state_at);

  Evaluator& evaluator_;
  const SimulationOptions& options_;
  CrossingSearch search_, before_step_;
  StepBreaks breaks_;  ///< around short features of the arguments
  std::string sampled_;
  std::vector<double> sides_;
  std::vector<double> nudges_;                        ///< of those whose switches keep their written form
  std::vector<bool> of_time_;                         ///< whether an argument has the time alone in it
  std::vector<std::optional<TimeZeros>> time_zeros_;  ///< of those
  std::vector<std::size_t> of_factors_;               ///< arguments that factors are in
  std::vector<double> values_, sizes_;
  double step_length_ = 0;
  double told_until_ = 0;                   ///< changes by the time up to here are done
  double reach_ = 0;                        ///< how uncertain the time of a change is
  std::vector<double> direction_;           ///< of the motion there
  std::vector<Change> changing_;            ///< at the change that was found
  std::vector<std::vector<double>> tried_;  ///< sides with which the motion came back to zero
  double tried_at_ = 0;                     ///< from this time
  bool left_zero_ = false;                  ///< there an argument leaves zero where it stayed
};

}  // namespace liaison
