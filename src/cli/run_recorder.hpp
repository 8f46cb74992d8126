#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "interrupt.hpp"
#include "liaison/simulate/trajectory_file.hpp"
#include "progress_bar.hpp"

namespace liaison::cli {

/// Where the rows of a run go while it runs, and what lets it go on later.
struct RecorderOptions {
  std::string rows;        ///< a file of comma-separated values; empty: rows are only kept
  std::string key;         ///< of model and options
  double flush_every = 1;  ///< seconds between two states of the files
  bool keep_rows = false;  ///< in memory, for plots
  bool fill = false;       ///< points between rows that are steps, for plots
  double begin = 0, end = 1;
  std::size_t last_step = 0;  ///< after which the run will be given up; it can go on later
};

/// Ctrl-C and SIGTERM end the run at its next step. Throws FileProblem where a file cannot be written.
class RunRecorder {
 public:
  /// From the beginning, or behind what a file holds already.
  RunRecorder(RecorderOptions options, const AssembledEquations& equations, const Observations& observations,
              std::optional<std::uint64_t> bytes);
  RunRecorder(const RunRecorder&) = delete;
  RunRecorder& operator=(const RunRecorder&) = delete;

  SimulationReceivers receivers();
  /// The files are complete. A run that was broken off goes on from where it was saved, a finished one from
  /// its end; one that ended by itself does not go on.
  void finish(const SimulationResult& result);

  static std::string run_file_of(const std::string& rows) { return rows + ".resume"; }
  RowTable& table() { return table_; }
  /// Rows of this run with the points between them.
  RowTable filled(RowTable rows) const;

 private:
  bool take(const Row& row);
  std::size_t parts(double from, double to) const;
  void thin_out();
  bool after_step(const RunningSimulation& run);
  void save(const RunningSimulation& run);
  void save(const Checkpoint& checkpoint, const std::string& ended = {});

  RecorderOptions options_;
  const AssembledEquations& equations_;
  std::unique_ptr<TrajectoryWriter> writer_;
  RowTable table_;
  std::vector<std::vector<double>> between_;
  std::size_t parts_ = 16;  ///< of a step, at least; halved where the points become too many
  ProgressBar bar_;
  std::chrono::steady_clock::time_point saved_;
};

}  // namespace liaison::cli
