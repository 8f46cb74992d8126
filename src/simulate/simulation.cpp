#include "liaison/simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "event_search.hpp"
#include "liaison/simulate/runge_kutta.hpp"
#include "monitors.hpp"

namespace liaison {

namespace {

/// A count that was kept among doubles; what is none is 0.
std::size_t count_of(double number) {
  return number >= 0 && number < 9e15 ? static_cast<std::size_t>(number) : 0;
}

class Run final : public RunningSimulation {
 public:
  Run(Evaluator& evaluator, Integrator& integrator, Observations& observations,
      const SimulationOptions& options, const SimulationReceivers& receivers)
      : evaluator_(evaluator),
        integrator_(integrator),
        observations_(observations),
        options_(options),
        receivers_(receivers),
        projects_(options.project && !integrator.keeps_constraints()),
        search_(observations.events),
        monitors_(evaluator, observations, options.project || integrator.keeps_constraints()),
        y_(evaluator.size()),
        dy_(evaluator.size()),
        event_values_(observations.events.size()) {}

  SimulationResult run(double t, std::vector<double> y, const Checkpoint* resume) {
    if (resume != nullptr) {
      if (!go_on(*resume)) return stop(t, y, "the checkpoint does not belong to this run");
    } else if (!start(t, std::move(y))) {
      return result_;
    }
    while (integrator_.time() < options_.until) {
      if (!advance()) return result_;
      if (receivers_.step && !receivers_.step(*this)) return end(SimulationOutcome::interrupted);
    }
    if (last_row_ < options_.until && !emit(options_.until, copy_state())) return result_;
    return end(SimulationOutcome::finished);
  }

  double time() const override { return integrator_.time(); }
  std::size_t steps() const override { return result_.steps; }

  Checkpoint checkpoint() const override {
    Checkpoint result{integrator_.time(), result_.rows, {}};
    const auto add = [&](std::span<const double> part) {
      result.numbers.push_back(static_cast<double>(part.size()));
      result.numbers.insert(result.numbers.end(), part.begin(), part.end());
    };
    const double own[] = {start_,
                          window_begin_,
                          static_cast<double>(window_rejected_),
                          last_row_,
                          static_cast<double>(next_row_),
                          static_cast<double>(result_.steps),
                          static_cast<double>(earlier_evaluations_ + integrator_.evaluations()),
                          static_cast<double>(earlier_rejected_ + integrator_.rejected())};
    add(integrator_.state());
    add(integrator_.memory());
    add(own);
    add(search_.memory());
    add(monitors_.memory());
    std::vector<double> events;
    for (const EventRecord& record : result_.events) {
      events.push_back(record.t);
      events.push_back(static_cast<double>(record.event));
    }
    add(events);
    return result;
  }

 private:
  bool start(double t, std::vector<double> y) {
    start_ = window_begin_ = t;
    if (projects_ && !evaluator_.project(t, y.data())) {
      stop(t, y, "the start cannot be moved onto the constraints");
      return false;
    }
    if (!integrator_.begin(t, y, options_.until) || !evaluator_.rates(t, y.data(), dy_.data())) {
      stop(t, y, reason());
      return false;
    }
    monitors_.begin(t, y.data(), accelerations());
    if (!search_.empty()) {
      if (!event_values(t, y.data(), event_values_.data())) {
        stop(t, y, "an event of the model has no value");
        return false;
      }
      search_.begin(event_values_);
    }
    next_row_ = 1;
    return emit(t, y);
  }

