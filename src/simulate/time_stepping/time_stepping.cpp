#include "liaison/simulate/time_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

#include "contact_families.hpp"
#include "contact_step.hpp"
#include "framed_contacts.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/integrals.hpp"
#include "liaison/simulate/variational.hpp"
#include "simulate/run/memory.hpp"
#include "simulate/run/missing_outputs.hpp"
#include "simulate/run/monitors.hpp"

namespace liaison {

namespace {

/// What a contact does, as ContactModes says it.
constexpr std::array<std::string_view, 6> words{"open", "closed", "sticks", "slips", "touches", "rolls"};

/// A state with what belongs to the step that led to it.
struct StepEnd {
  double t = 0;
  std::vector<double> y;
  std::vector<double> accelerations = {}, factors = {};
  std::vector<double> events = {};  ///< left - right of each
};

StepEnd between(const StepEnd& from, const StepEnd& to, double t) {
  const double part = (t - from.t) / (to.t - from.t);
  StepEnd result = to;
  result.t = t;
  for (std::size_t i = 0; i < to.y.size(); ++i) result.y[i] = from.y[i] + part * (to.y[i] - from.y[i]);
  return result;
}

/// The motion with all contacts open, and nothing that looks at them.
System without_contacts(const System& system) {
  System open = system;
  for (const Unilateral& unilateral : system.unilaterals) {
    std::erase_if(open.domain,
                  [&](const Requirement& requirement) { return requirement.e == unilateral.gap(); });
  }
  open.unilaterals.clear();
  open.families.clear();
  return open;
}

/// Beside contacts that are not written out no force of a contact is in the rows.
void require_no_factors(const System& system) {
  if (system.families.empty()) return;
  const auto require = [&](Expr e, const char* kind, const std::string& name) {
    for (const Unilateral& unilateral : system.unilaterals) {
      if (!depends_on(e, unilateral.factor)) continue;
      throw Error(
          not_for_method,
          fmt::format("the {} `{}` asks for lambda({}), and forces of contacts are not in the rows beside "
                      "those of a `for` that is not written out",
                      kind, name, unilateral.name),
          fmt::format("leave it out, or up to 500 contacts in the `for` of `{}`",
                      system.families.front().members->name));
    }
  };
  for (const Output& output : system.outputs) require(output.value, "output", output.name);
  for (const Event& event : system.events) require(event.when, "event", event.name);
}

System without_guards(ContactModes::Mode mode) {
  mode.system.events.resize(mode.system.events.size() - mode.guards.size());
  return std::move(mode.system);
}

}  // namespace

class TimeSteppingRun::Implementation final : public RunningSimulation {
 public:
  Implementation(Algebra& algebra, const System& system, const DoublePoint& parameters, double step,
                 const EvaluatorOptions& options)
      : modes_(system.families.empty() ? std::make_unique<ContactModes>(system, parameters) : nullptr),
        frame_(modes_ ? std::make_unique<ContactFrame>(algebra, *modes_, parameters, options.engine)
                      : nullptr),
        open_(modes_ ? without_guards(modes_->mode(ContactHolds(modes_->size()))) : without_contacts(system)),
        open_equations_(assemble_equations(algebra, open_)),
        evaluator_(open_equations_, parameters, options),
        open_observations_(observe(algebra, open_equations_, parameters, options.engine)),
        observations_(observe(algebra, equations(), parameters, options.engine)),
        length_(step) {
    if (!(step > 0) || !std::isfinite(step))
      throw Error(not_for_method, "`moreau` needs the length of its steps", "--step 0.001");
    if (std::any_of(system.outputs.begin(), system.outputs.end(),
                    [](const Output& output) { return holds_integral(output.value); }))
      throw Error(not_for_method,
                  "`moreau` steps over impacts: it does not sum `integral(..)` along a motion",
                  "an adaptive integrator, as dop853, does");
    for (const Event& event : system.events) {
      if (event.resets.empty()) continue;
      throw Error(not_for_method,
                  fmt::format("the event `{}` resets: `moreau` does not stop at events yet", event.name),
                  "an adaptive integrator, as dop853, goes from event to event");
    }
    if (modes_) {
      contacts_ = std::make_unique<FramedContacts>(*frame_, *modes_);
    } else {
      contacts_ = std::make_unique<ContactFamilies>(system, open_equations_, parameters, options.engine);
    }
  }

