#pragma once

#include <Eigen/Core>

#include "liaison/mechanics/assembled_equations.hpp"

namespace liaison {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The metrics in which what a reset does not give moves by the least onto the constraints: by the masses,
/// n times n, where these measure velocities; quaternions, and all where they do not, as they are.
RowMajorMatrix metric_of_positions(const AssembledEquations& equations, const RowMajorMatrix& mass);
RowMajorMatrix metric_of_velocities(const AssembledEquations& equations, const RowMajorMatrix& mass);

/// A change of unknowns after which the metric is that of Euclid: x = c z. Nothing to change where the metric
/// is not positive.
Eigen::MatrixXd to_euclid(const Eigen::MatrixXd& metric);

}  // namespace liaison
