#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>
#include <span>
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
    /// Of each: the sum of the sizes of its terms, of what its unknowns would do to it if they changed by the
    /// largest coordinate (or velocity) that the equations hold, and the other symbols by themselves: those
    /// are as exact as doubles are.
    Eigen::VectorXd size;
    std::vector<Eigen::Triplet<double>> jacobian;
    std::string failure;  ///< not empty: no values there, and why
  };
  Values at(const DoublePoint& point) const;
  const std::vector<Expr>& unknowns() const { return unknowns_; }
  std::size_t size() const { return equations_.size(); }
  bool is_linear() const;  ///< in the unknowns
  /// One is 0 there in doubles alone, which have no smaller numbers: z*exp(z) at z = -1000.
  bool are_below_doubles(const DoublePoint& point) const;
  bool holds(std::size_t i) const;  ///< unknown i stands in an equation

 private:
  void find_vanishing();
  void drop_vanishing(std::span<const double> found, Values& values) const;

  std::vector<Expr> equations_;
  std::vector<Expr> unknowns_;
  std::vector<Expr> outputs_;  ///< residuals, the entries of the Jacobian, the sizes of residuals, and of
                               ///< the entries of those that vanish on a piece
  std::vector<std::pair<int, int>> places_;
  std::vector<Expr> by_others_;  ///< derivatives by the symbols that are no unknowns
  std::vector<std::pair<Eigen::Index, Expr>> other_places_;
  std::vector<std::size_t> vanishing_;
  std::size_t first_size_ = 0;
  std::vector<Expr> like_unknowns_;  ///< symbols of the equations that are of their kind
};

struct LeastChange {
  bool converged = false;
  double residual = 0;  ///< the largest that is left, each beside its size
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
