#ifndef LIAISON_MECHANICS_MOTION_HPP
#define LIAISON_MECHANICS_MOTION_HPP

#include <string>
#include <vector>

#include "liaison/mechanics/constraint_fields.hpp"

namespace liaison {

struct MotionOptions {
  std::size_t max_directions =
      14;  ///< up to these sizes accelerations and factors are solved for in closed form
  std::size_t max_constraints = 8;
  std::size_t max_block = 4;    ///< directions that are coupled through the mass matrix
  std::size_t max_coupled = 5;  ///< constraints that are coupled through the directions that they share
};

enum class FactorStatus {
  none,           ///< no constraints
  determined,     ///< det r != 0: compatible
  implicit,       ///< directions depend on the factors: a non-linear system, solved numerically at a state
  incompatible,   ///< det r = 0 and no factors satisfy the relations
  undetermined,   ///< det r = 0: only combinations of the factors are determined (row G3.ex6)
  singular_mass,  ///< the mass matrix is singular everywhere: no characteristic field (row G1.III-E)
  not_solved,     ///< too large for a closed form; solved numerically at a state
};

/// The motion and the reactions before any integration (rows G2.IV-lambda, G3.II-compat, G3.V-method):
///   sum_h lambda_h r^{hk} + i(E)da^k = 0,  r^{hk} = i(e^h)da^k,  motion E + sum lambda_h e^h.
struct Motion {
  StateSpace space;
  OmegaForm omega;
  FreeSystem free;                           ///< mass * acceleration = load
  std::vector<ConstraintField> constraints;  ///< those with a relation, then the mere reactions
  std::size_t relation_count = 0;
  bool closed_form = false;
  std::vector<Expr> free_acceleration;    ///< velocity components of E, closed form
  std::vector<std::vector<Expr>> fields;  ///< velocity components of each e^h, closed form
  Matrix r;                               ///< r(h, k): one row a force, one column a relation
  Expr determinant;                       ///< det r where r is square
  std::vector<Expr> drive;                ///< i(E)da^k
  FactorStatus status = FactorStatus::none;
  std::vector<Expr> factors;  ///< lambda_h, closed form; undetermined ones keep free symbols
  std::vector<std::vector<Expr>> free_factors;  ///< undetermined: directions in factor space that stay open
  std::vector<Expr> certificate;   ///< incompatible: a combination of the relations that no force can keep
  std::vector<Expr> acceleration;  ///< du^a/dt, closed form
  Conditions conditions;
  Conditions mass_conditions;  ///< those of them that E and e^h need
  std::string open_reason;     ///< why there is no closed form
  /// What must not vanish for the levels to have a derivative, and for all that a motion needs to have its
  /// own: a root in a relation, a corner of abs in a potential.
  Domain lost_to_states = {}, lost_to_motions = {};
  Grade grade = Grade::proved;  ///< of what was taken to be zero on the way to the closed forms
};
Motion derive_motion(Algebra& algebra, const System& system, const MotionOptions& options = {});

}  // namespace liaison

#endif  // LIAISON_MECHANICS_MOTION_HPP