  const AssembledEquations& equations() const { return frame_ ? frame_->equations() : open_equations_; }
  Observations& observations() { return observations_; }
  Evaluator& evaluator() { return evaluator_; }

  double time() const override { return stepping_->time(); }
  std::size_t steps() const override { return result_.steps; }
  Checkpoint checkpoint() const override {
    Memorise memory;
    const_cast<Implementation*>(this)->remember(memory);  // which only reads
    return {stepping_->time(), result_.rows, memory.numbers()};
  }

  SimulationResult run(double t, const std::vector<double>& y, const SimulationOptions& options,
                       const SimulationReceivers& receivers, const Checkpoint* resume) {
    result_ = {};
    options_ = &options;
    receivers_ = &receivers;
    begin_ = options.grid.value_or(t);
    next_row_ = 1;
    evaluator_.set_constraint_sizes({});
    stepping_.emplace(evaluator_, *contacts_, options.tolerance.relative);
    ContactStepping& stepping = *stepping_;
    Monitors& monitors = monitors_.emplace(evaluator_, open_observations_, true);
    clock_.begin(t);
    if (resume != nullptr ? !go_on(*resume) : !stepping.begin(t, y))
      return finish(stepping, monitors, SimulationOutcome::singular);
    if (!evaluator_.learn_rank(stepping.time(), stepping.state().data())) {
      failure_ = evaluator_.failure();
      return finish(stepping, monitors, SimulationOutcome::singular);
    }
    std::vector<double> rates(evaluator_.size());
    const double* accelerations = rates.data() + evaluator_.position_count();
    if (resume == nullptr && evaluator_.rates(t, y.data(), rates.data()))
      monitors.begin(t, y.data(), accelerations);
    while (stepping.time() < options.until) {
      if (result_.steps >= options.max_steps) {
        failure_ = fmt::format("{} steps were not enough", result_.steps);
        return finish(stepping, monitors, SimulationOutcome::step_limit);
      }
      StepEnd from{.t = stepping.time(), .y = stepping.state()};
      const double end = clock_.next(from.t, length_, options.until);
      if (length_ < shortest_step(from.t)) {
        failure_ = fmt::format("the time cannot tell steps of {:.3g} apart", length_);
        return finish(stepping, monitors, SimulationOutcome::singular);
      }
      if (!stepping.step(end)) {
        failure_ = stepping.failure();
        return finish(stepping, monitors, SimulationOutcome::singular);
      }
      clock_.advance(from.t, length_, options.until);
      ++result_.steps;
      StepEnd to{.t = end, .y = stepping.state()};
      if (!evaluator_.rates(end, to.y.data(), rates.data())) {
        failure_ = evaluator_.failure();
        return finish(stepping, monitors, SimulationOutcome::singular);
      }
      monitors.watch(end, to.y.data(), accelerations);
      complete(stepping, from, to);
      if (modes_) add_spans(stepping, from.t, to.t);
      if (const auto ended = hand_on(from, to)) {
        last_ = to;
        return finish(stepping, monitors, *ended);
      }
      if (receivers.step && !receivers.step(*this))
        return finish(stepping, monitors, SimulationOutcome::interrupted);
    }
    return finish(stepping, monitors, SimulationOutcome::finished);
  }

