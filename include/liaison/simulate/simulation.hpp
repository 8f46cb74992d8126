#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/runge_kutta.hpp"

namespace liaison {

struct SimulationOptions {
  double until = 1;
  double every = 0;       ///< rows on a grid of this distance; 0: at each step
  double fixed_step = 0;  ///< 0: adaptive
  Tolerance tolerance;
  bool project = true;  ///< keep the constraints after each step
  std::size_t max_steps = 10'000'000;
};

/// One row of a trajectory.
struct Row {
  double t = 0;
  std::vector<double> y, factors, outputs;
  double kinetic = 0, potential = 0;
};

enum class SimulationOutcome {
  finished,
  singular,  ///< no value, or a step that fell to nothing: `message` says what, where, when
  step_limit,
  interrupted,  ///< the receiver of rows asked for it
};

/// What should be kept, and how well it was.
struct Monitor {
  std::string name;
  double largest = 0;     ///< residual, or change relative to the size of what is kept
  bool expected = false;  ///< it should be kept
};

struct SimulationResult {
  SimulationOutcome outcome = SimulationOutcome::finished;
  std::string message;
  double t = 0;
  std::vector<double> y;
  std::size_t steps = 0, rejected = 0, evaluations = 0;
  std::vector<Monitor> monitors;
};

/// Runs from a state. Each row is handed on as soon as it is known; false from the receiver ends the run.
SimulationResult simulate(Evaluator& evaluator, double t, std::vector<double> y,
                          const SimulationOptions& options, const std::function<bool(const Row&)>& receive);

}  // namespace liaison
