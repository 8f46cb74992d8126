#ifndef LIAISON_MECHANISM_EVALUATED_STATE_HPP
#define LIAISON_MECHANISM_EVALUATED_STATE_HPP

#include <memory>
#include <string>
#include <vector>

#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanics/state.hpp"
#include "liaison/mechanism/assignments.hpp"
#include "liaison/mechanism/parts.hpp"

namespace liaison {

/// A state as it was given.
struct GivenState {
  Assignments parameters, state;
  bool project = false;   ///< move it onto the constraints
  bool use_start = true;  ///< the model's start for what is not given
  std::string option = "--at";
};

/// From the texts of --at, which may set parameters too, and --set.
GivenState read_given_state(const MechanismParts& parts, const std::string& at, const std::string& set,
                            bool project);

struct EvaluatedState {
  /// The equations that were solved, without closed forms where these were not needed. It may be that of the
  /// parts.
  std::shared_ptr<const Motion> motion;
  CompletedState state;
  StateValues values;
  std::vector<Message> no_motion;  ///< why there is none, where there is none
};
/// Throws Refused where the state is none, where something has no value there, and where the model has
/// something to say about the state that is not computed.
EvaluatedState evaluate_at(MechanismParts& parts, const GivenState& given);

/// What to do where the mass matrix is singular: another state by `option`, where one may help.
std::string hint_of_singular_mass(const System& system, const DoublePoint& values, const std::string& option);

/// "x for the velocity x', u for a velocity parameter or rate u": the name of its acceleration in results.
std::string acceleration_name(Expr parameter);
/// The time, the coordinates, the quaternions and the velocity parameters.
std::vector<Expr> state_symbols(const Motion& motion);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_EVALUATED_STATE_HPP
