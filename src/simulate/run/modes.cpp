#include "modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "open_quantities.hpp"

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Part of its terms by which a function that came from one side is beyond zero for certain.
constexpr double beyond_told = 1e-9;
/// Of what cannot be told from a limit where a run begins, the part that is the last digits of its numbers.
constexpr double digits_of_rounding = 1e-7;

std::vector<Expr> functions_of(const Observations& observations) {
  std::vector<Expr> result = observations.event_values.expressions();
  result.resize(observations.events.size());  // what follows are sizes
  return result;
}

/// A quotient or a tangent of the state. What accelerations and factors do is not known.
bool has_poles(const Evaluator& evaluator, Expr e) {
  if (!has_value_by_state(evaluator, e)) return false;
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr node) {
    return node.is(Op::tan) ||
           (node.is(Op::pow) && node.arg(1).number() < Rational(0) && !node.is_constant());
  });
}

bool is_of_time(const Evaluator& evaluator, Expr e) {
  const std::vector<Parameter>& parameters = evaluator.equations().system->parameters;
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    return symbol == evaluator.time_symbol() ||
           std::any_of(parameters.begin(), parameters.end(),
                       [&](const Parameter& parameter) { return parameter.symbol == symbol; });
  });
}

/// Events that end the mode of a contact stand where its relation is written. Which factors these are asked
/// of, where some are open, the contacts choose.
bool is_of_contact(const Evaluator& evaluator, const Event& event) {
  const std::vector<Constraint>& constraints = evaluator.equations().system->constraints;
  return std::any_of(constraints.begin(), constraints.end(), [&](const Constraint& constraint) {
    return constraint.span.begin == event.span.begin && constraint.span.end == event.span.end;
  });
}

}  // namespace

Modes::Modes(Evaluator& evaluator, Observations& observations, Stepper& stepper, Recorder& recorder,
             const SimulationOptions& options)
    : observations_(observations),
      evaluator_(evaluator),
      stepper_(stepper),
      recorder_(recorder),
      options_(options),
      moment_(evaluator),
      search_(observations.events.size(), touch_tolerances * options.tolerance.relative),
      before_(search_),
      features_(functions_of(observations), evaluator.time_symbol(), evaluator.parameter_values(),
                evaluator.equations().system->parameters),
      breaks_(evaluator, functions_of(observations)),
      last_(observations.events.size()),
      values_(2 * observations.events.size()) {
  const std::vector<Expr> functions = functions_of(observations);
  for (std::size_t f = 0; f < functions.size(); ++f) {
    time_zeros_.emplace_back();
    if (is_of_time(evaluator, functions[f])) {
      search_.is_exact(f);
      time_zeros_.back().emplace(functions[f], evaluator.time_symbol(), evaluator.parameter_values(),
                                 evaluator.equations().system->parameters);
    }
    if (observations.events[f].action == EventAction::record) continue;
    search_.take_shallow(f);
    if (has_poles(evaluator, functions[f])) search_.has_poles(f);
  }
}

MaybeEnd Modes::begin(double t, const std::vector<double>& y) {
  if (search_.empty()) return {};
  const std::size_t count = observations_.events.size();
  if (!values(t, y.data(), values_.data(), values_.data() + count)) return no_value(t, y);
  search_.begin({values_.data(), count}, {values_.data() + count, count});
  for (const auto& [f, side] : options_.came_from) {
    if (is_isolated(f)) continue;  // the time does not jump
    double rounding = 0;
    for (const auto& [other, own] : options_.roundings)
      if (other == f) rounding = own;
    const double value = std::abs(values_[f]), digits = digits_of_rounding * rounding;
    if (search_.side(f) == side && value > digits) continue;
    const bool is_told = value > std::max(beyond_told * values_[count + f], rounding);
    if (is_told) {
      search_.comes_from(f, side);
      continue;
    }
    search_.comes_to_limit(f, side, t);
    if (rounding > 0) search_.is_rounded_to(f, std::max(value, digits));
  }
  for (const auto& [f, heading] : options_.at_zero) {
    search_.at_zero(f, heading);
    if (is_isolated(f)) search_.is_told_up_to(f, t + 64 * epsilon * std::abs(t));
  }
  for (std::size_t f = 0; f < count && options_.grid && t > *options_.grid; ++f)
    search_.is_told_up_to(f, t);  // by the part of the run before
  for (const auto& [f, rate] : options_.strays) search_.strays(f, rate);
  for (std::size_t f = 0; f < count; ++f)
    if (!breaks_.has(f) && !is_isolated(f)) follow_at_samples({f});
  return look_at_open(t, y);
}

