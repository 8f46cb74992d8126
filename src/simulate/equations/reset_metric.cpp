#include "reset_metric.hpp"

#include "mechanics/dense.hpp"
#include "saddle.hpp"

namespace liaison {

namespace {

using Eigen::Index;

bool measures(const AssembledEquations& equations) {
  return equations.system->chart.parameters.empty() && is_symmetric(equations.mass);
}

}  // namespace

RowMajorMatrix metric_of_positions(const AssembledEquations& equations, const RowMajorMatrix& mass) {
  const System& system = *equations.system;
  const auto positions = static_cast<Index>(equations.positions.size());
  RowMajorMatrix result = RowMajorMatrix::Identity(positions, positions);
  if (!measures(equations)) return result;
  Index row = 0;
  for (std::size_t i = 0; i < system.directions.size(); ++i) {
    if (system.directions[i].rotation) continue;
    Index column = 0;
    for (std::size_t j = 0; j < system.directions.size(); ++j) {
      if (system.directions[j].rotation) continue;
      result(row, column++) = mass(static_cast<Index>(i), static_cast<Index>(j));
    }
    ++row;
  }
  return result;
}

RowMajorMatrix metric_of_velocities(const AssembledEquations& equations, const RowMajorMatrix& mass) {
  if (measures(equations)) return mass;
  const auto n = static_cast<Index>(equations.parameters.size());
  return RowMajorMatrix::Identity(n, n);
}

Eigen::MatrixXd to_euclid(const Eigen::MatrixXd& metric) {
  const Eigen::MatrixXd same = Eigen::MatrixXd::Identity(metric.rows(), metric.cols());
  Eigen::MatrixXd lower;
  if (!factorise_positive(metric, lower)) return same;
  Eigen::MatrixXd result = same;
  for (Index j = 0; j < result.cols(); ++j) result.col(j) = solve_upper(lower, same.col(j));
  return result;
}

}  // namespace liaison
