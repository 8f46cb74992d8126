#ifndef LIAISON_MECHANICS_STATE_SPACE_HPP
#define LIAISON_MECHANICS_STATE_SPACE_HPP

#include <vector>

#include "liaison/forms/form.hpp"
#include "liaison/forms/vector_field.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// The state manifold V of a system with n directions: n configuration forms theta^i (dq^i, or the Pfaff
/// forms of a rotation), n differentials du^a of the velocity parameters, dt; in this order. On the motion
/// theta^i = v^i dt.
struct StateSpace {
  const System* system = nullptr;
  CoframePtr coframe;
  std::vector<Expr> parameters;  ///< u^a: the velocities themselves unless the system chose others
  std::vector<Expr> velocities;  ///< v^i as functions of (q, u, t)

  Pool& pool() const { return *system->pool; }
  std::size_t size() const { return parameters.size(); }
  std::size_t configuration_form(std::size_t i) const { return i; }
  std::size_t velocity_form(std::size_t a) const { return size() + a; }
  std::size_t time_form() const { return 2 * size(); }
  /// An expression in the velocities v^i written in the velocity parameters.
  Expr in_parameters(Expr e) const;
  /// A covector on the velocities, c_i with c_i dv^i/du^a = given_a. Throws not_a_basis where the chart is
  /// singular.
  std::vector<Expr> on_velocities(Algebra& algebra, const std::vector<Expr>& on_parameters) const;
  /// E with i(E)dt = 1, theta^i = v^i and the given accelerations du^a/dt.
  VectorField motion_field(const std::vector<Expr>& accelerations) const;
  /// A field with velocity components only.
  VectorField velocity_field(const std::vector<Expr>& components) const;
};

/// dv^i/du^a, one row a direction.
Matrix chart_jacobian(const StateSpace& space);

StateSpace make_state_space(Algebra& algebra, const System& system);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_STATE_SPACE_HPP
