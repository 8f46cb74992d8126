#include "liaison/simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

class Run {
 public:
  Run(Evaluator& evaluator, const SimulationOptions& options, const std::function<bool(const Row&)>& receive)
      : evaluator_(evaluator),
        options_(options),
        receive_(receive),
        projects_(options.project),
        integrator_([this](double t, const double* y, double* dy) { return evaluator_.rates(t, y, dy); },
                    evaluator.size(), options.tolerance),
        dy_(evaluator.size()) {}

  SimulationResult run(double t, std::vector<double> y) {
    start_ = window_begin_ = t;
    if (projects_ && !evaluator_.project(t, y.data()))
      return stop(t, y, "the start cannot be moved onto the constraints");
    if (!integrator_.begin(t, y, options_.until)) return stop(t, y, evaluator_.failure());
    first_energy_ = energy(t, y.data());
    if (!emit(t, y)) return end(SimulationOutcome::interrupted);
    next_row_ = 1;
    while (integrator_.time() < options_.until) {
      if (result_.steps >= options_.max_steps) {
        result_.message =
            fmt::format("{} steps were not enough to come to t = {:.9g}", result_.steps, options_.until);
        return end(SimulationOutcome::step_limit);
      }
      const double before = integrator_.time();
      const auto outcome = take_step();
      if (outcome != DormandPrince::Outcome::stepped) return report_failure(outcome);
      ++result_.steps;
      if (is_stuck()) {
        return stop(
            integrator_.time(), copy_state(),
            "the motion does not come on: its equations jump here, as where a slip ends or a contact opens");
      }
      if (!emit_grid(before)) return end(SimulationOutcome::interrupted);
      if (!settle())
        return stop(integrator_.time(), copy_state(),
                    "the state left the constraints and could not be moved back");
      watch();
      if (options_.every <= 0 && !emit(integrator_.time(), copy_state()))
        return end(SimulationOutcome::interrupted);
    }
    return end(SimulationOutcome::finished);
  }

 private:
  DormandPrince::Outcome take_step() {
    if (options_.fixed_step <= 0) return integrator_.step(options_.until);
    return integrator_.fixed_step(std::min(options_.fixed_step, options_.until - integrator_.time()));
  }

  /// Many steps that advance next to nothing: the solution slides along a jump of its equations.
  bool is_stuck() {
    constexpr std::size_t window = 2000;
    if (result_.steps % window != 0) return false;
    const double advance = integrator_.time() - window_begin_;
    window_begin_ = integrator_.time();
    return options_.fixed_step <= 0 && advance < 1e-8 * (options_.until - start_);
  }

  std::vector<double> copy_state() const { return {integrator_.state().begin(), integrator_.state().end()}; }

  /// Back onto the constraints.
  bool settle() {
    if (!projects_) return true;
    std::vector<double> y = copy_state();
    if (!evaluator_.project(integrator_.time(), y.data())) return false;
    return integrator_.restart(y);
  }

  /// The rows on the grid that the last step passed.
  bool emit_grid(double before) {
    if (options_.every <= 0) return true;
    const double now = integrator_.time();
    std::vector<double> y(evaluator_.size());
    while (true) {
      double at = start_ + static_cast<double>(next_row_) * options_.every;
      if (at > options_.until * (1 - 1e-14) && at < options_.until * (1 + 1e-12)) at = options_.until;
      if (at > now) return true;
      if (at == now) {
        y = copy_state();
      } else {
        integrator_.dense().evaluate(std::max(at, before), y.data());
      }
      if (projects_) evaluator_.project(at, y.data());
      if (!emit(at, y)) return false;
      ++next_row_;
    }
  }

  bool emit(double t, const std::vector<double>& y) {
    if (!evaluator_.rates(t, y.data(), dy_.data()))
      return true;  // the step that led here had values; the end may have none
    Row row;
    row.t = t;
    row.y = y;
    row.factors.assign(evaluator_.factors().begin(), evaluator_.factors().end());
    row.outputs.resize(evaluator_.output_names().size());
    evaluator_.outputs(t, y.data(), row.outputs.data());
    const Evaluator::Energies energies = evaluator_.energies(t, y.data());
    row.kinetic = energies.kinetic;
    row.potential = energies.potential;
    return receive_(row);
  }

  double energy(double t, const double* y) {
    const Evaluator::Energies energies = evaluator_.energies(t, y);
    energy_size_ = std::max({energy_size_, std::abs(energies.kinetic), std::abs(energies.potential)});
    return energies.kinetic + energies.potential;
  }

  void watch() {
    const double* y = integrator_.state().data();
    const double change = std::abs(energy(integrator_.time(), y) - first_energy_);
    energy_change_ = std::max(energy_change_, change);
    const Evaluator::Residuals residuals = evaluator_.residuals(integrator_.time(), y);
    level_ = std::max(level_, residuals.level);
    relation_ = std::max(relation_, residuals.relation);
  }

  SimulationResult report_failure(DormandPrince::Outcome outcome) {
    std::string why = evaluator_.failure();
    if (why.empty()) why = "the solution grows without bound or loses its smoothness";
    const char* what =
        outcome == DormandPrince::Outcome::too_small ? "the step fell to nothing" : "a step has no value";
    return stop(integrator_.time(), copy_state(), fmt::format("{}: {}", what, why));
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
    result_.evaluations = integrator_.evaluations();
    result_.rejected = integrator_.rejected();
    result_.monitors.push_back({"energy T + V", energy_size_ > 0 ? energy_change_ / energy_size_ : 0, false});
    if (evaluator_.has_relations()) {
      result_.monitors.push_back({"holonomic levels", level_, projects_});
      result_.monitors.push_back({"velocity relations", relation_, projects_});
    }
    return result_;
  }

  Evaluator& evaluator_;
  const SimulationOptions& options_;
  const std::function<bool(const Row&)>& receive_;
  bool projects_;
  DormandPrince integrator_;
  std::vector<double> dy_;
  double start_ = 0, first_energy_ = 0, energy_size_ = 0, energy_change_ = 0, level_ = 0, relation_ = 0;
  double window_begin_ = 0;
  std::size_t next_row_ = 0;
  SimulationResult result_;
};

}  // namespace

SimulationResult simulate(Evaluator& evaluator, double t, std::vector<double> y,
                          const SimulationOptions& options, const std::function<bool(const Row&)>& receive) {
  return Run(evaluator, options, receive).run(t, std::move(y));
}

}  // namespace liaison
