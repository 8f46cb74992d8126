#include "liaison/simulate/simulation.hpp"

#include <fmt/format.h>

#include "liaison/simulate/runge_kutta.hpp"
#include "modes.hpp"
#include "recorder.hpp"
#include "stepper.hpp"

namespace liaison {

namespace {

/// Parts of a checkpoint, one behind the other, each after its length.
void add_part(Checkpoint& checkpoint, std::span<const double> part) {
  checkpoint.numbers.push_back(static_cast<double>(part.size()));
  checkpoint.numbers.insert(checkpoint.numbers.end(), part.begin(), part.end());
}
std::span<const double> take_part(std::span<const double>& numbers) {
  if (numbers.empty()) return {};
  const std::size_t size = count_of(numbers[0]);
  if (size >= numbers.size()) return {};
  const std::span<const double> part = numbers.subspan(1, size);
  numbers = numbers.subspan(1 + size);
  return part;
}

/// Texts with a number each, among the numbers of a checkpoint: the number, the length, the characters.
std::vector<double> packed(const std::vector<PassedSingularity>& texts) {
  std::vector<double> result;
  for (const auto& [number, text] : texts) {
    result.insert(result.end(), {number, static_cast<double>(text.size())});
    for (const char letter : text) result.push_back(static_cast<unsigned char>(letter));
  }
  return result;
}
std::vector<PassedSingularity> unpacked(std::span<const double> numbers) {
  std::vector<PassedSingularity> result;
  while (numbers.size() >= 2 && count_of(numbers[1]) <= numbers.size() - 2) {
    result.push_back({numbers[0], {}});
    for (const double code : numbers.subspan(2, count_of(numbers[1])))
      result.back().what += static_cast<char>(static_cast<unsigned char>(count_of(code)));
    numbers = numbers.subspan(2 + count_of(numbers[1]));
  }
  return result;
}

/// The loop: a step, its events, its rows.
class Run final : public RunningSimulation {
 public:
  Run(Evaluator& evaluator, Integrator& integrator, Observations& observations,
      const SimulationOptions& options, const SimulationReceivers& receivers)
      : integrator_(integrator, evaluator, options.tolerance),
        options_(options),
        receivers_(receivers),
        stepper_(evaluator, integrator_, options),
        recorder_(evaluator, observations, stepper_, options, receivers,
                  options.project || integrator.keeps_constraints()),
        modes_(evaluator, observations, stepper_, recorder_, options) {}

  SimulationResult run(double t, std::vector<double> y, const Checkpoint* resume) {
    if (resume != nullptr) {
      if (!go_on(*resume))
        return finish(stepper_.lost() ? *stepper_.lost()
                                      : no_way_on(t, y, "the checkpoint does not belong to this run"));
    } else if (auto end = start(t, y)) {
      return finish(std::move(*end));
    }
    while (stepper_.time() < options_.until) {
      if (auto end = advance()) return finish(std::move(*end));
      // A checkpoint has no rows that are kept back.
      if (!stepper_.is_in_question()) recorder_.hand_on(stepper_.time());
      if (recorder_.keeps_rows_back()) continue;
      if (receivers_.step && !receivers_.step(*this)) return finish(here(SimulationOutcome::interrupted));
    }
    if (recorder_.last_row() < options_.until) {
      if (auto end = recorder_.row(options_.until, stepper_.state())) return finish(std::move(*end));
    }
    return finish(here(SimulationOutcome::finished));
  }

  double time() const override { return stepper_.time(); }
  std::size_t steps() const override { return stepper_.steps(); }

  Checkpoint checkpoint() const override {
    Checkpoint result{stepper_.time(), recorder_.rows(), {}};
    add_part(result, integrator_.state());
    add_part(result, integrator_.memory());
    add_part(result, stepper_.memory());
    add_part(result, stepper_.kinks_memory());
    add_part(result, recorder_.memory());
    add_part(result, recorder_.monitors_memory());
    add_part(result, modes_.search_memory());
    add_part(result, modes_.memory());
    add_part(result, packed(stepper_.passed(stepper_.time())));
    std::vector<PassedSingularity> notes;
    for (const std::string& note : modes_.notes()) notes.push_back({0, note});
    if (!modes_.sampled().empty()) notes.push_back({1, modes_.sampled()});
    for (const std::string& note : recorder_.notes()) notes.push_back({2, note});
    if (!recorder_.doubt().empty()) notes.push_back({3, recorder_.doubt()});
    add_part(result, packed(notes));
    return result;
  }

