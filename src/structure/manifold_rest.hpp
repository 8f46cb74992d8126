#pragma once

#include <string>

#include "liaison/structure/equilibria.hpp"
#include "manifold_equations.hpp"

namespace liaison {

/// An energy that every motion keeps, without terms that are linear in the velocities: its value at rest, and
/// all of it. Jacobi's function where the constraints move.
struct RestEnergy {
  Expr at_rest, whole;
};
/// Nothing where it is not proved to be kept.
std::optional<RestEnergy> rest_energy(Algebra& algebra, const Motion& motion,
                                      const ManifoldEquations& equations, const Substitution& values);

/// Places move along `components`, and all that come so are places of rest: `pivot` is one that does move.
struct RestFamily {
  std::vector<Expr> components;  ///< one for each place
  Expr pivot;
};

/// What is said of a place of rest on the states, in balls, without coordinates of their own for these.
class ManifoldRest {
 public:
  /// `place`: a value for each of the places, and for velocities that are not zero there; the parameters have
  /// theirs in the equations.
  ManifoldRest(const ManifoldEquations& equations, const BallPoint& place);

  /// Not empty: accelerations or factors are not determined there, or not certainly.
  const std::string& reason() const { return reason_; }
  const std::vector<Ball>& factors() const { return factors_; }

  /// The linear equations of small motions in those coordinates and velocities that are free there, their
  /// eigenvalues, and what these decide. Deviations along families of places do not count.
  void linearise(Equilibrium& equilibrium, const std::vector<RestFamily>& families = {}) const;

  /// The energy has a strict minimum on the states there: the second variation of its value at rest, less
  /// multipliers times the levels, is positive definite on the tangent space, and so is that in the
  /// velocities. `fixed`: places in which nothing is asked, for turning them changes nothing.
  bool has_strict_minimum(const RestEnergy& energy, const std::vector<Expr>& fixed) const;

 private:
  const ManifoldEquations& equations_;
  BallPoint at_;  ///< all symbols
  std::vector<Ball> factors_;
  std::string reason_;
};

}  // namespace liaison
