#pragma once

#include "liaison/structure/equilibria.hpp"

namespace liaison {

/// Jacobi's function of a motion without constraints, h = v dT/dv - T + V (T + V where T has the second
/// degree alone): whether it is kept, and has a strict minimum at a place of rest (Lagrange, Dirichlet).
class EnergyMinimum {
 public:
  EnergyMinimum(Algebra& algebra, const StateFlow& flow, const Substitution& values)
      : algebra_(algebra), flow_(flow), values_(values) {}

  /// Its second derivatives are positive definite; the first ones vanish at a place of rest. `positions`: all
  /// that the motion depends on.
  bool is_at(const std::vector<Expr>& positions, const BallPoint& at);

 private:
  bool is_kept();

  Algebra& algebra_;
  const StateFlow& flow_;
  const Substitution& values_;
  Expr kinetic_;                 ///< v dT/dv - T
  std::optional<bool> is_kept_;  ///< asked once
};

}  // namespace liaison