/// Events that depend on what is open among the factors happen at other times, or not at all, with other
/// members: one that stops or changes the motion makes it undetermined.
MaybeEnd Modes::look_at_open(double t, const std::vector<double>& y) {
  if (!observations_.event_values.needs_rates() || !moment_.take(t, y.data())) return {};
  if (evaluator_.open_factors().empty()) return {};
  const std::vector<bool> depends =
      depend_on_open(values_of_factors(observations_.event_values, t, y, moment_), moment_.factors(),
                     evaluator_.open_factors());
  for (std::size_t f = 0; f < observations_.events.size(); ++f) {
    const Event& event = observations_.events[f];
    if (!depends[f] || is_of_contact(evaluator_, event)) continue;
    const std::string what = fmt::format("the event `{}` depends on {}, which nothing determines", event.name,
                                         open_in_words(evaluator_));
    if (event.action != EventAction::record)
      return no_way_on(t, y, in_words(MotionKind::undetermined) + ": " + what);
    note(what + ": its times belong to the factors that are shown");
  }
  return {};
}

bool Modes::values(double t, const double* y, double* found, double* sizes) {
  if (observations_.event_values.needs_rates() && !moment_.take(t, y)) {
    std::fill(values_.begin(), values_.end(), 0.0);
    return false;
  }
  const std::size_t count = observations_.events.size();
  if (!observations_.event_values.evaluate(t, y, moment_.accelerations(), moment_.factors(), values_.data()))
    return false;
  const std::vector<double> both = values_;  // `found` may be a part of it
  std::copy_n(both.begin(), count, found);
  std::copy_n(both.begin() + static_cast<std::ptrdiff_t>(count), count, sizes);
  return true;
}

/// The search may have looked at other times since.
RunEnd Modes::no_value(double t, std::vector<double> y) {
  std::vector<double> found(values_.size()), sizes(values_.size());
  const bool has_values = values(t, y.data(), found.data(), sizes.data());
  const auto bad = std::find_if(values_.begin(), values_.end(), [](double v) { return !std::isfinite(v); });
  if (has_values || (bad == values_.end() && moment_.failure().empty()))
    return no_way_on(t, std::move(y), "an event has no value next to here");
  if (bad == values_.end()) return no_way_on(t, std::move(y), moment_.failure());
  const auto place = static_cast<std::size_t>(bad - values_.begin()) % observations_.events.size();
  return no_way_on(t, std::move(y),
                   fmt::format("the event `{}` has no value", observations_.events[place].name));
}

/// Of each event once.
void Modes::note_several(const Crossing& crossing) {
  const std::string whose =
      fmt::format("the event `{}` comes to zero several times", observations_.events[crossing.function].name);
  const bool is_said = std::any_of(notes_.begin(), notes_.end(),
                                   [&](const std::string& said) { return said.starts_with(whose); });
  if (!is_said)
    note(fmt::format("{} at t = {:.15g}, which the time does not tell apart: what lies around them is told",
                     whose, crossing.t));
}

void Modes::note(const std::string& text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
}

bool Modes::is_isolated(std::size_t function) const {
  return time_zeros_[function] && time_zeros_[function]->is_isolated();
}

bool Modes::are_all_isolated() const {
  return std::all_of(time_zeros_.begin(), time_zeros_.end(),
                     [](const auto& zeros) { return zeros && zeros->is_isolated(); });
}

bool Modes::happens(const Crossing& crossing) const {
  if (crossing.pole) return false;
  switch (observations_.events[crossing.function].direction) {
    case EventDirection::rising:
      return crossing.touches() ? crossing.before < 0 : crossing.before < crossing.after;
    case EventDirection::falling:
      return crossing.touches() ? crossing.before > 0 : crossing.before > crossing.after;
    case EventDirection::either: break;
  }
  return true;
}

bool Modes::resets(const Crossing& crossing) const {
  return happens(crossing) && !crossing.touches() &&
         observations_.events[crossing.function].action == EventAction::reset;
}