 private:
  /// Everything that the rest of the run and its report depend on, between two steps.
  template <class Memory>
  void remember(Memory& memory) {
    double origin = clock_.origin(), count = clock_.count();
    std::vector<double> monitored = monitors_->memory(), sizes = evaluator_.constraint_sizes(),
                        guess = evaluator_.factor_guess(), events, spans;
    for (const EventRecord& event : result_.events) {
      events.push_back(event.t);
      events.push_back(static_cast<double>(event.event));
    }
    for (const ContactSpan& span : result_.contact_spans) {
      const auto word = std::find(words.begin(), words.end(), span.mode) - words.begin();
      for (const double number :
           {static_cast<double>(span.contact), span.begin, span.end, static_cast<double>(word)})
        spans.push_back(number);
    }
    memory(*stepping_, origin, count, begin_, next_row_, result_.steps, monitored, sizes, guess, last_span_,
           events, spans);
    if constexpr (std::is_same_v<Memory, Recall>) {
      if (!memory.fits()) return;
      clock_.recall(origin, count);
      monitors_->recall(monitored);
      evaluator_.set_constraint_sizes(sizes);
      evaluator_.set_factor_guess(guess);
      for (std::size_t i = 0; i + 1 < events.size(); i += 2)
        result_.events.push_back({events[i], static_cast<std::size_t>(events[i + 1])});
      for (std::size_t i = 0; i + 3 < spans.size(); i += 4) {
        const auto word = std::min(static_cast<std::size_t>(spans[i + 3]), words.size() - 1);
        result_.contact_spans.push_back(
            {static_cast<std::size_t>(spans[i]), spans[i + 1], spans[i + 2], std::string(words[word])});
      }
    }
  }

  bool go_on(const Checkpoint& from) {
    Recall memory(from.numbers);
    remember(memory);
    result_.rows = from.rows;
    if (memory.fits()) return stepping_->go_on();
    failure_ = "the checkpoint does not belong to this run";
    return false;
  }

  /// Accelerations and factors of a step: means over its length.
  void complete(const ContactStepping& stepping, StepEnd& from, StepEnd& to) const {
    const std::size_t positions = evaluator_.position_count();
    for (std::size_t i = positions; i < to.y.size(); ++i)
      to.accelerations.push_back((to.y[i] - from.y[i]) / (to.t - from.t));
    to.factors = stepping.forces();
    const std::span<const double> kept = evaluator_.factors();
    for (std::size_t h = 0; h < std::min(kept.size(), open_equations_.factors.size()); ++h)
      to.factors[h] += kept[h];
    from.accelerations = to.accelerations;
    from.factors = to.factors;
  }

  void add_spans(const ContactStepping& stepping, double begin, double end) {
    if (last_span_.size() != modes_->size() || result_.contact_spans.empty())
      last_span_.assign(modes_->size(), static_cast<std::size_t>(-1));
    for (std::size_t c = 0; c < modes_->size(); ++c) {
      ContactHold hold;
      if (stepping.steps()[c] != ContactStep::open) {
        hold.kind = ContactHold::Kind::closed;
        hold.slips.assign(modes_->laws()[c].resistances.size(),
                          stepping.steps()[c] == ContactStep::slips ? 1 : 0);
      }
      const std::string mode = modes_->word_for(c, hold);
      if (last_span_[c] < result_.contact_spans.size() && result_.contact_spans[last_span_[c]].mode == mode) {
        result_.contact_spans[last_span_[c]].end = end;
        continue;
      }
      last_span_[c] = result_.contact_spans.size();
      result_.contact_spans.push_back({c, begin, end, mode});
    }
  }

