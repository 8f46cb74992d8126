#include "liaison/simulate/contact_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "branch_tree.hpp"
#include "candidates.hpp"
#include "collisions.hpp"
#include "edges.hpp"
#include "liaison/unilateral/gap_corners.hpp"
#include "motion_family.hpp"
#include "motion_watch.hpp"
#include "next_modes.hpp"
#include "resets.hpp"
#include "slip_starts.hpp"
#include "slip_watch.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_changes_at_once = 200, most_branches = 64;
/// Of the time of the motion, what the method of the start goes, and that where a slip in space begins.
constexpr double start_part = 1e-2, stiff_part = 0.5;
/// Part of what forces do that may come of how contacts share them: there, where a rotation that is rounding
/// is not yet small beside the slip, and later.
constexpr double open_at_start = 1e-2, open_later = 1e-9;

}  // namespace

class ContactRun::Implementation {
 public:
  Implementation(Algebra& algebra, const System& system, const DoublePoint& parameters,
                 const MethodRequest& method, const EvaluatorOptions& evaluator,
                 const ContactOptions& options)
      : modes_(system, parameters),
        frame_(algebra, modes_, parameters, evaluator.engine),
        segments_(algebra, modes_, parameters, method, evaluator, is_moved(frame_.equations())),
        sides_(algebra, modes_, frame_.equations(), parameters),
        options_(options) {
    segments_.tell_slips([this](const ContactHolds& holds, double t, const double* y, auto& pairs) {
      return slips_in_space(frame_, modes_, holds, t, y, pairs);
    });
  }

  const AssembledEquations& equations() const { return frame_.equations(); }
  Segment& open_segment() { return segments_.open(); }

  /// The run, and where every motion is to be followed the runs that branch off from it.
  SimulationResult run(double t, const std::vector<double>& y, const SimulationOptions& options,
                       const SimulationReceivers& receivers) {
    tree_.begin();
    SimulationResult result = run_one(t, y, options, receivers);
    if (tree_.path().empty()) return result;
    std::vector<Branch> branches{branch_of(result)};
    const SimulationReceivers silent{[](const Row&) { return true; }, receivers.step};
    while (branches.back().outcome != SimulationOutcome::interrupted && branches.size() < most_branches &&
           tree_.next())
      branches.push_back(branch_of(run_one(t, y, options, silent)));
    if (tree_.is_left_over())
      result.notes.push_back(fmt::format("{} branches were followed, and there are more", branches.size()));
    result.branches = std::move(branches);
    return result;
  }

 private:
  Branch branch_of(const SimulationResult& one) const {
    return {tree_.path(), one.outcome, one.message, one.t, one.y};
  }

  SimulationResult run_one(double t, std::vector<double> y, const SimulationOptions& options,
                           const SimulationReceivers& receivers) {
    simulation_ = options;
    if (!simulation_.grid) simulation_.grid = t;
    total_ = std::make_unique<SegmentResults>(modes_, frame_, receivers);
    collisions_ = std::make_unique<Collisions>(frame_, segments_, sides_, modes_, options_, *total_, tree_,
                                               options.tolerance.relative);
    at_.t = t;
    at_.y = std::move(y);
    at_.moving.clear();
    for (const ContactLaw& law : modes_.laws()) at_.moving.emplace_back(law.resistances.size(), false);
    for (auto* known : {&at_.holds, &at_.before}) known->clear();
    at_.fired.clear();
    at_.rests.clear();
    at_.refuted.clear();
    separated_.clear();
    events_here_ = {};
    steepest_.assign(modes_.size(), 0);
    before_end_ = false;
    force_ = 0;
    possible_ = 1;
    total_->begins_at(t);
    if (!find_contacts()) return finish();
    edges().begin_behind_turns();
    while (true) {
      if (!settle() || !advance()) return finish();
      if (at_.t < options.until) continue;
      total_->result.outcome = SimulationOutcome::finished;
      total_->result.message.clear();
      return finish();
    }
  }

