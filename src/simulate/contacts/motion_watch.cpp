#include "motion_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "liaison/expr/error.hpp"
#include "liaison/simulate/runge_kutta.hpp"
#include "motion_family.hpp"
#include "simulate/run/crossings.hpp"

namespace liaison {

namespace {

/// What rests is followed by few long steps, within which another motion may come and go: few contacts in the
/// plane are looked at so often in each of the first, and at the end of later ones.
constexpr int steps_with_looks = 100, looks_at_step = 8;
/// For several contacts a mode of many steps is looked at after each of the first, then after so many.
constexpr int steps_looked_at = 1000, steps_between = 10;
/// Few contacts: all their motions are found soon. Of more, or of several in space, the steps that are looked
/// at lie ever farther apart.
constexpr std::size_t few_contacts = 3;
constexpr int dense_steps = 16;
/// So often another motion is suspected along a mode.
constexpr int most_doubts = 20;
/// Part of a step to which the moment is found, and by which it is passed: the motions are apart there.
constexpr double found_to = 1e-11, passed_by = 1e-7;
/// Part of the step that ends a mode, where what is possible is asked for: at the event it is at its limit.
constexpr double before_event = 0.999;
/// Extrema of a function whose sign decides, beside its largest value, that are zeros.
constexpr double touch = 1e-12;

/// States of a mode after one that is known, by a method of its own: that of the run may have begun anew at
/// the end of its step.
class ModeStates {
 public:
  ModeStates(Evaluator& mode, double t, const std::vector<double>& y, double end) : states_(y.size()) {
    constexpr int most_steps = 2000;
    constexpr Tolerance tight{.relative = 1e-12, .absolute = 1e-15};
    DormandPrince method(
        [&](double at, const double* from, double* rates) { return mode.rates(at, from, rates); }, y.size(),
        tight);
    if (!method.begin(t, y, end)) return;
    while (method.time() < end) {
      if (steps_.size() == most_steps || method.step(end) != StepOutcome::stepped) return;
      steps_.push_back(method.dense());
    }
    reaches_end_ = true;
  }
  bool reaches_end() const { return reaches_end_; }
  const std::vector<double>& at(double t) {
    std::size_t i = 0;
    while (i + 1 < steps_.size() && steps_[i].end < t) ++i;
    steps_[i].evaluate(t, states_.data());
    return states_;
  }

