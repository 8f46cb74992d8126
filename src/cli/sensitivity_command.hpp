#pragma once

#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/mechanism/prepared_run.hpp"

namespace liaison::cli {

/// `simulate --sensitivity`: the rows and the page have the derivatives of the state by what was named.
int run_sensitivity(const SimulateOptions& options, const RunMethod& method, MechanismParts& parts,
                    InterruptScope& interrupt);

/// `simulate --lyapunov N`.
int run_lyapunov(const SimulateOptions& options, MechanismParts& parts, InterruptScope& interrupt);

}  // namespace liaison::cli
