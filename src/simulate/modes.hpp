#pragma once

#include "event_search.hpp"
#include "recorder.hpp"

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

  const std::vector<EventRecord>& records() const { return records_; }
  std::vector<double> search_memory() const { return search_.memory(); }
  std::vector<double> memory() const;
  bool recall(std::span<const double> search, std::span<const double> records);

 private:
  bool values(double t, const double* y, double* found);
  MaybeEnd jump(const EventSearch::Found& found, std::vector<double> y);
  bool accumulates() const;
  double first_of_series() const;

  Observations& observations_;
  Evaluator& evaluator_;
  Stepper& stepper_;
  Recorder& recorder_;
  const SimulationOptions& options_;
  Moment moment_;
  EventSearch search_;
  std::vector<double> event_values_;
  std::vector<EventRecord> records_;
  double start_ = 0;
};

}  // namespace liaison
