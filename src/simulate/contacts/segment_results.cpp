#include "segment_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "liaison/expr/traverse.hpp"
#include "liaison/model/integrals.hpp"
#include "simulate/run/late_times.hpp"
#include "simulate/run/missing_outputs.hpp"
#include "simulate/run/work_balance.hpp"

namespace liaison {

namespace {

/// A gap that is negative by more than this part of the largest is no rounding.
constexpr double deepest = 1e-6;
/// The same of the way of the motion: no more than that a number of its size has bits.
constexpr double rounding = 1e-14;
/// The same of a contact that others keep, within the errors of a run.
constexpr double kept_within = 1e-9;

bool integrates_forces(const System& system) {
  std::vector<Expr> outputs;
  for (const Output& output : system.outputs) outputs.push_back(output.value);
  const std::vector<Expr> symbols = symbols_in(integrals_in(outputs));
  return std::any_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::multiplier; });
}

}  // namespace

SimulationReceivers SegmentResults::receivers(Segment& segment, const ContactHolds& holds) {
  segment.observations.outputs.set_history(integrals_);
  return {[this, &segment, &holds](const Row& row) { return take(row, segment, holds); },
          [this](const RunningSimulation& run) { return !receivers_.step || receivers_.step(run); },
          receivers_.parts};
}

bool SegmentResults::take(const Row& row, Segment& segment, const ContactHolds& holds) {
  Row full = row;
  full.factors.assign(frame_.equations().factors.size(), 0.0);
  for (std::size_t h = 0; h < segment.mode.places.size(); ++h)
    full.factors[segment.mode.places[h]] = row.factors[h];
  if (row.is_between) {  // nothing is judged by it
    if (frame_.take(row.t, row.y.data()))
      for (std::size_t c = 0; c < modes_.size(); ++c) add_friction(full, c, holds[c]);
    return receivers_.row(full);
  }
  if (frame_.take(row.t, row.y.data())) {
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      const SizedNumber gap = frame_.gap(c);
      widest_[c] = std::max({widest_[c], gap.value, 1e-3 * gap.size});
      const bool is_place = modes_.laws()[c].held.holonomic && holds[c].kind == ContactHold::Kind::open;
      if (is_place && gap.value < -deepest * widest_[c] &&
          gap.value < -rounding * travelled(full, segment, c))
        penetrated_ = {c, gap.value};
      if (holds[c].kind == ContactHold::Kind::touching &&
          std::abs(gap.value) > kept_within * std::max(gap.size, travelled(full, segment, c)))
        parted_ = {c, gap.value};
      add_friction(full, c, holds[c]);
    }
  }
  if (penetrated_ || parted_) return false;
  for (std::size_t i = segment.evaluator->position_count(); i < row.y.size(); ++i)
    velocity_ = std::max(velocity_, std::abs(row.y[i]));
  return give_passed(full, row.factors, segment) && give(full);
}

/// Of what slips, by its law from the pressure.
void SegmentResults::add_friction(Row& full, std::size_t c, const ContactHold& hold) {
  const std::size_t bilateral = modes_.bilateral_count();
  fastest_[c].resize(modes_.laws()[c].resistances.size());
  for (std::size_t k = 0; k < hold.slips.size(); ++k) {
    if (hold.slips[k] == 0) continue;
    if (modes_.depends_on_factors(c) && !frame_.take(full.t, full.y.data(), full.factors)) continue;
    const double speed = frame_.speed(c, k);
    if (!full.is_between) fastest_[c][k] = std::max(fastest_[c][k], speed);
    const double force = -frame_.slipping(c, k) * full.factors[bilateral + modes_.rows()[c].normal];
    const std::vector<std::size_t>& rows = modes_.rows()[c].resisted[k];
    if (rows.size() == 1) {
      full.factors[bilateral + rows[0]] = force * hold.slips[k];
    } else if (speed > 0) {
      for (std::size_t i = 0; i < 2; ++i)
        full.factors[bilateral + rows[i]] = force * frame_.slip(c, k, i).value / speed;
    }
  }
}

