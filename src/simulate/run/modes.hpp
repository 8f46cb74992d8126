#pragma once

#include "crossings.hpp"
#include "recorder.hpp"
#include "step_breaks.hpp"
#include "time_zeros.hpp"

namespace liaison {

/// What the motion does where an event of the model happens: recorded, ended, or changed and begun again.
class Modes {
 public:
  Modes(Evaluator& evaluator, Observations& observations, Stepper& stepper, Recorder& recorder,
        const SimulationOptions& options);

  MaybeEnd begin(double t, const std::vector<double>& y);
  /// The events of the last step, in the order of their times. `jumped`: the state was changed at one, and
  /// the motion begins again there.
  MaybeEnd after_step(bool& jumped);
  /// The events at the end of the last step that a step beyond would tell, where there is none.
  MaybeEnd at_last_end(bool& jumped);

  const std::vector<EventRecord>& records() const { return records_; }
  const std::vector<std::string>& notes() const { return notes_; }
  /// At the end of a run: events of which nothing but errors of the motion tells when they happened.
  void note_what_is_not_told();
  void note(const std::string& text);                      ///< once
  const std::string& sampled() const { return sampled_; }  ///< an event that changes the motion, in words
  void recall_sampled(const std::string& text) { sampled_ = text; }
  std::vector<double> search_memory() const;
  std::vector<double> memory() const;
  bool recall(std::span<const double> search, std::span<const double> records);

 private:
  static constexpr double touch_tolerances = 10;
  using Group = std::span<const Crossing>;  ///< at one time

  bool values(double t, const double* y, double* found, double* sizes);
  double error_of(std::size_t function, double t);
  void refine_zeros_of_time(CrossingSearch::Found& found) const;
  void record_turns(Group group, double t, std::span<const double> before, const std::vector<double>& changed,
                    std::span<const double> after);
  RunEnd no_value(double t, std::vector<double> y);
  MaybeEnd look_at_open(double t, const std::vector<double>& y);
  std::vector<Crossing> next_to_end(double t);
  bool is_isolated(std::size_t function) const;
  bool are_all_isolated() const;
  void note_several(const Crossing& crossing);
  bool happens(const Crossing& crossing) const;
  bool resets(const Crossing& crossing) const;
  CrossingSearch::Found search(double begin, double end, const CrossingSearch::Values& at,
                               std::vector<double> breaks);
  CrossingSearch::Found search_to_border(double begin, double unknown, const CrossingSearch::Values& at,
                                         std::vector<double> breaks);
  void follow_at_samples(const std::set<std::size_t>& events);
  std::vector<Crossing> carried_over(Group group, std::span<const double> before,
                                     std::span<const double> sizes) const;
  MaybeEnd stop_at(Group group, double t, const std::vector<double>& y) const;
  void join(Crossing one, std::vector<Crossing>& taken);
  MaybeEnd take(Group group, bool& jumped);
  MaybeEnd reset(Group group, const std::vector<double>& y, std::vector<double>& changed);
  MaybeEnd jump(Group group, std::vector<double> y);
  enum class Departure { unknown, back, on, held, apparent };
  Departure departure(const Crossing& crossing, double t, const std::vector<double>& before,
                      const std::vector<double>& after);
  bool accumulates() const;

  Observations& observations_;
  Evaluator& evaluator_;
  Stepper& stepper_;
  Recorder& recorder_;
  const SimulationOptions& options_;
  Moment moment_;
  CrossingSearch search_, before_;                    ///< before_: where the step began
  TimeFeatures features_;                             ///< of the event functions
  std::vector<std::optional<TimeZeros>> time_zeros_;  ///< of functions of the time alone
  StepBreaks breaks_;                                 ///< of the same, by the state
  std::vector<std::optional<Crossing>> last_;         ///< of each function
  std::vector<double> values_;  ///< of the event functions, then the sizes of their terms
  std::vector<EventRecord> records_;
  std::vector<std::string> notes_;
  std::string sampled_;
  double last_jump_ = 0;
  std::size_t jumps_here_ = 0;  ///< at the time of the last one
};

}  // namespace liaison