  /// Events and rows of a step, in their order; what ends the run.
  std::optional<SimulationOutcome> hand_on(StepEnd& from, StepEnd& to) {
    if (!find_events(from) || !find_events(to)) return SimulationOutcome::singular;
    if (result_.rows == 0 && !row(from)) return ended_by_row();
    struct Crossing {
      double t;
      std::size_t event;
    };
    std::vector<Crossing> crossings;
    for (std::size_t e = 0; e < observations_.events.size(); ++e) {
      const double left = from.events[e], right = to.events[e];
      if (left == 0 || !(left * right <= 0)) continue;
      const EventDirection wanted = observations_.events[e].direction;
      if (wanted == (left < 0 ? EventDirection::falling : EventDirection::rising)) continue;
      crossings.push_back({from.t + (to.t - from.t) * left / (left - right), e});
    }
    std::sort(crossings.begin(), crossings.end(),
              [](const Crossing& a, const Crossing& b) { return a.t < b.t; });
    for (const Crossing& crossing : crossings) {
      if (!rows_until(crossing.t, from, to)) return ended_by_row();
      const StepEnd at = between(from, to, crossing.t);
      if (!row(at)) return ended_by_row();
      result_.events.push_back({crossing.t, crossing.event});
      if (observations_.events[crossing.event].action != EventAction::stop) continue;
      to = at;
      return SimulationOutcome::event;
    }
    if (!rows_until(to.t, from, to)) return ended_by_row();
    if (options_->every <= 0 && !row(to)) return ended_by_row();
    return {};
  }

  bool find_events(StepEnd& at) {
    std::vector<double> values(2 * observations_.events.size());
    if (!values.empty() && !observations_.event_values.evaluate(at.t, at.y.data(), at.accelerations.data(),
                                                                at.factors, values.data())) {
      failure_ = "the function of an event has no value";
      return false;
    }
    at.events.assign(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(observations_.events.size()));
    return true;
  }

  SimulationOutcome ended_by_row() const {
    return failure_.empty() ? SimulationOutcome::interrupted : SimulationOutcome::singular;
  }

  bool rows_until(double t, const StepEnd& from, const StepEnd& to) {
    if (options_->every <= 0) return true;
    while (true) {
      double at = begin_ + static_cast<double>(next_row_) * options_->every;
      const double slack = 1e-9 * options_->every;
      if (std::abs(at - to.t) < slack) at = to.t;
      if (at > t) return true;
      if (at > from.t && !row(at == to.t ? to : between(from, to, at))) return false;
      ++next_row_;
    }
  }

  bool row(const StepEnd& at) {
    Row row{.t = at.t, .y = at.y, .factors = at.factors, .outputs = {}};
    row.outputs.resize(observations_.output_names.size());
    observations_.outputs.evaluate(at.t, at.y.data(), at.accelerations.data(), at.factors,
                                   row.outputs.data());
    look_for_missing(observations_.output_names, at.t, row.outputs, result_.notes,
                     [&](const std::string& text) { result_.notes.push_back(text); });
    const Evaluator::Energies energies = evaluator_.energies(at.t, at.y.data());
    row.kinetic = energies.kinetic;
    row.potential = energies.potential;
    ++result_.rows;
    return receivers_->row(row);
  }

  SimulationResult finish(const ContactStepping& stepping, const Monitors& monitors,
                          SimulationOutcome outcome) {
    result_.outcome = outcome;
    if (outcome == SimulationOutcome::finished) result_.checkpoint = checkpoint();
    const bool at_event = outcome == SimulationOutcome::event;
    result_.t = at_event ? last_.t : stepping.time();
    result_.y = at_event ? last_.y : stepping.state();
    if (failure_.empty() && !stepping.failure().empty()) failure_ = stepping.failure();
    if (!failure_.empty()) result_.message = fmt::format("at t = {:.15g}: {}", result_.t, failure_);
    failure_.clear();
    result_.evaluations = stepping.evaluations();
    result_.monitors = monitors.verdicts();
    // Impacts and friction take energy, and steps that stop an impact early or late do too.
    for (Monitor& monitor : result_.monitors)
      monitor.expected = monitor.expected && monitor.kind != MonitorKind::conserved;
    const ContactStepping::Depth& deep = stepping.deepest();
    result_.monitors.push_back(
        {"gaps", MonitorKind::residual, deep.size > 0 ? deep.depth / deep.size : 0, deep.depth, false});
    result_.monitors.push_back({"laws of contacts", MonitorKind::residual, stepping.worst_residual(),
                                stepping.worst_residual(), true});
    add_notes(stepping);
    return std::move(result_);
  }