/// What a gap would have changed by in the run if the whole motion, or what the forces could make of it, had
/// gone along its gradient: beside that a gap which was always zero is measured.
double SegmentResults::travelled(const Row& row, Segment& segment, std::size_t contact) {
  const auto steepness = frame_.steepness(contact);
  const double speed = std::sqrt(2 * std::abs(segment.evaluator->energies(row.t, row.y.data()).kinetic));
  const double elapsed = std::abs(row.t - begin_);
  const double by_forces =
      frame_.rate_size(modes_.rows()[contact].normal, frame_.force_of(row.factors)) * elapsed / 2;
  return std::max({std::abs(frame_.rate(contact).value), steepness.value_or(0) * speed, by_forces}) * elapsed;
}

bool SegmentResults::give(const Row& row) {
  if (has_row_ && row.t == last_.t && row.y == last_.y && row.factors == last_.factors) return true;
  last_ = row;
  has_row_ = true;
  if (result.rows++ > 0) return receivers_.row(row);
  begin_ = row.t;
  Row first = row;
  if (asked_begin_) first.t = *asked_begin_;
  return receivers_.row(first);
}

std::vector<double> SegmentResults::pass(const StateBetween& moment, const SimulationOptions& options) {
  passed_ = {moment, options.grid.value_or(moment.begin()), options.every, {}};
  if (const auto* before = integrals_->back_to(moment.begin())) passed_->integrals = *before;
  return moment.at(options.until);
}

/// With the forces and accelerations of the first row of the slip.
bool SegmentResults::give_passed(const Row& next, const std::vector<double>& factors, Segment& segment) {
  const auto passed = std::exchange(passed_, std::nullopt);
  if (!passed) return true;
  const auto& [moment, grid, every, integrals] = *passed;
  std::vector<double> rates(next.y.size());
  const bool has_rates = segment.evaluator->rates(next.t, next.y.data(), rates.data());
  const auto tell_integrals = [&](double t, const std::vector<double>& y) {
    Quantities& outputs = segment.observations.outputs;
    if (!outputs.integrals().empty() && !integrals.values.empty())
      outputs.set_integrals(Integrals::over(*segment.evaluator, outputs, integrals, t, y));
  };
  const auto give_at = [&](double t) {
    Row row = next;
    row.t = t;
    row.y = moment.at(t);
    const auto energies = segment.evaluator->energies(t, row.y.data());
    row.kinetic = energies.kinetic;
    row.potential = energies.potential;
    tell_integrals(t, row.y);
    if (has_rates && !row.outputs.empty())
      segment.observations.outputs.evaluate(
          t, row.y.data(), rates.data() + segment.evaluator->position_count(), factors, row.outputs.data());
    look_for_missing(segment.observations.output_names, t, row.outputs, result.notes,
                     [&](const std::string& text) { note(text); });
    return give(row);
  };
  const bool is_known = has_row_ && last_.t == moment.begin() && last_.y == moment.at(last_.t);
  if (!is_known && moment.begin() < next.t && !give_at(moment.begin())) return false;
  if (!(every > 0)) return true;
  constexpr double same = 1e-9;  // part of the distance of two rows
  for (double k = std::floor((moment.begin() - grid) / every + same) + 1; grid + every * (k + same) < next.t;
       ++k) {
    if (!give_at(grid + every * k)) return false;
  }
  tell_integrals(next.t, next.y);
  return true;
}

double SegmentResults::fastest(std::size_t contact, std::size_t resistance) const {
  return resistance < fastest_[contact].size() ? fastest_[contact][resistance] : 0;
}

