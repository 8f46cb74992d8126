#ifndef LIAISON_MECHANISM_VAKONOMIC_PARTS_HPP
#define LIAISON_MECHANISM_VAKONOMIC_PARTS_HPP

#include <memory>

#include "liaison/mechanics/vakonomic.hpp"
#include "liaison/mechanism/assignments.hpp"
#include "liaison/mechanism/parts.hpp"

namespace liaison {

/// Clebsch and Mayer's problem of a model, in its pool: what is derived and run is this one.
struct VakonomicParts {
  std::unique_ptr<MechanismParts> parts;
  std::vector<std::string> relations;  ///< names of the kinematic constraints
  std::vector<Expr> multipliers;       ///< the velocity that is the multiplier of each
};
/// Throws Refused where the model is none.
VakonomicParts vakonomic_parts(MechanismParts& model);

struct VakonomicStart {
  Assignments values;
  std::vector<std::string> choices;  ///< CompletedState::choices
};
/// A start that satisfies the constraints of the model, with the multipliers of "roll_x = 0, roll_y = 1/2".
/// Throws Refused where one is missing: no equation determines it.
VakonomicStart vakonomic_start(MechanismParts& model, const VakonomicParts& problem,
                               const Assignments& parameters, const Assignments& start, bool project,
                               const std::string& multipliers);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_VAKONOMIC_PARTS_HPP
