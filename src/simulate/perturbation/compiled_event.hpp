#pragma once

#include <string>
#include <vector>

#include "liaison/simulate/perturbation.hpp"
#include "simulate/perturbation/compiled_matrix.hpp"

namespace liaison {

/// What of an event the deviations ask for.
struct CompiledEvent {
  Runner when;
  CompiledMatrix when_by_state, when_by_unknowns;  ///< by y, parameters, time; by u' and factors
  Runner resets;
  CompiledMatrix resets_by_state;
  std::vector<std::size_t> targets;  ///< places in y
  std::string failure;
};

/// The time, the state, parameters, u' and factors: the inputs of all that is compiled for deviations.
std::vector<Expr> inputs_of(const AssembledEquations& equations);

/// With derivatives by the parameters `varied`; a failure where the event holds more than the inputs.
CompiledEvent compile_event(const AssembledEquations& equations, const Event& event,
                            const std::vector<Expr>& varied);

}  // namespace liaison
