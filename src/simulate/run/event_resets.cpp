#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "modes.hpp"
#include "stepper.hpp"

// Events that reset: the state behind them, and how their functions leave zero there.

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr std::size_t most_jumps_at_once = 100;

}  // namespace

/// The state behind the resets of a group, on the constraints.
MaybeEnd Modes::reset(Group group, const std::vector<double>& y, std::vector<double>& changed) {
  const double t = group.front().t;
  std::vector<bool> given(y.size(), false);
  std::string names;
  changed = y;
  for (const Crossing& one : group) {  // one after the other, in the order of the model
    if (!resets(one)) continue;
    const std::string& name = observations_.events[one.function].name;
    names += (names.empty() ? "`" : ", `") + name + "`";
    const std::vector<std::size_t>& targets = observations_.reset_targets[one.function];
    std::vector<double> set(targets.size());
    if (!moment_.take(t, changed.data()) ||
        !observations_.reset_values[one.function].evaluate(t, changed.data(), moment_.accelerations(),
                                                           moment_.factors(), set.data()))
      return no_way_on(t, y, fmt::format("the reset of the event `{}` has no value", name));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      changed[targets[i]] = set[i];
      given[targets[i]] = true;
    }
  }
  if (options_.project) {
    if (const std::string why = evaluator_.project_rest(t, changed.data(), given); !why.empty())
      return no_way_on(t, y, fmt::format("after the event {} {}", names, why));
  }
  jumps_here_ = t == last_jump_ ? jumps_here_ + 1 : 0;
  last_jump_ = t;
  if (jumps_here_ > most_jumps_at_once) {
    return no_way_on(
        t, y, fmt::format("the event {} happens again at once: its reset does not lead away from it", names));
  }
  if (accumulates()) {
    return no_way_on(
        t, y,
        fmt::format("the event {} happens ever faster: infinitely many times before the motion goes on",
                    names));
  }
  return {};
}

MaybeEnd Modes::jump(Group group, std::vector<double> y) {
  const double t = group.front().t;
  const std::size_t count = observations_.events.size();
  std::vector<double> before(count), after(count), sizes(count), changed;
  if (!values(t, y.data(), before.data(), sizes.data())) return no_value(t, y);
  const std::vector<double> sizes_before = sizes;
  if (auto end = reset(group, y, changed)) return end;
  if (!values(t, changed.data(), after.data(), sizes.data())) return no_value(t, changed);
  const auto stays_at_zero = [&](const Crossing& one) {
    const std::size_t f = one.function;
    return std::abs(after[f]) <= 16 * std::abs(before[f]) + 64 * epsilon * sizes[f];
  };
  std::vector<Departure> departures;
  for (const Crossing& one : group) {
    departures.push_back(!resets(one)   ? Departure::unknown
                         : one.isolated ? Departure::on
                                        : departure(one, t, y, changed));
    if (one.jumps && departures.back() == Departure::apparent) departures.back() = Departure::unknown;
    if (departures.back() == Departure::held && (one.jumps || stays_at_zero(one))) {
      return no_way_on(
          t, y,
          fmt::format("the event `{}` happens again at once: its reset does not lead away from it",
                      observations_.events[one.function].name));
    }
    if (departures.back() == Departure::apparent) {
      return no_way_on(
          t, y,
          fmt::format("the event `{}` happens ever faster: again sooner than the tolerance can tell",
                      observations_.events[one.function].name));
    }
  }
  record_turns(group, t, before, changed, after);
  if (auto end = stepper_.begin_again(t, changed)) return end;
  if (!values(t, changed.data(), after.data(), sizes.data())) return no_value(t, changed);
  search_.begin(after, sizes);
  for (std::size_t f = 0; f < count; ++f) search_.is_told_up_to(f, t);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const std::size_t f = group[i].function;
    if (group[i].isolated) {
      search_.is_told_up_to(f, group[i].t);
      search_.on_side(f, group[i].after);
      continue;
    }
    if (group[i].jumps) {  // it is not zero; the reset moves it, or it is where it jumped to
      if (std::abs(after[f] - before[f]) <= 64 * epsilon * sizes[f]) search_.on_side(f, group[i].after);
      continue;
    }
    if (!stays_at_zero(group[i])) continue;
    if (departures[i] == Departure::on && !group[i].touches()) {
      search_.passes_zero(f, group[i].after, after[f]);
    } else {
      search_.at_zero(f, departures[i] == Departure::back ? group[i].before : 0);
    }
  }
  const std::vector<Crossing> carried = carried_over(group, before, sizes_before);
  for (const Crossing& one : carried) search_.comes_from(one.function, one.before);
  if (auto end = recorder_.after_jump(t, y, changed, records_)) return end;
  if (t < options_.until) return {};  // else they are found by the next step
  for (const Crossing& one : carried)
    if (happens(one)) records_.push_back({t, one.function, false});
  return stop_at(carried, t, changed);
}