void SegmentResults::add(const Segment& segment, const ContactHolds& holds, double begin,
                         const SimulationResult& one) {
  result.outcome = one.outcome;
  result.message = one.message;
  result.steps += one.steps;
  result.rejected += one.rejected;
  result.evaluations += one.evaluations;
  for (const EventRecord& record : one.events) {
    if (record.event < segment.first_guard()) result.events.push_back(record);
  }
  for (const Monitor& monitor : one.monitors) {
    const auto known = std::find_if(result.monitors.begin(), result.monitors.end(),
                                    [&](const Monitor& other) { return other.name == monitor.name; });
    if (known == result.monitors.end()) {
      result.monitors.push_back(monitor);
      if (monitor.name == work_balance) balance(std::exchange(left_, 0), left_size_);
      continue;
    }
    if (monitor.kind == MonitorKind::conserved) {  // from where the mode before left it
      known->lowest = std::min(known->lowest, known->last + monitor.lowest);
      known->highest = std::max(known->highest, known->last + monitor.highest);
      known->last += monitor.last;
      known->amount = std::max(-known->lowest, known->highest);
      known->size = std::max(known->size, monitor.size);
      known->largest = known->size > 0 ? known->amount / known->size : 0;
    } else {
      known->largest = std::max(known->largest, monitor.largest);
      known->amount = std::max(known->amount, monitor.amount);
    }
    known->expected = known->expected && monitor.expected;
  }
  for (const std::string& text : one.notes) note(text);
  if (result.sampled.empty()) result.sampled = one.sampled;
  result.passed.insert(result.passed.end(), one.passed.begin(), one.passed.end());
  for (std::size_t c = 0; c < modes_.size(); ++c) {
    const std::string mode = modes_.word_for(c, holds[c]);
    // A mode that was broken where it began was none.
    std::erase_if(result.contact_spans, [&](const ContactSpan& span) {
      return span.contact == c && span.begin == span.end && span.end == begin;
    });
    ContactSpan* last = nullptr;
    for (ContactSpan& span : result.contact_spans) {
      if (span.contact == c) last = &span;
    }
    if (last != nullptr && last->mode == mode && last->end == begin) {
      last->end = one.t;
    } else {
      result.contact_spans.push_back({c, begin, one.t, mode});
    }
  }
}

void SegmentResults::balance(double left, double size) {
  for (Monitor& monitor : result.monitors) {
    if (monitor.name != work_balance) continue;
    monitor.last += left;
    monitor.lowest = std::min(monitor.lowest, monitor.last);
    monitor.highest = std::max(monitor.highest, monitor.last);
    monitor.amount = std::max(-monitor.lowest, monitor.highest);
    monitor.size = std::max(monitor.size, size);
    monitor.largest = monitor.size > 0 ? monitor.amount / monitor.size : 0;
    return;
  }
  left_ += left;
  left_size_ = std::max(left_size_, size);
}

void SegmentResults::note(const std::string& text) {
  if (const auto digits = late_digits_in(text)) {  // of all segments the worst
    for (std::string& known : result.notes) {
      const auto others = late_digits_in(known);
      if (!others) continue;
      if (*digits < *others) known = text;
      return;
    }
  }
  if (!tells_known_missing(text, result.notes) &&
      std::find(result.notes.begin(), result.notes.end(), text) == result.notes.end())
    result.notes.push_back(text);
}

void SegmentResults::leave_open(const std::vector<std::size_t>& contacts) {
  result.open_contacts.insert(contacts.begin(), contacts.end());
  note(contacts.size() == 1
           ? fmt::format("how much `{}` carries is not determined: the rows show one way of many",
                         modes_.name(contacts[0]))
           : fmt::format("how {} share what they carry is not determined: the rows show one way of many",
                         modes_.names_of(contacts)));
}

void SegmentResults::look_for_others(const WatchCoverage& one) {
  coverage_.moments += one.moments;
  coverage_.beyond = coverage_.beyond || one.beyond;
  coverage_.contacts = one.contacts;
  coverage_.partly = coverage_.partly || one.partly;
}

