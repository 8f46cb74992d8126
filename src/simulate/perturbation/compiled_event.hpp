#pragma once

#include <string>
#include <vector>

#include "liaison/simulate/perturbation.hpp"
#include "simulate/perturbation/compiled_matrix.hpp"
#include "simulate/perturbation/sided_inputs.hpp"

namespace liaison {

/// What of an event the deviations ask for; the inputs are those with sides.
struct CompiledEvent {
  SidedInputs sided;
  CompiledMatrix arguments_by_state, arguments_by_unknowns;  ///< of its switches
  Runner when;                                               ///< and the size of its terms
  CompiledMatrix when_by_state, when_by_unknowns;            ///< by y, parameters, time; by u' and factors
  Runner resets;                                             ///< and the sizes of their terms
  CompiledMatrix resets_by_state;
  std::vector<std::size_t> targets;  ///< places in y
  std::string failure;
};

/// The time, the state, parameters, u' and factors: the inputs of all that is compiled for deviations.
std::vector<Expr> inputs_of(const AssembledEquations& equations);

/// With derivatives by the parameters `varied`; a failure where the event holds more than the inputs. The
/// switches of `also` are arguments too.
CompiledEvent compile_event(const AssembledEquations& equations, const Event& event,
                            const std::vector<Expr>& varied, std::vector<Expr> also = {});

}  // namespace liaison
