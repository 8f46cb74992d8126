#pragma once

#include <string>
#include <vector>

#include "liaison/simulate/simulation.hpp"
#include "problems.hpp"

namespace liaison::cli {

/// What is told of a run besides its rows.
struct SimulationSummary {
  const AssembledEquations* equations = nullptr;
  const SimulationResult* result = nullptr;
  std::string integrator, engine, assembly;
  Tolerance tolerance;
  double step = 0, begin = 0, seconds = 0;
  std::vector<std::string> choices;  ///< where the start was completed
  std::vector<std::string> files;
  std::vector<std::string> contacts;  ///< names of the unilateral constraints
};

/// Of y.
std::vector<std::string> state_names(const AssembledEquations& equations);

Json to_json(const SimulationSummary& summary);
void print(const SimulationSummary& summary);

}  // namespace liaison::cli
