#ifndef LIAISON_SIMULATE_TRAJECTORY_FILE_HPP
#define LIAISON_SIMULATE_TRAJECTORY_FILE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "liaison/simulate/output_file.hpp"
#include "liaison/simulate/simulation.hpp"

namespace liaison {

/// The names of the columns: t, coordinates, velocities, quaternions, lambda(name), T, V, outputs.
std::vector<std::string> trajectory_columns(const AssembledEquations& equations,
                                            const Observations& observations);
/// The numbers of a row, in the order of the columns.
std::vector<double> trajectory_values(const AssembledEquations& equations, const Row& row);
/// The state y in a row of a file with these columns.
std::vector<double> state_in_row(const AssembledEquations& equations, const std::vector<double>& values);

/// In place of the name of a file for rows.
inline constexpr const char* standard_output = "-";

/// Rows as comma-separated values under a header, each number in full precision. What has been flushed is
/// whole rows; the file is readable at any time, whatever ends the program. Two writers on one file are one
/// too many: the second has a FileProblem.
class TrajectoryWriter {
 public:
  /// A new file, or an empty one in place of an old one, or what follows on the standard output. Throws
  /// FileProblem, here and below.
  TrajectoryWriter(std::string path, const std::vector<std::string>& columns);
  /// Goes on behind the first `bytes` of a file.
  TrajectoryWriter(std::string path, std::uint64_t bytes);
  ~TrajectoryWriter();
  TrajectoryWriter(const TrajectoryWriter&) = delete;
  TrajectoryWriter& operator=(const TrajectoryWriter&) = delete;

  void write(const std::vector<double>& values);
  void flush();
  std::uint64_t bytes() const { return bytes_ + buffer_.size(); }
  bool is_regular() const;  ///< a file, not a device or a pipe: it can be gone on with

 private:
  std::string path_, buffer_;
  int file_ = -1;
  std::uint64_t bytes_ = 0;  ///< in the file
};

struct RowTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::uint64_t bytes = 0;     ///< up to the end of the last whole row
  std::uint64_t last_row = 0;  ///< where it begins
};
/// Reads such a file; a last line that is not whole is left out. Throws FileProblem.
RowTable read_trajectory(const std::string& path);

/// NumPy's archive of arrays: one array of doubles a column, under its name.
std::string to_npz(const RowTable& table);

/// What is needed to go on with a run, in a file of its own beside the rows.
struct RunFile {
  std::string key;  ///< of model and options: another run is not continued
  std::uint64_t bytes = 0;
  Checkpoint checkpoint;  ///< without numbers: the last row of the file is where the run goes on
  std::string ended;      ///< why it goes on no more, in one line; empty: it goes on
};
/// Replaces the old file at once: either is whole at any time. Throws FileProblem.
void write_run_file(const std::string& path, const RunFile& run);
/// Nothing where there is none, or none that can be read.
std::optional<RunFile> read_run_file(const std::string& path);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_TRAJECTORY_FILE_HPP
