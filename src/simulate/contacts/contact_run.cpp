#include "liaison/simulate/contact_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "branch_tree.hpp"
#include "contact_frame.hpp"
#include "contact_modes.hpp"
#include "impact_history.hpp"
#include "next_modes.hpp"
#include "segment_results.hpp"
#include "segments.hpp"

namespace liaison {

namespace {

/// Velocities that are this part of the largest of an impact are zero.
constexpr double rest_beside = 1e-11;
constexpr std::size_t most_changes_at_once = 200;

double largest_of(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

class ContactRun::Implementation {
 public:
  Implementation(Algebra& algebra, const System& system, const DoublePoint& parameters,
                 const MethodRequest& method, const EvaluatorOptions& evaluator,
                 const ContactOptions& options)
      : modes_(system, parameters),
        frame_(algebra, modes_, parameters, evaluator.engine),
        segments_(algebra, modes_, parameters, method, evaluator),
        options_(options) {}

  static constexpr std::size_t most_branches = 64;

  const AssembledEquations& equations() const { return frame_.equations(); }
  Segment& open_segment() { return segments_.at(ContactHolds(modes_.size())); }

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
    history_ = ImpactHistory(modes_.size());
    t_ = t;
    y_ = std::move(y);
    moving_.assign(modes_.size(), {});
    for (std::size_t c = 0; c < modes_.size(); ++c)
      moving_[c].assign(modes_.laws()[c].resistances.size(), false);
    holds_.clear();
    before_.clear();
    fired_.clear();
    told_.clear();
    rests_.clear();
    if (!find_contacts()) return finish();
    while (true) {
      if (!settle() || !advance()) return finish();
      if (t_ < options.until) continue;
      total_->result.outcome = SimulationOutcome::finished;
      total_->result.message.clear();
      return finish();
    }
  }

  // What ends the run.
  bool end(SimulationOutcome outcome, std::string message) {
    total_->result.outcome = outcome;
    total_->result.message = fmt::format("at t = {:.15g}: {}", t_, message);
    return false;
  }

  SimulationResult finish() {
    total_->result.t = t_;
    total_->result.y = y_;
    return total_->finish(t_);
  }

  const std::string& name(std::size_t contact) const { return modes_.laws()[contact].held.name; }

  /// Which contacts are closed at a state of which nothing else is known, and what moves along them.
  bool find_contacts() {
    if (!frame_.take(t_, y_.data())) return end(SimulationOutcome::singular, frame_.failure());
    closed_.assign(modes_.size(), false);
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      const SizedNumber gap = frame_.gap(c);
      if (gap.sign() < 0) {
        return end(SimulationOutcome::singular,
                   fmt::format("the state violates `{}`: its gap is {:.6g}", name(c), gap.value));
      }
      closed_[c] = gap.sign() == 0;
      if (closed_[c]) find_slips(c);
    }
    return true;
  }

  void find_slips(std::size_t c) {
    for (std::size_t k = 0; k < moving_[c].size(); ++k) {
      bool moves = false;
      for (std::size_t i = 0; i < modes_.rows()[c].resisted[k].size(); ++i)
        moves = moves || frame_.slip(c, k, i).sign() != 0;
      moving_[c][k] = moves;
    }
  }

  /// Impacts, and then the modes of the motion from here on.
  bool settle() {
    changes_here_ = t_ == last_change_ ? changes_here_ + 1 : 0;
    last_change_ = t_;
    if (changes_here_ > most_changes_at_once)
      return end(SimulationOutcome::singular, "contacts change at once without an end");
    for (std::size_t rounds = 0;; ++rounds) {
      if (!frame_.take(t_, y_.data())) return end(SimulationOutcome::singular, frame_.failure());
      std::vector<std::size_t> closed;
      bool closing = false;
      for (std::size_t c = 0; c < modes_.size(); ++c) {
        if (!closed_[c]) continue;
        closed.push_back(c);
        closing = closing || (!is_resting(c) && frame_.rate(c).value < 0);
      }
      if (!closing) break;
      if (rounds > most_changes_at_once)
        return end(SimulationOutcome::singular, "impacts follow each other at once without an end");
      if (!collide(closed)) return false;
    }
    return choose_modes();
  }

  /// At rest along its normal: known from its mode or from an impact, else by the numbers.
  bool is_resting(std::size_t c) const {
    const bool kept = !holds_.empty() && holds_[c].kind != ContactHold::Kind::open;
    return kept || rests_.contains(c) || frame_.rate(c).sign() == 0;
  }

