#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "modes.hpp"
#include "stepper.hpp"

// What the errors of a motion leave open about its events.

namespace liaison {

/// What ten tolerances of each number of the state, one by one, and rounding do to an event's function.
double Modes::error_of(std::size_t function, double t) {
  const std::size_t count = observations_.events.size();
  std::vector<double> y(evaluator_.size()), first(y.size()), found(count), sizes(count);
  stepper_.state_at(stepper_.before(), first.data());
  stepper_.state_at(t, y.data());
  if (!values(t, y.data(), found.data(), sizes.data())) return INFINITY;
  const double here = found[function];
  double error = 64 * std::numeric_limits<double>::epsilon() * sizes[function];
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double own = y[i],
                 size = std::max({std::abs(own), std::abs(first[i]), std::abs(stepper_.state()[i])});
    y[i] += touch_tolerances * (options_.tolerance.relative * size + options_.tolerance.absolute);
    if (!values(t, y.data(), found.data(), sizes.data())) return INFINITY;
    error += std::abs(found[function] - here);
    y[i] = own;
  }
  return error;
}

/// What came to zero as far as the motion is known, and is turned back there by the reset of another event,
/// touches it: by another method it may happen at the same time.
void Modes::record_turns(Group group, double t, std::span<const double> before,
                         const std::vector<double>& changed, std::span<const double> after) {
  constexpr double part = 1e-6;
  const std::size_t count = observations_.events.size();
  const double h = part * (stepper_.time() - stepper_.before());
  if (!(t - h >= stepper_.before()) || !(h > 0)) return;
  std::vector<double> y(evaluator_.size()), rates(y.size()), came(count), goes(count), sizes(count);
  stepper_.state_at(t - h, y.data());
  if (!values(t - h, y.data(), came.data(), sizes.data()) ||
      !evaluator_.rates(t, changed.data(), rates.data()))
    return;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = changed[i] + h * rates[i];
  if (!values(t + h, y.data(), goes.data(), sizes.data())) return;
  for (std::size_t f = 0; f < count; ++f) {
    const bool acts =
        std::any_of(group.begin(), group.end(), [&](const Crossing& one) { return one.function == f; });
    const auto is_told = [&](double value) { return value * before[f] > 0; };
    if (acts || is_isolated(f) || !is_told(came[f]) || !is_told(after[f]) || !is_told(goes[f])) continue;
    const bool turns = std::abs(came[f]) > std::abs(before[f]) && std::abs(goes[f]) > std::abs(after[f]);
    const int side = before[f] > 0 ? 1 : -1;
    const Crossing touch{.t = t, .function = f, .before = side, .after = side};
    const bool is_near = std::abs(before[f]) <= touch_tolerances * options_.tolerance.relative * sizes[f];
    if (turns && is_near && happens(touch) && std::abs(before[f]) <= error_of(f, t))
      records_.push_back({t, f, true});
  }
}

/// So that all methods tell the same times.
void Modes::refine_zeros_of_time(CrossingSearch::Found& found) const {
  const auto by_time = [](const Crossing& a, const Crossing& b) { return a.t < b.t; };
  for (Crossing& one : found.crossings) {
    const bool is_plain = !one.jumps && !one.touches() && one.before != 0 && one.after != 0;
    if (!time_zeros_[one.function] || one.isolated || !is_plain) continue;
    const double size = values_[observations_.events.size() + one.function];
    one.t = std::min(time_zeros_[one.function]->refined(one.t, size), stepper_.time());
  }
  std::stable_sort(found.crossings.begin(), found.crossings.end(), by_time);
}

/// In a run with contacts each mode is a short motion of its own, of which this says nothing.
void Modes::note_what_is_not_told() {
  if (options_.grid) return;
  for (std::size_t f = 0; f < observations_.events.size(); ++f) {
    const bool happened = std::any_of(records_.begin(), records_.end(),
                                      [&](const EventRecord& record) { return record.event == f; });
    if (!happened || !search_.was_never_away(f)) continue;
    const std::string text = fmt::format(
        "the event `{}` was within ten tolerances of zero all along: errors of the motion decide when it "
        "happens",
        observations_.events[f].name);
    note(text);
    if (observations_.events[f].action != EventAction::record && sampled_.empty()) sampled_ = text;
  }
}

}  // namespace liaison
