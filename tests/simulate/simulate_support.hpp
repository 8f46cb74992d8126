#pragma once

#include <memory>
#include <string>

#include "liaison/mechanics/initial_state.hpp"
#include "liaison/simulate/methods.hpp"
#include "liaison/simulate/simulation.hpp"

namespace liaison::test {

/// Throws std::runtime_error with the diagnostics where the text is no model.
std::unique_ptr<System> read_system(const std::string& text);
std::string model_text(const std::string& path);  ///< under models/

/// A model with its motion, and a state on its constraints.
struct DerivedModel {
  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  std::unique_ptr<Motion> motion;
  DoublePoint start;
};
DerivedModel read_derived(const std::string& text);

/// A model that is ready to run, without a derivation.
struct RunnableModel {
  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  std::unique_ptr<AssembledEquations> equations;
  DoublePoint start;

  Expr operator[](const std::string& name) const;
  /// A value of the state in y.
  double value(const std::vector<double>& y, const std::string& name) const;
};
RunnableModel read_runnable(const std::string& text);
RunnableModel read_runnable_file(const std::string& path);  ///< under models/

struct RunRequest {
  MethodRequest method = {};
  EvaluatorOptions evaluator = {};
  SimulationOptions options = {};
  const Motion* motion = nullptr;
  const Checkpoint* resume = nullptr;
  SimulationReceivers receivers = {};  ///< may be empty
};
/// The tolerance of the method is that of the options.
SimulationResult run(const RunnableModel& model, const RunRequest& request);
SimulationResult run_until(const RunnableModel& model, const std::string& method, double until);
inline const std::vector<std::string> adaptive_methods{"dop853", "taylor", "arkode", "adams", "bdf", "ida"};

}  // namespace liaison::test
