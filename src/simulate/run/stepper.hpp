#pragma once

#include <array>
#include <span>
#include <vector>

#include "bridge.hpp"
#include "ends.hpp"
#include "impulses.hpp"
#include "kinks.hpp"
#include "late_times.hpp"
#include "memory.hpp"
#include "moment.hpp"
#include "poles.hpp"
#include "rank_watch.hpp"
#include "root_starts.hpp"
#include "state_features.hpp"
#include "time_features.hpp"
#include "time_poles.hpp"

namespace liaison {

/// The method along its run: steps, the state on the constraints, and whether the motion comes on.
class Stepper {
 public:
  Stepper(Evaluator& evaluator, BridgedMethod& integrator, const SimulationOptions& options);

  /// Begins a run; moves the state onto the constraints.
  MaybeEnd begin(double t, std::vector<double>& y);
  /// Begins again after a jump of the state.
  MaybeEnd begin_again(double t, const std::vector<double>& y);
  /// One step. Where the relations lose their rank in it and no motion is determined there, the step is cut
  /// at that time, and lost() is the end of the run.
  MaybeEnd step();
  const MaybeEnd& lost() const { return lost_; }
  /// The singular configurations up to a time of the last step.
  std::vector<PassedSingularity> passed(double until) const;
  void recall_passed(std::vector<PassedSingularity> passed) {
    passed_ = std::move(passed);
    checked_ = passed_.size();
  }
  const std::vector<std::vector<double>>& open() const { return open_; }
  /// Whether a singular configuration lies behind and it is not yet known that the motion goes on smoothly.
  bool is_in_question() const { return near_.has_value() || checked_ < passed(time()).size(); }
  /// A change of form that was looked for at samples alone, in words.
  const std::string& sampled() const { return kinks_.sampled(); }
  /// What is known less exactly than the tolerance says, because the times are late; empty: nothing.
  std::string blurred(bool has_events) const { return late_.note(has_events); }
  /// Back onto the constraints after a step, and beyond a change of form.
  MaybeEnd settle();

  /// The end of a run whose equations have no motion at a state.
  RunEnd no_motion(double t, const std::vector<double>& y);

  double before() const { return before_; }  ///< where the last step began
  /// Where it ends: before the end of the method's own step where the equations change their form, or where
  /// their rank is lost.
  double time() const { return lost_ ? lost_->t : change_ ? *change_ : integrator_.time(); }
  /// Whether the step ends where the equations change their form.
  bool ends_at_change() const { return !lost_ && change_.has_value(); }
  std::vector<double> state() const;
  /// The state at a time of the last step, on the constraints.
  void state_at(double t, double* y);
  /// The same as exactly as the method can, by a step that ends there; the method does not go on from its own
  /// end afterwards.
  bool interpolates_well() const { return integrator_.interpolates_to_its_order(); }
  MaybeEnd land(double t, std::vector<double>& y);

  std::size_t steps() const { return steps_; }
  std::size_t evaluations() const { return earlier_evaluations_ + integrator_.evaluations(); }
  std::size_t rejected() const { return earlier_rejected_ + integrator_.rejected(); }

  std::vector<double> memory() const;
  std::vector<double> kinks_memory() const { return kinks_.memory(); }
  /// Of abs, sign, min and max, as the motion has them now; empty: there are none.
  std::span<const double> held_sides() const { return kinks_.held().sides; }
  /// The method at the state of a checkpoint, with what it and the run remember. False where they do not fit,
  /// or where there is no motion: then lost() is the end of the run.
  bool recall(double t, std::span<const double> y, std::span<const double> method,
              std::span<const double> own, std::span<const double> kinks);

