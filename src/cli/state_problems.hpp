#pragma once

#include <span>

#include "liaison/mechanics/initial_state.hpp"
#include "model_input.hpp"

namespace liaison::cli {

/// Says on the standard error why a state cannot be used; the exit code. `relations`: those of the
/// constraints, at all levels; `option`: where the state was given, "--at".
int explain_state(const LoadedModel& model, std::span<const Expr> relations, const CompletedState& state,
                  const std::string& option, bool projected);

}  // namespace liaison::cli
