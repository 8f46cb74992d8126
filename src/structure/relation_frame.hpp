#pragma once

#include <vector>

#include "liaison/forms/form.hpp"
#include "liaison/structure/state_flow.hpp"
#include "modular_matrix.hpp"

namespace liaison {

/// The relations between coordinates and their rates, as a submanifold W of V: what is asked of forms there
/// is asked of tangent vectors of W.
class RelationFrame {
 public:
  RelationFrame(Algebra& algebra, const StateFlow& flow);

  /// Positions, quaternions and the states, without relations between velocities alone.
  const Region& region() const { return region_; }
  /// What vanishes on W, without denominators.
  const std::vector<Expr>& relations() const { return relations_; }
  /// The components of the differentials of the levels, then of their rates, row by row.
  const std::vector<Expr>& entries() const { return entries_; }
  const std::vector<Expr>& levels() const { return levels_; }
  /// A basis of the tangent vectors at a point modulo a prime, from the values of the entries there. Empty:
  /// the differentials are dependent.
  std::vector<std::vector<Residue>> tangent(const PrimeField& field, std::span<const Residue> entries) const;
  /// Whether a form vanishes on all tangent vectors of W, at all of its points at which the differentials are
  /// independent: its product with these vanishes.
  Verdict vanishes(const Form& form) const;
  /// Whether a function vanishes on W.
  Verdict vanishes(Expr e) const;

 private:
  Algebra* algebra_;
  CoframePtr coframe_;
  Region region_;
  std::vector<Expr> levels_, relations_, entries_;
  std::vector<Form> differentials_;
};

/// Residues at a point of the products of entries: rows of a 2-form's coefficients (i < j, in order) on pairs
/// of vectors.
std::vector<std::vector<Residue>> pair_weights(const PrimeField& field,
                                               const std::vector<std::vector<Residue>>& vectors);

}  // namespace liaison