 private:
  MaybeEnd start(double t, std::vector<double>& y) {
    if (auto end = stepper_.begin(t, y)) return end;
    if (auto end = modes_.begin(t, y)) return end;
    return recorder_.begin(t, y);
  }

  bool go_on(const Checkpoint& from) {
    std::span<const double> numbers(from.numbers);
    const auto y = take_part(numbers), method = take_part(numbers), steps = take_part(numbers);
    const auto kinks = take_part(numbers);
    const auto rows = take_part(numbers), monitors = take_part(numbers);
    const auto search = take_part(numbers), events = take_part(numbers);
    stepper_.recall_passed(unpacked(take_part(numbers)));
    for (const PassedSingularity& note : unpacked(take_part(numbers)))
      note.t == 0   ? modes_.note(note.what)
      : note.t == 1 ? modes_.recall_sampled(note.what)
      : note.t == 2 ? recorder_.note(note.what)
                    : recorder_.recall_doubt(note.what);
    return stepper_.recall(from.t, y, method, steps, kinks) && recorder_.recall(from.rows, rows, monitors) &&
           modes_.recall(search, events);
  }

  /// One step with all that belongs to it.
  MaybeEnd advance() {
    if (stepper_.steps() >= options_.max_steps) {
      RunEnd end = here(SimulationOutcome::step_limit);
      end.message =
          fmt::format("{} steps were not enough to come to t = {:.9g}", stepper_.steps(), options_.until);
      return end;
    }
    bool jumped = false;
    if (auto no_step = stepper_.step()) {
      if (auto end = modes_.at_last_end(jumped)) return end;
      return jumped ? MaybeEnd{} : no_step;
    }
    if (auto end = modes_.after_step(jumped)) return end;
    if (jumped) return {};
    if (auto end = recorder_.rows_until(stepper_.time())) return end;
    if (stepper_.lost()) return stepper_.lost();
    if (auto end = stepper_.settle()) return end;
    return recorder_.step_ends();
  }

  RunEnd here(SimulationOutcome outcome) const { return {outcome, stepper_.time(), stepper_.state(), {}}; }

  SimulationResult finish(RunEnd end) {
    recorder_.hand_on(end.t);
    SimulationResult result;
    result.outcome = end.outcome;
    if (end.outcome == SimulationOutcome::finished) result.checkpoint = checkpoint();  // before last notes
    result.message = end.outcome == SimulationOutcome::singular
                         ? fmt::format("at t = {:.15g}: {}", end.t, end.message)
                         : std::move(end.message);
    result.t = end.t;
    result.again = end.again;
    result.jumps = std::move(end.jumps);
    result.y = std::move(end.y);
    result.steps = stepper_.steps();
    result.rejected = stepper_.rejected();
    result.evaluations = stepper_.evaluations();
    result.rows = recorder_.rows();
    result.events = modes_.records();
    std::erase_if(result.events, [&](const EventRecord& record) { return record.t > end.t; });
    modes_.note_what_is_not_told();
    result.notes = modes_.notes();
    result.notes.insert(result.notes.end(), recorder_.notes().begin(), recorder_.notes().end());
    if (std::string note = stepper_.blurred(!result.events.empty()); !note.empty())
      result.notes.push_back(std::move(note));
    result.sampled = modes_.sampled().empty() ? stepper_.sampled() : modes_.sampled();
    if (result.sampled.empty())
      result.sampled = recorder_.doubt();
    else if (!recorder_.doubt().empty())
      result.notes.push_back(recorder_.doubt());
    result.monitors = recorder_.verdicts();
    if (recorder_.loses_energy()) {
      result.notes.emplace_back(
          "the energy is too small for doubles, and T + V is not judged: choose units in which masses and "
          "speeds are larger");
    }
    result.passed = stepper_.passed(end.t);
    result.open = stepper_.open();
    return result;
  }

  BridgedMethod integrator_;
  const SimulationOptions& options_;
  const SimulationReceivers& receivers_;
  Stepper stepper_;
  Recorder recorder_;
  Modes modes_;
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
