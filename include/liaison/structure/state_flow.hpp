#ifndef LIAISON_STRUCTURE_STATE_FLOW_HPP
#define LIAISON_STRUCTURE_STATE_FLOW_HPP

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "liaison/algebra/region.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/forms/vector_field.hpp"
#include "liaison/structure/standing.hpp"

namespace liaison {

/// The motion as one field on the manifold of admissible states, with coordinates of its own: positions and
/// quaternions, the velocity parameters that the relations leave free, time. What is asked of functions on
/// the states is asked of this field.
struct StateFlow {
  const Motion* motion = nullptr;
  CoframePtr coframe;
  VectorField field;             ///< E + sum lambda_h e^h
  std::vector<Expr> positions;   ///< coordinates that are no part of a quaternion
  std::vector<Expr> velocities;  ///< free velocity parameters
  std::vector<std::array<Expr, 4>> quaternions;
  Expr time;
  Substitution inclusion;         ///< the other velocity parameters, by these
  Conditions conditions;          ///< what is divided by
  Standing standing;              ///< how far what the field tells is certain
  bool has_levels = false;        ///< positions satisfy relations: they are not independent
  bool has_accelerations = true;  ///< false: symbols stand for them in the field

  /// A function on V, on the admissible states.
  Expr restricted(Expr e) const { return substitute(e, inclusion); }
  /// Positions, quaternions, velocities and time: what changes along motions.
  std::vector<Expr> state() const;
  /// Each quaternion has length one: what holds of the positions.
  Region unit_quaternions() const;
  /// The dimension without time.
  std::size_t dimension() const { return coframe->dimension() - 1; }
  /// The field does not depend on time.
  bool is_autonomous(Algebra& algebra) const;
};

struct StateFlowResult {
  std::optional<StateFlow> flow;
  std::string reason;  ///< why there is none
};
/// Needs accelerations in closed form, and relations that are linear in the velocity parameters.
StateFlowResult derive_state_flow(Algebra& algebra, const Motion& motion);
StateFlowResult derive_state_flow(Algebra& algebra, const Motion& motion, const Standing& standing);
/// With symbols for the accelerations, of a system without constraints that is too large for closed forms:
/// enough for what Omega alone decides.
StateFlowResult derive_open_flow(const Motion& motion, const Standing& standing);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_STATE_FLOW_HPP
