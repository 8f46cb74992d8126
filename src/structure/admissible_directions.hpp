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
  std::vector<Expr> by_time;         ///< the time counts where one of these does not vanish at all states
  Grade time_grade = Grade::proved;  ///< of whether it counts
  Conditions divided;                ///< where one vanishes it may count all the same
};
/// Nothing where the velocities are not linear in the velocity parameters.
std::optional<AdmissibleDirections> admissible_directions(Algebra& algebra, const StateFlow& flow);

/// Of the directions as a set, the time counts where drift or rates of the slopes leave their span: what a
/// chart of the velocities alone brings in, x' = u + t, it does not. The fields of the others stay as they
/// are.
void leave_out_time_of_chart(Algebra& algebra, const StateFlow& flow, AdmissibleDirections& directions);

}  // namespace liaison
