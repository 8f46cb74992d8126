#include "event_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison {

namespace {

constexpr int samples = 4;  ///< of a step: two crossings within a quarter of it may be missed
constexpr int most_halvings = 40;

double sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

}  // namespace

EventSearch::EventSearch(std::span<const Event> events)
    : events_(events),
      last_(events.size()),
      before_(events.size()),
      now_(events.size()),
      trial_(events.size()) {}

void EventSearch::begin(std::span<const double> values) {
  pending_.clear();
  std::copy(values.begin(), values.end(), last_.begin());
  std::fill(before_.begin(), before_.end(), 0);
}

void EventSearch::begin_after(std::size_t event, std::span<const double> values) {
  const double sign_before = before_[event];
  const std::vector<double> at_event = last_;
  begin(values);
  for (std::size_t e = 0; e < last_.size(); ++e) {
    if (at_event[e] == 0) last_[e] = 0;  // it happened at the same time
  }
  before_[event] = sign_before;
}

bool EventSearch::crosses(std::size_t event, double from, double to) const {
  const bool rises = from < 0 && to >= 0, falls = from > 0 && to <= 0;
  switch (events_[event].direction) {
    case EventDirection::rising: return rises;
    case EventDirection::falling: return falls;
    case EventDirection::either: break;
  }
  return rises || falls;
}

/// Regula falsi after Illinois, kept between the ends, to the resolution of the time.
double EventSearch::locate(std::size_t event, double low, double low_value, double high, double high_value,
                           const Values& values) {
  const double resolution =
      2 * std::numeric_limits<double>::epsilon() * std::max({std::abs(low), std::abs(high), 1e-300});
  double best = high, best_value = std::abs(high_value);
  if (std::abs(low_value) < best_value) best = low, best_value = std::abs(low_value);
  for (int round = 0; round < 200 && high - low > resolution && best_value > 0; ++round) {
    double t = high - high_value * (high - low) / (high_value - low_value);
    if (!(t > low && t < high) || round % 8 == 7) t = low + (high - low) / 2;
    if (t <= low || t >= high || !values(t, trial_.data())) break;
    const double value = trial_[event];
    if (std::abs(value) < best_value) best = t, best_value = std::abs(value);
    if (sign(value) == sign(low_value)) {
      low = t;
      low_value = value;
      high_value /= 2;
    } else {
      high = t;
      high_value = value;
      low_value /= 2;
    }
  }
  return best;
}

/// A time soon after `from` at which the function has the sign it had before the event; `from` where there is
/// none.
double EventSearch::find_departure(std::size_t event, double from, double to, const Values& values) {
  double length = to - from;
  for (int i = 0; i < most_halvings; ++i) {
    length /= 2;
    if (!values(from + length, trial_.data())) return from;
    if (sign(trial_[event]) == before_[event]) return from + length;
  }
  return from;
}

/// The first event between two samples.
std::optional<EventSearch::Found> EventSearch::search(double from, double to, const Values& values) {
  std::optional<Found> first;
  const auto take = [&](Found found) {
    if (!first || found.t < first->t) first = found;
  };
  const std::vector<double> now = now_;
  for (std::size_t e = 0; e < events_.size(); ++e) {
    double begin = from, begin_value = last_[e];
    if (last_[e] == 0 && before_[e] != 0 && sign(now[e]) == -before_[e]) {
      begin = find_departure(e, from, to, values);
      if (begin == from) {
        if (events_[e].action == EventAction::reset && crosses(e, before_[e], now[e])) take({from, e, true});
        continue;
      }
      begin_value = trial_[e];
    }
    if (!crosses(e, begin_value, now[e])) continue;
    before_[e] = sign(begin_value);
    take({locate(e, begin, begin_value, to, now[e], values), e});
  }
  return first;
}

/// The event with those at the same time, one that resets behind the others: what it changes is what they
/// saw.
void EventSearch::gather(const Found& found) {
  pending_.clear();
  for (std::size_t e = events_.size(); e-- > 0;) {
    const bool happens = e == found.event || crosses(e, last_[e], trial_[e]);
    last_[e] = happens ? 0 : trial_[e];
    if (!happens) continue;
    pending_.push_back({found.t, e});
    if (events_[e].action != EventAction::reset) before_[e] = 0;
  }
  std::stable_partition(pending_.begin(), pending_.end(),
                        [&](const Found& one) { return events_[one.event].action == EventAction::reset; });
}

std::optional<EventSearch::Found> EventSearch::next(double begin, double end, const Values& values) {
  if (!pending_.empty()) {
    const Found found = pending_.back();
    pending_.pop_back();
    return found;
  }
  for (int i = 1; i <= samples; ++i) {
    const double from = begin + (end - begin) * (i - 1) / samples;
    const double to = i == samples ? end : begin + (end - begin) * i / samples;
    if (!values(to, now_.data())) return std::nullopt;
    if (const auto found = search(from, to, values)) {
      if (found->at_once || !values(found->t, trial_.data())) return found;
      gather(*found);
      const Found first = pending_.back();
      pending_.pop_back();
      return first;
    }
    for (std::size_t e = 0; e < events_.size(); ++e) {
      if (now_[e] == 0) continue;
      last_[e] = now_[e];
      before_[e] = 0;
    }
  }
  return std::nullopt;
}

std::vector<double> EventSearch::memory() const {
  std::vector<double> result = last_;
  result.insert(result.end(), before_.begin(), before_.end());
  return result;
}

void EventSearch::recall(std::span<const double> memory) {
  if (memory.size() != last_.size() + before_.size()) return;
  const auto middle = memory.begin() + static_cast<std::ptrdiff_t>(last_.size());
  std::copy(memory.begin(), middle, last_.begin());
  std::copy(middle, memory.end(), before_.begin());
}

}  // namespace liaison
