#pragma once

#include <optional>
#include <string>
#include <vector>

#include "liaison/unilateral/lemke.hpp"

/// Siconos' solvers of linear complementarity problems, where its package is installed.
namespace bench {

enum class SiconosSolver { enumeration, lexicographic_lemke, gauss_seidel };

class SiconosLcp {
 public:
  static bool is_installed();

  explicit SiconosLcp(liaison::DoubleComplementarity problem);
  /// As Siconos reads its own test files; nothing where it is no dense problem.
  static std::optional<liaison::DoubleComplementarity> read(const std::string& path);

  /// One solution; nothing where Siconos says that it has none.
  std::optional<std::vector<double>> solve(SiconosSolver solver, double tolerance = 1e-10);
  /// All that its enumeration meets: one for each hypothesis that holds.
  std::vector<std::vector<double>> all(double tolerance = 1e-10);
  /// Their number, in one pass: this is what is timed.
  std::size_t count_all(double tolerance = 1e-10);

 private:
  liaison::DoubleComplementarity problem_;
};

}  // namespace bench
