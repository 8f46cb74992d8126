#pragma once

#include "mechanics/dense.hpp"

namespace liaison {

/// A linear system whose rows and columns are brought to one size first, so that no unit decides what is
/// singular.
class BalancedSolve {
 public:
  /// The solution; where it is not unique, the least one. False where the equations contradict each other.
  bool solve(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right, Eigen::MatrixXd& solution);

 private:
  DenseLu lu_;
};

}  // namespace liaison