  /// Positions onto the gaps of closed contacts; velocities stay.
  void close(const std::vector<std::size_t>& closed) {
    ContactHolds holds(modes_.size());
    for (const std::size_t c : closed)
      holds[c] = {.kind = ContactHold::Kind::closed,
                  .slips = std::vector<int>(modes_.laws()[c].resistances.size(), 1)};
    Evaluator& evaluator = *segments_.at(holds).evaluator;
    std::vector<double> moved = y_;
    if (!evaluator.project(t_, moved.data())) return;
    std::copy_n(moved.begin(), evaluator.position_count(), y_.begin());
  }

  bool collide(const std::vector<std::size_t>& closed) {
    close(closed);
    if (!frame_.take(t_, y_.data())) return end(SimulationOutcome::singular, frame_.failure());
    auto problem = frame_.impact(closed);
    if (!problem) return end(SimulationOutcome::singular, frame_.failure());
    problem->law = options_.law;
    for (std::size_t i = 0; i < closed.size(); ++i) {
      if (is_resting(closed[i])) problem->velocity[problem->contacts[i].normal] = 0;
    }
    const double speed = largest_of(problem->velocity);
    for (std::size_t i = 0; i < closed.size(); ++i) {
      const double approach = problem->velocity[problem->contacts[i].normal];
      if (!(approach < 0)) continue;
      // How high the gap came since the last impact, beside the numbers that it is a difference of.
      const double height = -approach * history_.interval(closed[i], t_) / 4;
      const bool is_rounding =
          height <= 1e5 * std::numeric_limits<double>::epsilon() * frame_.gap(closed[i]).size;
      const auto ended = history_.accumulates(closed[i], t_, simulation_.tolerance.relative, is_rounding);
      if (ended) total_->result.accumulations.push_back(*ended);
      if (ended || is_rounding) problem->contacts[i].restitution = 0;
      history_.add(closed[i], t_);
    }
    const Impacts found =
        options_.in_sequence ? sequential_impacts(*problem) : simultaneous_impacts(*problem);
    if (found.all.empty())
      return end(SimulationOutcome::impossible,
                 fmt::format("the law of impact has no solution: {}", found.remark));
    if (found.all.size() > 1) {
      for (const Impact& one : found.all) total_->result.possible.push_back(in_words(one, *problem, closed));
      return end(SimulationOutcome::several,
                 fmt::format("the impact of {} has {} results", names(closed), found.all.size()));
    }
    if (!found.complete) total_->note(fmt::format("impacts: {}", found.remark));
    apply(found.all[0], *problem, closed, speed);
    return true;
  }

  std::string names(const std::vector<std::size_t>& contacts) const {
    std::string text;
    for (const std::size_t c : contacts) text += (text.empty() ? "`" : ", `") + name(c) + "`";
    return text;
  }

  std::string in_words(const Impact& impact, const ImpactProblem& problem,
                       const std::vector<std::size_t>& closed) const {
    std::string text;
    for (std::size_t i = 0; i < closed.size(); ++i) {
      const std::size_t row = problem.contacts[i].normal;
      text +=
          fmt::format("{}`{}`: impulse {:.9g}, gap rate {:.9g} -> {:.9g}", text.empty() ? "" : "; ",
                      name(closed[i]), impact.impulses[row], problem.velocity[row], impact.velocities[row]);
    }
    return text;
  }

  void apply(const Impact& impact, const ImpactProblem& problem, const std::vector<std::size_t>& closed,
             double speed) {
    Segment& open = open_segment();
    const double before = open.evaluator->energies(t_, y_.data()).kinetic;
    frame_.add_impulses(closed, impact.impulses, y_.data());
    ImpactRecord record{.t = t_,
                        .contacts = {},
                        .impulses = {},
                        .energy = open.evaluator->energies(t_, y_.data()).kinetic - before,
                        .how = impact.how};
    rests_.clear();
    for (std::size_t i = 0; i < closed.size(); ++i) {
      const ImpactContact& contact = problem.contacts[i];
      const std::size_t c = closed[i];
      if (impact.impulses[contact.normal] != 0) {
        record.contacts.push_back(c);
        record.impulses.push_back(impact.impulses[contact.normal]);
      }
      if (std::abs(impact.velocities[contact.normal]) <= rest_beside * speed) rests_.insert(c);
      for (std::size_t k = 0; k < contact.resisted.size(); ++k) {
        double squares = 0;
        for (const std::size_t row : contact.resisted[k].rows)
          squares += impact.velocities[row] * impact.velocities[row];
        moving_[c][k] = std::sqrt(squares) > rest_beside * speed;
      }
    }
    holds_.clear();
    // In the motion relative to the surfaces: one that moves may give energy to what it meets.
    double work = 0, size = 0;
    for (std::size_t row = 0; row < impact.impulses.size(); ++row) {
      work += impact.impulses[row] * (problem.velocity[row] + impact.velocities[row]) / 2;
      size += std::abs(impact.impulses[row]) * speed;
    }
    if (work > 1e-9 * size)
      total_->note(fmt::format("the impact at t = {:.9g} creates energy: {:.6g}", t_, work));
    total_->add(std::move(record));
  }

