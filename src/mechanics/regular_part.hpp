#pragma once

#include <Eigen/Core>
#include <vector>

#include "liaison/expr/rational.hpp"

/// What doubles may select: which unknowns belong to which equations, and which fraction may be meant.
/// Nothing is decided by it; what it selects is proved afterwards.
namespace liaison {

struct RegularPart {
  std::vector<std::size_t> rows, columns;
};
/// Rows and columns of a regular part of a matrix, as large as rounding shows one; preferred columns first.
RegularPart regular_part(Eigen::MatrixXd a, const std::vector<bool>& preferred);

/// A fraction of small denominator that rounds to the double up to its last digits, else the double itself; 0
/// for what is not finite.
Rational simple_rational(double value);

}  // namespace liaison
