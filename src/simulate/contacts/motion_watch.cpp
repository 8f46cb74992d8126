#include "motion_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "liaison/expr/error.hpp"
#include "motion_family.hpp"

namespace liaison {

namespace {

/// Beyond that all motions are asked for at events only.
constexpr std::size_t most_contacts = 3;
/// What rests is followed by few long steps, within which another motion may come and go: looks at each of
/// the first, and at later ones.
constexpr int steps_with_looks = 100, looks_at_step = 8;
/// A mode of many steps is looked at after each of the first, then after so many.
constexpr int steps_looked_at = 1000, steps_between = 10;
/// So often another motion is suspected along a mode.
constexpr int most_doubts = 20;
/// Part of a step to which the moment is found, and by which it is passed: the motions are apart there.
constexpr double found_to = 1e-11, passed_by = 1e-7;
/// Part of the step that ends a mode, where what is possible is asked for: at the event it is at its limit.
constexpr double before_event = 0.999;

}  // namespace

MotionWatch::MotionWatch(ContactFrame& frame, Segments& segments, const ContactModes& modes,
                         ContactQuestion question, std::size_t known)
    : frame_(frame),
      segments_(segments),
      modes_(modes),
      question_(std::move(question)),
      known_(known),
      last_{question_.t, question_.y},
      begin_(question_.t) {
  if (is_needed()) known_ = std::max(known_, count_at(last_.t, last_.y));
}

/// Something sticks, and nothing does along a surface in space.
bool MotionWatch::is_needed() const {
  if (question_.resting.size() > most_contacts) return false;
  bool sticks = false;
  for (const std::size_t c : question_.resting) {
    for (std::size_t k = 0; k < modes_.rows()[c].resisted.size(); ++k) {
      if (question_.moving[c][k]) continue;
      if (modes_.rows()[c].resisted[k].size() == 2) return false;
      sticks = true;
    }
  }
  return sticks;
}

/// One contact that presses on what opens it more than its friction does: its motion is one for every load.
bool MotionWatch::is_surely_one() {
  if (question_.resting.size() > 1) return false;
  const std::size_t c = question_.resting[0];
  if (modes_.rows()[c].resisted.size() != 1) return false;
  const auto own = frame_.impact(question_.resting);
  return own && own->r[0] > frame_.sticking(c, 0) * std::abs(own->r[2]) && own->r[3] > 0 &&
         own->r[0] * own->r[3] > own->r[1] * own->r[2];
}

/// Motions that are possible at a state, by their accelerations; 1 where that is not known.
std::size_t MotionWatch::count_at(double t, const std::vector<double>& y) {
  if (!frame_.take(t, y.data()) || is_surely_one()) return 1;
  const auto problem = frame_.problem(question_.resting, question_.moving);
  if (!problem) return 1;
  try {
    std::vector<PossibleMotion> motions = ModeProblem(problem->numbers, problem->contacts).all();
    join_alike(motions, problem->numbers);
    return std::max<std::size_t>(motions.size(), 1);
  } catch (const Error&) {
    return 1;
  }
}

bool MotionWatch::is_several(double t, const std::vector<double>& y) {
  question_.t = t;
  question_.y = y;
  const NextModes next = next_modes(frame_, segments_, modes_, question_);
  return next.failure.empty() && (next.continuum || next.candidates.size() > 1);
}

/// States from the last one to this.
StateBetween MotionWatch::between(const Place& now) {
  return first_moment(*segments_.open().evaluator, last_.t, last_.y, now.t, now.y);
}

/// The first place on the way to this one at which more is possible than before.
std::optional<MotionWatch::Place> MotionWatch::look(const Place& now, int looks) {
  const StateBetween way = between(now);
  for (int i = 1; i <= looks; ++i) {
    Place place = now;
    if (i < looks) {
      place.t = last_.t + (now.t - last_.t) * i / looks;
      place.y = way.at(place.t);
    }
    const std::size_t before = std::exchange(known_, count_at(place.t, place.y));
    if (known_ > before) return place;
  }
  return {};
}

/// Between the last state and this one; none where there is no further motion here.
std::optional<double> MotionWatch::first_of_several(Segment& segment, const Place& now) {
  segment.evaluator->leave_rest();
  if (!is_several(now.t, now.y)) return {};
  const StateBetween way = between(now);
  const double length = now.t - last_.t;
  double low = last_.t, high = now.t;
  while (high - low > found_to * length) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low) || !(middle < high)) break;
    (is_several(middle, way.at(middle)) ? high : low) = middle;
  }
  return std::min(high + passed_by * (high - last_.t), now.t);
}