 private:
  bool starts_on_its_sides(double t, const std::vector<double>& y);
  MaybeEnd begin_method(double t, const std::vector<double>& y);
  MaybeEnd look_for_roots(double t, const std::vector<double>& y);
  MaybeEnd find_change();
  MaybeEnd pass_change();
  bool chatters(double t);
  MaybeEnd shorten_to_rates();
  MaybeEnd shorten_to_features();
  bool follows_rates(double begin, double end);
  MaybeEnd approach_change();
  double limit();
  bool is_in_vain();
  bool crawls();
  MaybeEnd look_for_poles();
  void look_for_lost_rank();
  bool ends_at_pole_of_time();
  std::string pole_ahead();
  std::string singular_in_reach(std::span<const double> y);
  void keep_passed(double until);
  StepOutcome step_over_singularities();
  double look_ahead(double end);
  double lay_bridge(double end, const std::vector<double>& rates, double shortly);
  MaybeEnd check_passage();
  MaybeEnd compare_sides(const PassedSingularity& there, double since, const std::vector<double>& from,
                         const std::vector<double>& now);
  MaybeEnd learn_open(const std::vector<double>& y);
  MaybeEnd moved_too_far(std::span<const double> from, std::span<const double> to);
  std::string reason() const;
  template <class Memory>
  void remember(Memory& memory) {
    memory(guess_, sizes_, ranges_, late_, kinks_, state_features_, slow_from_, slow_until_, slow_length_,
           ranks_, poles_, slides_, ends_, distance_, tried_, clear_times_, clear_states_, window_state_,
           window_rejected_, begin_time_, window_time_, crawl_time_, crawl_state_);
    memory(open_);
  }
  RunEnd failed(StepOutcome outcome);

  Evaluator& evaluator_;
  BridgedMethod& integrator_;
  const SimulationOptions& options_;
  RunSizes sizes_;
  RunRanges ranges_;
  LateTimes late_;
  Kinks kinks_;
  Impulses impulses_;
  TimeFeatures features_;
  StateFeatures state_features_;
  /// A feature ahead: a step ends where it begins, and from there to where it is past none is longer.
  double slow_from_ = -INFINITY, slow_until_ = -INFINITY, slow_length_ = 0;
  bool projects_;
  RankWatch ranks_;
  PoleWatch poles_;
  RootStarts root_starts_;
  TimePoles time_poles_;
  SlideWatch slides_;
  EndFinder ends_;
  MaybeEnd lost_;
  bool time_stands_ = false;  ///< in many steps it hardly went on
  std::vector<PassedSingularity> passed_;
  std::vector<PassedSingularity> passing_;  ///< in the last step, while its events are not done
  std::vector<std::vector<double>> open_;
  std::optional<double> change_;           ///< in the last step
  std::vector<double> change_state_;       ///< there, on the constraints
  std::vector<double> guess_;              ///< of the evaluator, as the method left it
  std::vector<double> first_;              ///< the state where the last step began
  std::vector<double> settled_;            ///< the state at its end, on the constraints
  std::optional<PassedSingularity> near_;  ///< a singular configuration that a step ended at
  bool near_turned_ = false;               ///< and there a gradient turned over
  std::vector<double> questioned_;         ///< the state there, or where one was passed
  double distance_ = 1;                    ///< from a singular configuration
  double tried_ = 1;                       ///< the distance from which there was no bridge over it
  static constexpr std::array clear{0.001, 0.002, 0.005, 0.01, 0.02, 0.05};
  std::vector<double> clear_times_;                ///< where the motion was last so far from one
  std::vector<std::vector<double>> clear_states_;  ///< there
  std::size_t checked_ = 0;                        ///< of those passed
  double before_ = 0;
  double begin_time_ = 0, window_time_ = 0;
  std::vector<double> window_state_;
  std::size_t window_rejected_ = 0;
  double crawl_time_ = -INFINITY;
  std::vector<double> crawl_state_;
  double chatter_time_ = -INFINITY;  ///< since then changes follow each other within next to no time
  std::vector<double> chatter_state_;
  std::size_t chatter_count_ = 0;
  std::size_t steps_ = 0, earlier_evaluations_ = 0, earlier_rejected_ = 0;
};

/// A count that was kept among doubles; what is none is 0.
std::size_t count_of(double number);

}  // namespace liaison
