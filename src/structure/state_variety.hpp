#pragma once

#include <vector>

#include "function_basis.hpp"
#include "modular_matrix.hpp"

namespace liaison {

/// The states of coordinates that satisfy polynomial relations, where they are an irreducible variety: then
/// what vanishes on the real states vanishes on all of it, and equations at its smooth points modulo a prime
/// have no smaller kernel than those of the states.
class StateVariety {
 public:
  /// `relations`: levels, then the relations between velocities; `degree`: of the forms in the velocities.
  StateVariety(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& relations,
               const FunctionBasis& basis, unsigned degree);

  /// The relations are polynomials whose variety is known to be irreducible, and the functions are products
  /// of the coordinates.
  bool is_irreducible() const { return is_irreducible_; }
  /// Slopes of the levels by the coordinates, then of the other relations by the velocities.
  const std::vector<Expr>& slopes() const { return slopes_; }
  /// The values of these at a point have full rank: it lies on the variety, over a smooth place of the
  /// levels, and is the image of a point with p-adic coordinates (Hensel).
  bool is_smooth(std::vector<Residue> values, const PrimeField& field) const;
  /// How many independent forms vanish on the states, at least: multiples of the relations by products.
  std::size_t vanishing_forms(const PrimeField& field) const;

 private:
  /// A relation as a polynomial: exponents of the coordinates, then of the velocities.
  struct Polynomial {
    std::vector<std::vector<unsigned>> exponents;
    std::vector<Rational> coefficients;  ///< with random values of the parameters
    bool is_level = false;
  };
  bool read(const std::vector<Expr>& relations);
  bool are_levels_irreducible(std::vector<Expr> levels);
  bool extends(Expr level, const std::vector<Expr>& fresh);
  unsigned most(unsigned velocity_degree) const {
    return basis_.most.empty() ? basis_.degree : basis_.most[velocity_degree];
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const FunctionBasis& basis_;
  unsigned degree_;
  std::vector<Polynomial> polynomials_;
  std::vector<Expr> slopes_;
  std::size_t levels_ = 0, speeds_ = 0;
  bool is_irreducible_ = false;
};

}  // namespace liaison