  bool go_on(const Checkpoint& from) {
    std::size_t at = 0;
    const auto take = [&]() -> std::span<const double> {
      if (at >= from.numbers.size()) return {};
      const auto size = count_of(from.numbers[at]);
      if (size >= from.numbers.size() - at) return {};
      const std::span<const double> part(from.numbers.data() + at + 1, size);
      at += 1 + size;
      return part;
    };
    const auto y = take(), memory = take(), own = take(), search = take(), monitors = take(), events = take();
    if (y.size() != evaluator_.size() || own.size() != 8) return false;
    for (std::size_t i = 1; i < events.size(); i += 2) {
      if (count_of(events[i]) >= observations_.events.size()) return false;
    }
    if (!integrator_.begin(from.t, y, options_.until)) return false;
    earlier_evaluations_ = count_of(own[6]) - integrator_.evaluations();
    earlier_rejected_ = count_of(own[7]);
    integrator_.recall(memory);
    start_ = own[0];
    window_begin_ = own[1];
    window_rejected_ = count_of(own[2]);
    last_row_ = own[3];
    next_row_ = count_of(own[4]);
    result_.steps = count_of(own[5]);
    result_.rows = from.rows;
    search_.recall(search);
    monitors_.recall(monitors);
    for (std::size_t i = 0; i + 1 < events.size(); i += 2)
      result_.events.push_back({events[i], count_of(events[i + 1])});
    return true;
  }

  /// One step with all that belongs to it; false where the run has ended, and result_ says how.
  bool advance() {
    if (result_.steps >= options_.max_steps) {
      result_.message =
          fmt::format("{} steps were not enough to come to t = {:.9g}", result_.steps, options_.until);
      end(SimulationOutcome::step_limit);
      return false;
    }
    const double before = integrator_.time();
    const StepOutcome outcome = integrator_.step(options_.until);
    if (outcome != StepOutcome::stepped) {
      report_failure(outcome);
      return false;
    }
    ++result_.steps;
    if (is_stuck()) {
      stop(integrator_.time(), copy_state(),
           "the motion does not come on: its equations jump here, as where a slip ends or a contact opens");
      return false;
    }
    bool jumped = false;
    if (!search_.empty() && !handle_events(before, jumped)) return false;
    if (jumped) return true;
    if (!emit_grid(integrator_.time())) return false;
    if (!settle()) {
      stop(integrator_.time(), copy_state(), "the state left the constraints and could not be moved back");
      return false;
    }
    if (!evaluator_.rates(integrator_.time(), integrator_.state().data(), dy_.data())) {
      stop(integrator_.time(), copy_state(), evaluator_.failure());
      return false;
    }
    monitors_.watch(integrator_.time(), integrator_.state().data(), accelerations());
    return options_.every > 0 || emit(integrator_.time(), copy_state());
  }

  const double* accelerations() const { return dy_.data() + evaluator_.position_count(); }

  /// Many steps that advance next to nothing, or many that are tried in vain and advance little: the solution
  /// slides along a jump of its equations.
  bool is_stuck() {
    constexpr std::size_t window = 2000;
    if (result_.steps % window != 0) return false;
    const double advance = (integrator_.time() - window_begin_) / (options_.until - start_);
    const std::size_t rejected = earlier_rejected_ + integrator_.rejected();
    const bool in_vain = rejected - window_rejected_ > (3 * window) / 10;
    window_begin_ = integrator_.time();
    window_rejected_ = rejected;
    return advance < (in_vain ? 1e-5 : 1e-8);
  }

  std::vector<double> copy_state() const { return {integrator_.state().begin(), integrator_.state().end()}; }

  /// The state at a time of the present step, on the constraints.
  void state_at(double t, double* y) {
    if (t == integrator_.time()) {
      std::copy(integrator_.state().begin(), integrator_.state().end(), y);
    } else {
      integrator_.interpolate(t, y);
    }
    if (options_.project) evaluator_.project(t, y);
  }

  /// Back onto the constraints.
  bool settle() {
    if (!projects_) return true;
    if (integrator_.lives_on_its_past()) {  // a restart costs more than what is left of a residual
      const Evaluator::Residuals left = evaluator_.residuals(integrator_.time(), integrator_.state().data());
      if (std::max(left.level, left.relation) <= options_.tolerance.relative) return true;
    }
    y_ = copy_state();
    if (!evaluator_.project(integrator_.time(), y_.data())) return false;
    return integrator_.restart(y_);
  }

  // ---- events ----