MaybeEnd Modes::after_step(bool& jumped) {
  jumped = false;
  if (search_.empty()) return {};
  if (auto undetermined = look_at_open(stepper_.time(), stepper_.state())) return undetermined;
  const double begin = stepper_.before(), end = stepper_.time();
  std::vector<double> y(evaluator_.size());
  const auto value_at = [&](double t, double* found, double* sizes) {
    stepper_.state_at(t, y.data());
    breaks_.see(y.data());
    return values(t, y.data(), found, sizes);
  };
  // What touches the border of its domain is beyond it by rounding, at an instant.
  const double aside = 1e-7 * (end - begin);
  const CrossingSearch::Values at = [&](double t, double* found, double* sizes) {
    return value_at(t, found, sizes) ||
           (t + aside <= end && t - aside >= begin && value_at(t + aside, found, sizes) &&
            value_at(t - aside, found, sizes));
  };
  search_.knows_errors([this](std::size_t function, double t) { return error_of(function, t); });
  search_.knows_zeros([this](std::size_t function, double t, double low, double high, int side) {
    return time_zeros_[function]->next_to(t, low, high, side);
  });
  search_.isolates([this](std::size_t function, double from, double to) {
    return time_zeros_[function]->in(from, to, options_.until);
  });
  std::vector<double> breaks;
  if (!are_all_isolated()) breaks = features_.between(begin, end);
  bool is_at_zero = false;
  for (std::size_t f = 0; f < observations_.events.size(); ++f)
    is_at_zero = is_at_zero || (search_.side(f) == 0 && !is_isolated(f));
  if (is_at_zero) {  // what leaves zero may come back soon: it is looked at on every scale
    const double shortest = 1e3 * epsilon * std::max(std::abs(end), end - begin);
    for (double part = (end - begin) / 8; part > shortest; part /= 8) breaks.push_back(begin + part);
    std::sort(breaks.begin(), breaks.end());
  }
  CrossingSearch::Found found = search(begin, end, at, std::move(breaks));
  refine_zeros_of_time(found);
  for (Crossing& one : found.crossings) one.t = std::max(one.t, begin);
  if (found.again) {
    stepper_.state_at(begin, y.data());
    RunEnd lost =
        no_way_on(begin, y,
                  fmt::format("the event `{}` happens ever faster: again sooner than the time can tell",
                              observations_.events[*found.again].name));
    lost.again = found.again;
    return lost;
  }
  if (found.unresolved) {
    note(
        fmt::format("the event `{}` comes to zero too often between t = {:.12g} and {:.12g} to be told apart",
                    observations_.events[found.unresolved->function].name, found.unresolved->begin,
                    found.unresolved->end));
  }
  // Roots that rounding alone tells apart are one time.
  const double one_time = 64 * epsilon * std::max(std::abs(end), end - begin);
  for (std::size_t i = 0; i < found.crossings.size();) {
    std::size_t past = i + 1;
    const auto is_of_group = [&](const Crossing& one) {
      const Group group = Group(found.crossings).subspan(i, past - i);
      const bool is_other_zero =
          one.isolated && std::any_of(group.begin(), group.end(), [&](const auto& other) {
            return other.function == one.function && other.t < one.t;
          });
      return one.t - group.front().t <= one_time && !is_other_zero;
    };
    while (past < found.crossings.size() && is_of_group(found.crossings[past])) ++past;
    if (auto ended = take(Group(found.crossings).subspan(i, past - i), jumped)) return ended;
    if (jumped) return {};
    i = past;
  }
  if (!found.known) {
    stepper_.state_at(found.unknown_at, y.data());
    return no_value(found.unknown_at, y);
  }
  if (!stepper_.lost()) return {};
  const std::vector<Crossing> next = next_to_end(end);
  return next.empty() ? MaybeEnd{} : take(next, jumped);
}

/// Where the motion ends is known as well as steps end there: zeros of the time that lie beyond by less.
std::vector<Crossing> Modes::next_to_end(double t) {
  std::vector<Crossing> result;
  const double beyond = t + 256 * epsilon * std::abs(t);
  for (std::size_t f = 0; f < time_zeros_.size() && beyond < options_.until; ++f) {
    const auto zeros = is_isolated(f) ? time_zeros_[f]->in(t, beyond, options_.until) : std::nullopt;
    if (!zeros) continue;
    for (const TimeRoots::Root& root : zeros->roots)
      if (root.t > t)
        result.push_back(
            {.t = t, .function = f, .before = root.before, .after = root.after, .isolated = true});
  }
  return result;
}

