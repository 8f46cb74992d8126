#ifndef LIAISON_SIMULATE_OUTPUT_FILE_HPP
#define LIAISON_SIMULATE_OUTPUT_FILE_HPP

#include <string>

namespace liaison {

/// A file that cannot be read or written: the path and the reason of the system.
struct FileProblem {
  std::string path, reason;
  bool busy = false;  ///< another run writes it
};

/// Opens a file for writing and keeps it for this process: as long as it is open, nobody else gets it here.
/// The lock goes with the process, whatever ends it. Nothing is written or cut off yet. Throws FileProblem.
int open_output(const std::string& path, bool create);

/// The whole content of a file, under the same lock. Throws FileProblem.
void write_output(const std::string& path, const std::string& bytes);

/// Throws FileProblem where a file cannot be written as things are; nothing is made or changed.
void require_writable(const std::string& path);

/// Two paths of one file, by links too; where one of them is not there yet, by their names.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_OUTPUT_FILE_HPP
