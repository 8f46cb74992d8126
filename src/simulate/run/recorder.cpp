#include "recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "liaison/expr/traverse.hpp"
#include "missing_outputs.hpp"
#include "open_quantities.hpp"

namespace liaison {

Recorder::Recorder(Evaluator& evaluator, Observations& observations, Stepper& stepper,
                   const SimulationOptions& options, const SimulationReceivers& receivers,
                   bool constraints_are_kept)
    : evaluator_(evaluator),
      observations_(observations),
      stepper_(stepper),
      options_(options),
      receivers_(receivers),
      moment_(evaluator),
      monitors_(evaluator, observations, constraints_are_kept),
      work_(evaluator, observations, stepper, monitors_),
      integrals_(evaluator, observations, stepper),
      last_row_(-INFINITY) {}

MaybeEnd Recorder::begin(double t, const std::vector<double>& y) {
  start_ = options_.grid.value_or(t);
  next_row_ = 1;
  if (options_.grid && options_.every > 0) {
    next_row_ = static_cast<std::size_t>(std::floor((t - start_) / options_.every));
    while (start_ + static_cast<double>(next_row_) * options_.every <= t) ++next_row_;
  }
  if (!moment_.take(t, y.data())) return no_way_on(t, y, moment_.failure());
  monitors_.begin(t, y.data(), moment_.accelerations());
  work_.begin(t, y.data());
  integrals_.begin(t, y);
  return row(t, y);
}

MaybeEnd Recorder::rows_until(double t) {
  work_.until(t);
  fill(t);
  std::vector<double> y;
  while (options_.every > 0) {
    double at = start_ + static_cast<double>(next_row_) * options_.every;
    if (std::abs(at - options_.until) < 1e-9 * options_.every) at = options_.until;
    if (at > t) break;
    integrals_.until(at);
    y.resize(evaluator_.size());
    stepper_.state_at(at, y.data());
    if (auto end = row(at, y)) return end;
    ++next_row_;
  }
  integrals_.until(t);
  integrals_.keep(t);
  return {};
}

void Recorder::fill(double t) {
  if (!receivers_.parts || options_.every > 0 || !(t > last_row_)) return;
  const std::size_t parts = receivers_.parts(last_row_, t);
  if (parts < 2) return;
  const std::vector<double> integrals = integrals_.memory(), guess = evaluator_.factor_guess(),
                            sizes = evaluator_.constraint_sizes();
  const std::string doubt = integrals_.doubt();
  for (std::size_t k = 1; k < parts; ++k) {
    Row row;
    row.is_between = true;
    row.t = last_row_ + (t - last_row_) * static_cast<double>(k) / static_cast<double>(parts);
    if (!(row.t > last_row_) || !(row.t < t)) continue;
    row.y.resize(evaluator_.size());
    integrals_.until(row.t);
    stepper_.state_at(row.t, row.y.data());
    if (complete(row)) kept_back_.push_back(std::move(row));
  }
  integrals_.recall(integrals);
  integrals_.recall_doubt(doubt);
  evaluator_.set_factor_guess(guess);
  evaluator_.set_constraint_sizes(sizes);
}

bool Recorder::complete(Row& row) {
  if (!moment_.take(row.t, row.y.data())) return false;
  row.factors.assign(moment_.factors().begin(), moment_.factors().end());
  row.outputs.resize(observations_.output_names.size());
  const double at = beside(row.t, row.y);
  observations_.outputs.evaluate(at, row.y.data(), moment_.accelerations(), moment_.factors(),
                                 row.outputs.data());
  look_for_missing(observations_.output_names, row.t, row.outputs, notes_, [&](const std::string& text) {
    if (!row.is_between) note(text);
  });
  const Evaluator::Energies energies = evaluator_.energies(at, row.y.data());
  row.kinetic = energies.kinetic;
  row.potential = energies.potential;
  return true;
}

MaybeEnd Recorder::row(double t, const std::vector<double>& y) {
  Row row;
  row.t = last_row_ = t;
  row.y = y;
  if (!complete(row)) return stepper_.no_motion(t, y);
  look_at_open(t, y);
  look_at_frictions(t, y);
  monitors_.watch(t, beside(t, y), y.data(), moment_.accelerations());
  constexpr std::size_t most_kept_back = 10000;  // what comes to rest there is never decided
  kept_back_.push_back(std::move(row));
  ++kept_rows_;
  if ((stepper_.is_in_question() && kept_rows_ < most_kept_back) || hand_on_all()) return {};
  return RunEnd{SimulationOutcome::interrupted, stepper_.time(), stepper_.state(), {}};
}

double Recorder::beside(double t, const std::vector<double>& y) {
  constexpr double rounding = 1e-12;
  const std::span<const double> sides = stepper_.held_sides();
  std::vector<double> values(sides.size()), sizes(sides.size());
  if (sides.empty() || !evaluator_.switch_values(t, y.data(), values.data(), sizes.data())) return t;
  std::vector<std::size_t> zeros;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const std::vector<Expr>& state = evaluator_.symbols();
    const Expr argument = evaluator_.switch_arguments()[k];
    const bool is_zero = sides[k] != 0 && std::abs(values[k]) <= rounding * sizes[k];
    if (is_zero && depends_on(argument, evaluator_.time_symbol()) &&
        std::none_of(state.begin(), state.end(), [&](Expr symbol) { return depends_on(argument, symbol); }))
      zeros.push_back(k);
  }
  if (zeros.empty()) return t;
  for (const double side : {-1.0, 1.0}) {
    const double at = t + side * 64 * shortest_step(t);
    if (evaluator_.switch_values(at, y.data(), values.data(), sizes.data()) &&
        std::all_of(zeros.begin(), zeros.end(), [&](std::size_t k) { return values[k] * sides[k] > 0; }))
      return at;
  }
  return t;
}