void SegmentResults::leave_unexplored(double t, const std::string& why) {
  result.unexplored = true;
  note(fmt::format("at t = {:.9g} further motions were not looked for: {}", t, why));
}

bool SegmentResults::end(SimulationOutcome outcome, double t, const std::string& message,
                         const std::string& remedy) {
  result.remedy = remedy;
  result.outcome = outcome;
  result.message = fmt::format("at t = {:.15g}: {}", t, message);
  return false;
}

double SegmentResults::jump(Segment& open, double t, const std::vector<double>& before,
                            const std::vector<double>& after) {
  const std::vector<double> old_values = open.kept(t, before.data()), new_values = open.kept(t, after.data());
  const std::size_t count = open.observations.kept.size();
  for (std::size_t i = 0; i < std::min(old_values.size(), new_values.size()) / 2; ++i) {
    const double change = new_values[i] - old_values[i];
    const double size = std::max(old_values[count + i], new_values[count + i]);
    if (std::abs(change) <= 1e-14 * size) continue;  // rounding
    Jumps& jumps = jumps_[open.observations.kept[i].name];
    jumps.sum += change;
    ++jumps.count;
  }
  return old_values.empty() || new_values.empty() ? 0 : new_values[0] - old_values[0];
}

void SegmentResults::reset(Segment& open, std::size_t event, double t, const std::vector<double>& before,
                           const std::vector<double>& after) {
  const double change = jump(open, t, before, after);
  for (EventRecord& record : result.events) {
    if (record.t == t && record.event == event) record.energy = change;
  }
}

/// What holds a contact that sticks does no work, but where the contact slips that force is friction, whose
/// power is counted with the pressure's: of both nothing is said by the first.
void SegmentResults::drop_powers_of_slips() {
  for (const ContactSpan& span : result.contact_spans) {
    if (span.mode != "slips" && span.mode != "rolls") continue;
    const std::string of_slip = fmt::format("power({}.", modes_.name(span.contact));
    std::erase_if(result.monitors, [&](const Monitor& monitor) {
      const bool no_work = monitor.expected || monitor.amount == 0;
      return no_work && monitor.kind == MonitorKind::power && monitor.name.starts_with(of_slip);
    });
  }
}

SimulationResult SegmentResults::finish(double t, const std::vector<double>& y) {
  result.t = t;
  result.y = y;
  if (!result.impacts.empty() && integrates_forces(*frame_.equations().system))
    note("impulses of impacts are no part of an integral of forces: they are listed with the impacts");
  if (coverage_.moments > 0)
    note(
        fmt::format("while contacts stick, other motions were looked for at {} moments, and not in between: "
                    "one that was possible for a shorter time may be missed",
                    coverage_.moments));
  if (coverage_.partly)
    note("while contacts stick, there were moments at which not all other motions could be asked for");
  if (coverage_.beyond)
    note(
        fmt::format("while more than {} contacts are kept and some stick, other motions were looked for at "
                    "events alone",
                    coverage_.contacts));
  drop_powers_of_slips();
  double largest_power = 0;
  for (Monitor& monitor : result.monitors) {
    if (const auto jumps = jumps_.find(monitor.name); jumps != jumps_.end()) {
      monitor.by_resets = jumps->second.sum;
      monitor.resets = jumps->second.count;
    }
    if (monitor.kind == MonitorKind::power && monitor.largest > 0)
      largest_power = std::max(largest_power, monitor.amount / monitor.largest);
  }
  // What sticks has a power that is rounding beside rounding: it is measured by the largest of the run.
  for (Monitor& monitor : result.monitors) {
    if (monitor.kind == MonitorKind::power && monitor.expected && largest_power > 0)
      monitor.largest = std::min(monitor.largest, monitor.amount / largest_power);
  }
  return std::move(result);
}

}  // namespace liaison
