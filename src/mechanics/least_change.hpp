#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>
#include <string>
#include <vector>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// Equations f = 0 in some unknowns, with their Jacobian, at points of double precision.
class NumericEquations {
 public:
  NumericEquations(std::vector<Expr> equations, std::vector<Expr> unknowns);
  struct Values {
    Eigen::VectorXd residual;
    std::vector<Eigen::Triplet<double>> jacobian;
    std::string failure;  ///< not empty: no values there, and why
  };
  Values at(const DoublePoint& point) const;
  const std::vector<Expr>& unknowns() const { return unknowns_; }
  std::size_t size() const { return equations_.size(); }

 private:
  std::vector<Expr> equations_;
  std::vector<Expr> unknowns_;
  std::vector<Expr> outputs_;  ///< residuals, then the entries of the Jacobian
  std::vector<std::pair<int, int>> places_;
};

struct LeastChange {
  bool converged = false;
  double residual = 0;  ///< the largest that is left
  std::string failure;
};

/// A symmetric matrix W > 0 on the unknowns.
using Metric = std::function<Eigen::SparseMatrix<double>(const DoublePoint&)>;

/// Newton's method, each step the least one in the metric W (identity where none is given): x += W^-1 J^T (J
/// W^-1 J^T)^+ (-f). The point is changed even where it does not converge. Up to 200 equations and unknowns
/// by dense factorisation, beyond that by a sparse one.
LeastChange solve_least_change(const NumericEquations& equations, DoublePoint& point,
                               const Metric& metric = {});

}  // namespace liaison