void Recorder::note(const std::string& text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
}

/// After the rates at the state. The first time of each is told.
void Recorder::look_at_frictions(double t, const std::vector<double>& y) {
  const std::vector<ConstraintFriction>& frictions = observations_.frictions;
  if (frictions.empty()) return;
  std::vector<double> values(3 * frictions.size());
  if (!observations_.friction_values.evaluate(t, y.data(), moment_.accelerations(), moment_.factors(),
                                              values.data()))
    return;
  for (std::size_t k = 0; k < frictions.size(); ++k) {
    if (!pushes(values[3 * k], values[3 * k + 1])) continue;
    const std::string text = text_of_pushing(frictions[k], values[3 * k + 2]);
    const bool is_said = std::any_of(notes_.begin(), notes_.end(), [&](const std::string& known) {
      return known.find(text) != std::string::npos;
    });
    if (!is_said) note(fmt::format("first seen at t = {:.9g}: {}", t, text));
  }
}

/// After the rates at the state.
void Recorder::look_at_open(double t, const std::vector<double>& y) {
  if (!observations_.outputs.needs_rates() || evaluator_.open_factors().empty()) return;
  const std::vector<bool> depends = depend_on_open(values_of_factors(observations_.outputs, t, y, moment_),
                                                   moment_.factors(), evaluator_.open_factors());
  for (std::size_t i = 0; i < observations_.output_names.size(); ++i) {
    if (depends[i])
      note(
          fmt::format("the output `{}` depends on factors that nothing determines: its values belong to "
                      "those that are shown",
                      observations_.output_names[i]));
  }
}

bool Recorder::hand_on_all() {
  kept_rows_ = 0;
  if (kept_back_.empty()) return true;
  const std::vector<Row> rows = std::exchange(kept_back_, {});
  return std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
    if (!row.is_between) ++rows_;
    return receivers_.row(row);
  });
}

void Recorder::hand_on(double until) {
  std::erase_if(kept_back_, [&](const Row& row) { return row.t > until; });
  hand_on_all();
}

MaybeEnd Recorder::step_ends() {
  const std::vector<double> y = stepper_.state();
  if (options_.every <= 0 && last_row_ < stepper_.time()) return row(stepper_.time(), y);
  if (!moment_.take(stepper_.time(), y.data())) return stepper_.no_motion(stepper_.time(), y);
  look_at_frictions(stepper_.time(), y);
  monitors_.watch(stepper_.time(), beside(stepper_.time(), y), y.data(), moment_.accelerations());
  return {};
}

MaybeEnd Recorder::after_jump(double t, const std::vector<double>& before, const std::vector<double>& y,
                              std::vector<EventRecord>& records) {
  if (!moment_.take(t, before.data())) return no_way_on(t, before, moment_.failure());
  monitors_.before_jump(t, before.data(), moment_.accelerations());
  if (!moment_.take(t, y.data())) return no_way_on(t, y, moment_.failure());
  records.back().energy = monitors_.after_jump(t, y.data(), moment_.accelerations());
  work_.jump(t, before.data(), y.data());
  return row(t, y);
}

std::vector<double> Recorder::memory() const {
  std::vector<double> result{start_, last_row_, static_cast<double>(next_row_)};
  const std::vector<double> work = work_.memory();
  result.push_back(static_cast<double>(work.size()));
  result.insert(result.end(), work.begin(), work.end());
  const std::vector<double> integrals = integrals_.memory();
  result.insert(result.end(), integrals.begin(), integrals.end());
  return result;
}

/// Behind T + V, which it completes.
std::vector<Monitor> Recorder::verdicts() const {
  std::vector<Monitor> result = monitors_.verdicts();
  const auto balance = loses_energy() ? std::nullopt : work_.verdict();
  if (balance) result.insert(result.begin() + (result.empty() ? 0 : 1), *balance);
  return result;
}

bool Recorder::recall(std::size_t rows, std::span<const double> own, std::span<const double> monitors) {
  if (own.size() < 4) return false;
  const std::size_t work = count_of(own[3]);
  if (own.size() < 4 + work || !work_.recall(own.subspan(4, work)) ||
      !integrals_.recall(own.subspan(4 + work)))
    return false;
  if (monitors.size() != monitors_.memory().size()) return false;
  rows_ = rows;
  start_ = own[0];
  last_row_ = own[1];
  next_row_ = count_of(own[2]);
  monitors_.recall(monitors);
  return true;
}

}  // namespace liaison
