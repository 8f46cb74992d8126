#ifndef LIAISON_MECHANISM_REDUCED_MODEL_HPP
#define LIAISON_MECHANISM_REDUCED_MODEL_HPP

#include <string>
#include <vector>

#include "liaison/mechanism/parts.hpp"
#include "liaison/structure/reduced_system.hpp"
#include "liaison/structure/reducing_multiplier.hpp"

namespace liaison {

struct ReducedModel {
  ReducedSystem reduced;
  std::optional<ReducingMultiplier> multiplier;  ///< of Chaplygin's reduction
  std::string text;  ///< the model .lia, with what it is and what is left to integrate as comments
};
/// `by`: names of coordinates to ignore; none: all that can be. Throws Refused where there is no reduction.
ReducedModel reduce_model(MechanismParts& parts, const std::vector<std::string>& by);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_REDUCED_MODEL_HPP