SimulationResult MotionWatch::simulate(Segment& segment, Integrator& integrator, SimulationOptions how,
                                       const SimulationReceivers& receivers, const Part& add) {
  const auto follow = [&](const SimulationReceivers& asked) {
    return liaison::simulate(*segment.evaluator, integrator, segment.observations, last_.t, last_.y, how,
                             asked);
  };
  if (!is_needed()) return follow(receivers);
  // Rows of a step are given when it is known that nothing else was possible within it, and the first of a
  // part that goes on is the last of the one before.
  std::vector<Row> rows;
  const double start = last_.t;
  const auto is_new = [&](const Row& row) { return row.t > begin_ || begin_ == start; };
  const auto give_rows = [&] {
    const std::vector<Row> given = std::exchange(rows, {});
    return std::all_of(given.begin(), given.end(), [&](const Row& row) { return receivers.row(row); });
  };
  const auto begin_again = [&](SimulationResult& part) {
    part.t = last_.t;
    std::erase_if(part.events, [&](const EventRecord& one) { return one.t > last_.t; });
    how.max_steps -= std::min(how.max_steps, part.steps);
    if (last_.t > begin_) {
      how.at_zero.clear();
      how.came_from.clear();
    } else {
      part.events.clear();  // they are told again
    }
    add(begin_, part);
    begin_ = last_.t;
    segment.evaluator->stay_at_rest(last_.t, last_.y.data());
  };
  int steps = 0;
  for (int doubts = 0;; ++doubts) {
    std::optional<Place> doubt;
    Place reached = last_;
    SimulationReceivers watched = receivers;
    watched.row = [&](const Row& row) {
      if (is_new(row)) rows.push_back(row);
      return true;
    };
    watched.step = [&](const RunningSimulation& run) {
      if (++steps > steps_looked_at && steps % steps_between != 0)
        return !receivers.step || receivers.step(run);
      reached = {run.time(), {integrator.state().begin(), integrator.state().end()}};
      if (doubts < most_doubts) doubt = look(reached, steps <= steps_with_looks ? looks_at_step : 1);
      if (doubt) return false;
      last_ = reached;
      return give_rows() && (!receivers.step || receivers.step(run));
    };
    SimulationResult part = follow(watched);
    if (!doubt && part.outcome == SimulationOutcome::event && doubts < most_doubts && part.t > last_.t) {
      const double t = last_.t + before_event * (part.t - last_.t);
      doubt = look({t, between({part.t, part.y}).at(t)}, looks_at_step);
      segment.evaluator->leave_rest();
      if (doubt && !is_several(doubt->t, doubt->y)) doubt.reset();
    }
    if (!doubt) {
      if (!give_rows() && part.outcome == SimulationOutcome::finished)
        part.outcome = SimulationOutcome::interrupted;
      return part;
    }
    const auto moment = first_of_several(segment, *doubt);
    if (moment) {
      has_found_ = true;
      rows.clear();
      begin_again(part);
      how.until = *moment;
      watched = receivers;
      watched.row = [&](const Row& row) { return !is_new(row) || receivers.row(row); };
      return follow(watched);
    }
    give_rows();
    last_ = std::move(reached);
    begin_again(part);
  }
}

}  // namespace liaison