  bool end(SimulationOutcome outcome, const std::string& message) {
    return total_->end(outcome, at_.t, message);
  }

  SimulationResult finish() { return total_->finish(at_.t, at_.y); }

  /// What rounding leaves of a gap to which the motion has come, which may have no terms as large as that.
  double rounding_of_gap(std::size_t contact) {
    const double fastest = largest_of(std::span(at_.y).subspan(open_segment().evaluator->position_count()));
    return 64 * std::numeric_limits<double>::epsilon() * frame_.steepness(contact).value_or(0) * fastest *
           (at_.t - *simulation_.grid);
  }

  /// Which contacts are closed at a state of which nothing else is known, and what moves along them.
  bool find_contacts() {
    if (!frame_.take(at_.t, at_.y.data())) return end(SimulationOutcome::singular, frame_.failure());
    at_.closed.assign(modes_.size(), false);
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      const SizedNumber gap = frame_.gap(c);
      const bool is_rounding = std::abs(gap.value) <= rounding_of_gap(c);
      if (gap.sign() < 0 && !is_rounding)
        return end(SimulationOutcome::singular,
                   fmt::format("the state violates `{}`: its gap is {:.6g}", modes_.name(c), gap.value));
      at_.closed[c] = gap.sign() == 0 || is_rounding;
      if (at_.closed[c]) at_.find_slips(c, frame_);
    }
    return true;
  }

  /// Impacts, and then the modes of the motion from here on.
  bool settle() {
    changes_here_ = at_.t == last_change_ ? changes_here_ + 1 : 0;
    last_change_ = at_.t;
    if (changes_here_ > most_changes_at_once)
      return end(SimulationOutcome::singular, "contacts change at once without an end");
    for (std::size_t rounds = 0;; ++rounds) {
      if (!frame_.take(at_.t, at_.y.data())) return end(SimulationOutcome::singular, frame_.failure());
      if (!leave_edges() || !have_normals()) return false;
      std::vector<std::size_t> closed;
      bool closing = false;
      for (std::size_t c = 0; c < modes_.size(); ++c) {
        closing = closing || (at_.closed[c] && !at_.is_resting(c, frame_) && frame_.rate(c).value < 0);
        if (at_.closed[c] || touches(c)) closed.push_back(c);
      }
      if (!closing) break;
      join_closing(closed);
      if (rounds > most_changes_at_once)
        return end(SimulationOutcome::singular, "impacts follow each other at once without an end");
      if (!collisions_->collide(at_, closed)) return false;
      at_.refuted.clear();
    }
    return choose_modes();
  }

  /// Contacts that close at the same time as far as it is known are one impact.
  void join_closing(std::vector<std::size_t>& closed) {
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      if (at_.closed[c] || !collisions_->closes_with_others(at_, c)) continue;
      at_.closed[c] = true;
      at_.find_slips(c, frame_);
      if (!at_.holds.empty()) at_.holds[c] = {};
      closed.push_back(c);
    }
    std::sort(closed.begin(), closed.end());
    closed.erase(std::unique(closed.begin(), closed.end()), closed.end());
  }

  /// Closed contacts at edges of their surfaces: those that the motion leaves are left.
  bool leave_edges() {
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      const auto edge = at_.closed[c] || touches(c) ? frame_.edge(c) : std::nullopt;
      if (!edge || edge->of_time) continue;
      const double rate = edge->side == 0 ? frame_.rate(c).value : edge->rate.value;
      if (edge->side == 0 || edge->rate.sign() < 0 || !edges().goes_beyond(c))
        return total_->end(
            SimulationOutcome::several, at_.t,
            text_of_edge(modes_.name(c), edge->argument, rate < 0 ? OnEdge::closes : OnEdge::rests),
            "a start that misses the edge, or a surface that is round there, has one motion");
      at_.find_anew(c, frame_);
    }
    return true;
  }

  /// Where the gradient of a gap comes to vanish, a closed contact has no force: what the gradient was before
  /// tells how small it is.
  bool have_normals() {
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      const auto steepness = at_.closed[c] ? frame_.steepness(c) : std::nullopt;
      if (!steepness) continue;
      if (*steepness <= 1e-9 * steepest_[c])
        return end(SimulationOutcome::singular, text_without_normal(modes_.name(c)));
      steepest_[c] = std::max(steepest_[c], *steepness);
    }
    return true;
  }

  EdgePassage edges() { return {frame_, modes_, *open_segment().evaluator, at_, whole_time()}; }
  double whole_time() { return std::max(time_scale(), at_.t - *simulation_.grid); }

  /// A contact that takes part in an impact though nothing presses on it: bodies that lie against each other,
  /// and every relation between velocities, which jump.
  bool touches(std::size_t c) const {
    if (!modes_.laws()[c].held.holonomic) return true;
    return frame_.gap(c).sign() == 0 && frame_.rate(c).sign() == 0;
  }

  /// Without the contacts that it is about.
  ContactQuestion question_here() {
    ContactQuestion question{at_.t,      at_.y,      {},  // the contacts
                             at_.moving, at_.before, at_.fired, time_scale(), total_->largest_velocity(),
                             force_,     at_.refuted};
    question.slip_start = options_.slip_start;
    return question;
  }

  /// Contacts that separated at this time are at zero still, whatever else happens at it.
  void forget_separated_before() {
    const bool is_later = at_.t != std::exchange(separated_at_, at_.t);
    std::erase_if(separated_, [&](std::size_t c) { return is_later || at_.closed[c]; });
  }

  /// All motions that the closed contacts allow, and the one that is taken.
  bool choose_modes() {
    force_ = std::max(force_, frame_.force_of(total_->factors_at(at_.t)));
    for (const auto& [c, k] : slips_that_are_kept(frame_, modes_, at_, *total_)) slip_ends(c, k);
    ContactQuestion question = question_here();
    forget_separated_before();
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      if (!at_.closed[c]) continue;
      if (at_.is_resting(c, frame_)) {
        question.resting.push_back(c);
      } else {
        at_.closed[c] = false;
        separated_.insert(c);
      }
    }
    NextModes next = next_modes(frame_, segments_, modes_, question);
    if (!question.resting.empty() && frame_.has_met_dependent_constraints())
      total_->note(
          "where contacts press, the constraints that cannot open depend on each other as far as the digits "
          "of the state tell");
    if (!next.failure.empty()) return end(SimulationOutcome::singular, next.failure);
    if (!next.remark.empty()) total_->note(next.remark);
    if (next.continuum)
      return end(SimulationOutcome::several,
                 fmt::format("the forces of {} are not determined, and the motion depends on them",
                             modes_.names_of(question.resting)));
    if (const auto turned = at_.with_turned_coefficient(); next.candidates.empty() && turned)
      return ends_by_coefficient(*turned);
    if (next.candidates.empty() && !at_.refuted.empty())
      return end(SimulationOutcome::singular,
                 "no motion was found: conditions of each are at their limits, and are broken at once");
    if (!next.not_looked_at.empty()) {
      if (next.candidates.empty())
        return end(SimulationOutcome::singular,
                   fmt::format("no motion was found, but not all were looked for: {}", next.not_looked_at));
      total_->leave_unexplored(at_.t, next.not_looked_at);
    }
    possible_ = next.candidates.size();
    const NextModes::Candidate* taken =
        pick(next.candidates, options_.on_indeterminate, {at_.t, at_.closed, modes_, tree_, *total_});
    if (taken == nullptr) {
      if (next.candidates.empty() && options_.on_impossible == OnImpossible::shock) {
        at_.before.clear();
        at_.fired.clear();
        return collisions_->jam(at_, question.resting) && settle();
      }
      const bool gives_way = next.candidates.empty()
                                 ? options_.on_impossible == OnImpossible::compliant
                                 : options_.on_indeterminate == OnIndeterminate::compliant;
      if (!gives_way) return undetermined(next.candidates, question);
      std::string account;
      const auto end = collisions_->give_way(
          at_, question.resting, at_.before.empty() ? std::vector<double>() : total_->factors_at(at_.t),
          question.time_scale, account);
      if (!end) return false;
      if (!end->is_impact) taken = like(*end, question.resting, next.candidates);
      if (!end->is_impact && taken == nullptr) return undetermined(next.candidates, question);
      total_->note(account);
      if (end->is_impact) {
        at_.before.clear();
        at_.fired.clear();
        return settle();
      }
    }
    if (!taken->sharing.empty()) total_->leave_open(taken->sharing);
    at_.holds = taken->holds;
    if (!taken->chosen.empty()) segments_.at(at_.holds).evaluator->set_factor_guess(taken->chosen);
    began_ = at_.t;
    const double end = at_.t + taken->moment;
    at_.y = end == at_.t ? taken->y
                         : total_->pass(first_moment(*open_segment().evaluator, at_.t, at_.y, end, taken->y),
                                        simulation_);
    at_.t = std::min(end, simulation_.until);
    settles_ = taken->moment > 0 || begins_in_space(modes_, at_) ? stiff_part * question.time_scale : 0;
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      if (!at_.closed[c] || at_.holds[c].kind != ContactHold::Kind::open) continue;
      at_.closed[c] = false;
      separated_.insert(c);
    }
    return true;
  }

  bool undetermined(const std::vector<NextModes::Candidate>& candidates, const ContactQuestion& question) {
    if (candidates.empty())
      return end(SimulationOutcome::impossible,
                 fmt::format("no motion is possible: {} can neither open nor stay closed",
                             modes_.names_of(question.resting)));
    total_->result.possible =
        all_in_words(candidates, modes_, at_.closed, equations(), open_segment().evaluator->position_count());
    return end(SimulationOutcome::several, fmt::format("{} motions are possible", candidates.size()));
  }

  /// Of the motion, by which a short while is measured.
  double time_scale() {
    const std::size_t steps = total_->result.steps;
    const bool has_steps = steps > 0 && at_.t > *simulation_.grid;
    return time_of_motion(*open_segment().evaluator, at_,
                          has_steps ? (at_.t - *simulation_.grid) / static_cast<double>(steps) : 0);
  }

  bool begins_at_zero(const Guard& guard) const {
    if (guard.kind == Guard::Kind::closes) return separated_.contains(guard.contact);
    return guard.kind == Guard::Kind::stops && !at_.moving[guard.contact][guard.resistance];
  }

  /// One mode to its end. What rests needs no method, and what begins at zero one that starts well.
  bool advance() {
    Segment& segment = segments_.at(at_.holds);
    const bool rests = segment.evaluator->stay_at_rest(at_.t, at_.y.data());
    if ((rests || at_.sticks()) && !segment.evaluator->project(at_.t, at_.y.data()))
      return end(SimulationOutcome::singular, segment.evaluator->failure());
    SimulationOptions how = simulation_;
    if (!frame_.take(at_.t, at_.y.data())) return end(SimulationOutcome::singular, frame_.failure());
    const double scale = time_scale();
    for (std::size_t g = 0; g < segment.mode.guards.size(); ++g) {
      if (!begins_at_zero(segment.mode.guards[g])) continue;
      how.at_zero.emplace_back(segment.first_guard() + g, 1);
      how.strays.emplace_back(segment.first_guard() + g,
                              stray_of(frame_, modes_, segment.mode.guards[g], force_, start_part * scale));
    }
    const bool starts = !how.at_zero.empty();
    const double began = at_.t;
    std::exchange(events_here_, {}).tell(how);
    const double settles = std::exchange(settles_, 0.0);
    const bool stiff = settles > 0;
    Integrator& starter = stiff ? segments_.stiff_starter(segment) : segments_.starter(segment);
    if (rests || &starter == segment.integrator.get()) return follow(segment, starter, how);
    const double opening = time_of_opening(frame_, at_, separated_, simulation_.tolerance);
    const double start = at_.t + (stiff ? settles : std::max(start_part * scale, opening));
    if (!stiff && !starts) return follow(segment, *segment.integrator, how);
    how.until = std::min(start, how.until);
    if (stiff) segment.evaluator->allow_open_motion(open_at_start);
    bool goes_on = follow(segment, starter, how);
    const double first = at_.t - settles;
    while (stiff && goes_on && before_end_ && turns_fast(frame_, modes_, at_, force_, at_.t - first)) {
      how.at_zero.clear();
      how.strays.clear();
      how.came_from.clear();
      how.until = std::min(at_.t + (at_.t - first), simulation_.until);
      goes_on = follow(segment, starter, how);
    }
    if (stiff) segment.evaluator->allow_open_motion(open_later);
    if (!goes_on) return false;
    if (!before_end_) return true;
    how.until = simulation_.until;
    forget_those_that_left(segment, how, at_.t - began);
    how.came_from.clear();  // of the guards it is told again
    return follow(segment, *segment.integrator, how);
  }

  /// Gaps that cannot be told from zero yet are at zero still; all else has left it.
  void forget_those_that_left(const Segment& segment, SimulationOptions& how, double elapsed) {
    const bool has_numbers = frame_.take(at_.t, at_.y.data());
    const auto stays = [&](std::size_t event) {
      if (!has_numbers || event < segment.first_guard()) return false;
      const Guard& guard = segment.mode.guards[event - segment.first_guard()];
      if (guard.kind != Guard::Kind::closes || !separated_.contains(guard.contact)) return false;
      return std::abs(frame_.gap(guard.contact).value) <=
             elapsed * stray_of(frame_, modes_, guard, force_, elapsed);
    };
    std::erase_if(how.at_zero, [&](const auto& one) { return !stays(one.first); });
    std::erase_if(how.strays, [&](const auto& one) { return !stays(one.first); });
  }

  /// A mode by a method, to an event or up to how.until, of which `before_end_` tells. A row where the
  /// methods change is none of the run's.
  bool follow(Segment& segment, Integrator& integrator, SimulationOptions& how) {
    how.max_steps = simulation_.max_steps - std::min(simulation_.max_steps, total_->result.steps);
    if (before_end_) segment.evaluator->stay_at_rest(at_.t, at_.y.data());
    segment.hold_guards(how);
    const double begin = at_.t;
    how.roundings = frame_.take(at_.t, at_.y.data())
                        ? roundings_of(frame_, modes_, segment, std::max(force_, frame_.force_of({})))
                        : std::vector<std::pair<std::size_t, double>>();
    SimulationReceivers receivers = total_->receivers(segment, at_.holds);
    if (before_end_ && how.every > 0) {
      receivers.row = [begin, take = receivers.row](const Row& row) { return row.t == begin || take(row); };
    }
    SlipWatch watch(frame_, modes_, at_.holds, *total_, simulation_.tolerance);
    std::optional<std::pair<std::size_t, std::size_t>> ended;
    if (!watch.is_empty()) {
      receivers.step = [&, step = receivers.step](const RunningSimulation& run) {
        ended = watch.ended(run.time(), integrator.state().data());
        return !ended && (!step || step(run));
      };
    }
    MotionWatch others(frame_, segments_, modes_, question_in_mode(question_here(), at_.holds),
                       std::exchange(possible_, 1));
    SimulationResult result =
        others.simulate(segment, integrator, how, receivers, [&](double from, const SimulationResult& part) {
          total_->add(segment, at_.holds, std::min(from, std::exchange(began_, INFINITY)), part);
        });
    segment.evaluator->leave_rest();  // others ask it at other states
    total_->look_for_others(others.coverage());
    if (others.gave_up())
      total_->leave_unexplored(others.begin(), "too often one was suspected that was none");
    before_end_ =
        result.outcome == SimulationOutcome::finished && how.until < simulation_.until && !others.has_found();
    if (result.t > begin) at_.refuted.clear();
    at_.t = result.t;
    at_.y = result.y;
    at_.before = at_.holds;
    at_.fired.clear();
    at_.rests.clear();
    at_.moving = at_.moving_in_mode();
    total_->add(segment, at_.holds, std::min(others.begin(), std::exchange(began_, INFINITY)), result);
    if (result.outcome == SimulationOutcome::step_limit)
      total_->result.message = text_of_limit(total_->result.steps, simulation_.until);
    events_here_ = segment.events_at_end(result, how, begin);
    if (frame_.take(at_.t, at_.y.data()) && !have_normals()) return false;
    if (const auto deep = total_->penetrated())
      return end(SimulationOutcome::singular, fmt::format("`{}` was missed: its gap is negative, {:.3g}",
                                                          modes_.name(deep->first), deep->second));
    if (const auto parted = total_->parted())
      return end(SimulationOutcome::singular,
                 fmt::format("`{}` is not kept by other contacts any more: its gap is {:.3g}",
                             modes_.name(parted->first), parted->second));
    if (before_end_ || others.has_found()) return true;
    if (result.again && comes_to_rest(segment, *result.again)) return true;
    if (ended) {
      slip_ends(ended->first, ended->second);
      return true;
    }
    if (result.outcome == SimulationOutcome::singular &&
        (edges().slip_over_in_space() || slip_in_space_ends(result.y)))
      return true;
    if (!result.jumps.empty() && (edges().walls_turn(result.jumps) || edges().pass(result.jumps)))
      return true;
    if (result.outcome != SimulationOutcome::event) return false;
    if (result.t == begin) at_.refuted.push_back(at_.holds);
    return take_events(segment, result);
  }

  bool ends_by_coefficient(std::size_t contact) {
    return end(SimulationOutcome::singular,
               fmt::format("a coefficient of friction of `{}` turns negative", modes_.name(contact)));
  }

  /// A contact that comes back sooner than the time can tell.
  bool comes_to_rest(const Segment& segment, std::size_t event) {
    if (event < segment.first_guard()) return false;
    const Guard& guard = segment.mode.guards[event - segment.first_guard()];
    if (guard.kind != Guard::Kind::closes) return false;
    at_.closed[guard.contact] = true;
    if (!frame_.take(at_.t, at_.y.data())) return false;
    const bool approaches = frame_.rate(guard.contact).value < 0;
    collisions_->come_to_rest(guard.contact, at_.t, approaches);
    if (approaches) {
      at_.find_slips(guard.contact, frame_);
      at_.holds[guard.contact] = {};
      return true;
    }
    // It left, and came back within the rounding of its gap: what the others keep they keep.
    at_.rests.insert(guard.contact);
    const std::size_t positions = open_segment().evaluator->position_count();
    const double fastest = largest_of(std::span(at_.y).subspan(positions));
    ContactHolds holds = at_.holds;
    holds[guard.contact] = {.kind = ContactHold::Kind::closed,
                            .slips = std::vector<int>(at_.moving[guard.contact].size(), 1)};
    if (!segments_.at(holds).evaluator->project(at_.t, at_.y.data()) || !frame_.take(at_.t, at_.y.data()))
      return false;
    for (std::size_t k = 0; k < at_.moving[guard.contact].size(); ++k)
      at_.moving[guard.contact][k] = frame_.speed(guard.contact, k) > rest_beside * fastest;
    return true;
  }

  /// A slip along a surface in space has no direction where it ends: the motion in that mode ends there.
  bool slip_in_space_ends(const std::vector<double>& y) {
    if (!frame_.take(at_.t, y.data())) return false;
    const double largest = largest_of(std::span(y).subspan(open_segment().evaluator->position_count()));
    const auto slow = slow_slips(frame_, modes_, at_.holds, *total_, largest);
    for (const auto& [c, k] : slow) slip_ends(c, k);
    return !slow.empty();
  }
  void slip_ends(std::size_t c, std::size_t k) {
    at_.fired.push_back({Guard::Kind::stops, c, k});
    at_.moving[c][k] = false;
  }

  /// What ended a mode: events of the model, and guards.
  bool take_events(Segment& segment, const SimulationResult& result) {
    bool is_reset = false;
    for (const EventRecord& record : result.events) {
      if (record.t != result.t || record.touches) continue;
      if (record.event < segment.first_guard()) {
        const Event& event = segment.mode.system.events[record.event];
        if (event.resets.empty() && event.action == EventAction::stop) {
          total_->result.outcome = SimulationOutcome::event;
          total_->result.message = result.message;
          return false;
        }
        if (event.action == EventAction::stop) {
          if (const std::string why = reset(segment, record.event, open_segment(), *total_, at_);
              !why.empty())
            return end(SimulationOutcome::singular, why);
          is_reset = true;
        }
        continue;
      }
      const Guard& guard = segment.mode.guards[record.event - segment.first_guard()];
      at_.fired.push_back(guard);
      if (guard.kind == Guard::Kind::turns && !modes_.depends_on_factors(guard.contact))
        return ends_by_coefficient(guard.contact);
    }
    if (is_reset) {
      at_.refuted.clear();
      at_.holds.clear();
      at_.before.clear();
      at_.fired.clear();
      return find_contacts();
    }
    edges().slip_over();
    if (!frame_.take(at_.t, at_.y.data())) return end(SimulationOutcome::singular, frame_.failure());
    for (const Guard& guard : at_.fired) {
      if (guard.kind == Guard::Kind::closes) {
        at_.closed[guard.contact] = true;
        at_.find_slips(guard.contact, frame_);
        at_.holds[guard.contact] = {};
      }
      if (guard.kind == Guard::Kind::stops || guard.kind == Guard::Kind::slips)
        at_.moving[guard.contact][guard.resistance] = false;
    }
    return true;
  }

  ContactModes modes_;
  ContactFrame frame_;
  Segments segments_;
  ImpactSides sides_;
  ContactOptions options_;
  SimulationOptions simulation_;
  std::unique_ptr<SegmentResults> total_;
  std::unique_ptr<Collisions> collisions_;
  RunPlace at_;
  Segment::EventsThere events_here_;
  std::set<std::size_t> separated_;  ///< closed here, and open from here on
  double separated_at_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> steepest_;  ///< of each gap, the largest length of its gradient so far
  BranchTree tree_;
  double force_ = 0;         ///< the largest where modes were asked for
  double began_ = INFINITY;  ///< when the mode was chosen
  double settles_ = 0;       ///< time in which a slip in space that begins here finds its way; 0: none begins
  std::size_t possible_ = 1;  ///< motions that were possible where the mode begins
  bool before_end_ = false;   ///< the method of the start has come to where the other one goes on
  double last_change_ = std::numeric_limits<double>::quiet_NaN();
  std::size_t changes_here_ = 0;
};

ContactRun::ContactRun(Algebra& algebra, const System& system, const DoublePoint& parameters,
                       const MethodRequest& method, const EvaluatorOptions& evaluator,
                       const ContactOptions& options)
    : implementation_(
          std::make_unique<Implementation>(algebra, system, parameters, method, evaluator, options)) {}
ContactRun::~ContactRun() = default;

const AssembledEquations& ContactRun::equations() const {
  return implementation_->equations();
}
Observations& ContactRun::observations() {
  return implementation_->open_segment().observations;
}
Evaluator& ContactRun::evaluator() {
  return *implementation_->open_segment().evaluator;
}
SimulationResult ContactRun::run(double t, std::vector<double> y, const SimulationOptions& options,
                                 const SimulationReceivers& receivers, const Checkpoint*) {
  return implementation_->run(t, y, options, receivers);
}

}  // namespace liaison
