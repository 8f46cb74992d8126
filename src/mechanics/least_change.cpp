#include "least_change.hpp"

#include <cmath>

#include "liaison/expr/differentiate.hpp"

namespace liaison {

NumericEquations::NumericEquations(std::vector<Expr> equations, std::vector<Expr> unknowns)
    : equations_(std::move(equations)), unknowns_(std::move(unknowns)), outputs_(equations_) {
  for (const JacobianEntry& entry : jacobian(equations_, unknowns_)) {
    places_.emplace_back(entry.row, entry.column);
    outputs_.push_back(entry.value);
  }
}

NumericEquations::Values NumericEquations::at(const DoublePoint& point) const {
  Values result;
  const DoubleValues found = evaluate(outputs_, point);
  if (found.status != EvaluationStatus::ok) {
    result.failure = found.reason();
    return result;
  }
  const auto rows = static_cast<Eigen::Index>(equations_.size()),
             columns = static_cast<Eigen::Index>(unknowns_.size());
  result.residual = Eigen::Map<const Eigen::VectorXd>(found.values.data(), rows);
  result.jacobian = Eigen::MatrixXd::Zero(rows, columns);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    result.jacobian(static_cast<Eigen::Index>(places_[i].first),
                    static_cast<Eigen::Index>(places_[i].second)) = found.values[equations_.size() + i];
  }
  return result;
}

LeastChange solve_least_change(const NumericEquations& equations, DoublePoint& point,
                               const std::function<Eigen::MatrixXd(const DoublePoint&)>& metric) {
  LeastChange result;
  constexpr int max_steps = 60;
  double last = INFINITY;
  for (int step = 0; step <= max_steps; ++step) {
    const NumericEquations::Values values = equations.at(point);
    result.failure = values.failure;
    if (!values.failure.empty()) return result;
    result.residual = values.residual.size() ? values.residual.cwiseAbs().maxCoeff() : 0;
    // Two more steps after the residual is small: they cost nothing and reach the last digits.
    if (result.residual == 0 || (result.residual < 1e-12 && result.residual >= last / 2)) {
      result.converged = true;
      return result;
    }
    last = result.residual;
    if (values.jacobian.cols() == 0 || step == max_steps) break;
    Eigen::MatrixXd weighted = values.jacobian.transpose();
    if (metric) weighted = metric(point).ldlt().solve(weighted);
    const Eigen::MatrixXd gram = values.jacobian * weighted;
    const Eigen::VectorXd change = weighted * gram.completeOrthogonalDecomposition().solve(-values.residual);
    if (!change.allFinite()) break;
    for (std::size_t i = 0; i < equations.unknowns().size(); ++i) {
      point[equations.unknowns()[i]] += change(static_cast<Eigen::Index>(i));
    }
    if (change.cwiseAbs().maxCoeff() == 0) break;
  }
  result.converged = result.residual < 1e-10;
  return result;
}

}  // namespace liaison