  void add_notes(const ContactStepping& stepping) {
    std::vector<std::string>& notes = result_.notes;
    notes.push_back(
        fmt::format("impacts are stepped over, not listed: modes are known to the step {:g}, the law of "
                    "impact is Newton's",
                    length_));
    if (!modes_) {
      const std::vector<ContactStep>& did = stepping.steps();
      const auto count = [&](ContactStep what) { return std::count(did.begin(), did.end(), what); };
      notes.push_back(
          fmt::format("{} contacts, of a `for` that is not written out: in the last step {} press without "
                      "slipping and {} "
                      "slip; their factors are not in the rows",
                      did.size(), count(ContactStep::sticks), count(ContactStep::slips)));
    }
    const ContactStepping::Depth& deep = stepping.deepest();
    if (deep.depth > 1e-9 * deep.size)
      notes.push_back(fmt::format("a step ends with a gap of -{:.3g}, of `{}` at t = {:.6g}: the deepest",
                                  deep.depth, contacts_->name(deep.contact), deep.t));
    if (stepping.lifted() > 0)
      notes.push_back(fmt::format("closing gaps at the ends of steps brought an energy of {:.4g} altogether",
                                  stepping.lifted()));
    if (stepping.not_converged() > 0)
      notes.push_back(fmt::format("in {} of {} steps the impulses meet their laws only to {:.2g}",
                                  stepping.not_converged(), result_.steps, stepping.worst_residual()));
    if (const ContactStepping::Gain& gain = stepping.gain(); gain.steps > 0)
      notes.push_back(
          fmt::format("Newton's law of impact creates energy in {} of {} steps: {:.4g} altogether, at most "
                      "{:.4g}, at t = {:.6g}",
                      gain.steps, result_.steps, gain.energy, gain.most, gain.t));
    if (stepping.first_ambiguous())
      notes.push_back(
          fmt::format("from t = {:.6g} on contacts allow several impulses: taken is the one that goes on "
                      "as before; an adaptive integrator stops there and lists the motions",
                      *stepping.first_ambiguous()));
  }

  std::unique_ptr<ContactModes> modes_;  ///< of contacts that are written out; else null, and so is the frame
  std::unique_ptr<ContactFrame> frame_;
  System open_;
  AssembledEquations open_equations_;
  Evaluator evaluator_;
  Observations open_observations_, observations_;
  std::unique_ptr<StepContacts> contacts_;
  double length_ = 0;
  std::optional<ContactStepping> stepping_;
  std::optional<Monitors> monitors_;
  StepClock clock_;
  SimulationResult result_;
  const SimulationOptions* options_ = nullptr;
  const SimulationReceivers* receivers_ = nullptr;
  double begin_ = 0;
  std::size_t next_row_ = 1;
  std::vector<std::size_t> last_span_;
  StepEnd last_;
  std::string failure_;
};

TimeSteppingRun::TimeSteppingRun(Algebra& algebra, const System& system, const DoublePoint& parameters,
                                 double step, const EvaluatorOptions& evaluator) {
  require_no_factors(system);
  implementation_ = std::make_unique<Implementation>(algebra, system, parameters, step, evaluator);
}
TimeSteppingRun::~TimeSteppingRun() = default;

const AssembledEquations& TimeSteppingRun::equations() const {
  return implementation_->equations();
}
Observations& TimeSteppingRun::observations() {
  return implementation_->observations();
}
Evaluator& TimeSteppingRun::evaluator() {
  return implementation_->evaluator();
}
SimulationResult TimeSteppingRun::run(double t, std::vector<double> y, const SimulationOptions& options,
                                      const SimulationReceivers& receivers, const Checkpoint* resume) {
  return implementation_->run(t, y, options, receivers, resume);
}

}  // namespace liaison
