#pragma once

#include "simulation_summary.hpp"

namespace liaison::cli {

/// Impacts, modes of the contacts and where they accumulate.
void add_contacts(const SimulationSummary& summary, Json& out);
void print_contacts(const SimulationSummary& summary);

}  // namespace liaison::cli