/// What came to zero at the end of the last step, where there is no step beyond.
MaybeEnd Modes::at_last_end(bool& jumped) {
  jumped = false;
  const double t = stepper_.before();
  std::vector<Crossing> open = search_.left_open();
  for (Crossing& one : open) one.t = t;
  const std::vector<Crossing> next = next_to_end(t);
  open.insert(open.end(), next.begin(), next.end());
  if (open.empty()) return {};
  if (auto end = take(open, jumped)) return end;
  for (const Crossing& one : next) search_.is_told_up_to(one.function, t + 256 * epsilon * std::abs(t));
  return {};
}

/// What is between samples is not known of events. Those that change the motion are told in one sentence.
void Modes::follow_at_samples(const std::set<std::size_t>& events) {
  for (const std::size_t event : events) {
    const Event& one = observations_.events[event];
    const std::string text =
        fmt::format("the event `{}` was looked for at samples: one between them may be missed", one.name);
    if (one.action == EventAction::record) {
      note(text);
    } else if (sampled_.find("`" + one.name + "`") == std::string::npos) {
      sampled_ += (sampled_.empty() ? "" : "; ") + text;
    }
  }
}

/// The events up to where a function ceases to have a value, which is found by halving.
CrossingSearch::Found Modes::search_to_border(double begin, double unknown, const CrossingSearch::Values& at,
                                              std::vector<double> breaks) {
  constexpr int most_rounds = 32;
  const std::size_t count = observations_.events.size();
  std::vector<double> found_values(count), sizes(count);
  double known = begin;
  CrossingSearch::Found found;
  found.known = false;
  for (int round = 0; round < most_rounds; ++round) {
    known = begin;
    while (true) {
      const double middle = known + (unknown - known) / 2;
      if (middle <= known || middle >= unknown) break;
      (at(middle, found_values.data(), sizes.data()) ? known : unknown) = middle;
    }
    search_ = before_;
    found.unknown_at = unknown;
    if (!(known > begin)) return found;
    std::vector<double> cut = breaks;
    add_breaks(cut, breaks_.in_step(begin, known, [&](double t, double* y) { stepper_.state_at(t, y); }));
    follow_at_samples(breaks_.overlooked());
    CrossingSearch::Found up_to = search_.between(begin, known, at, cut);
    const bool all = up_to.known;
    if (!all) unknown = up_to.unknown_at;
    up_to.known = false;
    up_to.unknown_at = found.unknown_at;
    found = std::move(up_to);
    if (all) return found;
  }
  return found;
}

/// Again with breaks where a function has a feature that is shorter than the distance of the samples.
CrossingSearch::Found Modes::search(double begin, double end, const CrossingSearch::Values& at,
                                    std::vector<double> breaks) {
  using End = CrossingSearch::End;
  const bool goes_on = !stepper_.lost() && end < options_.until;
  const End how = !goes_on ? End::last : stepper_.ends_at_change() ? End::kink : End::goes_on;
  if (breaks_.empty() || are_all_isolated()) {
    before_ = search_;
    CrossingSearch::Found found = search_.between(begin, end, at, breaks, how);
    if (breaks_.empty() || are_all_isolated()) return found;
    search_ = before_;
    add_breaks(breaks, features_.between(begin, end));
  }
  before_ = search_;
  breaks_.begin_step();
  CrossingSearch::Found found = search_.between(begin, end, at, breaks, how);
  if (!found.known) return search_to_border(begin, found.unknown_at, at, std::move(breaks));
  if (!breaks_.are_needed(begin, end)) return found;
  add_breaks(breaks, breaks_.in_step(begin, end, [&](double t, double* y) { stepper_.state_at(t, y); }));
  follow_at_samples(breaks_.overlooked());
  search_ = before_;
  found = search_.between(begin, end, at, breaks, how);
  if (!found.known) return search_to_border(begin, found.unknown_at, at, std::move(breaks));
  return found;
}