/// What a jump carried over zero: at the time of the group, `before` without what happened in it.
std::vector<Crossing> Modes::carried_over(Group group, std::span<const double> before,
                                          std::span<const double> sizes) const {
  std::vector<Crossing> result;
  const double t = group.front().t;
  for (std::size_t f = 0; f < before.size(); ++f) {
    if (is_isolated(f)) continue;
    const auto own =
        std::find_if(group.begin(), group.end(), [&](const Crossing& c) { return c.function == f; });
    int side = std::abs(before[f]) <= 64 * epsilon * sizes[f] ? 0 : before[f] > 0 ? 1 : -1;
    if (own != group.end()) side = own->jumps ? own->after : 0;
    if (side != 0 && search_.side(f) == -side) result.push_back({t, f, side, -side, true});
  }
  return result;
}

/// How an event's function leaves zero after a reset. Held: the reset takes all its speed, and the equations
/// drive it on to where it was going, as a body that is stopped at a floor and falls on through it. One that
/// goes on with a speed of its own passes, as through a gate. Apparent: the function goes away from the zero
/// that it is said to come to; the errors of the states are greater than what it did since it left zero.
Modes::Departure Modes::departure(const Crossing& crossing, double t, const std::vector<double>& before,
                                  const std::vector<double>& after) {
  const std::size_t count = observations_.events.size(), n = after.size();
  const double length = std::max(stepper_.time() - stepper_.before(), 1e3 * epsilon * std::abs(t));
  double h = 1e-6 * length;
  bool is_rounding = false;
  std::vector<double> rates(n), moved(n), found(count), sizes(count);
  const auto slope = [&](double at, const std::vector<double>& y) -> std::optional<double> {
    if (!evaluator_.rates(at, y.data(), rates.data()) || !values(at, y.data(), found.data(), sizes.data()))
      return {};
    const double here = found[crossing.function];
    for (std::size_t i = 0; i < n; ++i) moved[i] = y[i] + h * rates[i];
    if (!values(at + h, moved.data(), found.data(), sizes.data())) return {};
    const double change = found[crossing.function] - here;
    const double size = std::max(sizes[crossing.function], search_.scale(crossing.function));
    is_rounding = std::abs(change) <= 4096 * epsilon * size;
    return change / h;
  };
  auto arriving = slope(t, before);
  for (; is_rounding && h < length / 8; arriving = slope(t, before)) h *= 8;
  const bool has_speed = !is_rounding;
  const auto leaving = slope(t, after);
  if (!arriving || !leaving) return Departure::unknown;
  if (has_speed && *arriving * crossing.after < 0) return Departure::apparent;
  const std::vector<double> later = moved;
  std::vector<double> other = after;
  for (const std::size_t target : observations_.reset_targets[crossing.function])
    other[target] += 1e-3 * (1 + std::abs(other[target]));
  const auto with_another_reset = slope(t, other);
  const bool depends = !with_another_reset || *with_another_reset != *leaving;
  if (!has_speed && !depends && *leaving == *arriving) return Departure::on;  // it goes on as it came
  if (std::abs(*leaving) > 1e-6 * std::abs(*arriving))
    return *leaving * crossing.after < 0 ? Departure::back : Departure::on;
  if (!depends) return Departure::on;
  const auto next = slope(t + h, later);
  return next && (*next - *leaving) * crossing.after > 0 ? Departure::held : Departure::unknown;
}

/// Whether the intervals between the last resets shrink so that infinitely many fit into next to nothing of
/// the first of them.
bool Modes::accumulates() const {
  constexpr std::size_t fewest = 8;
  constexpr double next_to_nothing = 1e-6;
  std::vector<double> intervals;  // from the last one back, while they grow
  double later = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = records_.size(); i-- > 0;) {
    const EventRecord& record = records_[i];
    if (observations_.events[record.event].action != EventAction::reset || record.touches) continue;
    if (record.t == later) continue;
    const double interval = later - record.t;
    later = record.t;
    if (std::isnan(interval)) continue;
    if (!intervals.empty() && interval <= intervals.back()) break;
    intervals.push_back(interval);
  }
  if (intervals.size() < fewest) return false;
  const double ratio = intervals[0] / intervals[1];
  return intervals[0] * ratio / (1 - ratio) < next_to_nothing * intervals.back();
}

}  // namespace liaison
