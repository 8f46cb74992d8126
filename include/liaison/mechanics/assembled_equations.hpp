#ifndef LIAISON_MECHANICS_ASSEMBLED_EQUATIONS_HPP
#define LIAISON_MECHANICS_ASSEMBLED_EQUATIONS_HPP

#include <string>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

struct Motion;

/// One entry of a matrix of expressions that is mostly zero.
struct SparseEntry {
  std::size_t row = 0, column = 0;
  Expr value;
};
/// Entries that are not zero everywhere, by row, then by column.
struct SparseMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<SparseEntry> entries;
};

/// The equations of motion as numbers need them, without forms and without closed forms:
///   mass * du/dt = load + sum_h lambda_h directions_h,   gradients_k * du/dt + bias_k = 0.
/// The same objects as in Motion (its signs too), entry by entry; what it takes to make them grows with the
/// number of terms of the energies and relations, not with powers of the number of directions.
struct AssembledEquations {
  const System* system = nullptr;
  std::vector<Expr> positions;       ///< coordinates, then quaternions
  std::vector<Expr> parameters;      ///< u^a: the velocities unless the system chose others
  std::vector<Expr> position_rates;  ///< of each position, in (q, u, t)
  SparseMatrix mass;                 ///< one row a direction, one column a parameter
  std::vector<Expr> load;            ///< one a direction
  std::vector<std::string> names;    ///< of the forces: those with a relation, then the mere reactions
  std::vector<Expr> factors;         ///< the symbols lambda, one a force
  SparseMatrix directions;           ///< l^h, one row a force, one column a direction
  std::size_t relation_count = 0;
  std::vector<Expr> relations;  ///< a^k(q, u, t)
  std::vector<Expr> levels;     ///< a^k(q, t) where it is holonomic, else empty; one a relation
  SparseMatrix gradients;       ///< da^k/du^a
  std::vector<Expr> bias;       ///< what is left of da^k/dt without accelerations
  Expr kinetic, potential;      ///< in (q, u, t)
  bool implicit = false;        ///< a direction depends on a factor
  bool ideal = false;  ///< directions are gradients and the mass matrix is symmetric: what is to be solved is
                       ///< symmetric
};

/// By Lagrange's equations in the velocities (row G1.II-Lagrange), with Pfaff forms for rotations; by the
/// same road as derive_motion where the system chose other velocity parameters.
AssembledEquations assemble_equations(Algebra& algebra, const System& system);
/// The entries of a motion that is there already.
AssembledEquations assembled(const Motion& motion);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_ASSEMBLED_EQUATIONS_HPP