/// A function that rounding alone takes over zero and back, as where a kink ends a step, comes to it once:
/// what is recorded is where it came from and where it went. One that changes the motion has done so.
void Modes::join(Crossing one, std::vector<Crossing>& taken) {
  std::optional<Crossing>& last = last_[one.function];
  // What came next to zero, seemed to turn and crosses without having been away comes to it once.
  const bool was_touch = last && last->touches() && one.near && !one.touches() && one.before == last->before;
  if (was_touch) {
    std::erase_if(taken, [&](const Crossing& other) { return other.function == one.function; });
    std::erase_if(records_, [&](const EventRecord& record) {
      return record.event == one.function && record.touches && record.t == last->t;
    });
  }
  const double one_time = 64 * epsilon * std::abs(one.t);
  const bool is_reset = !records_.empty() && std::abs(one.t - last_jump_) <= one_time;
  const bool is_same = last && !is_reset && !one.isolated && one.t - last->t <= one_time &&
                       observations_.events[one.function].action == EventAction::record;
  if (is_same) {
    one.before = last->before;
    std::erase_if(taken, [&](const Crossing& other) { return other.function == one.function; });
    std::erase_if(records_, [&](const EventRecord& record) {
      return record.event == one.function && std::abs(record.t - last->t) <= one_time;
    });
  }
  last = one;
  taken.push_back(one);
}

/// All that happens at one time, in the order of the model, what resets behind the others; then an end, or
/// the resets.
MaybeEnd Modes::take(Group group, bool& jumped) {
  const double t = group.front().t;
  std::vector<Crossing> taken;
  for (const Crossing& one : group) join(one, taken);
  std::sort(taken.begin(), taken.end(), [&](const Crossing& a, const Crossing& b) {
    return resets(a) != resets(b) ? resets(b) : a.function < b.function;
  });
  if (std::none_of(taken.begin(), taken.end(), [&](const Crossing& one) { return happens(one); })) return {};
  if (auto end = recorder_.rows_until(t)) return end;
  std::vector<double> y(evaluator_.size());
  jumped = std::any_of(taken.begin(), taken.end(), [&](const Crossing& one) { return resets(one); });
  if (jumped && !stepper_.interpolates_well()) {
    if (auto end = stepper_.land(t, y)) return end;
  } else {
    stepper_.state_at(t, y.data());
  }
  for (const Crossing& one : taken) {
    if (!happens(one)) continue;
    records_.push_back({t, one.function, one.touches()});
    if (one.several) note_several(one);
  }
  if (recorder_.last_row() < t) {
    if (auto end = recorder_.row(t, y)) return end;
  }
  if (auto end = stop_at(taken, t, y)) return end;
  return jumped ? jump(taken, std::move(y)) : MaybeEnd{};
}

MaybeEnd Modes::stop_at(Group group, double t, const std::vector<double>& y) const {
  for (const Crossing& one : group) {
    const Event& event = observations_.events[one.function];
    if (event.action == EventAction::stop && happens(one) && !one.touches()) {
      return RunEnd{SimulationOutcome::event, t, y,
                    fmt::format("the event `{}` ended the run at t = {:.15g}", event.name, t)};
    }
  }
  return {};
}

std::vector<double> Modes::search_memory() const {
  std::vector<double> result = search_.memory();
  Memorise memory;
  const_cast<StepBreaks&>(breaks_).remember(memory);  // which changes nothing here
  result.insert(result.end(), memory.numbers().begin(), memory.numbers().end());
  return result;
}

std::vector<double> Modes::memory() const {
  std::vector<double> result{last_jump_, static_cast<double>(jumps_here_)};
  for (const EventRecord& record : records_) {
    result.insert(result.end(),
                  {record.t, static_cast<double>(record.event), record.touches ? 1.0 : 0.0, record.energy});
  }
  return result;
}

bool Modes::recall(std::span<const double> search, std::span<const double> records) {
  if (records.size() % 4 != 2) return false;
  last_jump_ = records[0];
  jumps_here_ = count_of(records[1]);
  for (std::size_t i = 2; i < records.size(); i += 4) {
    if (count_of(records[i + 1]) >= observations_.events.size()) return false;
    records_.push_back({records[i], count_of(records[i + 1]), records[i + 2] != 0, records[i + 3]});
  }
  const std::size_t count = search_.memory().size();
  if (search.size() < count) return false;
  search_.recall(search.first(count));
  Recall memory(search.subspan(count));
  breaks_.remember(memory);
  return memory.fits();
}

}  // namespace liaison
