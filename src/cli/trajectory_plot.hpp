#pragma once

#include <string>
#include <vector>

#include "liaison/report/plot.hpp"
#include "liaison/simulate/trajectory_file.hpp"

namespace liaison::cli {

/// The figure of a run: its rows with their kinds and units, its events as marks, and of each contact a bar
/// of its modes with its impacts.
Figure figure_of(const AssembledEquations& equations, const Observations& observations, const RowTable& rows,
                 const SimulationResult& result, const std::vector<std::string>& contacts,
                 const std::string& subtitle);

}  // namespace liaison::cli
