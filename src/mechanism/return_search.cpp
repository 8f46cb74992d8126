#include "return_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/mechanism/parts.hpp"
#include "liaison/simulate/relation_size.hpp"

namespace liaison {

ReturnSearch::ReturnSearch(Motion motion, std::string name)
    : motion_(std::move(motion)),
      name_(std::move(name)),
      start_(motion_.evaluator.pack(motion_.values)),
      flow_(start_.size()),
      best_(INFINITY) {
  if (!motion_.evaluator.rates(motion_.begin, start_.data(), flow_.data()))
    refuse(Status::numerical_failure, name_, Problem::no_motion, motion_.evaluator.failure(),
           "choose another start");
  for (const double rate : flow_) speed_ = std::max(speed_, std::abs(rate));
  if (!(speed_ > 0))
    refuse(Status::bad_input, "--start", Problem::bad_usage, "the start is at rest: nothing comes back to it",
           "start beside the place of rest");
  fastest_ = speed_;
}

ReturnSearch::Place ReturnSearch::place_at(double t, const std::vector<double>& y) const {
  Place place{.t = t, .side = 0, .distance = 0, .y = y, .rates = {}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double off = y[i] - start_[i] - (motion_.turns.empty() ? 0 : motion_.turns[i]);
    place.side += off * flow_[i];
    place.distance += off * off;
  }
  place.distance = std::sqrt(place.distance);
  return place;
}

ReturnSearch::Place ReturnSearch::crossing(const Place& from, const Place& to) const {
  double low = 0, high = 1;
  Place place;
  for (int round = 0; round < 50; ++round) {
    const double s = 0.5 * (low + high), h = to.t - from.t;
    std::vector<double> at(start_.size());
    for (std::size_t i = 0; i < at.size(); ++i)
      at[i] = (1 + 2 * s) * (1 - s) * (1 - s) * from.y[i] + s * s * (3 - 2 * s) * to.y[i] +
              h * s * (1 - s) * ((1 - s) * from.rates[i] - s * to.rates[i]);
    place = place_at(from.t + s * h, at);
    (place.side < 0 ? low : high) = s;
  }
  return place;
}

bool ReturnSearch::has_jumped_back(const Place& now) const {
  const bool has_jumped = std::any_of(met_.begin(), met_.end(), [&](const EventRecord& event) {
    return event.t > before_.t - 1e-9 * (now.t - motion_.begin) && event.t <= now.t;
  });
  return has_jumped && largest_ > 0 && now.distance < 1e-3 * largest_;
}

bool ReturnSearch::look(const PerturbedState& state) {
  Place now = place_at(state.t, state.y);
  now.rates.resize(start_.size());
  if (!motion_.evaluator.rates(state.t, state.y.data(), now.rates.data())) return false;
  for (const double rate : now.rates) fastest_ = std::max(fastest_, std::abs(rate));
  if (has_jumped_back(now)) {
    found_ = now.t - motion_.begin;
    return false;
  }
  if (now.t > before_.t && before_.side < 0 && now.side >= 0 && largest_ > 0) {
    const Place back = crossing(before_, now);
    if (back.distance < best_) {
      best_ = back.distance;
      found_ = back.t - motion_.begin;
    }
    if (back.distance < 0.03 * largest_) return false;
  }
  largest_ = std::max(largest_, now.distance);
  before_ = std::move(now);
  // many times as long as it would need for what it has gone
  const double gone = before_.t - motion_.begin;
  return !(largest_ > 0) || gone < 400 * largest_ / speed_ || gone < 400 * largest_ / fastest_;
}

double ReturnSearch::horizon() const {
  double size = 0, farthest = 0, acceleration = 0;
  for (std::size_t i = 0; i < start_.size(); ++i) {
    size = std::max(size, std::abs(start_[i]));
    if (i < motion_.evaluator.position_count())
      farthest = std::max(farthest, std::abs(start_[i]));
    else
      acceleration = std::max(acceleration, std::abs(flow_[i]));
  }
  // how far it swings is known as it goes; events are asked for before
  const bool jumps = static_cast<bool>(motion_.events);
  const double far = size > 0 && jumps ? std::min(std::max(size, 1.0), 1e3 * size) : std::max(size, 1.0);
  const double result = 400 * far / speed_;
  // accelerations are large numbers where the unit of time is long
  return !jumps && acceleration > 0 ? std::max(result, 400 * std::sqrt(farthest / acceleration)) : result;
}

double ReturnSearch::run(const std::function<bool()>& interrupted) {
  const double until = motion_.begin + horizon();
  if (motion_.events) {
    std::string why;
    auto records = motion_.events(motion_.values, motion_.begin, start_, until, why);
    if (!records)
      refuse(Status::numerical_failure, "--period", Problem::run_stopped, why, "give a guess: --period P");
    met_ = std::move(*records);
  }
  const PerturbedRunResult run = follow_deviations(
      motion_.equations, motion_.evaluator, motion_.perturbation, motion_.values, met_,
      {motion_.begin, start_, {}},
      {.until = until,
       .every = 0,
       .tolerance = tolerance_for(1e-9, start_, size_of_relations(motion_.equations, motion_.values)),
       .interrupted = interrupted,
       .contacts = motion_.contacts},
      [this](const PerturbedState& state) { return look(state); });
  if (!(found_ > 0) && run.outcome == SimulationOutcome::singular)
    refuse(Status::numerical_failure, name_, Problem::run_stopped, run.message,
           "choose a start whose motion goes on, or give a guess: --period P");
  if (!(found_ > 0))
    refuse(Status::numerical_failure, "--period", Problem::run_stopped,
           fmt::format("the motion does not come back to its start within {:.6g}", run.end.t - motion_.begin),
           "give a guess: --period P");
  return found_;
}

}  // namespace liaison
