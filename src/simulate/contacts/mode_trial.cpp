#include "mode_trial.hpp"

#include <algorithm>
#include <cmath>

#include "motion_family.hpp"
#include "slip_starts.hpp"

namespace liaison {

namespace {

/// A condition that has changed by less than this part of its terms is where it was.
constexpr double decided_beside = 1e-11;
/// Of the time of the motion, a moment after which a slip that begins has its direction.
constexpr double moment_part = 1e-9;
/// Of the time of the motion, the shortest while for which a mode is followed.
constexpr double shortest_part = 1e-5;
/// A slip that loses this part of the speed that it was given does not begin.
constexpr double slower = 1e-6;

}  // namespace

bool rests_in_space(const ContactModes& modes, const ContactQuestion& question) {
  const std::size_t c = question.resting[0];
  return question.resting.size() == 1 && modes.rows()[c].resisted.size() == 1 &&
         modes.rows()[c].resisted[0].size() == 2 && !question.moving[c][0];
}

std::optional<NextModes::Candidate> ModeTrial::unsolved() {
  has_solution_ = false;
  return {};
}

std::optional<NextModes::Candidate> ModeTrial::follow(const ContactHolds& holds, const WantedMode& wanted) {
  has_solution_ = true;
  falls_apart_ = is_not_kept_ = false;
  if (wanted.onset) return take_onset(*wanted.onset);
  Segment& segment = segments_.at(holds);
  std::vector<double> y = question_.y;
  const std::size_t positions = segment.evaluator->position_count();
  const double moment = moment_part * question_.time_scale;  // later it has its direction
  const double given_for = wanted.begins ? moment : question_.slip_start * moment;
  for (std::size_t a = 0; a < wanted.nudge.size(); ++a) y[positions + a] += given_for * wanted.nudge[a];
  if (!segment.evaluator->project(question_.t, y.data())) return unsolved();
  if (!wanted.factors.empty()) segment.evaluator->set_factor_guess(wanted.factors);
  NextModes::Candidate candidate;
  candidate.chosen = wanted.factors;
  for (std::size_t a = positions; a < y.size() && !wanted.nudge.empty() && !wanted.begins; ++a)
    candidate.nudged = std::max(candidate.nudged, std::abs(y[a] - question_.y[a]));
  const auto given = candidate.nudged > 0 ? begun_in_space(holds) : Slips();
  const bool gives_way = !given.empty();
  const double slip = gives_way ? slip_at(question_.t, y, given) : 0;
  candidate.holds = holds;
  candidate.y = y;
  candidate.rates.resize(y.size());
  if (!segment.evaluator->rates(question_.t, y.data(), candidate.rates.data())) return unsolved();
  for (std::size_t a = positions; a < y.size(); ++a) {
    if (std::abs(candidate.rates[a]) <= rounding_of_rates * free_) candidate.rates[a] = 0;
  }
  if (wanted.begins) {
    candidate.moment = moment;
    for (std::size_t a = 0; a < positions; ++a) candidate.y[a] += moment * candidate.rates[a];
  }
  candidate.factors.assign(segment.evaluator->factors().begin(), segment.evaluator->factors().end());
  if (segment.shares()) candidate.sharing = segment.sharing->contacts();
  const bool depends = !segment.evaluator->open_factors().empty();
  auto begin = conditions(segment, candidate);
  if (!begin) return unsolved();
  if (!begin->hold) return {};
  std::vector<double> later, later_sizes;
  const double short_while = 1e-2 * question_.time_scale,
               long_while = std::max(short_while, while_of_gaps(segment));
  constexpr auto decided = static_cast<std::size_t>(-1);
  for (double h = shortest_part * question_.time_scale; h <= 1.01 * long_while; h *= 10) {
    const bool gaps_alone = h > 1.01 * short_while;
    const auto is_asked = [&](std::size_t g) {
      return g != decided && (!gaps_alone || segment.mode.guards[g].kind == Guard::Kind::closes);
    };
    if (gaps_alone && std::none_of(begin->at_limit.begin(), begin->at_limit.end(), is_asked)) break;
    const bool goes_on = gives_way ? step_of_slip(segment, y, h) : step(segment, y, h);
    if (depends && !gaps_alone && !(goes_on && keeps(segment, h))) {
      falls_apart_ = true;
      return {};
    }
    if (!goes_on) break;
    if (!gaps_alone && !keeps_touching(segment, holds, h)) {
      is_not_kept_ = true;
      return {};
    }
    if (!gaps_alone) {
      candidate.later = moved_;
      candidate.span = h;
    }
    if (gives_way && slip_at(question_.t + h, moved_, given) < (1 - slower) * slip) return {};  // it sticks
    if (!segment.guards(question_.t + h, moved_.data(), later, later_sizes)) break;
    for (std::size_t& g : begin->at_limit) {
      if (!is_asked(g)) continue;
      const Guard& guard = segment.mode.guards[g];
      const double value = begin->values[g], change = later[g] - value;
      const double noise =
          decided_beside * std::max({later_sizes[g], begin->sizes[g], rounding_of(guard, force_, h)});
      if (std::abs(change) <= noise) continue;
      // A force near its limit, and known to be at it by its number alone, may come nearer and stay.
      const bool is_near = is_force(guard) && value > 0 && !has_fired(holds, guard);
      if (is_near && change < 0 && later[g] >= -noise) continue;
      if (change < 0) return {};
      g = decided;
    }
  }
  // What others hold begins no slip under a law that gives its force.
  for (const std::size_t g : begin->at_limit) {
    if (g == decided) continue;
    const Guard& guard = segment.mode.guards[g];
    if (guard.kind == Guard::Kind::stops && modes_.depends_on_factors(guard.contact) &&
        !question_.moving[guard.contact][guard.resistance])
      return {};
  }
  return candidate;
}

/// The candidate's factors are those of the last rates of the segment's evaluator.
std::optional<ModeTrial::Conditions> ModeTrial::conditions(Segment& segment,
                                                           const NextModes::Candidate& candidate) {
  Conditions result;
  force_ = largest_force(candidate, segment);
  if (!segment.guards(question_.t, candidate.y.data(), result.values, result.sizes)) return {};
  for (std::size_t g = 0; g < result.values.size(); ++g) {
    const Guard& guard = segment.mode.guards[g];
    const bool is_closed = std::find(question_.resting.begin(), question_.resting.end(), guard.contact) !=
                           question_.resting.end();
    if (guard.kind == Guard::Kind::closes && !is_closed) continue;  // open, or separating
    const bool is_shared = segment.shares() && segment.sharing->decides(guard);
    if (!is_shared) result.sizes[g] = std::max(result.sizes[g], scale_of(frame_, modes_, guard, force_));
    const bool starts =
        guard.kind == Guard::Kind::stops && !question_.moving[guard.contact][guard.resistance];
    if (guard.kind == Guard::Kind::closes || starts || has_fired(candidate.holds, guard) ||
        std::abs(result.values[g]) <= limit_beside * result.sizes[g]) {
      result.at_limit.push_back(g);
    } else if (result.values[g] < 0) {
      result.hold = false;
    }
  }
  return result;
}

/// What rested along surfaces in space, and slips in a mode.
ModeTrial::Slips ModeTrial::begun_in_space(const ContactHolds& holds) const {
  Slips begun;
  for (const std::size_t c : question_.resting) {
    for (std::size_t k = 0; k < holds[c].slips.size(); ++k) {
      if (holds[c].slips[k] != 0 && !question_.moving[c][k] && modes_.rows()[c].resisted[k].size() == 2)
        begun.emplace_back(c, k);
    }
  }
  return begun;
}
double ModeTrial::slip_at(double t, const std::vector<double>& y, const Slips& slips) {
  double speed = 0;
  if (frame_.take(t, y.data())) {
    for (const auto& [c, k] : slips) speed = std::hypot(speed, frame_.speed(c, k));
  }
  frame_.take(question_.t, question_.y.data());
  return speed;
}

/// A motion that satisfies the law a moment later, which its mode goes on from there.
std::optional<NextModes::Candidate> ModeTrial::take_onset(const Onset& onset) {
  Segment& segment = segments_.at(onset.holds);
  NextModes::Candidate candidate;
  candidate.holds = onset.holds;
  candidate.y = onset.y;
  candidate.moment = onset.moment;
  const double then = question_.t + onset.moment;
  candidate.rates.resize(onset.y.size());
  if (!segment.evaluator->project(then, candidate.y.data()) ||
      !segment.evaluator->rates(then, candidate.y.data(), candidate.rates.data()))
    return unsolved();
  candidate.factors.assign(segment.evaluator->factors().begin(), segment.evaluator->factors().end());
  if (segment.shares()) candidate.sharing = segment.sharing->contacts();
  candidate.later = candidate.y;
  return candidate;
}

/// In which a gap changes by more than the rounding of the places, however slow the motion is at this moment:
/// what comes to rest has a short time of its own.
double ModeTrial::while_of_gaps(const Segment& segment) const {
  double place = 0;
  for (std::size_t a = 0; a < segment.evaluator->position_count(); ++a)
    place = std::max(place, std::abs(question_.y[a]));
  return free_ > 0 ? 1e-2 * std::sqrt(place / free_) : 0;
}

/// Whether a condition of the mode before came to its limit here: that is known, also where the loads that it
/// is measured by cancel.
bool ModeTrial::has_fired(const ContactHolds& holds, const Guard& guard) const {
  const auto is_it = [&](const Guard& fired) {
    return fired.kind == guard.kind && fired.contact == guard.contact &&
           fired.resistance == guard.resistance && fired.direction == guard.direction;
  };
  const auto closes = [](const Guard& fired) { return fired.kind == Guard::Kind::closes; };
  const auto& fired = question_.fired;
  return holds == question_.before && std::none_of(fired.begin(), fired.end(), closes) &&
         std::any_of(fired.begin(), fired.end(), is_it);
}

double ModeTrial::largest_force(const NextModes::Candidate& candidate, const Segment& segment) {
  const std::vector<double>& units = frame_.force_units();
  if (units.empty()) return 0;
  double largest = std::max(question_.force, frame_.force_of({}));
  for (std::size_t h = 0; h < candidate.factors.size(); ++h)
    largest = std::max(largest, std::abs(candidate.factors[h]) * units[segment.mode.places[h]]);
  return largest;
}

/// By what a slip or a gap that begins at zero is measured after a while: what the terms of its rate would
/// make of it, of which rounding is a part.
double ModeTrial::rounding_of(const Guard& guard, double force, double h) {
  const ContactModes::Rows& own = modes_.rows()[guard.contact];
  if (guard.kind == Guard::Kind::stops) return h * frame_.rate_size(own.resisted[guard.resistance][0], force);
  if (guard.kind != Guard::Kind::closes) return 0;
  const bool is_place = modes_.laws()[guard.contact].held.holonomic;
  return (is_place ? h * h / 2 : h) * frame_.rate_size(own.normal, force);
}

/// Whether all that a mode keeps is kept where a step has led, but for the error of the step.
bool ModeTrial::keeps(Segment& segment, double h) const {
  std::vector<double> landed = moved_;
  return segment.evaluator->project(question_.t + h, landed.data());
}

/// Whether what touches does so where a step has led, but for rounding.
bool ModeTrial::keeps_touching(Segment& segment, const ContactHolds& holds, double h) {
  const auto touches = [&](std::size_t c) { return holds[c].kind == ContactHold::Kind::touching; };
  if (std::none_of(question_.resting.begin(), question_.resting.end(), touches)) return true;
  std::vector<double> landed = moved_;
  const bool has_numbers = segment.evaluator->project(question_.t + h, landed.data()) &&
                           frame_.take(question_.t + h, landed.data());
  const bool kept =
      has_numbers && std::all_of(question_.resting.begin(), question_.resting.end(), [&](std::size_t c) {
        const SizedNumber gap = frame_.gap(c);
        const double size = std::max(gap.size, rounding_of({Guard::Kind::closes, c}, force_, h));
        return !touches(c) || std::abs(gap.value) <= decided_beside * size;
      });
  frame_.take(question_.t, question_.y.data());
  return kept;
}

/// One step of Runge and Kutta in a mode.
bool ModeTrial::step(Segment& segment, const std::vector<double>& from, double h) {
  const std::size_t n = from.size();
  std::vector<double> k[4], at = from;
  const double t = question_.t;
  for (auto& stage : k) stage.resize(n);
  const auto stage = [&](std::size_t i, double part) {
    if (i > 0) {
      for (std::size_t a = 0; a < n; ++a) at[a] = from[a] + part * h * k[i - 1][a];
    }
    return segment.evaluator->rates(t + part * h, at.data(), k[i].data());
  };
  if (!stage(0, 0) || !stage(1, 0.5) || !stage(2, 0.5) || !stage(3, 1)) return false;
  moved_ = from;
  for (std::size_t a = 0; a < n; ++a) moved_[a] += h / 6 * (k[0][a] + 2 * k[1][a] + 2 * k[2][a] + k[3][a]);
  return true;
}

/// One step of Heun, where friction has the direction of a slip that was given: so slow it would turn it
/// sooner than a step of higher order can follow.
bool ModeTrial::step_of_slip(Segment& segment, const std::vector<double>& from, double h) {
  std::vector<double> first(from.size()), second(from.size());
  if (!segment.evaluator->rates(question_.t, from.data(), first.data())) return false;
  moved_ = from;
  for (std::size_t a = 0; a < from.size(); ++a) moved_[a] += h * first[a];
  if (!segment.evaluator->rates(question_.t + h, moved_.data(), second.data())) return false;
  for (std::size_t a = 0; a < from.size(); ++a) moved_[a] = from[a] + h / 2 * (first[a] + second[a]);
  return true;
}

}  // namespace liaison