  bool event_values(double t, const double* y, double* values) {
    const bool known = !observations_.event_values.needs_rates() || evaluator_.rates(t, y, dy_.data());
    return known && observations_.event_values.evaluate(t, y, accelerations(), evaluator_.factors(), values);
  }

  bool handle_events(double before, bool& jumped) {
    const double after = integrator_.time();
    std::vector<double> y(evaluator_.size());
    const EventSearch::Values values = [&](double t, double* found) {
      state_at(t, y.data());
      return event_values(t, y.data(), found);
    };
    double from = before;
    while (const auto found = search_.next(from, after, values)) {
      const Event& event = observations_.events[found->event];
      if (found->at_once) {
        state_at(found->t, y.data());
        stop(found->t, y,
             fmt::format("the event `{}` happens again at once: its reset does not lead away from it",
                         event.name));
        return false;
      }
      if (!emit_grid(found->t)) return false;
      state_at(found->t, y.data());
      result_.events.push_back({found->t, found->event});
      if (last_row_ < found->t && !emit(found->t, y)) return false;
      if (event.action == EventAction::stop) {
        result_.outcome = SimulationOutcome::event;
        result_.message = fmt::format("the event `{}` ended the run at t = {:.15g}", event.name, found->t);
        result_.t = found->t;
        result_.y = y;
        finish();
        return false;
      }
      if (event.action == EventAction::reset) {
        jumped = true;
        return jump(*found, std::move(y));
      }
      from = found->t;
    }
    return true;
  }

  bool jump(const EventSearch::Found& found, std::vector<double> y) {
    const std::vector<std::size_t>& targets = observations_.reset_targets[found.event];
    std::vector<double> values(targets.size());
    if (!evaluator_.rates(found.t, y.data(), dy_.data()) ||
        !observations_.reset_values[found.event].evaluate(found.t, y.data(), accelerations(),
                                                          evaluator_.factors(), values.data())) {
      stop(found.t, y,
           fmt::format("the reset of the event `{}` has no value", observations_.events[found.event].name));
      return false;
    }
    for (std::size_t i = 0; i < targets.size(); ++i) y[targets[i]] = values[i];
    if (options_.project && !evaluator_.project(found.t, y.data())) {
      stop(found.t, y, "the state after the event cannot be moved onto the constraints");
      return false;
    }
    if (accumulates()) {
      stop(found.t, y,
           fmt::format("the event `{}` happens ever faster: infinitely many times before the motion goes on",
                       observations_.events[found.event].name));
      return false;
    }
    if (!evaluator_.rates(found.t, y.data(), dy_.data()) || !integrator_.begin(found.t, y, options_.until)) {
      stop(found.t, y, reason());
      return false;
    }
    monitors_.restart(found.t, y.data(), accelerations());
    if (!event_values(found.t, y.data(), event_values_.data())) {
      stop(found.t, y, "an event of the model has no value");
      return false;
    }
    search_.begin_after(found.event, event_values_);
    return emit(found.t, y);
  }

  /// Whether the intervals between the last resets shrink so that infinitely many fit into next to nothing.
  bool accumulates() const {
    std::vector<double> times;
    for (std::size_t i = result_.events.size(); i-- > 0 && times.size() < 8;) {
      if (observations_.events[result_.events[i].event].action == EventAction::reset)
        times.push_back(result_.events[i].t);
    }
    if (times.size() < 8) return false;
    for (std::size_t i = 0; i + 2 < times.size(); ++i) {
      if (times[i] - times[i + 1] >= times[i + 1] - times[i + 2]) return false;
    }
    const double last = times[0] - times[1], ratio = last / (times[1] - times[2]);
    return last * ratio / (1 - ratio) < 1e-6 * (options_.until - start_);
  }

  // ---- rows ----

  /// The rows on the grid up to a time of the present step.
  bool emit_grid(double until) {
    if (options_.every <= 0) return true;
    std::vector<double> y(evaluator_.size());
    while (true) {
      double at = start_ + static_cast<double>(next_row_) * options_.every;
      if (std::abs(at - options_.until) < 1e-9 * options_.every) at = options_.until;
      if (at > until) return true;
      state_at(at, y.data());
      if (!emit(at, y)) return false;
      ++next_row_;
    }
  }

