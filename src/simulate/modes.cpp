#include "modes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison {

Modes::Modes(Evaluator& evaluator, Observations& observations, Stepper& stepper, Recorder& recorder,
             const SimulationOptions& options)
    : observations_(observations),
      evaluator_(evaluator),
      stepper_(stepper),
      recorder_(recorder),
      options_(options),
      moment_(evaluator),
      search_(observations.events),
      event_values_(observations.events.size()) {}

MaybeEnd Modes::begin(double t, const std::vector<double>& y) {
  start_ = t;
  if (search_.empty()) return {};
  if (!values(t, y.data(), event_values_.data()))
    return no_way_on(t, y, "an event of the model has no value");
  search_.begin(event_values_);
  return {};
}

bool Modes::values(double t, const double* y, double* found) {
  const bool known = !observations_.event_values.needs_rates() || moment_.take(t, y);
  return known &&
         observations_.event_values.evaluate(t, y, moment_.accelerations(), moment_.factors(), found);
}

MaybeEnd Modes::after_step(bool& jumped) {
  jumped = false;
  if (search_.empty()) return {};
  std::vector<double> y(evaluator_.size());
  const EventSearch::Values at = [&](double t, double* found) {
    stepper_.state_at(t, y.data());
    return values(t, y.data(), found);
  };
  double from = stepper_.before();
  while (const auto found = search_.next(from, stepper_.time(), at)) {
    const Event& event = observations_.events[found->event];
    stepper_.state_at(found->t, y.data());
    if (found->at_once) {
      return no_way_on(
          found->t, y,
          fmt::format("the event `{}` happens again at once: its reset does not lead away from it",
                      event.name));
    }
    if (auto end = recorder_.rows_until(found->t)) return end;
    records_.push_back({found->t, found->event});
    if (recorder_.last_row() < found->t) {
      if (auto end = recorder_.row(found->t, y)) return end;
    }
    if (event.action == EventAction::stop) {
      return RunEnd{SimulationOutcome::event, found->t, y,
                    fmt::format("the event `{}` ended the run at t = {:.15g}", event.name, found->t)};
    }
    if (event.action == EventAction::reset) {
      jumped = true;
      return jump(*found, std::move(y));
    }
    from = found->t;
  }
  return {};
}

MaybeEnd Modes::jump(const EventSearch::Found& found, std::vector<double> y) {
  const std::string& name = observations_.events[found.event].name;
  const std::vector<std::size_t>& targets = observations_.reset_targets[found.event];
  std::vector<double> reset(targets.size());
  if (!moment_.take(found.t, y.data()) ||
      !observations_.reset_values[found.event].evaluate(found.t, y.data(), moment_.accelerations(),
                                                        moment_.factors(), reset.data()))
    return no_way_on(found.t, y, fmt::format("the reset of the event `{}` has no value", name));
  for (std::size_t i = 0; i < targets.size(); ++i) y[targets[i]] = reset[i];
  if (options_.project && !evaluator_.project(found.t, y.data()))
    return no_way_on(found.t, y, "the state after the event cannot be moved onto the constraints");
  if (accumulates()) {
    return no_way_on(
        found.t, y,
        fmt::format("the event `{}` happens ever faster: infinitely many times before the motion goes on",
                    name));
  }
  if (auto end = stepper_.begin_again(found.t, y)) return end;
  if (!values(found.t, y.data(), event_values_.data()))
    return no_way_on(found.t, y, "an event of the model has no value");
  search_.begin_after(found.event, event_values_);
  return recorder_.after_jump(found.t, y);
}

/// Whether the intervals between the last resets shrink so that infinitely many fit into next to nothing.
bool Modes::accumulates() const {
  std::vector<double> times;
  for (std::size_t i = records_.size(); i-- > 0 && times.size() < 8;) {
    if (observations_.events[records_[i].event].action == EventAction::reset) times.push_back(records_[i].t);
  }
  if (times.size() < 8) return false;
  for (std::size_t i = 0; i + 2 < times.size(); ++i) {
    if (times[i] - times[i + 1] >= times[i + 1] - times[i + 2]) return false;
  }
  const double last = times[0] - times[1], ratio = last / (times[1] - times[2]);
  return last * ratio / (1 - ratio) < 1e-6 * (times[0] - first_of_series());
}

/// The reset from which on the intervals have only become shorter.
double Modes::first_of_series() const {
  double later = NAN, latest = NAN;
  for (std::size_t i = records_.size(); i-- > 0;) {
    if (observations_.events[records_[i].event].action != EventAction::reset) continue;
    const double t = records_[i].t;
    if (later - t <= latest - later) return later;
    latest = later;
    later = t;
  }
  return later;
}

std::vector<double> Modes::memory() const {
  std::vector<double> result{start_};
  for (const EventRecord& record : records_) {
    result.push_back(record.t);
    result.push_back(static_cast<double>(record.event));
  }
  return result;
}

bool Modes::recall(std::span<const double> search, std::span<const double> records) {
  if (records.size() % 2 != 1) return false;
  start_ = records[0];
  for (std::size_t i = 1; i + 1 < records.size(); i += 2) {
    if (count_of(records[i + 1]) >= observations_.events.size()) return false;
    records_.push_back({records[i], count_of(records[i + 1])});
  }
  search_.recall(search);
  return true;
}

}  // namespace liaison
