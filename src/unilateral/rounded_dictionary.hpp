#pragma once

#include <cstddef>
#include <vector>

#include "liaison/unilateral/complementarity.hpp"

namespace liaison {

/// A complementarity problem in doubles, rows and columns times powers of two so that entries are near one.
struct RoundedProblem {
  explicit RoundedProblem(const Complementarity& problem);

  const Complementarity& exact;
  std::size_t count = 0;
  std::vector<double> r;  ///< r[h * count + k]
  std::vector<double> drive;
  double error = 0;        ///< relative, of each entry
  bool is_usable = false;  ///< every entry is finite, and none but zero is lost
};

/// The dictionary of the polyhedron lambda >= 0, a = drive + r^T lambda >= 0 in doubles, with some of its
/// variables held at zero. That nothing is left is never said by rounded numbers: it is said where a
/// combination of the equations contradicts the signs (Farkas), with bounds of the rounding of that
/// combination, or exactly.
class RoundedDictionary {
 public:
  enum class Verdict { possible, impossible, doubtful };

  explicit RoundedDictionary(const RoundedProblem& problem);

  /// A point with all variables >= 0.
  Verdict find_point();
  /// Holds a variable at zero and goes to a point that is left; `impossible` is proved, `possible` is not.
  Verdict fix(std::size_t variable);
  /// At the present point.
  double value(std::size_t variable) const;
  /// By the signs in its row, not proved.
  bool seems_positive_everywhere(std::size_t variable) const;

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  double& entry(std::size_t row, std::size_t column) { return entries_[row * (count_ + 1) + column]; }
  double entry(std::size_t row, std::size_t column) const { return entries_[row * (count_ + 1) + column]; }
  double constant(std::size_t row) const { return entry(row, count_); }
  void pivot(std::size_t row, std::size_t column);
  bool contradicts(std::size_t row, int sign) const;
  bool contradicts_by_bounds(std::size_t row, int sign) const;
  bool contradicts_exactly(std::size_t row, int sign) const;

  const RoundedProblem* problem_;
  std::size_t count_;
  std::vector<std::size_t> basis_, columns_;  ///< variables
  std::vector<std::size_t> place_;            ///< of a variable: row, or count_ + column
  std::vector<char> fixed_;
  std::vector<double> entries_;  ///< a row has the constant last
};

}  // namespace liaison