 private:
  std::vector<DenseStep> steps_;
  std::vector<double> states_;
  bool reaches_end_ = false;
};

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
  if (is_needed()) known_ = std::max(known_, count_at(last_.t, last_.y).value_or(1));
}

bool MotionWatch::sticks() const {
  return std::any_of(question_.resting.begin(), question_.resting.end(), [&](std::size_t c) {
    const std::vector<bool>& moving = question_.moving[c];
    return std::find(moving.begin(), moving.end(), false) != moving.end();
  });
}

/// Something sticks along a surface in space.
bool MotionWatch::in_space() const {
  for (const std::size_t c : question_.resting) {
    for (std::size_t k = 0; k < modes_.rows()[c].resisted.size(); ++k) {
      if (!question_.moving[c][k] && modes_.rows()[c].resisted[k].size() == 2) return true;
    }
  }
  return false;
}

bool MotionWatch::is_looked_at(int step) const {
  if (is_lone()) return true;
  const auto is_power_of = [&](int base) {
    int power = 1;
    while (power < step) power *= base;
    return power == step;
  };
  if (in_space() && question_.resting.size() > 1) return is_power_of(4);
  if (question_.resting.size() > few_contacts) return step <= dense_steps || is_power_of(2);
  return step <= steps_looked_at || step % steps_between == 0;
}
int MotionWatch::looks_in(int step) const {
  return step <= steps_with_looks && question_.resting.size() <= few_contacts && !in_space() ? looks_at_step
                                                                                             : 1;
}

WatchCoverage MotionWatch::coverage() const {
  return {moments_, sticks() && !is_needed(), most_contacts, partly_};
}

/// Motions that are possible at a state, by their accelerations; none where that is not known.
std::optional<std::size_t> MotionWatch::count_at(double t, const std::vector<double>& y) {
  if (is_lone()) return LoneContact(frame_, modes_, question_.resting[0]).motions(t, y.data());
  const auto problem =
      frame_.take(t, y.data()) ? frame_.problem(question_.resting, question_.moving) : std::nullopt;
  if (problem) {
    try {
      SpaceMotions found = motions_of(*problem);
      partly_ = partly_ || !found.left_out.empty();
      join_alike(found.motions, problem->numbers);
      return std::max<std::size_t>(found.motions.size(), 1);
    } catch (const Error&) {  // told by `partly_`
    }
  }
  partly_ = true;
  return {};
}

bool MotionWatch::is_several(double t, const std::vector<double>& y) {
  question_.t = t;
  question_.y = y;
  const NextModes next = next_modes(frame_, segments_, modes_, question_);
  return next.failure.empty() && (next.continuum || next.candidates.size() > 1);
}

/// Times on the way to this one between which another motion may come and go: one in each stretch on which
/// no sign changes, where signs decide, else samples.
std::vector<double> MotionWatch::times_between_signs(const StateBetween& way, double until, int looks) {
  std::vector<double> times;
  by_signs_ = true;
  if (is_lone()) {
    LoneContact contact(frame_, modes_, question_.resting[0]);
    const CrossingSearch::Values values = [&](double t, double* found, double* sizes) {
      return contact.take(t, way.at(t).data(), found, sizes);
    };
    CrossingSearch search(LoneContact::functions, touch);
    for (std::size_t f = 0; f < LoneContact::functions; ++f) search.take_shallow(f);
    LoneContact::Numbers first, sizes;
    if (values(last_.t, first.data(), sizes.data())) {
      search.begin(first, sizes);
      const CrossingSearch::Found found = search.between(last_.t, until, values);
      if (found.known && !found.unresolved) {
        double begin = last_.t;
        for (const Crossing& crossing : found.crossings) {
          if (crossing.t > begin) times.push_back(begin + (crossing.t - begin) / 2);
          begin = std::max(begin, crossing.t);
        }
        if (until > begin) times.push_back(begin + (until - begin) / 2);
        times.push_back(until);
        return times;
      }
    }
  }
  by_signs_ = false;
  for (int i = 1; i <= looks; ++i)
    times.push_back(i < looks ? last_.t + (until - last_.t) * i / looks : until);
  return times;
}

/// The places up to a time on the way to this one at which more is possible than before.
std::vector<MotionWatch::Doubt> MotionWatch::look(Segment& segment, const Place& now, double until,
                                                  int looks) {
  const StateBetween way(*segment.evaluator, last_.t, last_.y, now.t, now.y, now.y.size());
  std::vector<Doubt> doubts;
  double before = last_.t;
  for (const double t : times_between_signs(way, until, looks)) {
    Place place{t, way.at(t)};
    const std::optional<std::size_t> count = count_at(place.t, place.y);
    if (!count) continue;
    if (!by_signs_) ++moments_;
    if (*count > std::exchange(known_, *count)) doubts.push_back({before, std::move(place)});
    before = t;
  }
  return doubts;
}

/// The moment after the last state at which a further motion becomes possible; none where there is none.
std::optional<double> MotionWatch::first_of_several(Segment& segment, const Doubt& doubt) {
  segment.evaluator->leave_rest();
  ModeStates states(*segment.evaluator, last_.t, last_.y, doubt.at.t);
  const StateBetween way(*segment.evaluator, last_.t, last_.y, doubt.at.t, doubt.at.y, last_.y.size());
  const auto is_several_at = [&](double t) {
    return is_several(t, states.reaches_end() ? states.at(t) : way.at(t));
  };
  if (!is_several_at(doubt.at.t)) return {};
  const double length = doubt.at.t - last_.t;
  double low = doubt.before, high = doubt.at.t;
  while (high - low > found_to * length) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low) || !(middle < high)) break;
    (is_several_at(middle) ? high : low) = middle;
  }
  return std::min(high + passed_by * length, doubt.at.t);
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
      how.strays.clear();
      std::erase_if(how.came_from, [&](const auto& one) { return one.first < segment.first_guard(); });
    } else {
      part.events.clear();  // they are told again
    }
    add(begin_, part);
    begin_ = last_.t;
    segment.evaluator->stay_at_rest(last_.t, last_.y.data());
  };
  int steps = 0;
  for (int rounds = 0;; ++rounds) {
    gave_up_ = rounds == most_doubts;
    std::vector<Doubt> doubts;
    Place reached = last_;
    SimulationReceivers watched = receivers;
    watched.row = [&](const Row& row) {
      if (is_new(row)) rows.push_back(row);
      return true;
    };
    watched.step = [&](const RunningSimulation& run) {
      if (!is_looked_at(++steps)) return !receivers.step || receivers.step(run);
      reached = {run.time(), {integrator.state().begin(), integrator.state().end()}};
      if (!gave_up_) doubts = look(segment, reached, reached.t, looks_in(steps));
      if (!doubts.empty()) return false;
      last_ = reached;
      return give_rows() && (!receivers.step || receivers.step(run));
    };
    SimulationResult part = follow(watched);
    const bool is_event = doubts.empty() && part.outcome == SimulationOutcome::event;
    if (is_event && !gave_up_ && part.t > last_.t) {
      doubts = look(segment, {part.t, part.y}, last_.t + before_event * (part.t - last_.t), looks_in(0));
      segment.evaluator->leave_rest();
    }
    std::optional<double> moment;
    for (std::size_t i = 0; i < doubts.size() && !moment; ++i) moment = first_of_several(segment, doubts[i]);
    if (moment) {
      has_found_ = true;
      rows.clear();
      begin_again(part);
      how.until = *moment;
      watched = receivers;
      watched.row = [&](const Row& row) { return !is_new(row) || receivers.row(row); };
      return follow(watched);
    }
    if (doubts.empty() || is_event) {
      if (!give_rows() && part.outcome == SimulationOutcome::finished)
        part.outcome = SimulationOutcome::interrupted;
      return part;
    }
    give_rows();
    last_ = std::move(reached);
    begin_again(part);
  }
}

ContactQuestion question_in_mode(ContactQuestion question, const ContactHolds& holds) {
  question.before = holds;
  question.fired.clear();
  question.refuted.clear();
  for (std::size_t c = 0; c < holds.size(); ++c) {
    if (holds[c].kind != ContactHold::Kind::open) question.resting.push_back(c);
    for (std::size_t k = 0; k < holds[c].slips.size(); ++k) question.moving[c][k] = holds[c].slips[k] != 0;
  }
  return question;
}

}  // namespace liaison