  bool emit(double t, const std::vector<double>& y) {
    Row row;
    row.t = last_row_ = t;
    row.y = y;
    row.outputs.resize(observations_.output_names.size());
    if (!evaluator_.rates(t, y.data(), dy_.data())) {
      stop(t, y, evaluator_.failure());
      return false;
    }
    row.factors.assign(evaluator_.factors().begin(), evaluator_.factors().end());
    if (!observations_.outputs.evaluate(t, y.data(), accelerations(), evaluator_.factors(),
                                        row.outputs.data())) {
      const auto bad = std::find_if(row.outputs.begin(), row.outputs.end(),
                                    [](double value) { return !std::isfinite(value); });
      stop(t, y,
           fmt::format("the output `{}` has no value",
                       observations_.output_names[static_cast<std::size_t>(bad - row.outputs.begin())]));
      return false;
    }
    const Evaluator::Energies energies = evaluator_.energies(t, y.data());
    row.kinetic = energies.kinetic;
    row.potential = energies.potential;
    ++result_.rows;
    if (receivers_.row(row)) return true;
    end(SimulationOutcome::interrupted);
    return false;
  }

  // ---- ends ----

  /// Why there is no step: the equations know, or the method.
  std::string reason() const {
    const std::string why = evaluator_.failure().empty() ? integrator_.failure() : evaluator_.failure();
    return why.empty() ? "the solution grows without bound or loses its smoothness" : why;
  }

  void report_failure(StepOutcome outcome) {
    const char* what = outcome == StepOutcome::too_small        ? "the step fell to nothing"
                       : outcome == StepOutcome::no_convergence ? "a step was not solved"
                                                                : "a step has no value";
    stop(integrator_.time(), copy_state(), fmt::format("{}: {}", what, reason()));
  }

  SimulationResult stop(double t, const std::vector<double>& y, const std::string& why) {
    result_.message = fmt::format("at t = {:.15g}: {}", t, why);
    result_.outcome = SimulationOutcome::singular;
    result_.t = t;
    result_.y = y;
    return finish();
  }

  SimulationResult end(SimulationOutcome outcome) {
    result_.outcome = outcome;
    result_.t = integrator_.time();
    result_.y = copy_state();
    return finish();
  }

  SimulationResult finish() {
    result_.evaluations = earlier_evaluations_ + integrator_.evaluations();
    result_.rejected = earlier_rejected_ + integrator_.rejected();
    result_.monitors = monitors_.verdicts();
    return result_;
  }

  Evaluator& evaluator_;
  Integrator& integrator_;
  Observations& observations_;
  const SimulationOptions& options_;
  const SimulationReceivers& receivers_;
  bool projects_;
  EventSearch search_;
  Monitors monitors_;
  std::vector<double> y_, dy_, event_values_;
  double start_ = 0, window_begin_ = 0, last_row_ = -INFINITY;
  std::size_t next_row_ = 0, window_rejected_ = 0, earlier_evaluations_ = 0, earlier_rejected_ = 0;
  SimulationResult result_;
};

}  // namespace

SimulationResult simulate(Evaluator& evaluator, Integrator& integrator, Observations& observations, double t,
                          std::vector<double> y, const SimulationOptions& options,
                          const SimulationReceivers& receivers, const Checkpoint* resume) {
  return Run(evaluator, integrator, observations, options, receivers).run(t, std::move(y), resume);
}

SimulationResult simulate(Evaluator& evaluator, double t, std::vector<double> y,
                          const SimulationOptions& options, const std::function<bool(const Row&)>& receive) {
  DormandPrince integrator(
      [&](double at, const double* state, double* rates) { return evaluator.rates(at, state, rates); },
      evaluator.size(), options.tolerance, options.fixed_step);
  Observations nothing;
  return simulate(evaluator, integrator, nothing, t, std::move(y), options, {receive, {}});
}

}  // namespace liaison
