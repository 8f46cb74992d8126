#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "liaison/compile/multiprecision.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "reference_linear.hpp"

namespace liaison {

/// How exact numbers are asked to be, and with how many bits that is done.
struct ReferencePrecision {
  explicit ReferencePrecision(int digits_asked);
  int digits;
  long bits;         ///< of digits + 15
  double threshold;  ///< a pivot below this, relative to the terms it was summed of, is zero: far above what
                     ///< the drift from the constraints makes of a pivot that vanishes on them
};

/// The equations of motion in long numbers. The state is y = (positions, velocity parameters).
class ReferenceEquations {
 public:
  ReferenceEquations(const AssembledEquations& equations, const ExactPoint& fixed,
                     const ReferencePrecision& precision);

  std::size_t size() const { return positions_ + n_; }
  /// dy/dt; false where there is none, and failure() says why.
  bool rates(const LongReal& t, const std::vector<LongReal>& y, std::vector<LongReal>& dy);
  const std::string& failure() const { return failure_; }
  bool failed_to_converge() const { return failed_to_converge_; }
  /// Of the last rates. Those set here are where Newton's method begins if directions depend on factors.
  std::vector<LongReal>& factors() { return factors_; }

 private:
  void collect_forces(std::vector<Expr>& outputs) const;
  bool evaluate(MultiprecisionProgram& program, std::vector<LongReal>& values);
  static std::size_t read(const std::vector<LongReal>& values, std::size_t at, const SparseMatrix& pattern,
                          bool transposed, LongMatrix& target);
  bool find_factors();
  bool find_factors_by_newton();
  void compute_drive();
  std::optional<RankSolution> keep_relations();
  void move_along_fields(const std::vector<LongReal>& change);

  const AssembledEquations& equations_;
  ReferencePrecision precision_;
  std::size_t positions_, n_, forces_, relations_;
  std::unique_ptr<MultiprecisionProgram> state_program_, force_program_;
  std::vector<LongReal> inputs_, state_values_, force_values_;  ///< inputs: t, y, factors
  LongMatrix mass_, gradients_;
  LongMatrix acceleration_, fields_;  ///< of what is known so far; M^-1 l^h, one a column
  std::vector<LongReal> bias_, drive_, factors_;
  std::vector<double> drive_size_;  ///< of the terms of the drive
  LongFactorisation factorisation_;
  std::string failure_;
  bool failed_to_converge_ = false;
};

}  // namespace liaison