  /// All motions that the closed contacts allow, and the one that is taken.
  bool choose_modes() {
    ContactQuestion question{.t = t_,
                             .y = y_,
                             .resting = {},
                             .moving = moving_,
                             .before = before_,
                             .fired = fired_,
                             .time_scale = time_scale()};
    separated_.clear();
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      if (!closed_[c]) continue;
      if (is_resting(c)) {
        question.resting.push_back(c);
      } else {
        closed_[c] = false;
        separated_.insert(c);
      }
    }
    NextModes next = next_modes(frame_, segments_, modes_, question);
    if (!next.failure.empty()) return end(SimulationOutcome::singular, next.failure);
    if (!next.remark.empty()) total_->note(next.remark);
    if (!next.not_looked_at.empty()) {
      if (next.candidates.empty())
        return end(SimulationOutcome::singular,
                   fmt::format("no motion was found, but not all were looked for: {}", next.not_looked_at));
      total_->note(
          fmt::format("at t = {:.9g} further motions were not looked for: {}", t_, next.not_looked_at));
    }
    const NextModes::Candidate* taken = pick(next.candidates);
    if (taken == nullptr) {
      if (next.candidates.empty() && options_.on_impossible == OnImpossible::shock) return jam(question);
      return undetermined(next.candidates, question);
    }
    holds_ = taken->holds;
    y_ = taken->y;
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      if (!closed_[c] || holds_[c].kind != ContactHold::Kind::open) continue;
      closed_[c] = false;
      separated_.insert(c);
    }
    return true;
  }

  const NextModes::Candidate* pick(const std::vector<NextModes::Candidate>& candidates) {
    if (candidates.size() == 1) return &candidates[0];
    if (candidates.size() > 1 && options_.on_indeterminate == OnIndeterminate::branch) {
      const NextModes::Candidate& taken = candidates.at(tree_.choose(candidates.size()));
      tree_.took(t_, in_words(taken));
      return &taken;
    }
    if (candidates.empty() || options_.on_indeterminate == OnIndeterminate::stop) return nullptr;
    const auto kept = [](const NextModes::Candidate& one) {
      return std::count_if(one.holds.begin(), one.holds.end(),
                           [](const ContactHold& hold) { return hold.kind != ContactHold::Kind::open; });
    };
    const bool most = options_.on_indeterminate == OnIndeterminate::contact;
    const NextModes::Candidate* best = nullptr;
    bool tie = false;
    for (const NextModes::Candidate& one : candidates) {
      const auto better = best == nullptr ? 1 : most ? kept(one) - kept(*best) : kept(*best) - kept(one);
      tie = better == 0 || (tie && better < 0);
      if (better > 0) best = &one;
    }
    if (tie) return nullptr;
    total_->note(fmt::format("at t = {:.9g} {} motions are possible: taken is the one with the {} contacts",
                             t_, candidates.size(), most ? "most" : "fewest"));
    return best;
  }

  std::string in_words(const NextModes::Candidate& one) const {
    std::string text;
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      const bool is_open = one.holds[c].kind == ContactHold::Kind::open;
      if (is_open && !closed_[c]) continue;
      text += fmt::format("{}`{}` {}", text.empty() ? "" : ", ", name(c),
                          is_open ? "opens" : modes_.word_for(one.holds[c]));
    }
    return text;
  }

  bool undetermined(const std::vector<NextModes::Candidate>& candidates, const ContactQuestion& question) {
    if (candidates.empty()) {
      return end(
          SimulationOutcome::impossible,
          fmt::format("no motion is possible: {} can neither open nor stay closed", names(question.resting)));
    }
    const std::size_t positions = open_segment().evaluator->position_count();
    for (const NextModes::Candidate& one : candidates) {
      std::string text = in_words(one) + ":";
      const auto& parameters = equations().parameters;
      for (std::size_t a = 0; a < parameters.size(); ++a)
        text += fmt::format(" d{}/dt = {:.9g}", parameters[a].symbol().name, one.rates[positions + a]);
      total_->result.possible.push_back(std::move(text));
    }
    return end(SimulationOutcome::several, fmt::format("{} motions are possible", candidates.size()));
  }

  /// A tangential impact of a contact that has no motion.
  bool jam(const ContactQuestion& question) {
    auto problem = frame_.impact(question.resting);
    if (!problem) return end(SimulationOutcome::singular, frame_.failure());
    for (const ImpactContact& contact : problem->contacts) problem->velocity[contact.normal] = 0;
    problem->law = options_.law;
    struct Jam {
      std::size_t contact;
      Impact impact;
    };
    std::vector<Jam> jams;
    for (std::size_t i = 0; i < question.resting.size(); ++i) {
      for (Impact& one : tangential_impact(*problem, i).all)
        jams.push_back({question.resting[i], std::move(one)});
    }
    if (jams.empty())
      return end(SimulationOutcome::impossible, "no motion is possible, and no tangential impact is either");
    if (jams.size() > 1) {
      for (const Jam& one : jams) {
        total_->result.possible.push_back(fmt::format("`{}` jams: {}", name(one.contact),
                                                      in_words(one.impact, *problem, question.resting)));
      }
      return end(SimulationOutcome::several,
                 fmt::format("no motion is possible, and {} tangential impacts are", jams.size()));
    }
    total_->note(fmt::format("at t = {:.9g} no motion is possible: a tangential impact of `{}`", t_,
                             name(jams[0].contact)));
    apply(jams[0].impact, *problem, question.resting, largest_of(problem->velocity));
    for (const std::size_t c : question.resting) closed_[c] = true;
    before_.clear();
    fired_.clear();
    return settle();
  }

  /// Of the motion, by which a short while is measured.
  double time_scale() {
    const Segment& open = open_segment();
    const std::size_t positions = open.evaluator->position_count();
    std::vector<double> rates(y_.size());
    if (!open.evaluator->rates(t_, y_.data(), rates.data())) return 1;
    const std::span<const double> state(y_), change(rates);
    const double place = largest_of(state.first(positions)),
                 acceleration = largest_of(change.subspan(positions));
    double speed = largest_of(state.subspan(positions));
    if (speed <= rest_beside * std::sqrt(place * acceleration)) speed = 0;  // rounding, of what came to rest
    double scale = std::numeric_limits<double>::infinity();
    const std::size_t steps = total_->result.steps;
    if (steps > 0 && t_ > *simulation_.grid)
      scale = 10 * (t_ - *simulation_.grid) / static_cast<double>(steps);
    if (speed > 0 && acceleration > 0) scale = std::min(scale, speed / acceleration);
    if (speed > 0 && place > 0) scale = std::min(scale, place / speed);
    if (place > 0 && acceleration > 0) scale = std::min(scale, std::sqrt(place / acceleration));
    return std::isfinite(scale) ? scale : 1.0;
  }

  bool begins_at_zero(const Guard& guard) const {
    if (guard.kind == Guard::Kind::closes) return separated_.contains(guard.contact);
    return guard.kind == Guard::Kind::stops && !moving_[guard.contact][guard.resistance];
  }

  /// One mode to its end.
  bool advance() {
    Segment& segment = segments_.at(holds_);
    SimulationOptions how = simulation_;
    for (std::size_t g = 0; g < segment.mode.guards.size(); ++g) {
      if (begins_at_zero(segment.mode.guards[g])) how.at_zero.emplace_back(segment.first_guard() + g, 1);
    }
    for (const std::size_t event : told_) how.at_zero.emplace_back(event, 0);
    how.max_steps = simulation_.max_steps - std::min(simulation_.max_steps, total_->result.steps);
    const double begin = t_;
    SimulationResult result = simulate(*segment.evaluator, *segment.integrator, segment.observations, t_, y_,
                                       how, total_->receivers(segment, holds_));
    t_ = result.t;
    y_ = result.y;
    before_ = holds_;
    fired_.clear();
    rests_.clear();
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      for (std::size_t k = 0; k < holds_[c].slips.size(); ++k) moving_[c][k] = holds_[c].slips[k] != 0;
    }
    total_->add(segment, holds_, begin, result);
    told_.clear();
    for (const EventRecord& record : result.events) {
      if (record.t == result.t && record.event < segment.first_guard()) told_.insert(record.event);
    }
    if (const auto deep = total_->penetrated()) {
      return end(SimulationOutcome::singular, fmt::format("`{}` was missed: its gap is negative, {:.3g}",
                                                          name(deep->first), deep->second));
    }
    if (result.again && comes_to_rest(segment, *result.again)) return true;
    if (result.outcome == SimulationOutcome::singular && slip_in_space_ends(result.y)) return true;
    if (result.outcome != SimulationOutcome::event) return false;
    return take_events(segment, result);
  }

  /// A contact that comes back sooner than the time can tell is at rest from then on.
  bool comes_to_rest(const Segment& segment, std::size_t event) {
    if (event < segment.first_guard()) return false;
    const Guard& guard = segment.mode.guards[event - segment.first_guard()];
    if (guard.kind != Guard::Kind::closes) return false;
    closed_[guard.contact] = true;
    rests_.insert(guard.contact);
    if (!frame_.take(t_, y_.data())) return false;
    find_slips(guard.contact);
    total_->result.accumulations.push_back(history_.ends(guard.contact, t_));
    return true;
  }

  /// A slip along a surface in space has no direction where it ends: the motion in that mode ends there.
  bool slip_in_space_ends(const std::vector<double>& y) {
    constexpr double slow = 1e-4;
    if (!frame_.take(t_, y.data())) return false;
    bool found = false;
    const double largest = largest_of(std::span(y).subspan(open_segment().evaluator->position_count()));
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      for (std::size_t k = 0; k < holds_[c].slips.size(); ++k) {
        if (modes_.rows()[c].resisted[k].size() != 2 || holds_[c].slips[k] == 0) continue;
        if (frame_.speed(c, k) > slow * std::max(largest, total_->fastest(c, k))) continue;
        fired_.push_back({Guard::Kind::stops, c, k});
        moving_[c][k] = false;
        found = true;
      }
    }
    return found;
  }

  /// What ended a mode: events of the model, and guards.
  bool take_events(Segment& segment, const SimulationResult& result) {
    bool reset = false;
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
          if (!reset_state(segment, record.event)) return false;
          reset = true;
        }
        continue;
      }
      const Guard& guard = segment.mode.guards[record.event - segment.first_guard()];
      fired_.push_back(guard);
    }
    if (reset) {
      holds_.clear();
      before_.clear();
      fired_.clear();
      total_->note_resets(result.t);
      return find_contacts();
    }
    if (!frame_.take(t_, y_.data())) return end(SimulationOutcome::singular, frame_.failure());
    for (const Guard& guard : fired_) {
      if (guard.kind == Guard::Kind::closes) {
        closed_[guard.contact] = true;
        find_slips(guard.contact);
        holds_[guard.contact] = {};
      }
      if (guard.kind == Guard::Kind::stops) moving_[guard.contact][guard.resistance] = false;
      if (guard.kind == Guard::Kind::slips) moving_[guard.contact][guard.resistance] = false;
    }
    return true;
  }

  /// The values that an event gives; the rest moves onto the constraints that cannot open.
  bool reset_state(Segment& segment, std::size_t event) {
    const std::vector<std::size_t>& targets = segment.observations.reset_targets[event];
    std::vector<double> rates(y_.size()), values(targets.size()), changed = y_;
    std::vector<bool> given(y_.size(), false);
    const std::string& name = segment.mode.system.events[event].name;
    if (!segment.evaluator->rates(t_, y_.data(), rates.data()) ||
        !segment.observations.reset_values[event].evaluate(t_, y_.data(),
                                                           rates.data() + segment.evaluator->position_count(),
                                                           segment.evaluator->factors(), values.data()))
      return end(SimulationOutcome::singular, fmt::format("the reset of the event `{}` has no value", name));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      changed[targets[i]] = values[i];
      given[targets[i]] = true;
    }
    Evaluator& open = *open_segment().evaluator;
    if (const std::string why = open.project_rest(t_, changed.data(), given); !why.empty())
      return end(SimulationOutcome::singular, fmt::format("after the event `{}` {}", name, why));
    const auto before = open.energies(t_, y_.data()), after = open.energies(t_, changed.data());
    total_->reset_energy(after.kinetic + after.potential - before.kinetic - before.potential);
    y_ = std::move(changed);
    return true;
  }

  ContactModes modes_;
  ContactFrame frame_;
  Segments segments_;
  ContactOptions options_;
  SimulationOptions simulation_;
  std::unique_ptr<SegmentResults> total_;
  ImpactHistory history_;
  double t_ = 0;
  std::vector<double> y_;
  ContactHolds holds_;  ///< modes from here on; empty while they are not known
  ContactHolds before_;
  std::vector<Guard> fired_;
  std::vector<bool> closed_;
  ContactFrame::Moving moving_;
  std::set<std::size_t> told_;       ///< events of the model that happened here
  std::set<std::size_t> separated_;  ///< closed here, and open from here on
  std::set<std::size_t> rests_;      ///< along their normals, after an impact
  BranchTree tree_;
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
