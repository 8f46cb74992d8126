#pragma once

#include <optional>
#include <string>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// The equation of a density rho(q, t) > 0, X(log rho) = -div X, where X = F_0 + z^A F_A: along each F its
/// rate is given, and so it is along their brackets. What two of these say against each other is why there is
/// none.
struct DensityByBrackets {
  /// Would have to vanish at every place around which there is a density; empty: nothing was found.
  std::optional<Expr> obstruction;
  Verdict vanishes;  ///< of the obstruction: refuted at a place, and there is no density around that
  /// No rate contradicts another one: around general places there is a density (Frobenius).
  bool near_general_places = false;
  Grade grade = Grade::unknown;  ///< of the one or the other
  /// The brackets reach every place: log rho up to a constant, where it was found.
  std::optional<Expr> logarithm;
  std::string reason;  ///< why the question is open
};
/// Of positions that are independent. Where nothing depends on the time, neither does the density.
DensityByBrackets density_by_brackets(Algebra& algebra, const StateFlow& flow, Expr divergence);

/// The accelerations are quadratic in the velocities, and nothing else moves: a density that is positive at
/// rest and has a derivative there is one of positions, at rest (V. V. Kozlov, J. Appl. Math. Mech. 51 (1987)
/// 420).
bool is_quadratic_in_velocities(Algebra& algebra, const StateFlow& flow);

}  // namespace liaison
