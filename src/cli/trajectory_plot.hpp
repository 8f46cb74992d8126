#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/model/dimension_of.hpp"
#include "liaison/report/plot.hpp"
#include "liaison/simulate/trajectory_file.hpp"

namespace liaison::cli {

/// A run that has ended, with what is drawn of it.
struct DrawnRun {
  const AssembledEquations* equations = nullptr;
  const Observations* observations = nullptr;
  ToldDimensions dimensions = {};
  const RowTable* rows = nullptr;
  const SimulationResult* result = nullptr;
  std::vector<std::string> contacts;  ///< names of the unilateral constraints
  DoublePoint values;                 ///< of parameters: a section may use them
  std::string subtitle;
};

/// What can be judged of the options of plots without the model. Throws Refused.
void check_plots(const SimulateOptions& options);

/// The picture of a run: its rows over the time with their kinds and units, its events as marks, of each
/// contact a bar of its modes with its impacts; or one column over another, or a section. Throws Refused
/// where a column does not exist, FileProblem where an earlier run cannot be read.
std::string render_run(const DrawnRun& run, const SimulateOptions& options, PlotFormat format);

}  // namespace liaison::cli
