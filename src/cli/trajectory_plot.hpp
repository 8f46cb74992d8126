#pragma once

#include <string>
#include <vector>

#include "liaison/report/plot.hpp"
#include "liaison/simulate/trajectory_file.hpp"

namespace liaison::cli {

/// The figure of a run: its rows with their kinds and units, its events as marks.
Figure figure_of(const AssembledEquations& equations, const Observations& observations, const RowTable& rows,
                 const std::vector<EventRecord>& events, const std::string& subtitle);

}  // namespace liaison::cli
