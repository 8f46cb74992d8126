#pragma once

#include <optional>
#include <vector>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// The admissible directions: X_A = (dpsi^i/dz^A) e_i, and X_0 = d/dt + psi^i(z = 0) e_i where time counts.
struct AdmissibleDirections {
  std::vector<VectorField> fields;  ///< on the coframe of the flow
  std::vector<std::size_t> forms;   ///< of the space of positions, time last where it counts
  bool with_time = false;
  std::vector<Expr> by_time;  ///< the time counts where one of these does not vanish at all states
};
/// Nothing where the velocities are not linear in the velocity parameters.
std::optional<AdmissibleDirections> admissible_directions(Algebra& algebra, const StateFlow& flow);

}  // namespace liaison
